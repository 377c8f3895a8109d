"""What becomes of each orphan: a link that can be placed, a proposal that needs a sentence, or the reason why neither."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from analysis.records import PageHead, PlanRow, Proposal


class Fate(StrEnum):
    """The best that the plan has for an orphan."""

    PLACED = "a link in its sentence"
    BEYOND = "a link beyond the limit"
    UNPLACED = "a proposal without a sentence"
    NONE = "nothing"


@dataclass(frozen=True, slots=True)
class Orphan:
    """A page that no other page's text links to; ``reason`` says why its fate is no better, "" if it is placed."""

    page: int
    fate: Fate
    reason: str
    proposals: int
    best_source: int | None


@dataclass(frozen=True, slots=True)
class TakenOut:
    """Targets of pairs that were proposed and taken out again."""

    rejected: Collection[int]
    competing: Collection[int]  # share their main queries with the page that would have linked
    merging: Collection[int]  # should become one with it


def count_fates(orphans: Iterable[Orphan]) -> dict[str, int]:
    """How many orphans have what, the best first."""
    counts = Counter(orphan.fate for orphan in orphans)
    return {str(fate): counts[fate] for fate in Fate if counts[fate]}


def explain_orphans(
    orphans: Iterable[int],
    heads: Sequence[PageHead],
    tried: Iterable[PlanRow],
    plan: Iterable[PlanRow],
    taken_out: TakenOut,
    closest: Sequence[float],
) -> list[Orphan]:
    """Say of each orphan what the plan does for it.

    :param tried: all rows that there were to choose from.
    :param plan: the rows chosen, best first.
    :param closest: each page's cosine with its nearest page of the same language; 0 where there is none.
    """
    options: Counter[int] = Counter()
    surest: dict[int, Proposal] = {}
    for row in tried:
        options[row.proposal.target] += 1
        surest[row.proposal.target] = max(surest.get(row.proposal.target, row.proposal), row.proposal, key=_surest)
    to: dict[int, list[PlanRow]] = defaultdict(list)
    for row in plan:
        to[row.proposal.target].append(row)
    languages = Counter(head.language for head in heads)
    found = []
    for page in orphans:
        rows = to.get(page, [])
        ready = [row for row in rows if row.placement is not None and not row.beyond_limit]
        if ready:
            fate, reason = Fate.PLACED, ""
        elif any(row.placement is not None for row in rows):
            fate, reason = Fate.BEYOND, "the articles with a sentence for it have all the links that INTERLINK_MAX_LINKS allows"
        elif rows:
            fate, reason = Fate.UNPLACED, _why_unplaced(rows, options[page])
        else:
            fate = Fate.NONE
            reason = _why_none(page, heads[page].language, languages, options, taken_out, closest)
        best = next((row.proposal.source for row in (*ready, *rows)), surest[page].source if page in surest else None)
        found.append(Orphan(page, fate, reason, len(rows), best))
    return found


def _surest(proposal: Proposal) -> tuple[float, int]:
    return proposal.score, -proposal.source


def _why_unplaced(rows: Sequence[PlanRow], tried: int) -> str:
    obstacle = next((row.near_miss.obstacle for row in rows if row.near_miss), "no sentence holds it")
    return obstacle if tried == 1 else f"{obstacle}, nor is there a place in {tried - 1} other articles"


def _why_none(
    page: int, language: str, languages: Counter[str], options: Counter[int], taken_out: TakenOut, closest: Sequence[float]
) -> str:
    if languages[language] == 1:
        return f"it is the only article in its language ({language})"
    if options[page]:
        return "the articles close to it have surer links to place (INTERLINK_LINKS_PER_PAGE)"
    if page in taken_out.rejected:
        return "its proposals were rejected"
    if page in taken_out.competing:
        return "it ranks for the same main queries as the articles close to it, see cannibalization.csv"
    if page in taken_out.merging:
        return "it should become one with the article close to it, see cannibalization.csv"
    return f"nothing is close enough: the nearest article has a closeness of {closest[page]:.2f}"
