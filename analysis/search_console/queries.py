"""Which queries pages rank for, and what that says of a pair: relatives that may link to each other, or competitors.

The rule is the guide's: two pages that share a topic but not their queries are confirmed relatives; two pages that share their
*main* queries compete for the same place (cannibalization), and links will not mend that.

- A page *ranks* for a query when its mean position is within the first two pages of results; rarer sightings are noise.
- Queries for which a large part of the site ranks (the brand, shown with sitelinks) tell nothing of a pair and are left out.
- Its *main queries* are the fewest that together bring half of its impressions.
- A pair *shares its main queries* when the other page ranks for at least half of them, weighted by impressions, both ways round:
  a narrow page within the topic of a broad one passes, for the broad one's main queries are others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.search_console.export import Export

RANKS_WITHIN: Final = 20.0  # mean position; two pages of ten results
MAIN_SHARE: Final = 0.5  # of a page's impressions that its main queries bring
SHARED_SHARE: Final = 0.5  # of both pages' main queries that must be shared
MIN_IMPRESSIONS: Final = 10.0  # below, a page's queries are chance
SITE_WIDE_SHARE: Final = 0.05  # of the pages with queries …
SITE_WIDE_PAGES: Final = (5, 50)  # … between these bounds: more pages that rank for a query make it the site's own


class Verdict(StrEnum):
    """What the queries say of a proposed pair."""

    CONFIRMED = "confirmed"
    CANNIBALIZATION = "cannibalization"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Ranking:
    """A page's figures for one query; ``impressions`` and ``clicks`` are None where the export hides them."""

    query: str
    clicks: float | None
    impressions: float | None
    position: float | None


@dataclass(frozen=True, slots=True)
class SharedQuery:
    """A query that both pages of a pair rank for."""

    query: str
    source: Ranking
    target: Ranking


@dataclass(frozen=True, slots=True)
class PairQueries:
    """The verdict on a pair with its evidence; shares are of each page's main queries, by impressions, from 0 to 1."""

    verdict: Verdict
    shared: tuple[SharedQuery, ...]  # most impressions first
    source_share: float
    target_share: float
    reason: str


class Rankings:
    """The queries of each page of the corpus, from an export."""

    def __init__(self, export: Export) -> None:
        self._of_page: dict[int, dict[str, Ranking]] = defaultdict(dict)
        table = export.queries
        table = table[(table["page"] >= 0) & ~(table["position"] > RANKS_WITHIN)]
        columns = (table[name].tolist() for name in ("page", "query", "clicks", "impressions", "position"))
        for page, query, clicks, impressions, position in zip(*columns, strict=True):
            self._of_page[page][query.casefold()] = Ranking(query, _known(clicks), _known(impressions), _known(position))
        self._site_wide = self._find_site_wide()
        self._main = {page: self._find_main(page) for page in self._of_page}

    @property
    def site_wide(self) -> frozenset[str]:
        """Queries for which so many pages rank that they are left out (the brand)."""
        return self._site_wide

    def queries_of(self, page: int) -> list[Ranking]:
        """All queries that a page ranks for, most impressions first."""
        return sorted(self._of_page.get(page, {}).values(), key=_by_impressions)

    def main_queries(self, page: int) -> list[Ranking]:
        """The fewest queries that bring half of a page's impressions, most impressions first; [] where too little is known."""
        return [self._of_page[page][query] for query in self._main.get(page, ())]

    def shared(self, source: int, target: int) -> tuple[SharedQuery, ...]:
        """The queries that both pages rank for, most impressions of both first."""
        ours, theirs = self._of_page.get(source, {}), self._of_page.get(target, {})
        both = [SharedQuery(ours[query].query, ours[query], theirs[query]) for query in ours.keys() & theirs.keys()]
        return tuple(sorted(both, key=lambda s: (-(s.source.impressions or 0) - (s.target.impressions or 0), s.query)))

    def judge(self, source: int, target: int) -> PairQueries:
        """What the queries say of a pair."""
        shared = self.shared(source, target)
        source_share, target_share = self._shared_share(source, target), self._shared_share(target, source)
        if source_share is None or target_share is None:
            return PairQueries(Verdict.UNKNOWN, shared, source_share or 0.0, target_share or 0.0, "too few known queries")
        named = ", ".join(f"“{one.query}”" for one in shared[:3])
        if min(source_share, target_share) >= SHARED_SHARE:
            reason = f"both rank for the same main queries: {named}"
            return PairQueries(Verdict.CANNIBALIZATION, shared, source_share, target_share, reason)
        reason = f"main queries differ, though both rank for {named}" if shared else "same topic, different queries"
        return PairQueries(Verdict.CONFIRMED, shared, source_share, target_share, reason)

    def competitors(self) -> Iterator[tuple[int, int, PairQueries]]:
        """All pairs of pages that share their main queries, found through the queries themselves, each pair once."""
        ranked: dict[str, list[int]] = defaultdict(list)
        for page, main in sorted(self._main.items()):
            for query in main:
                ranked[query].append(page)
        seen = set()
        for pages in ranked.values():
            for position, a in enumerate(pages):
                for b in pages[position + 1 :]:
                    if (a, b) not in seen:
                        seen.add((a, b))
                        found = self.judge(a, b)
                        if found.verdict is Verdict.CANNIBALIZATION:
                            yield a, b, found

    def _find_site_wide(self) -> frozenset[str]:
        counts: dict[str, int] = defaultdict(int)
        for rankings in self._of_page.values():
            for query in rankings:
                counts[query] += 1
        least, most = SITE_WIDE_PAGES
        allowed = min(max(least, SITE_WIDE_SHARE * len(self._of_page)), most)
        return frozenset(query for query, count in counts.items() if count > allowed)

    def _find_main(self, page: int) -> tuple[str, ...]:
        weights = {
            query: ranking.impressions
            for query, ranking in self._of_page[page].items()
            if ranking.impressions and query not in self._site_wide
        }
        total = sum(weights.values())
        if total < MIN_IMPRESSIONS:
            return ()
        main, so_far = [], 0.0
        for query in sorted(weights, key=lambda query: (-weights[query], query)):
            main.append(query)
            so_far += weights[query]
            if so_far >= MAIN_SHARE * total:
                break
        return tuple(main)

    def _shared_share(self, page: int, other: int) -> float | None:
        """The share of a page's main queries, by impressions, that the other page ranks for; None where nothing is known."""
        main = self.main_queries(page)
        if not main or not self._main.get(other):
            return None
        theirs = self._of_page[other]
        weights = [(ranking.impressions or 0.0, ranking.query.casefold() in theirs) for ranking in main]
        return sum(weight for weight, is_shared in weights if is_shared) / sum(weight for weight, _ in weights)


def _known(figure: float) -> float | None:
    return None if isnan(figure) else figure


def _by_impressions(ranking: Ranking) -> tuple[float, str]:
    return -(ranking.impressions or 0.0), ranking.query
