"""Reads HTML source into blocks whose every character knows its place; nothing is parsed into a tree and nothing is changed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from analysis.html.elements import BLOCK_LEVEL, VISIBLE, VOID
from analysis.html.prose import prose_length
from analysis.insertion.html_nesting import barrier_of, link_address
from analysis.insertion.html_tokens import (
    ESCAPABLE_RAW_TEXT,
    RAW_TEXT,
    Token,
    TokenKind,
    next_token,
    parse_attributes,
    raw_text_end,
)
from analysis.insertion.open_elements import OpenElements
from analysis.insertion.refusal import Refusal
from analysis.insertion.source_blocks import (
    INLINE_CODE,
    Piece,
    Show,
    SourceBlock,
    SourceDocument,
    SourceLink,
    shown_text,
)
from analysis.insertion.template_syntax import SHORTCODE_END, EditorBlocks, shortcode_bodies

_RAW: Final = RAW_TEXT | ESCAPABLE_RAW_TEXT
# A link in these is part of the site around the article, or none at all.
_NO_ARTICLE: Final = frozenset({Refusal.IN_FURNITURE, Refusal.IN_CONTROL, Refusal.NOT_PROSE})
# Letters (see prose_length) from which the text of a table cell is a paragraph: about two lines.
_PARAGRAPH: Final = 100


def read_html(text: str) -> SourceDocument:
    """The blocks and links of an HTML document or fragment. Never raises."""
    reader = _Reader(text)
    position = 0
    while position < len(text):
        position = reader.read(next_token(text, position, foreign=reader.elements.foreign))
    reader.finish_block()
    return reader.document()


@dataclass(frozen=True, slots=True)
class _Link:
    href: str
    start: int
    barrier: Refusal | None  # of the place where the link stands
    in_paragraph: bool


@dataclass
class _Reader:
    source: str
    elements: OpenElements = field(default_factory=OpenElements)
    editor: EditorBlocks = field(default_factory=EditorBlocks)
    blocks: list[SourceBlock] = field(default_factory=list)
    links: list[_Link] = field(default_factory=list)
    base: str | None = None
    server_code_end: int = 0
    absent: set[str] = field(default_factory=set)  # ends of such code that do not follow
    # of the block being read
    pieces: list[Piece] = field(default_factory=list)
    tangled: bool = False
    region: int = 0
    in_cell: bool = False
    after_break: bool = False

    def read(self, token: Token) -> int:
        """Take in one token; the position where the next one starts."""
        kind = token.kind
        if kind is TokenKind.TEXT:
            self._text(token.start, token.end, Show.TEXT)
        elif kind is TokenKind.HIDDEN:
            self._hidden(token)
        elif kind is TokenKind.END and token.name != "br":
            self._end(token)
        else:  # </br> is a <br>
            return self._start(token)
        return token.end

    def finish_block(self) -> None:
        """Close the block being read, if it shows anything."""
        if self.pieces:
            barrier = Refusal.TANGLED_LINK if self.tangled else None
            block = SourceBlock(self.source, tuple(self.pieces), barrier, region=self.region)
            if VISIBLE.search(block.text):
                self.blocks.append(_with_running_cell(block) if self.in_cell else block)
            self.pieces = []
        self.in_cell = False
        self.tangled = False
        self.region = 0
        self.after_break = False

    def document(self) -> SourceDocument:
        """All that was read."""
        if SHORTCODE_END.search(self.source):
            for number, spans in shortcode_bodies([block.text for block in self.blocks]).items():
                self.blocks[number] = replace(self.blocks[number], bars=tuple(spans))
        document = SourceDocument(self.source, tuple(self.blocks), (), self.base)
        article = max((block.region for block in self.blocks), default=0)
        kept = []
        for link in self.links:
            block = document.block_at(link.start)
            if block and block.region == article and (link.in_paragraph or not block.is_bare):
                kept.append(SourceLink(link.href, link.start, link.barrier is None))
        return replace(document, links=tuple(kept))

    def _text(self, start: int, end: int, show: Show) -> None:
        if self.elements.hidden:
            return
        piece = Piece(show, start, end, self.elements.barrier or self.editor.barrier)
        if start < self.server_code_end:
            piece = piece._replace(barrier=Refusal.IN_TEMPLATE)
        if self.after_break and shown_text(self.source, piece).strip():
            self.after_break = False
        self.region = max(self.region, self.elements.region)
        self.in_cell |= self.elements.barrier is Refusal.IN_TABLE
        self.pieces.append(piece)

    def _hidden(self, token: Token) -> None:
        markup = self.source[token.start : token.end]
        self.editor.read_comment(markup)
        for opening, closing in (("<?", "?>"), ("<![CDATA[", "]]>")):
            # To a browser it ends at the first ">"; what runs on to its own end is shown, but nobody's sentence.
            if markup.startswith(opening) and not markup.endswith(closing) and closing not in self.absent:
                end = self.source.find(closing, max(token.end, self.server_code_end))
                if end < 0:
                    self.absent.add(closing)  # PHP that runs to the end of the file needs no end
                    end = len(self.source) if markup.startswith(("<?php", "<?=")) else 0
                self.server_code_end = max(self.server_code_end, end)
        self.pieces.append(Piece(Show.NOTHING, token.start, token.end))

    def _start(self, token: Token) -> int:
        was_hidden, was_link = self.elements.hidden, self.elements.in_link
        around, ended = self.elements.barrier, self.elements.ended_blocks
        effect = self.elements.start(token)
        hidden = was_hidden and self.elements.hidden
        if (token.name in BLOCK_LEVEL or self.elements.ended_blocks > ended) and not hidden:
            self.tangled |= was_link
            self.finish_block()
        elif token.name == "br" and self.after_break and not hidden:
            self.finish_block()
        if not hidden:
            self._note(token, around, was_link)
        if token.name not in BLOCK_LEVEL or hidden:
            show = self._shown_by(token.name, was_hidden)
            barrier = around if token.name in INLINE_CODE else barrier_of(token.name)
            self.pieces.append(Piece(show, token.start, token.end, barrier, token.name))
        self.after_break |= token.name == "br"
        if self.elements.foreign or not effect or token.name not in _RAW:
            return token.end
        end = raw_text_end(self.source, token.end, token.name)
        if end > token.end:
            self._text(token.end, end, Show.TEXT if token.name in ESCAPABLE_RAW_TEXT else Show.LITERAL)
        return end

    def _note(self, token: Token, around: Refusal | None, was_link: bool) -> None:
        """What a start tag says beyond opening an element: a base address, a link."""
        if token.name == "base" and self.base is None:
            self.base = parse_attributes(token.attributes).get("href")
        href = link_address(token)
        if href is not None and around not in _NO_ARTICLE:
            self.links.append(_Link(href, token.start, around, self.elements.block == "p"))
        if token.name == "a":
            self.tangled |= was_link
        elif token.name in BLOCK_LEVEL:
            self.tangled |= self.elements.in_link

    def _shown_by(self, name: str, was_hidden: bool) -> Show:
        if was_hidden or self.elements.hidden:
            return Show.OPAQUE
        if name == "br":
            return Show.BREAK
        if name == "wbr":
            return Show.NOTHING
        return Show.OPAQUE if name in VOID else Show.OPEN

    def _end(self, token: Token) -> None:
        was_hidden, was_link, ended = self.elements.hidden, self.elements.in_link, self.elements.ended_blocks
        effect = self.elements.end(token.name)
        hidden = was_hidden and self.elements.hidden
        if token.name == "a" and not effect:
            self.tangled = True
        if ((token.name in BLOCK_LEVEL and effect) or self.elements.ended_blocks > ended) and not hidden:
            self.tangled |= was_link
            self.finish_block()
            self.tangled = self.elements.in_link
        else:
            show = Show.OPAQUE if was_hidden else Show.CLOSE
            self.pieces.append(Piece(show, token.start, token.end, name=token.name))


def _with_running_cell(block: SourceBlock) -> SourceBlock:
    """A table cell's own text is a value, unless it is as long as a paragraph: then a table arranges the page."""
    if not any(piece.barrier is Refusal.IN_TABLE for piece in block.pieces) or prose_length(block.text) < _PARAGRAPH:
        return block
    return replace(block, pieces=tuple(p._replace(barrier=None) if p.barrier is Refusal.IN_TABLE else p for p in block.pieces))
