"""Reads the pages of one language once, and keeps numbers instead of texts: words, names, anchors, links."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import unquote, urlsplit

import numpy as np

from analysis import lexicon, words
from analysis.index.terms import Role, TermIndex, term_index
from analysis.records import BlockKind
from analysis.sentences import split

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.records import Block, Link, Page, PageHead

Stems: TypeAlias = "tuple[int, ...]"

_ROLES: Final = {BlockKind.PARAGRAPH: Role.RUNNING, BlockKind.ITEM: Role.RUNNING, BlockKind.HEADING: Role.HEADING}
_UNREAD: Final = (BlockKind.CODE, BlockKind.OTHER)
_TITLE_JOINT = re.compile(r"\s*[:|–—(){}]\s*|\s+-\s+")
_EXTENSION = re.compile(r"\.(?:html?|php|aspx?|md)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Anchor:
    """The stems of meaning on which a page links to another."""

    source: int
    target: int
    stems: Stems


class PageReader:
    """Reads the pages of an index one after the other; :meth:`terms` then freezes what it collected."""

    def __init__(self, language: str, members: Sequence[int]) -> None:
        """``members``: the corpus indices of the pages, in the order in which they will be added."""
        self.members = tuple(members)
        self.anchors: list[Anchor] = []
        self.names: list[tuple[Stems, ...]] = []  # of each page: what it is called, the title first where it has meaning
        self.titles: list[tuple[Stems, ...]] = []  # of each page: its title and its h1, once where they are alike
        self.headings: list[tuple[Stems, ...]] = []  # of each page: its headings, those that name the page left out
        self._language = language
        self._local = {page: number for number, page in enumerate(members)}
        own_grammar = lexicon.read("stop_words").get(lexicon.base_language(language), frozenset())
        self._latin_is_foreign = bool(own_grammar) and not any(word.isascii() for word in own_grammar)
        self._numbers: dict[str, int] = {}  # a word as written -> the number of its stem
        self._vocabulary: dict[tuple[str, bool], int] = {}
        self._meaning: list[bool] = []
        self._stems, self._linked = array("i"), array("i")
        self._sentence_starts, self._page_starts = array("q", [0]), array("q", [0])
        self._roles = array("b")

    def add(self, page: Page) -> None:
        """Read one page."""
        source = self._local[page.head.index]
        links: defaultdict[int, list[Link]] = defaultdict(list)
        for link in page.links:
            links[link.block].append(link)
        headings = []
        for number, block in enumerate(page.blocks):
            if block.kind not in _UNREAD:
                stems = self._read_block(block, links[number], source)
                if block.kind is BlockKind.HEADING:
                    headings.append(self._phrase(stems))
        self._page_starts.append(len(self._roles))
        names = [self._phrase(self._read(name)) for name in _names(page.head)]
        self.titles.append(tuple(dict.fromkeys(name for name in names[:2] if name)))
        self.names.append(tuple(dict.fromkeys(name for name in names if name)))
        self.headings.append(tuple(dict.fromkeys(heading for heading in headings if heading and heading not in names)))

    def terms(self) -> TermIndex:
        """The words of all pages read; the numbers are shared with this reader, not copied."""
        return term_index(
            np.asarray(self._stems, dtype=np.int32),
            np.asarray(self._linked, dtype=np.int32),
            np.asarray(self._sentence_starts, dtype=np.int64),
            np.asarray(self._roles, dtype=np.int8),
            np.asarray(self._page_starts, dtype=np.int64),
            np.array(self._meaning, dtype=np.bool_),
        )

    def _read(self, text: str) -> list[int]:
        return [self._number(word) for word in words.texts(text)]

    def _phrase(self, stems: Sequence[int]) -> Stems:
        return tuple(stem for stem in stems if self._meaning[stem])

    def _number(self, word: str) -> int:
        """The number of a word's stem; a stem that is grammar has a number of its own."""
        number = self._numbers.get(word)
        if number is None:
            # A Latin word in a text of another script is a name ("for", "this" in an article on JavaScript), never grammar.
            is_name = self._latin_is_foreign and word.isascii()
            key = (words.stem(word, self._language), is_name or words.has_meaning(word, self._language))
            number = self._numbers[word] = self._vocabulary.setdefault(key, len(self._vocabulary))
            if number == len(self._meaning):
                self._meaning.append(key[1])
        return number

    def _read_block(self, block: Block, links: Sequence[Link], source: int) -> list[int]:
        spans = words.spans(block.text)
        starts = [start for start, _ in spans]
        stems = [self._number(block.text[start:end]) for start, end in spans]
        linked = [-1] * len(spans)
        for link in links:
            target = self._local.get(link.target, -1)
            if target >= 0:
                first, last = bisect_left(starts, link.start), bisect_left(starts, link.end)
                linked[first:last] = [target] * (last - first)
                self.anchors.append(Anchor(source, target, self._phrase(stems[first:last])))
        role = _ROLES.get(block.kind, Role.OTHER)
        ends = [end for _, end in split(block.text, self._language)] if role is Role.RUNNING else [len(block.text)]
        for end in ends:
            self._sentence_starts.append(len(self._stems) + bisect_left(starts, end))
            self._roles.append(role)
        self._stems.extend(stems)
        self._linked.extend(linked)
        return stems


def _names(head: PageHead) -> Iterator[str]:
    """What a page is called: its title, its h1, the parts of a title such as "SSR: a guide", the last part of its address."""
    yield head.title
    yield head.h1
    yield from (part for part in _TITLE_JOINT.split(head.title) if part and part != head.title)
    slug = unquote(urlsplit(head.url).path).rstrip("/").rpartition("/")[2]
    yield re.sub(r"[-_]+", " ", _EXTENSION.sub("", slug))
