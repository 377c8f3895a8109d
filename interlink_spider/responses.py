"""What an answer means: a reason in words for skipped.csv, and the version of a page that was read."""

from __future__ import annotations

import hashlib
import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest

from analysis.html.decode import decode_html
from analysis.html.metadata import read_metadata
from analysis.html.parse import parse_html
from analysis.store import PageVersion

if TYPE_CHECKING:
    from scrapy.http import Response

REFUSALS = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS, 451, 999})
CHALLENGED = "our crawler was refused (challenge page)"
_TRANSIENT = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY})
# NUL aside, which UTF-16 has, and ESC, which ISO-2022 has.
_BINARY = re.compile(rb"[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BINARY_SHARE = 0.02
_SNIFFED = 4096  # bytes
_MARKUP = ("text/html", "application/xhtml+xml", "application/xml", "text/xml")


def status_reason(status: int) -> tuple[str, bool]:
    """The reason a status other than 200 stands for, and whether it makes the crawl incomplete.

    A page that is gone leaves nothing open; one that was refused to us, or failed on the server, does.
    """
    if status in REFUSALS:
        return f"our crawler was refused (HTTP {status})", True
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return f"server error (HTTP {status})", True
    if status in _TRANSIENT:
        return f"timeout (HTTP {status})", True
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return f"not found (HTTP {status})", False
    return f"no page (HTTP {status})", status not in range(200, 500)


def error_reason(error: BaseException | None) -> tuple[str, str, bool]:
    """Reason, detail and whether the crawl is incomplete, for a request that brought no response."""
    if isinstance(error, IgnoreRequest):
        text = str(error)
        if "robots.txt" in text and "Forbidden" in text:
            return "disallowed by robots.txt", "", False
        return text or "not fetched", "", True
    name = type(error).__name__
    if "Timeout" in name:
        return "timeout", "", True
    if "Resolve" in name or "DNS" in name:
        return "no such host", "", True
    return "connection failed", f"{name}: {error}".split("\n")[0][:200], True


def is_markup(content_type: str, body: bytes) -> bool:
    """Whether a body is a web page, by its declared type or, where none is declared, by how it begins.

    A file that is sent as a page by mistake is told by the bytes that no text has (https://mimesniff.spec.whatwg.org/#binary-data-byte).
    """
    if len(_BINARY.findall(body, 0, _SNIFFED)) > _BINARY_SHARE * min(len(body), _SNIFFED):
        return False
    declared = content_type.split(";", maxsplit=1)[0].strip().lower()
    if declared:
        return declared in _MARKUP
    return body.lstrip()[:1] == b"<"


def is_challenge(body: bytes) -> bool:
    """Whether a web page that came in place of something else asks whether we are human."""
    text, _ = decode_html(body)
    return read_metadata(parse_html(text), "").is_challenge


def page_version(response: Response, lastmod: str) -> PageVersion:
    """What will tell the next crawl whether the page has changed."""
    etag, last_modified = ((response.headers.get(name) or b"").decode("latin-1") for name in ("ETag", "Last-Modified"))
    return PageVersion(etag, last_modified, lastmod, hashlib.sha256(response.body).hexdigest())


def conditional_headers(known: PageVersion) -> dict[str, str]:
    """Ask for the page only if it has changed (RFC 9110, 13.1)."""
    headers = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    return {name: value for name, value in headers.items() if value}
