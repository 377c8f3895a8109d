"""``search_console.csv``: a row a page and a row a proposed pair, with what Search Console knows of them; empty without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.outputs.tables import write_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from analysis.records import PageHead, PlanRow
    from analysis.search_console import PairQueries, SearchData
    from analysis.store import SearchFigures

NAME = "search_console.csv"
COLUMNS = ("kind", "page", "target", "clicks", "impressions", "ctr", "position", "shared_queries", "verdict")
MOST_QUERIES: Final = 5  # named of those that two pages share


def write_search_console(
    folder: Path,
    heads: Sequence[PageHead],
    rows: Sequence[PlanRow],
    data: SearchData | None,
    verdicts: Mapping[tuple[int, int], PairQueries],
    *,
    bom: bool,
) -> None:
    """Write pages first, then pairs; what nobody knows stays empty."""

    def cells() -> Iterator[tuple[object, ...]]:
        for head in heads:
            yield ("page", head.url, "", *_figures(data.pages.get(head.index) if data else None), "", "")
        for row in rows:
            source, target = row.proposal.source, row.proposal.target
            yield ("pair", heads[source].url, heads[target].url, *_figures(None), *_queries(verdicts.get((source, target))))

    write_table(folder / NAME, COLUMNS, cells(), bom=bom)


def named_queries(pair: PairQueries) -> str:
    """The queries that both pages rank for, most impressions first."""
    return "; ".join(shared.query for shared in pair.shared[:MOST_QUERIES])


def _queries(pair: PairQueries | None) -> tuple[str, str]:
    return ("", "") if pair is None else (named_queries(pair), str(pair.verdict))


def _figures(figures: SearchFigures | None) -> tuple[object, ...]:
    if figures is None:
        return ("",) * 4
    return (
        _cell(figures.clicks, "{:.0f}"),
        _cell(figures.impressions, "{:.0f}"),
        _cell(figures.ctr, "{:.4f}"),
        _cell(figures.position, "{:.1f}"),
    )


def _cell(figure: float | None, form: str) -> str:
    return "" if figure is None else form.format(figure)
