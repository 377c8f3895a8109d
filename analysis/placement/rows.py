"""From proposals to rows of the plan: each link is placed in its sentence, and the place is proved on the page's own bytes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from analysis.insertion import LinkRequest, SourcePage, Spot, UnsafeEncodingError
from analysis.placement.habits import learn_habits
from analysis.placement.hints import nearest_sentence, subject
from analysis.placement.places import (
    SAME_ANCHOR_SITEWIDE,
    Accept,
    AnchorBudget,
    SourceText,
    Traits,
    Wanted,
    place,
    place_by_meaning,
)
from analysis.processes import in_forks
from analysis.records import NearMiss, Placement, PlanRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from analysis.corpus import Corpus
    from analysis.graph import LinkGraph
    from analysis.placement.names import SiteNames
    from analysis.records import Proposal

_NO_SOURCE = "the crawl kept no HTML of the article in which a place could be proved"
_TARGETS_KEPT = 20_000  # prepared targets in the memory of each process


_Words: TypeAlias = tuple[int, str]  # a target, and the words of an anchor that leads to it


class _PlacedPage(NamedTuple):
    places: list[Placement | NearMiss]
    asked: frozenset[_Words]  # whether these were spent made a difference
    guessed: frozenset[_Words]  # those of them that were taken for spent
    used: tuple[_Words, ...]


def _wrongly_guessed(placed: Sequence[_PlacedPage]) -> Iterator[tuple[int, frozenset[_Words]]]:
    """The pages that took other anchors for spent than the pages before them used up, and what these are by now."""
    uses: Counter[_Words] = Counter()
    for number, page in enumerate(placed):
        spent = frozenset(words for words in page.asked if uses[words] >= SAME_ANCHOR_SITEWIDE)
        if spent != page.guessed:
            yield number, spent
        uses.update(page.used)


class Placer:
    """Places the proposals of one page after another; give it the pages in a fixed order, for anchors are budgeted site-wide."""

    def __init__(self, corpus: Corpus, names: SiteNames) -> None:
        self._corpus = corpus
        self._names = names
        self._budget = AnchorBudget()
        self._target = lru_cache(maxsize=_TARGETS_KEPT)(lambda index: names.target(corpus.heads[index]))
        self._subject = lru_cache(maxsize=_TARGETS_KEPT)(lambda index: subject(corpus.page(index), names))

    @cached_property
    def _weights(self) -> Traits:
        return learn_habits(self._corpus, self._names)

    def by_evidence(self, source: int, proposals: Sequence[Proposal]) -> list[Placement | NearMiss]:
        """The likeliest words of the likeliest sentence (method ``learned``)."""
        return self._by_evidence(source, proposals, self._budget)

    def all_by_evidence(self, pages: Sequence[Sequence[Proposal]], processes: int) -> list[list[Placement | NearMiss]]:
        """:meth:`by_evidence` for the proposals of page after page, by several processes.

        Each page is placed by itself, with a guess of which anchors the pages before it have spent: at first by those of them
        that its own process has placed. Where the guess proves wrong, the page is placed again with what is known by then, until
        all were right: then it is as if one had been placed after the other.
        """
        _ = self._weights  # learned once, before the processes part
        own_uses: Counter[_Words] = Counter()  # each process goes on with a copy of its own
        own_share = -(-SAME_ANCHOR_SITEWIDE // processes)

        def first(number: int) -> _PlacedPage:
            page = self._alone(pages[number], lambda words: own_uses[words] >= own_share)
            own_uses.update(page.used)
            return page

        placed = list(in_forks(first, len(pages), processes, self._corpus.reopen))
        while wrong := list(_wrongly_guessed(placed)):

            def again(at: int, wrong: Sequence[tuple[int, frozenset[_Words]]] = wrong) -> _PlacedPage:
                number, spent = wrong[at]
                return self._alone(pages[number], spent.__contains__)

            for (number, _), page in zip(wrong, in_forks(again, len(wrong), processes, self._corpus.reopen), strict=True):
                placed[number] = page
        return [page.places for page in placed]

    def _alone(self, proposals: Sequence[Proposal], is_spent: Callable[[_Words], bool]) -> _PlacedPage:
        budget = AnchorBudget(is_spent)
        places = self._by_evidence(proposals[0].source, proposals, budget)
        guessed = frozenset(filter(is_spent, budget.asked))
        return _PlacedPage(places, frozenset(budget.asked), guessed, tuple(+budget.uses))

    def _by_evidence(self, source: int, proposals: Sequence[Proposal], budget: AnchorBudget) -> list[Placement | NearMiss]:
        text, proof = self._open(source, budget)
        if proof is None:
            return [NearMiss(_NO_SOURCE)] * len(proposals)
        accept = self._accept(proof)
        places = [place(text, self._target(p.target), p.target, budget, accept, self._weights) for p in proposals]
        return [self._with_hint(text, p.target, found) for p, found in zip(proposals, places, strict=True)]

    def by_meaning(
        self,
        source: int,
        proposals: Sequence[Proposal],
        title_vectors: NDArray[np.float32],
        encode: Callable[[Sequence[str]], NDArray[np.float32]],
        threshold: float,
    ) -> list[Placement | NearMiss]:
        """The sentence nearest to the target's title (method ``semantic``)."""
        text, proof = self._open(source, self._budget)
        if proof is None:
            return [NearMiss(_NO_SOURCE)] * len(proposals)
        wanted = [Wanted(self._target(p.target), p.target, title_vectors[p.target]) for p in proposals]
        return place_by_meaning(text, wanted, encode, threshold, self._budget, self._accept(proof))

    def _open(self, source: int, budget: AnchorBudget) -> tuple[SourceText, SourcePage | None]:
        page = self._corpus.page(source)
        budget.note_existing(page)
        html, codec = self._corpus.html(source)
        try:
            proof = SourcePage(html, page.head.url, encoding=codec) if html else None
        except UnsafeEncodingError:
            proof = None
        return SourceText(page), proof

    def _with_hint(self, text: SourceText, target: int, found: Placement | NearMiss) -> Placement | NearMiss:
        if isinstance(found, Placement) or found.sentence or found.hint:
            return found
        return replace(found, hint=nearest_sentence(text, self._target(target), self._subject(target)))

    def _accept(self, proof: SourcePage) -> Accept:
        """The inserter run dry on the page's bytes, each link beside those that were accepted before it."""
        taken: list[tuple[int, int]] = []

        def accept(target: int, placement: Placement) -> str:
            url = self._corpus.heads[target].url
            request = LinkRequest(url, placement.anchor, placement.block_digest, placement.start)
            spot = proof.try_insert(request, taken=taken)
            if not isinstance(spot, Spot):
                return spot.value
            taken.append((spot.start, spot.end))
            return ""

        return accept


def surest_first(proposals: Iterable[Sequence[Proposal]]) -> list[Sequence[Proposal]]:
    """The pages that have proposals, those with the surest ones first: to them goes what the site has only so much of."""
    return sorted((of_page for of_page in proposals if of_page), key=lambda of_page: (-of_page[0].score, of_page[0].source))


def make_rows(
    placed: Iterable[tuple[Sequence[Proposal], Sequence[Placement | NearMiss]]], graph: LinkGraph, max_links: int
) -> list[PlanRow]:
    """All rows, best first; ties by the order of the pages, so that the same input gives the same file."""
    out_degree = graph.out_degree
    rows = []
    for proposals, placements in placed:
        for number, (proposal, placement) in enumerate(zip(proposals, placements, strict=True), start=1):
            links_now = int(out_degree[proposal.source])
            beyond = links_now + number > max_links
            if isinstance(placement, NearMiss):
                rows.append(PlanRow(proposal, None, links_now, beyond, near_miss=placement))
            else:
                rows.append(PlanRow(proposal, placement, links_now, beyond))
    return sorted(rows, key=lambda row: (-row.proposal.score, row.proposal.source, row.proposal.target))
