"""The entries of an XML sitemap, an index or a feed, read from its tags one at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from interlink_spider.sitemaps.markup import Declaration, End, Start, Text, read_markup

if TYPE_CHECKING:
    from collections.abc import Iterator

# Local names, in lower case: roots, and the parts of an entry that are read.
_ROOTS: Final = frozenset({"urlset", "sitemapindex", "rss", "rdf", "feed"})
_PARTS: Final = frozenset({"loc", "lastmod", "link", "guid", "pubdate", "date", "updated", "published"})
_ANY_PREFIX: Final = frozenset({"date"})  # Dublin Core's, in RSS 1.0
_ENTITY: Final = re.compile(r"<!ENTITY\s+(?:%\s+)?([^\s\"'<>]+)")


@dataclass(slots=True)
class RawEntry:
    """An entry as it is written: the first text of each part, and the links it carries as attributes."""

    name: str
    prefix: str
    depth: int  # of the entry's element; its parts stand one deeper
    parts: dict[str, str] = field(default_factory=dict)
    alternates: list[tuple[str, str]] = field(default_factory=list)  # (hreflang, href)
    href: str = ""  # Atom's link
    own_text: str = ""

    def get(self, *names: str) -> str:
        """The first of these parts that is not empty."""
        return next((self.parts[name] for name in names if self.parts.get(name)), "")


class XmlEntries:
    """Iterates the entries of a document; ``is_complete`` then tells whether the document was there to its end.

    ``entry_names`` are the local names of the elements that hold one address each (a feed's ``<image><url>`` is none).
    """

    def __init__(self, text: str, entry_names: frozenset[str]) -> None:
        self._text = text
        self._entry_names = entry_names
        self._open: list[tuple[str, str]] = []  # (prefix, name) of the elements around
        self._entry: RawEntry | None = None
        self._part: str | None = None
        self._namespaces: dict[str, str] = {}
        self.private_entities: set[str] = set()  # names that the document declares for itself; never expanded

    def __iter__(self) -> Iterator[RawEntry]:
        for token in read_markup(self._text):
            if isinstance(token, Text):
                self._take_text(token.text)
            elif isinstance(token, Start):
                if self._begins_entry(token) and self._entry is not None:
                    yield self._close_entry(self._entry)  # the entry before lacks its end tag
                self._take_start(token)
            elif isinstance(token, End):
                closed = self._take_end((token.prefix, token.name))
                if closed is not None:
                    yield closed
            else:
                self._take_declaration(token)
        if self._entry is not None:  # the file ends in it: what is whole counts
            self._entry.parts.pop(self._part or "", None)
            self._entry.own_text = ""
            yield self._entry

    @property
    def is_complete(self) -> bool:
        """Whether every element that was opened was closed."""
        return not self._open

    def _begins_entry(self, tag: Start) -> bool:
        entry = self._entry
        return tag.name in self._entry_names if entry is None else (tag.prefix, tag.name) == (entry.prefix, entry.name)

    def _take_start(self, tag: Start) -> None:
        for piece in tag.attributes.split() if "xmlns:" in tag.attributes else ():
            key, _, uri = piece.partition("=")
            if key.startswith("xmlns:"):
                self._namespaces[key[6:].lower()] = uri.strip("\"'/>")
        if not self._open and tag.name not in _ROOTS | self._entry_names:
            return  # junk before the root
        if self._begins_entry(tag):
            self._entry = RawEntry(tag.name, tag.prefix, len(self._open))
        elif self._entry is not None and len(self._open) == self._entry.depth + 1:
            self._take_part(tag, self._entry)
        if not tag.is_empty:
            self._open.append((tag.prefix, tag.name))

    def _take_part(self, tag: Start, entry: RawEntry) -> None:
        href = tag.get("href") if tag.name == "link" else ""
        if href:
            language = tag.get("hreflang")
            relation = tag.get("rel").lower() or "alternate"
            if entry.name == "entry":
                if relation == "alternate" and not entry.href:
                    entry.href = href
            elif relation == "alternate" and language:
                entry.alternates.append((language, href))
        elif tag.name in _PARTS and tag.name not in entry.parts and self._is_own(tag, entry) and not tag.is_empty:
            if tag.name == "guid" and tag.get("ispermalink").lower() == "false":
                return
            self._part = tag.name
            entry.parts[tag.name] = ""

    def _is_own(self, tag: Start, entry: RawEntry) -> bool:
        """Whether a part is the entry's and not an extension's (``image:loc`` is the address of a picture)."""
        if tag.prefix == entry.prefix or tag.name in _ANY_PREFIX:
            return True
        uris = [self._namespaces.get(prefix) for prefix in (tag.prefix, entry.prefix)]
        return uris[0] is not None and uris[0] == uris[1]

    def _take_text(self, text: str) -> None:
        entry = self._entry
        if entry is None:
            return
        above = len(self._open) - entry.depth
        if self._part is not None and above == 2:
            entry.parts[self._part] += text
        elif above == 1:
            entry.own_text += text

    def _take_end(self, closing: tuple[str, str]) -> RawEntry | None:
        if closing not in self._open:
            return None
        closed = None
        while self._open:
            last = self._open.pop()
            depth = len(self._open)
            if self._entry is not None and depth <= self._entry.depth + 1:
                self._part = None
                if depth == self._entry.depth:
                    closed, self._entry = self._entry, None
            if last == closing:
                break
        return closed

    def _close_entry(self, entry: RawEntry) -> RawEntry:
        del self._open[entry.depth :]
        self._entry = self._part = None
        return entry

    def _take_declaration(self, declaration: Declaration) -> None:
        self.private_entities.update(_ENTITY.findall(declaration.text))
