"""``orphans.csv``: the articles to which no other article's text links. Withheld when the crawl is incomplete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.outputs.tables import write_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from analysis.orphans import Orphan
    from analysis.records import PageHead

NAME = "orphans.csv"
COLUMNS = (
    "url",
    "title",
    "language",
    "links_out",
    "proposed_links_in",
    "best_source",
    "rescue",
    "reason",
    "in_menu",
)


def write_orphans(
    folder: Path,
    heads: Sequence[PageHead],
    orphans: Iterable[Orphan],
    out_degree: Sequence[int],
    menu: Collection[int],
    *,
    bom: bool,
) -> None:
    """Write the orphans with what the plan does for each; none of them gives a file with its header."""
    cells = (
        (
            heads[orphan.page].url,
            heads[orphan.page].title,
            heads[orphan.page].language,
            int(out_degree[orphan.page]),
            orphan.proposals,
            "" if orphan.best_source is None else heads[orphan.best_source].url,
            str(orphan.fate),
            orphan.reason,
            "yes" if orphan.page in menu else "no",
        )
        for orphan in orphans
    )
    write_table(folder / NAME, COLUMNS, cells, bom=bom)
