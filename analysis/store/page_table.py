"""The pages at rest: what was read, under which version, and what has changed between two runs."""

from __future__ import annotations

import json
import zlib
from dataclasses import astuple
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from analysis.records import Block, BlockKind, FoundLink
from analysis.store.rows import PageVersion, SiteChanges, StoredPage

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator


class PageTable:
    """The table ``page``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def put(self, page: StoredPage, url_id: int, run: int) -> None:
        """Write a page, replacing what was known under its key, and note in the same breath that its address is done.

        It counts as changed when its title, text or links are others than before; a body differs by a date or a token alone.
        """
        content = _pack_content(page.blocks, page.links)
        self.connection.execute("UPDATE url SET state = 'done', reason = '', detail = '' WHERE id = ?", (url_id,))
        self.connection.execute(
            "INSERT OR REPLACE INTO page VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
            "coalesce((SELECT first_run FROM page WHERE key = ?), ?),"
            "coalesce((SELECT changed_run FROM page WHERE key = ? AND raw_title = ? AND content = ?), ?),?)",
            (
                page.key,
                page.url,
                datetime.now(UTC).isoformat(timespec="seconds"),
                page.raw_title,
                page.h1,
                page.language,
                page.published.isoformat() if page.published else None,
                json.dumps(page.alternates),
                content,
                zlib.compress(page.html, 6) if page.html else None,
                page.codec,
                *astuple(page.version),
                *(page.key, run),
                *(page.key, page.raw_title, content, run),
                run,
            ),
        )
        self.connection.commit()

    def version_of(self, key: str) -> PageVersion | None:
        """What is known of the version of a page that was read before."""
        columns = "etag, last_modified, lastmod, body_digest"
        row = self.connection.execute(f"SELECT {columns} FROM page WHERE key = ?", (key,)).fetchone()
        return PageVersion(*row) if row else None

    def keep(self, url_id: int, key: str, run: int, lastmod: str) -> None:
        """The page is as it was when it was last read."""
        with self.connection:
            self.connection.execute("UPDATE url SET state = 'done', reason = '', detail = '' WHERE id = ?", (url_id,))
            self.connection.execute("UPDATE page SET seen_run = ?, lastmod = ? WHERE key = ?", (run, lastmod, key))

    def changes(self) -> SiteChanges:
        """Compare the last crawl with the one before it. What could not be read, or was not looked for, is not called gone."""
        run, before = self.connection.execute(
            "SELECT coalesce(max(id), 0), coalesce((SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET 1), 0) FROM run"
        ).fetchone()
        if not before:
            return SiteChanges((), (), ())
        found = {
            "new": self._urls("first_run = ?", run),
            "changed": self._urls("changed_run = ? AND first_run < ?", run, run),
            "gone": () if self._is_list_open() else self._urls(f"seen_run = ? AND key NOT IN ({_NOT_LOOKED_AT})", before),
        }
        return SiteChanges(**found)

    def _urls(self, where: str, *values: int) -> tuple[str, ...]:
        return tuple(url for (url,) in self.connection.execute(f"SELECT url FROM page WHERE {where} ORDER BY key", values))

    def _is_list_open(self) -> bool:
        """Whether a sitemap was not read, so that nobody knows which pages there are."""
        query = "SELECT 1 FROM url WHERE kind = 'sitemap' AND state IN ('pending', 'failed') LIMIT 1"
        return self.connection.execute(query).fetchone() is not None

    def read(self, keys: Iterable[str] | None = None) -> Iterator[StoredPage]:
        """Pages without their HTML: those of this crawl in the order of their keys, or those of ``keys`` in the given order."""
        if keys is None:
            for row in self.connection.execute(f"SELECT {_COLUMNS}, content FROM page WHERE key IN ({_DONE}) ORDER BY key"):
                yield _stored_page(row)
            return
        for key in keys:
            row = self.connection.execute(f"SELECT {_COLUMNS}, content FROM page WHERE key = ?", (key,)).fetchone()
            if row:
                yield _stored_page(row)

    def read_heads(self) -> Iterator[StoredPage]:
        """The pages of this crawl in the order of their keys, without blocks and links: much faster."""
        for row in self.connection.execute(f"SELECT {_COLUMNS}, NULL FROM page WHERE key IN ({_DONE}) ORDER BY key"):
            yield _stored_page(row)

    def keys(self) -> list[str]:
        """The keys of all pages that are stored, in order."""
        return [str(key) for (key,) in self.connection.execute("SELECT key FROM page ORDER BY key")]

    def html(self, key: str) -> tuple[bytes, str]:
        """The body of a page as received and its codec; empty where none was kept."""
        row = self.connection.execute("SELECT html, codec FROM page WHERE key = ?", (key,)).fetchone()
        return (zlib.decompress(row[0]), str(row[1])) if row and row[0] else (b"", "utf-8")

    def count(self) -> int:
        """How many pages are stored."""
        return int(self.connection.execute("SELECT count(*) FROM page").fetchone()[0])


_COLUMNS = "key, url, raw_title, h1, language, published, alternates"
_DONE = "SELECT key FROM url WHERE kind = 'page' AND state = 'done'"
_NOT_LOOKED_AT = (
    "SELECT key FROM url WHERE kind = 'page' AND (state IN ('pending', 'failed')"
    " OR reason LIKE 'url_filter%' OR reason LIKE 'exclude%')"
)


def _pack_content(blocks: tuple[Block, ...], links: tuple[FoundLink, ...]) -> bytes:
    content = [[[b.kind, b.text] for b in blocks], [[k.url, k.block, k.start, k.end] for k in links]]
    return zlib.compress(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass"), 6)


def _stored_page(row: tuple[Any, ...]) -> StoredPage:
    key, url, raw_title, h1, language, published, alternates, packed = row
    blocks, links = json.loads(zlib.decompress(packed).decode("utf-8", "surrogatepass")) if packed else ((), ())
    return StoredPage(
        key=key,
        url=url,
        raw_title=raw_title,
        h1=h1,
        language=language,
        published=date.fromisoformat(published) if published else None,
        alternates=tuple((code, href) for code, href in json.loads(alternates)),
        blocks=tuple(Block(BlockKind(kind), text) for kind, text in blocks),
        links=tuple(FoundLink(*link) for link in links),
    )
