"""Blocks of text as they stand in a source (HTML or Markdown), every character with its place there.

A block is the same run of text that the crawl reads as a ``records.Block``; here it keeps where it came from, so that a span
of its text can be traced back to the source and wrapped in a link without touching anything else.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from analysis.insertion.refusal import Refusal
from analysis.insertion.spans import Spans, merge_spans
from analysis.insertion.template_syntax import template_spans
from analysis.records import block_digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Elements round which, as a whole, a link may go: to the reader the name of a function is a word like any other.
INLINE_CODE = frozenset({"code", "kbd", "samp", "var", "tt"})

_REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]{0,31};?)")
_PLAIN_TYPOGRAPHY = re.compile(r"[\"']|--|\.\.\.")
# Dropped by the crawl's reader before it parses.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]+")


class Show(Enum):
    """What a piece of source shows to a reader."""

    TEXT = auto()  # characters and character references
    LITERAL = auto()  # characters that stand for themselves ("&amp;" is five characters)
    ESCAPE = auto()  # the last character only: a Markdown escape
    BREAK = auto()  # a line break within the block
    OPEN = auto()  # the start of an inline element
    CLOSE = auto()  # its end
    NOTHING = auto()  # a comment, a possible break: may stand within a link
    OPAQUE = auto()  # an image, an embedded thing: may not


class Piece(NamedTuple):
    """``source[start:end]`` of a block; ``name`` of the element for OPEN and CLOSE, ``barrier`` why no link may stand here."""

    show: Show
    start: int
    end: int
    barrier: Refusal | None = None
    name: str = ""


def shown_text(source: str, piece: Piece) -> str:
    """What a reader sees of a piece; white space not normalised."""
    show = piece.show
    if show is Show.TEXT or show is Show.LITERAL:
        text = source[piece.start : piece.end]
        if show is Show.TEXT and "&" in text:
            text = html.unescape(text)
        return text if text.isprintable() else _CONTROL.sub("", text)
    if show is Show.ESCAPE:
        return source[piece.end - 1 : piece.end]
    return " " if show is Show.BREAK else ""


@dataclass(frozen=True)
class SourceBlock:
    """A block of the source; compare its ``digest`` with ``records.Block.digest``."""

    source: str = field(repr=False)
    pieces: tuple[Piece, ...]
    barrier: Refusal | None = None  # of the whole block
    typographic: bool = False  # a renderer may have put curly quotes and dashes into the text
    bars: tuple[tuple[int, int], ...] = ()  # spans of ``text`` in the body of a shortcode that is opened or closed elsewhere
    region: int = 0  # the higher, the surer that this is the article: 2 in <main>, 1 in <article>

    @cached_property
    def text(self) -> str:
        """The shown text, white space normalised as in ``records.Block.text``."""
        return " ".join("".join([shown_text(self.source, piece) for piece in self.pieces]).split())

    @cached_property
    def digest(self) -> str:
        """See :func:`analysis.records.block_digest`."""
        return block_digest(self.text)

    @property
    def digests(self) -> tuple[str, ...]:
        """The digests that the crawl may have found."""
        educated = _educated(self.text) if self.typographic else self.text
        return (self.digest,) if educated == self.text else (self.digest, block_digest(educated))

    @cached_property
    def is_bare(self) -> bool:
        """Whether the block holds links and nothing else: an entry of a menu or of a list of related pages."""
        return not any(
            piece.barrier is not Refusal.IN_LINK and any(map(str.isalnum, shown_text(self.source, piece)))
            for piece in self.pieces
        )

    @cached_property
    def syntax(self) -> Spans | None:
        """Spans of ``text`` that are template or shortcode syntax, in order and apart; None where that cannot be told."""
        spans = template_spans(self.text)
        return None if spans is None else merge_spans([*spans, *self.bars])

    @cached_property
    def places(self) -> Places:
        """Where each character of ``text`` stands in the source."""
        return _places(self.source, self.pieces)


def _educated(text: str) -> str:
    """Plain quotes, dashes and dots as SmartyPants and its followers write them (https://daringfireball.net/projects/smartypants/)."""
    if not _PLAIN_TYPOGRAPHY.search(text):
        return text
    text = text.replace("---", "—").replace("--", "–").replace("...", "…")
    text = re.sub(r"(?<![^\s(\[{\-–—/])\"", "“", text).replace('"', "”")
    return re.sub(r"(?<![^\s(\[{\-–—/“])'", "‘", text).replace("'", "’")


@dataclass(frozen=True, slots=True)
class Places:
    """For character ``i`` of a block's text: it is shown by ``source[starts[i]:ends[i]]``, part of ``pieces[owner[i]]``."""

    starts: Sequence[int]
    ends: Sequence[int]
    owner: Sequence[int]

    def splits_character(self, index: int) -> bool:
        """Whether a cut before character ``index`` would fall inside one character reference."""
        return 0 < index < len(self.starts) and self.starts[index] < self.ends[index - 1]


def _places(source: str, pieces: Sequence[Piece]) -> Places:
    starts: list[int] = []
    ends: list[int] = []
    owner: list[int] = []
    after_space = True
    for number, piece in enumerate(pieces):
        for shown, start, end in _characters(source, piece):
            space = shown.isspace()
            if space and after_space:
                continue
            after_space = space
            starts.append(start)
            ends.append(end)
            owner.append(number)
    if after_space and starts:  # the text has no space at its end
        del starts[-1], ends[-1], owner[-1]
    return Places(starts, ends, owner)


def _characters(source: str, piece: Piece) -> list[tuple[str, int, int]]:
    if piece.show is Show.ESCAPE or piece.show is Show.BREAK:
        return [(shown_text(source, piece), piece.start, piece.end)]
    if piece.show is Show.LITERAL or (piece.show is Show.TEXT and source.find("&", piece.start, piece.end) < 0):
        return [(source[at], at, at + 1) for at in range(piece.start, piece.end) if not _CONTROL.match(source[at])]
    if piece.show is not Show.TEXT:
        return []
    found: list[tuple[str, int, int]] = []
    position = piece.start
    while position < piece.end:
        reference = _REFERENCE.match(source, position, piece.end) if source[position] == "&" else None
        end = reference.end() if reference else position + 1
        shown = html.unescape(source[position:end])
        if shown == source[position:end]:  # "AT&T": characters, no reference
            end = position + 1
            shown = source[position]
        found.extend((character, position, end) for character in _CONTROL.sub("", shown))
        position = end
    return found


def enclosing_span(block: SourceBlock, start: int, end: int, *, whole_code: bool = False) -> tuple[int, int] | Refusal:
    """The span of the source to wrap so that ``text[start:end]`` is in a link, or why it cannot be.

    If it touches inline elements, the link goes round whole ones, or there is none: never two, never badly nested ones. With
    ``whole_code`` it may go round a whole inline ``<code>``, as documentation does it; it never goes into one.
    """
    places = block.places
    if places.splits_character(start) or places.splits_character(end):
        return Refusal.CROSSES_MARKUP
    first, last = places.owner[start], places.owner[end - 1]
    begin, finish = places.starts[start], places.ends[end - 1]
    into_code = whole_code and block.pieces[first].barrier is Refusal.IN_CODE
    if into_code and _is_edge(block.pieces[first - 1 : first], Show.OPEN, end=begin):
        first, begin = first - 1, block.pieces[first - 1].start
    out_of_code = whole_code and block.pieces[last].barrier is Refusal.IN_CODE
    if out_of_code and _is_edge(block.pieces[last + 1 : last + 2], Show.CLOSE, start=finish):
        last, finish = last + 1, block.pieces[last + 1].end
    barrier = _barrier(block.pieces[first : last + 1], whole_code=whole_code)
    if barrier:
        return barrier
    unpaired = _unpaired(block.pieces[first : last + 1])
    if unpaired is None:
        return Refusal.CROSSES_MARKUP
    for name in unpaired.ends:
        first -= 1
        piece = block.pieces[max(first, 0)]
        if piece.show is not Show.OPEN or piece.name != name or piece.end != begin:
            return Refusal.CROSSES_MARKUP
        begin = piece.start
    for name in reversed(unpaired.starts):
        last += 1
        piece = block.pieces[min(last, len(block.pieces) - 1)]
        if piece.show is not Show.CLOSE or piece.name != name or piece.start != finish:
            return Refusal.CROSSES_MARKUP
        finish = piece.end
    return begin, finish


def _is_edge(pieces: Sequence[Piece], show: Show, *, start: int | None = None, end: int | None = None) -> bool:
    """Whether this piece, if there is one, is the tag of a code element that may be linked as a whole, right at this place."""
    return any(
        piece.show is show
        and piece.name in INLINE_CODE
        and piece.barrier is None
        and (start is None or piece.start == start)
        and (end is None or piece.end == end)
        for piece in pieces
    )


def _barrier(pieces: Sequence[Piece], *, whole_code: bool) -> Refusal | None:
    """What forbids a link round these pieces; with ``whole_code`` the text of a code element that is all among them does not."""
    opened = 0
    for number, piece in enumerate(pieces):
        if piece.show is Show.OPEN and piece.name in INLINE_CODE and piece.barrier is None:
            closes = any(other.show is Show.CLOSE and other.name == piece.name for other in pieces[number + 1 :])
            opened += closes and whole_code
        elif piece.show is Show.CLOSE and piece.name in INLINE_CODE and opened:
            opened -= 1
        elif piece.barrier and not (piece.barrier is Refusal.IN_CODE and opened):
            return piece.barrier
    return None


class _Unpaired(NamedTuple):
    ends: list[str]
    starts: list[str]


def _unpaired(pieces: Iterable[Piece]) -> _Unpaired | None:
    """The tags that have no partner among the pieces; None if they are badly nested or a link cannot go round them."""
    ends: list[str] = []
    starts: list[str] = []
    for piece in pieces:
        if piece.show is Show.OPEN:
            starts.append(piece.name)
        elif piece.show is Show.CLOSE and not starts:
            ends.append(piece.name)
        elif (piece.show is Show.CLOSE and starts.pop() != piece.name) or piece.show in (Show.BREAK, Show.OPAQUE):
            return None
    return _Unpaired(ends, starts)


@dataclass(frozen=True, slots=True)
class SourceLink:
    """A link of the article that the source holds already, as it is written there; menus and bare lists of links are none."""

    href: str
    start: int  # in the source
    in_sentence: bool  # among running text, so that it counts towards the ceiling


@dataclass(frozen=True)
class SourceDocument:
    """A source read once: its blocks in order, the links among their sentences, and what relative addresses start from."""

    text: str = field(repr=False)
    blocks: tuple[SourceBlock, ...]
    links: tuple[SourceLink, ...]
    base: str | None = None

    def block_at(self, position: int) -> SourceBlock | None:
        """The block that holds a position of the source."""
        index = bisect_right(self._starts, position) - 1
        return self.blocks[index] if index >= 0 else None

    @cached_property
    def _starts(self) -> list[int]:
        return [block.pieces[0].start for block in self.blocks]

    @cached_property
    def by_digest(self) -> dict[str, list[SourceBlock]]:
        """Blocks by digest; equal ones in order."""
        found: dict[str, list[SourceBlock]] = {}
        for block in self.blocks:
            for digest in block.digests:
                found.setdefault(digest, []).append(block)
        return found
