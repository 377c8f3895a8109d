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


def write_plan(folder: Path, more: dict[str, dict[str, str]]) -> Path:
    """A page in a folder of sources and a plan with a row a word; ``more`` cells of each row."""
    sources = folder / "site"
    sources.mkdir()
    (sources / "page.html").write_text(f"<!doctype html><title>Page</title><article><p>{TEXT}</p></article>", encoding="utf-8")
    rows = []
    for rank, (word, cells) in enumerate(more.items(), start=1):
        start = TEXT.index(word)
        row = dict.fromkeys(plan_table.COLUMNS, "") | {
            "rank": rank,
            "url_from": "https://a.test/page.html",
            "url_to": f"https://a.test/{word}.html",
            "placement": "wrap",
            "sentence": TEXT,
            "anchor": word,
            "beyond_limit": "no",
            "status": "new",
            "block": block_digest(TEXT),
            "start": start,
            "end": start + len(word),
        }
        row |= cells
        rows.append(tuple(row[name] for name in plan_table.COLUMNS))
    write_table(folder / plan_table.NAME, plan_table.COLUMNS, rows)
    return sources


def linked_words(sources: Path) -> list[str]:
    html = (sources / "page.html").read_text(encoding="utf-8")
    return [word for word in GAINS if f">{word}</a>" in html]


def test_the_rows_that_add_most_go_in_first(tmp_path: Path) -> None:
    beyond = {word: "yes" if word == "maps" else "no" for word in GAINS}
    sources = write_plan(tmp_path, {word: {"gain": gain, "beyond_limit": beyond[word]} for word, gain in GAINS.items()})
    done = scrapy("apply", str(tmp_path), "--sources", str(sources), "--write")
    assert done.returncode == 0, done.stderr
    assert linked_words(sources) == ["tents", "stoves", "chains"]


def test_what_is_hardly_likely_waits_until_somebody_accepts_it(tmp_path: Path) -> None:
    rows = {
        "tents": {"confidence": "0.39"},
        "stoves": {"confidence": "0.41"},
        "maps": {"confidence": "0.01", "status": "accepted"},
    }
    sources = write_plan(tmp_path, rows)
    done = scrapy("apply", str(tmp_path), "--sources", str(sources), "--write")
    assert done.returncode == 0, done.stderr
    assert linked_words(sources) == ["stoves", "maps"]
    assert "1 links are less sure than 0.4" in done.stdout


def test_a_page_that_no_row_names_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    sources = write_plan(tmp_path, {word: {"gain": gain} for word, gain in GAINS.items()})
    given = ("apply", str(tmp_path), "--sources", str(sources), "--write", "--page")
    wrong = scrapy(*given, "https://a.test/pages.html")
    assert wrong.returncode == 1
    assert "The plan has no link of https://a.test/pages.html: --page takes an address of its column url_from." in wrong.stderr
    assert linked_words(sources) == []
    right = scrapy(*given, "http://www.a.test/page.html")
    assert right.returncode == 0, right.stderr
    assert len(linked_words(sources)) == 3
    for flag in ("--page", "--target"):
        undone = scrapy("undo", str(tmp_path), flag, "https://a.test/pages.html", "--write")
        assert undone.returncode == 1 and "has no such link" in undone.stderr
    assert len(linked_words(sources)) == 3
