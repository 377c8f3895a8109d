"""The brand in page titles: "How to x — Site name" to "How to x", learnt from all titles of a site.

A title is cut into parts at separators that stand between spaces (so "e-mail" and "rothauer-it.test" stay whole). A part at an
end is a brand part if enough pages have it and what stands beside it varies; brands of several parts are peeled off one by one.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_BETWEEN_SPACES: Final = r"\s[|¦➣➤►▸▶—–―‒−\-·•∙⋅»«›‹:/\\~→←>]{1,3}\s"
_INSIDE_NO_WORD: Final = r"\s*(?:[|¦｜➣»«]|::)\s*"
_AFTER_WORD: Final = r":\s|：\s*"
# Chinese and Japanese are written without spaces and without hyphens inside words.
_IDEOGRAPH: Final = r"[\u3041-\u30fa\u3400-\u9fff]"
_BESIDE_IDEOGRAPH: Final = rf"(?<={_IDEOGRAPH})[-_–—]+|[-_–—]+(?={_IDEOGRAPH})"
_SEPARATOR = re.compile(f"{_BETWEEN_SPACES}|{_INSIDE_NO_WORD}|{_AFTER_WORD}|{_BESIDE_IDEOGRAPH}")
# A part is site-wide from this share of the pages on, and on at least so many (the guide's numbers).
_SHARE: Final = 0.3
_PAGES: Final = 3
_MOST_PARTS: Final = 4  # a brand of more parts than this has not been seen
_ANY_LANGUAGE: Final = ""


@dataclass(frozen=True, slots=True)
class Brand:
    """The brand parts of a site's titles, case-folded, by language; those under ``""`` hold for every language."""

    tails: Mapping[str, frozenset[str]] = field(default_factory=dict)
    heads: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def strip(self, title: str, h1: str = "", language: str = "") -> str:
        """The title without brand parts at its ends. If nothing else is left: the h1, or else the title as it was.

        Empty only if both are. What stands between the parts that stay keeps its separators.
        """
        title = _squeeze(title)
        tails, heads = self._of(self.tails, language), self._of(self.heads, language)
        parts = _parts(title)
        while len(parts) > 1 and _key(title, parts[-1]) in tails:
            parts.pop()
        while len(parts) > 1 and _key(title, parts[0]) in heads:
            parts.pop(0)
        if not parts:
            return _squeeze(h1) or title
        rest = title[parts[0][0] : parts[-1][1]]
        if len(parts) > 1 or rest.casefold() not in tails | heads:
            return rest
        return _squeeze(h1) or title

    @staticmethod
    def _of(parts: Mapping[str, frozenset[str]], language: str) -> frozenset[str]:
        return parts.get(_ANY_LANGUAGE, frozenset()) | parts.get(language, frozenset())


def find_brand(titles: Iterable[tuple[str, str]]) -> Brand:
    """Learn the brand from (language, title) of every page of a site, read once.

    Counted per language and over all: a brand may be translated, and one language may have too few pages to count alone.
    """
    by_language: defaultdict[str, list[str]] = defaultdict(list)
    for language, title in titles:
        by_language[language].append(_squeeze(title))
    everything = [title for group in by_language.values() for title in group]
    groups = {_ANY_LANGUAGE: everything, **by_language} if len(by_language) > 1 else {_ANY_LANGUAGE: everything}
    tails, heads = {}, {}
    for language, group in groups.items():
        group_tails, group_heads = _site_wide_parts(group)
        if group_tails:
            tails[language] = group_tails
        if group_heads:
            heads[language] = group_heads
    return Brand(tails, heads)


def _site_wide_parts(titles: list[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Tails and heads, found from the outside in: in each round the parts that the last one found are peeled off."""
    wanted = max(_PAGES, math.ceil(_SHARE * len(titles)))
    cut = [tuple(_key(title, part) for part in _parts(title)) for title in titles]
    tails: set[str] = set()
    heads: set[str] = set()
    for _ in range(_MOST_PARTS):
        new_tails = _frequent(cut, -1, wanted)
        cut = [parts[:-1] if len(parts) > 1 and parts[-1] in new_tails else parts for parts in cut]
        new_heads = _frequent(cut, 0, wanted)
        cut = [parts[1:] if len(parts) > 1 and parts[0] in new_heads else parts for parts in cut]
        if not new_tails and not new_heads:
            break
        tails |= new_tails
        heads |= new_heads
    return frozenset(tails), frozenset(heads)


def _frequent(cut: list[tuple[str, ...]], end: int, wanted: int) -> set[str]:
    """The parts that stand at this end of enough titles, beside enough different rests: pages of one name have no brand in it."""
    pages: Counter[str] = Counter()
    rests: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for parts in cut:
        if len(parts) > 1:
            part = parts[end]
            pages[part] += 1
            if len(rests[part]) < _PAGES:
                rests[part].add(parts[:-1] if end else parts[1:])
    return {part for part, count in pages.items() if count >= wanted and len(rests[part]) >= _PAGES}


def _parts(title: str) -> list[tuple[int, int]]:
    """Spans of the parts that hold a letter or digit, in order."""
    spans, start = [], 0
    for match in _SEPARATOR.finditer(title):
        spans.append((start, match.start()))
        start = match.end()
    spans.append((start, len(title)))
    return [(start, end) for start, end in spans if any(character.isalnum() for character in title[start:end])]


def _key(title: str, part: tuple[int, int]) -> str:
    return title[part[0] : part[1]].strip().casefold()


def _squeeze(text: str) -> str:
    return " ".join(text.split())
