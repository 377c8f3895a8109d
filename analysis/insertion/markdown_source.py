"""Reads Markdown source into blocks whose every character knows its place (https://spec.commonmark.org/0.31.2/).

No parser of Markdown gives positions of characters, so this reads the source itself. It knows what may hold a sentence,
paragraphs and list items, and steps over all else; what renderers read differently is given up: no link stands there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

from analysis.html.elements import BLOCK_LEVEL
from analysis.insertion.html_nesting import link_address
from analysis.insertion.html_tokens import RAW_TEXT, TokenKind, is_self_closing, next_token, raw_text_end
from analysis.insertion.link_markup import Markup
from analysis.insertion.markdown_inline import InlineReader, as_component, label_key
from analysis.insertion.markdown_marks import without_code
from analysis.insertion.markdown_paragraph import Paragraph
from analysis.insertion.open_elements import OpenElements
from analysis.insertion.refusal import Refusal
from analysis.insertion.source_blocks import Piece, Show, SourceBlock, SourceDocument, SourceLink
from analysis.insertion.template_syntax import shortcode_bodies

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+\Z")
_FRONT_MATTER: Final = re.compile(
    r"\ufeff?(---|\+\+\+|;;;)[ \t]*\r?\n(?:.*?\n)??(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)|\{\s*\n.*?\n\}[ \t]*\r?\n", re.DOTALL
)
# Front matter that never ends: its first lines may be data or text.
_OPEN_FRONT_MATTER: Final = re.compile(r"\ufeff?(?:---|\+\+\+)[ \t]*\r?\n[A-Za-z_][\w-]*[ \t]*[:=](?:[^\n]*\S[^\n]*(?:\n|\Z))*")
_LONE_RETURN: Final = re.compile(r"\r(?!\n)")
_DEFINITION: Final = re.compile(r"^ {0,3}\[([^\]\n^][^\]\n]*)\]:[ \t]*(?:\r?\n[ \t]*)?(<[^>\n]*>|\S+)", re.MULTILINE)
_FENCE: Final = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_ATX: Final = re.compile(r"#{1,6}(?:\s|$)")
_UNDERLINE: Final = re.compile(r"(?:=+|-+)\s*$")
_RULE: Final = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_MARKER: Final = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]|$)")
_MAX_ITEMS: Final = 100  # list items in one another; no author goes as deep
_TASK: Final = re.compile(r"\[[ xX]\][ \t]+")
# Link and footnote definitions, abbreviations, definition lists, attribute lists, admonitions, module statements of MDX.
_NO_PROSE: Final = re.compile(r"\[[^\]]+\]:|\*\[[^\]]+\]:|:[ \t]|\{:|!!!|\?\?\?|:::|<<<|@\[|\[\[")
_MODULE: Final = re.compile(r"(?:import|export)\b")
_TABLE_RULE: Final = re.compile(r"[ \t]*[|+]?[ \t]*:?[-=]+:?[-=:+| \t]*$")
_HTML_END: Final = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>", "<!": ">"}
_HTML_RAW: Final = re.compile(r"<(script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_HTML: Final = re.compile(r"</?([A-Za-z][^\s/>]*)")


def read_markdown(text: str, markup: Markup = Markup.MARKDOWN) -> SourceDocument:
    """The blocks and links of a Markdown document. Never raises."""
    text = _LONE_RETURN.sub("\n", text)
    reader = _Reader(text, jsx=markup is Markup.MDX)
    front_matter = _FRONT_MATTER.match(text) or _OPEN_FRONT_MATTER.match(text)
    position = front_matter.end() if front_matter else 0
    reader.lines = [match.span() for match in _LINE.finditer(text, position)]
    number = 0
    while number < len(reader.lines):
        number = reader.read_block(number)
    return reader.document()


@dataclass
class _Reader:
    source: str
    jsx: bool
    lines: list[tuple[int, int]] = field(default_factory=list)
    elements: OpenElements = field(default_factory=OpenElements)
    items: list[int] = field(default_factory=list)  # columns at which the text of the open list items begins
    blocks: list[SourceBlock] = field(default_factory=list)
    links: list[SourceLink] = field(default_factory=list)
    braces: int = 0  # open braces of an MDX expression
    tag_end: int = 0  # of a tag that goes on behind its block

    def __post_init__(self) -> None:
        found = _DEFINITION.findall(self.source)
        self.references = {label_key(label): href.removeprefix("<").removesuffix(">") for label, href in reversed(found)}

    def document(self) -> SourceDocument:
        """All that was read."""
        for number, spans in shortcode_bodies([block.text for block in self.blocks]).items():
            self.blocks[number] = replace(self.blocks[number], bars=tuple(spans))
        document = SourceDocument(self.source, tuple(self.blocks), ())
        kept = []
        for link in self.links:
            block = document.block_at(link.start)
            if block is not None and not block.is_bare:
                kept.append(link)
        return replace(document, links=tuple(kept))

    def read_block(self, number: int) -> int:
        """Read the block that begins on a line; the line after it."""
        start, end = self.lines[number]
        column, at = _indentation(self.source, start, end)
        if self.source[at:end].isspace() or at == end:
            return number + 1
        while self.items and column < self.items[-1]:
            self.items.pop()
        if column - (self.items[-1] if self.items else 0) >= 4:
            return self._skip(number, self._code_end(number), Refusal.IN_CODE)
        return self._read_line(number, at, column)

    def _read_line(self, number: int, at: int, column: int) -> int:
        """Read the block whose first line begins at ``at``, which is at ``column``; list markers before it are done."""
        line = self.source[at : self.lines[number][1]].rstrip()
        if barred := self._barred_lines(number, at, line):
            return self._skip(number, *barred)
        if _RULE.match(line):
            return number + 1
        if marker := _MARKER.match(line):
            return self._item(number, at, column, marker.end())
        if line.startswith("<") and (after := self._html_end(number, at, line)):
            self._read_html(at, self.lines[after - 1][1])
            return self._skip(number, after, Refusal.NOT_PROSE)
        return self._paragraph(number, at)

    def _barred_lines(self, number: int, at: int, line: str) -> tuple[int, Refusal] | None:
        """The line after a block that holds no sentence of the author, and why."""
        if fence := _FENCE.match(line):
            return self._fence_end(number, fence[1] or fence[2]), Refusal.IN_CODE
        if line.startswith("$$") and "$$" not in line[2:]:
            return self._end_after(number, at + 2, "$$"), Refusal.IN_TEMPLATE
        if _ATX.match(line):
            return number + 1, Refusal.IN_HEADING
        if line.startswith(">"):
            return self._paragraph_end(number), Refusal.IN_QUOTE
        module = self.jsx and _MODULE.match(line)
        if not module and not _NO_PROSE.match(line):
            return None
        after = self._module_end(number) if module else self._paragraph_end(number)
        return number + 1 if line.startswith((":::", "!!!", "???")) else after, Refusal.NOT_PROSE

    def _module_end(self, number: int) -> int:
        """The line after a statement of MDX; a template literal in it may hold blank lines."""
        after = self._paragraph_end(number)
        ticks = self.source.count("`", self.lines[number][0], self.lines[after - 1][1])
        while ticks % 2 and after < len(self.lines):
            number, after = after, self._paragraph_end(after)
            ticks += self.source.count("`", self.lines[number][0], self.lines[after - 1][1])
        return after

    def _item(self, number: int, at: int, column: int, width: int) -> int:
        """A list item: what follows its marker is read as a line of its own."""
        if len(self.items) >= _MAX_ITEMS:
            return self._skip(number, number + 1, Refusal.UNSAFE_MARKUP)
        end = self.lines[number][1]
        spaces, text = _indentation(self.source, at + width, end, column + width)
        if self.source[text:end].isspace() or text == end:
            self.items.append(column + width + 1)
            return number + 1
        if spaces - column - width > 4:  # the item begins with indented code
            return self._skip(number, number + 1, Refusal.IN_CODE)
        self.items.append(spaces)
        if task := _TASK.match(self.source, text, end):
            text = task.end()
        return self._read_line(number, text, spaces)

    def _skip(self, number: int, after: int, barrier: Refusal) -> int:
        """Lines that are no prose: kept as a block, so that it can be said why nothing was found."""
        start, end = self.lines[number][0], self.lines[after - 1][1]
        self._count_braces(start, end, barrier)
        block = SourceBlock(self.source, (Piece(Show.LITERAL, start, end, barrier),), barrier)
        if block.text:
            self.blocks.append(block)
        return after

    def _paragraph(self, number: int, at: int) -> int:
        after = self._paragraph_end(number)
        lines = [(at, self.lines[number][1])]
        for start, end in self.lines[number + 1 : after]:
            lines.append((_indentation(self.source, start, end)[1], end))
        barrier = Refusal.IN_TEMPLATE if lines[0][0] < self.tag_end else None
        barrier = barrier or self._refuse_paragraph([self.source[start:end].rstrip() for start, end in lines])
        self._count_braces(lines[0][0], lines[-1][1], barrier)
        reader = InlineReader(Paragraph.of(self.source, lines), self.references, self.elements, self.jsx)
        pieces = reader.read()
        if reader.unsure:
            barrier = barrier or Refusal.UNSAFE_MARKUP
        block = SourceBlock(self.source, pieces, barrier, typographic=True)
        if block.text:
            self.blocks.append(block)
            self.links.extend(SourceLink(link.href, link.start, barrier is None) for link in reader.links)
        return after

    def _refuse_paragraph(self, lines: list[str]) -> Refusal | None:
        if self.braces or (self.jsx and any("{" in line or "}" in line for line in lines)):
            return Refusal.IN_TEMPLATE
        if len(lines) > 1 and _UNDERLINE.match(lines[-1]):
            return Refusal.IN_HEADING
        if any(line.startswith((": ", ":\t")) for line in lines[1:]):
            return Refusal.IN_LABEL  # a term and its definition
        if lines[0].startswith("|") or any(_TABLE_RULE.match(line) for line in lines):
            return Refusal.IN_TABLE
        return self.elements.barrier

    def _count_braces(self, start: int, end: int, barrier: Refusal | None) -> None:
        """An expression of MDX may run over blank lines; in code braces are only braces."""
        if self.jsx and barrier is not Refusal.IN_CODE:
            text = without_code(self.source[start:end])
            self.braces = max(0, self.braces + text.count("{") - text.count("}"))

    def _paragraph_end(self, number: int) -> int:
        """The line after a paragraph: blank, or one that begins something else."""
        for after in range(number + 1, len(self.lines)):
            start, end = self.lines[after]
            column, at = _indentation(self.source, start, end)
            line = self.source[at:end].rstrip()
            if not line:
                return after
            if column - (self.items[-1] if self.items else 0) >= 4:
                continue
            if _UNDERLINE.match(line) and column < 4:
                return after + 1
            if _FENCE.match(line) or _ATX.match(line) or _RULE.match(line) or _MARKER.match(line) or line[0] == ">":
                return after
            if line.startswith((":::", "$$")) or (line[0] == "<" and self._html_end(after, at, line, interrupts=True)):
                return after
        return len(self.lines)

    def _code_end(self, number: int) -> int:
        """The line after indented code."""
        base = self.items[-1] if self.items else 0
        after = number + 1
        for following in range(number + 1, len(self.lines)):
            start, end = self.lines[following]
            column, at = _indentation(self.source, start, end)
            if self.source[at:end].strip():
                if column - base < 4:
                    break
                after = following + 1
        return after

    def _fence_end(self, number: int, fence: str) -> int:
        closing = re.compile(rf"[ \t]*{re.escape(fence[0])}{{{len(fence)},}}[ \t\r]*$")
        for after in range(number + 1, len(self.lines)):
            start, end = self.lines[after]
            if closing.match(self.source[start:end].rstrip("\n")):
                return after + 1
        return len(self.lines)

    def _end_after(self, number: int, at: int, mark: str) -> int:
        """The line after the one that holds ``mark``, sought from ``at``."""
        found = self.source.find(mark, at)
        after = number + 1
        while after < len(self.lines) and (found < 0 or self.lines[after][0] <= found):
            after += 1
        return after

    def _html_end(self, number: int, at: int, line: str, *, interrupts: bool = False) -> int:
        """The line after an HTML block that begins at ``at``; 0 if none does."""
        for opening, closing in _HTML_END.items():
            if line.startswith(opening):
                return self._end_after(number, at + len(opening), closing)
        if raw := _HTML_RAW.match(line):
            return self._end_after(number, at, f"</{raw[1]}")
        tag = _HTML.match(line)
        if tag is None:
            return 0
        if tag[1].lower() not in BLOCK_LEVEL and not (self.jsx and tag[1][0].isupper()):
            token = next_token(line, 0)
            if interrupts or token.kind is TokenKind.HIDDEN or line[token.end :].strip():
                return 0
        for after in range(number + 1, len(self.lines)):
            start, end = self.lines[after]
            if not self.source[start:end].strip():
                return after
        return len(self.lines)

    def _read_html(self, start: int, end: int) -> None:
        """Follow the elements that raw HTML opens and closes around the blocks of Markdown."""
        start = max(start, self.tag_end)
        while start < end:
            token = next_token(self.source, start, foreign=self.elements.foreign)
            start = token.end
            if token.kind is not TokenKind.TEXT:
                self.tag_end = token.end
            if self.jsx:
                token = as_component(token, self.source)
            if token.kind is TokenKind.END:
                self.elements.end(token.name)
            elif token.kind is TokenKind.START and not (self.jsx and is_self_closing(token)):
                self.elements.start(token)
                if (href := link_address(token)) is not None:
                    self.links.append(SourceLink(href, token.start, in_sentence=False))
                if token.name in RAW_TEXT and not self.elements.foreign:
                    start = raw_text_end(self.source, start, token.name)


def _indentation(source: str, start: int, end: int, column: int = 0) -> tuple[int, int]:
    """The column of the first character of a line that is no space or tab, and its position."""
    while start < end and source[start] in " \t":
        column += 4 - column % 4 if source[start] == "\t" else 1
        start += 1
    return column, start
