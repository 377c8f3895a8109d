"""``interlink_plan.csv``: a row a proposed link, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.outputs.tables import write_table
from analysis.records import NearMiss

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from analysis.records import PageHead, PlanRow

NAME = "interlink_plan.csv"
COLUMNS = (
    "rank",
    "url_from",
    "url_to",
    "title_from",
    "title_to",
    "language",
    "closeness",
    "confidence",
    "level",
    "gain",
    "placement",
    "sentence",
    "anchor",
    "obstacle",
    "hint",
    "anchor_hint",
    "reason",
    "links_now",
    "beyond_limit",
    "status",
    "block",
    "start",
    "end",
)


def write_plan(folder: Path, heads: Sequence[PageHead], rows: Iterable[PlanRow], *, bom: bool = False, name: str = NAME) -> None:
    """Write the plan, its rows in the order in which they are given."""
    write_table(folder / name, COLUMNS, (_cells(rank, row, heads) for rank, row in enumerate(rows, start=1)), bom=bom)


def _cells(rank: int, row: PlanRow, heads: Sequence[PageHead]) -> tuple[object, ...]:
    proposal, placement, miss = row.proposal, row.placement, row.near_miss or NearMiss("")
    sentence = placement.sentence if placement else miss.sentence
    source, target = heads[proposal.source], heads[proposal.target]
    return (
        rank,
        source.url,
        target.url,
        source.title,
        target.title,
        source.language,
        f"{proposal.closeness:.3f}",
        "" if proposal.confidence is None else f"{proposal.confidence:.3f}",
        proposal.level,
        f"{row.gain:.3f}",
        "wrap" if placement else "none",
        sentence.text if sentence else "",
        placement.anchor if placement else miss.anchor,
        miss.obstacle,
        miss.hint.text if miss.hint else "",
        target.h1 or target.title,
        proposal.reason,
        row.links_now,
        "yes" if row.beyond_limit else "no",
        row.status,
        placement.block_digest if placement else "",
        placement.start if placement else "",
        placement.end if placement else "",
    )
