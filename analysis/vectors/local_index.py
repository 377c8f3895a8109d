"""The index that needs no service: a table in a SQLite file, searched exactly."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import numpy as np

from analysis.vectors.index import DECIMALS, Entry, Match, VectorIndexError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_TABLE = """
CREATE TABLE IF NOT EXISTS article (
    namespace TEXT NOT NULL, id TEXT NOT NULL, vector BLOB NOT NULL, metadata TEXT NOT NULL, PRIMARY KEY (namespace, id))
"""


class LocalIndex:
    """See :class:`analysis.vectors.index.VectorIndex`; vectors are little-endian float32."""

    name = "local"

    def __init__(self, path: Path) -> None:
        """:raises VectorIndexError: if the file cannot be opened."""
        try:
            self._connection = sqlite3.connect(path)
            self._connection.execute(_TABLE)
        except sqlite3.Error as error:
            raise VectorIndexError(f"The index {path} cannot be opened: {error}.") from error

    def upsert(self, namespace: str, entries: Sequence[Entry]) -> None:
        """See the protocol."""
        found = self._connection.execute("SELECT length(vector) / 4 FROM article LIMIT 1").fetchone()
        wrong = next((len(e.vector) for e in entries if found and len(e.vector) != found[0]), None)
        if wrong is not None:
            raise VectorIndexError(f"The local index holds vectors of {found[0]} numbers, not of {wrong}; vectors are not mixed.")
        rows = [(namespace, e.id, e.vector.astype("<f4").tobytes(), json.dumps(dict(e.metadata))) for e in entries]
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO article VALUES (?, ?, ?, ?)", rows)

    def query(self, namespace: str, vector: NDArray[np.float32], top: int) -> list[Match]:
        """See the protocol."""
        rows = self._connection.execute("SELECT id, vector, metadata FROM article WHERE namespace = ? ORDER BY id", (namespace,))
        found = rows.fetchall()
        if not found:
            return []
        table = np.frombuffer(b"".join(row[1] for row in found), dtype="<f4").reshape(len(found), -1)
        scores = (table @ vector).round(DECIMALS)
        order = np.argsort(-scores, kind="stable")[:top]
        return [Match(found[at][0], float(scores[at]), json.loads(found[at][2])) for at in order]

    def delete(self, namespace: str, ids: Sequence[str]) -> None:
        """See the protocol."""
        with self._connection:
            self._connection.executemany("DELETE FROM article WHERE namespace = ? AND id = ?", [(namespace, id_) for id_ in ids])

    def close(self) -> None:
        """See the protocol."""
        self._connection.close()
