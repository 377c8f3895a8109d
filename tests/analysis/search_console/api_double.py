"""A DOUBLE of Google's Search Console API and token server, on loopback. It is not Google's: it knows two endpoints.

It issues a token for a signed assertion, and answers ``searchAnalytics/query`` from a list of rows, with Google's paging, its
refusals, and now and then a passing fault. It exists because the real one needs an account and a verified site.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote

if TYPE_CHECKING:
    from types import TracebackType

Row = tuple[str, str, int, int, float]  # page, query, clicks, impressions, position


class ApiDouble:
    """Serves on ``url`` while it is entered; ``asked`` keeps every question with the property it was about."""

    def __init__(self, rows: list[Row], *, site: str = "sc-domain:a.test", faults: int = 0, refuse: bool = False) -> None:
        self.rows = rows
        self.site = site
        self.faults = faults
        self.refuse = refuse
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ApiDouble:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, body: bytes, token: str) -> tuple[int, dict[str, Any]]:
        if path == "/token":
            granted = parse_qs(body.decode()).get("assertion", [""])[0].count(".") == 2
            return (200, {"access_token": "good", "expires_in": 3600}) if granted else (400, {"error": "invalid_grant"})
        if token != "Bearer good" or self.refuse:
            return 403, {"error": {"message": "User does not have sufficient permission for site"}}
        site = unquote(path.removeprefix("/webmasters/v3/sites/").removesuffix("/searchAnalytics/query"))
        question = json.loads(body)
        self.asked.append((site, question))
        if self.faults:
            self.faults -= 1
            return 503, {"error": {"message": "Try again"}}
        if site != self.site:
            return 404, {"error": {"message": f"'{site}' is not a verified site"}}
        found = self._grouped(question["dimensions"])
        page = found[question["startRow"] : question["startRow"] + question["rowLimit"]]
        return 200, {"rows": page, "responseAggregationType": "byPage"} if page else {"responseAggregationType": "byPage"}

    def _grouped(self, dimensions: list[str]) -> list[dict[str, Any]]:
        groups: dict[tuple[str, ...], list[Row]] = {}
        for row in self.rows:
            keys = tuple({"page": row[0], "query": row[1]}[name] for name in dimensions)
            groups.setdefault(keys, []).append(row)
        answer = []
        for keys, rows in groups.items():
            clicks, impressions = sum(row[2] for row in rows), sum(row[3] for row in rows)
            position = sum(row[4] * row[3] for row in rows) / impressions
            ctr = clicks / impressions
            answer.append({"keys": keys, "clicks": clicks, "impressions": impressions, "ctr": ctr, "position": position})
        return sorted(answer, key=lambda row: (-row["clicks"], row["keys"]))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        double = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, content = double.answer(self.path, body, self.headers.get("Authorization", ""))
                data = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: object) -> None:
                pass

        return Handler
