"""Where a page has more links planned than one run may place, those that add most go in."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.outputs import plan_table
from analysis.outputs.tables import write_table
from analysis.records import block_digest
from tests.command import scrapy

pytestmark = pytest.mark.slow

TEXT = "We wrote about tents, about stoves, about tyres, about chains and about maps on other days of the year."
GAINS = {"tents": "0.2", "stoves": "0.3", "tyres": "0.1", "chains": "0.9", "maps": "0.95"}


def test_the_rows_that_add_most_go_in_first(tmp_path: Path) -> None:
    sources = tmp_path / "site"
    sources.mkdir()
    (sources / "page.html").write_text(f"<!doctype html><title>Page</title><article><p>{TEXT}</p></article>", encoding="utf-8")
    rows = []
    for rank, (word, gain) in enumerate(GAINS.items(), start=1):
        start = TEXT.index(word)
        row = dict.fromkeys(plan_table.COLUMNS, "") | {
            "rank": rank,
            "url_from": "https://a.test/page.html",
            "url_to": f"https://a.test/{word}.html",
            "placement": "wrap",
            "sentence": TEXT,
            "anchor": word,
            "gain": gain,
            "beyond_limit": "yes" if word == "maps" else "no",
            "status": "new",
            "block": block_digest(TEXT),
            "start": start,
            "end": start + len(word),
        }
        rows.append(tuple(row[name] for name in plan_table.COLUMNS))
    write_table(tmp_path / plan_table.NAME, plan_table.COLUMNS, rows)
    done = scrapy("apply", str(tmp_path), "--sources", str(sources), "--write")
    assert done.returncode == 0, done.stderr
    html = (sources / "page.html").read_text(encoding="utf-8")
    assert [word for word in GAINS if f">{word}</a>" in html] == ["tents", "stoves", "chains"]
