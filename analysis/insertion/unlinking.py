"""Takes links out of an HTML page as if they had never been placed: the tags go, the words stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.insertion.html_tokens import ESCAPABLE_RAW_TEXT, RAW_TEXT, TokenKind, next_token, parse_attributes, raw_text_end
from analysis.insertion.source_bytes import UnsafeEncodingError, read_source
from analysis.urls import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_RAW: Final = RAW_TEXT | ESCAPABLE_RAW_TEXT


def cut_links(source: bytes, encoding: str, page_url: str, is_cut: Callable[[str], bool]) -> tuple[bytes, str]:
    """The page without the links whose address ``is_cut`` wants gone, and its codec.

    :param is_cut: asked with the absolute address of each link.
    :return: UTF-8; the bytes as they came where their encoding is none in which links can be put.
    """
    try:
        text = read_source(source, encoding).text
    except UnsafeEncodingError:
        return source, encoding
    kept, position = [], 0
    for start, end in _tags(text, page_url, is_cut):
        kept.append(text[position:start])
        position = end
    return "".join([*kept, text[position:]]).encode(), "utf-8"


def _tags(text: str, page_url: str, is_cut: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """The spans of the tags to cut, in order."""
    base = page_url
    position, in_cut_link = 0, False
    while position < len(text):
        token = next_token(text, position)
        position = token.end
        if token.kind is TokenKind.END and token.name == "a" and in_cut_link:
            in_cut_link = False
            yield token.start, token.end
        if token.kind is not TokenKind.START:
            continue
        if token.name == "a":
            url = resolve(parse_attributes(token.attributes).get("href", ""), base)
            in_cut_link = url is not None and is_cut(url)
            if in_cut_link:
                yield token.start, token.end
        elif token.name == "base" and base == page_url:
            base = resolve(parse_attributes(token.attributes).get("href", ""), page_url) or page_url
        elif token.name in _RAW:
            position = raw_text_end(text, token.end, token.name)
