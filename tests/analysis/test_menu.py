"""Which articles the menus show is read from the pages themselves, a language at a time."""

from __future__ import annotations

from pathlib import Path

from analysis.corpus import read_corpus
from analysis.menu import menu_pages
from analysis.records import Block, BlockKind, FoundLink
from analysis.store import CrawlStore, NewUrl, StoredPage, UrlKind

TEXT = "The article called {} has words enough to count as one, and it says so in more than one sentence. This is another one. "


def write(store: CrawlStore, name: str, menu: str, language: str = "en", in_text: str = "") -> None:
    text = TEXT.format(name * 5) * 2 + f"It links to {in_text or 'nothing'}."
    links = (FoundLink(f"https://a.test/{in_text}", 0, 5, 12),) if in_text else ()
    html = f"<nav>{menu}</nav><p>{text}</p>".encode()
    page = StoredPage(
        f"a.test/{name}",
        f"https://a.test/{name}",
        name,
        name,
        language,
        None,
        (),
        (Block(BlockKind.PARAGRAPH, text),),
        links,
        html,
    )
    store.urls.add([NewUrl(UrlKind.PAGE, page.key, page.url)])
    row = store.urls.find(UrlKind.PAGE, page.key)
    assert row is not None
    store.pages.put(page, row.id, 1)


def found(store: CrawlStore) -> list[str]:
    corpus = read_corpus(store)
    return [corpus.heads[page].url.rsplit("/", 1)[1] for page in menu_pages(corpus)]


def test_what_most_pages_show_outside_their_text_is_the_menu(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path) as store:
        for name in "abcdef":
            menu = '<a href="/a?utm_source=menu">A</a>' + ('<a href="b">B</a>' if name in "ac" else "")
            write(store, name, menu, in_text="f" if name in "abcd" else "")
        write(store, "ru1", '<a href="/ru1">1</a><a href="/ru2">2</a>', "ru")
        write(store, "ru2", '<a href="/ru1">1</a><a href="/ru2">2</a>', "ru")
        assert found(store) == ["a"]
        write(store, "ru3", '<a href="/ru1">1</a><a href="/ru2">2</a>', "ru")
        assert found(store) == ["a", "ru1", "ru2"]


def test_where_no_html_was_kept_no_menu_is_known(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path) as store:
        for name in "abc":
            write(store, name, '<a href="/a">A</a>')
        store.connection.execute("UPDATE page SET html = NULL")
        assert found(store) == []
