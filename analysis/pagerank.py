"""What the links do for the site: internal PageRank, click depth, dead ends, and how a plan changes them.

PageRank: L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", 1999; a page
without links passes its weight to all pages alike (A. Langville, C. Meyer, "Deeper Inside PageRank", 2004, section 3.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from analysis.graph import LinkGraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

DAMPING: Final = 0.85
UNREACHED: Final = -1


def pagerank(graph: LinkGraph, *, damping: float = DAMPING, tolerance: float = 1e-12, most: int = 1_000) -> NDArray[np.float64]:
    """The PageRank of each page by power iteration.

    :param damping: the share of a page's weight that its links pass on, from 0 to below 1.
    :param tolerance: the iteration ends when the weights move by less than this in all (L1); the error is at most
        ``damping / (1 - damping)`` times as large.
    :return: (n,) weights that sum to 1.
    """
    size = graph.size
    if size == 0:
        return np.zeros(0)
    out_degree = graph.out_degree
    ends = csr_array((1.0 / out_degree[graph.sources], (graph.targets, graph.sources)), shape=(size, size))
    dangling = out_degree == 0
    weights: NDArray[np.float64] = np.full(size, 1.0 / size)
    for _ in range(most):
        spread = (damping * weights[dangling].sum() + (1.0 - damping)) / size
        new: NDArray[np.float64] = damping * (ends @ weights) + spread
        moved = float(np.abs(new - weights).sum())
        weights = new
        if moved < tolerance:
            break
    weights /= weights.sum()
    return weights


def click_depth(graph: LinkGraph, roots: Iterable[int], *others: LinkGraph) -> NDArray[np.int32]:
    """How many clicks each page is away from the nearest of ``roots`` (the home page, or the pages that a menu shows).

    :param others: more links that a visitor may take (those of menus and lists), over the same pages.
    :return: (n,) clicks, 0 for the roots, :data:`UNREACHED` where no link leads.
    """
    starts = np.array(sorted(set(roots)), dtype=np.int64)
    if not len(starts):
        return np.full(graph.size, UNREACHED, dtype=np.int32)
    sources = np.concatenate([graph.sources, *(other.sources for other in others)])
    targets = np.concatenate([graph.targets, *(other.targets for other in others)])
    links = csr_array((np.ones(len(sources)), (sources, targets)), shape=(graph.size, graph.size))
    clicks = dijkstra(links, directed=True, indices=starts, unweighted=True, min_only=True)
    return np.where(np.isfinite(clicks), clicks, UNREACHED).astype(np.int32)


def gini(values: NDArray[np.float64]) -> float:
    """How unevenly a weight is shared: 0 when all have the same, towards 1 when one has all (C. Gini, 1912)."""
    total = float(values.sum())
    if total <= 0:
        return 0.0
    ranks = np.arange(1, len(values) + 1)
    return float(2 * (ranks * np.sort(values)).sum() / (len(values) * total) - (len(values) + 1) / len(values))


def with_links(graph: LinkGraph, added: Iterable[tuple[int, int]]) -> LinkGraph:
    """The graph with more (source, target) links; one that is there already, and a link of a page to itself, add nothing."""
    pairs = set(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    pairs |= {(source, target) for source, target in added if source != target}
    table = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)
    return LinkGraph(graph.size, table[:, 0].copy(), table[:, 1].copy())


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """One state of the site's links, in figures that anybody understands; arrays have one value a page."""

    pages: int
    links: int  # in texts, between different articles
    linking: int  # pages whose text links to another article
    linked: int  # pages to which another article's text links
    median_depth: float | None  # clicks from the roots, over all pages; None if half of them cannot be reached
    unreached: int | None
    gini: float
    pagerank: NDArray[np.float64]
    depth: NDArray[np.int32]

    @property
    def dead_ends(self) -> int:
        """Pages whose text links to no other article."""
        return self.pages - self.linking

    @property
    def orphans(self) -> int:
        """Pages to which no other article's text links."""
        return self.pages - self.linked

    @property
    def share_linking(self) -> float:
        """Share of pages with links in their text, from 0 to 1."""
        return self.linking / self.pages if self.pages else 0.0

    @property
    def links_per_page(self) -> float:
        """Links that stand in an article's text, on average."""
        return self.links / self.pages if self.pages else 0.0


def standing(graph: LinkGraph, roots: Sequence[int] = (), *others: LinkGraph) -> Standing:
    """Measure a graph; ``roots`` and ``others`` as in :func:`click_depth`."""
    weights = pagerank(graph)
    depth = click_depth(graph, roots, *others)
    clicks = np.where(depth == UNREACHED, np.inf, depth)
    median = float(np.median(clicks)) if graph.size else np.inf
    return Standing(
        pages=graph.size,
        links=len(graph.sources),
        linking=int((graph.out_degree > 0).sum()),
        linked=int((graph.in_degree > 0).sum()),
        median_depth=median if np.isfinite(median) else None,
        unreached=int((depth == UNREACHED).sum()) if len(roots) else None,
        gini=gini(weights),
        pagerank=weights,
        depth=depth,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """The site before and after a plan."""

    before: Standing
    after: Standing

    @property
    def change(self) -> NDArray[np.float64]:
        """What each page gains or loses of the site's weight; sums to 0."""
        return self.after.pagerank - self.before.pagerank

    @property
    def figures(self) -> dict[str, tuple[float | None, float | None]]:
        """What can be said in one number, by name: before and after."""
        names = ("links", "links_per_page", "share_linking", "orphans", "dead_ends", "median_depth", "unreached", "gini")
        return {name: (_rounded(getattr(self.before, name)), _rounded(getattr(self.after, name))) for name in names}

    def gains(self, most: int) -> list[tuple[int, float]]:
        """The pages that gain most, as (page, gain), largest first."""
        return [(page, -loss) for page, loss in self._smallest(-self.change, most)]

    def losses(self, most: int) -> list[tuple[int, float]]:
        """The pages that lose most, as (page, negative gain), largest loss first."""
        return self._smallest(self.change, most)

    @staticmethod
    def _smallest(change: NDArray[np.float64], most: int) -> list[tuple[int, float]]:
        order = np.argsort(change, kind="stable")[:most]
        return [(int(page), float(change[page])) for page in order if change[page] < 0]


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 4)


def effect(graph: LinkGraph, added: Iterable[tuple[int, int]], roots: Sequence[int] = (), *others: LinkGraph) -> Effect:
    """What the site gains when the links in ``added`` (source, target) are placed."""
    return Effect(standing(graph, roots, *others), standing(with_links(graph, added), roots, *others))
