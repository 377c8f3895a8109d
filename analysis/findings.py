"""All that a plan found out about a site, as the outputs are given it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.search_console import Verdict

if TYPE_CHECKING:
    from analysis.audit import Audit
    from analysis.orphans import Orphan
    from analysis.outputs.report.data import Competitor
    from analysis.pagerank import Effect
    from analysis.records import PlanRow
    from analysis.recrawl import Changes
    from analysis.search_console import Judged, SearchData


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """The plan, and the site before and after it."""

    rows: list[PlanRow]  # the next one to place first
    orphans: list[Orphan]  # empty when the crawl is incomplete, for then nobody knows
    menu: list[int]  # pages that the site's menus show
    effect: Effect  # of all rows within the limit of links
    audit: Audit
    search: SearchData | None  # None where no export was imported
    judged: Judged
    held_back: list[PlanRow]  # between pages that should become one
    competitors: list[Competitor]  # the pages that compete, rows of a group together
    changes: Changes | None  # since the crawl before; None after a first one

    @property
    def competing(self) -> int:
        """Groups of pages that compete."""
        return len({line.group for line in self.competitors})

    @property
    def held_back_told(self) -> list[str]:
        """How many links were held back because their pages should become one, in words; [] where there are none."""
        return [f"Links held back because their articles should be one: {len(self.held_back)}"] if self.held_back else []

    @property
    def search_told(self) -> str:
        """What Search Console said, in words; what to do where it was not asked."""
        if self.search is None:
            return "not imported, so clicks and queries are unknown (`scrapy gsc FOLDER --export FILE` does it)"
        verdicts = Counter(pair.verdict for pair in self.judged.verdicts.values())
        return (
            f"{len(self.search.pages)} articles have figures; {verdicts[Verdict.CONFIRMED]} proposed pairs are confirmed by "
            f"their queries, {len(self.judged.taken_out)} left the plan because they share their main queries"
        )
