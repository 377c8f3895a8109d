"""``scrapy plan --only``: the real command on the crawled demo blog."""

from __future__ import annotations

import shutil
import sqlite3
import time
from pathlib import Path

import pytest

from analysis import indexing, one_article
from analysis.config import PlanConfig
from analysis.drafts import read_draft
from analysis.outputs.tables import read_rows
from analysis.store import CrawlStore
from demo.serve import SITE
from tests.command import crawl, scrapy
from tests.server import LocalServer, page, redirect

pytestmark = pytest.mark.slow

DRAFT = """---
title: "A Broken Spoke and a Hub Dynamo"
---
Last week I heard the ping that every rider knows: a broken spoke, on the rear wheel, forty kilometres from the next town. I had
packed by my own packing list, so a spare spoke was taped to the frame. Riding in the rain does not make truing a wheel any easier.

A hub dynamo makes the front wheel harder to build again, because its flanges are higher and the spokes are shorter. Ask the shop for
two spares of each length. In the evening I cooked on the alcohol stove as [I always do](/en/alcohol-stove/) and wrote this down.
"""


@pytest.fixture(scope="module")
def blog(tmp_path_factory):
    with LocalServer(folder=SITE) as server:
        done = crawl(tmp_path_factory.mktemp("blog"), server.url("/robots.txt"), {"INTERLINK_PLAN_AT_CLOSE": "False"})
        yield done.folder, server


def only(folder: Path, given: str, *flags: str):
    done = scrapy("plan", str(folder), "--only", given, *flags)
    assert done.returncode == 0, done.stderr
    return done.stdout, read_rows(folder / one_article.NAME)


def pages(folder: Path) -> list:
    with sqlite3.connect(folder / "crawl.db") as connection:
        return connection.execute("SELECT key, changed_run FROM page ORDER BY key").fetchall()


def test_a_draft_in_markdown_gets_links_both_ways_and_the_store_stays(blog, tmp_path):
    folder, server = blog
    (tmp_path / "spoke-and-dynamo.md").write_text(DRAFT, encoding="utf-8")
    before = pages(folder)
    started = time.monotonic()
    told, rows = only(folder, str(tmp_path / "spoke-and-dynamo.md"))
    assert time.monotonic() - started < 60
    own = server.url("/spoke-and-dynamo/")
    carries = {row["url_to"]: row for row in rows if row["url_from"] == own}
    receives = [row["url_from"] for row in rows if row["url_to"] == own]

    spoke = carries[server.url("/en/broken-spoke/")]
    assert (spoke["placement"], spoke["anchor"]) == ("wrap", "broken spoke")
    assert server.url("/en/hub-dynamo/") in receives and len(rows) == len(carries) + len(receives)
    assert own not in carries and own not in receives
    assert server.url("/en/alcohol-stove/") not in carries, "it links there already"
    assert all("/en/" in url for url in [*carries, *receives])
    assert "It should link to:" in told and "These should link to it:" in told
    assert pages(folder) == before


def test_what_it_says_of_a_markdown_draft_can_be_applied_to_it(blog, tmp_path):
    folder, _ = blog
    source = tmp_path / "spoke-and-dynamo.md"
    source.write_text(DRAFT, encoding="utf-8")
    only(folder, str(source))
    plan = tmp_path / "plan"
    plan.mkdir()
    shutil.copy(folder / one_article.NAME, plan / "interlink_plan.csv")
    done = scrapy("apply", str(plan), "--sources", str(tmp_path), "--write", "--no-marker")
    assert done.returncode == 0, done.stderr
    assert "[broken spoke](" in source.read_text(encoding="utf-8")


def test_a_draft_in_html_and_its_address(blog):
    folder, server = blog
    told, _ = only(folder, str(SITE / "drafts/studded-tyres/index.html"))
    assert server.url("/studded-tyres/") in told, "an index stands for its folder"
    address = server.url("/en/studded-tyres/")
    _, rows = only(folder, str(SITE / "drafts/studded-tyres/index.html"), "--url", address)
    assert rows and all(address in (row["url_from"], row["url_to"]) for row in rows)
    assert not [row for row in rows if row["url_from"] == row["url_to"]]


def test_a_page_that_was_crawled_and_one_that_was_not(blog):
    folder, server = blog
    known = server.url("/en/hub-dynamo/")
    asked = len(server.log)
    _, rows = only(folder, known)
    assert len(server.log) == asked, "the crawl has it"
    assert rows and all((row["url_from"] == known) != (row["url_to"] == known) for row in rows)

    server.routes["/en/new/"] = (SITE / "en/hub-dynamo/index.html").read_text(encoding="utf-8").replace("Dynamo", "Generator")
    _, rows = only(folder, server.url("/en/new/"))
    assert server.paths()[asked:] == ["/en/new/"]
    assert server.url("/en/hub-dynamo/") in {row["url_to"] for row in rows}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("nowhere.md", "cannot be read"),
        ("picture.png", "no HTML or Markdown file"),
        ("short.md", "is no article: very short"),
        ("{site}/en/nothing-here/", "answers HTTP 404"),
        ("http://127.0.0.1:1/x", "http://127.0.0.1:1/x cannot be fetched: the connection failed.\n"),
        ("http://dead.invalid/x", "http://dead.invalid/x cannot be fetched: there is no such host.\n"),
        ("http:///x", "http:///x cannot be fetched: that is no web address.\n"),
        ("{site}/cut-off/", "/cut-off/ cannot be fetched: its answer breaks off.\n"),
        ("{site}/round/", "/round/ cannot be fetched: it redirects in a circle.\n"),
    ],
)
def test_what_cannot_be_read_is_one_clear_sentence(blog, tmp_path, given, sentence):
    folder, server = blog
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "short.md").write_text("# Hello\n\nToo short.\n")
    server.routes["/round/"] = redirect("/round/")
    server.routes["/cut-off/"] = page("<p>Hello", Content_Encoding="gzip")
    given = given.format(site=server.origin) if "/" in given else str(tmp_path / given)
    done = scrapy("plan", str(folder), "--only", given)
    assert done.returncode == 1 and sentence in done.stderr and "Traceback" not in done.stderr


def test_a_large_site_is_narrowed_to_what_its_index_finds(blog, tmp_path, monkeypatch):
    folder = tmp_path / "site"
    shutil.copytree(blog[0], folder)
    (tmp_path / "spoke-and-dynamo.md").write_text(DRAFT, encoding="utf-8")
    draft = read_draft(tmp_path / "spoke-and-dynamo.md", blog[1].url("/spoke-and-dynamo/"))
    config = PlanConfig(workers=1)
    monkeypatch.setattr(one_article, "_READ_WHOLE", 6)
    whole = one_article.run(folder, config, draft)
    assert len(whole.heads) == 37, "no index yet: all are read"

    indexing.run(folder, config)
    near = one_article.run(folder, config, draft)
    assert len(near.heads) == 7 and {head.language for head in near.heads} == {"en"}
    targets = [near.heads[row.proposal.target].url.rsplit("/", 2)[1] for row in near.carries]
    assert "broken-spoke" in targets
    with CrawlStore.open(folder) as store:
        assert store.pages.count() >= 36
