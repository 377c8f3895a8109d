"""``cannibalization.csv``: pages that compete, by their meaning and words or by their queries; rows of a group together."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from analysis.outputs.report.data import Competitor
from analysis.outputs.search_console_table import named_queries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from analysis.cannibalization import Competitors
    from analysis.records import PageHead, PlanRow
    from analysis.search_console import Rankings, Rivals

_ADVICE: Final = "differentiate"  # of pages known by their queries alone: texts that differ can be told apart
_OWN_QUERIES: Final = 3


def competitor_lines(
    heads: Sequence[PageHead],
    vectors: NDArray[np.float32],
    groups: Sequence[Competitors],
    held_back: Sequence[PlanRow],
    rivals: Sequence[Rivals],
    rankings: Rankings | None,
) -> list[Competitor]:
    """All groups, those of meaning and words first; where their pages share queries as well, these stand beside them.

    :param held_back: rows that are not in the plan because both pages stand in one group.
    """
    return [*_by_meaning(heads, groups, held_back, rivals), *_by_queries(heads, vectors, groups, rivals, rankings)]


def _by_meaning(
    heads: Sequence[PageHead], groups: Sequence[Competitors], held_back: Sequence[PlanRow], rivals: Sequence[Rivals]
) -> Iterator[Competitor]:
    for number, group in enumerate(groups, start=1):
        inside = [pair for pair in rivals if {pair.a, pair.b} <= set(group.pages)]
        queries = "; ".join(named_queries(pair.evidence) for pair in inside)
        held = sum({row.proposal.source, row.proposal.target} <= set(group.pages) for row in held_back)
        told = [f"links between them held back from the plan: {held}"] if held else []
        reason = "; ".join([group.reason, *dict.fromkeys(pair.evidence.reason for pair in inside), *told])
        for page, terms in zip(group.pages, group.own_terms, strict=True):
            yield _line(number, heads[page], group.closeness, str(group.advice), ", ".join(terms), queries, reason)


def _by_queries(
    heads: Sequence[PageHead],
    vectors: NDArray[np.float32],
    groups: Sequence[Competitors],
    rivals: Sequence[Rivals],
    rankings: Rankings | None,
) -> Iterator[Competitor]:
    group_of = {page: number for number, group in enumerate(groups) for page in group.pages}
    apart = [pair for pair in rivals if group_of.get(pair.a, -1) != group_of.get(pair.b, -2)]
    for number, pairs in enumerate(_connected(apart, len(heads)), start=len(groups) + 1):
        pages = sorted({page for pair in pairs for page in (pair.a, pair.b)})
        closeness = min(float(vectors[pair.a] @ vectors[pair.b]) for pair in pairs)
        queries = "; ".join(dict.fromkeys(named_queries(pair.evidence) for pair in pairs))
        reason = "; ".join(dict.fromkeys(pair.evidence.reason for pair in pairs))
        shared = {one.query.casefold() for pair in pairs for one in pair.evidence.shared}
        for page in pages:
            own = [one.query for one in rankings.queries_of(page) if one.query.casefold() not in shared] if rankings else []
            yield _line(number, heads[page], round(closeness, 4), _ADVICE, ", ".join(own[:_OWN_QUERIES]), queries, reason)


def _connected(pairs: Sequence[Rivals], size: int) -> list[list[Rivals]]:
    """The pairs by groups of pages that hang together."""
    if not pairs:
        return []
    ends = ([pair.a for pair in pairs], [pair.b for pair in pairs])
    _, labels = connected_components(csr_array((np.ones(len(pairs)), ends), shape=(size, size)), directed=False)
    found: dict[int, list[Rivals]] = defaultdict(list)
    for pair in pairs:
        found[int(labels[pair.a])].append(pair)
    return list(found.values())


def _line(number: int, head: PageHead, closeness: float, advice: str, difference: str, queries: str, reason: str) -> Competitor:
    return Competitor(str(number), head.url, head.title, head.language, closeness, advice, difference, queries, reason)
