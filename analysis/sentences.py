"""Sentences as character spans that cover a text exactly.

The cuts come from sentencex (rule-based, some 300 languages). What it gets wrong for our readers is mended here by two passes
over its cuts: a cut is taken out where it tears an abbreviation, a number, a URL or a code name; a cut is put in where an
abbreviation was also the end of the sentence ("и т. д. Дальше", "pears etc. I want").
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import sentencex

from analysis import lexicon
from analysis.records import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.records import Page

MIN_CHARS: Final = 30  # the guide's: shorter sentences carry no context for a link

# A Chinese, Japanese or Korean character says as much as this many Latin letters (30 letters ~ 12 characters).
_WIDE_WEIGHT: Final = 2.5

_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_STOP = re.compile(r"(\.[»”\")\]]*\s+)[«“„\"(\[—–-]*\s?")
_OPENING: Final = "«“„(["
_CLOSING: Final = "»”)]"

# End of a list, and often of the sentence: before a capital letter it is taken as both.
_LIST_ENDINGS: Final = frozenset({"etc", "usw", "ecc", "enz", "itd", "itp", "atd", "apod", "osv"})
_YEAR: Final = frozenset({"г", "р"})
_CONTEXT: Final = 200  # characters looked back for an open bracket or the beginning of an abbreviation
_CYRILLIC: Final = frozenset({"ru", "uk", "be"})
_CYRILLIC_CONSONANTS = re.compile(r"[бвгґджзклмнпрстфхцчшщ]{2,4}")


def split(text: str, language: str) -> list[tuple[int, int]]:
    """Cut ``text`` into sentences: spans in order, without gaps, so that the pieces joined again are ``text``.

    White space after a sentence belongs to it. An empty text has no sentences.
    """
    if not text:
        return []
    language = lexicon.base_language(language)
    found = sentencex.get_sentence_boundaries(language, text)
    cuts = {boundary["end_index"] for boundary in found} - {0, len(text)}
    urls = [match.span() for match in _URL.finditer(text)]
    edges = [0, *sorted(cuts), len(text)]
    kept = [0]
    for before, cut, after in zip(edges, edges[1:], edges[2:], strict=False):
        if not _goes_on(text[before:cut], text[cut:after], language) and not any(start < cut < end for start, end in urls):
            kept.append(cut)
    kept.append(len(text))
    return list(pairwise(sorted({*kept, *_missed(text, kept, language)})))


def sentences_of(page: Page, min_chars: int = MIN_CHARS) -> list[Sentence]:
    """The sentences in which a link may stand: of running text only, stripped, at least ``min_chars`` long.

    A character of Chinese, Japanese or Korean counts as several, because such a text says more with fewer characters.
    """
    return [
        Sentence(number, start, end, block.text[start:end])
        for number, block in enumerate(page.blocks)
        if block.kind.is_running_text
        for start, end in (_strip(block.text, span) for span in split(block.text, page.head.language))
        if _length(block.text[start:end]) >= min_chars
    ]


def _strip(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))


def _length(text: str) -> float:
    if text.isascii():
        return len(text)
    return sum(_WIDE_WEIGHT if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _goes_on(left: str, right: str, language: str) -> bool:
    """Whether the sentence goes on after the cut between two pieces."""
    if not any(map(str.isalnum, left)) or not any(map(str.isalnum, right)):
        return True  # only dots: part of the neighbour
    if not left[-1].isspace():
        digit_stop = left[-1] in ".．" and left[-2:-1].isdigit() and right[0].isdigit()
        code_name = left[-1] == "." and left[-2:-1].isspace() and right[0].isalnum()
        return digit_stop or code_name
    last = _abbreviation(left)
    if right[0].islower() and ("." in last or _CYRILLIC_CONSONANTS.fullmatch(last)):
        return True  # "т. е. окна", "5 млн. рублей"
    leads = lexicon.read("abbreviations").get(language, frozenset())
    return last in leads or last.rpartition(".")[2] in leads


def _abbreviation(text: str) -> str:
    """The word before the full stop that ends a text, in lower case and without that stop; a pair ("т. е.") is one word."""
    chunks = text[-_CONTEXT:].split()
    if not chunks or not chunks[-1].endswith("."):
        return ""
    last = chunks[-1][:-1].casefold().strip(_OPENING)
    if len(last) == 1 and len(chunks) > 1 and len(chunks[-2]) == 2 and chunks[-2].endswith("."):
        return chunks[-2].casefold() + last
    return last


def _missed(text: str, cuts: list[int], language: str) -> Iterator[int]:
    """Ends of sentences that were taken for abbreviations only."""
    for start, end in pairwise(cuts):
        for match in _STOP.finditer(text, start, end):
            before = text[max(start, match.start() - _CONTEXT) : match.start() + 1]
            if text[match.end() : match.end() + 1].isupper() and not _is_open(before) and _closes(before, language):
                yield match.end(1)


def _closes(before: str, language: str) -> bool:
    """Whether a full stop before a capital letter ends its sentence, although it belongs to an abbreviation."""
    last = _abbreviation(before)
    if last in _LIST_ENDINGS:
        return True
    if language not in _CYRILLIC or not last or last.isdigit() or before[-2:-1].isupper():
        return False  # a number or an initial
    if last in _YEAR and before[-3:-2].isspace() and before[:-3].rstrip()[-1:].isdigit():
        return True  # "в 2010 г. Вышла", while "г. Москва" is a town
    return last not in lexicon.read("abbreviations").get(language, frozenset())


def _is_open(text: str) -> bool:
    """Whether a bracket or quotation mark is open at the end of the text."""
    return sum(map(text.count, _OPENING)) > sum(map(text.count, _CLOSING))
