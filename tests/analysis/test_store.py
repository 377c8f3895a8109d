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
    def version(digest: str) -> PageVersion:
        return PageVersion(body_digest=digest)

    with CrawlStore.create(tmp_path) as store:
        first = store.start_run({})
        for key in ("a.test/kept", "a.test/changed", "a.test/gone"):
            store.pages.put(replace(PAGE, key=key, url=key, version=version("1")), add(store, key), first)
        assert store.pages.changes() == SiteChanges((), (), ())
        store.urls.forget()
        second = store.start_run({})
        store.pages.keep(add(store, "a.test/kept"), "a.test/kept", second, "")
        for key in ("a.test/changed", "a.test/new"):
            store.pages.put(replace(PAGE, key=key, url=key, version=version("2")), add(store, key), second)
        assert store.pages.changes() == SiteChanges(("a.test/new",), ("a.test/changed",), ("a.test/gone",))
        assert [page.key for page in store.pages.read()] == ["a.test/changed", "a.test/kept", "a.test/new"]
