"""PostgreSQL with the extension pgvector (https://github.com/pgvector/pgvector), searched exactly.

The connection string may hold a password, so it comes from the environment: INTERLINK_PG_DSN, or libpq's own PGHOST, PGUSER, ….
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from analysis.vectors.index import DECIMALS, Entry, Match, VectorIndexError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

DSN: Final = "INTERLINK_PG_DSN"
_INSTALL: Final = 'pip install "psycopg[binary]==3.3.9" pgvector==0.5.1'

_CREATE: Final = """
CREATE TABLE IF NOT EXISTS interlink_article (
    namespace text NOT NULL, id text NOT NULL, embedding vector NOT NULL, metadata jsonb NOT NULL, PRIMARY KEY (namespace, id))
"""
_UPSERT: Final = """
INSERT INTO interlink_article VALUES (%s, %s, %s, %s)
ON CONFLICT (namespace, id) DO UPDATE SET embedding = excluded.embedding, metadata = excluded.metadata
"""
_QUERY: Final = """
SELECT id, 1 - (embedding <=> %(vector)s) AS score, metadata FROM interlink_article
WHERE namespace = %(namespace)s ORDER BY embedding <=> %(vector)s, id LIMIT %(top)s
"""


class PgvectorIndex:
    """See :class:`analysis.vectors.index.VectorIndex`; makes its table, and the extension where it may."""

    def __init__(self) -> None:
        """:raises VectorIndexError: if a package is missing, or the database cannot be reached or has no pgvector."""
        try:
            import psycopg  # noqa: PLC0415
            from pgvector.psycopg import register_vector  # noqa: PLC0415
        except ImportError as error:
            raise VectorIndexError(f"INTERLINK_INDEX=pgvector needs its packages; install them: {_INSTALL}") from error
        self._error: type[Exception] = psycopg.Error
        try:
            self._connection: Any = psycopg.connect(os.environ.get(DSN, ""), autocommit=True, connect_timeout=10)
            self._connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            register_vector(self._connection)
            self._connection.execute(_CREATE)
        except psycopg.Error as error:
            raise VectorIndexError(f"PostgreSQL ({DSN}) cannot be used: {_first_line(error)}") from None
        info = self._connection.info
        self.name = f"pgvector {info.host}:{info.port}/{info.dbname}"

    def upsert(self, namespace: str, entries: Sequence[Entry]) -> None:
        """See the protocol."""
        from psycopg.types.json import Jsonb  # noqa: PLC0415

        rows = [(namespace, entry.id, entry.vector, Jsonb(dict(entry.metadata))) for entry in entries]
        with self._told(), self._connection.transaction(), self._connection.cursor() as cursor:
            held = cursor.execute("SELECT vector_dims(embedding) FROM interlink_article LIMIT 1").fetchone()
            wrong = next((len(entry.vector) for entry in entries if held and len(entry.vector) != held[0]), None)
            if wrong is not None:
                raise VectorIndexError(f"The database holds vectors of {held[0]} numbers, not of {wrong}; vectors are not mixed.")
            cursor.executemany(_UPSERT, rows)

    def query(self, namespace: str, vector: NDArray[np.float32], top: int) -> list[Match]:
        """See the protocol."""
        with self._told():
            rows = self._connection.execute(_QUERY, {"vector": vector, "namespace": namespace, "top": top}).fetchall()
        matches = [Match(id_, round(score, DECIMALS), metadata) for id_, score, metadata in rows]
        return sorted(matches, key=lambda match: (-match.score, match.id))

    def delete(self, namespace: str, ids: Sequence[str]) -> None:
        """See the protocol."""
        with self._told():
            self._connection.execute(
                "DELETE FROM interlink_article WHERE namespace = %s AND id = ANY(%s)", (namespace, list(ids))
            )

    def close(self) -> None:
        """See the protocol."""
        self._connection.close()

    def _told(self) -> _Told:
        return _Told(self._error)


class _Told:
    """Tells what a database says in one sentence."""

    def __init__(self, error: type[Exception]) -> None:
        self._error = error

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, self._error):
            raise VectorIndexError(f"PostgreSQL refuses: {_first_line(error)}") from None


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
