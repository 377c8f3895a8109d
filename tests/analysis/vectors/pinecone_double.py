"""A DOUBLE of a Pinecone index's data plane, on loopback. It is not Pinecone: it keeps vectors in a dictionary.

It follows the published API (https://docs.pinecone.io/reference/api/2025-10/data-plane): ``/vectors/upsert``, ``/query``,
``/vectors/delete`` and ``/describe_index_stats``, the Api-Key header, the error bodies, and the limits of a request. The project's
adapter speaks to it through Pinecone's own SDK.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import numpy as np

_UPSERT_LIMIT, _DELETE_LIMIT, _BODY_LIMIT, _TOP_LIMIT, _METADATA_LIMIT = 1000, 1000, 2 * 1024 * 1024, 10_000, 40_960
Answer = tuple[int, dict[str, Any] | str]


class PineconeDouble:
    """Serves while it is entered; ``vectors`` has a dictionary a namespace, ``calls`` the paths that were asked for."""

    def __init__(self, key: str, dimension: int) -> None:
        self.key, self.dimension = key, dimension
        self.vectors: dict[str, dict[str, tuple[np.ndarray, dict]]] = {}
        self.calls: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.host = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, body: bytes, key: str) -> Answer:
        self.calls.append(path)
        if key != self.key:
            return 401, "Invalid API Key"
        if len(body) > _BODY_LIMIT:
            return _refuse(f"message length too large: found {len(body)} bytes, the limit is: {_BODY_LIMIT} bytes")
        asked = json.loads(body or b"{}")
        known = {"/vectors/upsert": self._upsert, "/query": self._query, "/vectors/delete": self._delete}
        if path == "/describe_index_stats":
            counts = {name: {"vectorCount": len(part)} for name, part in self.vectors.items() if part}
            total = sum(len(part) for part in self.vectors.values())
            return 200, {"namespaces": counts, "dimension": self.dimension, "totalVectorCount": total, "metric": "cosine"}
        return known[path](asked, asked.get("namespace", "")) if path in known else (404, "Not found")

    def _upsert(self, asked: dict[str, Any], namespace: str) -> Answer:
        vectors = asked.get("vectors", [])
        if not 0 < len(vectors) <= _UPSERT_LIMIT:
            return _refuse(f"Vectors per request must be between 1 and {_UPSERT_LIMIT}")
        for vector in vectors:
            if not (vector["id"].isascii() and 0 < len(vector["id"]) <= 512):
                return _refuse(f"Vector ID must be ASCII, but got '{vector['id']}'")
            if len(vector["values"]) != self.dimension:
                return _refuse(
                    f"Vector dimension {len(vector['values'])} does not match the dimension of the index {self.dimension}"
                )
            if not any(vector["values"]):
                return _refuse("Dense vectors must contain at least one non-zero value.")
            metadata = vector.get("metadata", {})
            if any(not isinstance(value, str | int | float | bool) for value in metadata.values()):
                return _refuse("Metadata value must be a string, number, boolean or list of strings")
            if len(json.dumps(metadata)) > _METADATA_LIMIT:
                return _refuse("metadata size exceeds the limit of 40960 bytes per vector")
        part = self.vectors.setdefault(namespace, {})
        part.update({v["id"]: (np.array(v["values"], dtype=np.float32), v.get("metadata", {})) for v in vectors})
        return 200, {"upsertedCount": len(vectors)}

    def _query(self, asked: dict[str, Any], namespace: str) -> Answer:
        vector = np.array(asked["vector"], dtype=np.float32)
        if len(vector) != self.dimension:
            return _refuse(f"Vector dimension {len(vector)} does not match the dimension of the index {self.dimension}")
        if not 1 <= asked["topK"] <= _TOP_LIMIT:
            return _refuse(f"Invalid topK value: {asked['topK']}")
        found = []
        for id_, (values, metadata) in self.vectors.get(namespace, {}).items():
            cosine = float(values @ vector / (np.linalg.norm(values) * np.linalg.norm(vector)))
            found.append(
                {"id": id_, "score": cosine, "values": [], **({"metadata": metadata} if asked.get("includeMetadata") else {})}
            )
        found.sort(key=lambda match: -match["score"])
        return 200, {"matches": found[: asked["topK"]], "namespace": namespace, "usage": {"readUnits": 5}}

    def _delete(self, asked: dict[str, Any], namespace: str) -> Answer:
        ids = asked.get("ids", [])
        if not 0 < len(ids) <= _DELETE_LIMIT:
            return _refuse(f"Number of IDs must be between 1 and {_DELETE_LIMIT}")
        for id_ in ids:
            self.vectors.get(namespace, {}).pop(id_, None)
        return 200, {}

    def _handler(double) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, content = double.answer(self.path, body, self.headers.get("Api-Key", ""))
                answer = (content if isinstance(content, str) else json.dumps(content)).encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/plain" if isinstance(content, str) else "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _refuse(message: str) -> Answer:
    return 400, {"code": 3, "message": message, "details": []}
