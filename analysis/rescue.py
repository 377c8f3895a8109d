"""Sources for orphans: of all proposals that lead to a page which no text links to, the few best, whatever page they stand on.

A page proposes its own best targets, and an orphan is seldom among them; so it is asked from the other end as well.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from copy import copy
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from analysis.graph import LinkGraph
    from analysis.records import Proposal

SOURCES: Final = 6  # kept for an orphan: most have no sentence for it, so one alone would seldom do
_ROOM: Final = 4.0  # more than two scores ever differ by: a page with room comes before all that have their links


class Rescue:
    """The best sources of each orphan so far; memory grows with the orphans, not with the pairs."""

    def __init__(self, graph: LinkGraph, max_links: int) -> None:
        self._room = np.where(graph.out_degree < max_links, _ROOM, 0.0)
        self._least = np.where(graph.in_degree == 0, -np.inf, np.inf)
        self._kept: dict[int, list[tuple[float, int, Proposal]]] = defaultdict(list)

    def wants(self, source: int, targets: NDArray[np.integer], scores: NDArray[np.floating]) -> NDArray[np.bool_]:
        """Which of a page's proposals would be among the best for an orphan; shapes (n,), (n,) -> (n,)."""
        wanted: NDArray[np.bool_] = scores + self._room[source] > self._least[targets]
        return wanted

    def begun_anew(self) -> Rescue:
        """The same question, as if no proposal had been shown."""
        new = copy(self)
        new._least = np.where(np.isposinf(self._least), np.inf, -np.inf)
        new._kept = defaultdict(list)
        return new

    def look_at(self, proposals: Iterable[tuple[Proposal, float]]) -> None:
        """Keep those (with their scores before rounding) that :meth:`wants` asks for."""
        for proposal, score in proposals:
            if self.wants(proposal.source, np.array([proposal.target]), np.array([score]))[0]:
                self.keep(proposal)

    def keep(self, proposal: Proposal) -> None:
        """Keep a proposal that :meth:`wants` asked for."""
        kept = self._kept[proposal.target]
        heapq.heappush(kept, (proposal.score + float(self._room[proposal.source]), -proposal.source, proposal))
        if len(kept) > SOURCES:
            heapq.heappop(kept)
        if len(kept) == SOURCES:
            self._least[proposal.target] = kept[0][0]

    def added_to(self, proposals: Sequence[Sequence[Proposal]]) -> list[list[Proposal]]:
        """The proposals of each page, and after them those for orphans that the page itself did not choose; best first each."""
        more: dict[int, list[Proposal]] = defaultdict(list)
        for kept in self._kept.values():
            for _, _, proposal in kept:
                more[proposal.source].append(proposal)
        found = []
        for page, own in enumerate(proposals):
            chosen = {proposal.target for proposal in own}
            extra = [proposal for proposal in more.get(page, ()) if proposal.target not in chosen]
            found.append([*own, *sorted(extra, key=lambda proposal: (-proposal.score, proposal.target))])
        return found
