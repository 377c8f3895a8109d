"""Which elements are open at a point of HTML source: what the tree builder of the HTML standard does, as far as links care.

Elements close by the standard's rules (scopes, implied end tags, active formatting elements, foreign content). Where this
falls short of the standard an element is taken to stay open longer than it does in a browser, never shorter: the price is
a link not placed, not a link in the wrong place.
Rules: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from analysis.html.elements import BLOCK_LEVEL, HEADINGS, NOT_TEXT, VOID
from analysis.html.nesting import (
    BARRIERS,
    BREAKOUT,
    BUTTON_SCOPE,
    CLOSE_P,
    CLOSE_SELECT,
    END_BOUNDARIES,
    FORMATTING,
    IGNORED,
    IMPLIED_END,
    INTEGRATION,
    MARKERS,
    REGIONS,
    ROLES,
    SCOPE,
    SPECIAL,
    TABLE_ITSELF,
    TABLE_PARTS,
    TEMPLATE,
)
from analysis.html.tokens import Token, is_self_closing, parse_attributes
from analysis.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Set

# Beyond these the search through the stack would cost too much, and nothing more is promised: no link stands after them.
_MAX_DEPTH: Final = 1000
_MAX_FORMATTING: Final = 100
_INVISIBLE_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Open:
    name: str
    foreign: bool
    barrier: Refusal | None  # its own or that of an element around it
    block_barrier: Refusal | None  # for text whose nearest block-level element this is
    hidden: bool  # in an element whose text is nobody's prose
    region: int
    formatting: int  # a marker's count of the formatting elements before it, else -1


@dataclass(frozen=True, slots=True)
class _Formatting:
    name: str
    depth: int  # of the stack at its start
    barrier: Refusal | None


_ROOT: Final = _Open("html", False, None, None, False, 0, -1)


class OpenElements:
    """The stack of open elements; feed it every start and end tag in order."""

    def __init__(self) -> None:
        self._stack: list[_Open] = [_ROOT]
        self._open: Counter[str] = Counter()
        self._formatting: list[_Formatting] = []
        self._lost = False

    @property
    def barrier(self) -> Refusal | None:
        """Why no link may stand at this point; None if one may."""
        if self._lost:
            return Refusal.UNSAFE_MARKUP
        for element in reversed(self._formatting):
            if element.barrier:
                return element.barrier
        top = self._stack[-1]
        return top.barrier or top.block_barrier

    @property
    def hidden(self) -> bool:
        """Whether text at this point is nobody's prose (script, template, svg, ...)."""
        return self._stack[-1].hidden

    @property
    def foreign(self) -> bool:
        """Whether SVG or MathML is the current element, so that CDATA sections exist."""
        return self._stack[-1].foreign

    @property
    def in_link(self) -> bool:
        """Whether an <a> is open or waits to be opened anew."""
        return any(element.name == "a" for element in self._formatting)

    @property
    def region(self) -> int:
        """2 within <main>, 1 within <article>, else 0."""
        return self._stack[-1].region

    @property
    def block(self) -> str:
        """Name of the innermost open block-level element."""
        return next((element.name for element in reversed(self._stack) if element.name in BLOCK_LEVEL), "")

    def start(self, token: Token) -> bool:
        """Open an element; False if the tag has no effect here."""
        name = token.name
        if self._lost:
            return True
        if self.foreign and not self._leaves_foreign(name):
            if not is_self_closing(token):
                self._push(token, foreign=True)
            return True
        if not self._leaves_select(name):
            return False
        self._close_implied(name)
        if name in VOID:
            return True
        if name in IGNORED or (name == "form" and self._find({"form"}, TEMPLATE) is not None):
            return False
        if name in ("svg", "math"):
            if not is_self_closing(token):
                self._push(token, foreign=True)
        elif name in FORMATTING:
            self._push_formatting(token)
        else:
            self._push(token)
        return True

    def end(self, name: str) -> bool:
        """Close an element; False if the tag matches nothing that is open."""
        if self._lost:
            return True
        for index in range(len(self._stack) - 1, 0, -1):
            if not self._stack[index].foreign:
                break
            if self._stack[index].name == name:
                self._pop_to(index)
                return True
        if name != "select" and self._find({"select"}, TEMPLATE) is not None:
            return False
        if name in FORMATTING:
            return self._end_formatting(name)
        if name == "form":
            return self._end_form()
        closed = self._close(HEADINGS if name in HEADINGS else {name}, END_BOUNDARIES.get(name, SPECIAL))
        return closed or name in ("p", "br", "body", "html")  # a stray </p> makes an empty paragraph

    def _push(self, token: Token, *, foreign: bool = False) -> None:
        name, parent = token.name, self._stack[-1]
        own = BARRIERS.get(name) or _attribute_barrier(token)
        block_barrier = parent.block_barrier
        if name in BLOCK_LEVEL:
            block_barrier = Refusal.IN_TABLE if name in TABLE_ITSELF else None
        element = _Open(
            name=name,
            foreign=foreign,
            barrier=parent.barrier or own,
            block_barrier=block_barrier,
            hidden=parent.hidden or name in NOT_TEXT,
            region=max(parent.region, REGIONS.get(name, 0)),
            formatting=len(self._formatting) if name in MARKERS else -1,
        )
        self._stack.append(element)
        self._open[name] += 1
        self._lost = len(self._stack) > _MAX_DEPTH

    def _push_formatting(self, token: Token) -> None:
        """Only those that bar links are kept, and their namesakes within them, whose end tags come first."""
        if token.name == "a":
            self._end_formatting("a")
        barrier = BARRIERS.get(token.name) or _attribute_barrier(token)
        if barrier or any(element.name == token.name for element in self._formatting):
            self._formatting.append(_Formatting(token.name, len(self._stack), barrier))
            self._lost = len(self._formatting) > _MAX_FORMATTING

    def _pop_to(self, index: int) -> None:
        for element in self._stack[index:]:
            if element.formatting >= 0:
                del self._formatting[element.formatting :]
                break
        self._open.subtract(element.name for element in self._stack[index:])
        del self._stack[index:]
        if self._formatting and self._formatting[-1].depth > index:
            self._formatting = [replace(element, depth=min(element.depth, index)) for element in self._formatting]

    def _find(self, wanted: Set[str], boundary: Set[str]) -> int | None:
        """Index of the innermost open HTML element of these names; None if there is none or a boundary is nearer."""
        if not any(self._open[name] for name in wanted):
            return None
        for index in range(len(self._stack) - 1, 0, -1):
            element = self._stack[index]
            if not element.foreign and element.name in wanted:
                return index
            if element.name in (INTEGRATION if element.foreign else boundary):
                return None
        return None

    def _close(self, wanted: Set[str], boundary: Set[str]) -> bool:
        index = self._find(wanted, boundary)
        if index is not None:
            self._pop_to(index)
        return index is not None

    def _leaves_foreign(self, name: str) -> bool:
        """Whether a start tag within SVG or MathML is HTML again; closes the foreign elements that it ends."""
        if self._stack[-1].name in INTEGRATION:
            return True
        if name not in BREAKOUT:
            return False
        while self._stack[-1].foreign and self._stack[-1].name not in INTEGRATION:
            self._pop_to(len(self._stack) - 1)
        return True

    def _leaves_select(self, name: str) -> bool:
        """Whether a start tag counts although a <select> may be open; closes the <select> if the tag ends it."""
        if self._find({"select"}, TEMPLATE) is None:
            return True
        if name in CLOSE_SELECT:
            self._close({"select"}, TEMPLATE)
            return name != "select"
        return name in ("option", "optgroup")

    def _close_implied(self, name: str) -> None:
        """End tags that a start tag implies."""
        if name in ("li", "dd", "dt"):
            self._close_item({"li"} if name == "li" else {"dd", "dt"})
        if name in CLOSE_P:
            self._close({"p"}, BUTTON_SCOPE)
        if name in HEADINGS and self._stack[-1].name in HEADINGS:
            self._pop_to(len(self._stack) - 1)
        elif name == "button":
            self._close({"button"}, SCOPE)
        elif name in ("option", "optgroup") and self._stack[-1].name == "option":
            self._pop_to(len(self._stack) - 1)
        elif name in TABLE_PARTS:
            self._close_table_parts(TABLE_PARTS[name])

    def _close_item(self, names: set[str]) -> None:
        for index in range(len(self._stack) - 1, 0, -1):
            element = self._stack[index]
            if element.name in names and not element.foreign:
                self._pop_to(index)
                return
            if element.foreign or (element.name in SPECIAL and element.name not in ("address", "div", "p")):
                return

    def _close_table_parts(self, level: int) -> None:
        table = self._find({"table"}, TEMPLATE)
        if table is None:
            return
        for index in range(table + 1, len(self._stack)):
            if TABLE_PARTS.get(self._stack[index].name, 0) >= level:
                self._pop_to(index)
                return

    def _end_formatting(self, name: str) -> bool:
        marker = max(0, *(element.formatting for element in self._stack))
        for index in range(len(self._formatting) - 1, marker - 1, -1):
            if self._formatting[index].name == name:
                if any(element.name in SCOPE for element in self._stack[self._formatting[index].depth :]):
                    return False
                del self._formatting[index]
                return True
        return False

    def _end_form(self) -> bool:
        index = self._find({"form"}, SCOPE)
        if index is None or any(element.name not in IMPLIED_END for element in self._stack[index + 1 :]):
            return False  # a browser forgets the form here, but what follows still lies in its element
        self._pop_to(index)
        return True


def _attribute_barrier(token: Token) -> Refusal | None:
    source = token.attributes.lower()
    if not any(word in source for word in ("role", "hidden", "display", "visibility")):
        return None
    attributes = parse_attributes(token.attributes)
    if "hidden" in attributes or attributes.get("aria-hidden", "").strip().lower() == "true":
        return Refusal.NOT_PROSE
    if _INVISIBLE_STYLE.search(attributes.get("style", "")):
        return Refusal.NOT_PROSE
    roles = attributes.get("role", "").lower().split()
    return ROLES.get(roles[0]) if roles else None
