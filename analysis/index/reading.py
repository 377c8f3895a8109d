"""Reads the pages of one language once, and keeps numbers instead of texts: words, names, anchors, links."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import unquote, urlsplit

import numpy as np

from analysis import lexicon, words
from analysis.index.terms import Role, TermIndex, term_index
from analysis.records import BlockKind
from analysis.sentences import split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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


@dataclass(slots=True)
class Readings:
    """What was read of some pages of one language, page after page; stems are numbered as they come."""

    anchors: list[Anchor] = field(default_factory=list)
    names: list[tuple[Stems, ...]] = field(default_factory=list)  # of each page: what it is called, the title first
    titles: list[tuple[Stems, ...]] = field(default_factory=list)  # of each page: its title and its h1, once where they are alike
    headings: list[tuple[Stems, ...]] = field(default_factory=list)  # of each page: its headings that do not name the page
    vocabulary: dict[tuple[str, bool], int] = field(default_factory=dict)  # (stem, whether it has meaning) -> its number
    stems: array[int] = field(default_factory=lambda: array("i"))  # of each word
    linked: array[int] = field(default_factory=lambda: array("i"))  # of each word: the page that a link on it leads to, or -1
    sentence_starts: array[int] = field(default_factory=lambda: array("q", [0]))
    page_starts: array[int] = field(default_factory=lambda: array("q", [0]))
    roles: array[int] = field(default_factory=lambda: array("b"))  # of each sentence

    def append(self, more: Readings) -> None:
        """Take in the pages that follow: the same comes out as if one had read on."""
        new = [self.vocabulary.setdefault(stem, len(self.vocabulary)) for stem in more.vocabulary]

        def renumbered(pages: Iterable[tuple[Stems, ...]]) -> Iterator[tuple[Stems, ...]]:
            return (tuple(tuple(new[stem] for stem in phrase) for phrase in page) for page in pages)

        self.anchors += (replace(anchor, stems=tuple(new[stem] for stem in anchor.stems)) for anchor in more.anchors)
        self.names += renumbered(more.names)
        self.titles += renumbered(more.titles)
        self.headings += renumbered(more.headings)
        words, sentences = len(self.stems), len(self.roles)
        self.stems.frombytes(np.array(new, dtype=np.intc)[np.frombuffer(more.stems, dtype=np.intc)].tobytes())
        self.linked += more.linked
        self.sentence_starts.frombytes((np.frombuffer(more.sentence_starts, dtype=np.int64)[1:] + words).tobytes())
        self.page_starts.frombytes((np.frombuffer(more.page_starts, dtype=np.int64)[1:] + sentences).tobytes())
        self.roles += more.roles

    def terms(self) -> TermIndex:
        """The words of all pages read; the numbers are shared, not copied."""
        return term_index(
            np.asarray(self.stems, dtype=np.int32),
            np.asarray(self.linked, dtype=np.int32),
            np.asarray(self.sentence_starts, dtype=np.int64),
            np.asarray(self.roles, dtype=np.int8),
            np.asarray(self.page_starts, dtype=np.int64),
            np.array([has_meaning for _, has_meaning in self.vocabulary], dtype=np.bool_),
        )


class PageReader:
    """Reads the pages of an index one after the other."""

    def __init__(self, language: str, members: Sequence[int]) -> None:
        """``members``: the corpus indices of the pages, in the order in which they will be read."""
        self.members = tuple(members)
        self.read = Readings()
        self._language = language
        self._local = {page: number for number, page in enumerate(members)}
        own_grammar = lexicon.read("stop_words").get(lexicon.base_language(language), frozenset())
        self._latin_is_foreign = bool(own_grammar) and not any(word.isascii() for word in own_grammar)
        self._numbers: dict[str, int] = {}  # a word as written -> the number of its stem
        self._meaning: list[bool] = []

    def begun_anew(self) -> PageReader:
        """A reader of the same index that has read nothing."""
        new = copy(self)
        new.read, new._numbers, new._meaning = Readings(), {}, []
        return new

    def add(self, page: Page) -> None:
        """Read one page."""
        read = self.read
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
        read.page_starts.append(len(read.roles))
        names = [self._phrase(self._read(name)) for name in _names(page.head)]
        read.titles.append(tuple(dict.fromkeys(name for name in names[:2] if name)))
        read.names.append(tuple(dict.fromkeys(name for name in names if name)))
        read.headings.append(tuple(dict.fromkeys(heading for heading in headings if heading and heading not in names)))

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
            number = self._numbers[word] = self.read.vocabulary.setdefault(key, len(self.read.vocabulary))
            if number == len(self._meaning):
                self._meaning.append(key[1])
        return number

    def _read_block(self, block: Block, links: Sequence[Link], source: int) -> list[int]:
        read = self.read
        spans = words.spans(block.text)
        starts = [start for start, _ in spans]
        stems = [self._number(block.text[start:end]) for start, end in spans]
        linked = [-1] * len(spans)
        for link in links:
            target = self._local.get(link.target, -1)
            if target >= 0:
                first, last = bisect_left(starts, link.start), bisect_left(starts, link.end)
                linked[first:last] = [target] * (last - first)
                read.anchors.append(Anchor(source, target, self._phrase(stems[first:last])))
        role = _ROLES.get(block.kind, Role.OTHER)
        ends = [end for _, end in split(block.text, self._language)] if role is Role.RUNNING else [len(block.text)]
        for end in ends:
            read.sentence_starts.append(len(read.stems) + bisect_left(starts, end))
            read.roles.append(role)
        read.stems.extend(stems)
        read.linked.extend(linked)
        return stems


def _names(head: PageHead) -> Iterator[str]:
    """What a page is called: its title, its h1, the parts of a title such as "SSR: a guide", the last part of its address."""
    yield head.title
    yield head.h1
    yield from (part for part in _TITLE_JOINT.split(head.title) if part and part != head.title)
    slug = unquote(urlsplit(head.url).path).rstrip("/").rpartition("/")[2]
    yield re.sub(r"[-_]+", " ", _EXTENSION.sub("", slug))
