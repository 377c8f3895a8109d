"""The tags and texts of an XML document that may be broken in any way.

Why not lxml: libxml2's recovering parser turns ``?x=1&y=2`` into ``?x=1=2``, drops ``&nbsp;``, hands out a ``<loc>`` that the end
of the file cut short, and finds no URL behind a PHP notice; a repair before it would need this tokenizer anyway. Entities that a
document declares are never expanded and nothing is ever loaded, so bombs and external entities have no effect. Every pattern
stops at the next ``<`` or runs to its end mark or the end of the text: time is linear in the length of any input.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html.entities import html5
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN: Final = re.compile(
    r"""
    (?P<text>[^<]++)
    | <(?P<start>[^\W\d][\w:.-]*+)(?P<attributes>(?:[^<>"']|"[^"<]*"|'[^'<]*')*+)>
    | </\s*(?P<end>[^\W\d][\w:.-]*+)[^<>]*>
    | <!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)
    | <!--.*?(?:-->|\Z)
    | <\?.*?(?:\?>|\Z)
    | <!(?P<declaration>[A-Za-z][^<>\[]*+(?:\[.*?(?:\]\s*>|\Z))?)>?
    | <(?P<messy>[^\W\d][\w:.-]*+)(?P<rest>[^<>]*)>
    | (?P<stray><)
    """,
    re.VERBOSE | re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(r"""([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_REFERENCE: Final = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]*));")


class Start(NamedTuple):
    """A start tag; names in lower case, ``prefix`` "" where there is none."""

    prefix: str
    name: str
    attributes: str
    is_empty: bool

    def get(self, attribute: str) -> str:
        """An attribute's value by its local name; "" where it is missing."""
        for key, *values in _ATTRIBUTE.findall(self.attributes):
            if key.lower().rpartition(":")[2] == attribute:
                return decode_references("".join(values)).strip()
        return ""


class End(NamedTuple):
    """An end tag."""

    prefix: str
    name: str


class Text(NamedTuple):
    """Text between tags, references decoded once; CDATA as it stands."""

    text: str


class Declaration(NamedTuple):
    """What stands in ``<!DOCTYPE …>``, with the document's own declarations."""

    text: str


def read_markup(text: str) -> Iterator[Start | End | Text | Declaration]:
    """The tags and texts in their order; comments and processing instructions are passed over."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind in ("text", "stray"):
            yield Text(decode_references(match[0]))
        elif kind == "cdata":
            yield Text(match["cdata"])
        elif kind == "end":
            yield End(*_names(match["end"]))
        elif kind in ("attributes", "rest"):
            attributes = match[kind]
            yield Start(*_names(match["start"] or match["messy"]), attributes, attributes.endswith("/"))
        elif kind == "declaration":
            yield Declaration(match["declaration"])


def decode_references(text: str) -> str:
    """XML's and HTML's character references to characters, once; every other ``&`` stays (``?a=1&copy=2`` is a query)."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return html5.get(f"{name};", match[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF else match[0]


@lru_cache(256)
def _names(qualified: str) -> tuple[str, str]:
    prefix, _, name = qualified.lower().rpartition(":")
    return prefix, name
