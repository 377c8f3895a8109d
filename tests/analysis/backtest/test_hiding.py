from __future__ import annotations

from pathlib import Path

from analysis.backtest.hiding import EditorLink, draw, lot, read_editor_links
from analysis.corpus import Corpus, read_corpus
from tests.analysis.backtest.stored_site import store
from tests.analysis.small_site import write_site


def hide(corpus: Corpus, links: list[EditorLink]) -> Corpus:
    hidden: dict[int, set[int]] = {}
    for link in links:
        hidden.setdefault(link.source, set()).add(link.target)
    return corpus.without_links(hidden)


def test_each_pair_is_read_once_with_all_its_words() -> None:
    pages = write_site(
        ("Winter", "Bring [the red box](1) inside.\nA [box](1) is heavy, as [bulbs](2) are."),
        ("The box", "It is red, and that is all."),
        ("Bulbs", "Dry them."),
    )
    assert read_editor_links(pages) == [
        EditorLink(0, 1, ("the red box", "box"), frozenset({0, 1})),
        EditorLink(0, 2, ("bulbs",), frozenset({1})),
    ]


def test_folds_hold_every_link_once_and_are_the_same_each_time(tmp_path: Path) -> None:
    with store(tmp_path) as crawl:
        corpus = read_corpus(crawl)
        links = read_editor_links(corpus.pages())
        folds = [draw(links, corpus.heads, "seed", n / 3, (n + 1) / 3) for n in range(3)]
        assert len(links) == 36
        assert sorted((link for fold in folds for link in fold), key=links.index) == links
        assert all(5 <= len(fold) <= 20 for fold in folds)
        assert folds[0] == draw(links, corpus.heads, "seed", 0, 1 / 3) != draw(links, corpus.heads, "other", 0, 1 / 3)


def test_a_lot_does_not_depend_on_the_host_or_on_how_an_address_is_written() -> None:
    assert lot("1", "https://a.test/%C3%A4/", "https://a.test/b") == lot(
        "1", "http://localhost:8000/ä", "http://localhost:8000/b/"
    )
    assert lot("1", "https://a.test/?p=1", "https://a.test/?p=2") != lot("1", "https://a.test/?p=1", "https://a.test/?p=3")


def test_a_hidden_link_is_gone_from_page_and_source_and_its_words_stay(tmp_path: Path) -> None:
    with store(tmp_path) as crawl:
        corpus = read_corpus(crawl)
        link = read_editor_links(corpus.pages())[0]
        view = hide(corpus, [link])
        before, after = corpus.page(link.source), view.page(link.source)
        assert after.blocks == before.blocks
        assert [kept for kept in before.links if kept.target != link.target] == list(after.links)
        assert len(after.links) == len(before.links) - 1
        (html, _), (original, _) = view.html(link.source), corpus.html(link.source)
        assert html.count(b"<a ") == original.count(b"<a ") - 1
        assert link.anchors[0].encode() in html


def test_other_pages_and_the_corpus_itself_are_as_they_were(tmp_path: Path) -> None:
    with store(tmp_path) as crawl:
        corpus = read_corpus(crawl)
        before = list(corpus.pages())
        view = hide(corpus, read_editor_links(before)[:1])
        assert list(view.pages())[1:] == before[1:]
        assert view.html(5) == corpus.html(5)
        assert list(corpus.pages()) == before
        assert not any(page.links for page in hide(corpus, read_editor_links(before)).pages())
