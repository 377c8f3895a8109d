"""Links into sources and out again: the right file, the exact bytes, and a ledger that survives a crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.editing.changes import (
    Changes,
    PlannedLink,
    work_out_insertions,
    work_out_removals,
    write_insertions,
    write_removals,
)
from analysis.editing.ledger import NAME, append_entries, read_ledger
from analysis.editing.sources import SourceError, SourceFolder
from analysis.insertion import InsertionRules, Markup
from analysis.records import block_digest

TEXT = "Good panniers keep your things dry, and a dynamo hub keeps the lamp alight on every dark road."
PAGE = f"<!doctype html>\r\n<html><body><main><h1>Rain &amp; wind</h1>\r\n<p class=a>{TEXT}</p></main></body></html>\r\n"
RULES = InsertionRules(run_id="r1")


def link(target: str, anchor: str, text: str = TEXT, source: str = "https://a.test/rain/") -> PlannedLink:
    return PlannedLink(source, f"https://a.test{target}", anchor, block_digest(text), text.index(anchor))


PANNIERS = link("/panniers/", "panniers")
DYNAMO = link("/dynamo/", "dynamo hub")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site" / "rain").mkdir(parents=True)
    (tmp_path / "site" / "rain" / "index.html").write_bytes(PAGE.encode())
    return tmp_path / "site"


def apply(site: Path, *links: PlannedLink, rules: InsertionRules = RULES) -> Changes:
    changes = work_out_insertions(links, SourceFolder(site), rules)
    write_insertions(changes, site.parent)
    return changes


def undo(site: Path, *targets: str) -> Changes:
    entries = read_ledger(site.parent)
    chosen = [entry for entry in entries if not targets or entry.url_to.removeprefix("https://a.test") in targets]
    changes = work_out_removals(chosen, Path())
    write_removals(changes, site.parent, entries)
    return changes


def source(site: Path) -> str:
    return (site / "rain" / "index.html").read_bytes().decode()


def test_links_stand_in_the_sentence_and_undo_gives_the_exact_bytes(site: Path) -> None:
    changes = apply(site, PANNIERS, DYNAMO)
    assert changes.links == 2 and not changes.refused
    assert '<a href="/panniers/">panniers</a>' in source(site) and '<a href="/dynamo/">dynamo hub</a>' in source(site)
    assert undo(site).links == 2
    assert source(site) == PAGE
    assert read_ledger(site.parent) == []


def test_working_out_writes_nothing_and_shows_a_diff(site: Path) -> None:
    changes = work_out_insertions([PANNIERS], SourceFolder(site), RULES)
    assert source(site) == PAGE and not (site.parent / NAME).exists()
    assert '+<p class=a>Good <a href="/panniers/">panniers</a>' in changes.files[0].diff()


def test_one_link_of_two_can_be_taken_out(site: Path) -> None:
    apply(site, PANNIERS, DYNAMO)
    assert undo(site, "/panniers/").links == 1
    assert '<a href="/panniers/"' not in source(site) and '<a href="/dynamo/">dynamo hub</a>' in source(site)
    assert [entry.url_to for entry in read_ledger(site.parent)] == ["https://a.test/dynamo/"]


def test_the_same_run_again_inserts_nothing_twice(site: Path) -> None:
    apply(site, PANNIERS)
    once = source(site)
    again = apply(site, PANNIERS, DYNAMO)
    assert again.links == 0 and len(again.refused) == 2
    assert source(site) == once


def test_undo_finds_the_link_in_a_file_that_was_edited_elsewhere(site: Path) -> None:
    apply(site, PANNIERS)
    file = site / "rain" / "index.html"
    file.write_bytes(file.read_bytes().replace(b"Rain &amp; wind", b"Rain, wind and much more"))
    assert undo(site).links == 1
    assert source(site) == PAGE.replace("Rain &amp; wind", "Rain, wind and much more")


def test_undo_refuses_where_the_link_itself_was_changed(site: Path) -> None:
    apply(site, PANNIERS)
    file = site / "rain" / "index.html"
    changed = file.read_bytes().replace(b'<a href="/panniers/">', b'<a href="/bags/">')
    file.write_bytes(changed)
    changes = undo(site)
    assert changes.links == 0 and "has changed" in changes.refused[0][2]
    assert file.read_bytes() == changed and len(read_ledger(site.parent)) == 1


def test_a_crash_between_ledger_and_file_leaves_nothing_to_undo(site: Path) -> None:
    changes = work_out_insertions([PANNIERS], SourceFolder(site), RULES)
    append_entries(site.parent, changes.files[0].entries)
    with (site.parent / NAME).open("a", encoding="utf-8") as file:
        file.write('{"run": "r1", "fi')
    assert len(read_ledger(site.parent)) == 1
    assert undo(site).links == 0 and source(site) == PAGE


def test_what_has_no_source_is_told(site: Path) -> None:
    changes = work_out_insertions([link("/x/", "panniers", source="https://a.test/missing/")], SourceFolder(site), RULES)
    assert changes.refused == (("https://a.test/missing/", "https://a.test/x/", "no file for it in the folder"),)


@pytest.mark.parametrize(
    ("name", "url", "pattern", "markup"),
    [
        ("a/b/index.html", "https://a.test/a/b/", "", Markup.HTML),
        ("a/b.html", "https://a.test/a/b", "", Markup.HTML),
        ("a/b.md", "https://a.test/a/b/", "", Markup.MARKDOWN),
        ("a/straße.html", "https://a.test/a/stra%C3%9Fe.html", "", Markup.HTML),
        ("_posts/2024-01-02-b.md", "https://a.test/2024/01/02/b/", "_posts/*-{slug}.md", Markup.MARKDOWN),
        ("content/a/b/page.mdx", "https://a.test/a/b/", "content/{path}/page.mdx", Markup.MDX),
        ("index.html", "https://a.test/", "", Markup.HTML),
        ("a/[x]*.html", "https://a.test/a/%5Bx%5D%2A", "", Markup.HTML),
    ],
)
def test_an_address_finds_its_file(tmp_path: Path, name: str, url: str, pattern: str, markup: Markup) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("x")
    assert SourceFolder(tmp_path, pattern).find(url) == (file, markup)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://a.test/../secret", ""),
        ("https://a.test/..%2Fsecret", ""),
        ("https://a.test/x", "*.html"),
        ("https://a.test/y", ""),
    ],
    ids=["dots", "escaped dots", "ambiguous", "missing"],
)
def test_no_file_outside_none_ambiguous(tmp_path: Path, url: str, pattern: str) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (tmp_path / "secret.html").write_text("x")
    (folder / "1.html").write_text("x")
    (folder / "2.html").write_text("x")
    with pytest.raises(SourceError):
        SourceFolder(folder, pattern).find(url)
