"""Which elements are open at a point of HTML source: what the tree builder of the HTML standard does, as far as links care.

Elements close by the standard's rules (scopes, implied end tags, active formatting elements, foreign content). Where this
falls short of the standard an element is taken to stay open longer than it does in a browser, never shorter: the price is
a link not placed, not a link in the wrong place.
Rules: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from analysis.html.elements import BLOCK_LEVEL, BREAKOUT, HEADINGS, INTEGRATION, NOT_TEXT, VOID
from analysis.insertion.html_nesting import (
    BUTTON_SCOPE,
    CLOSE_P,
    CLOSE_SELECT,
    CLOSING,
    END_BOUNDARIES,
    FORMATTING,
    IGNORED,
    IMPLIED_END,
    MARKERS,
    OWN_TEXT_BARRIERS,
    REGIONS,
    ROLES,
    SCOPE,
    SPECIAL,
    TABLE_PARTS,
    TEMPLATE,
    barrier_of,
)
from analysis.insertion.html_tokens import Token, is_self_closing, parse_attributes
from analysis.insertion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Set

# Beyond these the search through the stack would cost too much, and nothing more is promised: no link stands after them.
_MAX_DEPTH: Final = 1000
_MAX_FORMATTING: Final = 100
_TELLING = re.compile(r"role|hidden|display|visibility|sr-only|screen-reader|inert|contenteditable", re.IGNORECASE)
_INVISIBLE_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)
# Classes of text that only screen readers meet: Bootstrap, Tailwind, WordPress.
_INVISIBLE_CLASS = re.compile(r"(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-(?:text|only))(?:\s|$)", re.IGNORECASE)


class _Open(NamedTuple):
    name: str
    foreign: bool
    sticky: Refusal | None  # why nothing within may be linked: its own reason or that of an element around it
    barrier: Refusal | None  # the same, or what its innermost block-level element has against text of its own
    hidden: bool  # in an element whose text is nobody's prose
    region: int
    formatting: int  # a marker's count of the formatting elements before it, else -1


class _Formatting(NamedTuple):
    name: str
    depth: int  # of the stack at its start
    barrier: Refusal | None


_ROOT: Final = _Open("", False, None, None, False, 0, -1)


class OpenElements:
    """The stack of open elements; feed it every start and end tag in order.

    ``barrier`` is why no link may stand at this point, None if one may; ``hidden`` whether text here is nobody's prose (script,
    template, svg); ``foreign`` whether SVG or MathML is the current element, so that CDATA sections exist; ``in_link`` whether an
    <a> is open or waits to be opened anew; ``region`` is 2 within <main>, 1 within <article>, else 0; ``ended_blocks`` counts the
    block-level elements that have ended so far, also those that no end tag of their own has ended.
    """

    def __init__(self) -> None:
        self.barrier: Refusal | None = None
        self.hidden = self.foreign = self.in_link = False
        self.region = self.ended_blocks = 0
        self._stack: list[_Open] = [_ROOT]
        self._open: defaultdict[str, int] = defaultdict(int)
        self._formatting: list[_Formatting] = []
        self._markers: list[int] = []  # those of the open elements that are one
        self._lost = False

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
        if self._open["select"] and not self._leaves_select(name):
            return False
        if name in CLOSING:
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
        if self._stack[-1].name == name:
            self._pop_to(len(self._stack) - 1)
            return True
        if name in FORMATTING and not self.foreign:
            return self._end_formatting(name)
        return self._end_outer(name)

    def _end_outer(self, name: str) -> bool:
        """Close an element that is not the innermost."""
        for index in range(len(self._stack) - 1, 0, -1):
            if not self._stack[index].foreign:
                break
            if self._stack[index].name == name:
                self._pop_to(index)
                return True
        if name != "select" and self._open["select"] and self._find({"select"}, TEMPLATE) is not None:
            return False
        if name in FORMATTING:
            return self._end_formatting(name)
        if name == "form":
            return self._end_form()
        closed = self._close(HEADINGS if name in HEADINGS else {name}, END_BOUNDARIES.get(name, SPECIAL))
        return closed or name in ("p", "br", "body", "html")  # a stray </p> makes an empty paragraph

    def _push(self, token: Token, *, foreign: bool = False) -> None:
        name, parent = token.name, self._stack[-1]
        sticky = parent.sticky or barrier_of(name) or _attribute_barrier(token)
        barrier = sticky or parent.barrier
        if name in BLOCK_LEVEL:
            barrier = sticky or OWN_TEXT_BARRIERS.get(name)
        hidden = parent.hidden or name in NOT_TEXT
        region = max(parent.region, REGIONS.get(name, 0))
        formatting = len(self._formatting) if name in MARKERS else -1
        if name in MARKERS:
            self._markers.append(formatting)
        self._stack.append(_Open(name, foreign, sticky, barrier, hidden, region, formatting))
        self._open[name] += 1
        self._lost = len(self._stack) > _MAX_DEPTH
        self._look()

    def _push_formatting(self, token: Token) -> None:
        """Only those that bar links are kept, and their namesakes within them, whose end tags come first."""
        if token.name == "a":
            self._end_formatting("a")
        barrier = barrier_of(token.name) or _attribute_barrier(token)
        if barrier or any(element.name == token.name for element in self._formatting):
            self._formatting.append(_Formatting(token.name, len(self._stack), barrier))
            self._lost = len(self._formatting) > _MAX_FORMATTING
            self._look()

    def _pop_to(self, index: int) -> None:
        for element in reversed(self._stack[index:]):
            self._open[element.name] -= 1
            self.ended_blocks += element.name in BLOCK_LEVEL and not (element.foreign or element.hidden)
            if element.formatting >= 0:
                del self._formatting[self._markers.pop() :]
        del self._stack[index:]
        if self._formatting and self._formatting[-1].depth > index:
            self._formatting = [element._replace(depth=min(element.depth, index)) for element in self._formatting]
        self._look()

    def _look(self) -> None:
        """Note what holds at this point."""
        top = self._stack[-1]
        self.barrier, self.hidden, self.foreign, self.region = top.barrier, top.hidden, top.foreign, top.region
        self.in_link = False
        for element in self._formatting:
            self.barrier = element.barrier or self.barrier
            self.in_link |= element.name == "a"
        if self._lost:
            self.barrier = Refusal.UNSAFE_MARKUP

    def _find(self, wanted: Set[str], boundary: Set[str]) -> int | None:
        """Index of the innermost open HTML element of these names; None if there is none or a boundary is nearer."""
        for name in wanted:
            if self._open[name]:
                break
        else:
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
        if not self._formatting:
            return False
        marker = self._markers[-1] if self._markers else 0
        for index in range(len(self._formatting) - 1, marker - 1, -1):
            if self._formatting[index].name == name:
                if any(element.name in SCOPE for element in self._stack[self._formatting[index].depth :]):
                    return False
                del self._formatting[index]
                self._look()
                return True
        return False

    def _end_form(self) -> bool:
        index = self._find({"form"}, SCOPE)
        if index is None or any(element.name not in IMPLIED_END for element in self._stack[index + 1 :]):
            return False  # a browser forgets the form here, but what follows still lies in its element
        self._pop_to(index)
        return True


def _attribute_barrier(token: Token) -> Refusal | None:
    if not token.attributes or not _TELLING.search(token.attributes):
        return None
    attributes = parse_attributes(token.attributes)
    if "hidden" in attributes or "inert" in attributes or attributes.get("aria-hidden", "").strip().lower() == "true":
        return Refusal.NOT_PROSE
    if _INVISIBLE_STYLE.search(attributes.get("style", "")) or _INVISIBLE_CLASS.search(attributes.get("class", "")):
        return Refusal.NOT_PROSE
    if attributes.get("contenteditable", "false").strip().lower() != "false":
        return Refusal.IN_CONTROL
    roles = attributes.get("role", "").lower().split()
    return ROLES.get(roles[0]) if roles else None
