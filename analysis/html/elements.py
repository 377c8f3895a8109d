"""Which HTML elements are what: the one list that the crawl's reader and the inserter share.

Both cut a document into blocks at the boundaries of BLOCK_LEVEL elements, so they agree on what a paragraph is.
An element that stands in no list is inline and transparent (an unknown tag must not split or lose a sentence).
"""

from __future__ import annotations

import re
from typing import Final

HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

BLOCK_LEVEL: Final = HEADINGS | frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "caption", "center", "colgroup", "dd", "details", "dialog", "dir",
        "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "head", "header", "hgroup",
        "hr", "html",
        "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "plaintext", "pre", "search",
        "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul", "xmp",
    }
)  # fmt: skip

VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)

# Their text is nobody's prose: neither read as part of the article nor a place for a link.
NOT_TEXT: Final = frozenset(
    {
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "math",
        "iframe",
        "object",
        "canvas",
        "audio",
        "video",
        "noembed",
        "noframes",
    }
)

# Site furniture around an article (the guide drops these before it reads a page).
FURNITURE: Final = frozenset({"nav", "header", "footer", "aside", "form", "dialog", "menu", "search"})

# Inline elements whose text belongs to the sentence but must not carry a link.
NO_LINK_INLINE: Final = frozenset(
    {"a", "code", "kbd", "samp", "var", "tt", "button", "select", "label", "textarea", "output", "option", "summary", "ruby"}
)

# HTML elements that end an open <svg> or <math>, and the foreign elements in which they do not.
BREAKOUT: Final = frozenset(
    {
        "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2", "h3", "h4",
        "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small",
        "span", "strike", "strong", "sub", "sup", "table", "tt", "u", "ul", "var",
    }
)  # fmt: skip
INTEGRATION: Final = frozenset({"foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "annotation-xml"})

# A block without any such character is none.
VISIBLE: Final = re.compile(r"[^\s\u00ad\u200b-\u200f\u2060\ufeff]")
