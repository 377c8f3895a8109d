"""What the queries make of the proposed pairs: rivals leave the plan, relatives are confirmed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analysis.search_console.queries import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.records import PageHead, PlanRow
    from analysis.search_console.queries import PairQueries, Rankings


@dataclass(frozen=True, slots=True)
class Rivals:
    """Two pages that share their main queries, with the evidence."""

    a: int
    b: int  # above a
    evidence: PairQueries


@dataclass(frozen=True, slots=True)
class Judged:
    """The rows that may stay, those whose pages compete, and every pair of the site that competes."""

    rows: list[PlanRow]
    taken_out: list[PlanRow]
    rivals: list[Rivals]
    verdicts: dict[tuple[int, int], PairQueries]  # of the rows, by source and target


def judge_rows(rows: Iterable[PlanRow], rankings: Rankings | None, heads: Sequence[PageHead]) -> Judged:
    """Take out the pairs that share their main queries, and mark those that are confirmed; without figures all stay."""
    if rankings is None:
        return Judged(list(rows), [], [], {})
    kept, taken_out = [], []
    verdicts: dict[tuple[int, int], PairQueries] = {}
    rivals: dict[tuple[int, int], PairQueries] = {}
    for row in rows:
        source, target = row.proposal.source, row.proposal.target
        found = verdicts[source, target] = rankings.judge(source, target)
        if found.verdict is Verdict.CANNIBALIZATION:
            taken_out.append(row)
            pair = min(source, target), max(source, target)
            rivals[pair] = rankings.judge(*pair)
        elif found.verdict is Verdict.CONFIRMED:
            reason = f"{row.proposal.reason}; confirmed: {found.reason}"
            kept.append(replace(row, proposal=replace(row.proposal, reason=reason)))
        else:
            kept.append(row)
    for a, b, found in rankings.competitors():
        if not _are_translations(heads[a], heads[b]):
            rivals.setdefault((min(a, b), max(a, b)), found)
    return Judged(kept, taken_out, [Rivals(a, b, found) for (a, b), found in sorted(rivals.items())], verdicts)


def _are_translations(a: PageHead, b: PageHead) -> bool:
    return a.language != b.language or a.translates(b)
