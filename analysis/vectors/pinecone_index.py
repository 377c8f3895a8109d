"""Pinecone (https://docs.pinecone.io/reference/api), by its own SDK; the key comes from PINECONE_API_KEY only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from analysis.vectors.index import DECIMALS, Entry, Match, VectorIndexError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

KEY: Final = "PINECONE_API_KEY"
_INSTALL: Final = "pip install pinecone==10.2.0"
_UPSERT: Final = 200  # vectors a request: 1,024 numbers each stay below the 2 MB that a request may have
_DELETE: Final = 1000  # ids a request, the API's limit


class PineconeIndex:
    """See :class:`analysis.vectors.index.VectorIndex`; the index must exist, with metric cosine and the model's dimension."""

    def __init__(self, host: str) -> None:
        """``host``: the address of the index, from its page in the console.

        :raises VectorIndexError: if the SDK, the key or the host is missing.
        """
        try:
            from pinecone import Pinecone  # noqa: PLC0415
        except ImportError as error:
            raise VectorIndexError(f"INTERLINK_INDEX=pinecone needs its package; install it: {_INSTALL}") from error
        key = os.environ.get(KEY, "").strip()
        missing = [
            name for name, value in ((f"the environment variable {KEY}", key), ("INTERLINK_INDEX_HOST", host)) if not value
        ]
        if missing:
            raise VectorIndexError(f"INTERLINK_INDEX=pinecone needs {' and '.join(missing)}.")
        self.name = f"pinecone {host}"
        self._index: Any = Pinecone(api_key=key).index(host=host)

    def upsert(self, namespace: str, entries: Sequence[Entry]) -> None:
        """See the protocol."""
        for start in range(0, len(entries), _UPSERT):
            part = entries[start : start + _UPSERT]
            vectors = [(entry.id, entry.vector.tolist(), dict(entry.metadata)) for entry in part]
            self._call("upsert", vectors=vectors, namespace=namespace)

    def query(self, namespace: str, vector: NDArray[np.float32], top: int) -> list[Match]:
        """See the protocol; what was just put in may take Pinecone some seconds to find."""
        answer = self._call("query", vector=vector.tolist(), top_k=top, namespace=namespace, include_metadata=True)
        matches = [Match(found.id, round(found.score, DECIMALS), dict(found.metadata or {})) for found in answer.matches]
        return sorted(matches, key=lambda match: (-match.score, match.id))

    def delete(self, namespace: str, ids: Sequence[str]) -> None:
        """See the protocol."""
        for start in range(0, len(ids), _DELETE):
            self._call("delete", ids=list(ids[start : start + _DELETE]), namespace=namespace)

    def close(self) -> None:
        """See the protocol."""
        self._index.close()

    def _call(self, method: str, **arguments: Any) -> Any:
        from pinecone.errors import PineconeError  # noqa: PLC0415

        try:
            return getattr(self._index, method)(**arguments)
        except PineconeError as error:
            said = " ".join(str(error).replace(os.environ.get(KEY) or "\0", "***").split())[:300]
            raise VectorIndexError(f"Pinecone refuses to {method}: {said}") from None
