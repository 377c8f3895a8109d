"""From the files of a plan's folder to the records that the report shows, so that it can be made again at any time."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from analysis.outputs import orphan_table, plan_table, search_console_table, skipped_table, summary
from analysis.outputs.report import files
from analysis.outputs.report.data import Listing, OrphanLine, PlanLine, ReportData, ReportPage, SkippedLine
from analysis.outputs.report.figures import Counts, figures
from analysis.outputs.report.reading import ReportError, anchor_parts, flag, number, rows_of, whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# What a browser holds with ease; the files have the rest, and the report says so.
MAX_PLAN: Final = 20_000
MAX_ORPHANS: Final = 5_000
MAX_SKIPPED: Final = 5_000

STATUSES: Final = frozenset({"new", "accepted", "rejected", "done"})


def build(folder: Path) -> ReportData:
    """Gather the report of the plan in ``folder``.

    :raises ReportError: if there is no plan, or one of its files cannot be read.
    """
    path = folder / plan_table.NAME
    if not path.is_file():
        raise ReportError(f"There is no plan in {folder}: {plan_table.NAME} is missing. Run `scrapy plan {folder}` first.")
    told = _summary(folder)
    rows = sorted(rows_of(path, plan_table.COLUMNS), key=lambda row: number(row["rank"]) or math.inf)
    orphan_rows = rows_of(folder / orphan_table.NAME, orphan_table.COLUMNS)
    skipped_rows = rows_of(folder / skipped_table.NAME, skipped_table.COLUMNS)
    console = SearchConsole.read(folder)
    pages = Pages(console)
    plan = tuple(_plan_line(row, pages, console) for row in rows[:MAX_PLAN])
    orphans = tuple(_orphan_line(row, pages) for row in orphan_rows[:MAX_ORPHANS])
    complete = bool(told.get("complete", True))
    graph = files.read_graph(folder)
    counts = Counts.of(told, rows, orphan_rows if complete else None)
    return ReportData(
        site=_site(folder, rows, orphan_rows),
        method=str(told.get("method", "")),
        model=str(told.get("model", "")),
        figures=figures(counts, graph.effect if graph else {}),
        languages={str(code): int(n) for code, n in told.get("languages", {}).items()},
        warnings=_warnings(told, complete),
        notes=tuple(str(note) for note in told.get("notes", ())),
        pages=pages.all(),
        plan=Listing(plan, len(rows)),
        orphans=Listing(orphans, len(orphan_rows)) if complete else None,
        skipped=Listing(tuple(_skipped_line(row) for row in skipped_rows[:MAX_SKIPPED]), len(skipped_rows)),
        skipped_reasons=dict(Counter(row["reason"] or row["state"] for row in skipped_rows).most_common()),
        search_console=console.joined,
        graph=graph,
        topics=files.read_topics(folder),
        similarity=files.read_similarity(folder),
        competitors=files.read_competitors(folder),
        backtest=files.read_backtest(folder),
    )


class SearchConsole:
    """What an export filled into ``search_console.csv``; empty where none was joined."""

    def __init__(self, rows: Sequence[dict[str, str]]) -> None:
        filled = [row for row in rows if row["clicks"] or row["impressions"] or row["shared_queries"]]
        self.joined = bool(filled)
        self.pages = {r["page"]: (number(r["clicks"]), number(r["impressions"])) for r in filled if r["kind"] == "page"}
        self.queries = {(r["page"], r["target"]): r["shared_queries"] for r in filled if r["kind"] == "pair"}

    @classmethod
    def read(cls, folder: Path) -> SearchConsole:
        """Read the table in ``folder``, if there is one."""
        return cls(rows_of(folder / search_console_table.NAME, search_console_table.COLUMNS))


class Pages:
    """Numbers pages in the order in which they are met."""

    def __init__(self, console: SearchConsole) -> None:
        self._console = console
        self._numbers: dict[str, int] = {}
        self._pages: list[ReportPage] = []

    def number(self, url: str, title: str = "", language: str = "") -> int:
        """The number of a page; a title that comes later fills one that was missing."""
        known = self._numbers.setdefault(url, len(self._pages))
        if known == len(self._pages):
            clicks, impressions = self._console.pages.get(url, (None, None))
            self._pages.append(ReportPage(url, title, language, clicks, impressions))
        elif title and not self._pages[known].title:
            page = self._pages[known]
            self._pages[known] = ReportPage(url, title, page.language or language, page.clicks, page.impressions)
        return known

    def all(self) -> tuple[ReportPage, ...]:
        """The pages by number; one without a title is shown by its address."""
        return tuple(self._pages)


def _plan_line(row: dict[str, str], pages: Pages, console: SearchConsole) -> PlanLine:
    before, anchor, after = anchor_parts(row["sentence"] or row["hint"], row["anchor"])
    status = row["status"].strip().lower()
    return PlanLine(
        rank=whole(row["rank"]),
        source=pages.number(row["url_from"], row["title_from"], row["language"]),
        target=pages.number(row["url_to"], row["title_to"], row["language"]),
        language=row["language"],
        closeness=number(row["closeness"]),
        confidence=number(row["confidence"]),
        level=row["level"],
        placement=row["placement"],
        before=before,
        anchor=anchor,
        after=after,
        obstacle=row["obstacle"],
        hint=row["anchor_hint"],
        reason=row["reason"],
        links_now=whole(row["links_now"]),
        beyond_limit=flag(row["beyond_limit"]),
        status=status if status in STATUSES else "new",
        queries=console.queries.get((row["url_from"], row["url_to"]), ""),
    )


def _orphan_line(row: dict[str, str], pages: Pages) -> OrphanLine:
    return OrphanLine(
        page=pages.number(row["url"], row["title"], row["language"]),
        links_out=whole(row["links_out"]),
        proposals=whole(row["proposed_links_in"]),
        best_source=pages.number(row["best_source"]) if row["best_source"] else None,
        reason=row["reason"],
    )


def _skipped_line(row: dict[str, str]) -> SkippedLine:
    return SkippedLine(row["url"], row["kind"], row["state"], row["reason"] or row["state"], row["detail"])


def _summary(folder: Path) -> dict[str, Any]:
    path = folder / summary.NAME
    if not path.is_file():
        return {}
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ReportError(f"{path} is not what the plan writes; make the plan again.") from error
    if not isinstance(told, dict):
        raise ReportError(f"{path} is not what the plan writes; make the plan again.")
    return told


def _site(folder: Path, *tables: Sequence[dict[str, str]]) -> str:
    """The host that most rows are about; the folder's name where there are no rows."""
    hosts = Counter(
        host for rows in tables for row in islice(rows, 1_000) if (host := _host(row.get("url_from") or row.get("url", "")))
    )
    return hosts.most_common(1)[0][0] if hosts else folder.resolve().name


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""


def _warnings(told: dict[str, Any], complete: bool) -> tuple[str, ...]:
    found = []
    if not complete:
        gaps = "; ".join(str(gap) for gap in told.get("gaps", ()))
        found.append(f"The crawl is incomplete, so orphan pages are not claimed: {gaps or 'some pages were not read'}.")
    found += [f"{n} addresses failed: {reason}." for reason, n in told.get("failed", {}).items()]
    return tuple(found)
