"""``search_console.csv``: the join placeholder, a row a page and a row a proposed pair, ready to be filled from an export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.outputs.tables import write_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from analysis.records import PageHead, PlanRow

NAME = "search_console.csv"
COLUMNS = ("kind", "page", "target", "clicks", "impressions", "ctr", "position", "shared_queries")
_TO_FILL = ("",) * 5


def write_search_console(folder: Path, heads: Sequence[PageHead], rows: Sequence[PlanRow], *, bom: bool) -> None:
    """Write pages first, then pairs; the columns that only Search Console knows stay empty."""

    def cells() -> Iterator[tuple[object, ...]]:
        for head in heads:
            yield ("page", head.url, "", *_TO_FILL)
        for row in rows:
            yield ("pair", heads[row.proposal.source].url, heads[row.proposal.target].url, *_TO_FILL)

    write_table(folder / NAME, COLUMNS, cells(), bom=bom)
