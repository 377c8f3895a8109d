"""What holds for any source: random HTML, as broken as it comes, judged by html5lib; random Markdown, by markdown-it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.insertion import Inserted, InsertionRules, LinkRequest, Markup, Refusal, insert_links, remove_link
from benchmarks.insertion_corpus import RULES, TARGET, events, judge_links, parse

PAGE = "https://a.test/page"
WORDS = [
    "red",
    "shoes",
    "blue",
    "hats",
    "окна",
    "мои\u0306",
    "cafe\u0301",
    "测试",
    "ข้าว",
    "e&shy;mail",
    "AT&amp;T",
    "&nbsp;",
    "&lt;",
]
TAGS = """p div section article main li ul ol table tr td th tbody caption b i em strong a code kbd span font tt s del nobr h1 h2 nav
    header aside form button label select option textarea title script style svg math template iframe noscript blockquote q pre dl dt
    dd br wbr img input hr ruby x-card object video foreignobject desc mi plaintext""".split()
MARKUP = [
    *(f"<{tag}>" for tag in TAGS if tag != "plaintext"),
    *(f"</{tag}>" for tag in TAGS),
    '<a href="/x">',
    "<a name=x>",
    "<img alt='red > shoes'>",
    '<p title="<red shoes&gt;">',
    "<!-- red shoes -->",
    "<!-- > ",
    "-->",
    "<![CDATA[ red > shoes ]]>",
    "<?php red > shoes ?>",
    "{{",
    "}}",
    "[",
    "]",
    "[/q]",
    "<",
    ">",
    "</",
    "&",
    "<svg/>",
    "<span/>",
    "<br><br>",
    "<p hidden>",
]
SPACE = st.sampled_from(["", " ", " ", " ", "\n", "\r\n"])


def soup(parts: list[str]) -> st.SearchStrategy[str]:
    piece = st.tuples(st.sampled_from(parts), SPACE).map("".join)
    words = st.tuples(st.sampled_from(WORDS), SPACE).map("".join)
    return st.lists(st.one_of(words, piece), max_size=40).map("".join)


ANCHORS = st.lists(
    st.sampled_from(
        ["red shoes", "blue hats", "red", "shoes", "hats", "окна", "окна red", "мои", "caf\u00e9", "测试", "ข้าว", "email"]
    ),
    min_size=1,
    max_size=4,
    unique=True,
)


def check_splice(source: bytes, results: list[Inserted | Refusal]) -> None:
    inserted = sorted((r for r in results if isinstance(r, Inserted)), key=lambda link: -link.offset)
    restored: bytes | Refusal = inserted[0].source if inserted else source
    for link in inserted:
        assert isinstance(restored, bytes)
        assert restored.startswith(link.tag_open + link.anchor + link.tag_close, link.offset)
        restored = remove_link(restored, link.offset, link.tag_open, link.anchor, link.tag_close)
    assert restored == source


@settings(max_examples=100, deadline=None)
@given(soup(MARKUP), ANCHORS)
def test_links_in_random_html(text, anchors):
    requests = [LinkRequest(f"{TARGET}{number}", anchor) for number, anchor in enumerate(anchors)]
    source = text.encode()
    results = insert_links(source, requests, page_url=PAGE, rules=RULES, encoding="utf-8")
    check_splice(source, results)
    inserted = [result for result in results if isinstance(result, Inserted)]
    if inserted:
        before, after = parse(source), parse(inserted[0].source)
        assert list(judge_links(after, requests, results)) == []
        assert events(before) == events(after)


@settings(max_examples=100, deadline=None)
@given(
    st.text(max_size=40),
    st.text(max_size=40),
    st.sampled_from(["utf-8", "utf-16", "utf-16-be", "gb18030", "cp1251", "shift_jis"]),
)
def test_any_text_around_in_any_encoding(before, after, codec):
    source = f"<p>{before.encode('ascii', 'xmlcharrefreplace').decode()}{before} red shoes {after}".encode(codec, "ignore")
    results = insert_links(source, [LinkRequest("/t", "red shoes")], page_url=PAGE, encoding=codec)
    check_splice(source, results)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60), st.binary(max_size=60), st.sampled_from([None, "utf-8", "shift_jis", "euc_jp", "big5", "utf-16"]))
def test_any_bytes_around(before, after, codec):
    source = before + b"<p>red shoes</p>" + after
    check_splice(source, insert_links(source, [LinkRequest("/t", "red shoes")], page_url=PAGE, encoding=codec))


MARKDOWN = [
    "\n\n",
    "\n",
    "\n    ",
    "\n- ",
    "\n1. ",
    "\n# ",
    "\n> ",
    "\n===\n",
    "\n---\n",
    "\n```\n",
    "\n~~~\n",
    "\n| a | b |\n|---|---|\n",
    "\n<div>\n",
    "\n</div>\n",
    "\n<pre>\n",
    "\n[red]: /x\n",
    *(
        "*",
        "**",
        "_",
        "__",
        "`",
        "``",
        "~~",
        "[",
        "]",
        "![",
        "](/x)",
        "][red]",
        "(",
        ")",
        "!",
        "\\",
        "<b>",
        "</b>",
        "<!-- ",
        "-->",
    ),
    "<https://red.test/>",
    "<br>",
    "\t",
    "  \n",
    ".",
]


@settings(max_examples=100, deadline=None)
@given(soup(MARKDOWN), ANCHORS)
def test_links_in_random_markdown(text, anchors):
    markdown_it = pytest.importorskip("markdown_it")
    parser = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    rules = InsertionRules(max_total=None, max_new=None, link_unspaced=True)
    requests = [LinkRequest(f"{TARGET}{number}", anchor) for number, anchor in enumerate(anchors)]
    source = text.encode()
    results = insert_links(source, requests, page_url=PAGE, rules=rules, encoding="utf-8", markup=Markup.MARKDOWN)
    check_splice(source, results)
    inserted = [result for result in results if isinstance(result, Inserted)]
    if inserted:
        before, after = parser.render(text), parser.render(inserted[0].source.decode())
        ours = re.compile(rf'<a href="{re.escape(TARGET)}\d">(.*?)</a>', re.DOTALL)
        assert len(ours.findall(after)) == len(inserted)
        assert ours.sub(r"\1", after) == before
        judged = parse(after.encode())
        assert [problem for problem in judge_links(judged, requests, results) if "became" not in problem] == []
