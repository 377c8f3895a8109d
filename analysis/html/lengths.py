"""How much text an element of the tree holds, in characters without white space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from lxml import etree

if TYPE_CHECKING:
    from lxml.etree import _Element

_WHITE: Final = " \n\t\r\xa0"
_LINK_TEXTS = etree.XPath("descendant::a//text()", smart_strings=False)
_PARAGRAPH_TEXTS = etree.XPath("descendant-or-self::p//text()", smart_strings=False)


def text_length(element: _Element) -> int:
    """All text below the element."""
    return _visible(etree.tostring(element, method="text", encoding="unicode", with_tail=False))


def unlinked_length(element: _Element) -> int:
    """The text outside links: menus weigh nothing."""
    return text_length(element) - _length(_LINK_TEXTS(element))


def paragraphs_length(element: _Element) -> int:
    """The text of ``p`` elements, the element itself among them."""
    return _length(_PARAGRAPH_TEXTS(element))


def _length(texts: object) -> int:
    return _visible("".join(cast("list[str]", texts)))


def _visible(text: str) -> int:
    return len(text) - sum(map(text.count, _WHITE))
