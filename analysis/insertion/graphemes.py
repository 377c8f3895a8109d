"""Grapheme clusters, and texts made ready for comparison: caseless, in one Unicode form, blind to what shows nothing."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

IGNORED: Final = frozenset(
    "\u00ad\u200b\u2060\ufeff\u180e\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
JOINERS: Final = frozenset("\u200c\u200d")
# Characters that extend a cluster without being marks (Grapheme_Cluster_Break Extend or SpacingMark, category L, S or C).
_EXTENDING: Final = re.compile("[\u200c\u200d\u0e33\u0eb3\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
# Texts of these characters only, if in NFC, have one cluster a character: no marks, jamo, joiners, emoji sequences.
_PLAIN: Final = re.compile(
    "[\t-\r -\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u0590\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u2bff"
    "\u3000-\u3029\u3030-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d\U0001f300-\U0001f3fa\U0001f400-\U0001faff]*"
)
_LEADING_JAMO: Final = re.compile("[\u1100-\u115f\ua960-\ua97c]")
_LATER_JAMO: Final = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")
_HANGUL: Final = re.compile("[\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb]")
_REGIONAL: Final = re.compile("[\U0001f1e6-\U0001f1ff]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text ready for comparison; at offset ``k`` of ``text`` a cluster starts at ``starts[k]`` of the original text, and
    one ends at ``ends[k]``; -1 where none does.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def clusters(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the grapheme clusters of a text, in order; a character that shows nothing is one of its own."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not _belongs(text, start, at):
            yield start, at
            start = at


def _belongs(text: str, start: int, at: int) -> bool:
    """Whether ``text[at]`` continues the cluster that began at ``start``."""
    char, before = text[at], text[at - 1]
    if before in IGNORED:
        return False
    if unicodedata.category(char)[0] == "M" or _EXTENDING.match(char):
        return True
    if before == "\u200d" and unicodedata.category(char) == "So":
        return True  # a sequence of emoji
    if _REGIONAL.match(char):
        return at - start == 1 and _REGIONAL.match(before) is not None
    if _LATER_JAMO.match(char):
        return _HANGUL.match(before) is not None
    return _HANGUL.match(char) is not None and _LEADING_JAMO.match(before) is not None


def fold(text: str) -> Folded:
    """Prepare a text for comparison (canonical caseless matching, Unicode standard 3.13, D145)."""
    if _PLAIN.fullmatch(text) and unicodedata.is_normalized("NFC", text):
        folded = text.casefold()
        if len(folded) == len(text):
            identity = range(len(text) + 1)
            return Folded(folded, identity, identity)
    pieces: list[str] = []
    starts, ends = [-1], [0]
    for start, end in clusters(text):
        piece = _fold_cluster(text[start:end])
        if not piece:
            continue
        pieces.append(piece)
        starts[-1] = start
        starts.extend([-1] * len(piece))
        ends.extend([-1] * (len(piece) - 1) + [end])
    starts[-1] = len(text)
    return Folded("".join(pieces), starts, ends)


@lru_cache(maxsize=4096)
def _fold_cluster(cluster: str) -> str:
    if cluster[0] in IGNORED:
        return ""
    if cluster.isspace():
        return " "
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFD", cluster).casefold())
    return unicodedata.normalize("NFC", "".join(char for char in decomposed if char not in JOINERS))


@lru_cache(maxsize=4096)
def fold_phrase(phrase: str) -> str:
    """A phrase as it is looked for: folded, single spaces, none at either end."""
    return " ".join(fold(phrase).text.split())
