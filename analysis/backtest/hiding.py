"""The links of the site's editors, and which of them are hidden together."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.records import Page, PageHead


@dataclass(frozen=True, slots=True)
class EditorLink:
    """An article links to another: the words of each such link, and the blocks of the article in which they stand."""

    source: int
    target: int
    anchors: tuple[str, ...]
    blocks: frozenset[int]


def read_editor_links(pages: Iterable[Page]) -> list[EditorLink]:
    """All (source, target) pairs that are linked in running text, in the order of the pages."""
    links = []
    for page in pages:
        by_target = defaultdict(list)
        for link in page.links:
            by_target[link.target].append(link)
        for target, found in by_target.items():
            anchors = tuple(page.anchor(link) for link in found)
            links.append(EditorLink(page.head.index, target, anchors, frozenset(link.block for link in found)))
    return links


def draw(links: Sequence[EditorLink], heads: Sequence[PageHead], seed: str, low: float, high: float) -> list[EditorLink]:
    """The links whose lot is at least ``low`` and below ``high``, both from 0 to 1: the same ones for the same seed."""
    return [link for link in links if low <= lot(seed, heads[link.source].url, heads[link.target].url) < high]


def lot(seed: str, source: str, target: str) -> float:
    """A number from 0 to 1, drawn for two addresses; the host has no part in it."""
    digest = hashlib.sha256(f"{seed}\0{_name(source)}\0{_name(target)}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def _name(url: str) -> str:
    parts = urlsplit(url)
    path = unquote(parts.path).rstrip("/") or "/"
    return f"{path}?{parts.query}" if parts.query else path
