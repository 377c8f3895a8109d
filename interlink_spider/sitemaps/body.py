"""The bytes of a sitemap to text: gzip told by its magic bytes, a cap on what it inflates to, and the codec the bytes are in."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import Final

from w3lib.encoding import html_body_declared_encoding

from analysis.html.decode import decode_html

_GZIP: Final = b"\x1f\x8b"
_GZIP_WBITS: Final = 31
_MAX_LAYERS: Final = 2  # servers that compress a .gz file once more are common; more layers are an attack
_STEP: Final = 1 << 14  # bytes fed at once: what a damaged file loses at most

_CUT_CHARACTER: Final = re.compile(rb"[\xc2-\xf4][\x80-\xbf]{0,2}\Z")
_UTF16_WITHOUT_BOM: Final = {b"<\x00": "utf-16-le", b"\x00<": "utf-16-be"}


@dataclass(frozen=True, slots=True)
class Text:
    """What a body says, and what was wrong with it; ``is_cut`` when more stood behind what could be read."""

    text: str
    problems: tuple[str, ...] = ()
    is_cut: bool = False


def read_text(body: bytes, max_bytes: int) -> Text:
    """Unpack and decode a body. At most ``max_bytes`` of what it unpacks to are read."""
    problems: list[str] = []
    layers = 0
    while body.startswith(_GZIP):
        if layers == _MAX_LAYERS:
            return Text("", (f"gzip in gzip more than {_MAX_LAYERS} times",), is_cut=True)
        body = _gunzip(body, max_bytes, problems)
        layers += 1
    if len(body) > max_bytes:
        body = body[:max_bytes]
        problems.append(f"cut at {max_bytes:,} bytes")
    text, codec_problems = _decode(body)
    return Text(text.lstrip("\ufeff \t\r\n"), tuple(dict.fromkeys(problems + codec_problems)), is_cut=bool(problems))


def _gunzip(body: bytes, max_bytes: int, problems: list[str]) -> bytes:
    """All members of a gzip file, as far as they can be read; bytes behind the last one are dropped."""
    inflated = bytearray()
    member = zlib.decompressobj(_GZIP_WBITS)
    position = 0
    while position < len(body):
        piece = body[position : position + _STEP]
        position += len(piece)
        try:
            inflated += member.decompress(piece, max_bytes + 1 - len(inflated))
        except zlib.error:
            problems.append("the gzip file is damaged; what stands before the damage was read")
            return bytes(inflated)
        if len(inflated) > max_bytes:
            return bytes(inflated)
        if member.eof:
            position -= len(member.unused_data)
            if not body.startswith(_GZIP, position):
                return bytes(inflated)
            member = zlib.decompressobj(_GZIP_WBITS)
    if not member.eof:
        problems.append("the gzip file ends early")
    return bytes(inflated)


def _decode(body: bytes) -> tuple[str, list[str]]:
    codec = _UTF16_WITHOUT_BOM.get(body[:2])
    if codec:
        return body.decode(codec, "replace"), []
    if body.lstrip()[:1] == b"<" and not body.rstrip().endswith(b">"):
        body = _CUT_CHARACTER.sub(b"", body)  # a file that ends inside a letter is still in the codec of the rest
    # XML is UTF-8 unless it says otherwise.
    text, codec = decode_html(body, "text/xml; charset=utf-8")
    declared = html_body_declared_encoding(body) or "utf-8"
    if codec in (declared, "utf-8") or codec.startswith(("utf-16", "utf-32")):
        return text, []
    return text, [f"the bytes are not {declared} as they should be; read as {codec}"]
