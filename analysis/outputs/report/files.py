"""The small files that only the report reads, each with its writer; their formats stand with the records in ``data``."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import TYPE_CHECKING, Any, Final

from analysis.outputs.report.data import (
    Backtest,
    Competitor,
    GraphView,
    RankedPage,
    Series,
    Similarity,
    Threshold,
    TopicPoint,
)
from analysis.outputs.report.reading import ReportError, number, rows_of
from analysis.outputs.tables import write_table, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

GRAPH: Final = "graph.json"
TOPICS: Final = "topic_map.csv"
SIMILARITY: Final = "similarity.json"
CANNIBALIZATION: Final = "cannibalization.csv"
BACKTEST: Final = "backtest.json"

TOPIC_COLUMNS: Final = ("url", "title", "language", "x", "y")
COMPETITOR_COLUMNS: Final = ("group", "url", "title", "language", "closeness", "advice", "difference", "shared_queries", "reason")


def write_graph(folder: Path, view: GraphView) -> None:
    """Write ``graph.json``."""
    _write_json(
        folder / GRAPH,
        {
            "pages": [astuple(page) for page in view.pages],
            "pages_total": view.pages_total,
            "links": view.links,
            "links_total": view.links_total,
            "effect": view.effect,
        },
    )


def read_graph(folder: Path) -> GraphView | None:
    """:raises ReportError: if the file is there and cannot be read, as all readers of this module do."""
    raw = _read_json(folder / GRAPH)
    if raw is None:
        return None
    try:
        return GraphView(
            pages=tuple(RankedPage(*page) for page in raw["pages"]),
            pages_total=int(raw["pages_total"]),
            links=tuple((int(source), int(target)) for source, target in raw["links"]),
            links_total=int(raw["links_total"]),
            effect={str(name): (before, after) for name, (before, after) in raw["effect"].items()},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise _unusable(folder / GRAPH) from error


def write_topics(folder: Path, points: Iterable[TopicPoint], *, bom: bool = False) -> None:
    """Write ``topic_map.csv``."""
    cells = ((p.url, p.title, p.language, f"{p.x:.4f}", f"{p.y:.4f}") for p in points)
    write_table(folder / TOPICS, TOPIC_COLUMNS, cells, bom=bom)


def read_topics(folder: Path) -> tuple[TopicPoint, ...]:
    """The points that have a place; none when there is no such file."""
    points = []
    for row in rows_of(folder / TOPICS, TOPIC_COLUMNS):
        x, y = number(row["x"]), number(row["y"])
        if x is not None and y is not None:
            points.append(TopicPoint(row["url"], row["title"], row["language"], x, y))
    return tuple(points)


def write_similarity(folder: Path, similarity: Similarity) -> None:
    """Write ``similarity.json``."""
    _write_json(
        folder / SIMILARITY,
        {
            "model": similarity.model,
            "edges": similarity.edges,
            "nearest": similarity.nearest,
            "background": similarity.background,
            "thresholds": [astuple(threshold) for threshold in similarity.thresholds],
        },
    )


def read_similarity(folder: Path) -> Similarity | None:
    """None when there is no such file."""
    raw = _read_json(folder / SIMILARITY)
    if raw is None:
        return None
    try:
        return Similarity(
            model=str(raw["model"]),
            edges=tuple(float(edge) for edge in raw["edges"]),
            nearest=tuple(int(count) for count in raw["nearest"]),
            background=tuple(int(count) for count in raw["background"]),
            thresholds=tuple(Threshold(str(name), float(value)) for name, value in raw["thresholds"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise _unusable(folder / SIMILARITY) from error


def write_competitors(folder: Path, competitors: Iterable[Competitor], *, bom: bool = False) -> None:
    """Write ``cannibalization.csv``."""
    cells = (
        tuple("" if cell is None else cell for cell in (getattr(competitor, name) for name in COMPETITOR_COLUMNS))
        for competitor in competitors
    )
    write_table(folder / CANNIBALIZATION, COMPETITOR_COLUMNS, cells, bom=bom)


def read_competitors(folder: Path) -> tuple[Competitor, ...] | None:
    """None when there is no such file."""
    if not (folder / CANNIBALIZATION).is_file():
        return None
    return tuple(
        Competitor(
            row["group"],
            row["url"],
            row["title"],
            row["language"],
            number(row["closeness"]),
            row["advice"],
            row["difference"],
            row["shared_queries"],
            row["reason"],
        )
        for row in rows_of(folder / CANNIBALIZATION, COMPETITOR_COLUMNS)
    )


def write_backtest(folder: Path, backtest: Backtest, figures: Mapping[str, Any] | None = None) -> None:
    """Write ``backtest.json``; ``figures`` go with it for whoever reads the file, the report leaves them."""
    series = [{"name": line.name, "points": line.points} for line in backtest.series]
    shown = {"x": backtest.x, "y": backtest.y, "note": backtest.note, "series": series}
    _write_json(folder / BACKTEST, {**shown, "figures": dict(figures or {})})


def read_backtest(folder: Path) -> Backtest | None:
    """None when there is no such file."""
    raw = _read_json(folder / BACKTEST)
    if raw is None:
        return None
    try:
        series = tuple(
            Series(str(line["name"]), tuple((float(x), float(y)) for x, y in line["points"])) for line in raw["series"]
        )
        return Backtest(str(raw["x"]), str(raw["y"]), str(raw["note"]), series)
    except (KeyError, TypeError, ValueError) as error:
        raise _unusable(folder / BACKTEST) from error


def _write_json(path: Path, value: object) -> None:
    write_text(path, json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")


def _read_json(path: Path) -> Any:
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise _unusable(path) from error


def _unusable(path: Path) -> ReportError:
    return ReportError(f"{path.name} in {path.parent} is not what the plan writes; delete it or make the plan again.")
