"""Pages that compete with one another: so close in meaning, or so alike in intent, that a search engine must choose between them.

No fixed cosine says so: what is near on one site is ordinary on another. The level comes from the site itself. Each page's
nearest neighbour of its own language gives one cosine; their distribution (Fisher's z, median, median absolute deviation) says
how near neighbours usually are, and a pair is judged by how far beyond that it is (:class:`Level`). A pair competes when

- both pages carry the same text, or
- they are *near duplicates*: a distance that outliers have (:data:`NEAR`), and titles that share a part of their words, or
- they have the *same intent*: titles of mostly the same words, weighted by rarity, closer than is usual (:data:`CLOSE`).

It does not compete when the pages are translations, pages of a list or parts of a series (:mod:`analysis.series`), or when each
has a subject of its own in its title that the other hardly mentions ("Moving from Gatsby", "Moving from Hugo").
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.series import same_list, same_series
from analysis.title_intent import TitleIntents
from analysis.words import has_meaning, normalize, stem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from analysis.records import PageHead

NEAR: Final = 3.0  # deviations beyond the usual nearest neighbour: one page in 700 of a normal distribution
CLOSE: Final = 1.0
NEAR_TITLE: Final = 0.2  # share of title words (weighted) below which near duplicates are about different things after all
SAME_TITLE: Final = 0.5
EQUAL_TITLE: Final = 0.95  # such pairs need not be closer than neighbours usually are
SAME_TEXT: Final = 0.8  # share of five-word sequences; A. Broder, "On the resemblance and containment of documents", 1997
LEAST_DEVIATION: Final = 0.05  # of Fisher's z: on a site of one mould the deviation is all noise
LEAST_PAGES: Final = 20  # of a language, before it is measured alone
RECURRING: Final = 4  # pages of one title and different texts: a column that comes back, not competitors

_SHINGLE: Final = 5
_SAMPLE: Final = 400  # pages whose words tell how common a word is
_OWN_TERMS: Final = 6
_SUBJECT_COUNT: Final = 3
_SUBJECT_RATIO: Final = 0.2  # the other page uses the word at most so often, by its length
_SUBJECT_COMMON: Final = 0.1  # of all pages; a word that more of them use is nobody's subject


class Advice(StrEnum):
    """What to do with a group."""

    CANONICAL = "canonical"  # one text at several addresses: redirect, or name one in rel=canonical
    MERGE = "merge"  # one intent written twice: make one page of them
    DIFFERENTIATE = "differentiate"  # each has something of its own: sharpen titles and texts towards it


@dataclass(frozen=True, slots=True)
class Competitors:
    """A group of pages that compete; tuples run in the order of ``pages``."""

    pages: tuple[int, ...]  # ascending
    own_terms: tuple[tuple[str, ...], ...]  # words that a page uses and the others do not, most telling first
    shared_title: tuple[str, ...]  # words that all titles share
    closeness: float  # lowest cosine of two pages of the group
    same_text: float  # highest share of common text of two pages, from 0 to 1
    advice: Advice
    reason: str


@dataclass(frozen=True, slots=True)
class Level:
    """How near the nearest neighbours of a language usually are, in Fisher's z of the cosine."""

    median: float
    deviation: float

    def beyond(self, cosine: float) -> float:
        """How many deviations a cosine lies above the usual nearest neighbour."""
        return (float(_fisher(cosine)) - self.median) / self.deviation

    def cosine(self, deviations: float) -> float:
        """The cosine that lies so many deviations above the usual."""
        return math.tanh(self.median + deviations * self.deviation)


@dataclass(frozen=True, slots=True)
class _Pair:
    a: int
    b: int
    beyond: float
    title: float
    same_text: float
    reason: str


def find_competitors(
    heads: Sequence[PageHead],
    vectors: NDArray[np.float32],
    indices: NDArray[np.int64],
    cosines: NDArray[np.float32],
    words: Callable[[int], Sequence[str]],
) -> list[Competitors]:
    """Find the groups of pages that compete, the strongest first.

    :param vectors: (n, d), unit rows.
    :param indices: (n, k) nearest pages of each page in its own language, nearest first, -1 where there are fewer.
    :param cosines: (n, k) their cosines.
    :param words: gives a page's words as written, in order; called for the pages that are looked at, and for a sample.
    """
    audit = _Audit(heads, vectors, words, find_levels(heads, cosines))
    pairs = [pair for a, b in _candidates(indices) if (pair := audit.judge(a, b)) is not None]
    return [audit.describe(pages, members) for pages, members in _groups(pairs)]


def find_levels(heads: Sequence[PageHead], cosines: NDArray[np.float32]) -> dict[str, Level]:
    """The level of each language; one with few pages takes that of the whole site."""
    nearest = _fisher(cosines[:, 0]) if cosines.shape[1] else np.zeros(len(heads))
    usable = np.isfinite(nearest) & (cosines[:, 0] > -1) if cosines.shape[1] else np.zeros(len(heads), dtype=bool)
    languages = np.array([head.language for head in heads])
    levels = {}
    for language in sorted(set(languages)):
        own = usable & (languages == language)
        values = nearest[own] if own.sum() >= LEAST_PAGES else nearest[usable]
        levels[str(language)] = _level(values)
    return levels


def _level(values: NDArray[np.float64]) -> Level:
    if not len(values):
        return Level(0.0, LEAST_DEVIATION)
    median = float(np.median(values))
    deviation = 1.4826 * float(np.median(np.abs(values - median)))  # of a normal distribution this is the standard deviation
    return Level(median, max(deviation, LEAST_DEVIATION))


def _fisher(cosines: NDArray[np.float32] | float) -> NDArray[np.float64]:
    return np.arctanh(np.clip(np.asarray(cosines, dtype=np.float64), -0.9999, 0.9999))


def _candidates(indices: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Each pair of neighbours once, in the order of pages."""
    seen = set()
    for page, row in enumerate(indices.tolist()):
        for other in row:
            pair = (min(page, other), max(page, other))
            if other >= 0 and other != page and pair not in seen:
                seen.add(pair)
                yield pair


class _Audit:
    """What is known of the pages while they are compared."""

    def __init__(
        self,
        heads: Sequence[PageHead],
        vectors: NDArray[np.float32],
        words: Callable[[int], Sequence[str]],
        levels: dict[str, Level],
    ) -> None:
        self.heads = heads
        self._vectors = vectors
        self._words = words
        self._levels = levels
        self._titles = TitleIntents(heads)
        self._texts: dict[int, _Text] = {}

    def judge(self, a: int, b: int) -> _Pair | None:
        """The pair with its reason if it competes; cheap questions come first."""
        first, second = self.heads[a], self.heads[b]
        if first.language != second.language or first.translation_group == second.translation_group != -1:
            return None
        beyond = self._levels[first.language].beyond(self._cosine(a, b))
        title = self._titles.similarity(a, b)
        if beyond < 0 or (beyond < CLOSE and title < EQUAL_TITLE) or (beyond < NEAR and title < NEAR_TITLE):
            return None
        if self._is_series(a, b) or self._have_own_subjects(a, b):
            return None
        same_text = self.text(a).resemblance(self.text(b))
        recurring = title >= EQUAL_TITLE and self._titles.equals(a) >= RECURRING
        reason = ""
        if same_text >= SAME_TEXT:
            reason = f"{same_text:.0%} of the text is the same"
        elif beyond >= NEAR and title >= NEAR_TITLE and not recurring:
            reason = "much nearer than the pages of this site usually are, with titles that overlap"
        elif title >= SAME_TITLE and not recurring:
            reason = "titles of the same words, and nearer than the pages of this site usually are"
        return _Pair(a, b, beyond, title, same_text, reason) if reason else None

    def describe(self, pages: tuple[int, ...], pairs: Sequence[_Pair]) -> Competitors:
        """A group with what distinguishes its pages, and the advice."""
        same_text = max(pair.same_text for pair in pairs)
        closeness = min(self._cosine(a, b) for a in pages for b in pages if a < b)
        own_terms = tuple(self._own_terms(page, pages) for page in pages)
        if min(pair.same_text for pair in pairs) >= SAME_TEXT:
            advice = Advice.CANONICAL
        elif all(pair.beyond >= NEAR or pair.title >= EQUAL_TITLE for pair in pairs) and not self._has_subjects(pages):
            advice = Advice.MERGE
        else:
            advice = Advice.DIFFERENTIATE
        strongest = max(pairs, key=lambda pair: (pair.same_text >= SAME_TEXT, pair.beyond + pair.title))
        shared = self._titles.shared(pages)
        return Competitors(pages, own_terms, shared, round(closeness, 4), round(same_text, 4), advice, strongest.reason)

    def text(self, page: int) -> _Text:
        """The words of a page, read once."""
        found = self._texts.get(page)
        if found is None:
            found = self._texts[page] = _Text(self._words(page), self.heads[page].language)
        return found

    def _cosine(self, a: int, b: int) -> float:
        return float(self._vectors[a] @ self._vectors[b])

    def _is_series(self, a: int, b: int) -> bool:
        first, second = self.heads[a], self.heads[b]
        if same_list(first.url, second.url):
            return True
        return any(same_series(x, y, first.language) for x, y in ((first.title, second.title), (first.h1, second.h1)))

    def _has_subjects(self, pages: Sequence[int]) -> bool:
        return any(self._subjects(page, other) for page in pages for other in pages if page != other)

    def _have_own_subjects(self, a: int, b: int) -> bool:
        return bool(self._subjects(a, b)) and bool(self._subjects(b, a))

    def _subjects(self, page: int, other: int) -> list[str]:
        """Stems of a page's title that it writes about and the other hardly mentions, and that few pages of the site use."""
        ours, theirs = self.text(page), self.text(other)
        own = self._titles.stems(page) - self._titles.stems(other)
        return [
            one
            for one in own
            if ours.counts[one] >= _SUBJECT_COUNT
            and theirs.rate(one) <= _SUBJECT_RATIO * ours.rate(one)
            and self._share(one) <= _SUBJECT_COMMON
        ]

    def _own_terms(self, page: int, group: Iterable[int]) -> tuple[str, ...]:
        """What a page writes about and the others of its group do not."""
        ours = self.text(page)
        others = [self.text(other) for other in group if other != page]
        weights = {
            one: (1 + math.log(count)) * math.log(1 / max(self._share(one), 1 / (2 * _SAMPLE)))
            for one, count in ours.counts.items()
            if count > 1 and all(other.rate(one) <= _SUBJECT_RATIO * ours.rate(one) for other in others)
        }
        best = sorted(weights, key=lambda one: (-weights[one], one))[:_OWN_TERMS]
        return tuple(ours.written[one] for one in best)

    def _share(self, one: str) -> float:
        """The share of the site's pages that use a stem."""
        counts, size = self._usage
        return counts[one] / size

    @cached_property
    def _usage(self) -> tuple[Counter[str], int]:
        step = max(1, len(self.heads) // _SAMPLE)
        sample = range(0, len(self.heads), step)
        return Counter(one for page in sample for one in self.text(page).counts), len(sample)


class _Text:
    """The words of one page: how often each stem stands in it, how it is written, and its five-word sequences."""

    def __init__(self, words: Sequence[str], language: str) -> None:
        self.counts: Counter[str] = Counter()
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

    def resemblance(self, other: _Text) -> float:
        """The share of the shorter page's five-word sequences that the other has too; 0 if one is less than half as long."""
        ours, theirs = self._shingles, other._shingles
        small, large = sorted((len(ours), len(theirs)))
        return len(ours & theirs) / small if small * 2 >= large and small else 0.0

    @cached_property
    def _shingles(self) -> frozenset[tuple[str, ...]]:
        last = max(1, len(self._plain) - _SHINGLE + 1)
        return frozenset(tuple(self._plain[start : start + _SHINGLE]) for start in range(last)) if self._plain else frozenset()


def _groups(pairs: Sequence[_Pair]) -> list[tuple[tuple[int, ...], list[_Pair]]]:
    """Pages put together, the strongest pair first; a page or group joins another only if half of all their pairs compete."""
    group_of: dict[int, int] = {}
    members: dict[int, set[int]] = {}
    competing = {(pair.a, pair.b) for pair in pairs}
    ranked = sorted(pairs, key=lambda pair: (-(pair.same_text >= SAME_TEXT), -(pair.beyond / NEAR + pair.title), pair.a, pair.b))
    for pair in ranked:
        a, b = (group_of.setdefault(page, page) for page in (pair.a, pair.b))
        for page in (a, b):
            members.setdefault(page, {page})
        if a == b:
            continue
        between = sum((min(x, y), max(x, y)) in competing for x in members[a] for y in members[b])
        if 2 * between >= len(members[a]) * len(members[b]):
            for page in members.pop(b):
                members[a].add(page)
                group_of[page] = a
    inside: dict[int, list[_Pair]] = defaultdict(list)
    for pair in ranked:
        if group_of[pair.a] == group_of[pair.b]:
            inside[group_of[pair.a]].append(pair)
    return [(tuple(sorted(members[group])), found) for group, found in inside.items()]
