"""The figures of Search Console at rest: one row an address and query, and one an address with the query ""."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator


class SearchFigures(NamedTuple):
    """What is known of a page, or of a page for one query; None where it is unknown."""

    key: str
    query: str
    clicks: float | None
    impressions: float | None
    ctr: float | None
    position: float | None


class SearchConsoleTable:
    """The table ``search_console``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def replace(self, exports: Iterable[Iterable[SearchFigures]]) -> None:
        """Keep the figures of these exports and no others; where two tell of the same, the one with more impressions counts."""
        with self.connection:
            self.connection.execute("DELETE FROM search_console")
            for rows in exports:
                self.connection.executemany(
                    "INSERT INTO search_console VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key, query) DO UPDATE SET "
                    "clicks = excluded.clicks, impressions = excluded.impressions, ctr = excluded.ctr, "
                    "position = excluded.position WHERE coalesce(excluded.impressions, 0) > coalesce(impressions, 0)",
                    rows,
                )

    def read(self) -> Iterator[SearchFigures]:
        """All rows, by key and query."""
        for row in self.connection.execute("SELECT * FROM search_console ORDER BY key, query"):
            yield SearchFigures(*row)
