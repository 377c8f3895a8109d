"""The words of pages, comparable: how much two texts have in common, and which words are rare on the site."""

from __future__ import annotations

import math
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from analysis.words import has_meaning, normalize, stem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SHINGLE: Final = 5  # words of a sequence; A. Broder, "On the resemblance and containment of documents", 1997
_SAMPLE: Final = 400  # pages whose words tell how common a word is
_KEPT: Final = 2_048  # pages whose words stay in memory


class SiteTerms:
    """The terms of all pages, read when they are asked for; ``sample`` are the pages that speak for the site."""

    def __init__(self, words: Callable[[int], Sequence[str]], languages: Sequence[str]) -> None:
        """Take a page's words, as written and in order, from ``words``; ``languages`` has each page's."""
        self.of = lru_cache(maxsize=_KEPT)(lambda page: PageTerms(words(page), languages[page]))
        self.sample = range(0, len(languages), max(1, len(languages) // _SAMPLE))
        self._usage = Counter(one for page in self.sample for one in self.of(page).counts)

    def share(self, one: str) -> float:
        """The share of the site's pages that use a stem."""
        return self._usage[one] / max(1, len(self.sample))

    def rarity(self, one: str) -> float:
        """Inverse document frequency of a stem."""
        return math.log((len(self.sample) + 1) / (self._usage[one] + 0.5))

    def cosine(self, a: int, b: int) -> float:
        """Cosine of two pages' tf-idf vectors (logarithmic tf), from 0 to 1."""
        ours, theirs = sorted((self._weights(a), self._weights(b)), key=len)
        return sum(weight * theirs.get(one, 0.0) for one, weight in ours.items())

    def _weights(self, page: int) -> dict[str, float]:
        terms = self.of(page)
        if terms.weights is None:
            raw = {one: (1 + math.log(count)) * self.rarity(one) for one, count in terms.counts.items()}
            length = math.sqrt(sum(weight * weight for weight in raw.values())) or 1.0
            terms.weights = {one: weight / length for one, weight in raw.items()}
        return terms.weights


class PageTerms:
    """The words of one page: how often each stem stands in it, how it is written, and its five-word sequences."""

    def __init__(self, words: Sequence[str], language: str) -> None:
        self.counts: Counter[str] = Counter()
        self.weights: dict[str, float] | None = None
        self.written: dict[str, str] = {}
        self._plain = [normalize(word) for word in words]
        for word in words:
            if has_meaning(word, language):
                one = stem(word, language)
                self.counts[one] += 1
                self.written.setdefault(one, word)

    def rate(self, one: str) -> float:
        """Occurrences of a stem by the number of words."""
        return self.counts[one] / max(1, len(self._plain))

    def word_rate(self, word: str) -> float:
        """Occurrences of a plain word by the number of words."""
        return self._plain_counts[word] / max(1, len(self._plain))

    def resemblance(self, other: PageTerms) -> float:
        """The share of the shorter page's five-word sequences that the other has too; 0 if one is less than half as long."""
        ours, theirs = self._shingles, other._shingles
        small, large = sorted((len(ours), len(theirs)))
        return len(ours & theirs) / small if small * 2 >= large and small else 0.0

    @cached_property
    def _plain_counts(self) -> Counter[str]:
        return Counter(self._plain)

    @cached_property
    def _shingles(self) -> frozenset[tuple[str, ...]]:
        last = max(1, len(self._plain) - _SHINGLE + 1)
        return frozenset(tuple(self._plain[start : start + _SHINGLE]) for start in range(last)) if self._plain else frozenset()
