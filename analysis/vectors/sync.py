"""Keep an index in step with the crawl store: what is new or has changed goes in, what has vanished goes out, the rest stays.

What each index was given is noted in the store after it has taken it, so a run that is cut off goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from analysis.vectors.index import Entry, VectorIndex

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS indexed (
    place TEXT NOT NULL, namespace TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (place, namespace, id))
"""
_CHUNK: Final = 200  # articles put in and noted together


@dataclass(frozen=True, slots=True)
class SyncCounts:
    """What a run did to an index."""

    upserted: int
    unchanged: int
    deleted: int


def sync(
    index: VectorIndex, connection: sqlite3.Connection, namespace: str, entries: Iterable[Entry], *, complete: bool = True
) -> SyncCounts:
    """Make ``namespace`` of the index hold ``entries`` and nothing else that this store ever put there.

    ``complete``: whether these are all articles of the site; if not, none is taken for vanished.

    :raises VectorIndexError: if the index fails; what it took before is noted.
    """
    connection.execute(_TABLE)
    rows = connection.execute("SELECT id, digest FROM indexed WHERE place = ? AND namespace = ?", (index.name, namespace))
    known = dict(rows.fetchall())
    upserted = unchanged = 0
    waiting: list[tuple[Entry, str]] = []

    def send() -> None:
        nonlocal upserted
        index.upsert(namespace, [entry for entry, _ in waiting])
        noted = [(index.name, namespace, entry.id, digest) for entry, digest in waiting]
        connection.executemany("INSERT OR REPLACE INTO indexed VALUES (?, ?, ?, ?)", noted)
        connection.commit()
        upserted += len(waiting)
        waiting.clear()

    vanished = set(known) if complete else set()
    for entry in entries:
        vanished.discard(entry.id)
        digest = entry_digest(entry)
        if known.get(entry.id) == digest:
            unchanged += 1
            continue
        waiting.append((entry, digest))
        if len(waiting) == _CHUNK:
            send()
    if waiting:
        send()
    if vanished:
        gone = sorted(vanished)
        index.delete(namespace, gone)
        connection.executemany(
            "DELETE FROM indexed WHERE place = ? AND namespace = ? AND id = ?", [(index.name, namespace, id_) for id_ in gone]
        )
        connection.commit()
    return SyncCounts(upserted, unchanged, len(vanished))


def namespaces(index: VectorIndex, connection: sqlite3.Connection) -> set[str]:
    """The namespaces of the index that this store has put something into."""
    connection.execute(_TABLE)
    rows = connection.execute("SELECT DISTINCT namespace FROM indexed WHERE place = ?", (index.name,))
    return {str(namespace) for (namespace,) in rows}


def entry_digest(entry: Entry) -> str:
    """What tells whether an article has changed since it was put in: its vector and its metadata."""
    digest = hashlib.sha256(entry.vector.astype("<f4").tobytes())
    digest.update(json.dumps(dict(entry.metadata), sort_keys=True).encode())
    return digest.hexdigest()[:32]
