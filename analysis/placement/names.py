"""How the site itself names its pages: the words of its links, how often those words are a link, and how rare each word is."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from analysis import words
from analysis.placement.anchors import Target
from analysis.placement.empty_words import trimmed
from analysis.processes import by_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from analysis.corpus import Corpus
    from analysis.records import Page, PageHead

Wording: TypeAlias = tuple[str, ...]  # normalised words
_Key: TypeAlias = tuple[str, Wording]  # a language, and the words of a link


class Use(NamedTuple):
    """How the site uses some words."""

    links: int  # to one page
    occurrences: int  # in the running text of all pages, as a link or not


class _Rarities(dict[str, float]):
    """The rarity of each stem of a language, worked out when it is asked for; placement asks a thousand times a page."""

    def __init__(self, pages: int, pages_with: Mapping[str, int]) -> None:
        super().__init__()
        self._pages = pages
        self._pages_with = pages_with

    def __missing__(self, stem: str) -> float:
        rarity = self[stem] = math.log(max(1.0, self._pages / max(1, self._pages_with.get(stem, 1))))
        return rarity


@dataclass(frozen=True, slots=True)
class SiteNames:
    """Facts about the words of one site."""

    pages: Mapping[str, int]  # language -> number of pages
    pages_with: Mapping[str, Mapping[str, int]]  # language -> stem -> number of pages
    of_target: Mapping[int, Mapping[str, Use]]  # page -> words of links to it
    _rarities: dict[str, _Rarities] = field(default_factory=dict, repr=False, compare=False)

    def rarity(self, language: str) -> Callable[[str], float]:
        """Inverse document frequency of a stem in nats; a stem of every page has none."""
        if language not in self._rarities:
            self._rarities[language] = _Rarities(self.pages.get(language, 1), self.pages_with.get(language, {}))
        return self._rarities[language].__getitem__

    def wordings(self, target: PageHead, without: Iterable[str] = ()) -> Mapping[str, float]:
        """The words on which other pages link to a page → their link probability (Milne and Witten 2008), 0 to 1.

        Without the grammar at their ends, which no anchor has: what is counted is what could be linked.

        :param without: words of links that are to be judged, and so are not counted.
        """
        uses = self.of_target.get(target.index, {})
        left_out = Counter(_wording(anchor, target.language) for anchor in without)
        if not left_out:
            return {surface: use.links / use.occurrences for surface, use in uses.items()}
        left = {surface: use.links - left_out[_wording(surface, target.language)] for surface, use in uses.items()}
        return {surface: left[surface] / use.occurrences for surface, use in uses.items() if left[surface] > 0}

    def target(self, head: PageHead, without: Iterable[str] = ()) -> Target:
        """The page, ready to be looked for in sentences; see :meth:`wordings`."""
        return Target((head.title, head.h1), head.language, self.wordings(head, without), self.rarity(head.language))


def _wording(anchor: str, language: str) -> Wording:
    return tuple(map(words.normalize, words.texts(trimmed(anchor, language))))


def read_names(corpus: Corpus, processes: int = 1) -> SiteNames:
    """Read the corpus twice, by several processes: its links, then how often their words stand in the texts."""
    linked: dict[_Key, Counter[int]] = defaultdict(Counter)
    surfaces: dict[_Key, str] = {}
    for found in by_blocks(lambda block: _read_links(corpus, block), len(corpus), processes, corpus.reopen):
        for key, (surface, targets) in found.items():
            linked[key].update(targets)
            surfaces.setdefault(key, surface)
    by_first: dict[str, dict[str, list[Wording]]] = defaultdict(lambda: defaultdict(list))
    for language, wording in linked:
        by_first[language][wording[0]].append(wording)
    pages_with: dict[str, Counter[str]] = defaultdict(Counter)
    seen: Counter[_Key] = Counter()
    for counts in by_blocks(lambda block: _count_words(corpus, block, by_first), len(corpus), processes, corpus.reopen):
        seen.update(counts.seen)
        for language, stems in counts.pages_with.items():
            pages_with[language].update(stems)
    of_target: dict[int, dict[str, Use]] = defaultdict(dict)
    for key, targets in sorted(linked.items()):
        for target, count in sorted(targets.items()):
            of_target[target][surfaces[key]] = Use(count, max(seen[key], targets.total()))
    return SiteNames(Counter(head.language for head in corpus.heads), pages_with, dict(of_target))


def _read_links(corpus: Corpus, block: range) -> dict[_Key, tuple[str, Counter[int]]]:
    """The words of links of some pages → one spelling of them, and how often they lead to which page."""
    found: dict[_Key, tuple[str, Counter[int]]] = {}
    for page in corpus.pages(block.start, block.stop):
        language = page.head.language
        for link in page.links:
            anchor = trimmed(page.anchor(link), language)
            wording = tuple(map(words.normalize, words.texts(anchor)))
            if wording:
                found.setdefault((language, wording), (anchor, Counter()))[1][link.target] += 1
    return found


class _WordCounts(NamedTuple):
    seen: Counter[_Key]  # how often the words of links stand in running text
    pages_with: dict[str, Counter[str]]  # language -> stem -> number of pages


def _count_words(corpus: Corpus, block: range, by_first: Mapping[str, Mapping[str, Sequence[Wording]]]) -> _WordCounts:
    """Count in some pages; ``by_first`` has the words of links by language and first word."""
    counts = _WordCounts(Counter(), defaultdict(Counter))
    for page in corpus.pages(block.start, block.stop):
        language = page.head.language
        first_words = by_first.get(language, {})
        distinct: set[str] = set()
        for norms in _running_words(page):
            distinct.update(norms)
            for position, norm in enumerate(norms):
                for wording in first_words.get(norm, ()):
                    if tuple(norms[position : position + len(wording)]) == wording:
                        counts.seen[language, wording] += 1
        counts.pages_with[language].update({words.stem(norm, language) for norm in distinct})
    return counts


def _running_words(page: Page) -> Iterator[list[str]]:
    for block in page.blocks:
        if block.kind.is_running_text:
            yield list(map(words.normalize, words.texts(block.text)))
