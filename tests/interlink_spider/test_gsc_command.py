"""``scrapy gsc`` on the demo blog: figures are joined, rivals leave the plan with their evidence, later plans remember."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from analysis.outputs.tables import read_rows
from demo.serve import SITE
from tests.analysis.search_console.api_double import ApiDouble
from tests.command import crawl, scrapy
from tests.server import LocalServer

pytestmark = pytest.mark.slow

HEADER = "Top pages,Query,Clicks,Impressions,CTR,Position\n"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with LocalServer(folder=SITE) as server:
        done = crawl(tmp_path_factory.mktemp("gsc"), server.url("/robots.txt"))
    assert done.code == 0, done.output
    return done.folder


@pytest.fixture
def folder(crawled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawled, tmp_path / "site"))


def plan(folder: Path) -> list[tuple[str, str]]:
    return [(row["url_from"], row["url_to"]) for row in read_rows(folder / "interlink_plan.csv")]


def write_export(folder: Path, rows: list[tuple[str, str, int, int, float]]) -> Path:
    lines = [f"{page},{query},{clicks},{shown},{clicks / shown:.2%},{place}" for page, query, clicks, shown, place in rows]
    path = folder.parent / "export.csv"
    path.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_without_an_export_everything_is_there_and_the_summary_says_what_is_missing(crawled: Path) -> None:
    told = json.loads((crawled / "summary.json").read_text(encoding="utf-8"))
    assert "scrapy gsc" in told["search_console"]
    rows = read_rows(crawled / "search_console.csv")
    assert {row["clicks"] + row["shared_queries"] + row["verdict"] for row in rows} == {""}
    assert (crawled / "report.html").is_file()


def test_rivals_leave_the_plan_and_relatives_are_confirmed(folder: Path) -> None:
    before = plan(folder)
    rival = before[0]
    relative = next(pair for pair in before if not {*pair} & {*rival})
    export = write_export(
        folder,
        [
            (rival[0], "the same question", 30, 400, 3.0),
            (rival[0], "something else", 1, 90, 9.0),
            (rival[1], "the same question", 20, 300, 5.5),
            (relative[0], "how to begin", 10, 200, 2.0),
            (relative[1], "where to end", 5, 100, 8.0),
        ],
    )
    done = scrapy("gsc", str(folder), "--export", str(export))
    assert done.returncode == 0, done.stderr
    assert "4 pages, 5 rows of a page and a query" in done.stdout
    assert "1 left the plan because they share their main queries" in done.stdout
    assert rival not in plan(folder)
    assert relative in plan(folder)

    competing = read_rows(folder / "cannibalization.csv")
    assert {row["url"] for row in competing} == set(rival)
    assert {row["shared_queries"] for row in competing} == {"the same question"}
    assert all("both rank for the same main queries: “the same question”" in row["reason"] for row in competing)
    assert {row["url"]: row["difference"] for row in competing}[rival[0]] == "something else"

    rows = read_rows(folder / "search_console.csv")
    page = next(row for row in rows if row["kind"] == "page" and row["page"] == rival[0])
    assert (page["clicks"], page["impressions"], page["ctr"], page["position"]) == ("31", "490", "0.0633", "4.1")
    pair = next(row for row in rows if (row["page"], row["target"]) == relative)
    assert pair["verdict"] == "confirmed"
    told = next(row for row in read_rows(folder / "interlink_plan.csv") if (row["url_from"], row["url_to"]) == relative)
    assert told["reason"].endswith("; confirmed: same topic, different queries")

    after = {path.name: path.read_bytes() for path in folder.glob("*.csv")}
    again = scrapy("plan", str(folder))
    assert again.returncode == 0, again.stderr
    assert {path.name: path.read_bytes() for path in folder.glob("*.csv")} == after


def test_a_second_import_replaces_the_first(folder: Path) -> None:
    first, second = (plan(folder)[0][0], plan(folder)[0][1])
    assert scrapy("gsc", str(folder), "--export", str(write_export(folder, [(first, "a", 1, 20, 2)]))).returncode == 0
    assert scrapy("gsc", str(folder), "--export", str(write_export(folder, [(second, "b", 2, 30, 3)]))).returncode == 0
    rows = read_rows(folder / "search_console.csv")
    assert {row["page"]: row["clicks"] for row in rows if row["clicks"]} == {second: "2"}


def test_the_api_is_asked_with_a_service_account(folder: Path) -> None:
    page = plan(folder)[0][0]
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    with ApiDouble([(page, "a question", 7, 70, 2.5)]) as double:
        account = {"type": "service_account", "client_email": "reader@project.test", "private_key_id": "1"}
        path = folder.parent / "key.json"
        path.write_text(json.dumps(account | {"private_key": pem, "token_uri": double.url + "/token"}), encoding="utf-8")
        given = ("--service-account", str(path), "--property", "sc-domain:a.test", "--endpoint", double.url, "--days", "30")
        done = scrapy("gsc", str(folder), *given)
    assert done.returncode == 0, done.stderr
    assert "1 rows of pages, 1 rows of queries" in done.stdout
    first, last = (date.fromisoformat(double.asked[0][1][name]) for name in ("startDate", "endDate"))
    assert (last - first).days == 29
    rows = read_rows(folder / "search_console.csv")
    assert {row["page"]: row["clicks"] for row in rows if row["clicks"]} == {page: "7"}
    assert "PRIVATE KEY" not in done.stdout + done.stderr


@pytest.mark.parametrize("content", ["Query,Clicks\nshoes,3\n", "https://elsewhere.test/,shoes,3,4,1%,2\n", ""])
def test_what_cannot_be_used_is_told_in_a_sentence_and_changes_nothing(folder: Path, content: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    export = folder.parent / "export.csv"
    export.write_text(content, encoding="utf-8")
    good = write_export(folder, [(plan(folder)[0][0], "a", 1, 20, 2)]).rename(folder.parent / "good.csv")
    export.write_text(content, encoding="utf-8")
    done = scrapy("gsc", str(folder), "--export", str(good), "--export", str(export))
    assert done.returncode == 1
    assert "export.csv" in done.stderr
    assert "Traceback" not in done.stderr
    assert {name: (folder / name).read_bytes() for name in before if name.endswith((".csv", ".json"))} == {
        name: body for name, body in before.items() if name.endswith((".csv", ".json"))
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "an export"),
        (("--service-account", "key.json"), "belong together"),
        (("--export", "no-such-file.csv"), "no-such-file.csv"),
        (("--service-account", "no-key.json", "--property", "sc-domain:a.test"), "no-key.json"),
    ],
)
def test_wrong_arguments_are_refused(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = scrapy("gsc", str(folder), *arguments)
    assert done.returncode != 0
    assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
