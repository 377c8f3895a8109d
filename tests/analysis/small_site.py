"""Small sites written as text: ``[words](3)`` is a link to page 3, a line that begins with # a heading."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from analysis.embedding.bundled import BundledEmbedder
from analysis.index.site import SiteIndex, build_site_index, read_sites
from analysis.records import Block, BlockKind, Link, Page, PageHead

_LINK = re.compile(r"\[([^\]]+)\]\((\d+)\)")


def write_page(index: int, title: str, text: str, language: str = "en", url: str = "") -> Page:
    blocks, links = [], []
    for number, written in enumerate(text.strip().splitlines()):
        kind = BlockKind.HEADING if written.startswith("#") else BlockKind.PARAGRAPH
        line = written.lstrip("# ").strip()
        plain, at = "", 0
        for match in _LINK.finditer(line):
            plain += line[at : match.start()]
            links.append(Link(int(match[2]), number, len(plain), len(plain) + len(match[1])))
            plain, at = plain + match[1], match.end()
        blocks.append(Block(kind, plain + line[at:]))
    head = PageHead(index, url or f"https://site.example/{index}/", title, title, language)
    return Page(head, tuple(blocks), tuple(links))


def write_site(*articles: tuple[str, str], language: str = "en") -> list[Page]:
    return [write_page(index, title, text, language) for index, (title, text) in enumerate(articles)]


_embedder = cache(BundledEmbedder)


@cache
def _vector(text: str) -> np.ndarray:
    return _embedder().encode([text])[0]


def vectors(pages: list[Page]) -> tuple[np.ndarray, np.ndarray]:
    articles = np.stack([_vector(f"{page.head.title}. {page.text()}") for page in pages])
    return articles, np.stack([_vector(page.head.title) for page in pages])


def random_vectors(pages: list[Page]) -> tuple[np.ndarray, np.ndarray]:
    """Meanings that tell nothing, for sites of hundreds of pages."""
    rows = np.random.default_rng(7).normal(size=(2, len(pages), 32)).astype(np.float32)
    articles, titles = rows / np.linalg.norm(rows, axis=2, keepdims=True)
    return articles, titles


def index_site(pages: list[Page], *, embedded: bool = True) -> SiteIndex:
    """The index of a site in one language."""
    heads = [page.head for page in pages]
    (reader,) = read_sites(pages, heads)
    return build_site_index(reader, heads, *(vectors if embedded else random_vectors)(pages))
