"""A real web server for tests: it answers as a test tells it to, and remembers who asked for what.

    with LocalServer({"/a": "<p>Hello", "/busy": [too_busy(), page("<p>At last")]}) as server:
        fetch(server.url("/a"))
    assert server.paths() == ["/a"]

A route is a body (``str`` or ``bytes``, sent as HTML), a ``Response``, a list of them that is answered in turn (the last one
stays), or a function of the ``Request``. Paths are matched as sent, with their query first and then without it. A path without
a route is looked for in ``folder``, if there is one, and is 404 otherwise. Text that names ``https://demo.example`` is sent
with the server's own address instead, so that a sitemap can be written down before the port is known.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from demo.serve import PUBLISHED_AT, Folder, LoopbackServer, Request, Response, is_fresh, rewrite

if TYPE_CHECKING:
    from pathlib import Path

XML = "application/xml"
PLAIN = "text/plain; charset=utf-8"

Answer = str | bytes | Response
Route = Answer | Sequence[Answer] | Callable[[Request], Answer]


@dataclass(frozen=True, slots=True)
class Access:
    """One line of the access log; ``path`` is as sent, with its query, and ``time`` is in seconds (monotonic clock)."""

    method: str
    path: str
    status: int
    time: float
    user_agent: str
    if_none_match: str


class LocalServer:
    """See the module's text; ``log`` has one entry a request, in the order of their arrival."""

    def __init__(self, routes: Mapping[str, Route] | None = None, folder: Path | None = None) -> None:
        self.routes: dict[str, Route] = dict(routes or {})  # may be changed while the server runs
        self.log: list[Access] = []
        self._folder = Folder(folder) if folder else None
        self._asked: dict[str, int] = {}
        self._lock = threading.Lock()
        self._server = LoopbackServer(self._respond)

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.__exit__(*error)

    @property
    def origin(self) -> str:
        """``http://127.0.0.1:<port>``, without a slash at its end."""
        return self._server.origin

    def url(self, path: str = "/") -> str:
        """The address of a path on this server."""
        return self.origin + path

    def paths(self, status: int | None = None) -> list[str]:
        """The paths that were asked for, in order; only those answered with ``status`` if it is given."""
        return [access.path for access in self.log if status in (None, access.status)]

    def _respond(self, request: Request) -> Response:
        response = self._answer(request)
        access = Access(
            request.method,
            request.target,
            304 if is_fresh(request, response) else response.status,
            time.monotonic(),
            request.headers.get("User-Agent", ""),
            request.headers.get("If-None-Match", ""),
        )
        with self._lock:
            self.log.append(access)
        return response

    def _answer(self, request: Request) -> Response:
        for path in (request.target, request.path):
            if path in self.routes:
                return rewrite(self._follow(path, request), PUBLISHED_AT, request.origin)
        if self._folder:
            return self._folder(request)
        return Response(404, b"<!doctype html><title>Not found</title><h1>Not found</h1>")

    def _follow(self, path: str, request: Request) -> Response:
        route = self.routes[path]
        if isinstance(route, str | bytes | Response):
            return page(route)
        if callable(route):
            return page(route(request))
        with self._lock:
            turn = self._asked.get(path, 0)
            self._asked[path] = turn + 1
        return page(route[min(turn, len(route) - 1)])


def page(body: Answer, content_type: str = "", **headers: str) -> Response:
    """A 200 answer; header names are written with underscores: ``page("…", X_Robots_Tag="noindex")``."""
    response = body if isinstance(body, Response) else Response(body=body.encode() if isinstance(body, str) else body)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return replace(response, content_type=content_type or response.content_type, headers={**response.headers, **given})


def redirect(location: str, status: int = 301) -> Response:
    """To another path or address."""
    return Response(status, headers={"Location": location})


def too_busy(status: int = 503, retry_after: str = "1") -> Response:
    """503 or 429 with Retry-After, in seconds or as an HTTP date."""
    return Response(status, b"Try later.", PLAIN, headers={"Retry-After": retry_after})


def slow(body: Answer, seconds: float) -> Response:
    """A 200 answer that takes its time."""
    return replace(page(body), delay=seconds)


def sitemap(*locations: str) -> Response:
    """A sitemap of these paths (of this server) or addresses."""
    return _listing("urlset", "url", locations)


def sitemap_index(*locations: str) -> Response:
    """A sitemap index of these paths (of this server) or addresses."""
    return _listing("sitemapindex", "sitemap", locations)


def _listing(root: str, entry: str, locations: Sequence[str]) -> Response:
    absolute = [PUBLISHED_AT + location if location.startswith("/") else location for location in locations]
    entries = "".join(f"  <{entry}><loc>{location.replace('&', '&amp;')}</loc></{entry}>\n" for location in absolute)
    xml = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</{root}>\n'
    return Response(body=xml.encode(), content_type=XML)
