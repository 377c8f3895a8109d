"""What has to be worked out before something can be drawn: places on a map, bins, the part of a graph that fits on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.outputs.report.data import GraphView, RankedPage, Similarity, Threshold, TopicPoint

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from analysis.audit import Audit
    from analysis.graph import LinkGraph
    from analysis.pagerank import Effect
    from analysis.records import PageHead

MAP_PAGES: Final = 6_000  # points that a map can show and a browser can draw at once
GRAPH_PAGES: Final = 3_000
GRAPH_LINKS: Final = 60_000
SAMPLE: Final = 4_000
_MOVERS: Final = 50  # pages that gain, and pages that lose most, are kept whatever their weight


def evenly(size: int, most: int) -> NDArray[np.int64]:
    """At most ``most`` positions below ``size``, evenly spread, the same ones each time."""
    if size <= most:
        return np.arange(size)
    return np.linspace(0, size - 1, most).astype(np.int64)


def project(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """The two directions in which pages differ most: principal components of a sample of :data:`SAMPLE` rows.

    :param vectors: (n, d) page vectors.
    :return: (n, 2) places, each axis from -1 to 1; the same for the same vectors (the sign of an axis is fixed by its largest
        component), zeros where there is nothing to tell apart.
    """
    size = len(vectors)
    if size < 2:
        return np.zeros((size, 2))
    sample = vectors[evenly(size, SAMPLE)].astype(np.float64)
    centre = sample.mean(axis=0)
    _, directions = np.linalg.eigh((sample - centre).T @ (sample - centre))  # by ascending weight
    axes = directions.T[::-1][:2]
    strongest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    axes = axes * np.where(strongest < 0, -1.0, 1.0)[:, None]
    places = np.zeros((size, 2))
    places[:, : len(axes)] = (vectors - centre) @ axes.T
    reach = np.abs(places).max(axis=0)
    return places / np.where(reach > 0, reach, 1.0)


def histogram(values: NDArray[np.floating], edges: Sequence[float]) -> tuple[int, ...]:
    """How many values lie in each bin; what lies outside counts to the bin at that end."""
    inside = np.clip(values, edges[0], edges[-1])
    return tuple(int(count) for count in np.histogram(inside, bins=np.asarray(edges))[0])


def cosine_edges(*samples: NDArray[np.floating], bins: int = 40) -> tuple[float, ...]:
    """Edges of ``bins`` equal bins that hold all samples, at round hundredths."""
    held = [values for values in samples if len(values)]
    low = min((float(values.min()) for values in held), default=0.0)
    high = max((float(values.max()) for values in held), default=1.0)
    low, high = np.floor(low * 100) / 100, np.ceil(high * 100) / 100
    if high - low < 0.01:
        low, high = low - 0.01, high + 0.01
    return tuple(round(float(edge), 5) for edge in np.linspace(low, high, bins + 1))


def graph_view(
    heads: Sequence[PageHead], graph: LinkGraph, effect: Effect, *, pages: int = GRAPH_PAGES, links: int = GRAPH_LINKS
) -> GraphView:
    """The part of the site's graph that the report shows; all of it where it fits.

    :param graph: the links that stand in the texts now.
    :param effect: the site before and after the plan, over the same pages.
    :param pages: how many pages to keep: those of most weight, and those that gain or lose most.
    :param links: how many links between them to keep, those of heavier pages first.
    """
    before, after = effect.before, effect.after
    kept = _kept(after.pagerank, effect.change, pages)
    place = np.full(graph.size, -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    sources, targets = place[graph.sources], place[graph.targets]
    both = (sources >= 0) & (targets >= 0)
    pairs = sorted(zip(sources[both].tolist(), targets[both].tolist(), strict=True), key=lambda pair: (max(pair), pair))
    return GraphView(
        pages=tuple(
            RankedPage(
                heads[i].url,
                heads[i].title,
                heads[i].language,
                float(f"{before.pagerank[i]:.6g}"),
                float(f"{after.pagerank[i]:.6g}"),
                int(before.depth[i]),
                int(after.depth[i]),
            )
            for i in kept.tolist()
        ),
        pages_total=graph.size,
        links=tuple(sorted(pairs[:links])),
        links_total=len(graph.sources),
        effect=effect.figures,
    )


def _kept(weights: NDArray[np.float64], change: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """Positions of the pages to keep, heaviest first."""
    heaviest = np.argsort(-weights, kind="stable")
    if len(weights) <= most:
        return heaviest
    by_change = np.argsort(change, kind="stable")
    movers = set(_ints(by_change[:_MOVERS])) | set(_ints(by_change[-_MOVERS:]))
    chosen = movers | set(_ints(heaviest[: max(0, most - len(movers))]))
    return np.array([i for i in heaviest.tolist() if i in chosen], dtype=np.int64)


def _ints(positions: Iterable[np.integer]) -> list[int]:
    return [int(i) for i in positions]


def topic_points(heads: Sequence[PageHead], vectors: NDArray[np.float32]) -> tuple[TopicPoint, ...]:
    """The map of topics, of :data:`MAP_PAGES` pages at most; ``vectors`` (n, d) has a row for each head."""
    shown = evenly(len(heads), MAP_PAGES)
    return tuple(
        TopicPoint(heads[i].url, heads[i].title, heads[i].language, x, y)
        for i, (x, y) in zip(shown.tolist(), project(vectors[shown]).tolist(), strict=True)
    )


def similarity(audit: Audit) -> Similarity:
    """How close pages are to their nearest neighbour, and pages drawn at random to each other, both of one language."""
    nearest = audit.closest[audit.closest != 0]
    background = _random_cosines(audit.vectors, audit.languages)
    edges = cosine_edges(nearest, background)
    return Similarity(
        model=audit.model,
        edges=edges,
        nearest=histogram(nearest, edges),
        background=histogram(background, edges),
        thresholds=(Threshold("related from", round(audit.related_from, 3)),),
    )


def _random_cosines(vectors: NDArray[np.float32], groups: NDArray[np.int32]) -> NDArray[np.float32]:
    """Cosines of :data:`SAMPLE` random pairs, those of two groups left out; the same for the same vectors."""
    a, b = np.random.default_rng(1).integers(0, max(1, len(vectors)), (2, SAMPLE if len(vectors) else 0))
    same = (groups[a] == groups[b]) & (a != b)
    cosines: NDArray[np.float32] = np.einsum("ij,ij->i", vectors[a[same]], vectors[b[same]])
    return cosines
