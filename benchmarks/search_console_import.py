"""How long reading a Search Console export takes: ``python -m benchmarks.search_console_import [ROWS]`` (default 200,000).

The same rows as CSV with decimal commas, as CSV with points, as rows of the API, and as a workbook; wall and processor time.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from analysis.search_console import Rankings, read_export

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES_PER_ROW = 10  # queries a page, on average
WORKBOOK_ROWS = 1_000_000  # a sheet holds 1,048,576


def make_table(rows: int) -> pd.DataFrame:
    """A made-up export with pages, queries and figures."""
    number = pd.Series(range(rows))
    impressions = 1 + number * 7919 % 9_999
    clicks = number * 31 % (impressions + 1)
    return pd.DataFrame(
        {
            "Page": "https://a.test/blog/article-" + (number % max(1, rows // PAGES_PER_ROW)).astype(str) + "/",
            "Query": "query number " + (number // 3).astype(str),
            "Clicks": clicks,
            "Impressions": impressions,
            "CTR": clicks / impressions,
            "Position": 1 + number % 5_900 / 100,
        }
    )


def write_shapes(table: pd.DataFrame, folder: Path) -> Iterator[Path]:
    """Write the table in one shape after the other."""
    path = folder / "decimal_commas.csv"
    german = table.assign(CTR=(table["CTR"] * 100).map("{:.2f} %".format).str.replace(".", ","))
    german.to_csv(path, sep=";", decimal=",", index=False, encoding="utf-8-sig")
    yield path
    path = folder / "points.csv"
    table.to_csv(path, index=False)
    yield path
    path = folder / "api.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for page, query, *figures in table.itertuples(index=False, name=None):
            names = ("clicks", "impressions", "ctr", "position")
            file.write(json.dumps({"keys": [page, query], **dict(zip(names, figures, strict=True))}) + "\n")
    yield path
    if len(table) <= WORKBOOK_ROWS:
        path = folder / "workbook.xlsx"
        table.to_excel(path, index=False, engine="openpyxl")
        yield path


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    table = make_table(rows)
    keys = [f"a.test/blog/article-{number}" for number in range(max(1, rows // PAGES_PER_ROW))]
    with tempfile.TemporaryDirectory() as folder:
        for path in write_shapes(table, Path(folder)):
            wall, processor = time.perf_counter(), time.process_time()
            export = read_export(path, keys)
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
            assert len(export.queries) == rows
            assert int(export.pages["clicks"].sum()) == int(table["Clicks"].sum())
            print(f"{path.name:20} {rows:,} rows: {wall:.1f} s wall, {processor:.1f} s processor")
    start = time.process_time()
    pairs = sum(1 for _ in Rankings(export).competitors())
    print(f"{'competitors':20} {pairs:,} pairs: {time.process_time() - start:.1f} s processor")


if __name__ == "__main__":
    main()
