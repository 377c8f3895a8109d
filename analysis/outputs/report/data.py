"""What the report shows: plain frozen records, gathered from the files of a plan's folder and handed to the page as they are.

Pages are named by their number in :attr:`ReportData.pages`, so that a title stands in the report once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Listing(Generic[Row]):
    """The rows that the report holds, and how many there are in the file that they come from."""

    rows: tuple[Row, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A page of the site; the figures of Search Console are None where no export was joined."""

    url: str
    title: str
    language: str
    clicks: float | None = None
    impressions: float | None = None


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A proposed link: its sentence in three parts, so that the anchor can be marked without counting characters again."""

    rank: int
    source: int
    target: int
    language: str
    closeness: float | None
    confidence: float | None
    level: str
    placement: str
    before: str
    anchor: str
    after: str
    obstacle: str  # why it is not placed; the sentence is then where the text comes nearest
    hint: str
    reason: str
    links_now: int
    beyond_limit: bool
    status: str
    queries: str  # search queries that both pages rank for, where an export was joined


@dataclass(frozen=True, slots=True)
class OrphanLine:
    """An article that no other article's text links to, with its rescue: the best line of the plan that leads to it."""

    page: int
    links_out: int
    proposals: int
    best_source: int | None
    reason: str  # why there is no link that could be placed


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """An address that was not used."""

    url: str
    kind: str
    state: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the summary; ``before`` stands beside ``value`` where the plan would change it."""

    name: str
    value: str
    before: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class RankedPage:
    """A page's place in the graph of links: weights sum to 1 over all pages of the site."""

    url: str
    title: str
    language: str
    rank_before: float
    rank_after: float
    depth_before: int = -1  # clicks from the pages that the menus show; -1 where unknown or out of reach
    depth_after: int = -1


@dataclass(frozen=True, slots=True)
class GraphView:
    """The file ``graph.json``: pages, the links that stand in their texts, and what the plan changes as a whole.

    ``{"pages": [[url, title, language, rank before, rank after, depth before, depth after], …], "pages_total": int,
    "links": [[source, target], …], "links_total": int, "effect": {name: [before, after], …}}``; links name pages by their
    position in ``pages``. Of a large site it holds the pages of most weight and those that the plan changes most.
    """

    pages: tuple[RankedPage, ...]
    pages_total: int
    links: tuple[tuple[int, int], ...]
    links_total: int
    effect: dict[str, tuple[float | None, float | None]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TopicPoint:
    """A row of ``topic_map.csv``: a page's place on the map of topics, both axes from -1 to 1."""

    url: str
    title: str
    language: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Threshold:
    """A cosine at which something begins."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Similarity:
    """The file ``similarity.json``: how close pages are to their nearest neighbour, and to just any page.

    ``{"model": str, "edges": [n + 1 cosines], "nearest": [n counts], "background": [n counts] or [],
    "thresholds": [[name, value], …]}``.
    """

    model: str
    edges: tuple[float, ...]
    nearest: tuple[int, ...]
    background: tuple[int, ...] = ()
    thresholds: tuple[Threshold, ...] = ()


@dataclass(frozen=True, slots=True)
class Competitor:
    """A row of ``cannibalization.csv``: one of the pages that compete, rows of a group one after the other.

    ``advice`` is "merge", "differentiate" or "canonical"; ``difference`` is what sets this page apart from the others.
    """

    group: str
    url: str
    title: str
    language: str
    closeness: float | None
    advice: str
    difference: str
    shared_queries: str
    reason: str = ""  # why the group is one


@dataclass(frozen=True, slots=True)
class Series:
    """A named line of a chart."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Backtest:
    """The file ``backtest.json``: how many of the editors' own links a plan finds again when they are hidden from it.

    ``{"x": label, "y": label, "note": str, "series": [{"name": str, "points": [[x, y], …]}, …]}``; x and y are shares.
    """

    x: str
    y: str
    note: str
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class ReportData:
    """All of the report; a part that is None (topics: empty) has no file in the folder, and no section."""

    site: str
    method: str
    model: str
    figures: tuple[Figure, ...]
    languages: dict[str, int]
    warnings: tuple[str, ...]  # what the reader must know before they trust a figure
    notes: tuple[str, ...]
    pages: tuple[ReportPage, ...]
    plan: Listing[PlanLine]
    orphans: Listing[OrphanLine] | None  # None when the crawl is incomplete, for then nobody knows
    skipped: Listing[SkippedLine]
    skipped_reasons: dict[str, int]
    search_console: bool
    graph: GraphView | None = None
    topics: tuple[TopicPoint, ...] = ()
    similarity: Similarity | None = None
    competitors: tuple[Competitor, ...] | None = None  # empty where none compete
    backtest: Backtest | None = None
