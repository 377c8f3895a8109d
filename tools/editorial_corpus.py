"""Reads an editorial corpus (one page a line: {"url", "lang", "title", "html"}) as a crawl would read its site."""

from __future__ import annotations

import gzip
import hashlib
import json
from typing import TYPE_CHECKING, NamedTuple

from analysis.html.article import find_article
from analysis.html.blocks import read_blocks
from analysis.html.metadata import Metadata, read_metadata
from analysis.html.parse import parse_html
from analysis.html.prose import thin_reason
from analysis.records import Block, FoundLink, Link, Page, PageHead
from analysis.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_BASE = "https://corpus.example"


class _Read(NamedTuple):
    url: str
    row: dict[str, str]
    metadata: Metadata
    blocks: tuple[Block, ...]
    links: tuple[FoundLink, ...]


def read_corpus_file(path: Path) -> list[Page]:
    """The articles of a corpus with all links that stand in their sentences; pages without prose are left out."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found: dict[str, _Read] = {}
    for row in rows:
        url = _BASE + row["url"]
        root = parse_html(f'<html lang="{row["lang"]}"><body><main>{row["html"]}</main></body></html>')
        metadata = read_metadata(root, url)
        blocks, links = read_blocks(find_article(root), url)
        if not thin_reason(blocks):
            found.setdefault(page_key(url), _Read(url, row, metadata, blocks, links))
    numbers = {key: number for number, key in enumerate(found)}
    pages = []
    for number, (url, row, metadata, blocks, links) in enumerate(found.values()):
        head = PageHead(number, url, row["title"].strip() or url, metadata.h1, row["lang"], metadata.published)
        inner = ((numbers.get(page_key(link.url)), link) for link in links)
        own = tuple(Link(to, link.block, link.start, link.end) for to, link in inner if to is not None and to != number)
        pages.append(Page(head, blocks, own))
    return pages


def without_links(pages: Sequence[Page], hidden: Callable[[str, str], bool]) -> list[Page]:
    """The same pages as if some links had never been placed; their words stay. ``hidden`` is asked with both addresses."""
    return [
        Page(page.head, page.blocks, tuple(link for link in page.links if not hidden(page.head.url, pages[link.target].head.url)))
        for page in pages
    ]


def hides(share: float, seed: str) -> Callable[[str, str], bool]:
    """A rule that hides a share of all (source, target) pairs: the same pairs for the same seed."""

    def hidden(source: str, target: str) -> bool:
        digest = hashlib.sha256(f"{seed}\0{source}\0{target}".encode()).digest()
        return int.from_bytes(digest[:8], "big") / 2**64 < share

    return hidden
