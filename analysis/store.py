"""The crawl store: one SQLite file a site, written as pages arrive and read by the plan.

The table ``url`` is the crawl's frontier and its account: every address that was ever seen stands in it with its state, so a
crawl goes on where it was killed, and coverage and ``skipped.csv`` fall out of the same rows.
WAL mode, one writer. A row is committed before the next one is taken from the network, so a kill loses what was in flight.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from analysis.records import Block, BlockKind, FoundLink

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from types import TracebackType

SCHEMA_VERSION = "1"
FILE_NAME = "crawl.db"

# The one place where the layout at rest is told.
SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY, started TEXT NOT NULL, finished TEXT, reason TEXT, arguments TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS url (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, url TEXT NOT NULL, state TEXT NOT NULL,
    reason TEXT, detail TEXT, lastmod TEXT, hops INTEGER NOT NULL DEFAULT 0, UNIQUE (kind, key));
CREATE INDEX IF NOT EXISTS url_state ON url (kind, state, id);
CREATE TABLE IF NOT EXISTS alias (key TEXT PRIMARY KEY, target TEXT NOT NULL, kind TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS page (
    key TEXT PRIMARY KEY, url TEXT NOT NULL, fetched TEXT NOT NULL, raw_title TEXT NOT NULL, h1 TEXT NOT NULL,
    language TEXT NOT NULL, published TEXT, alternates TEXT NOT NULL, content BLOB NOT NULL, html BLOB, codec TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS vector (
    model TEXT NOT NULL, digest TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (model, digest)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS decision (
    source TEXT NOT NULL, target TEXT NOT NULL, status TEXT NOT NULL, PRIMARY KEY (source, target)) WITHOUT ROWID;
"""


class StoreError(Exception):
    """The store cannot be used; the message says why in one sentence."""


class UrlKind(StrEnum):
    """What an address was listed as."""

    SITEMAP = "sitemap"
    PAGE = "page"


class UrlState(StrEnum):
    """How far the crawl is with an address."""

    PENDING = "pending"
    DONE = "done"
    SKIPPED = "skipped"  # left out on purpose: a rule, noindex, a redirect, too short …
    FAILED = "failed"  # it should have been read and could not be: refused, timeout, 5xx …


@dataclass(frozen=True, slots=True)
class UrlRow:
    """A row of the frontier; ``hops`` counts redirects that led to it."""

    id: int
    kind: UrlKind
    key: str
    url: str
    state: UrlState
    reason: str
    detail: str
    lastmod: str
    hops: int


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page as the crawl read it; ``links`` lead to absolute URLs, nothing of the site as a whole is settled yet."""

    key: str
    url: str
    raw_title: str
    h1: str
    language: str
    published: date | None
    alternates: tuple[tuple[str, str], ...]  # (hreflang, absolute URL)
    blocks: tuple[Block, ...]
    links: tuple[FoundLink, ...]
    html: bytes = b""  # the body as it was received; empty when the setting keeps none
    codec: str = "utf-8"


class CrawlStore:
    """The crawl store of one site; use as a context manager or call :meth:`close`."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self.connection = connection
        self.folder = folder

    @classmethod
    def create(cls, folder: Path) -> CrawlStore:
        """Open the store in ``folder``, making both where they are missing.

        :raises StoreError: if the folder cannot be written or the file is no store of this version.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(folder / FILE_NAME, timeout=30)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.executescript(SCHEMA)
            connection.execute("INSERT OR IGNORE INTO meta VALUES ('schema', ?)", (SCHEMA_VERSION,))
            connection.commit()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"The output folder {folder} cannot be written: {error}.") from error
        return cls(connection, folder)._checked()

    @classmethod
    def open(cls, folder: Path) -> CrawlStore:
        """Open an existing store.

        :raises StoreError: if there is none in ``folder``, or it is of another version.
        """
        if not (folder / FILE_NAME).is_file():
            raise StoreError(f"There is no crawl in {folder}: {FILE_NAME} is missing. Run `scrapy crawl interlink` first.")
        return cls.create(folder)

    def _checked(self) -> Self:
        found = self.get_meta("schema")
        if found != SCHEMA_VERSION:
            self.close()
            raise StoreError(f"{self.folder / FILE_NAME} has schema {found}, this version reads {SCHEMA_VERSION}; move it away.")
        return self

    def close(self) -> None:
        """Commit and close; the WAL is folded back into the one file."""
        self.connection.commit()
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # -- facts about the crawl as a whole

    def get_meta(self, name: str, default: str = "") -> str:
        """A fact about the site or the last run."""
        row = self.connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else default

    def set_meta(self, name: str, value: str) -> None:
        """Remember a fact about the site or the last run."""
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))
        self.connection.commit()

    def forget_urls(self) -> None:
        """Begin a crawl anew: the frontier and the aliases go; pages and vectors stay until they are replaced."""
        with self.connection:
            self.connection.execute("DELETE FROM url")
            self.connection.execute("DELETE FROM alias")

    def start_run(self, arguments: Mapping[str, Any]) -> int:
        """Note the beginning of a crawl and return its number."""
        cursor = self.connection.execute(
            "INSERT INTO run (started, arguments) VALUES (?, ?)", (_now(), json.dumps(arguments, sort_keys=True))
        )
        self.connection.commit()
        return int(cursor.lastrowid or 0)

    def finish_run(self, run: int, reason: str) -> None:
        """Note how a crawl ended (Scrapy's finish reason)."""
        self.connection.execute("UPDATE run SET finished = ?, reason = ? WHERE id = ?", (_now(), reason, run))
        self.connection.commit()

    def last_run(self) -> tuple[str, dict[str, Any]]:
        """The finish reason ("" while it runs, or after a kill) and the arguments of the newest run."""
        row = self.connection.execute("SELECT reason, arguments FROM run ORDER BY id DESC LIMIT 1").fetchone()
        return (row[0] or "", json.loads(row[1])) if row else ("", {})

    # -- the frontier

    def add_urls(self, rows: Iterable[tuple[UrlKind, str, str, UrlState, str, str, str, int]]) -> None:
        """Insert ``(kind, key, url, state, reason, detail, lastmod, hops)`` rows; a key that is there already stays as it is."""
        self.connection.executemany(
            "INSERT OR IGNORE INTO url (kind, key, url, state, reason, detail, lastmod, hops) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        self.connection.commit()

    def pending(self, kind: UrlKind, after: int, limit: int) -> list[UrlRow]:
        """The next pending rows by id, beginning behind ``after``."""
        return self._rows("kind = ? AND state = 'pending' AND id > ? ORDER BY id LIMIT ?", (kind, after, limit))

    def find_url(self, kind: UrlKind, key: str) -> UrlRow | None:
        """The row of a key, if it was ever seen."""
        found = self._rows("kind = ? AND key = ?", (kind, key))
        return found[0] if found else None

    def get_url(self, url_id: int) -> UrlRow:
        """The row with this number."""
        return self._rows("id = ?", (url_id,))[0]

    def has_pages_of(self, site: str) -> bool:
        """Whether any page of this site (host without www, as keys begin with it) was ever listed."""
        row = self.connection.execute(
            "SELECT 1 FROM url WHERE kind = 'page' AND key >= ? AND key < ? LIMIT 1", (site, site + chr(0x10FFFF))
        ).fetchone()
        return row is not None

    def urls(self, *states: UrlState) -> Iterator[UrlRow]:
        """All rows in one of ``states``, in the order in which they were found."""
        marks = ",".join("?" * len(states))
        for row in self.connection.execute(f"SELECT {_URL_COLUMNS} FROM url WHERE state IN ({marks}) ORDER BY id", states):
            yield _url_row(row)

    def settle(self, url_id: int, state: UrlState, reason: str = "", detail: str = "") -> None:
        """Note what became of an address."""
        self.connection.execute("UPDATE url SET state = ?, reason = ?, detail = ? WHERE id = ?", (state, reason, detail, url_id))
        self.connection.commit()

    def readdress(self, url_id: int, url: str) -> None:
        """The same page under another spelling of its address (a redirect to https, www, or a trailing slash)."""
        self.connection.execute("UPDATE url SET url = ?, hops = hops + 1 WHERE id = ?", (url, url_id))
        self.connection.commit()

    def count_urls(self) -> dict[tuple[UrlKind, UrlState, str], int]:
        """How many addresses are in which state for which reason."""
        rows = self.connection.execute("SELECT kind, state, coalesce(reason, ''), count(*) FROM url GROUP BY 1, 2, 3")
        return {(UrlKind(kind), UrlState(state), reason): n for kind, state, reason, n in rows}

    def _rows(self, where: str, values: tuple[Any, ...]) -> list[UrlRow]:
        rows = self.connection.execute(f"SELECT {_URL_COLUMNS} FROM url WHERE {where}", values)
        return [_url_row(row) for row in rows]

    # -- pages

    def add_alias(self, key: str, target: str, kind: str) -> None:
        """Note that one key was seen to lead to another (``redirect``, ``canonical``, ``refresh``)."""
        self.connection.execute("INSERT OR REPLACE INTO alias VALUES (?, ?, ?)", (key, target, kind))
        self.connection.commit()

    def aliases(self) -> dict[str, str]:
        """Every observed alias, followed to its end (a loop ends where it closes)."""
        step = dict(self.connection.execute("SELECT key, target FROM alias"))
        ends = {}
        for key, target in step.items():
            seen, end = {key}, target
            while end in step and end not in seen:
                seen.add(end)
                end = step[end]
            ends[key] = end
        return ends

    def put_page(self, page: StoredPage, url_id: int) -> None:
        """Write a page, replacing what was known under its key, and note in the same breath that its address is done."""
        self.connection.execute("UPDATE url SET state = 'done', reason = '', detail = '' WHERE id = ?", (url_id,))
        self.connection.execute(
            "INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                page.key,
                page.url,
                _now(),
                page.raw_title,
                page.h1,
                page.language,
                page.published.isoformat() if page.published else None,
                json.dumps(page.alternates),
                _pack_content(page.blocks, page.links),
                zlib.compress(page.html, 6) if page.html else None,
                page.codec,
            ),
        )
        self.connection.commit()

    def pages(self, keys: Iterable[str] | None = None) -> Iterator[StoredPage]:
        """Pages without their HTML: those of this crawl in the order of their keys, or those of ``keys`` in the given order."""
        columns = "key, url, raw_title, h1, language, published, alternates, content"
        if keys is None:
            done = "SELECT key FROM url WHERE kind = 'page' AND state = 'done'"
            for row in self.connection.execute(f"SELECT {columns} FROM page WHERE key IN ({done}) ORDER BY key"):
                yield _stored_page(row)
            return
        for key in keys:
            row = self.connection.execute(f"SELECT {columns} FROM page WHERE key = ?", (key,)).fetchone()
            if row:
                yield _stored_page(row)

    def html(self, key: str) -> tuple[bytes, str]:
        """The body of a page as received and its codec; empty where none was kept."""
        row = self.connection.execute("SELECT html, codec FROM page WHERE key = ?", (key,)).fetchone()
        return (zlib.decompress(row[0]), str(row[1])) if row and row[0] else (b"", "utf-8")

    # -- decisions about proposed pairs

    def put_decisions(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Keep ``(source key, target key, status)`` rows; a later status replaces an earlier one."""
        self.connection.executemany("INSERT OR REPLACE INTO decision VALUES (?, ?, ?)", rows)
        self.connection.commit()

    def decisions(self) -> Iterator[tuple[str, str, str]]:
        """All ``(source key, target key, status)`` rows, sorted."""
        yield from self.connection.execute("SELECT source, target, status FROM decision ORDER BY source, target")

    def count_pages(self) -> int:
        """How many pages are stored."""
        return int(self.connection.execute("SELECT count(*) FROM page").fetchone()[0])


_URL_COLUMNS = "id, kind, key, url, state, coalesce(reason, ''), coalesce(detail, ''), coalesce(lastmod, ''), hops"


def _url_row(row: tuple[Any, ...]) -> UrlRow:
    identity, kind, key, url, state, *rest = row
    return UrlRow(identity, UrlKind(kind), key, url, UrlState(state), *rest)


def _pack_content(blocks: tuple[Block, ...], links: tuple[FoundLink, ...]) -> bytes:
    content = [[[b.kind, b.text] for b in blocks], [[k.url, k.block, k.start, k.end] for k in links]]
    return zlib.compress(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass"), 6)


def _stored_page(row: tuple[Any, ...]) -> StoredPage:
    key, url, raw_title, h1, language, published, alternates, packed = row
    blocks, links = json.loads(zlib.decompress(packed).decode("utf-8", "surrogatepass"))
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


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
