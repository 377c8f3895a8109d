"""The next crawl of a site: nothing that stayed as it was is read, embedded or planned differently, and what changed is told."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from analysis.store import FILE_NAME
from demo.serve import SITE, etag
from tests.command import Finished, crawl, scrapy
from tests.interlink_spider.test_crawl import article
from tests.server import LocalServer, Response, page, sitemap

pytestmark = pytest.mark.slow


def vectors(folder: Path) -> int:
    with sqlite3.connect(folder / FILE_NAME) as connection:
        return int(connection.execute("SELECT count(*) FROM vector").fetchone()[0])


def tagged(text: str) -> Response:
    return page(text, ETag=etag(text.encode()))


def test_an_unchanged_site_is_not_read_again_and_its_plan_has_the_same_bytes(tmp_path: Path) -> None:
    with LocalServer(folder=SITE) as server:
        first = crawl(tmp_path, server.url("/robots.txt"))
        plan, embedded = (first.folder / "interlink_plan.csv").read_bytes(), vectors(first.folder)
        before = first.summary()
        asked = len(server.log)
        second = crawl(tmp_path, server.url("/robots.txt"))
        pages = {access.path: access.status for access in server.log[asked:] if access.if_none_match}
    assert len(pages) == before["pages"] > 30
    assert set(pages.values()) == {304}
    assert vectors(second.folder) == embedded
    assert (second.folder / "interlink_plan.csv").read_bytes() == plan
    assert set(second.summary()["changes"].values()) == {0} and second.table("changes.csv") == []
    assert "Nothing has changed since the last plan, so it stands" in second.output
    assert before["changes"] is None and "Since the last crawl" not in first.output


def test_a_plan_stands_only_while_all_that_it_depends_on_does(tmp_path: Path) -> None:
    names = ("/apples", "/bananas", "/cherries", "/dates")
    stands = "Nothing has changed since the last plan, so it stands"
    with LocalServer({"/sitemap.xml": sitemap(*names), **{name: tagged(article(name[1:].title())) for name in names}}) as server:

        def again(**settings: str) -> Finished:
            return crawl(tmp_path, server.url("/sitemap.xml"), settings)

        first = again()
        rows = first.summary()["links_proposed"]
        assert stands not in first.output and stands in again().output
        other = again(INTERLINK_LINKS_PER_PAGE="2")
        assert stands not in other.output and other.summary()["links_proposed"] < rows
        plan = first.folder / "interlink_plan.csv"
        best = other.table("interlink_plan.csv")[0]
        plan.write_text(plan.read_text(encoding="utf-8").replace(",new,", ",rejected,", 1), encoding="utf-8")
        rejected = again(INTERLINK_LINKS_PER_PAGE="2")
        pairs = {(row["url_from"], row["url_to"]) for row in rejected.table("interlink_plan.csv")}
        assert stands not in rejected.output and (best["url_from"], best["url_to"]) not in pairs
        assert len([source for source, _ in pairs if source == best["url_from"]]) == 2, "the next best takes the place"
        plan.unlink()
        assert stands not in again(INTERLINK_LINKS_PER_PAGE="2").output and plan.is_file()


def linking(title: str, *targets: str) -> str:
    links = "".join(f"<p>Whoever reads on will find <a href='/{name}'>an article on {name}</a> here.</p>" for name in targets)
    return article(title).replace("</main>", links + "</main>")


def test_what_changed_is_told_and_only_that_is_embedded(tmp_path: Path) -> None:
    fruits = ("apples", "bananas", "cherries", "dates", "elderberries", "figs")
    everyone = {f"/{name}": tagged(linking(name.title(), fruits[at - 1])) for at, name in enumerate(fruits)}
    with LocalServer({"/sitemap.xml": sitemap(*everyone), **everyone}) as server:
        first = crawl(tmp_path, server.url("/sitemap.xml"))
        proposed = {row["url_to"].rpartition("/")[2] for row in first.table("interlink_plan.csv") if "/figs" in row["url_from"]}
        wanted = min(proposed - {"apples"})
        before = vectors(first.folder)
        server.routes["/sitemap.xml"] = sitemap(*everyone, "/grapes")
        server.routes["/grapes"] = tagged(linking("Grapes"))
        server.routes["/figs"] = tagged(linking("Figs", wanted))  # and no longer to elderberries
        server.routes["/apples"] = Response(410)
        second = crawl(tmp_path, server.url("/sitemap.xml"))
        again = scrapy("plan", str(second.folder))
    assert vectors(second.folder) == before + 3, "the article that changed, and the new one with its title"
    orphans = {"grapes", "elderberries", "figs"}  # only figs linked to elderberries, only apples to figs
    assert told(second, "new orphan") == orphans - {wanted}
    assert second.summary()["changes"] == {
        "new_pages": 1, "changed_pages": 1, "gone_pages": 1, "links_live": 1, "new_orphans": len(orphans - {wanted}),
    }  # fmt: skip
    assert told(second, "new") == {"grapes"} and told(second, "changed") == {"figs"} and told(second, "gone") == {"apples"}
    assert "Since the last crawl: 1 new pages, 1 changed, 1 gone, 1 proposed links are live" in second.output
    assert again.returncode == 0 and "1 new pages, 1 changed, 1 gone" in again.stdout


def told(done: Finished, change: str) -> set[str]:
    return {row["url"].rpartition("/")[2] for row in done.table("changes.csv") if row["change"] == change}
