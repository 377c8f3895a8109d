"""Serve a folder of a built website on loopback, as a real host would.

``python -m demo.serve --port 8000`` serves the demo blog and prints its address on the first line; ``with serve(folder) as
origin:`` does the same inside a program. Links and sitemap entries that name the reserved origin ``https://demo.example`` are
rewritten to the local address on their way out, so that the site can be crawled as if it were live.

Only the standard library is used, and only 127.0.0.1 is listened on.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import signal
import socket
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import MimeTypes
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from email.message import Message
    from types import FrameType

SITE = Path(__file__).parent / "site"
PUBLISHED_AT = "https://demo.example"
HTML = "text/html; charset=utf-8"

_TYPES = MimeTypes()  # Python's own table: the same answer on every machine
_IS_TEXT = re.compile(r"text/|application/(?:\w+\+)?(?:xml|json)\b")


@dataclass(frozen=True, slots=True)
class Request:
    """What a client asks for; ``target`` is the path with its query as sent, ``origin`` the server's own address."""

    method: str
    target: str
    headers: Message[str, str]  # names are case-insensitive
    origin: str

    @property
    def path(self) -> str:
        """The path alone, still percent-encoded."""
        return urlsplit(self.target).path


@dataclass(frozen=True, slots=True)
class Response:
    """What the server answers; ``delay`` is the number of seconds to wait before that."""

    status: int = 200
    body: bytes = b""
    content_type: str = HTML
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0


class Folder:
    """Answers requests from a folder: directories by their ``index.html``, unknown paths by ``404.html`` and status 404."""

    def __init__(self, folder: Path, published_at: str = PUBLISHED_AT) -> None:
        self._root = folder.resolve(strict=True)
        self._published_at = published_at

    def __call__(self, request: Request) -> Response:
        """The file at the request's path, with an ETag; a redirect where a directory is named without its slash."""
        found = self._locate(request.path)
        if found is None:
            return self._not_found(request.origin)
        if found.is_dir():
            return Response(301, headers={"Location": quote(unquote(request.path)) + "/"})
        file = Response(body=found.read_bytes(), content_type=content_type(found.name))
        response = rewrite(file, self._published_at, request.origin)
        return replace(response, headers={"ETag": etag(response.body)})

    def _locate(self, path: str) -> Path | None:
        """The file that a path names, or the directory if it is named without its slash, or None."""
        try:
            here = (self._root / unquote(path).lstrip("/")).resolve()
            if here.is_dir() and path.endswith("/"):
                here /= "index.html"
            elif here.is_file() and path.endswith("/"):
                return None
            return here if here.exists() and here.is_relative_to(self._root) else None
        except (OSError, ValueError):  # a null byte, a name too long
            return None

    def _not_found(self, origin: str) -> Response:
        page = self._root / "404.html"
        body = page.read_bytes() if page.is_file() else b"<!doctype html><title>Not found</title><h1>Not found</h1>"
        return rewrite(Response(404, body), self._published_at, origin)


def content_type(name: str) -> str:
    """The media type of a file name, with a charset for text."""
    kind, encoding = _TYPES.guess_type(name)
    if encoding == "gzip":
        return "application/gzip"
    kind = kind or "application/octet-stream"
    return f"{kind}; charset=utf-8" if _IS_TEXT.match(kind) else kind


def etag(body: bytes) -> str:
    """A strong entity tag: equal bytes, equal tag (RFC 9110, 8.8.3)."""
    return f'"{hashlib.sha256(body).hexdigest()[:16]}"'


def rewrite(response: Response, published_at: str, origin: str) -> Response:
    """Where a text body names ``published_at`` (either scheme, with or without www, slashes escaped or not), name ``origin``."""
    if not _IS_TEXT.match(response.content_type):
        return response
    host = re.escape(urlsplit(published_at).netloc.encode())
    address = re.compile(rb"https?:(\\?/\\?/)(?:www\.)?" + host + rb"(?![\w.-])")
    scheme, _, local = origin.partition("://")
    body = address.sub(lambda found: scheme.encode() + b":" + found[1] + local.encode(), response.body)
    return replace(response, body=body)


def is_fresh(request: Request, response: Response) -> bool:
    """Whether If-None-Match names the response's ETag (weak comparison, RFC 9110, 13.1.2)."""
    tag = response.headers.get("ETag")
    wanted = {one.strip().removeprefix("W/") for one in request.headers.get("If-None-Match", "").split(",")}
    return tag is not None and response.status == 200 and ("*" in wanted or tag.removeprefix("W/") in wanted)


class LoopbackServer:
    """An HTTP/1.1 server in a thread of its own, on 127.0.0.1: ``with LoopbackServer(respond) as server: server.origin``.

    Leaving the block ends open connections and slow answers, and joins every thread.
    """

    def __init__(self, respond: Callable[[Request], Response], port: int = 0) -> None:
        self._server = _Server(respond, port)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="loopback-server")
        self.origin = self._server.origin

    def __enter__(self) -> LoopbackServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # so that server_close() joins them
    request_queue_size = 256

    def __init__(self, respond: Callable[[Request], Response], port: int) -> None:
        self.respond = respond
        self.stopping = threading.Event()
        self._connections: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", port), _Handler)
        self.origin = f"http://127.0.0.1:{self.server_address[1]}"

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        self.stopping.set()
        with self._lock:
            for connection in self._connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # a client that hangs up is no error of ours
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body leave in one packet, else Nagle's algorithm costs 40 ms a page
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        request = Request(self.command, self.path, self.headers, self.server.origin)
        response = self.server.respond(request)
        if response.delay:
            self.server.stopping.wait(response.delay)
        if is_fresh(request, response):
            response = replace(response, status=304, body=b"")
        self._send(response)

    do_HEAD = do_GET  # noqa: N815 - the name that http.server calls

    def _send(self, response: Response) -> None:
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if response.status != 304:
            self.send_header("Content-Type", response.content_type)
            self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serve(folder: Path = SITE, port: int = 0, published_at: str = PUBLISHED_AT) -> Iterator[str]:
    """Serve ``folder`` while the block runs; gives the address, ``http://127.0.0.1:<port>``.

    :param port: 0 takes any free port.
    :raises OSError: if the folder does not exist or the port is taken.
    """
    with LoopbackServer(Folder(folder, published_at), port) as server:
        yield server.origin


def main(arguments: list[str] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM."""
    parser = argparse.ArgumentParser(prog="python -m demo.serve", description="Serve a built website on 127.0.0.1.")
    parser.add_argument("folder", nargs="?", type=Path, default=SITE, help="folder to serve (default: the demo blog)")
    parser.add_argument("--port", type=int, default=8000, help="0 takes any free port (default: %(default)s)")
    parser.add_argument("--origin", default=PUBLISHED_AT, help="address in the pages that becomes the local one")
    options = parser.parse_args(arguments)
    stopped = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        stopped.set()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    try:
        with serve(options.folder, options.port, options.origin) as origin:
            sys.stdout.write(origin + "\n")
            sys.stdout.flush()
            stopped.wait()
    except (OSError, OverflowError) as error:
        sys.stderr.write(f"Cannot serve {options.folder} on port {options.port}: {getattr(error, 'strerror', None) or error}.\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
