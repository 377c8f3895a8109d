"""Which pages are translations of one another, by what they say of themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from analysis.corpus import read_corpus
from analysis.store import CrawlStore, NewUrl, UrlKind
from benchmarks.editorial_links import BASE, read_page

COLOURS = ("red", "blue", "green", "white", "black")


def translations(folder: Path, alternates: Mapping[str, Mapping[str, str]]) -> list[set[str]]:
    """The sets that come out where each path declares these alternates (hreflang → path)."""
    with CrawlStore.create(folder) as store:
        run = store.start_run({})
        for colour, (path, others) in zip(COLOURS, alternates.items(), strict=False):
            text = "".join(
                f"<p>The {colour} book has {n} chapters on {colour} things, and nobody has read them.</p>" for n in range(9)
            )
            page = read_page({"url": path, "lang": "en", "title": f"The {colour} book", "html": text})
            store.urls.add([NewUrl(UrlKind.PAGE, page.key, page.url)])
            listed = store.urls.find(UrlKind.PAGE, page.key)
            assert listed is not None
            declared = tuple((code, BASE + other) for code, other in others.items())
            store.pages.put(replace(page, alternates=declared), listed.id, run)
        heads = read_corpus(store).heads
    assert len(heads) == len(alternates)
    path_of = {head.index: head.url.removeprefix(BASE) for head in heads}
    sets = {frozenset(path_of[other.index] for other in heads if head.translates(other)) for head in heads}
    return sorted(set(found) for found in sets if len(found) > 1)


def test_pages_that_name_each_other_are_translations(tmp_path: Path) -> None:
    both = {"en-US": "/us/", "en-GB": "/gb/"}
    assert translations(tmp_path, {"/us/": both, "/gb/": both, "/other/": {}}) == [{"/us/", "/gb/"}]


def test_three_are_one_set_where_each_names_the_next(tmp_path: Path) -> None:
    declared = {"/us/": {"en-GB": "/gb/"}, "/gb/": {"en-US": "/us/", "en-AU": "/au/"}, "/au/": {"en-GB": "/gb/"}}
    assert translations(tmp_path, declared) == [{"/us/", "/gb/", "/au/"}]


def test_a_home_page_that_every_article_names_is_no_translation_of_them(tmp_path: Path) -> None:
    declared = {"/": {"ru": "/ru/"}, "/a/": {"ru": "/ru/"}, "/b/": {"ru": "/ru/"}, "/ru/": {"en": "/"}}
    assert translations(tmp_path, declared) == [{"/", "/ru/"}]


def test_x_default_makes_no_translation(tmp_path: Path) -> None:
    both = {"x-default": "/us/", "en-GB": "/gb/"}
    assert translations(tmp_path, {"/us/": both, "/gb/": both}) == []
