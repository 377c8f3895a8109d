"""Splits HTML source into tokens with positions, as the tokenizer of the HTML standard does, without changing a character.

The tokens of a document cover its text from end to end: ``"".join(text[t.start:t.end] for t in tokens) == text``.
Rules: https://html.spec.whatwg.org/multipage/parsing.html#tokenization
"""

from __future__ import annotations

import html
import re
from enum import Enum, auto
from typing import NamedTuple

_SPACE = r"\t\n\f\r "
_VALUE = rf"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^{_SPACE}>"'][^{_SPACE}>]*+|(?=>))"""
_ATTRIBUTE = rf"(?:=[^{_SPACE}/>=]*+|[^{_SPACE}/>=]++)(?:[{_SPACE}]*+=[{_SPACE}]*+{_VALUE})?+"
_TAG = re.compile(rf"<(/?)([A-Za-z][^{_SPACE}/>]*+)((?:[{_SPACE}/]++|{_ATTRIBUTE})*+)>")
_ONE_ATTRIBUTE = re.compile(rf"(=?[^{_SPACE}/>=]*+)(?:[{_SPACE}]*+=[{_SPACE}]*+({_VALUE}))?+")
_BETWEEN_ATTRIBUTES = re.compile(rf"[{_SPACE}/]*+")
_TEXT = re.compile(r"(?:[^<]++|<(?![A-Za-z!?]|/(?s:.)))++")
_ATTRIBUTE_ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")
_COMMENT_END = re.compile(r"--!?>")
_SCRIPT_STATE = re.compile(r"<!--|-->|<(/?)script(?=[\t\n\f\r />])", re.IGNORECASE)

# Elements whose content is characters, not markup (with scripting on, as a reader's browser has it).
RAW_TEXT = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext"})
ESCAPABLE_RAW_TEXT = frozenset({"title", "textarea"})


class TokenKind(Enum):
    """What a token is; everything that shows nothing (comments, doctype, CDATA, processing instructions) is HIDDEN."""

    TEXT = auto()
    START = auto()
    END = auto()
    HIDDEN = auto()


class Token(NamedTuple):
    """A token: ``text[start:end]``; ``name`` in lower case for tags, ``attributes`` their unparsed source."""

    kind: TokenKind
    start: int
    end: int
    name: str = ""
    attributes: str = ""


def next_token(text: str, start: int, *, foreign: bool = False) -> Token:
    """The token at ``start``, which must be less than ``len(text)``; ``foreign`` says that SVG or MathML is open."""
    if text[start] != "<":
        return Token(TokenKind.TEXT, start, _text_end(text, start))
    if tag := _TAG.match(text, start):
        kind = TokenKind.END if tag[1] else TokenKind.START
        return Token(kind, start, tag.end(), tag[2].lower(), tag[3])
    following = text[start + 1 : start + 2]
    if following.isascii() and following.isalpha():
        return Token(TokenKind.HIDDEN, start, len(text))  # a tag that never ends
    if following in ("!", "?"):
        return Token(TokenKind.HIDDEN, start, _hidden_end(text, start, foreign))
    if following == "/" and start + 2 < len(text):
        unfinished = text[start + 2].isascii() and text[start + 2].isalpha()
        return Token(TokenKind.HIDDEN, start, len(text) if unfinished else _after(text, ">", start + 2))
    return Token(TokenKind.TEXT, start, _text_end(text, start))


def _text_end(text: str, start: int) -> int:
    match = _TEXT.match(text, start)
    return match.end() if match else start + 1


def _hidden_end(text: str, start: int, foreign: bool) -> int:
    if text.startswith("<!--", start):
        if text.startswith((">", "->"), start + 4):
            return text.index(">", start) + 1
        end = _COMMENT_END.search(text, start + 4)
        return end.end() if end else len(text)
    if foreign and text.startswith("<![CDATA[", start):
        return _after(text, "]]>", start)
    return _after(text, ">", start)


def _after(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return len(text) if found < 0 else found + len(mark)


def raw_text_end(text: str, start: int, name: str) -> int:
    """Where the content of the raw text element ``name`` ends, its start tag having ended at ``start``."""
    if name == "plaintext":
        return len(text)
    if name == "script":
        return _script_end(text, start)
    end = re.compile(rf"</{re.escape(name)}(?=[{_SPACE}/>])", re.IGNORECASE).search(text, start)
    return end.start() if end else len(text)


def _script_end(text: str, start: int) -> int:
    """Scripts may hold ``<!-- <script></script> -->``: the states "escaped" and "double escaped" of the standard."""
    escaped = double = False
    while found := _SCRIPT_STATE.search(text, start):
        if found[0] == "<!--":
            escaped = True
            start = found.start() + 2  # "<!-->" both opens and closes
            continue
        start = found.end()
        if found[0] == "-->":
            escaped = double = False
        elif found[1]:
            if not double:
                return found.start()
            double = False
        elif escaped:
            double = True
    return len(text)


def parse_attributes(attributes: str) -> dict[str, str]:
    """The attributes of a start tag: names in lower case, values with their entities decoded; the first of a name counts."""
    found: dict[str, str] = {}
    position = 0
    while (position := _gap_end(attributes, position)) < len(attributes):
        match = _ONE_ATTRIBUTE.match(attributes, position)
        if match is None or match.end() == position:
            break
        value = match[2] or ""
        if value[:1] in ("'", '"'):
            value = value[1:-1]
        # Without its semicolon a name is left alone: "?a=1&copy=2" is no copyright sign in an attribute.
        found.setdefault(match[1].lower(), _ATTRIBUTE_ENTITY.sub(lambda entity: html.unescape(entity[0]), value))
        position = match.end()
    return found


def is_self_closing(token: Token) -> bool:
    """Whether the tag ends with a slash of its own (``<path/>``), not one of an unquoted value (``<a href=/x/>``)."""
    if not token.attributes.endswith("/"):
        return False
    position = 0
    while position < len(token.attributes):
        gap = _gap_end(token.attributes, position)
        if gap == len(token.attributes):
            return gap > position
        match = _ONE_ATTRIBUTE.match(token.attributes, gap)
        if match is None or match.end() == gap:
            return False
        position = match.end()
    return False


def _gap_end(attributes: str, position: int) -> int:
    gap = _BETWEEN_ATTRIBUTES.match(attributes, position)
    return gap.end() if gap else position
