"""A backtest of a small site with the real model."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.backtest.outputs import PICTURE, text, write_result
from analysis.backtest.run import BacktestError, run
from analysis.backtest.scores import ALL, Result, score_method
from analysis.backtest.trial import Guess, TriedPage
from analysis.config import PlanConfig
from analysis.outputs import plan_table
from analysis.outputs.report import files
from analysis.outputs.tables import write_table
from benchmarks.editorial_links import store_corpus
from tests.analysis.backtest.stored_site import rows, store

pytestmark = pytest.mark.slow
CONFIG = PlanConfig(workers=1)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("garden")
    store(folder).close()
    return folder


@pytest.fixture(scope="module")
def result(site: Path) -> Result:
    return run(site, CONFIG)


def test_links_whose_words_are_titles_are_found_again_and_placed_where_they_were(result: Result) -> None:
    assert (result.pages, result.links, result.rounds, result.share) == (18, 36, 2, 0.5)
    learned = result.methods[-1].total
    assert learned.links == 36
    assert learned.named == 1
    assert learned.recall >= 0.9
    assert learned.insertable >= 0.8  # the inserter run dry lets them stand on the words that were a link
    assert learned.anchor_f1 >= 0.9


def test_the_file_holds_what_the_report_draws_and_every_figure(site: Path, result: Result) -> None:
    drawn = files.read_backtest(site)
    assert drawn is not None
    assert [line.name for line in drawn.series] == ["semantic", "learned"]
    assert drawn.series[1].points[-1] == (round(result.methods[1].total.recall, 3), round(result.methods[1].total.precision, 4))
    figures = json.loads((site / "backtest.json").read_text(encoding="utf-8"))["figures"]
    learned = figures["methods"]["learned"]
    assert learned["languages"][ALL]["recall"] == round(result.methods[1].total.recall, 4)
    assert learned["at_wished_precision"]["precision"] >= figures["precision"] == 0.5
    assert learned["curve"][-1]["recall"] == learned["languages"][ALL]["recall"]


def test_the_picture_is_well_formed_and_has_a_curve_a_method(site: Path, result: Result) -> None:
    picture = ET.fromstring((site / PICTURE).read_text(encoding="utf-8"))
    assert len(picture.findall("{*}polyline")) == 2
    assert "http" not in (site / PICTURE).read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert list(site.glob("*.part")) == []


def test_the_screen_shows_a_line_a_method_and_what_confidence_to_use(result: Result) -> None:
    told = text(result)
    assert "36 links to other articles stand in the texts of 18 articles; 50% of them hidden at a time, 2 rounds" in told
    assert "recall@4" in told
    point = result.methods[1].point_of(0.5)
    assert point is not None
    assert f"from confidence {point.score:.2f} on, precision is" in told


def test_where_no_confidence_is_enough_the_screen_says_so(result: Result) -> None:
    missed = TriedPage("en", 1, 1, (Guess(0.9, True, "sure", is_found=False),))
    told = text(replace(result, methods=(score_method("learned", [missed] * 40, top=4),)))
    assert "no confidence reaches a precision of 50%" in told
    assert "marked sure: precision 0%, recall 0%" in told


def test_a_report_that_cannot_be_made_costs_no_figures(result: Result, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_table(tmp_path / plan_table.NAME, plan_table.COLUMNS, [])
    (tmp_path / "graph.json").write_text("{")
    write_result(tmp_path, result)
    assert "The figures are written; the report is the old one: graph.json" in caplog.text
    assert files.read_backtest(tmp_path) is not None
    (tmp_path / "graph.json").unlink()
    write_result(tmp_path, result)
    assert 'id="backtest-chart"' in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_same_crawl_gives_the_same_bytes(site: Path, result: Result, tmp_path: Path) -> None:
    write_result(tmp_path, run(site, CONFIG))
    for name in ("backtest.json", PICTURE):
        assert (tmp_path / name).read_bytes() == (site / name).read_bytes()


def test_a_plan_without_sources_finds_links_and_places_none(tmp_path: Path) -> None:
    with store(tmp_path) as crawl:
        crawl.connection.execute("UPDATE page SET html = NULL")
    learned = run(tmp_path, CONFIG, methods=["learned"]).methods[0].total
    assert learned.recall >= 0.9
    assert (learned.exact, learned.insertable) == (0, 0)


def test_few_links_tell_nothing_and_leave_earlier_figures_alone(tmp_path: Path) -> None:
    store_corpus(rows()[:9], tmp_path).close()
    (tmp_path / "backtest.json").write_text("earlier")
    with pytest.raises(BacktestError, match=r"Too few links to tell: \d+ links .* needs 30"):
        run(tmp_path, CONFIG)
    assert (tmp_path / "backtest.json").read_text() == "earlier"


def test_without_a_crawl_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(BacktestError, match="There is no crawl in"):
        run(tmp_path, CONFIG)
