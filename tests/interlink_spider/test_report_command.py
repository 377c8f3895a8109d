from __future__ import annotations

from pathlib import Path

import pytest

from analysis.outputs import plan_table
from analysis.outputs.tables import write_table
from tests.command import scrapy

pytestmark = pytest.mark.slow


def test_the_report_is_made_again_from_the_folder(tmp_path: Path) -> None:
    write_table(tmp_path / plan_table.NAME, plan_table.COLUMNS, [])
    done = scrapy("report", str(tmp_path))
    assert (done.returncode, done.stdout.strip()) == (0, str(tmp_path / "report.html"))
    assert (tmp_path / "report.html").is_file()


def test_without_a_plan_it_says_so_and_fails(tmp_path: Path) -> None:
    done = scrapy("report", str(tmp_path))
    assert done.returncode == 1
    assert "There is no plan in" in done.stderr
    assert "Traceback" not in done.stderr
