"""Vectors that were computed once: kept in the crawl store under the model's id and a digest of the text.

A second run embeds only the texts that changed, a changed model finds its own vectors or none, and a killed run loses the chunk
that was being computed.
"""

from __future__ import annotations

import hashlib
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from analysis.embedding.parallel import EmbeddingPool

# Not WITHOUT ROWID: rows of 2 KB overflow the pages of such a table (measured: twice the time to write, three times to read).
CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS vector (
    model TEXT NOT NULL,
    digest BLOB NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (model, digest)
)
"""

_WINDOW_TEXTS, _WINDOW_CHARS = 8192, 8_000_000  # looked up together
_CHUNK_TEXTS, _CHUNK_CHARS = 1024, 65_536  # embedded and saved together: about a second of one core
_LOOKUP = 500  # parameters of one statement; SQLite before 3.32 allows 999


def text_digest(text: str) -> bytes:
    """16 bytes that stand for the text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


class VectorCache:
    """The vectors of one model in a table that :data:`CREATE_TABLE` made; rows are little-endian float32."""

    def __init__(self, connection: sqlite3.Connection, model_id: str) -> None:
        self._connection = connection
        self._model = model_id

    def get(self, digests: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Those of the vectors that are known, by digest."""
        known = {}
        for start in range(0, len(digests), _LOOKUP):
            part = digests[start : start + _LOOKUP]
            marks = ",".join("?" * len(part))
            query = f"SELECT digest, data FROM vector WHERE model = ? AND digest IN ({marks})"
            for digest, data in self._connection.execute(query, (self._model, *part)):
                known[digest] = np.frombuffer(data, dtype="<f4")
        return known

    def put(self, vectors: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Keep the vectors, and commit."""
        rows = [(self._model, digest, vector.astype("<f4").tobytes()) for digest, vector in vectors.items()]
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany("INSERT OR REPLACE INTO vector (model, digest, data) VALUES (?, ?, ?)", rows)
        self._connection.commit()


def embed_texts(
    texts: Iterable[str],
    count: int,
    pool: EmbeddingPool,
    connection: sqlite3.Connection,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float32]:
    """Unit rows of shape (count, dimension), in the order of ``texts``; what the cache lacks is computed and saved by chunks.

    ``texts`` is read once, a window at a time, so it may come straight from the store. ``progress`` is told (rows known, count).

    :raises EmbedderError: if the model cannot be loaded or a worker dies; the chunks computed so far are kept.
    :raises ValueError: if ``texts`` does not give ``count`` texts.
    """
    cache = VectorCache(connection, pool.embedder.model_id)
    dimension = pool.embedder.dimension
    out = np.zeros((count, dimension), dtype=np.float32)
    computing: deque[_Chunk] = deque()
    done = 0

    def report(rows: int) -> None:
        nonlocal done
        done += rows
        if progress:
            progress(done, count)

    def missing() -> Iterator[list[str]]:
        taken = 0
        for window in _windows(texts):
            rows: dict[bytes, list[int]] = {}
            for row, text in enumerate(window, start=taken):
                rows.setdefault(text_digest(text), []).append(row)
            known = {digest: vector for digest, vector in cache.get(list(rows)).items() if len(vector) == dimension}
            for digest, vector in known.items():
                out[rows[digest]] = vector
            report(sum(len(rows[digest]) for digest in known))
            for chunk in _chunks([(digest, window[at[0] - taken], at) for digest, at in rows.items() if digest not in known]):
                computing.append(chunk)
                yield chunk.texts
            taken += len(window)
        if taken != count:
            raise ValueError(f"{count} texts were announced, {taken} came")

    for vectors in pool.encode_chunks(missing()):
        chunk = computing.popleft()
        cache.put(dict(zip(chunk.digests, vectors, strict=True)))
        for rows, vector in zip(chunk.rows, vectors, strict=True):
            out[rows] = vector
        report(sum(map(len, chunk.rows)))
    return out


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Texts that are embedded and saved together, each once, and the rows that each of them fills."""

    digests: list[bytes]
    texts: list[str]
    rows: list[list[int]]


def _windows(texts: Iterable[str]) -> Iterator[list[str]]:
    window: list[str] = []
    chars = 0
    for text in texts:
        window.append(text)
        chars += len(text)
        if len(window) == _WINDOW_TEXTS or chars >= _WINDOW_CHARS:
            yield window
            window, chars = [], 0
    if window:
        yield window


def _chunks(entries: list[tuple[bytes, str, list[int]]]) -> Iterator[_Chunk]:
    """Texts of like length together (they share batches), the longest first (the last chunks are done at about one time)."""
    entries.sort(key=lambda entry: len(entry[1]), reverse=True)
    start = chars = 0
    for end, (_, text, _) in enumerate(entries, start=1):
        chars += len(text)
        if end - start == _CHUNK_TEXTS or chars >= _CHUNK_CHARS or end == len(entries):
            digests, chunk_texts, rows = zip(*entries[start:end], strict=True)
            yield _Chunk(list(digests), list(chunk_texts), list(rows))
            start, chars = end, 0
