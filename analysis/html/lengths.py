"""How much text an element of the tree holds, in characters with white space collapsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lxml import etree

if TYPE_CHECKING:
    from lxml.etree import _Element

_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")
_LINK_TEXTS = etree.XPath("descendant::a//text()", smart_strings=False)
_PARAGRAPH_TEXTS = etree.XPath("descendant-or-self::p//text()", smart_strings=False)


def text_length(element: _Element) -> int:
    """All text below the element."""
    return int(cast("float", _TEXT_LENGTH(element)))


def unlinked_length(element: _Element) -> int:
    """The text outside links: menus weigh nothing."""
    return text_length(element) - _length(_LINK_TEXTS(element))


def paragraphs_length(element: _Element) -> int:
    """The text of ``p`` elements, the element itself among them."""
    return _length(_PARAGRAPH_TEXTS(element))


def _length(texts: object) -> int:
    return len(" ".join("".join(cast("list[str]", texts)).split()))
