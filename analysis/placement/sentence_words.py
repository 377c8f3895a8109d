"""A sentence cut into words, with all that anchors ask of a word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from analysis import words
from analysis.insertion.matching import Edge, edge, is_ideographic

if TYPE_CHECKING:
    from collections.abc import Iterable

Span: TypeAlias = tuple[int, int]

_CLAUSE_END = re.compile(r"[,;:!?…。，、；：！？।؟؛،()\[\]{}«»“”„\"|—–]|\.(?=\s)|\s-\s")


@dataclass(frozen=True, slots=True)
class TextWords:
    """A sentence, title or wording cut into words, once for all uses; all tuples have an item a word."""

    text: str
    spans: tuple[Span, ...]
    norms: tuple[str, ...]
    stems: tuple[str, ...]
    has_meaning: tuple[bool, ...]
    may_begin: tuple[bool, ...]
    may_end: tuple[bool, ...]
    ends_clause: tuple[bool, ...]  # between this word and the next


def read_words(text: str, language: str) -> TextWords:
    """Cut a text into words."""
    spans = words.spans(text)
    if not spans:
        return TextWords(text, (), (), (), (), (), (), ())
    norms, stems, has_meaning = zip(*[_read_word(text[start:end], language) for start, end in spans], strict=True)
    gaps = [end < start and _CLAUSE_END.search(text, end, start) is not None for (_, end), (start, _) in pairwise(spans)]
    may_begin, may_end = (tuple(may_cut(text, position) for position in side) for side in zip(*spans, strict=True))
    return TextWords(text, tuple(spans), norms, stems, has_meaning, may_begin, may_end, (*gaps, True))


@lru_cache(maxsize=1 << 17)
def _read_word(word: str, language: str) -> tuple[str, str, bool]:
    return words.normalize(word), words.stem(word, language), words.has_meaning(word, language)


def may_cut(text: str, position: int) -> bool:
    """Whether an anchor may begin or end at a position of a text: between words, or between two Chinese or Japanese letters."""
    found = edge(text, position)
    return found is Edge.WORD or (found is Edge.UNSPACED and is_ideographic(text[max(0, position - 1) : position + 1]))


def overlaps(span: Span, others: Iterable[Span]) -> bool:
    """Whether a span has a character in common with one of the others."""
    return any(span[0] < end and start < span[1] for start, end in others)
