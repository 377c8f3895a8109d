"""Rewritten paragraphs in real sources: what comes in, where, and out again byte for byte."""

from __future__ import annotations

from collections import Counter

import pytest

from analysis.editing.changes import work_out_removals, write_insertions, write_removals
from analysis.editing.ledger import read_ledger
from analysis.editing.sources import SourceFolder
from analysis.insertion import LinkRequest, Markup, Refusal, SourcePage, remove_link
from analysis.weave.changes import work_out_weaves
from analysis.weave.splice import Woven, fixed_words, weave_in
from demo.serve import SITE
from tests.analysis.weave.paragraphs import TARGETS, pointers

URL = "https://a.test/blog/tyres/"
TARGET = "/blog/wild-camping/"
TEXT = "Studs are for ice & snow, as everybody knows. In town you want something else, and in the evening a rest."
POINTER = " (see our article about wild camping)"


def weave(source: str, before: str, after: str, markup: Markup = Markup.HTML) -> Woven | Refusal:
    request = LinkRequest(TARGET, "wild camping")
    return weave_in(source.encode(), before, after, request, page_url=URL, markup=markup, max_total=4)


def html(paragraph: str) -> str:
    return f"<!doctype html><title>Tyres</title><main><h1>Tyres</h1>\r\n<p>Another one, that stays.</p>\n{paragraph}</main>"


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        (
            "<p>Studs are for ice &amp; snow, as everybody knows. In town you want something else,\n and in the evening a rest.</p>",
            "knows (see our article about <a href=\"/blog/wild-camping/\">wild camping</a>). In town",
        ),
        (
            "<p>Studs are for ice &amp; snow, <em>as everybody knows</em>. In town you want something else, and in the evening a rest.",
            "knows</em> (see our article about <a href=\"/blog/wild-camping/\">wild camping</a>). In town",
        ),
        (
            '<p>Studs are for ice &#38; snow, as <a href="/k">everybody <b>knows</b></a>. In town you want something else, and in the evening a rest.',
            'knows</b></a> (see our article about <a href="/blog/wild-camping/">wild camping</a>). In town',
        ),
    ],
)  # fmt: skip
def test_the_pointer_goes_behind_markup_that_ends_there(paragraph, expected):
    source = html(paragraph)
    result = weave(source, TEXT, TEXT.replace("knows.", f"knows{POINTER}."))
    assert isinstance(result, Woven)
    assert expected in result.source.decode()
    assert result.source.replace(result.new, result.old, 1) == source.encode()
    assert result.source[result.offset :].startswith(result.new)


def test_a_sentence_at_the_end_and_in_markdown():
    sentence = " More on this in our article about wild camping."
    for source, markup, expected in (
        (html(f"<p>{TEXT.replace('&', '&amp;')}</p>"), Markup.HTML, 'about <a href="/blog/wild-camping/">wild camping</a>.</p>'),
        (f"# Tyres\n\n{TEXT}\n\nMore.\n", Markup.MARKDOWN, "about [wild camping](/blog/wild-camping/).\n\nMore.\n"),
    ):
        result = weave(source, TEXT, TEXT + sentence, markup)
        assert isinstance(result, Woven) and expected in result.source.decode()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (html("<p>Studs are for something else.</p>"), Refusal.BLOCK_NOT_FOUND),
        (html(f"<p>{TEXT}</p><p>{TEXT}</p>"), Refusal.BLOCK_NOT_FOUND),
        (html(f"<p>{TEXT}</p>").replace("Another", '<a href="/blog/wild-camping/">Another</a>'), Refusal.ALREADY_LINKED),
        (html(f"<p>{TEXT.replace('knows. In', '<em>knows. In</em>')}</p>"), Refusal.CROSSES_MARKUP),
        (html(f"<blockquote><p>{TEXT}</p></blockquote>"), Refusal.IN_QUOTE),
        (html("<p>" + "".join(f'A sentence with <a href="/{i}/">a link</a> in it. ' for i in range(4)) + f"</p><p>{TEXT}</p>"), Refusal.TOO_MANY_LINKS),
    ],
)  # fmt: skip
def test_what_cannot_be_woven_in_is_refused_and_stays(source, reason):
    assert weave(source, TEXT, TEXT.replace("knows.", f"knows{POINTER}.")) == reason


def test_words_of_links_code_and_emphasis_are_fixed():
    page = SourcePage(
        html('<p>See <a href="/x">the <b>old</b> road</a> and <code>tyre()</code>, it is <em>so</em> bad.').encode(), URL
    )
    block = next(block for block in page.document.blocks if block.text.startswith("See"))
    assert fixed_words(block) == ("the old road", "tyre()", "so")


def test_the_ledger_brings_it_back_byte_for_byte(tmp_path):
    site = tmp_path / "site/blog/tyres"
    site.mkdir(parents=True)
    source = html(f"<p>{TEXT}</p>").encode("utf-8")
    (site / "index.html").write_bytes(source)
    row = {"url_from": URL, "url_to": "https://a.test" + TARGET, "anchor": "wild camping", "before": TEXT}
    row["after"] = TEXT.replace("knows.", f"knows{POINTER}.")
    changes = work_out_weaves([row], SourceFolder(tmp_path / "site"), 4)
    assert changes.links == 1 and "+<p>Studs" in changes.files[0].diff()
    write_insertions(changes, tmp_path)
    woven = (site / "index.html").read_bytes()
    assert woven != source and b'<a href="/blog/wild-camping/">' in woven

    again = work_out_weaves([row], SourceFolder(tmp_path / "site"), 4)
    assert again.links == 0 and again.refused[0][2] == str(Refusal.BLOCK_NOT_FOUND)

    (site / "index.html").write_bytes(woven.replace(b"<h1>Tyres</h1>", b"<h1>Tyres for winter</h1>"))
    entries = read_ledger(tmp_path)
    write_removals(work_out_removals(entries, tmp_path / "."), tmp_path, entries)
    assert (site / "index.html").read_bytes() == source.replace(b"<h1>Tyres</h1>", b"<h1>Tyres for winter</h1>")
    assert read_ledger(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_paragraph_of_the_demo_blog(language):
    """What was woven in is read back as it was meant, nothing else changes, and it comes out again."""
    woven, refused = 0, Counter()
    for file in sorted((SITE / language).glob("*/index.html")):
        source = file.read_bytes()
        page = SourcePage(source, URL)
        for number, block in enumerate(page.document.blocks):
            form, anchor = (
                pointers(language)[number % len(pointers(language))],
                TARGETS[language][number % len(TARGETS[language])][1],
            )
            if block.barrier or len(block.text) < 140 or not block.text.endswith("."):
                continue
            pointer = form.format(anchor)
            after = f"{block.text} {pointer}" if pointer[0].isupper() else f"{block.text[:-1]}{pointer}."
            request = LinkRequest("/elsewhere/", anchor)
            result = weave_in(source, block.text, after, request, page_url=URL, markup=Markup.HTML, max_total=None)
            if isinstance(result, Refusal):
                refused[result] += 1
                continue
            woven += 1
            texts = [other.text for other in SourcePage(result.source, URL).document.blocks]
            assert texts == [after if other is block else other.text for other in page.document.blocks]
            assert remove_link(result.source, result.offset, result.new, b"", b"", kept=result.old) == source
    assert woven > 40 and refused.total() <= 0.1 * woven, refused
