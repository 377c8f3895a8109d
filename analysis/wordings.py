"""How a site words its links: the anchors that lead to each page, how often those words are a link, and how rare each stem is.

An anchor that the site's editors chose themselves is the best evidence for the next one. How far it can be trusted is its link
probability, the share of the pages with these words on which they are a link to that page (Mihalcea and Csomai, "Wikify!", 2007).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis import words
from analysis.records import BlockKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from analysis.records import Page

LONGEST: Final = 8  # words of an anchor; longer ones are hardly ever repeated

_Key = tuple[str, ...]  # normalized words


@dataclass(frozen=True, slots=True)
class SiteWordings:
    """What :func:`read_wordings` found."""

    frequencies: Mapping[str, Mapping[str, int]]  # language -> stem -> pages with it
    pages: Mapping[str, int]  # language -> pages
    anchors: Mapping[int, Mapping[str, float]]  # target -> anchor text -> link probability, 0 to 1

    def rarity(self, stem: str, language: str) -> float:
        """Inverse document frequency of a stem among the pages of its language, in nats; 0 for one that all pages have."""
        known = self.frequencies.get(language, {}).get(stem, 0)
        return max(0.0, math.log((self.pages.get(language, 0) + 1) / (known + 0.5)))

    def of(self, target: int) -> Mapping[str, float]:
        """The anchor texts that lead to a page today, with their link probabilities."""
        return self.anchors.get(target, {})


def read_wordings(pages: Callable[[], Iterable[Page]]) -> SiteWordings:
    """Read a site twice: first what its links say, then where else these words stand.

    :param pages: gives the pages anew at each call.
    """
    frequencies: dict[str, Counter[str]] = defaultdict(Counter)
    count: Counter[str] = Counter()
    texts: dict[tuple[int, _Key], str] = {}
    linking: dict[tuple[int, _Key], set[int]] = defaultdict(set)
    for page in pages():
        language = page.head.language
        count[language] += 1
        frequencies[language].update(set(_stems(page)))
        for link in page.links:
            key = _key(page.anchor(link))
            if page.blocks[link.block].kind.is_running_text and 0 < len(key) <= LONGEST:
                linking[link.target, key].add(page.head.index)
                texts.setdefault((link.target, key), page.anchor(link))
    containing = _count_pages({key for _, key in linking}, pages())
    anchors: dict[int, dict[str, float]] = defaultdict(dict)
    for (target, key), sources in linking.items():
        anchors[target][texts[target, key]] = min(1.0, len(sources) / (containing[key] + 1))
    return SiteWordings(dict(frequencies), dict(count), dict(anchors))


def _stems(page: Page) -> Iterator[str]:
    for block in page.blocks:
        if block.kind is not BlockKind.OTHER:
            yield from words.stems(block.text, page.head.language)


def _key(text: str) -> _Key:
    return tuple(words.normalize(token.text) for token in words.tokenize(text))


def _count_pages(keys: Iterable[_Key], pages: Iterable[Page]) -> Counter[_Key]:
    """On how many pages each run of words stands in running text."""
    known = set(keys)
    lengths: dict[str, set[int]] = defaultdict(set)
    for key in known:
        lengths[key[0]].add(len(key))
    found: Counter[_Key] = Counter()
    for page in pages:
        running = (block.text for block in page.blocks if block.kind.is_running_text)
        found.update({key for text in running for key in _runs(_key(text), lengths) if key in known})
    return found


def _runs(text: Sequence[str], lengths: Mapping[str, Iterable[int]]) -> Iterator[_Key]:
    for start, word in enumerate(text):
        for length in lengths.get(word, ()):
            yield tuple(text[start : start + length])
