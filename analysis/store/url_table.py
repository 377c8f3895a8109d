"""The frontier at rest: every address that was ever seen, with its state, and which addresses lead to which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.store.rows import NewUrl, UrlKind, UrlRow, UrlState

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator


class UrlTable:
    """The tables ``url`` and ``alias``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def forget(self) -> None:
        """Begin a crawl anew: the frontier and the aliases go; pages and vectors stay until they are replaced."""
        with self.connection:
            self.connection.execute("DELETE FROM url")
            self.connection.execute("DELETE FROM alias")

    def add(self, rows: Iterable[NewUrl]) -> None:
        """List addresses; a key that is listed already stays as it is."""
        self.connection.executemany(
            "INSERT OR IGNORE INTO url (kind, key, url, state, reason, detail, lastmod, hops) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        self.connection.commit()

    def pending(self, kind: UrlKind, after: int, limit: int) -> list[UrlRow]:
        """The next pending rows by id, beginning behind ``after``."""
        return self._rows("kind = ? AND state = 'pending' AND id > ? ORDER BY id LIMIT ?", (kind, after, limit))

    def find(self, kind: UrlKind, key: str) -> UrlRow | None:
        """The row of a key, if it was ever seen."""
        found = self._rows("kind = ? AND key = ?", (kind, key))
        return found[0] if found else None

    def get(self, url_id: int) -> UrlRow:
        """The row with this number."""
        return self._rows("id = ?", (url_id,))[0]

    def has_pages_of(self, site: str) -> bool:
        """Whether any page of this site (host without www, as keys begin with it) was ever listed."""
        row = self.connection.execute(
            "SELECT 1 FROM url WHERE kind = 'page' AND key >= ? AND key < ? LIMIT 1", (site, site + chr(0x10FFFF))
        ).fetchone()
        return row is not None

    def in_states(self, *states: UrlState) -> Iterator[UrlRow]:
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

    def count(self) -> dict[tuple[UrlKind, UrlState, str], int]:
        """How many addresses are in which state for which reason."""
        rows = self.connection.execute("SELECT kind, state, coalesce(reason, ''), count(*) FROM url GROUP BY 1, 2, 3")
        return {(UrlKind(kind), UrlState(state), reason): n for kind, state, reason, n in rows}

    def _rows(self, where: str, values: tuple[Any, ...]) -> list[UrlRow]:
        rows = self.connection.execute(f"SELECT {_URL_COLUMNS} FROM url WHERE {where}", values)
        return [_url_row(row) for row in rows]

    def add_alias(self, key: str, target: str, kind: str) -> None:
        """Note that one key was seen to lead to another (``redirect``, ``canonical``, ``refresh``)."""
        self.connection.execute("INSERT OR REPLACE INTO alias VALUES (?, ?, ?)", (key, target, kind))
        self.connection.commit()

    def leads_to(self, key: str, target: str) -> bool:
        """Whether ``key`` was seen to lead to ``target``, at once or over others."""
        query = (
            "WITH RECURSIVE way(key) AS (SELECT ? UNION SELECT alias.target FROM alias JOIN way ON alias.key = way.key) "
            "SELECT 1 FROM way WHERE key = ?"
        )
        return self.connection.execute(query, (key, target)).fetchone() is not None

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


_URL_COLUMNS = "id, kind, key, url, state, coalesce(reason, ''), coalesce(detail, ''), coalesce(lastmod, ''), hops"


def _url_row(row: tuple[Any, ...]) -> UrlRow:
    identity, kind, key, url, state, *rest = row
    return UrlRow(identity, UrlKind(kind), key, url, UrlState(state), *rest)
