from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.store import CrawlStore
from benchmarks.editorial_links import store_corpus
from tests.analysis.backtest.stored_site import rows, store
from tests.command import scrapy

pytestmark = pytest.mark.slow


def test_it_prints_the_figures_and_says_where_the_rest_is(tmp_path: Path) -> None:
    store(tmp_path).close()
    done = scrapy("backtest", str(tmp_path), "--folds", "3", "--precision", "0.4", "--method", "learned")
    assert done.returncode == 0, done.stderr
    assert "33% of them hidden at a time, 3 rounds" in done.stdout
    assert "learned" in done.stdout
    assert "semantic" not in done.stdout
    assert str(tmp_path / "backtest.json") in done.stdout
    figures = json.loads((tmp_path / "backtest.json").read_text(encoding="utf-8"))["figures"]
    assert (figures["rounds"], figures["precision"], list(figures["methods"])) == (3, 0.4, ["learned"])
    assert (tmp_path / "backtest.svg").is_file()


def test_too_few_links_are_told_in_one_sentence(tmp_path: Path) -> None:
    CrawlStore.create(tmp_path).close()
    done = scrapy("backtest", str(tmp_path))
    assert done.returncode == 1
    assert "Too few links to tell: 0 links" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_plan_stands_where_a_backtest_could_not_tell(tmp_path: Path) -> None:
    store_corpus(rows()[:9], tmp_path).close()
    done = scrapy("plan", str(tmp_path), "-s", "INTERLINK_BACKTEST=True")
    assert done.returncode == 0, done.stderr
    assert "No backtest. Too few links to tell" in done.stderr
    assert "9 articles" in done.stdout
    assert (tmp_path / "interlink_plan.csv").is_file()
    assert not (tmp_path / "backtest.json").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Name one folder"),
        (["--folds", "1"], "--folds is 1; allowed is a number from 2 to 20."),
        (["--precision", "50"], "--precision is 50; allowed is a number above 0, up to 1."),
        (["--method", "learned,magic"], "--method names 'magic'; allowed are semantic, learned."),
    ],
)
def test_what_it_cannot_do_is_refused_before_anything_is_read(tmp_path: Path, arguments: list[str], told: str) -> None:
    done = scrapy("backtest", *([str(tmp_path)] if arguments else []), *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
