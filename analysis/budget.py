"""Which of the proposed rows make the plan, and in which order: the site is budgeted as a whole, not page by page.

- A page gets its surest rows, up to a ceiling; a target gets its surest ones, up to another.
- What a row adds, its *gain*, is its score / log2(2 + links to its target so far), the discount of K. Järvelin and J. Kekäläinen
  (2002): a first link adds more than a fifth. A row that somebody must write a sentence for, or that is beyond the ceiling of
  links in all, counts half.
- An orphan that nobody's surest rows lead to gets the best row on offer that has a place in a sentence, in place of the one on
  that page that adds least, if that adds less. Where there is none, a row without a place takes room that is left, from no other.
- The ceiling of links that an article has in all is given to orphans' placed links first, then to the surest rows; rows beyond
  it are marked.
- The plan is read from the top: the next row is the one that adds most to those above it. Each page's rows stay in the order of
  their score.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.graph import LinkGraph
    from analysis.records import PlanRow


@dataclass(frozen=True, slots=True)
class Caps:
    """How many rows there may be."""

    new_a_page: int
    links_a_page: int  # with those that stand in its text
    new_to_a_page: int


def choose(rows: Iterable[PlanRow], graph: LinkGraph, caps: Caps) -> list[PlanRow]:
    """Choose among the rows and order them, the next one to place first; the same rows give the same plan.

    :param rows: more than the caps allow, in any order.
    """
    budget = _Budget(sorted(rows, key=_surest), graph, caps)
    budget.take_surest()
    budget.rescue_orphans(placed=True)
    budget.rescue_orphans(placed=False)
    return _ordered(budget.marked(), graph)


def _surest(row: PlanRow) -> tuple[float, int, int]:
    return -row.proposal.score, row.proposal.source, row.proposal.target


class _Budget:
    """The rows taken so far, by page, and what is left of the caps."""

    def __init__(self, rows: Sequence[PlanRow], graph: LinkGraph, caps: Caps) -> None:
        self._rows = rows
        self._caps = caps
        self._taken: dict[int, list[PlanRow]] = defaultdict(list)  # by source
        self._links_in = graph.in_degree.tolist()  # by target, with the rows taken
        self._new_in: dict[int, int] = defaultdict(int)
        self._rescues: dict[int, set[int]] = defaultdict(set)  # source -> orphans that count on its placed link
        self._kept: set[tuple[int, int]] = set()  # all that an orphan has
        self._options: dict[int, list[PlanRow]] = defaultdict(list)  # orphan -> its rows, surest first
        orphans = {page for page, count in enumerate(self._links_in) if not count}
        for row in rows:
            if row.proposal.target in orphans:
                self._options[row.proposal.target].append(row)

    def take_surest(self) -> None:
        """Each page's surest rows, as far as the targets' ceiling allows."""
        for row in self._rows:
            source, target = row.proposal.source, row.proposal.target
            if len(self._taken[source]) < self._caps.new_a_page and self._new_in[target] < self._caps.new_to_a_page:
                self._take(row)

    def rescue_orphans(self, *, placed: bool) -> None:
        """Find a row for each orphan that has none yet: one that is placed and below the ceiling, or at least any."""
        by_best = sorted(self._options.items(), key=lambda pair: _surest(pair[1][0]))
        for orphan, options in by_best:
            wanted = [row for row in options if row.placement is not None or not placed]
            serving = self._serving(wanted, placed=placed)
            if serving is None:
                serving = next((row for row in wanted if self._make_room(row, placed=placed)), None)
            if serving is not None:
                self._kept.add((serving.proposal.source, orphan))
                if placed:
                    self._rescues[serving.proposal.source].add(orphan)

    def marked(self) -> list[PlanRow]:
        """All rows taken, those beyond the ceiling of links in all marked."""
        found = []
        for source, rows in self._taken.items():
            within = self._within(source)
            for row in rows:
                is_beyond = row.proposal.target not in within
                found.append(row if row.beyond_limit == is_beyond else replace(row, beyond_limit=is_beyond))
        return found

    def _serving(self, options: Iterable[PlanRow], *, placed: bool) -> PlanRow | None:
        """The surest of an orphan's rows that is taken, and if it is placed below the ceiling."""
        for row in options:
            source, target = row.proposal.source, row.proposal.target
            if row in self._taken[source] and (not placed or target in self._within(source)):
                return row
        return None

    def _room(self, row: PlanRow) -> int:
        return max(0, min(self._caps.new_a_page, self._caps.links_a_page - row.links_now))

    def _within(self, source: int) -> set[int]:
        """Targets of the page's rows that fit below its ceiling."""
        rows = self._taken[source]
        first = sorted(rows, key=lambda row: (row.proposal.target not in self._rescues[source], *_surest(row)))
        return {row.proposal.target for row in first[: self._room(rows[0])]} if rows else set()

    def _make_room(self, row: PlanRow, *, placed: bool) -> bool:
        """Take an orphan's row if its page can have it: a placed one also in place of another, below the ceiling of links."""
        source, target = row.proposal.source, row.proposal.target
        taken = self._taken[source]
        if placed and len(self._rescues[source]) >= self._room(row):
            return False
        if row in taken:
            return True
        if len(taken) == self._caps.new_a_page:
            least = self._least(row) if placed else None
            if least is None:
                return False
            self._drop(least)
        if self._new_in[target] >= self._caps.new_to_a_page:
            self._drop(next(other for other in reversed(self._options[target]) if other in self._taken[other.proposal.source]))
        self._take(row)
        return True

    def _least(self, row: PlanRow) -> PlanRow | None:
        """The row of the same page that adds least, if it adds less than this one would, and is not all that an orphan has."""
        source = row.proposal.source
        within = self._within(source)
        found = []
        for other in self._taken[source]:
            target = other.proposal.target
            links_in = self._links_in[target] - 1
            if (source, target) not in self._kept and (links_in or target not in self._options):
                found.append((_gain(other, links_in, is_link=other.placement is not None and target in within), -target, other))
        gain, _, least = min(found, default=(math.inf, 0, None))
        return least if gain < _gain(row, 0, is_link=row.placement is not None) else None

    def _take(self, row: PlanRow) -> None:
        self._taken[row.proposal.source].append(row)
        self._count(row, 1)

    def _drop(self, row: PlanRow) -> None:
        self._taken[row.proposal.source].remove(row)
        self._count(row, -1)

    def _count(self, row: PlanRow, change: int) -> None:
        self._links_in[row.proposal.target] += change
        self._new_in[row.proposal.target] += change


def _ordered(rows: Iterable[PlanRow], graph: LinkGraph) -> list[PlanRow]:
    """The next row is always the one of most gain among the pages' next rows (lazily: a gain can only fall while others come)."""
    pages: dict[int, list[PlanRow]] = defaultdict(list)
    for row in sorted(rows, key=_surest, reverse=True):
        pages[row.proposal.source].append(row)  # the surest last, to be popped
    links_in = graph.in_degree.tolist()

    def gain(row: PlanRow) -> float:
        return _gain(row, links_in[row.proposal.target], is_link=row.placement is not None and not row.beyond_limit)

    waiting = [(-gain(own[-1]), source) for source, own in pages.items()]
    heapq.heapify(waiting)
    ordered = []
    while waiting:
        last, source = heapq.heappop(waiting)
        now = gain(pages[source][-1])
        if now < -last:
            heapq.heappush(waiting, (-now, source))
            continue
        row = pages[source].pop()
        ordered.append(replace(row, gain=round(now, 4)))
        links_in[row.proposal.target] += 1
        if pages[source]:
            heapq.heappush(waiting, (-gain(pages[source][-1]), source))
    return ordered


def _gain(row: PlanRow, links_in: int, *, is_link: bool) -> float:
    return (1.0 if is_link else 0.5) * row.proposal.score / math.log2(2 + links_in)
