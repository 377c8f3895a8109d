"""Whether every row of a plan that says ``wrap`` can be inserted into the sources, and taken out again byte for byte.

    python -m benchmarks.plan_applies output/example.com SOURCES

Each row is tried alone and without the ceilings of links an article, since those are checked when links are really inserted.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from analysis.editing.changes import PlannedLink
from analysis.editing.sources import SourceFolder
from analysis.insertion import Inserted, InsertionRules, insert_link, remove_link
from analysis.outputs.plan_table import NAME
from analysis.outputs.tables import read_rows

_NO_CEILINGS = InsertionRules(max_total=None, max_new=None, run_id="check")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", type=Path)
    parser.add_argument("sources", type=Path)
    given = parser.parse_args()
    sources = SourceFolder(given.sources)
    results: Counter[str] = Counter()
    for row in read_rows(given.plan / NAME):
        if row["placement"] != "wrap":
            continue
        path, markup = sources.find(row["url_from"])
        before = path.read_bytes()
        link = PlannedLink.from_row(row)
        result = insert_link(before, link.request(), page_url=link.url_from, rules=_NO_CEILINGS, markup=markup)
        if not isinstance(result, Inserted):
            results[f"refused: {result}"] += 1
        elif remove_link(result.source, result.offset, result.tag_open, result.anchor, result.tag_close) != before:
            results["undo gave other bytes"] += 1
        else:
            results["applied and undone"] += 1
    for what, count in results.most_common():
        print(f"{count:6} {what}")
    return int(set(results) != {"applied and undone"})


if __name__ == "__main__":
    raise SystemExit(main())
