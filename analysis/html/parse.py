"""Text to an lxml tree, whatever the text is.

libxml2 builds its tree by older rules than browsers do: ``<p>foo<span>bar<p>baz`` nests the second paragraph, and a block inside
a ``<p>`` does not close it. That is not repaired, because nothing here depends on that nesting: blocks are cut at every
boundary of a block-level element (see blocks.py), and at those the texts come out as a browser's do. Repaired is what would hide
text or join two blocks: HTML in an ``<svg>`` (see foreign.py) and ``</br>``, which a browser reads as ``<br>``.
"""

from __future__ import annotations

import re
from typing import Final

from lxml import etree

from analysis.html.foreign import free_html

_PARSER = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
_CONTROL: Final = bytes({*range(0x20), 0x7F} - set(b"\t\n\f\r"))
_END_BR = re.compile(r"</br(?=[\s/>])", re.IGNORECASE)
# References to characters that are none; a browser shows nothing.
_CONTROL_REFERENCE = re.compile(  # without IGNORECASE, which keeps the pattern from being looked for by its first characters
    r"&#(?:0*(?:[1-8]|11|1[4-9]|2[0-9]|3[01]|127)(?![0-9])|[xX]0*(?:[1-8bBe-fE-F]|1[0-9a-fA-F]|7[fF])(?![0-9a-fA-F]));?"
)
_TAG = re.compile(r"</?([a-zA-Z][^\s/<>]*)[^<>]*>")
# What is nested by the thousand in broken pages, and means nothing by itself.
_HOLDS_TEXT: Final = frozenset(
    {
        "abbr", "b", "big", "cite", "code", "em", "font", "i", "ins", "kbd", "nobr", "s", "small", "span", "strike", "strong",
        "sub", "sup", "tt", "u",
    }
)  # fmt: skip
_HOLDS_BLOCKS: Final = frozenset(
    {
        "blockquote", "center", "details", "div", "dl", "fieldset", "figure", "ol", "section", "table", "tbody", "td", "tr", "ul",
    }
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
    free_html(root)
    return root


def _parse(text: str) -> etree._Element | None:
    """None if the tree is cut off: libxml2 drops all that follows a nesting of 2048 elements (255 without huge_tree)."""
    if "</br" in text or "</BR" in text:
        text = _END_BR.sub("<br", text)
    if "&#" in text:
        text = _CONTROL_REFERENCE.sub("", text)
    try:  # bytes, because a str with an XHTML prolog is refused
        root = etree.fromstring(text.encode("utf-8", "replace").translate(None, _CONTROL), _PARSER)
    except etree.ParseError:  # nothing but white space and comments
        return etree.Element("html")
    last = _PARSER.error_log.last_error
    return None if last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT else root


def _flatten(text: str) -> str:
    """The markup without what only nests: containers of text fall away, containers of blocks become a boundary."""

    def flat(match: re.Match[str]) -> str:
        name = match[1].lower()
        if name in _HOLDS_TEXT or "-" in name:
            return ""
        return "<hr>" if name in _HOLDS_BLOCKS else match[0]

    return _TAG.sub(flat, text)
