"""What a plan leaves behind beside its rows, on the demo blog: the effect, orphans with reasons, the report last."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.outputs.tables import read_rows
from demo.serve import SITE
from tests.command import crawl, scrapy
from tests.server import LocalServer

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with LocalServer(folder=SITE) as server:
        done = crawl(tmp_path_factory.mktemp("plan"), server.url("/robots.txt"))
    assert done.code == 0, done.output
    return done.folder


def test_every_orphan_ends_with_a_link_a_proposal_or_a_reason(folder: Path) -> None:
    orphans = read_rows(folder / "orphans.csv")
    assert len(orphans) == 6
    assert {row["in_menu"] for row in orphans} == {"yes"}
    assert all(bool(row["reason"]) == (row["rescue"] != "a link in its sentence") for row in orphans)
    plan = read_rows(folder / "interlink_plan.csv")
    for row in orphans:
        rows = [planned for planned in plan if planned["url_to"] == row["url"]]
        assert str(len(rows)) == row["proposed_links_in"]
        ready = any(planned["placement"] == "wrap" and planned["beyond_limit"] == "no" for planned in rows)
        assert ready == (row["rescue"] == "a link in its sentence")


def test_the_rows_of_an_article_stand_best_first_and_within_its_limits(folder: Path) -> None:
    plan = read_rows(folder / "interlink_plan.csv")
    assert len(plan) > 100
    for source in {row["url_from"] for row in plan}:
        rows = [row for row in plan if row["url_from"] == source]
        confidence = [float(row["confidence"]) for row in rows]
        assert confidence == sorted(confidence, reverse=True)
        within = sum(row["beyond_limit"] == "no" for row in rows)
        assert len(rows) <= 4
        assert within == min(len(rows), max(0, 4 - int(rows[0]["links_now"])))


def test_the_effect_is_the_same_in_the_summary_and_in_the_graph(folder: Path) -> None:
    graph = json.loads((folder / "graph.json").read_text(encoding="utf-8"))
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert graph["effect"] == summary["effect"]
    assert summary["effect"]["orphans"][0] == summary["orphans"] == 6
    plan = read_rows(folder / "interlink_plan.csv")
    before, after = summary["effect"]["links"]
    assert (before, after) == (64, 64 + sum(row["beyond_limit"] == "no" for row in plan))
    for rank in (3, 4):
        assert sum(page[rank] for page in graph["pages"]) == pytest.approx(1, abs=1e-4)


def test_a_report_that_fails_loses_nothing_else(folder: Path) -> None:
    kept = {path.name: path.read_bytes() for path in folder.glob("*.csv")}
    for name in kept:
        (folder / name).unlink()
    (folder / "report.html").unlink()
    (folder / "report.html").mkdir()
    done = scrapy("plan", str(folder))
    (folder / "report.html").rmdir()
    assert done.returncode == 0
    assert "report.html could not be" in done.stderr
    assert {path.name: path.read_bytes() for path in folder.glob("*.csv")} == kept
    assert scrapy("report", str(folder)).returncode == 0


def test_a_language_that_no_article_has_is_named(folder: Path) -> None:
    before = (folder / "interlink_plan.csv").read_bytes()
    done = scrapy("plan", str(folder), "-s", "INTERLINK_LANGUAGES=xx")
    assert done.returncode == 1
    assert "No article is in the languages of INTERLINK_LANGUAGES (xx)." in done.stderr
    assert (folder / "interlink_plan.csv").read_bytes() == before
