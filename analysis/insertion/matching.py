r"""Finding a phrase in a text as whole words, in any script.

Written out because ``re`` will not do: ``\b`` matches before a combining mark, ``\w`` leaves out vowel signs and points, ``\s``
the zero-width space, and none of them knows that Thai and Chinese put no spaces between words.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from analysis.insertion.graphemes import IGNORED, JOINERS, Folded

if TYPE_CHECKING:
    from collections.abc import Iterator


class Edge(Enum):
    """What a position in a text is to a phrase that would begin or end there."""

    WORD = auto()  # between two words, or a word and something else
    INSIDE = auto()  # within a word
    UNSPACED = auto()  # between two characters of a script that does not show where words end


# Scripts written without spaces between words. In the first group a grapheme cluster is mostly a morpheme or syllable; in the
# second (line break class SA) only a dictionary knows.
_IDEOGRAPHIC: Final = re.compile(
    "[\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u309f\u30a1-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U000323af]"
)
_DICTIONARY: Final = re.compile(
    "[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109d\u1780-\u17d3\u17d7\u17dc\u1950-\u1974\u1980-\u19c9\u1a20-\u1a7c"
    "\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaadf]"
)
# Kana and marks that only continue a word: no line starts with them (JIS X 4051).
_CONTINUES: Final = frozenset(
    "ーゝゞヽヾ々〻ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿｧｨｩｪｫｬｭｮｯｰﾞﾟ"
)
# Part of the word they touch: C++, C#, #tag, @name, $value.
_STICKY: Final = frozenset("_@#+$\\")
# Part of a word when one goes on behind them: red-shoes, node.js, AT&T, and/or, don't.
_JOINING: Final = frozenset("-\u2010\u2011.'\u2019\u02bc/&:=~·\u05f3\u05f4\"\uff07\u30fb")
_DIGIT_JOINING: Final = frozenset(",\u066b\u066c")
_ANY_JOINING: Final = _JOINING | _DIGIT_JOINING
_PLAIN_EDGE: Final = re.compile(r" [A-Za-z0-9]|[A-Za-z0-9] ")
_POSSESSIVE: Final = re.compile(r"['\u2019\u02bc][sS](?![\w'\u2019])")
_ELISION: Final = re.compile(r"(?:^|[^\w'\u2019])(?:[cdjlmnst]|qu|dell|all|nell|dall|sull|un)['\u2019\u02bc]$")


def edge(text: str, at: int) -> Edge:
    """What position ``at`` of a text is for a phrase that begins or ends there; it must lie between grapheme clusters."""
    if _PLAIN_EDGE.match(text, max(0, at - 1)):
        return Edge.WORD  # nearly all there are
    left, right = at, at
    zero_width = False
    while left and text[left - 1] in IGNORED:
        left -= 1
        zero_width |= text[left] == "\u200b"
    while right < len(text) and text[right] in IGNORED:
        zero_width |= text[right] == "\u200b"
        right += 1
    if not left or right == len(text):
        return Edge.WORD
    if _is_word(text[left - 1]) and _is_word(text[right]):
        return _between(_base(text, left), text[right], zero_width)
    return Edge.INSIDE if _joined(text, left, right) else Edge.WORD


def _between(left: str, right: str, zero_width: bool) -> Edge:
    """The edge between two characters of words; ``left`` is the base of its cluster."""
    scripts = {_script(left), _script(right)}
    if scripts == {""}:
        return Edge.INSIDE
    if zero_width and "dictionary" in scripts:
        return Edge.WORD  # writers of these scripts set it to show where a word ends
    if right in _CONTINUES:
        return Edge.INSIDE
    if len(scripts) > 1 and not (left.isdigit() or right.isdigit()):
        return Edge.WORD
    return Edge.UNSPACED


def _script(char: str) -> str:
    if _IDEOGRAPHIC.match(char):
        return "ideographic"
    return "dictionary" if _DICTIONARY.match(char) else ""


def _base(text: str, end: int) -> str:
    """The character that the marks before ``end`` are set on."""
    while end > 1 and (unicodedata.category(text[end - 1])[0] == "M" or text[end - 1] in JOINERS):
        end -= 1
    return text[end - 1]


def _is_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM" or char in _STICKY or char in JOINERS


def _joined(text: str, left: int, right: int) -> bool:
    """Whether punctuation between ``left`` and beyond, or before ``right``, ties the two sides into one word."""
    before, after = text[left - 1], text[right]
    if _is_word(before) and after in _ANY_JOINING:
        beyond = _skip_ignored(text, right + 1)
        if _POSSESSIVE.match(text, right):
            return False
        return _ties(before, after, text[beyond : beyond + 1])
    if _is_word(after) and before in _ANY_JOINING:
        beyond = left - 1
        while beyond and text[beyond - 1] in IGNORED:
            beyond -= 1
        if _ELISION.search(text[max(0, left - 7) : left]):
            return False
        return _ties(text[beyond - 1 : beyond], before, after)
    return False


def _skip_ignored(text: str, at: int) -> int:
    while at < len(text) and text[at] in IGNORED:
        at += 1
    return at


def _ties(left: str, mark: str, right: str) -> bool:
    if not left or not right or not _is_word(left) or not _is_word(right):
        return False
    if _script(left) or _script(right):
        return mark in "-\u2010\u2011.·・"
    return mark not in _DIGIT_JOINING or (left.isdigit() and right.isdigit())


@dataclass(frozen=True, slots=True)
class Match:
    """An occurrence of a phrase: a span of the text, and whether words are known to end at both ends of it."""

    start: int
    end: int
    edge: Edge


def find_phrase(text: str, folded: Folded, phrase: str) -> Iterator[Match]:
    """Every occurrence of a folded phrase in a text and its folded form, overlapping ones included, also those inside words."""
    at = folded.text.find(phrase)
    while phrase and at >= 0:
        start, end = folded.starts[at], folded.ends[at + len(phrase)]
        if start >= 0 and end >= 0:
            edges = {edge(text, start), edge(text, end)}
            worst = next(kind for kind in (Edge.INSIDE, Edge.UNSPACED, Edge.WORD) if kind in edges)
            yield Match(start, end, worst)
        at = folded.text.find(phrase, at + 1)


def is_ideographic(text: str) -> bool:
    """Whether a text holds Chinese or Japanese letters and none of Thai, Lao, Khmer or Burmese."""
    return _IDEOGRAPHIC.search(text) is not None and _DICTIONARY.search(text) is None
