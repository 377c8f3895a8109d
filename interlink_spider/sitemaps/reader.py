"""Any sitemap body to entries with absolute addresses, lazily, and an account of what was left out."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from interlink_spider.sitemaps.addresses import listed_url, names_sitemap
from interlink_spider.sitemaps.body import read_text
from interlink_spider.sitemaps.lastmod import parse_lastmod
from interlink_spider.sitemaps.markup import Declaration, Start, Text, read_markup
from interlink_spider.sitemaps.xml_entries import RawEntry, XmlEntries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

# Above the protocol's limits (50 MB, 50,000 addresses; https://www.sitemaps.org/protocol.html), which many files overstep.
MAX_BYTES: Final = 64 * 1024 * 1024
MAX_ENTRIES: Final = 100_000

_ROOT_SEARCHED: Final = 65_536  # characters of warnings and other junk before the root element, at most
_ABSOLUTE: Final = re.compile(r"https?://[^\s<>]+$", re.IGNORECASE)
_LINE: Final = re.compile(r"[^\r\n]+")
_ENTITY: Final = re.compile(r"&([\w.-]+);")


class SitemapKind(StrEnum):
    """What a body turned out to be."""

    URLSET = "urlset"
    INDEX = "index"
    TEXT = "text"
    RSS = "rss"
    ATOM = "atom"
    HTML = "html"
    EMPTY = "empty"
    UNREADABLE = "unreadable"


NO_SITEMAPS: Final = frozenset({SitemapKind.HTML, SitemapKind.EMPTY, SitemapKind.UNREADABLE})
_KIND_OF_ELEMENT: Final = {
    "urlset": SitemapKind.URLSET,
    "sitemapindex": SitemapKind.INDEX,
    "rss": SitemapKind.RSS,
    "rdf": SitemapKind.RSS,
    "feed": SitemapKind.ATOM,
    "html": SitemapKind.HTML,
    "head": SitemapKind.HTML,
    "body": SitemapKind.HTML,
    "url": SitemapKind.URLSET,  # a file that lacks its root
    "sitemap": SitemapKind.INDEX,
}
_SITEMAP_ENTRIES: Final = frozenset({"url", "sitemap"})
_ENTRY_NAMES: Final = {
    SitemapKind.URLSET: _SITEMAP_ENTRIES,
    SitemapKind.INDEX: _SITEMAP_ENTRIES,
    SitemapKind.RSS: frozenset({"item"}),
    SitemapKind.ATOM: frozenset({"entry"}),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One listed address, absolute; ``lastmod`` has a time zone. ``alternates`` are (hreflang, absolute address)."""

    loc: str
    lastmod: datetime | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    is_sitemap: bool = False


class Sitemap:
    """The entries of one body. Iterate it once; ``problems``, ``dropped`` and ``is_cut`` hold when the iteration ends."""

    def __init__(
        self, kind: SitemapKind, url: str, text: str, problems: list[str], max_entries: int, *, is_cut: bool = False
    ) -> None:
        self.kind = kind
        self.is_cut = is_cut  # more entries stand, or stood, behind those that could be read
        self.dropped: Counter[str] = Counter()  # entries left out, by reason
        self._url = url
        self._text = text
        self._max_entries = max_entries
        self._problems = problems

    @property
    def problems(self) -> list[str]:
        """What was wrong, in words: about the file first, then the entries that were dropped and why."""
        return self._problems + [f"entries dropped, {reason}: {n:,}" for reason, n in self.dropped.items()]

    def __iter__(self) -> Iterator[Entry]:
        if self.kind in NO_SITEMAPS:
            return
        for n, entry in enumerate(self._text_entries() if self.kind is SitemapKind.TEXT else self._xml_entries()):
            if n == self._max_entries:
                self._problems.append(f"cut at {n:,} entries")
                self.is_cut = True
                return
            yield entry

    def _text_entries(self) -> Iterator[Entry]:
        for match in _LINE.finditer(self._text):
            line = match[0].strip()
            url = listed_url(line, self._url) if _ABSOLUTE.match(line) else None
            if url:
                yield Entry(url, is_sitemap=names_sitemap(url))
            elif line:
                self.dropped["not an address"] += 1

    def _xml_entries(self) -> Iterator[Entry]:
        entries = XmlEntries(self._text, _ENTRY_NAMES[self.kind])
        for raw in entries:
            loc, reason = _address(raw)
            if set(_ENTITY.findall(loc)) & entries.private_entities:
                loc, reason = "", "an entity of the document's own, which is never expanded"
            url = listed_url(loc, self._url) if loc else None
            if url is None:
                self.dropped[reason or "not an address"] += 1
                continue
            alternates = ((language, listed_url(href, self._url)) for language, href in raw.alternates)
            yield Entry(
                url,
                parse_lastmod(raw.get("lastmod", "updated", "published", "pubdate", "date")),
                tuple((language, href) for language, href in alternates if href),
                raw.name == "sitemap" or (raw.name == "url" and names_sitemap(url)),
            )
        if not entries.is_complete:
            self._problems.append("the file ends early")
            self.is_cut = True


def read_sitemap(body: bytes, url: str, *, max_bytes: int = MAX_BYTES, max_entries: int = MAX_ENTRIES) -> Sitemap:
    """Read a body, whatever its content type and file name say; ``url`` is its final address, after redirects.

    Never raises. At most ``max_bytes`` (unpacked) and ``max_entries`` are read; a cut is told in ``problems``.
    """
    read = read_text(body, max_bytes)
    problems = list(read.problems)
    if not read.text:
        return Sitemap(SitemapKind.UNREADABLE if problems else SitemapKind.EMPTY, url, "", problems, max_entries)
    if _ABSOLUTE.match(_LINE.match(read.text)[0].strip()):  # type: ignore[index]  # text begins with no line break
        text = read.text[: max(map(read.text.rfind, "\r\n")) + 1] if read.is_cut else read.text
        return Sitemap(SitemapKind.TEXT, url, text, problems, max_entries, is_cut=read.is_cut)
    kind, junk = _sniff(read.text)
    if junk and kind not in (SitemapKind.HTML, SitemapKind.UNREADABLE):
        problems.append(f"text before the sitemap passed over: {junk!r}")
    return Sitemap(kind, url, read.text, problems, max_entries, is_cut=read.is_cut)


def _sniff(text: str) -> tuple[SitemapKind, str]:
    """What the first known element makes of a document, and the beginning of the text before it."""
    junk = ""
    for token in read_markup(text[:_ROOT_SEARCHED]):
        if isinstance(token, Start) and token.name in _KIND_OF_ELEMENT:
            return _KIND_OF_ELEMENT[token.name], " ".join(junk.split())[:80]
        if isinstance(token, Declaration) and token.text.lower().split()[:2] == ["doctype", "html"]:
            return SitemapKind.HTML, ""
        if isinstance(token, Text):
            junk += token.text
    return SitemapKind.UNREADABLE, ""


def _address(raw: RawEntry) -> tuple[str, str]:
    """The address an entry gives, or "" and why there is none."""
    if raw.name == "entry":
        return raw.href, "no link"
    if raw.name == "item":
        guid = raw.get("guid")
        link = raw.get("link") or (guid if _ABSOLUTE.match(guid.strip()) else "")
        return link, "" if link else "no link"
    loc = raw.get("loc")
    # Some generators write <sitemap>https://…</sitemap>.
    own = raw.own_text.strip()
    loc = loc or (own if _ABSOLUTE.match(own) else "")
    return loc, "" if loc else "no <loc>"
