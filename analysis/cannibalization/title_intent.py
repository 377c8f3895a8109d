"""What titles are after: their words without grammar, weighted by how rare they are among the site's titles."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from analysis.words import has_meaning, normalize, stem, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.records import PageHead

_CUT: Final = re.compile(r"\s*[:|–—]\s+|\s+-\s+")


class TitleIntents:
    """The titles of a site, comparable."""

    def __init__(self, heads: Sequence[PageHead]) -> None:
        self._heads = heads
        self._stems = [_stems(head.title, head.language) for head in heads]
        self._titles = Counter(normalize(head.title) for head in heads)
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        self._sizes = Counter(head.language for head in heads)
        for head, stems in zip(heads, self._stems, strict=True):
            self._counts[head.language].update(stems.keys())

    def stems(self, page: int) -> frozenset[str]:
        """The stems of a title's words of meaning."""
        return frozenset(self._stems[page])

    def words(self, page: int) -> Counter[str]:
        """All words of a title, grammar and single letters too, with how often each stands there."""
        return Counter(normalize(token.text) for token in tokenize(self._heads[page].title))

    def same(self, a: int, b: int) -> bool:
        """Whether two pages carry the very same title."""
        return normalize(self._heads[a].title) == normalize(self._heads[b].title)

    def equals(self, page: int) -> int:
        """How many pages carry this very title."""
        return self._titles[normalize(self._heads[page].title)]

    def similarity(self, a: int, b: int) -> float:
        """The share of two titles' words that both have, weighted by rarity, from 0 to 1.

        Of titles that begin alike up to a colon or dash ("Field notes: …") only what comes after it is compared.
        """
        first, second = self._heads[a], self._heads[b]
        ours, theirs = frozenset(self._stems[a]), frozenset(self._stems[b])
        heads_and_tails = [_CUT.split(head.title, maxsplit=1) for head in (first, second)]
        if all(len(parts) == 2 for parts in heads_and_tails):
            (head_a, tail_a), (head_b, tail_b) = heads_and_tails
            if _stems(head_a, first.language).keys() == _stems(head_b, second.language).keys():
                ours = frozenset(_stems(tail_a, first.language)) or ours
                theirs = frozenset(_stems(tail_b, second.language)) or theirs
        return self._overlap(ours, theirs, first.language)

    def shared(self, pages: Sequence[int]) -> tuple[str, ...]:
        """The words that all these titles share, as the first one writes them."""
        first = self._stems[pages[0]]
        return tuple(word for one, word in first.items() if all(one in self._stems[page] for page in pages[1:]))

    def _overlap(self, ours: Iterable[str], theirs: Iterable[str], language: str) -> float:
        counts, size = self._counts[language], self._sizes[language]
        ours, theirs = frozenset(ours), frozenset(theirs)

        def weight(stems: frozenset[str]) -> float:
            return sum(math.log((size + 1) / (counts[one] + 0.5)) for one in sorted(stems))

        whole = weight(ours | theirs)
        return weight(ours & theirs) / whole if whole > 0 else 0.0


def _stems(title: str, language: str) -> dict[str, str]:
    """Stem -> the word as written, in order."""
    found: dict[str, str] = {}
    for token in tokenize(title):
        if has_meaning(token.text, language):
            found.setdefault(stem(token.text, language), token.text)
    return found
