"""Whether two titles are parts of one series: "part 1" and "part 2", lessons, versions, years, months, pages of a list.

Such pages look alike on purpose. A number counts as numbering where it is a year, a version or a date, stands beside a word like
"part" or "Lektion", in brackets, before punctuation or at either end; "10 best tools" and "Top 15" count things instead.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

from analysis import lexicon
from analysis.words import has_meaning, normalize, stem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*(?:[./-]\d+)*|[^\w\s]")
_NUMBER: Final = re.compile(r"\d")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_DATE_OR_VERSION: Final = re.compile(r"\d+(?:[./-]\d+)+")
_ROMAN: Final = re.compile(r"(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})")
_OPENING: Final = frozenset("([{#№")
_BREAK: Final = frozenset(":;.,–—|-)]}/!?")
_SUFFIX: Final = frozenset({"st", "nd", "rd", "th", "я", "й", "е", "а"})
_PAGING: Final = re.compile(r"/page[/-]?\d+(?=/|$)|(?<=[?&])(?:page|paged|p|start|offset|seite|pagina)=\d+", re.IGNORECASE)


_NOTHING: Final = ("^",)  # what stands before a number that opens a title


class Numbering(NamedTuple):
    """A title cut at its numbering: stems before it (with the marker), what is counted, and stems after it."""

    before: tuple[str, ...]
    number: str
    after: tuple[str, ...]
    marked: bool  # by a word such as "part", not by a year, version or place alone


def same_series(a: str, b: str, language: str) -> bool:
    """Whether two titles number parts of one series, or versions of one thing."""
    ours, theirs = find_numbering(a, language), find_numbering(b, language)
    for one in ours:
        for other in theirs:
            if one.number != other.number and (
                (one.before and one.before == other.before) or (one.after and one.after == other.after)
            ):
                return True
    marked = [one for one in (*ours, *theirs) if one.marked]
    if bool(ours) != bool(theirs) and marked:  # "Storage" and "Storage, part 2"
        plain = _stems(b if ours else a, language)
        return any(_unmarked(one.before, language) + one.after == plain or one.before[:-1] == plain for one in marked)
    return False


def same_list(a: str, b: str) -> bool:
    """Whether two addresses are pages of one list (``/page/2``, ``?page=3``)."""
    if not (_PAGING.search(a) or _PAGING.search(b)):
        return False
    return _PAGING.sub("", a).rstrip("/?&") == _PAGING.sub("", b).rstrip("/?&")


@cache
def find_numbering(title: str, language: str) -> tuple[Numbering, ...]:
    """Every place where a title is numbered."""
    language = lexicon.base_language(language)
    tokens = _TOKEN.findall(title)
    plain = [normalize(token) for token in tokens]
    found = []
    for index, token in enumerate(tokens):
        before, after = plain[:index], plain[index + 1 :]
        marked = _is_marked(before, after, language)
        if _is_numbering(token, before, after, marked=marked, language=language):
            front = _kept(before, language) if before else _NOTHING
            found.append(Numbering(front, plain[index], _kept(after, language), marked))
    return tuple(found)


def _is_numbering(token: str, before: Sequence[str], after: Sequence[str], *, marked: bool, language: str) -> bool:
    plain = normalize(token)
    if _NUMBER.match(token):
        if before and before[-1] in _words("count", language):
            return False
        closed = not after or after[0] in _BREAK or after[0] in _SUFFIX
        opened = bool(before) and (before[-1] in _OPENING or before[-1] == "v")
        at_start = not before and bool(after) and after[0] in _BREAK
        certain = _YEAR.fullmatch(token) or _DATE_OR_VERSION.fullmatch(token) or re.fullmatch(r"\d+[.,]\d+(?:[.,]\d+)*", token)
        return bool(marked or opened or at_start or certain or (closed and before))
    if plain in _words("month", language):
        return plain != "may" or not before or not after  # "may" inside an English title is the verb
    if _ROMAN.fullmatch(token):
        return marked or (len(token) > 1 and (not after or after[0] in _BREAK))
    return marked and (plain in _words("ordinal", language) or len(plain) == 1)


def _is_marked(before: Sequence[str], after: Sequence[str], language: str) -> bool:
    markers = _words("marker", language)
    previous = next((word for word in reversed(before[-2:]) if word not in (".", "#", "№", "-", "–", "—", "(")), "")
    following = next((word for word in after[:3] if word not in (".", "-") and word not in _SUFFIX), "")
    return previous in markers or following in markers


def _unmarked(stems: tuple[str, ...], language: str) -> tuple[str, ...]:
    markers = {stem(marker, language) for marker in _words("marker", language)}
    return tuple(one for one in stems if one not in markers)


def _kept(words: Sequence[str], language: str) -> tuple[str, ...]:
    markers = _words("marker", language)
    return tuple(stem(word, language) for word in words if word in markers or (word[0].isalnum() and has_meaning(word, language)))


def _stems(title: str, language: str) -> tuple[str, ...]:
    return _kept([normalize(token) for token in _TOKEN.findall(title)], lexicon.base_language(language))


@cache
def _words(kind: str, language: str) -> frozenset[str]:
    """The words of a kind in a language; English ones count everywhere (titles are full of them)."""
    lists = _lists()[kind]
    return frozenset(normalize(word) for code in ("en", language) for word in lists.get(code, "").split())


@cache
def _lists() -> Mapping[str, Mapping[str, str]]:
    source = resources.files("analysis.data").joinpath("series_words.toml").read_text(encoding="utf-8")
    return tomllib.loads(source)
