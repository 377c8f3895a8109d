"""The connection to a crawl store: steps that belong together are written together, and a full disk is told in one sentence."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

_NOT_WRITTEN = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})


class StoreError(Exception):
    """The store cannot be used; the message says why in one sentence."""


class StoreConnection(sqlite3.Connection):
    """Like any connection, but a write that fails leaves nothing half done and raises :class:`StoreError`.

    SQLite may keep a transaction open whose last statement found no space, and the next commit would write its first half.
    """

    _held = False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within the block is committed at its end, or not at all."""
        self._held = True
        try:
            yield
        except BaseException:
            self._held = False
            self.rollback()
            raise
        self._held = False
        self.commit()

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """See sqlite3."""
        with self._undone_on_failure():
            return super().execute(*arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        """See sqlite3."""
        with self._undone_on_failure():
            return super().executemany(*arguments)

    def commit(self) -> None:
        """See sqlite3; waits for the end of a :meth:`transaction`."""
        if not self._held:
            with self._undone_on_failure():
                super().commit()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        if error is None:
            self.commit()
        elif not self._held:
            self.rollback()
        return False

    @contextmanager
    def _undone_on_failure(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if self.in_transaction:
                self.rollback()
            if error.sqlite_errorcode & 0xFF in _NOT_WRITTEN:  # the low byte is the primary code, see sqlite.org/rescode.html
                told = f"The crawl store cannot be written ({error}; is there space on the disk?). What it holds is kept."
                raise StoreError(told) from error
            raise
