"""``orphans.csv``: the articles to which no other article's text links. Withheld when the crawl is incomplete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.outputs.tables import write_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from analysis.records import PageHead, PlanRow

NAME = "orphans.csv"
COLUMNS = ("url", "title", "language", "links_out", "proposed_links_in", "best_source")


def write_orphans(
    folder: Path,
    heads: Sequence[PageHead],
    orphans: Sequence[int],
    out_degree: Sequence[int],
    rows: Sequence[PlanRow],
    *,
    bom: bool,
) -> None:
    """Write the orphans with what the plan would do for each; an empty list gives a file with its header."""
    best: dict[int, str] = {}
    proposed: dict[int, int] = {}
    for row in rows:
        target = row.proposal.target
        proposed[target] = proposed.get(target, 0) + 1
        best.setdefault(target, heads[row.proposal.source].url)
    cells = (
        (heads[i].url, heads[i].title, heads[i].language, int(out_degree[i]), proposed.get(i, 0), best.get(i, ""))
        for i in orphans
    )
    write_table(folder / NAME, COLUMNS, cells, bom=bom)
