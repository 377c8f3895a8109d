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

import sentencex  # type: ignore[import-untyped]

from analysis import lexicon
from analysis.records import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.records import Page

MIN_CHARS: Final = 30  # the guide's: shorter sentences carry no context for a link

# A character of a script written without spaces says as much as this many Latin letters (30 letters ~ 12 characters).
_WIDE_WEIGHT: Final = 2.5

_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_LAST_WORD = re.compile(r"((?:[^\W_]+(?:-[^\W_]+)?\.\s?)*(?:[^\W_]+(?:-[^\W_]+)?|№))\.\s*$")
_INNER_STOP = re.compile(r"([^\W_]+(?:-[^\W_]+)?)\.[»”\")\]]*\s+(?=[«“„\"(\[—–-]*\s?([^\W_]))")
_OPENING: Final = "«“„(["
_CLOSING: Final = "»”)]"

# End of a list, and often of the sentence: before a capital letter it is taken as both.
_LIST_ENDINGS: Final = frozenset({"etc", "usw", "ecc", "enz", "itd", "itp", "atd", "apod", "osv"})
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
    for before, cut in pairwise(edges):
        if cut == len(text) or not _tears(text, before, cut, language, urls):
            kept.append(cut)
    return list(pairwise(sorted({*kept, *_missed(text, kept, language)})))


def sentences_of(page: Page, min_chars: int = MIN_CHARS) -> list[Sentence]:
    """The sentences in which a link may stand: of running text only, stripped, at least ``min_chars`` long.

    A character of Chinese, Japanese or Thai counts as several, because such a text says more with fewer characters.
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
    return sum(_WIDE_WEIGHT if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _tears(text: str, before: int, cut: int, language: str, urls: list[tuple[int, int]]) -> bool:
    """Whether the sentence text[before:cut] goes on after the cut."""
    left, right = text[before:cut], text[cut:]
    bare = left.rstrip()
    if not any(char.isalnum() for char in left) or not any(char.isalnum() for char in right):
        return True  # only dots: part of the neighbour
    if any(start < cut < end for start, end in urls):
        return True
    if bare == left:  # no white space at the cut
        digit_stop = len(left) > 1 and left[-1] in ".．" and left[-2].isdigit() and right[0].isdigit()
        code_name = left[-1] == "." and (len(left) == 1 or left[-2].isspace()) and right[0].isalnum()
        return digit_stop or code_name
    word = _LAST_WORD.search(left)
    if not word:
        return False
    last = re.sub(r"\s", "", word[1]).casefold()
    leads = lexicon.read("abbreviations").get(language, frozenset())
    if right[0].islower() and ("." in last or _CYRILLIC_CONSONANTS.fullmatch(last)):
        return True  # "т. е. окна", "5 млн. рублей"
    return last in leads or last.rpartition(".")[2] in leads


def _missed(text: str, cuts: list[int], language: str) -> Iterator[int]:
    """Ends of sentences that were taken for abbreviations only."""
    leads = lexicon.read("abbreviations").get(language, frozenset())
    for start, end in pairwise(cuts):
        piece = text[start:end]
        for match in _INNER_STOP.finditer(piece):
            word, following = match[1].casefold(), match[2]
            if not following.isupper() or _is_open(piece[: match.end()]):
                continue
            if word in _LIST_ENDINGS or (language in _CYRILLIC and _closes(piece[: match.start()], match[1], leads)):
                yield start + match.end()


def _closes(before: str, word: str, leads: frozenset[str]) -> bool:
    """Whether a Cyrillic word with a full stop, before a capital letter, ends its sentence."""
    if len(word) == 1 and word.isupper():
        return False  # an initial
    if word.casefold() in {"г", "р"} and before.rstrip().endswith(tuple("0123456789")):
        return True  # a year: "в 2010 г. Вышла", while "г. Москва" is a town
    previous = before.rpartition(" ")[0 if before.endswith(" ") else 2].rpartition(" ")[2].casefold()
    whole = previous + word.casefold() if previous.endswith(".") and len(previous) == 2 else word.casefold()  # "т. п."
    return whole not in leads and not word.isdigit()


def _is_open(text: str) -> bool:
    """Whether a bracket or quotation mark is open at the end of the text."""
    return sum(map(text.count, _OPENING)) > sum(map(text.count, _CLOSING))
