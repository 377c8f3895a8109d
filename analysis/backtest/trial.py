"""One trial: hide links, plan without them, and see which of the proposals the editors had."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analysis.backtest.metrics import word_f1
from analysis.budget import Caps, choose
from analysis.graph import read_graph
from analysis.methods import METHODS
from analysis.placement.names import read_names
from analysis.placement.places import SourceText, find_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from analysis.backtest.hiding import EditorLink
    from analysis.config import PlanConfig
    from analysis.corpus import Corpus
    from analysis.records import PlanRow
    from analysis.site import Site


@dataclass(frozen=True, slots=True)
class Guess:
    """A proposal on an article with hidden links."""

    score: float  # confidence, or closeness where the method has none
    is_confidence: bool
    level: str
    is_found: bool  # whether it is a hidden link
    is_named: bool = False  # of a hidden link: whether words for it stand in the text
    has_sentence: bool = False  # of a hidden link: whether the plan says where
    is_insertable: bool = False  # of a hidden link: whether the inserter, run dry, could link words there
    anchor_f1: float | None = None  # with the editors' words; None unless the sentence is in a paragraph where they had the link


@dataclass(frozen=True, slots=True)
class TriedPage:
    """An article with hidden links, and the first proposals that a plan has for it, best first."""

    language: str
    hidden: int
    hidden_named: int  # those for which words stand in the text
    guesses: tuple[Guess, ...]


def try_methods(
    site: Site, hidden: Sequence[EditorLink], methods: Iterable[str], config: PlanConfig
) -> dict[str, list[TriedPage]]:
    """Plan by each method as if ``hidden`` had never been linked; the articles that lost a link, by method."""
    links: defaultdict[int, dict[int, EditorLink]] = defaultdict(dict)
    for link in hidden:
        links[link.source][link.target] = link
    corpus = site.corpus.without_links({source: frozenset(targets) for source, targets in links.items()})
    view = replace(site, corpus=corpus, graph=read_graph(corpus.pages(), len(corpus)))
    named = _named(corpus, links, site.pool.size)
    caps = Caps(config.links_per_page, config.max_links, config.links_to_page)
    tried = {}
    for method in methods:
        rows = choose(METHODS[method](view, config), view.graph, caps)
        tried[method] = _compare(rows, links, named, view, config.links_per_page)
    return tried


def _named(corpus: Corpus, links: Mapping[int, Mapping[int, EditorLink]], processes: int) -> set[tuple[int, int]]:
    """The (source, target) pairs for which the text has words that could be an anchor, by what is known without the link."""
    names = read_names(corpus, processes)
    named = set()
    for source, targets in links.items():
        text = SourceText(corpus.page(source))
        named |= {(source, target) for target in targets if find_options(text, names.target(corpus.heads[target]))}
    return named


def _compare(
    rows: Iterable[PlanRow],
    links: Mapping[int, Mapping[int, EditorLink]],
    named: set[tuple[int, int]],
    site: Site,
    top: int,
) -> list[TriedPage]:
    first: defaultdict[int, list[Guess]] = defaultdict(list)
    for row in rows:
        source, target = row.proposal.source, row.proposal.target
        if source in links and len(first[source]) < top:
            first[source].append(_guess(row, links[source].get(target), (source, target) in named))
    return [
        TriedPage(
            site.corpus.heads[source].language,
            len(targets),
            sum((source, target) in named for target in targets),
            tuple(first[source]),
        )
        for source, targets in links.items()
    ]


def _guess(row: PlanRow, link: EditorLink | None, is_named: bool) -> Guess:
    proposal, placement = row.proposal, row.placement
    place = placement or row.near_miss
    has_confidence = proposal.confidence is not None
    if link is None:
        return Guess(proposal.score, has_confidence, proposal.level, is_found=False)
    f1 = None
    has_sentence = place is not None and place.sentence is not None
    if place and place.sentence and place.sentence.block in link.blocks:
        f1 = max(word_f1(place.anchor, anchor) for anchor in link.anchors)
    return Guess(proposal.score, has_confidence, proposal.level, True, is_named, has_sentence, placement is not None, f1)
