"""The inline part of Markdown (https://spec.commonmark.org/0.31.2/#inlines): what is text, what is markup, where each stands.

Flavours differ; where a construct is read differently by common renderers the paragraph is given up as unsure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from analysis.html.elements import BLOCK_LEVEL, VOID
from analysis.insertion.html_nesting import COMPONENT, barrier_of, link_address
from analysis.insertion.html_tokens import RAW_TEXT, Token, TokenKind, is_self_closing, next_token
from analysis.insertion.markdown_emphasis import Run, flanking, pair_up
from analysis.insertion.markdown_marks import Marks
from analysis.insertion.refusal import Refusal
from analysis.insertion.source_blocks import Piece, Show

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from analysis.insertion.markdown_paragraph import Paragraph
    from analysis.insertion.open_elements import OpenElements

_SPECIAL: Final = re.compile(r"[\\`<\[!*_~$\n{]|(?<![\w/])(?:https?://|www\.)")
_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_TEMPLATE_TAGS: Final = (("{{", "}}"), ("{%", "%}"), ("{#", "#}"))
_ATTRIBUTE_LIST: Final = re.compile(r"\{:[^{}]*\}")  # of kramdown: shows nothing
_MATH: Final = re.compile(r"\$(?=[^\s$])[^$\n]*(?<=\S)\$(?!\d)")
_STRUCK: Final = re.compile(r"~~(?=[^\s~])")
_AUTOLINK: Final = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]+)>")
_BARE_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s<]+")
_DESTINATION: Final = re.compile(
    r"\(\s*(<[^<>\n]*>|(?:\{[{%][^{}]*[%}]\}|[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*+\))*+)"
    r"""(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)""",
    re.DOTALL,
)
# Which method reads what begins with a character.
_READERS: Final = {
    **{"\\": "_escape", "`": "_code", "<": "_angle", "[": "_link", "!": "_image", "~": "_struck"},
    **{"*": "_run", "_": "_run", "{": "_template", "$": "_template"},
}
# So many runs of * and _ stand in no sentence; pairing them up would take too long. Nor do links so deep in one another.
_MAX_RUNS: Final = 200
_MAX_DEPTH: Final = 10


@dataclass(frozen=True, slots=True)
class FoundHref:
    """A link of a paragraph: ``start`` in the source."""

    href: str
    start: int


@dataclass
class InlineReader:
    """Reads one paragraph; ``elements`` are the HTML elements open around it, ``references`` the link definitions by label."""

    paragraph: Paragraph
    references: Mapping[str, str]
    elements: OpenElements
    jsx: bool = False
    unsure: bool = False
    links: list[FoundHref] = field(default_factory=list)
    _pieces: list[Piece] = field(default_factory=list)
    _runs: list[Run] = field(default_factory=list)
    _html: list[str] = field(default_factory=list)
    _barrier: Refusal | None = None
    _depth: int = 0

    @cached_property
    def _marks(self) -> Marks:
        return Marks(self.paragraph.text)

    def read(self) -> tuple[Piece, ...]:
        """The pieces of the paragraph, their positions those of the source."""
        self._scan(0, len(self.paragraph.text))
        self.unsure |= bool(self._html)
        return self.paragraph.traced(self._pieces)

    def _add(self, show: Show, start: int, end: int, barrier: Refusal | None = None, name: str = "") -> int:
        if end > start:
            self._pieces.append(Piece(show, start, end, barrier or self._barrier or self.elements.barrier, name))
        return end

    def _scan(self, position: int, end: int) -> None:
        outer_runs, self._runs = self._runs, []
        text = self.paragraph.text
        while position < end:
            special = _SPECIAL.search(text, position, end)
            if special is None:
                self._add(Show.TEXT, position, end)
                break
            at = special.start()
            self._add(Show.TEXT, position, at)
            position = self._special(text[at], at, end)
            if position == at:  # nothing special after all
                position = self._add(Show.TEXT, at, at + 1)
        self._emphasise(self._runs)
        self._runs = outer_runs

    def _special(self, char: str, at: int, end: int) -> int:
        """Read the construct at ``at``; where it ends, or ``at`` if there is none."""
        if char == "\n":
            return self._add(Show.TEXT, at, at + 1)
        name = _READERS.get(char, "_address")
        reader: Callable[[int, int], int] = getattr(self, name)
        return reader(at, end)

    def _template(self, at: int, end: int) -> int:
        if hidden := _ATTRIBUTE_LIST.match(self.paragraph.text, at, end):
            return self._add(Show.OPAQUE, at, hidden.end())
        text = self.paragraph.text
        for opening, closing in (*_TEMPLATE_TAGS, ("$$", "$$")):
            if text.startswith(opening, at):
                after = self._marks.next(closing, at + len(opening) + (opening == closing)) + len(closing)
                while closing == "}}" and text.startswith("}", after):
                    after += 1
                if after <= end:
                    return self._add(Show.LITERAL, at, after, Refusal.IN_TEMPLATE)
        found = _MATH.match(text, at, end)
        return self._add(Show.LITERAL, at, found.end(), Refusal.IN_TEMPLATE) if found else at

    def _address(self, at: int, end: int) -> int:
        found = _BARE_ADDRESS.match(self.paragraph.text, at, end)
        return self._add(Show.LITERAL, at, found.end(), Refusal.IN_LINK) if found else at

    def _escape(self, at: int, end: int) -> int:
        following = self.paragraph.text[at + 1 : min(at + 2, end)]
        if following == "\n":
            return self._add(Show.BREAK, at, at + 2)
        if following == "(" and self._marks.next("\\)", at + 2) < end:
            return self._formula(at, self._marks.next("\\)", at + 2))
        return self._add(Show.ESCAPE, at, at + 2) if following and following in _PUNCTUATION else at

    def _formula(self, at: int, closing: int) -> int:
        r"""``\(...\)`` is a formula to some renderers, text in brackets to others."""
        outer, self._barrier = self._barrier, self._barrier or Refusal.IN_TEMPLATE
        self._add(Show.ESCAPE, at, at + 2)
        self._scan(at + 2, closing)
        self._add(Show.ESCAPE, closing, closing + 2)
        self._barrier = outer
        return closing + 2

    def _code(self, at: int, end: int) -> int:
        closing = self._marks.code_end(at, end)
        width = self._marks.tick_count(at)
        if closing is None:
            return self._add(Show.TEXT, at, at + width)
        self._add(Show.OPAQUE, at, at + width)
        self._add(Show.LITERAL, at + width, closing, Refusal.IN_CODE)
        return self._add(Show.OPAQUE, closing, closing + width)

    def _angle(self, at: int, end: int) -> int:
        text = self.paragraph.text
        if address := _AUTOLINK.match(text, at, end):
            self.links.append(FoundHref(address[1], self.paragraph.origin[at]))
            self._add(Show.OPAQUE, at, at + 1)
            self._add(Show.LITERAL, at + 1, address.end() - 1, Refusal.IN_LINK)
            return self._add(Show.OPAQUE, address.end() - 1, address.end())
        token = next_token(text, at)
        if token.kind is TokenKind.TEXT:
            return at
        if token.kind is TokenKind.HIDDEN or token.end > end:
            self.unsure |= not text.startswith("<!--", at) or not text.endswith("-->", at, token.end) or token.end > end
            return self._add(Show.NOTHING, at, min(token.end, end))
        return self._tag(as_component(token, text) if self.jsx else token)

    def _tag(self, token: Token) -> int:
        name = token.name
        self.unsure |= name in BLOCK_LEVEL or name in RAW_TEXT
        if name in VOID or (self.jsx and is_self_closing(token)):
            return self._add(Show.BREAK if name == "br" else Show.OPAQUE, token.start, token.end)
        if token.kind is TokenKind.END:
            self.unsure |= not self._html or self._html.pop() != name
            self.elements.end(name)
            return self._add(Show.CLOSE, token.start, token.end, name=name)
        if (href := link_address(token)) is not None:
            self.links.append(FoundHref(href, self.paragraph.origin[token.start]))
        self._html.append(name)
        self._add(Show.OPEN, token.start, token.end, barrier_of(name), name)
        self.elements.start(token)
        return token.end

    def _link(self, at: int, end: int) -> int:
        text = self.paragraph.text
        close = self._marks.bracket_end(at, end)
        if close is None:
            return at
        label = text[at + 1 : close]
        if label.startswith("^"):
            return self._add(Show.OPAQUE, at, close + 1)
        if label.startswith("[") and label.endswith("]"):
            return self._add(Show.LITERAL, at, close + 1, Refusal.IN_TEMPLATE)  # a wiki link
        target = self._target(label, close + 1, end)
        if target is None:
            return at
        if self._depth >= _MAX_DEPTH:
            self.unsure = True
            return target[1]
        href, after = target
        self.links.append(FoundHref(href, self.paragraph.origin[at]))
        outer, self._barrier = self._barrier, Refusal.IN_LINK
        self._add(Show.OPEN, at, at + 1, name="a")
        self._depth += 1
        self._scan(at + 1, close)
        self._depth -= 1
        self._add(Show.CLOSE, close, after, name="a")
        self._barrier = outer
        return after

    def _target(self, label: str, after: int, end: int) -> tuple[str, int] | None:
        """The address behind a link's text and where the link ends; None if the brackets are only brackets."""
        text = self.paragraph.text
        if text.startswith("(", after) and (found := _DESTINATION.match(text, after, end)):
            return found[1].removeprefix("<").removesuffix(">"), found.end()
        if text.startswith("[", after) and (close := self._marks.bracket_end(after, end)) is not None:
            name = label_key(text[after + 1 : close]) or label_key(label)
            return self.references.get(name, ""), close + 1
        self.unsure |= text.startswith(("(", "["), after)
        href = self.references.get(label_key(label))
        return None if href is None else (href, after)

    def _image(self, at: int, end: int) -> int:
        text = self.paragraph.text
        if not text.startswith("[", at + 1):
            return at
        close = self._marks.bracket_end(at + 1, end)
        if close is None:
            return at
        target = self._target(text[at + 2 : close], close + 1, end)
        return at if target is None else self._add(Show.OPAQUE, at, target[1])

    def _struck(self, at: int, end: int) -> int:
        closing = self._marks.struck_end(at + 3, end) if _STRUCK.match(self.paragraph.text, at, end) else None
        if closing is None:
            return at
        outer, self._barrier = self._barrier, self._barrier or Refusal.NOT_PROSE
        self._add(Show.OPAQUE, at, at + 2)
        self._scan(at + 2, closing)
        self._barrier = outer
        return self._add(Show.OPAQUE, closing, closing + 2)

    def _run(self, at: int, end: int) -> int:
        text = self.paragraph.text
        char = text[at]
        after = at
        while after < end and text[after] == char:
            after += 1
        opens, closes = flanking(text, at, after)
        self._runs.append(Run(len(self._pieces), char, after - at, opens, closes))
        return self._add(Show.LITERAL, at, after)

    def _emphasise(self, runs: list[Run]) -> None:
        """Turn the characters of runs that pair up into markup."""
        if len(runs) > _MAX_RUNS:
            self.unsure = True
            return
        pair_up(runs)
        for run in reversed(runs):
            literal = self._pieces[run.index]
            pieces = []
            at = literal.start
            for count, name in run.closers:
                pieces.append(literal._replace(show=Show.CLOSE, start=at, end=at + count, name=name))
                at += count
            if run.left:
                pieces.append(literal._replace(start=at, end=at + run.left))
                at += run.left
            for count, name in reversed(run.openers):
                pieces.append(literal._replace(show=Show.OPEN, start=at, end=at + count, name=name))
                at += count
            self._pieces[run.index : run.index + 1] = pieces


def as_component(token: Token, text: str) -> Token:
    """A tag of JSX: with a capital or a dot its name is a component's, not HTML's."""
    name = text[token.start : token.end].lstrip("</")
    return token._replace(name=COMPONENT + token.name) if name[:1].isupper() or "." in token.name else token


def label_key(label: str) -> str:
    """A link label as definitions are matched: caseless, white space collapsed."""
    return " ".join(label.casefold().split())
