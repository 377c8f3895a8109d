"""Pages a second of our reader beside BeautifulSoup doing the cleaning of the usual script, on built websites.

    python -m benchmarks.extraction SITE [SITE ...] [--pages 200] [--rounds 5]

SITE is a folder or a .tar.xz of a built website; its .html files are read into memory first. Both readers get the same bytes, in
turns, in one process and one thread; the figure is the median over the rounds of processor time, which other work on the machine
disturbs least.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import tarfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup

from analysis.html.article import find_article
from analysis.html.blocks import read_blocks
from analysis.html.decode import decode_html
from analysis.html.metadata import read_metadata
from analysis.html.parse import parse_html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

URL = "https://site.example/folder/page.html"
FURNITURE = ["script", "style", "noscript", "svg", "nav", "footer", "header", "aside", "form"]


def ours(body: bytes) -> int:
    """Bytes to metadata, blocks and links; returns the number of links."""
    text, _ = decode_html(body, "text/html")
    root = parse_html(text)
    metadata = read_metadata(root, URL)
    _, links = read_blocks(find_article(root), metadata.base_url)
    return len(links)


def beautiful_soup(body: bytes) -> int:
    """The same outputs the usual way: furniture tags thrown out, title, h1, text, links inside paragraphs."""
    soup = BeautifulSoup(body.decode("utf-8", "replace"), "lxml")
    for tag in soup(FURNITURE):
        tag.decompose()
    article = soup.find("article") or soup.find("main") or soup
    links = {link["href"] for link in article.find_all("a", href=True) if link.find_parent("p")}
    for heading in (soup.title, soup.h1):
        _clean(heading.get_text(" ") if heading else "")
    _clean(soup.get_text(" ", strip=True))
    return len(links)


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\xa0", " ")).strip()


def pages_of(site: Path) -> Iterator[bytes]:
    """The bodies of a site's HTML files, in the order of their names."""
    if site.is_dir():
        for path in sorted(site.rglob("*.html")):
            yield path.read_bytes()
        return
    with tarfile.open(site) as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            file = archive.extractfile(member) if member.name.endswith(".html") else None
            if file is not None:
                yield file.read()


def seconds(read: Callable[[bytes], int], bodies: list[bytes]) -> float:
    start = time.process_time()
    for body in bodies:
        read(body)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, default=200, help="pages a site, drawn by a fixed seed")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    print(f"{'site':<24}{'pages':>6}{'KB':>6}{'ours/s':>9}{'bs4/s':>8}{'ratio':>7}")
    totals = [0.0, 0.0]
    for site in args.sites:
        bodies = [body for body in pages_of(site) if body.strip()]
        bodies = random.Random(1).sample(bodies, min(args.pages, len(bodies)))
        rounds = [(seconds(ours, bodies), seconds(beautiful_soup, bodies)) for _ in range(args.rounds)]
        a, b = (statistics.median(times) for times in zip(*rounds, strict=True))
        totals = [totals[0] + a, totals[1] + b]
        size = sum(map(len, bodies)) / len(bodies) / 1024
        print(f"{site.name:<24}{len(bodies):>6}{size:>6.0f}{len(bodies) / a:>9.0f}{len(bodies) / b:>8.0f}{b / a:>7.1f}")
    print(f"{'all':<53}{totals[1] / totals[0]:>7.1f}")


if __name__ == "__main__":
    main()
