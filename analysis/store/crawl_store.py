"""The crawl store as a whole: one file, its tables, its runs, and the decisions that users made about proposals."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from analysis.store.connection import StoreConnection, StoreError
from analysis.store.page_table import PageTable
from analysis.store.schema import FILE_NAME, SCHEMA, SCHEMA_VERSION
from analysis.store.search_console_table import SearchConsoleTable
from analysis.store.url_table import UrlTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import TracebackType

__all__ = ["CrawlStore", "StoreError"]


class CrawlStore:
    """The crawl store of one site; use as a context manager or call :meth:`close`."""

    def __init__(self, connection: StoreConnection, folder: Path) -> None:
        self.connection = connection
        self.folder = folder
        self.urls = UrlTable(connection)
        self.pages = PageTable(connection)
        self.search_console = SearchConsoleTable(connection)

    @classmethod
    def create(cls, folder: Path) -> CrawlStore:
        """Open the store in ``folder``, making both where they are missing.

        :raises StoreError: if the folder cannot be written or the file is no store of this version.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(folder / FILE_NAME, timeout=30, factory=StoreConnection)
            connection.execute("PRAGMA page_size=8192")  # a vector of 2 KB would leave half of each smaller page empty
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

    def reopened(self) -> CrawlStore:
        """The same store for reading, over a connection of its own: what a fork of this process needs."""
        address = f"{(self.folder / FILE_NAME).resolve().as_uri()}?mode=ro"
        return CrawlStore(sqlite3.connect(address, timeout=30, uri=True, factory=StoreConnection), self.folder)

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

    def transaction(self) -> AbstractContextManager[None]:
        """All that is written within the block is committed at its end, or not at all."""
        return self.connection.transaction()

    # -- facts about the crawl as a whole

    def get_meta(self, name: str, default: str = "") -> str:
        """A fact about the site or the last run."""
        row = self.connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else default

    def set_meta(self, name: str, value: str) -> None:
        """Remember a fact about the site or the last run."""
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))
        self.connection.commit()

    def start_run(self, arguments: Mapping[str, Any]) -> int:
        """Note the beginning of a crawl and return its number."""
        cursor = self.connection.execute(
            "INSERT INTO run (started, arguments) VALUES (?, ?)", (_now(), json.dumps(arguments, sort_keys=True))
        )
        self.connection.commit()
        return int(cursor.lastrowid or 0)

    def resume_run(self) -> int:
        """The newest crawl goes on; return its number."""
        run = self.newest_run()
        self.connection.execute("UPDATE run SET finished = NULL, reason = NULL WHERE id = ?", (run,))
        self.connection.commit()
        return run

    def finish_run(self, run: int, reason: str, *, plan_due: bool = False) -> None:
        """Note how a crawl ended (Scrapy's finish reason), and whether a plan is still to come."""
        with self.transaction():
            self.connection.execute("UPDATE run SET finished = ?, reason = ? WHERE id = ?", (_now(), reason, run))
            self.set_meta(_PLAN_DUE, str(run) if plan_due else "")

    def plan_is_due(self) -> bool:
        """Whether the newest crawl ended and was killed before its plan was made."""
        return self.get_meta(_PLAN_DUE) == str(self.newest_run())

    def plan_is_done(self) -> None:
        """The plan was made, or has failed and said why: the next crawl begins anew."""
        self.set_meta(_PLAN_DUE, "")

    def newest_run(self) -> int:
        """The number of the newest crawl; 0 before the first."""
        return int(self.connection.execute("SELECT coalesce(max(id), 0) FROM run").fetchone()[0])

    def last_run(self) -> tuple[str, dict[str, Any]]:
        """The finish reason ("" while it runs, or after a kill) and the arguments of the newest run."""
        row = self.connection.execute("SELECT reason, arguments FROM run ORDER BY id DESC LIMIT 1").fetchone()
        return (row[0] or "", json.loads(row[1])) if row else ("", {})

    # -- decisions about proposed pairs

    def put_decisions(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Keep ``(source key, target key, status)`` rows; a later status replaces an earlier one."""
        self.connection.executemany("INSERT OR REPLACE INTO decision VALUES (?, ?, ?)", rows)
        self.connection.commit()

    def decisions(self) -> Iterator[tuple[str, str, str]]:
        """All ``(source key, target key, status)`` rows, sorted."""
        yield from self.connection.execute("SELECT source, target, status FROM decision ORDER BY source, target")


_PLAN_DUE = "plan_due"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
