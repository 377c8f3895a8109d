"""Titles without the brand: the tail (or head) of the form "— Site name" stands on every page and makes all pages alike.

It is learnt from the site: the part that occurs on at least max(3, 30 %) of the pages of a language, or of the site (the
guide's rule). A title that is only the brand falls back to the h1, then to itself.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# A separator has white space on both sides, so that no hyphenated word is ever cut; a colon and a few marks that are never
# part of a word need it on one side only.
_SEPARATOR: Final = re.compile(r"\s+[|➣➤►▶>—–\-−·•●∙»«:/\\~*⋆★†‹›←→]+\s+|\s*[|➣➤»·•]\s+|\s+[|➣➤»·•]\s*|\s*::\s*|:\s+")
_MIN_PAGES: Final = 3
_MIN_SHARE: Final = 0.3
_MOST_PARTS: Final = 3  # a brand of more parts than this ("Docs | Product | Company") is not looked for


def _parts(title: str) -> list[tuple[int, int]]:
    """Spans of the parts of a title between separators, in order."""
    spans, start = [], 0
    for match in _SEPARATOR.finditer(title):
        if match.start() > start:
            spans.append((start, match.start()))
        start = match.end()
    if start < len(title):
        spans.append((start, len(title)))
    return spans


def _tails(title: str) -> list[str]:
    spans = _parts(title)
    return [title[start:] for start, _ in spans[-_MOST_PARTS:]] if spans else []


def _heads(title: str) -> list[str]:
    spans = _parts(title)
    return [title[:end] for _, end in spans[:_MOST_PARTS]] if spans else []


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


@dataclass(frozen=True, slots=True)
class Brand:
    """The brand's tails and heads by language; the language "" holds those of the whole site."""

    tails: dict[str, frozenset[str]]
    heads: dict[str, frozenset[str]]

    def strip(self, title: str, h1: str = "", language: str = "") -> str:
        """The title without the brand; the h1, then the title itself, where nothing would be left."""
        title = " ".join(title.split())
        tails = self.tails.get(language, frozenset()) | self.tails.get("", frozenset())
        heads = self.heads.get(language, frozenset()) | self.heads.get("", frozenset())
        if _folded(title) in tails | heads:
            return h1 or title
        spans = _parts(title)
        first = next((n for n in range(min(_MOST_PARTS, len(spans) - 1), 0, -1) if _folded(title[: spans[n - 1][1]]) in heads), 0)
        rest = spans[first:]
        last = next(
            (n for n in range(min(_MOST_PARTS, len(rest) - 1), 0, -1) if _folded(title[rest[-n][0] :]) in tails),
            0,
        )
        kept = rest[: len(rest) - last]
        return title[kept[0][0] : kept[-1][1]] if kept else h1 or title


class BrandCounter:
    """Counts the ends of titles as pages arrive."""

    def __init__(self) -> None:
        self._titles: Counter[str] = Counter()
        self._tails: dict[str, Counter[str]] = {}
        self._heads: dict[str, Counter[str]] = {}

    def add(self, language: str, title: str) -> None:
        """Count one title."""
        title = " ".join(title.split())
        for group in {language, ""}:
            self._titles[group] += 1
            self._tails.setdefault(group, Counter()).update({_folded(tail) for tail in _tails(title)})
            self._heads.setdefault(group, Counter()).update({_folded(head) for head in _heads(title)})

    def brand(self) -> Brand:
        """What is a brand by now."""
        return Brand(self._common(self._tails), self._common(self._heads))

    def _common(self, counts: dict[str, Counter[str]]) -> dict[str, frozenset[str]]:
        found = {}
        for group, counter in counts.items():
            enough = max(_MIN_PAGES, self._titles[group] * _MIN_SHARE)
            common = frozenset(part for part, count in counter.items() if count >= enough)
            if common:
                found[group] = common
        return found


def find_brand(titles: Iterable[tuple[str, str]]) -> Brand:
    """Learn the brand from ``(language, raw title)`` of all pages."""
    counter = BrandCounter()
    for language, title in titles:
        counter.add(language, title)
    return counter.brand()
