"""Two pages that should become one are not asked to link to each other; the links are counted, and everything else stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analysis.outputs.tables import read_rows
from demo.serve import SITE
from tests.command import Finished, crawl, scrapy
from tests.server import LocalServer, page

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

FIRST, SECOND, OTHER = "/en/hub-dynamo/", "/en/hub-dynamo-again/", "/en/broken-spoke/"


def written_again(html: str) -> str:
    """The same article at another address: its first section told anew, all others as they were."""
    begin, end = html.index("<p>For twenty years"), html.index("<h2>Charging a phone")
    anew = (
        "<p>My lamps used to eat batteries. Since a wheelbuilder friend laced a dynamo into my front wheel they burn whenever I ride, "
        "and nobody has to remember a charger.</p><p>Magnets spin around a winding and give some three watts at ordinary speed, "
        "enough for front and rear lamps. The hub weighs little and you hardly feel it on the road; having the wheel built is "
        "most of the bill, so wait until a rim has to be replaced anyway, for example after a broken spoke.</p>"
    )
    head = html[:begin].replace(FIRST, SECOND).replace('hreflang="ru"', "")  # the Russian article translates the first
    return head + anew + html[end:]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    html = (SITE / "en/hub-dynamo/index.html").read_text(encoding="utf-8")
    sitemap = (SITE / "sitemap-en.xml").read_text(encoding="utf-8")
    listed = f"<url><loc>https://demo.example{SECOND}</loc></url></urlset>"
    routes = {SECOND: written_again(html), "/sitemap-en.xml": page(sitemap.replace("</urlset>", listed), "application/xml")}
    with LocalServer(routes, folder=SITE) as server:
        done = crawl(tmp_path_factory.mktemp("merging"), server.url("/robots.txt"))
    assert done.code == 0, done.output
    return done


def plan(folder: Path) -> set[tuple[str, str]]:
    rows = read_rows(folder / "interlink_plan.csv")
    return {tuple("/" + row[name].split("/", 3)[3] for name in ("url_from", "url_to")) for row in rows}


def test_links_between_pages_to_be_merged_are_held_back_and_counted(done: Finished) -> None:
    group = [row for row in done.table("cannibalization.csv") if row["url"].endswith((FIRST, SECOND))]
    assert [row["advice"] for row in group] == ["merge", "merge"]
    assert all("links between them held back from the plan: 2" in row["reason"] for row in group)
    told = "Links held back because their articles should be one: 2"
    assert told in done.summary()["notes"]
    assert told in done.output
    assert told in (done.folder / "report.html").read_text(encoding="utf-8")
    assert not {(FIRST, SECOND), (SECOND, FIRST)} & plan(done.folder)


def test_their_links_with_other_pages_stay(done: Finished) -> None:
    rows = plan(done.folder)
    assert all(any(page in pair for pair in rows) for page in (FIRST, SECOND))


def test_a_link_that_somebody_has_accepted_stays(done: Finished) -> None:
    origin = done.table("interlink_plan.csv")[0]["url_from"].partition("/en/")[0].partition("/ru/")[0]
    decided = f"url_from,url_to,status\n{origin}{FIRST},{origin}{SECOND},accepted\n"
    (done.folder / "decisions.csv").write_text(decided, encoding="utf-8")
    assert scrapy("plan", str(done.folder)).returncode == 0
    assert {(FIRST, SECOND), (SECOND, FIRST)} & plan(done.folder) == {(FIRST, SECOND)}
