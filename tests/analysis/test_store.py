"""The crawl store: every address ends in one state, pages come back as they went in, and nothing foreign is opened."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from analysis.records import Block, BlockKind, FoundLink
from analysis.store import FILE_NAME, CrawlStore, NewUrl, PageVersion, SiteChanges, StoredPage, StoreError, UrlKind, UrlState

PAGE = StoredPage(
    key="a.test/x",
    url="https://a.test/x/",
    raw_title="Привет — Brand",
    h1="Привет",
    language="ru",
    published=date(2024, 5, 6),
    alternates=(("en", "https://a.test/en/x"),),
    blocks=(Block(BlockKind.HEADING, "Привет"), Block(BlockKind.PARAGRAPH, "Текст со ссылкой.")),
    links=(FoundLink("https://a.test/y", 1, 9, 16),),
    html="<p>Текст".encode("cp1251"),
    codec="cp1251",
)


def add(store: CrawlStore, key: str, state: UrlState = UrlState.PENDING) -> int:
    store.urls.add([NewUrl(UrlKind.PAGE, key, f"https://{key}", state)])
    row = store.urls.find(UrlKind.PAGE, key)
    assert row is not None
    return row.id


def test_a_page_comes_back_as_it_went_in(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path) as store:
        store.pages.put(PAGE, add(store, PAGE.key), 1)
    with CrawlStore.open(tmp_path) as store:
        (page,) = store.pages.read()
        assert (page.blocks, page.links, page.published, page.alternates) == (
            PAGE.blocks,
            PAGE.links,
            PAGE.published,
            PAGE.alternates,
        )
        assert store.pages.html(PAGE.key) == (PAGE.html, "cp1251")
        assert store.urls.count() == {(UrlKind.PAGE, UrlState.DONE, ""): 1}


def test_a_second_mention_of_an_address_changes_nothing(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path) as store:
        first = add(store, "a.test/x")
        store.urls.settle(first, UrlState.SKIPPED, "noindex")
        assert add(store, "a.test/x") == first
        assert store.urls.pending(UrlKind.PAGE, 0, 10) == []


def test_pages_of_an_earlier_crawl_leave_the_plan(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path) as store:
        store.pages.put(PAGE, add(store, PAGE.key), 1)
        store.urls.forget()
        assert list(store.pages.read()) == []


def test_aliases_are_followed_to_their_end_and_loops_end(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path) as store:
        for key, target in (("a", "b"), ("b", "c"), ("x", "y"), ("y", "x")):
            store.urls.add_alias(key, target, "redirect")
        ends = store.urls.aliases()
    assert ends["a"] == ends["b"] == "c"
    assert ends["x"] in ("x", "y")


def test_what_is_no_store_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no crawl in"):
        CrawlStore.open(tmp_path)
    (tmp_path / FILE_NAME).write_bytes(b"not a database, not at all" * 100)
    with pytest.raises(StoreError, match="cannot be written"):
        CrawlStore.open(tmp_path)


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    CrawlStore.create(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute("UPDATE meta SET value = '0' WHERE name = 'schema'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="schema 0"):
        CrawlStore.open(tmp_path)


def test_the_next_run_tells_what_is_new_changed_and_gone(tmp_path: Path) -> None:
    def stored(key: str, body: str, text: str = "The same.") -> StoredPage:
        blocks = (Block(BlockKind.PARAGRAPH, text),)
        return replace(PAGE, key=key, url=key, blocks=blocks, links=(), version=PageVersion(body_digest=body))

    with CrawlStore.create(tmp_path) as store:
        first = store.start_run({})
        for name in ("kept", "changed", "token", "gone", "unlisted", "down", "filtered"):
            store.pages.put(stored(f"a.test/{name}", "1"), add(store, f"a.test/{name}"), first)
        assert store.pages.changes() == SiteChanges((), (), ())
        store.urls.forget()
        second = store.start_run({})
        store.pages.keep(add(store, "a.test/kept"), "a.test/kept", second, "")
        for name, text in (("changed", "Other words."), ("token", "The same."), ("new", "The same.")):
            store.pages.put(stored(f"a.test/{name}", "2", text), add(store, f"a.test/{name}"), second)
        store.urls.settle(add(store, "a.test/gone"), UrlState.SKIPPED, "not found (HTTP 404)")
        store.urls.settle(add(store, "a.test/down"), UrlState.FAILED, "timeout")
        store.urls.settle(add(store, "a.test/filtered"), UrlState.SKIPPED, "url_filter")
        expected = SiteChanges(("a.test/new",), ("a.test/changed",), ("a.test/gone", "a.test/unlisted"))
        assert store.pages.changes() == expected
        assert store.resume_run() == second, "a crawl that goes on is the same crawl"
        assert store.pages.changes() == expected
        assert [page.key for page in store.pages.read()] == [f"a.test/{name}" for name in ("changed", "kept", "new", "token")]
        store.urls.add([NewUrl(UrlKind.SITEMAP, "a.test/s.xml", "https://a.test/s.xml", UrlState.FAILED)])
        assert store.pages.changes().gone == (), "a page in a sitemap that could not be read may be there"


def test_steps_that_belong_together_are_written_together(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path) as store:
        row = add(store, "a.test/x")
        with pytest.raises(RuntimeError), store.transaction():
            store.urls.settle(row, UrlState.SKIPPED, "redirect")
            store.urls.add_alias("a.test/x", "a.test/y", "redirect")
            raise RuntimeError
        assert store.urls.get(row).state is UrlState.PENDING and store.urls.aliases() == {}
        with store.transaction():
            store.urls.settle(row, UrlState.SKIPPED, "redirect")
        assert store.urls.get(row).state is UrlState.SKIPPED


def test_a_write_that_finds_no_space_leaves_nothing_half_done(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path) as store:
        row = add(store, PAGE.key)
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match=r"cannot be written \(database or disk is full"):
            store.pages.put(replace(PAGE, html=bytes(range(256)) * 4000, codec="x" * 100_000), row, 1)
        store.set_meta("small", "fits")
        assert store.urls.get(row).state is UrlState.PENDING, "done without its page: it would never be fetched again"
        store.connection.execute("PRAGMA max_page_count = 100000")
        store.pages.put(PAGE, row, 1)
        assert store.urls.get(row).state is UrlState.DONE
