"""Pages that compete with one another: so close in meaning and words that a search engine must choose between them.

No fixed cosine says so: what is near on one site is ordinary on another. The measure comes from the site itself. Each page's
nearest neighbour of its own language is looked at twice, by the vectors and by the words (cosine of tf-idf, G. Salton and
C. Buckley, 1988); the distribution of each (Fisher's z, median, median absolute deviation) tells how near neighbours usually are,
and a pair is judged by how many deviations it lies beyond that (:mod:`.levels`). A pair competes when

- both pages carry the same text, or
- they are *near duplicates*: beyond the usual in both views, together by :data:`NEAR`, with titles that share some words, or
- they have the *same intent*: titles of mostly the same words, weighted by rarity, and vectors closer than is usual (of two
  pages with one title, no farther than is usual).

It does not compete when the pages are translations, pages of a list or parts of a series (:mod:`.series`), or when each
has a subject of its own in its title that the other hardly mentions ("Moving from Gatsby", "Moving from Hugo"). Texts cast in
one mould ("border-left", "border-right") need only exchange the word in which their titles differ.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from analysis.cannibalization.levels import find_levels, level_of
from analysis.cannibalization.series import same_list, same_series
from analysis.cannibalization.site_terms import SiteTerms
from analysis.cannibalization.title_intent import TitleIntents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from analysis.cannibalization.levels import Level
    from analysis.records import PageHead

# In deviations beyond the usual. Of the two views words are the surer witness: another question about the same subject is often
# as near in meaning as the same question asked twice, but it uses other words (measured on blogs and documentation).
NEAR: Final = 4.0  # both views together …
NEAR_MEANING: Final = 0.5  # … and each
NEAR_WORDING: Final = 2.5
VERY_NEAR: Final = 5.0  # in both views together: the pages can be made one
NEAR_TITLE: Final = 0.1  # share of title words (weighted) below which near duplicates are about different things after all
CLOSE: Final = 1.0  # deviations beyond the usual, for pages whose titles say the same
SAME_TITLE: Final = 0.5
EQUAL_TITLE: Final = 0.95
SAME_TEXT: Final = 0.8  # share of five-word sequences
MOULD: Final = 0.5  # the same measure; from here on one text was made from the other, or both from a template
RECURRING: Final = 4  # pages of one title and different texts: a column that comes back, not competitors

_OWN_TERMS: Final = 6
_EXCHANGED: Final = 1.2  # a word stands more than so many times as often as in the other text
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
class _Pair:
    a: int
    b: int
    meaning: float  # deviations beyond the usual, by the vectors …
    wording: float  # … and by the words
    title: float
    same_text: float = 0.0

    @property
    def is_near(self) -> bool:
        """Whether the pair lies far beyond the usual, both views taken together."""
        is_beyond = self.meaning >= NEAR_MEANING and self.wording >= NEAR_WORDING
        return is_beyond and self.meaning + self.wording >= NEAR

    @property
    def can_be_one(self) -> bool:
        """Whether nothing speaks for two pages."""
        return self.title >= EQUAL_TITLE or (self.is_near and self.meaning + self.wording >= VERY_NEAR)

    @property
    def reason(self) -> str:
        """Why the pair competes, in words."""
        if self.same_text >= SAME_TEXT:
            return f"{self.same_text:.0%} of the text is the same"
        if self.is_near:
            return "much nearer in meaning and words than pages of this site usually are"
        return "titles of the same words, and nearer in meaning than pages of this site usually are"

    @property
    def strength(self) -> float:
        """Same texts first, then by nearness and titles."""
        return 100.0 * (self.same_text >= SAME_TEXT) + self.meaning + self.wording + NEAR * self.title


def find_competitors(
    heads: Sequence[PageHead],
    vectors: NDArray[np.float32],
    indices: NDArray[np.integer[Any]],
    cosines: NDArray[np.float32],
    words: Callable[[int], Sequence[str]],
) -> list[Competitors]:
    """Find the groups of pages that compete, the strongest first.

    :param vectors: (n, d), unit rows.
    :param indices: (n, k) nearest pages of each page in its own language, nearest first, -1 where there are fewer; see
        :func:`analysis.vectors.neighbours.nearest`.
    :param cosines: (n, k) their cosines.
    :param words: gives a page's words as written, in order; called for the pages that are looked at, and for a sample.
    """
    audit = _Audit(heads, vectors, words, find_levels(heads, indices, cosines), indices)
    pairs = [pair for a, b in _candidates(indices) if (pair := audit.judge(a, b)) is not None]
    return [audit.describe(pages, members) for pages, members in _groups(pairs)]


def _candidates(indices: NDArray[np.integer[Any]]) -> Iterator[tuple[int, int]]:
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
        indices: NDArray[np.integer[Any]],
    ) -> None:
        self.heads = heads
        self._vectors = vectors
        self._levels = levels
        self._titles = TitleIntents(heads)
        self._terms = SiteTerms(words, [head.language for head in heads])
        nearest = [(page, int(indices[page, 0])) for page in self._terms.sample if indices.shape[1] and indices[page, 0] >= 0]
        self._wording_level = level_of(np.array([self._terms.cosine(a, b) for a, b in nearest]))

    def judge(self, a: int, b: int) -> _Pair | None:
        """The pair if it competes."""
        pair = self._measure(a, b)
        if pair is None:
            return None
        same_text = self._terms.of(a).resemblance(self._terms.of(b))
        if self._have_own_subjects(a, b, of_one_mould=same_text >= MOULD):
            return None
        recurring = pair.title >= EQUAL_TITLE and self._titles.equals(a) >= RECURRING
        if same_text < SAME_TEXT and (recurring or pair.title < NEAR_TITLE):
            return None
        return replace(pair, same_text=same_text)

    def _measure(self, a: int, b: int) -> _Pair | None:
        """How near a pair is, None if it is not near enough or not meant to differ; cheap questions come first."""
        first, second = self.heads[a], self.heads[b]
        if first.language != second.language or first.translates(second):
            return None
        meaning = self._levels[first.language].beyond(self._cosine(a, b))
        if meaning < 0:
            return None
        title = self._titles.similarity(a, b)
        may_be_alike = title >= SAME_TITLE and (meaning >= CLOSE or self._titles.same(a, b))
        if (meaning < NEAR_MEANING and not may_be_alike) or self._is_series(a, b):
            return None
        pair = _Pair(a, b, meaning, self._wording_level.beyond(self._terms.cosine(a, b)), title)
        return pair if pair.is_near or (pair.wording >= 0 and may_be_alike) else None

    def describe(self, pages: tuple[int, ...], pairs: Sequence[_Pair]) -> Competitors:
        """A group with what distinguishes its pages, and the advice."""
        closeness = min(self._cosine(a, b) for a in pages for b in pages if a < b)
        own_terms = tuple(self._own_terms(page, pages) for page in pages)
        if min(pair.same_text for pair in pairs) >= SAME_TEXT:
            advice = Advice.CANONICAL
        elif all(pair.can_be_one for pair in pairs) and not self._has_subjects(pages):
            advice = Advice.MERGE
        else:
            advice = Advice.DIFFERENTIATE
        same_text = max(pair.same_text for pair in pairs)
        strongest = max(pairs, key=lambda pair: pair.strength)
        shared = self._titles.shared(pages)
        return Competitors(pages, own_terms, shared, round(closeness, 4), round(same_text, 4), advice, strongest.reason)

    def _cosine(self, a: int, b: int) -> float:
        return float(self._vectors[a] @ self._vectors[b])

    def _is_series(self, a: int, b: int) -> bool:
        first, second = self.heads[a], self.heads[b]
        if same_list(first.url, second.url):
            return True
        return any(same_series(x, y, first.language) for x, y in ((first.title, second.title), (first.h1, second.h1)))

    def _has_subjects(self, pages: Sequence[int]) -> bool:
        return any(self._subjects(page, other) for page in pages for other in pages if page != other)

    def _have_own_subjects(self, a: int, b: int, *, of_one_mould: bool) -> bool:
        if of_one_mould and self._exchanges(a, b) and self._exchanges(b, a):
            return True
        return bool(self._subjects(a, b)) and bool(self._subjects(b, a))

    def _exchanges(self, page: int, other: int) -> bool:
        """Whether a word that only this page's title has is the page's own in the text as well."""
        ours, theirs = self._terms.of(page), self._terms.of(other)
        own = self._titles.words(page) - self._titles.words(other)
        return any(ours.word_rate(word) > _EXCHANGED * theirs.word_rate(word) for word in own)

    def _subjects(self, page: int, other: int) -> list[str]:
        """Stems of a page's title that it writes about and the other hardly mentions, and that few pages of the site use."""
        ours, theirs = self._terms.of(page), self._terms.of(other)
        own = self._titles.stems(page) - self._titles.stems(other)
        return [
            one
            for one in own
            if ours.counts[one] >= _SUBJECT_COUNT
            and theirs.rate(one) <= _SUBJECT_RATIO * ours.rate(one)
            and self._terms.share(one) <= _SUBJECT_COMMON
        ]

    def _own_terms(self, page: int, group: Iterable[int]) -> tuple[str, ...]:
        """What a page writes about and the others of its group do not."""
        ours = self._terms.of(page)
        others = [self._terms.of(other) for other in group if other != page]
        weights = {
            one: (1 + math.log(count)) * self._terms.rarity(one)
            for one, count in ours.counts.items()
            if count > 1 and all(other.rate(one) <= _SUBJECT_RATIO * ours.rate(one) for other in others)
        }
        best = sorted(weights, key=lambda one: (-weights[one], one))[:_OWN_TERMS]
        return tuple(ours.written[one] for one in best)


def _groups(pairs: Sequence[_Pair]) -> list[tuple[tuple[int, ...], list[_Pair]]]:
    """Pages put together, the strongest pair first; a page or group joins another only if half of all their pairs compete."""
    group_of: dict[int, int] = {}
    members: dict[int, set[int]] = {}
    competing = {(pair.a, pair.b) for pair in pairs}
    ranked = sorted(pairs, key=lambda pair: (-pair.strength, pair.a, pair.b))
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
