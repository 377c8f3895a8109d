"""The bytes of a source and their characters, with the way back: which byte a character begins at."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final

from analysis.html.decode import decode_html

# In these a byte means something else after an escape sequence, so that a tag put in could be read as letters.
_STATEFUL: Final = ("iso2022", "hz", "utf-7", "utf_7")
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ALIASES: Final = {
    "utf-16": "utf-16-le",
    "utf_16": "utf-16-le",
    "utf-32": "utf-32-le",
    "utf_32": "utf-32-le",
    "utf-8-sig": "utf-8",
}
_STEP: Final = 512


class UnsafeEncodingError(ValueError):
    """Nothing can be put into bytes of this encoding safely."""


@dataclass(frozen=True)
class SourceBytes:
    """A source's bytes, and ``text``: the characters that they stand for, without byte order mark, errors as U+FFFD."""

    body: bytes = field(repr=False)
    codec: str
    text: str = field(repr=False)
    marks: tuple[tuple[int, int], ...] = field(repr=False)  # (character, byte) every few hundred bytes

    def offset(self, index: int) -> int | None:
        """The byte at which character ``index`` begins; None if it shares its bytes with the one before."""
        character, byte = self.marks[bisect_right(self.marks, (index, len(self.body))) - 1]
        clean = self.text[character:index].encode(self.codec, "ignore")
        if self.body.startswith(clean, byte) and clean.decode(self.codec) == self.text[character:index]:
            return byte + len(clean)  # nearly always; where bytes were replaced or shared, they are read one by one
        decoder = codecs.getincrementaldecoder(self.codec)("replace")
        while character < index and byte < len(self.body):
            character += len(decoder.decode(self.body[byte : byte + 1]))
            byte += 1
        return byte if character == index and not decoder.getstate()[0] else None

    def encode(self, text: str) -> bytes:
        """The bytes of a text in this encoding; what it does not hold becomes a character reference."""
        return text.encode(self.codec, "xmlcharrefreplace")


def read_source(body: bytes, encoding: str | None = None) -> SourceBytes:
    """Decode a source by its byte order mark, else the given encoding, else what :func:`decode_html` makes of it.

    :raises UnsafeEncodingError: for encodings that are stateful (ISO-2022-JP, UTF-7) or unknown.
    """
    mark, codec = next(((mark, codec) for mark, codec in _BYTE_ORDER_MARKS if body.startswith(mark)), (b"", encoding))
    codec = (codec or decode_html(body)[1]).lower()
    try:
        codec = codecs.lookup(_ALIASES.get(codec, codec)).name
        decoder = codecs.getincrementaldecoder(codec)("replace")
    except LookupError:
        raise UnsafeEncodingError(f"no such encoding: {codec!r}") from None
    if codec.startswith(_STATEFUL):
        raise UnsafeEncodingError(f"{codec} is stateful")
    pieces: list[str] = []
    marks: list[tuple[int, int]] = []
    characters = 0
    for byte in range(len(mark), len(body), _STEP):
        if not decoder.getstate()[0]:
            marks.append((characters, byte))
        pieces.append(decoder.decode(body[byte : byte + _STEP], final=byte + _STEP >= len(body)))
        characters += len(pieces[-1])
    return SourceBytes(body, codec, "".join(pieces), tuple(marks) or ((0, len(mark)),))
