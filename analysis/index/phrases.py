"""The phrases that name pages (titles, headings, the words of existing links) and where they stand in a text.

A phrase is a run of stems of meaning inside one sentence; grammar between them does not count. Phrases are found by the hash of
their stems, all at once: n-grams of a page against the sorted hashes of the dictionary.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.index.terms import Role
from analysis.processes import by_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from analysis.index.reading import Anchor, Stems
    from analysis.index.terms import PageTerms, TermIndex

LONGEST: Final = 6  # stems of a phrase; longer titles and anchors are hardly ever repeated word by word

# Multipliers of splitmix64 (Steele, Lea, Flood 2014) and of 64-bit FNV-1a.
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_STEP: Final = np.uint64(0x100000001B3)


class NameKind(IntEnum):
    """How a phrase names a page."""

    TITLE = 0
    OTHER_NAME = 1  # h1, part of a title, last part of the address
    HEADING = 2  # of a section on the page


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Phrases in the running text of a page, in reading order, the longer first at one place; one row each."""

    phrase: NDArray[np.int64]
    place: NDArray[np.float32]  # 0 (first word of the article) to 1
    sentence: NDArray[np.int32]
    linked: NDArray[np.int32]  # the page that a link on the phrase leads to; -1 = none
    is_inside: NDArray[np.bool_]  # whether the phrase is part of a longer one found there


@dataclass(frozen=True, slots=True, eq=False)
class ByTarget:
    """The rows of a table of phrases and targets, by target: those of page p stand from ``starts[p]`` to ``starts[p + 1]``."""

    starts: NDArray[np.int64]  # (pages + 1,)
    row: NDArray[np.int32]  # ascending within a page
    phrase: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class PhraseIndex:
    """Phrases are numbered in the order of their hashes; ``*_starts`` bound the rows of each phrase in the arrays that follow."""

    hashes: NDArray[np.uint64]  # (phrases,) ascending
    weight: NDArray[np.float32]  # (phrases,): sum of the IDF of the stems
    length: NDArray[np.int8]  # (phrases,): number of stems
    name_starts: NDArray[np.int64]
    name_target: NDArray[np.int32]
    name_kind: NDArray[np.int8]
    names_of: ByTarget
    called_pages: NDArray[np.int32]  # (phrases,): pages that are called so
    headed_pages: NDArray[np.int32]  # (phrases,): pages with such a heading
    anchor_starts: NDArray[np.int64]
    anchor_target: NDArray[np.int32]
    anchors_of: ByTarget
    anchor_pages: NDArray[np.int32]  # pages that link to the target with these words
    linking_pages: NDArray[np.int32]  # (phrases,): pages that link to anything with these words
    containing_pages: NDArray[np.int32]  # (phrases,): pages in whose running text the words stand
    uses: NDArray[np.int64]  # ascending keys of (row of anchor_target, source): who links so
    user_starts: NDArray[np.int64]  # (pages + 1,)
    user_phrases: NDArray[np.int64]  # the phrases with which each page links, bounded by user_starts

    def find(self, page: PageTerms, has_meaning: NDArray[np.bool_], source: int) -> Occurrences:
        """All phrases in the running text of page ``source``, those left out that only its own links make known."""
        places = np.flatnonzero(has_meaning[page.stems] & (page.roles[page.sentences] == Role.RUNNING))
        stems, sentences, linked = page.stems[places], page.sentences[places], page.linked[places]
        found = [np.zeros((3, 0), dtype=np.int64)]
        links = []
        hashes = np.zeros(len(stems), dtype=np.uint64)
        longest_link = np.full(len(stems), -1, dtype=np.int32)
        for length in range(1, min(LONGEST, len(stems)) + 1 if len(self.hashes) else 1):
            count = len(stems) - length + 1
            hashes = _extend(hashes[:count], stems[length - 1 :])
            longest_link = np.maximum(longest_link[:count], linked[length - 1 :])
            number = np.searchsorted(self.hashes, hashes).clip(max=len(self.hashes) - 1)
            hit = np.flatnonzero((self.hashes[number] == hashes) & (sentences[:count] == sentences[length - 1 :]))
            found.append(np.stack([hit, number[hit], np.full(len(hit), length)]))
            links.append(longest_link[hit])
        first, phrase, length = np.concatenate(found, axis=1)
        link = np.concatenate([*links, np.zeros(0, dtype=np.int32)])
        order = np.lexsort((-length, first))
        order = order[self._is_known_without(source, phrase[order])]
        first, phrase, length, link = first[order], phrase[order], length[order], link[order]
        end = first + length
        furthest = np.concatenate([[-1], np.maximum.accumulate(end)[:-1]]) if len(end) else end
        place = (places[first] / max(len(page.stems), 1)).astype(np.float32)
        return Occurrences(phrase, place, sentences[first], link, end <= furthest)

    def _is_known_without(self, source: int, phrase: NDArray[np.int64]) -> NDArray[np.bool_]:
        is_name = self.name_starts[phrase + 1] > self.name_starts[phrase]
        others = self.linking_pages[phrase] - np.isin(phrase, self.linking_by(source))
        known: NDArray[np.bool_] = is_name | (others > 0)
        return known

    def uses_by(self, rows: NDArray[np.int64], source: int, pages: int) -> NDArray[np.bool_]:
        """Whether ``source`` itself links as the given rows of :attr:`anchor_target` say."""
        return _contains(self.uses, rows * pages + source)

    def linking_by(self, source: int) -> NDArray[np.int64]:
        """The phrases with which ``source`` links."""
        return self.user_phrases[self.user_starts[source] : self.user_starts[source + 1]]


def _contains(keys: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.bool_]:
    if not len(keys):
        return np.zeros(len(wanted), dtype=np.bool_)
    at = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    return keys[at] == wanted


def _extend(hashes: NDArray[np.uint64], stems: NDArray[np.int32]) -> NDArray[np.uint64]:
    """The hashes of phrases made one stem longer."""
    mixed = (stems.astype(np.uint64) + np.uint64(1)) * _MIX_1
    mixed = (mixed ^ (mixed >> np.uint64(31))) * _MIX_2
    return hashes * _STEP + (mixed ^ (mixed >> np.uint64(27)))


def phrase_index(
    terms: TermIndex,
    names: Sequence[Sequence[Stems]],
    headings: Sequence[Sequence[Stems]],
    anchors: Sequence[Anchor],
    processes: int = 1,
) -> PhraseIndex:
    """Collect the phrases of a site, then count in one pass, by several processes, on how many pages each stands."""
    name_rows = list(dict.fromkeys(_name_rows(names, headings)))
    anchor_rows = sorted({(anchor.stems, anchor.target, anchor.source) for anchor in anchors if 0 < len(anchor.stems) <= LONGEST})
    known = list(dict.fromkeys([*(stems for stems, _, _ in name_rows), *(stems for stems, _, _ in anchor_rows)]))
    hashes, numbers = np.unique(_hash_all(known), return_inverse=True)
    number_of = dict(zip(known, numbers.tolist(), strict=True))
    weight = np.zeros(len(hashes), dtype=np.float32)
    length = np.zeros(len(hashes), dtype=np.int8)
    length[numbers] = [len(stems) for stems in known]
    weight[numbers] = [terms.idf[list(stems)].sum() for stems in known]

    name_table = np.array(sorted((number_of[stems], kind, target) for stems, target, kind in name_rows), dtype=np.int64).reshape(
        -1, 3
    )
    is_heading = name_table[:, 1] == NameKind.HEADING
    use_table = np.array(
        sorted((number_of[stems], target, source) for stems, target, source in anchor_rows), dtype=np.int64
    ).reshape(-1, 3)
    pairs, row_of_use, pages_of_pair = np.unique(use_table[:, :2], axis=0, return_inverse=True, return_counts=True)
    users = np.unique(use_table[:, [2, 0]], axis=0)
    index = PhraseIndex(
        hashes=hashes,
        weight=weight,
        length=length,
        name_starts=_starts(name_table[:, 0], len(hashes)),
        name_target=name_table[:, 2].astype(np.int32),
        name_kind=name_table[:, 1].astype(np.int8),
        names_of=_by_target(name_table[:, 0], name_table[:, 2], terms.size),
        called_pages=np.bincount(name_table[~is_heading, 0], minlength=len(hashes)).astype(np.int32),
        headed_pages=np.bincount(name_table[is_heading, 0], minlength=len(hashes)).astype(np.int32),
        anchor_starts=_starts(pairs[:, 0], len(hashes)),
        anchor_target=pairs[:, 1].astype(np.int32),
        anchors_of=_by_target(pairs[:, 0], pairs[:, 1], terms.size),
        anchor_pages=pages_of_pair.astype(np.int32),
        linking_pages=np.bincount(users[:, 1], minlength=len(hashes)).astype(np.int32),
        containing_pages=np.zeros(len(hashes), dtype=np.int32),
        user_starts=_starts(users[:, 0], terms.size),
        user_phrases=users[:, 1],
        uses=np.sort(row_of_use.reshape(-1) * terms.size + use_table[:, 2]),
    )

    def standing_in(pages: range) -> NDArray[np.int64]:
        found = [np.unique(index.find(terms.page(page), terms.has_meaning, page).phrase) for page in pages]
        return np.concatenate(found)

    for found in by_blocks(standing_in, terms.size, processes):
        np.add.at(index.containing_pages, found, 1)
    return index


def _name_rows(names: Sequence[Sequence[Stems]], headings: Sequence[Sequence[Stems]]) -> Iterator[tuple[Stems, int, NameKind]]:
    for target, (own_names, own_headings) in enumerate(zip(names, headings, strict=True)):
        for position, stems in enumerate(own_names):
            if len(stems) <= LONGEST:
                yield stems, target, NameKind.TITLE if position == 0 else NameKind.OTHER_NAME
        for stems in own_headings:
            if len(stems) <= LONGEST:
                yield stems, target, NameKind.HEADING


def _hash_all(phrases: Sequence[Stems]) -> NDArray[np.uint64]:
    """The hash of each phrase, as :meth:`PhraseIndex.find` computes it."""
    hashes = np.zeros(len(phrases), dtype=np.uint64)
    lengths = np.array([len(phrase) for phrase in phrases], dtype=np.int64)
    for position in range(LONGEST):
        longer = np.flatnonzero(lengths > position)
        stems = np.array([phrases[number][position] for number in longer], dtype=np.int32)
        hashes[longer] = _extend(hashes[longer], stems)
    return hashes


def _by_target(phrase: NDArray[np.int64], target: NDArray[np.int64], pages: int) -> ByTarget:
    order = np.argsort(target, kind="stable")
    return ByTarget(_starts(target[order], pages), order.astype(np.int32), phrase[order].astype(np.int32))


def _starts(numbers: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Where the rows of each of ``size`` phrases begin in a table sorted by phrase, and where the last ends."""
    return np.searchsorted(numbers, np.arange(size + 1))
