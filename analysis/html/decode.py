"""Bytes of a page to text: which codec, when headers, meta elements and the bytes themselves disagree.

The order is the browsers' (byte order mark, HTTP header, meta element), with two exceptions that browsers do not make and
that real servers need: a declaration that the bytes contradict gives way to the next one, and bytes that are
valid UTF-8 with enough letters beyond ASCII to rule out chance are UTF-8 whatever single-byte codec is declared.
"""

from __future__ import annotations

import logging
import re
from typing import Final

from charset_normalizer import CharsetMatch, from_bytes
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

logger = logging.getLogger(__name__)

# Four multi-byte sequences that are valid UTF-8 by chance: below one in a thousand even for the worst pairs of cp1251 letters.
_ENOUGH_MULTIBYTE: Final = 4
# A text of which more than a tenth of the letters beyond ASCII cannot be decoded is in another codec; less is a slip.
_BROKEN_SHARE: Final = 0.1
_GUESS_BYTES: Final = 20_000

_LEAD_BYTE = re.compile(rb"[\xc2-\xf4]")
_NON_ASCII = re.compile(r"[^\x00-\x7f]")
_MARKUP = re.compile(rb"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_CYRILLIC_WORD = re.compile(r"[\u0400-\u045f\u0490\u0491]+")
_MIXED = re.compile(r"[A-Za-z][\u0400-\u045f]|[\u0400-\u045f][A-Za-z]")
_CYRILLIC_CODECS: Final = ("cp1251", "koi8-u", "cp866", "iso8859-5", "mac-cyrillic")
# Most used first (from WHATWG's list); charset-normalizer's spelling.
_WEB_CODECS: Final = (
    "cp1252", "cp1251", "cp1250", "gb18030", "cp932", "euc_jp", "cp949", "big5hkscs", "cp1256", "cp1254", "cp1253", "cp1255",
    "cp1257", "cp1258", "cp874", "iso8859_2",
)  # fmt: skip
# Ten most frequent letters of Russian, Ukrainian and Bulgarian texts: about two letters in three.
_FREQUENT_CYRILLIC: Final = frozenset("оеаинтсрвліОЕАИНТСРВЛІ")


def decode_html(body: bytes, content_type: str = "") -> tuple[str, str]:
    """The text of an HTML body, without byte order mark and NUL characters, and the codec's Python name.

    ``content_type`` is the HTTP header as sent. Never raises: bytes that no codec explains become U+FFFD.
    """
    text, codec = _decode(body, content_type)
    text = text.removeprefix("\ufeff")
    return (text.replace("\0", "") if "\0" in text else text), codec


def _decode(body: bytes, content_type: str) -> tuple[str, str]:
    codec, bom = read_bom(body)
    if codec and bom:
        return body[len(bom) :].decode(codec, "replace"), codec
    declared = [name for name in (http_content_type_encoding(content_type), html_body_declared_encoding(body)) if name]
    declared = [name for name in map(_usable, declared) if not name.startswith("utf-16") or b"\0" in body]
    utf8 = _strict(body, "utf-8")
    if utf8 is not None and (not declared or declared[0] == "utf-8" or _is_no_chance(body)):
        return utf8, "utf-8"
    for name in declared:
        text = _strict(body, name)
        if text is not None:
            return text, name
    for name in declared:
        text = body.decode(name, "replace")
        if text.count("\ufffd") <= _BROKEN_SHARE * len(_NON_ASCII.findall(text)):
            return text, name
    return (utf8, "utf-8") if utf8 is not None else _guess(body)


def _usable(name: str) -> str:
    """The codec behind a declared name: w3lib has resolved the label as browsers do (``latin-1`` is cp1252)."""
    return resolve_encoding(name) or name


def _strict(body: bytes, codec: str) -> str | None:
    try:
        return body.decode(codec)
    except (UnicodeDecodeError, LookupError):
        return None


def _is_no_chance(body: bytes) -> bool:
    """Whether valid UTF-8 holds so many multi-byte sequences that no other codec can be meant."""
    return len(_LEAD_BYTE.findall(body, 0, 200_000)) >= _ENOUGH_MULTIBYTE


def _guess(body: bytes) -> tuple[str, str]:
    """For bytes that are not UTF-8 and say nothing (or something false) about themselves."""
    sample = b" ".join(_MARKUP.sub(b" ", body[: 10 * _GUESS_BYTES]).split())[:_GUESS_BYTES]
    codec = _cyrillic_codec(sample) or _other_codec(sample)
    logger.info("no usable charset declared: %s guessed from %d bytes", codec, len(sample))
    return body.decode(codec, "replace"), codec


def _cyrillic_codec(sample: bytes) -> str | None:
    """The Cyrillic codec that turns the sample's high bytes into plausible words, None if no such codec does.

    Plausible: nearly all high bytes are Cyrillic letters that touch no Latin ones, the frequent letters are frequent, capitals
    come first or all through. windows-1251 wins a tie: short lower-case text reads the same in MacCyrillic, which nobody serves.
    """
    high = len(_HIGH_BYTE.findall(sample))
    best, best_score = None, 0.8
    for codec in _CYRILLIC_CODECS:
        text = sample.decode(codec, "replace")
        words = _CYRILLIC_WORD.findall(text)
        letters = sum(map(len, words))
        if letters < 3:
            continue
        proper = sum(len(word) for word in words if word.islower() or word.isupper() or word.istitle())
        frequent = sum(letter in _FREQUENT_CYRILLIC for word in words for letter in word)
        if frequent < 0.52 * letters:  # Hebrew read as KOI8 comes near
            continue
        score = letters / high * (proper / letters) - len(_MIXED.findall(text)) / letters
        if score > best_score:
            best, best_score = codec, score
    return best


def _other_codec(sample: bytes) -> str:
    """charset-normalizer's choice among the web's codecs; where it cannot decide, the most used one."""
    matches = from_bytes(sample, cp_isolation=list(_WEB_CODECS))
    if not matches:
        return "cp1252"
    best = min(matches, key=lambda match: (match.chaos, -match.coherence, _WEB_CODECS.index(_most_used(match))))
    return _most_used(best)


def _most_used(match: CharsetMatch) -> str:
    """Of the codecs that read the sample alike, the first of the web's list."""
    return min((name for name in match.could_be_from_charset if name in _WEB_CODECS), key=_WEB_CODECS.index)
