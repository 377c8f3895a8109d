"""What a paragraph states and a rewrite must not touch; each function is True where it did not."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Final

from analysis.language import detect_language
from analysis.weave.rewrite import read_words

if TYPE_CHECKING:
    from analysis.weave.rewrite import Rewrite

_NUMBER: Final = re.compile(r"\d+(?:[.,:/\u00a0\u202f ]\d+)*")
_MEASURE: Final = re.compile(r"(\d+(?:[.,]\d+)*)\s*-?([^\W\d_]+|[%‰°€$£₽²³]+[^\W\d_]*)")
_MONEY: Final = re.compile(r"[€$£₽]\s*\d+(?:[.,]\d+)*")
_QUOTED: Final = re.compile(r"[\"“”„«‘]([^\"“”„«»‘]{2,}?)[\"“”»]")
_CONTRACTED: Final = re.compile(r"n't$")


def numbers_kept(rewrite: Rewrite) -> bool:
    """The same numbers, as often, in the same order."""
    return _NUMBER.findall(rewrite.before) == _NUMBER.findall(rewrite.rest)


def dates_kept(rewrite: Rewrite) -> bool:
    """The same months and days of the week."""
    return _listed(rewrite, "date", rewrite.before) == _listed(rewrite, "date", rewrite.rest)


def units_kept(rewrite: Rewrite) -> bool:
    """Every number is followed by what it was followed by."""
    return _measures(rewrite.before) == _measures(rewrite.rest)


def names_kept(rewrite: Rewrite) -> bool:
    """The same capitalised words within sentences, in the same order; new ones only of the target's name."""
    before, after = _names(rewrite.before), _names(rewrite.rest)
    own = {word.folded for word in read_words(rewrite.title)}
    if len(after) > len(before):
        position = iter(after)
        extra = list(after)
        if not all(name in position for name in before):
            return False
        for name in before:
            extra.remove(name)
        return all(name.casefold() in own or rewrite.points(name.casefold()) for name in extra)
    # A word that begins a sentence counts on neither side; one that a pointer now stands before was checked by its letters.
    return Counter(after) == Counter(before) and after == before


def quotations_kept(rewrite: Rewrite) -> bool:
    """What stands between quotation marks stays as it was, and nothing new does."""
    return _QUOTED.findall(rewrite.before) == _QUOTED.findall(rewrite.after)


def negation_kept(rewrite: Rewrite) -> bool:
    """No negation added or lost."""
    return _negations(rewrite, rewrite.before) == _negations(rewrite, rewrite.rest)


def fixed_kept(rewrite: Rewrite) -> bool:
    """The words of existing links, code and emphasis stand there as they were, and no anchor overlaps them."""
    for words in rewrite.fixed:
        if rewrite.after.count(words) < rewrite.before.count(words):
            return False
    start, end = rewrite.anchor_span
    return not any(_overlaps(rewrite.after, words, start, end) for words in rewrite.fixed if len(words) > 1)


def language_kept(rewrite: Rewrite) -> bool:
    """The same language, and no word in a script that the paragraph and the target's name do not use."""
    if not _scripts(rewrite.after) <= _scripts(rewrite.before) | _scripts(rewrite.title):
        return False
    before, after = detect_language(rewrite.before), detect_language(rewrite.after)
    return before is None or after is None or before.code == after.code


def letters_clean(rewrite: Rewrite) -> bool:
    """No invisible or control characters that were not there, and no word made of letters of several scripts."""
    strange = {char for char in rewrite.after if unicodedata.category(char) in ("Cc", "Cf", "Co", "Cn", "Cs")}
    if not strange <= set(rewrite.before):
        return False
    old = {word.folded for word in rewrite.old}
    return all(len(_scripts(rewrite.after[w.start : w.end])) <= 1 for w in rewrite.new if w.folded not in old)


def _listed(rewrite: Rewrite, kind: str, text: str) -> Counter[str]:
    wanted = rewrite.words(kind)
    return Counter(word.folded for word in read_words(text) if word.folded in wanted)


def _measures(text: str) -> list[tuple[str, ...] | str]:
    return [*_MEASURE.findall(text), *_MONEY.findall(text)]


def _names(text: str) -> list[str]:
    found = []
    for word in read_words(text):
        lead = text[: word.start].rstrip(" \u00a0\"'“”„«‘([")
        if lead and lead[-1] not in ".!?…:" and text[word.start].isupper() and word.folded.partition("'")[0] != "i":
            found.append(text[word.start : word.end])
    return found


def _negations(rewrite: Rewrite, text: str) -> Counter[str]:
    listed = rewrite.words("negation")
    words = [word.folded for word in read_words(text)]
    return Counter(word for word in words if word in listed or (rewrite.language == "en" and _CONTRACTED.search(word)))


def _overlaps(text: str, words: str, start: int, end: int) -> bool:
    position = text.find(words)
    while position >= 0:
        if position < end and start < position + len(words):
            return True
        position = text.find(words, position + 1)
    return False


def _scripts(text: str) -> frozenset[str]:
    return frozenset(unicodedata.name(char, "?").partition(" ")[0] for char in text if char.isalpha())
