"""The crawl beside a plain sequential one (requests and BeautifulSoup, one page after the other), and its memory.

    python -m benchmarks.crawl [--pages 1000] [--delays 0 0.05] [--sizes 5 70] [--memory 5000 50000] [--again 500]

A server on loopback, in a process of its own, makes pages of real size out of words; it answers after a delay. Both crawls get
the same sitemap and read title, paragraphs and links of every page; ours writes them into its store as well, with 16 requests at
once and AutoThrottle off (a real site is asked more slowly, whatever is possible). The start of its process, as a crawl of one
page takes it, is told and left out.
Memory is the peak of the crawling process, for small pages without delay. Last, a site is crawled and planned, and crawled again
with nothing changed, and with one page in a hundred changed. An option with nothing behind it leaves its part out.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
import zlib
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import requests
from bs4 import BeautifulSoup

from analysis.store import CrawlStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = {
    "INTERLINK_PLAN_AT_CLOSE": "False",
    "AUTOTHROTTLE_ENABLED": "False",
    "DOWNLOAD_DELAY": "0",
    "CONCURRENT_REQUESTS": "16",
    "CONCURRENT_REQUESTS_PER_DOMAIN": "16",
    "LOG_LEVEL": "WARNING",
}
_NAMESPACE = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


class Site:
    """``pages`` pages of ``size`` KB each, the same ones each time."""

    def __init__(self, pages: int, size: int, delay: float) -> None:
        self.pages = pages
        self.size = size
        self.delay = delay
        self.changed = 0  # pages with another text than at first
        draw = random.Random(1)
        self._words = ["".join(draw.choices("aeioubcdfghlmnprstvw", k=draw.randint(3, 9))) for _ in range(2000)]

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode()
                is_page = path.startswith("/article/")
                if is_page and self.delay:
                    await asyncio.sleep(self.delay)
                body = (
                    self.page(int(path.rsplit("/", 1)[1])) if is_page else self.sitemap(head) if path == "/sitemap.xml" else b""
                )
                tag = f'"{zlib.crc32(body)}"'.encode()
                status = b"200 OK" if body else b"404 Not Found"
                if is_page and tag in head:
                    status, body = b"304 Not Modified", b""
                if path == "/change":
                    self.changed = self.pages // 100
                    self.page.cache_clear()
                kind = b"text/html; charset=utf-8" if is_page else b"application/xml"
                length = str(len(body)).encode()
                writer.write(
                    b"HTTP/1.1 "
                    + status
                    + b"\r\nContent-Type: "
                    + kind
                    + b"\r\nETag: "
                    + tag
                    + b"\r\nContent-Length: "
                    + length
                    + b"\r\n\r\n"
                    + body
                )
                await writer.drain()
        writer.close()

    def sitemap(self, head: bytes) -> bytes:
        """All pages."""
        host = head.lower().split(b"host: ", 1)[1].split(b"\r\n", 1)[0].decode()
        entries = "".join(f"<url><loc>http://{host}/article/{number}</loc></url>" for number in range(self.pages))
        return f'<urlset xmlns="{_NAMESPACE["s"]}">{entries}</urlset>'.encode()

    @lru_cache(maxsize=256)  # noqa: B019  # one site a process
    def page(self, number: int) -> bytes:
        """Menu, article, three links, footer; about a fifth is text, as on the web."""
        draw = random.Random(number if number >= self.changed else f"changed {number}")
        menu = "".join(f'<li class="menu-item"><a href="/article/{n}">{self._words[n]}</a></li>' for n in range(20))
        parts: list[str] = []
        length = len(menu)
        while length < self.size * 1024:
            text = " ".join(draw.choices(self._words, k=60))
            link = (
                f'<a href="/article/{draw.randrange(self.pages)}">{" ".join(draw.choices(self._words, k=2))}</a>'
                if len(parts) < 3
                else ""
            )
            frame = (
                '<div class="widget-area row col-md-12" data-id="x" style="display:block"><span class="icon"></span></div>' * 8
            )
            parts.append(f"<p>{text} {link} {text[:100]}.</p>{frame if self.size > 10 else ''}")
            length += len(parts[-1])
        title = " ".join(draw.choices(self._words, k=4)).title()
        return (
            f'<!doctype html><html lang="en"><head><title>{title}</title></head><body><nav><ul>{menu}</ul></nav>'
            f"<main><h1>{title}</h1>{''.join(parts)}</main><footer>{menu}</footer></body></html>"
        ).encode()


def _serve(port: Connection, pages: int, size: int, delay: float) -> None:
    async def run() -> None:
        server = await asyncio.start_server(Site(pages, size, delay).answer, "127.0.0.1", 0)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


@contextmanager
def served(pages: int, size: int, delay: float) -> Iterator[str]:
    """The address of the sitemap, while the block runs."""
    ours, theirs = get_context("spawn").Pipe()
    server = get_context("spawn").Process(target=_serve, args=(theirs, pages, size, delay), daemon=True)
    server.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/sitemap.xml"
    finally:
        server.terminate()
        server.join()


def crawl(sitemap: str, pages: int) -> tuple[float, int]:
    """Our crawl into a new store, without a plan: seconds, and the peak of memory in bytes."""
    with tempfile.TemporaryDirectory() as output:
        return crawl_into(Path(output), sitemap, pages, plan=False)


def crawl_into(output: Path, sitemap: str, pages: int, *, plan: bool) -> tuple[float, int]:
    """Our crawl: seconds, and the peak of memory in bytes."""
    settings = SETTINGS | {"INTERLINK_OUTPUT_DIR": str(output), "INTERLINK_PLAN_AT_CLOSE": str(plan)}
    command = [sys.executable, "-m", "scrapy", "crawl", "interlink", "-a", f"sitemap={sitemap}"]
    command += [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - began
    (folder,) = output.iterdir()
    with CrawlStore.open(folder) as store:
        if process.returncode or store.pages.count() != pages:
            raise SystemExit(f"The crawl read {store.pages.count()} of {pages} pages, exit code {process.returncode}.")
    return seconds, used.ru_maxrss * 1024


def crawl_again(pages: int) -> None:
    """Crawl and plan, then the same with nothing changed, then with one page in a hundred changed."""
    with tempfile.TemporaryDirectory() as output, served(pages, 5, 0) as sitemap:

        def run() -> tuple[float, int, bytes]:
            seconds, _ = crawl_into(Path(output), sitemap, pages, plan=True)
            (folder,) = Path(output).iterdir()
            with CrawlStore.open(folder) as store:
                vectors = store.connection.execute("SELECT count(*) FROM vector").fetchone()[0]
            return seconds, vectors, (folder / "interlink_plan.csv").read_bytes()

        first, known, plan = run()
        second, still, same_plan = run()
        requests.get(sitemap.replace("/sitemap.xml", "/change"), timeout=60)
        third, more, _ = run()
    print(f"{pages} pages crawled and planned in {first:.1f} s")
    print(
        f"  nothing changed: {second:.1f} s ({second / first:.0%}), {still - known} texts embedded, "
        f"plan {'the same' if plan == same_plan else 'DIFFERENT'}"
    )
    print(f"  {pages // 100} pages changed: {third:.1f} s ({third / first:.0%}), {more - still} texts embedded", flush=True)


def crawl_plainly(sitemap: str, pages: int) -> float:
    """What the usual script does; seconds."""
    began = time.perf_counter()
    session = requests.Session()
    listed = ElementTree.fromstring(session.get(sitemap, timeout=60).content).findall("s:url/s:loc", _NAMESPACE)
    read: list[tuple[Any, ...]] = []
    for location in listed:
        soup = BeautifulSoup(session.get(str(location.text), timeout=60).content, "lxml")
        for tag in soup(["script", "style", "nav", "footer", "header", "aside", "form"]):
            tag.decompose()
        paragraphs = [paragraph.get_text(" ", strip=True) for paragraph in soup.find_all("p")]
        links = [link["href"] for link in soup.find_all("a", href=True)]
        read.append((soup.title and soup.title.string, soup.h1 and soup.h1.get_text(), paragraphs, links))
    if len(read) != pages:
        raise SystemExit(f"The plain crawl read {len(read)} of {pages} pages.")
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--delays", type=float, nargs="*", default=[0, 0.05], help="seconds")
    parser.add_argument("--sizes", type=int, nargs="*", default=[5, 70], help="KB")
    parser.add_argument("--memory", type=int, nargs="*", default=[5000, 50_000], help="pages")
    parser.add_argument("--again", type=int, nargs="*", default=[500], help="pages")
    options = parser.parse_args()
    with served(1, 5, 0) as sitemap:
        start = min(crawl(sitemap, 1)[0] for _ in range(2))
    print(f"start of the process: {start:.1f} s")
    for delay in options.delays:
        for size in options.sizes:
            with served(options.pages, size, delay) as sitemap:
                ours = crawl(sitemap, options.pages)[0] - start
                plain = crawl_plainly(sitemap, options.pages)
            print(
                f"{options.pages} pages of {size} KB, {delay * 1000:.0f} ms: {options.pages / ours:6.1f} pages a second, "
                f"plain {options.pages / plain:6.1f}: {plain / ours:.2f} times as fast",
                flush=True,
            )
    least = 0
    for pages in options.memory:
        with served(pages, 5, 0) as sitemap:
            seconds, peak = crawl(sitemap, pages)
        least = least or peak
        rate = pages / (seconds - start)
        print(f"{pages} pages of 5 KB: {peak / 2**20:.0f} MB ({peak / least:.2f} times), {rate:.1f} pages a second", flush=True)
    for pages in options.again:
        crawl_again(pages)


if __name__ == "__main__":
    main()
