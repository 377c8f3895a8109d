"""Text to an lxml tree, whatever the text is.

libxml2 builds its tree by older rules than browsers do: ``<p>foo<span>bar<p>baz`` nests the second paragraph, and a block inside
a ``<p>`` does not close it. No repair of the tree is tried, because nothing here depends on that nesting: blocks are cut at
every boundary of a block-level element (see blocks.py), and at those the texts come out as a browser's do.
"""

from __future__ import annotations

import re
from typing import Final

from lxml import etree

# libxml2 gives up on a document nested deeper than this (with huge_tree; 255 without it) and drops all that follows.
_MAX_DEPTH: Final = 2048

_CONTROL: Final = bytes({*range(0x20), 0x7F} - set(b"\t\n\f\r"))
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)(?:\"[^\"]*\"|'[^']*'|[^>\"'])*>")
_RAW_TEXT = re.compile(r"<(script|style|textarea|title)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_KEPT_WHEN_FLAT: Final = frozenset(
    {"html", "head", "body", "title", "meta", "link", "base", "p", "br", "a", "h1", "h2", "h3", "h4", "h5", "h6", "li", "hr"}
)  # fmt: skip
_FLAT_INLINE: Final = frozenset(
    {"abbr", "b", "big", "cite", "code", "em", "font", "i", "img", "s", "small", "span", "strike", "strong", "sub", "sup", "u"}
)  # fmt: skip


def parse_html(text: str) -> etree._Element:
    """The root element of the document: always an ``html`` element, empty if there is nothing to read. Never raises.

    Comments and processing instructions are left out, control characters dropped. A document nested too deeply for libxml2 is
    read once more without its nesting: text, paragraphs, headings and links survive, sections do not.
    """
    root = _parse(text)
    if root is None:
        root = _parse(_flatten(text))
    if root is None or root.tag != "html":
        empty = etree.Element("html")
        empty.append(etree.Element("body") if root is None else root)
        return empty
    return root


def _parse(text: str) -> etree._Element | None:
    """None if the tree is cut off at libxml2's depth limit. Bytes, because a decoded XHTML prolog is refused in a str."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace").translate(None, _CONTROL), parser)
    except etree.ParseError:  # nothing but white space and comments
        return etree.Element("html")
    last = parser.error_log.last_error
    return None if last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT else root


def _flatten(text: str) -> str:
    """Markup without nesting: unknown and inline tags fall away, other blocks become a boundary."""

    def flat(match: re.Match[str]) -> str:
        name = match[2].lower()
        if name in _KEPT_WHEN_FLAT:
            return match[0]
        return "" if name in _FLAT_INLINE or "-" in name else "<hr>"

    return _TAG.sub(flat, _RAW_TEXT.sub(lambda match: match[0] if match[1] == "title" else " ", text))
