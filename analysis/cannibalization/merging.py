"""Links between pages that should become one: held back from the plan, for once the pages are one such a link leads to itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis.cannibalization.groups import Advice
from analysis.decisions import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.cannibalization.groups import Competitors
    from analysis.records import PlanRow

_BECOME_ONE: Final = (Advice.MERGE, Advice.CANONICAL)


@dataclass(frozen=True, slots=True)
class Sifted:
    """The rows that may stay, and those within a group of pages that should become one."""

    rows: list[PlanRow]
    held_back: list[PlanRow]


def hold_back(rows: Iterable[PlanRow], groups: Sequence[Competitors]) -> Sifted:
    """Sift the rows; one that somebody has accepted stays, whatever the advice, and so do links with pages outside the group."""
    group_of = {page: number for number, group in enumerate(groups) if group.advice in _BECOME_ONE for page in group.pages}
    sifted = Sifted([], [])
    for row in rows:
        source, target = group_of.get(row.proposal.source), group_of.get(row.proposal.target)
        is_within = source is not None and source == target
        (sifted.held_back if is_within and row.status != Status.ACCEPTED else sifted.rows).append(row)
    return sifted
