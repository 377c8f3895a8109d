"""What is checked: a paragraph before and after, and the words that all checks look at."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Final, NamedTuple

from analysis.lexicon import base_language
from analysis.words import has_meaning, stem

_WORD: Final = re.compile(r"[^\W_]+(?:['’.,:/-][^\W_]+)*")
_CONTRACTED: Final = frozenset({"s", "ll", "re", "ve", "d", "m"})  # "there's", but not "can't"
_SHORT: Final = 3  # letters of a word that has no other forms


class Word(NamedTuple):
    """A word of a paragraph, ``text[start:end]``; ``folded`` is what it is compared by."""

    folded: str
    start: int
    end: int


@dataclass(frozen=True)
class Rewrite:
    """A proposed rewrite of one paragraph, as plain text; ``fixed`` are the words of its links, its code and its emphasis."""

    before: str
    after: str
    anchor: str
    title: str  # of the target; its heading may follow, set off by a line break
    language: str
    fixed: tuple[str, ...] = ()
    prompt: str = ""

    @cached_property
    def old(self) -> tuple[Word, ...]:
        """The words before."""
        return read_words(self.before)

    @cached_property
    def new(self) -> tuple[Word, ...]:
        """The words after."""
        return read_words(self.after)

    @cached_property
    def anchor_span(self) -> tuple[int, int]:
        """Where the anchor stands in ``after``; (-1, -1) if it does not stand there as whole words."""
        found = re.search(rf"(?<![^\W_]){re.escape(self.anchor)}(?![^\W_])", self.after) if self.anchor else None
        return found.span() if found else (-1, -1)

    @cached_property
    def rest(self) -> str:
        """``after`` without the anchor, where the anchor is new: the facts of the target's name are not the paragraph's."""
        start, end = self.anchor_span
        return self.after if start < 0 or self.anchor in self.before else self.after[:start] + self.after[end:]

    @cached_property
    def name_stems(self) -> frozenset[str]:
        """The stems of the target's name that mean something."""
        return frozenset(stem(w.folded, self.language) for w in read_words(self.title) if has_meaning(w.folded, self.language))

    def points(self, word: str) -> bool:
        """Whether a word says nothing but where something is written, in any of its forms."""
        base, _, ending = word.partition("'")
        known = _pointers(base_language(self.language))
        return (ending in _CONTRACTED or not ending) and (base in known[0] or stem(base, self.language) in known[1])

    def words(self, kind: str) -> frozenset[str]:
        """A list of ``weave_words.toml`` in the paragraph's language."""
        return _lists()[kind].get(base_language(self.language), frozenset())


@cache
def read_words(text: str) -> tuple[Word, ...]:
    """The words of a text; a number keeps its separators, a word its hyphens and apostrophes."""
    return tuple(Word(_fold(match[0]), *match.span()) for match in _WORD.finditer(text))


def known_languages() -> frozenset[str]:
    """The languages whose paragraphs can be checked."""
    return frozenset.intersection(*(frozenset(lists) for lists in _lists().values()))


@cache
def _pointers(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words that point, and the stems of those that have endings."""
    listed = _lists()["pointer"].get(language, frozenset())
    return listed, frozenset(stem(word, language) for word in listed if len(word) > _SHORT)


def _fold(word: str) -> str:
    return word.casefold().replace("’", "'")


@cache
def _lists() -> dict[str, dict[str, frozenset[str]]]:
    source = resources.files("analysis.data").joinpath("weave_words.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(source).items()
    return {kind: {language: frozenset(entries.split()) for language, entries in table.items()} for kind, table in tables}
