"""HTML in an ``<svg>`` or ``<math>`` ends it, as an unclosed one must not swallow the page; libxml2 does not know that.

Rule: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.html.elements import BREAKOUT, INTEGRATION

if TYPE_CHECKING:
    from lxml.etree import _Element

_ELEMENTS = tuple(sorted(BREAKOUT))


def free_html(root: _Element) -> None:
    """Move HTML elements out of foreign ones, with all that follows them there. Changes the tree."""
    for foreign in list(root.iter("svg", "math")):
        for element in foreign.iterdescendants(*_ELEMENTS):
            if not any(ancestor.tag in INTEGRATION for ancestor in _between(element, foreign)):
                _move_out(element, foreign)
                break


def _between(element: _Element, outer: _Element) -> list[_Element]:
    found = []
    while (parent := element.getparent()) is not None and parent is not outer:
        found.append(parent)
        element = parent
    return found


def _move_out(first: _Element, foreign: _Element) -> None:
    """Put ``first`` and what follows it within ``foreign``, elements and texts, behind that element in order."""
    following = [first, *first.itersiblings()]
    for ancestor in [*_between(first, foreign), foreign]:
        following[-1].tail = (following[-1].tail or "") + (ancestor.tail or "") or None
        ancestor.tail = None
        if ancestor is not foreign:
            following += ancestor.itersiblings()
    place = foreign
    for element in following:
        place.addnext(element)
        place = element
