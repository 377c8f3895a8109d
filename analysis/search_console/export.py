"""What Search Console knows of the site's pages, read from an export of any kind and joined to the pages of the crawl."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from analysis.search_console.files import ExportError, Skipped, read_sheets
from analysis.search_console.numbers import read_numbers
from analysis.search_console.tables import METRICS, Column, Table, is_address, read_table
from analysis.urls import page_key, site_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# Rows at which a source stops without a word. Interface: https://support.google.com/webmasters/answer/12919192; API:
# https://developers.google.com/webmaster-tools/v1/searchanalytics/query (rowLimit; its default is 1,000).
ROW_CAPS: Final = {
    1_000: "exactly 1,000 rows: the interface exports no more, so the rest is missing (the API and BigQuery have it)",
    5_000: "exactly 5,000 rows: many connectors stop there, so the rest is probably missing",
    25_000: "exactly 25,000 rows: the API gives no more at once, so the rest is missing (ask again with startRow)",
    50_000: "exactly 50,000 rows: the API gives no more for one day and search type, so the rest is missing",
}
_WEB: Final = "web"
_FIGURES: Final = ("clicks", "impressions", "ctr", "position", "clicks_most", "impressions_most")


@dataclass(frozen=True, slots=True, eq=False)
class Export:
    """An export joined to the site.

    ``pages`` has one row a page, ``queries`` one a (page, query), both with these columns:

    - ``page``: the page's position in the keys that were given, -1 for an address that was not crawled; ``key``; ``query``;
    - ``clicks``, ``impressions``: sums over all spellings of the address, NaN where nothing is known ("<10"); where
      ``clicks_most`` is larger, a part is unknown and the sum is the least it can be;
    - ``ctr``: clicks by impressions, from 0 to 1; ``position``: the mean weighted by impressions, from 1 up;
    - ``fragment_clicks``, ``fragment_impressions``: of addresses with a fragment (links to a section). These clicks are
      contained in ``clicks``; these impressions are not in ``impressions``, for one search may show the page and its section.
    """

    pages: pd.DataFrame
    queries: pd.DataFrame
    read: tuple[str, ...]  # the tables that were used
    skipped: tuple[Skipped, ...]
    warnings: tuple[str, ...]

    @property
    def unknown(self) -> int:
        """Pages with figures that the crawl does not know."""
        return int((self.pages["page"] < 0).sum())


def read_export(path: Path, keys: Sequence[str], aliases: Mapping[str, str] | None = None) -> Export:
    """Read an export and join it to the site's pages.

    :param keys: the pages' keys (:func:`analysis.urls.page_key`) in the order of the corpus.
    :param aliases: key -> key of the page it leads to (redirects, canonicals).
    :raises ExportError: if nothing in the file can be used; the message says what was found instead.
    """
    sites = frozenset(site_of(key) for key in keys)
    sheets, skipped = read_sheets(path)
    tables = [read_table(sheet, sites) for sheet in sheets]
    used, without_page = _choose(tables, skipped)
    if not used:
        raise ExportError(_nothing_found(path, sites, skipped, tables))
    warnings = [f"{table.name}: {note}" for table in used for note in table.notes]
    parts: dict[bool, list[pd.DataFrame]] = {False: [], True: []}
    for table in used:
        rows = _rows(table, sites, warnings)
        parts[Column.QUERY in table].append(rows)
    index = {key: number for number, key in enumerate(keys)}
    of_pages, of_queries = (_joined(parts[has_query], index, aliases) for has_query in (False, True))
    pages = _merge(of_pages if parts[False] else of_queries, ["page", "key"])
    queries = _merge(of_queries, ["page", "key", "query"])
    if not parts[False]:
        warnings.append("figures of pages are sums over their queries; searches that are too rare to be named may be missing")
    elif not parts[True]:
        queries = _of_the_only_page(pages, without_page, sites, warnings, skipped)
    export = Export(
        pages,
        queries[queries["query"] != ""].reset_index(drop=True),
        tuple(table.name for table in used),
        tuple(skipped),
        tuple(warnings),
    )
    return _with_general_warnings(export, keys)


def _choose(tables: Sequence[Table], skipped: list[Skipped]) -> tuple[list[Table], list[Table]]:
    """The tables of pages that are used (of each kind the largest with its parts), and those of queries without pages."""
    used: list[Table] = []
    without_page: list[Table] = []
    candidates: dict[bool, list[Table]] = {False: [], True: []}
    for table in tables:
        if Column.PAGE not in table:
            if Column.QUERY in table:
                without_page.append(table)
            reason = "queries without pages" if Column.QUERY in table else "no column of this site's addresses"
            skipped.append(Skipped(table.name, reason if len(table.cells) or table.header else "empty"))
        elif not any(column in table for column in METRICS) and len(table.cells):
            skipped.append(Skipped(table.name, "addresses, but neither clicks nor impressions nor positions"))
        else:
            candidates[Column.QUERY in table].append(table)
    for found in candidates.values():
        if not found:
            continue
        largest = max(found, key=lambda table: len(table.cells))
        for table in found:
            if table.header == largest.header:
                used.append(table)
            else:
                skipped.append(Skipped(table.name, f"a second table of the same kind as {largest.name}, which is larger"))
    return used, without_page


def _rows(table: Table, sites: frozenset[str], warnings: list[str]) -> pd.DataFrame:
    """A table's rows as url, query and figures; what was left out is counted in ``warnings``."""
    cells = table.cells
    if cells.empty:
        warnings.append(f"{table.name}: a header and no rows, so nothing is known (which is not the same as no clicks)")
    frame = pd.DataFrame({"url": cells["page"].fillna("").astype(str)}, index=cells.index)
    frame["query"] = _query(cells)
    for name, figures in _figures(table, warnings).items():
        frame[name] = figures
    key = {url: page_key(url) if is_address(url) else "" for url in frame["url"].unique()}
    frame["key"] = frame["url"].map(key).astype(object)
    of_row = frame["url"].map({url: name.partition("/")[0] for url, name in key.items()}).astype(object)
    keep = of_row.isin(sites)
    totals, foreign = int((of_row == "").sum()), of_row[~keep & (of_row != "")]
    if len(frame) - totals in ROW_CAPS:
        warnings.append(f"{table.name}: {ROW_CAPS[len(frame) - totals]}")
    if totals:
        warnings.append(f"{table.name}: {totals} rows without an address (totals) were left out")
    if len(foreign):
        hosts = ", ".join(host for host, _ in Counter(foreign).most_common(3))
        warnings.append(f"{table.name}: {len(foreign)} rows of other sites were left out ({hosts})")
    if Column.SEARCH_TYPE in table:
        is_web = cells["search_type"].astype(str).str.lower() == _WEB
        if is_web.any() and not is_web.all():
            warnings.append(f"{table.name}: {int((~is_web).sum())} rows of other searches than the web's were left out")
            keep &= is_web
    return frame[keep]


def _query(cells: pd.DataFrame) -> pd.Series:
    if "query" not in cells:
        return pd.Series("", index=cells.index, dtype=object)
    return cells["query"].fillna("").astype(str).str.strip()


def _figures(table: Table, warnings: list[str]) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    cells = table.cells
    size = len(cells)
    figures = {name: np.full(size, np.inf if name.endswith("most") else np.nan) for name in _FIGURES}
    for column in METRICS:
        if column not in table:
            continue
        numbers = read_numbers(cells[str(column)], whole=column in (Column.CLICKS, Column.IMPRESSIONS))
        figures[str(column)] = numbers.value
        if column in (Column.CLICKS, Column.IMPRESSIONS):
            figures[f"{column}_most"] = numbers.most
        if numbers.unread:
            shown = ", ".join(f"“{cell}”" for cell in numbers.unread)
            warnings.append(f"{table.name}: cells of “{table.columns[column]}” that are no numbers stay unknown ({shown})")
        in_percent = "%" in table.columns[column] or np.nanmax(numbers.value, initial=0) > 1
        if column is Column.CTR and in_percent and not numbers.percent:
            figures["ctr"] = numbers.value / 100
    sums = figures.pop("sum_position", None)
    if sums is not None and Column.POSITION not in table:
        with np.errstate(divide="ignore", invalid="ignore"):
            figures["position"] = sums / figures["impressions"] + 1
    figures["clicks_most"] = np.fmin(figures["clicks_most"], figures["impressions_most"])
    return figures


def _joined(parts: Sequence[pd.DataFrame], index: Mapping[str, int], aliases: Mapping[str, str] | None) -> pd.DataFrame:
    """All rows with the page that each address means, and whether the address has a fragment."""
    if not parts:
        return pd.DataFrame(columns=["url", "query", *_FIGURES, "page", "key", "fragment"])
    frame = pd.concat(parts, ignore_index=True)
    if aliases:
        frame["key"] = frame["key"].map(lambda key: aliases.get(key, key))
    frame["page"] = frame["key"].map(index).fillna(-1).astype(int)
    frame["fragment"] = frame["url"].str.contains("#", regex=False).astype(bool)
    return frame


def _merge(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """One row a group; rows of fragments stand apart unless a group has no others."""
    group = frame.groupby(by, sort=True).ngroup() if len(frame) else pd.Series(dtype=int)
    main = ~frame["fragment"].astype(bool)
    has_main = main.groupby(group).transform("any") if len(frame) else main
    counted = main | ~has_main
    known = frame["impressions"].where(counted)
    weight = known.fillna(1.0).where(frame["position"].notna() & counted)
    ctr_weight = known.fillna(1.0).where(frame["ctr"].notna() & counted)
    work = pd.DataFrame(
        {
            "impressions": known,
            "impressions_most": frame["impressions_most"].where(counted),
            "main_clicks": frame["clicks"].where(counted),
            "clicks": frame["clicks"],
            "clicks_most": frame["clicks_most"],
            "weighted": frame["position"] * weight,
            "weight": weight,
            "ctr_weighted": frame["ctr"] * ctr_weight,
            "ctr_weight": ctr_weight,
            "fragment_clicks": frame["clicks"].where(~main),
            "fragment_impressions": frame["impressions"].where(~main),
        }
    ).astype(float)
    sums = work.groupby(group, sort=True).sum(min_count=1)
    first = frame[by].groupby(group, sort=True).first()
    merged = first.assign(
        clicks=sums["clicks"],
        impressions=sums["impressions"],
        ctr=(sums["main_clicks"] / sums["impressions"].where(sums["impressions"] > 0)).fillna(
            sums["ctr_weighted"] / sums["ctr_weight"].where(sums["ctr_weight"] > 0)
        ),
        position=sums["weighted"] / sums["weight"].where(sums["weight"] > 0),
        clicks_most=np.fmax(sums["clicks_most"], sums["clicks"]),
        impressions_most=np.fmax(sums["impressions_most"], sums["impressions"]),
        fragment_clicks=sums["fragment_clicks"].fillna(0.0),
        fragment_impressions=sums["fragment_impressions"].fillna(0.0),
    )
    if "query" not in merged:
        merged.insert(2, "query", "")
    return merged.reset_index(drop=True)


def _of_the_only_page(
    pages: pd.DataFrame, tables: Sequence[Table], sites: frozenset[str], warnings: list[str], skipped: list[Skipped]
) -> pd.DataFrame:
    """The interface's archive filtered to one page: its table of queries is then that page's, though no column says so."""
    if len(pages) != 1 or not tables:
        return _merge(_joined([], {}, None), ["page", "key", "query"])
    key = str(pages["key"].iloc[0])
    table = max(tables, key=lambda table: len(table.cells))
    skipped[:] = [part for part in skipped if part.name != table.name]
    cells = table.cells.assign(page=f"https://{key}")
    table = Table(table.name, table.header, cells, {**table.columns, Column.PAGE: ""})
    warnings.append(f"{table.name}: taken for the queries of {key}, the only page of the export")
    return _merge(_joined([_rows(table, sites, warnings)], {key: int(pages["page"].iloc[0])}, None), ["page", "key", "query"])


def _with_general_warnings(export: Export, keys: Sequence[str]) -> Export:
    warnings = list(export.warnings)
    if len(export.pages):
        known = int((export.pages["page"] >= 0).sum())
        warnings += [f"{export.unknown} pages of the export were not crawled"] * bool(export.unknown)
        warnings += [f"{len(keys) - known} of {len(keys)} pages of the crawl are not in the export"] * (known < len(keys))
    if not len(export.queries):
        warnings.append(
            "no table names pages and queries together, so pairs cannot be checked: export page and query from the API, "
            "Looker Studio or BigQuery, or from the interface with a filter on one page"
        )
    return Export(export.pages, export.queries, export.read, export.skipped, tuple(warnings))


def _nothing_found(path: Path, sites: frozenset[str], skipped: Sequence[Skipped], tables: Sequence[Table]) -> str:
    parts = "; ".join(f"{part.name}: {part.reason}" for part in skipped) or "it is empty"
    message = f"{path.name} has no table with addresses of {', '.join(sorted(sites)) or 'the site'} ({parts})."
    if any(Column.QUERY in table for table in tables):
        message += " Queries without pages cannot be joined: export the pages too."
    return message
