"""One crawl a site at a time: two would hand out the same addresses and settle them against each other."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from analysis.store.crawl_store import StoreError

if TYPE_CHECKING:
    from pathlib import Path

LOCK_NAME = "crawl.lock"


class CrawlLock:
    """Held from its making until :meth:`release`, or until the process ends, however it ends.

    It is SQLite's own lock on an empty database beside the store: it works on every system that SQLite works on, and the
    system gives it back after a kill.
    """

    def __init__(self, folder: Path) -> None:
        """:raises StoreError: if another process holds the lock of this folder."""
        self._connection = sqlite3.connect(folder / LOCK_NAME, timeout=0, isolation_level=None)
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._connection.close()
            raise StoreError(f"Another crawl of this site is running (it writes to {folder}); wait for it or stop it.") from error

    def release(self) -> None:
        """Let the next crawl of the site begin."""
        self._connection.close()
