"""The figures at the top of the report: the site now, and with every proposal within the limit placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.outputs.report.data import Figure
from analysis.outputs.report.reading import flag, whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Counts:
    """What the figures are worked out from."""

    pages: int
    links: int
    pages_with_links: int
    proposed: int
    placed: int
    within_limit: int
    helped: int  # pages without any link in their text that the plan gives one
    sources: int
    orphans: int | None
    rescued: int

    @classmethod
    def of(
        cls, told: Mapping[str, Any], rows: Sequence[Mapping[str, str]], orphans: Sequence[Mapping[str, str]] | None
    ) -> Counts:
        """Count the rows of the plan and of the orphans (None: not known) beside the summary."""
        within = [row for row in rows if not flag(row["beyond_limit"])]
        pages = int(told.get("pages", 0))
        targets = {row["url_to"] for row in within}
        return cls(
            pages=pages,
            links=int(told.get("links_in_texts", 0)),
            pages_with_links=round(float(told.get("share_of_pages_with_links", 0)) * pages),
            proposed=len(rows),
            placed=sum(row["placement"] == "wrap" for row in rows),
            within_limit=len(within),
            helped=len({row["url_from"] for row in within if not whole(row["links_now"])}),
            sources=len({row["url_from"] for row in rows}),
            orphans=None if orphans is None else len(orphans),
            rescued=sum(row["url"] in targets for row in orphans or ()),
        )


def figures(counts: Counts, effect: Mapping[str, tuple[float | None, float | None]]) -> tuple[Figure, ...]:
    """The figures in the order of their weight; ``effect`` has those that need the whole graph (see ``GraphView``)."""
    found = [
        Figure(
            "Links proposed",
            f"{counts.proposed:,}",
            note=f"in {counts.sources:,} articles; {counts.placed:,} with their sentence and anchor",
        )
    ]
    if counts.orphans is not None:
        found.append(
            Figure(
                "Orphan pages", f"{counts.orphans - counts.rescued:,}", f"{counts.orphans:,}", "that no other article links to"
            )
        )
    if counts.pages:
        found.append(
            Figure(
                "Links an article",
                f"{(counts.links + counts.within_limit) / counts.pages:.1f}",
                f"{counts.links / counts.pages:.1f}",
                f"in the texts of {counts.pages:,} articles",
            )
        )
        found.append(
            Figure(
                "Articles that link",
                f"{(counts.pages_with_links + counts.helped) / counts.pages:.0%}",
                f"{counts.pages_with_links / counts.pages:.0%}",
                "have at least one link in their text",
            )
        )
    found += _of_graph(effect)
    return tuple(found)


def _of_graph(effect: Mapping[str, tuple[float | None, float | None]]) -> list[Figure]:
    shown = (
        ("median_depth", "Median click depth", "{:.0f}", "clicks from the pages in the menu"),
        ("gini", "Inequality of PageRank", "{:.2f}", "Gini: 0 is shared evenly, 1 is all on one page"),
    )
    found = []
    for key, name, form, note in shown:
        before, after = effect.get(key, (None, None))
        if before is not None and after is not None:
            found.append(Figure(name, form.format(after), form.format(before), note))
    return found
