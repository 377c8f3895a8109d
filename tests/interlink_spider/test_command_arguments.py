"""What is wrong with a command line is said in one sentence about that very thing, by the real commands."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import ROOT, scrapy
from tests.server import LocalServer

COMMANDS = ["plan", "apply", "undo", "gsc", "weave", "backtest", "report", "index"]
NEEDED = {"apply": ["--sources", "."], "gsc": ["--export", "x.zip"]}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_that_no_command_has_is_named(command: str, tmp_path: Path) -> None:
    done = scrapy(command, str(tmp_path), "--nonsense", *NEEDED.get(command, []))
    assert done.returncode == 2
    assert "error: There is no option --nonsense" in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["plan"], "Name one folder, for example: scrapy plan"),
        (["report", "one", "two"], "Name one folder, for example: scrapy report"),
        (["plan", "one", "--url", "https://a.test/new/"], "--url is the address of a draft, and belongs to --only FILE"),
        (["gsc", "one"], "Name an export"),
        (["weave", "one", "--limit", "0"], "--limit is 0; allowed is a number from 1."),
        (["apply", "one", "--sources", ".", "--status", "acepted"], "--status names 'acepted'; allowed are new, accepted,"),
        (["apply", "one", "--sources", ".", "--min-confidence", "7"], "--min-confidence is 7; allowed is a number from 0 to 1."),
        (["crawl", "interlink", "--nonsense"], "There is no option --nonsense"),
    ],
)
def test_a_wrong_command_line_is_explained(arguments: list[str], said: str) -> None:
    done = scrapy(*arguments)
    assert done.returncode == 2
    assert said in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["crawl", *COMMANDS])
def test_a_setting_that_there_is_not_is_refused_with_the_nearest_name(command: str, tmp_path: Path) -> None:
    with LocalServer({"/robots.txt": ""}) as server:
        given = ["interlink", "-a", f"sitemap={server.url()}", "-s", f"INTERLINK_OUTPUT_DIR={tmp_path / 'output'}"]
        given = given if command == "crawl" else [str(tmp_path), *NEEDED.get(command, [])]
        done = scrapy(command, *given, "-s", "INTERLINK_MIN_SIMILARTY=0.4")
        assert server.paths() == []
    assert done.returncode != 0
    assert "There is no setting INTERLINK_MIN_SIMILARTY; did you mean INTERLINK_MIN_SIMILARITY?" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_misspelt_name_in_the_settings_of_a_project_is_refused(tmp_path: Path) -> None:
    for part in ("interlink_spider", "analysis"):
        shutil.copytree(ROOT / part, tmp_path / part)
    shutil.copy(ROOT / "scrapy.cfg", tmp_path)
    written = tmp_path / "interlink_spider" / "settings.py"
    written.write_text(written.read_text(encoding="utf-8").replace("INTERLINK_CSV_BOM", "INTERLINK_CVS_BOM"), encoding="utf-8")
    command = [sys.executable, "-m", "scrapy", "plan", "output"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "There is no setting INTERLINK_CVS_BOM; did you mean INTERLINK_CSV_BOM?" in done.stderr


@pytest.mark.slow
def test_apply_and_undo_say_which_of_their_folders_is_none(tmp_path: Path) -> None:
    without_plan = scrapy("apply", str(tmp_path), "--sources", str(tmp_path))
    assert without_plan.returncode == 1 and f"There is no plan at {tmp_path}" in without_plan.stderr
    (tmp_path / "interlink_plan.csv").touch()
    no_folder = scrapy("apply", str(tmp_path), "--sources", __file__)
    assert no_folder.returncode == 1 and f"There is no folder of sources at {__file__}" in no_folder.stderr
    nothing = scrapy("undo", str(tmp_path))
    assert nothing.returncode == 1 and "names no link that `scrapy apply` put in" in nothing.stderr
