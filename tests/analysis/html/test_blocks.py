"""An article to blocks and the links of its sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.html.article import find_article
from analysis.html.blocks import read_blocks
from analysis.html.parse import parse_html
from analysis.records import Block, BlockKind, FoundLink

BASE = "https://a.test/dir/"
REST = " and here the sentence goes on for a while."


def read(html: str) -> tuple[tuple[Block, ...], tuple[FoundLink, ...]]:
    return read_blocks(find_article(parse_html(html)), BASE)


def texts(html: str) -> list[str]:
    return [block.text for block in read(html)[0]]


def kinds(html: str) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in read(html)[0]]


def anchors(html: str) -> list[tuple[str, str]]:
    blocks, links = read(html)
    return [(blocks[link.block].text[link.start : link.end], link.url.removeprefix("https://a.test")) for link in links]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<div><p><i>x</i> mid</p> last</div>", ["x mid", "last"], id="B9"),
        pytest.param("<p>Sixth <nobr>AP fund</nobr> report</p>", ["Sixth AP fund report"], id="B10"),
        pytest.param(
            '<table><tr><td><a href="/">Home</a></td>'
            "<td><p>Rate <i>r</i> turns at -3<i>r</i> and 3<i>r</i>/2 in total.<p>Next</td></tr></table>",
            ["Home", "Rate r turns at -3r and 3r/2 in total.", "Next"],
            id="B11",
        ),
        pytest.param("<div>a<br><br>b<br>c<br> <br>d</div>", ["a", "b c", "d"], id="B13"),
        pytest.param("<div><font>One <br><br>two</font><font> same line</font></div>", ["One", "two same line"], id="B13-font"),
        pytest.param("<div>a<br>&nbsp;<br/>b</div>", ["a", "b"], id="B13-nbsp"),
        pytest.param("<div>The bou<u>e</u> is <s>re</s>d<bdi>!</bdi></div>", ["The boue is red!"], id="B14"),
        pytest.param('<p><a href="/1">start<div>box</div></a> after</p>', ["start", "box", "after"], id="B18"),
        pytest.param("<li><div><p>Test</div></li><li>hello</li>", ["Test", "hello"], id="B19-li"),
        pytest.param("<p>foo<span>bar<p>baz", ["foobar", "baz"], id="B19-span"),
        pytest.param("<u><p>one</p></u>two", ["one", "two"], id="u-around-p"),
        pytest.param("<p>a<section>b</section>c</p>", ["a", "b", "c"], id="section-ends-p"),
        pytest.param("<figure><p>a<figcaption>b</figure>", ["a", "b"], id="figcaption-ends-p"),
        pytest.param(
            "<p>so&shy;ft z&#8203;w ge<wbr>samt&nbsp;&nbsp;x \n y</p>", ["so\u00adft z\u200bw gesamt x y"], id="invisible"
        ),
        pytest.param("<p>a<svg><title>t</title></svg>b<math><mi>x</mi></math>c</p>", ["abc"], id="not-text"),
        pytest.param("<p> \u200b&nbsp;</p><p></p>", [], id="nothing-visible"),
        pytest.param("<x-note>one <x-b>two</x-b></x-note>", ["one two"], id="unknown-tags"),
        pytest.param("<pre>a <span>b</span>\n  c</pre>", ["a b c"], id="pre"),
    ],
)
def test_texts(html: str, expected: list[str]) -> None:
    assert texts(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<p>Short.</p>", [("paragraph", "Short.")], id="p"),
        pytest.param(
            "<div>It is a sentence.</div><div>12 May</div>", [("paragraph", "It is a sentence."), ("other", "12 May")], id="div"
        ),
        pytest.param(
            "<ul><li>An item that holds a whole sentence<li>Word</ul>",
            [("item", "An item that holds a whole sentence"), ("other", "Word")],
            id="li",
        ),
        pytest.param(
            "<li><p>Word</p><p>This paragraph of the item is a sentence</p></li>",
            [("other", "Word"), ("item", "This paragraph of the item is a sentence")],
            id="p-in-li",
        ),
        pytest.param(
            "<dl><dt>Term<dd>What the term means to us all</dl>",
            [("caption", "Term"), ("item", "What the term means to us all")],
            id="dl",
        ),
        pytest.param("<blockquote><p>q</p><ul><li>r</ul></blockquote>", [("quote", "q"), ("quote", "r")], id="quote"),
        pytest.param("<pre>x = 1</pre>", [("code", "x = 1")], id="code"),
        pytest.param("<table><tr><th>a<td><p>b</table>", [("table", "a"), ("table", "b")], id="data-table"),
        pytest.param("<table role=presentation><tr><td><p>b</table>", [("paragraph", "b")], id="layout-table"),
        pytest.param("<figure><figcaption>c</figcaption></figure>", [("caption", "c")], id="caption"),
        pytest.param('<h2>T<a href="#t">#</a></h2>', [("heading", "T#")], id="heading-with-permalink"),
        pytest.param(
            '<h2><a href="#t">T</a></h2><h3><a href="/t">Teaser</a></h3>',
            [("heading", "T"), ("other", "Teaser")],
            id="card-heading",
        ),
        pytest.param("<h2>a<div>b</div></h2>", [("heading", "a"), ("heading", "b")], id="sticky"),
        pytest.param(
            "<address>Some street where a person lives, and a town.</address>",
            [("other", "Some street where a person lives, and a town.")],
            id="address",
        ),
    ],
)
def test_kinds(html: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            f'<p><a href="/1"></a><a href="/2">Body</a> tail{REST}</p>', [("Body", "/2")], id="image-links-have-no-words"
        ),
        pytest.param(f'<p><a href="/1">x <a href="/2">Body</a></a> tail{REST}</p>', [("x", "/1"), ("Body", "/2")], id="B17"),
        pytest.param(
            f'<p>See <a href="\nhttps://a.test/x\n">one</a>, <a href=" /y ">two</a>{REST}</p>',
            [("one", "/x"), ("two", "/y")],
            id="B25",
        ),
        pytest.param(f'<p><a href="http://[::x">bad</a> <a href="/ok">ok</a>{REST}</p>', [("ok", "/ok")], id="B26"),
        pytest.param(f'<p><a href="/job?x=1>Text</a> <a id="n" href="/ok">ok</a>{REST}</p>', [], id="B27-swallowed-markup"),
        pytest.param(f"<p><a href=”/z”>z</a>{REST} <a href=/ok>ok</a></p>", [("ok", "/ok")], id="B27-curly-quotes"),
        pytest.param(
            f'<p>See<a href="s"> spaced  words </a>here{REST}</p>', [("spaced words", "/dir/s")], id="span-without-spaces"
        ),
        pytest.param(f'<p>A <b><a href="/1">bo<i>ld</i></a></b>{REST}</p>', [("bold", "/1")], id="span-over-inline-tags"),
        pytest.param(
            f'<p>Text <a href="/l">link<br><br>second</a>{REST}</p>',
            [("link", "/l"), ("second", "/l")],
            id="link-over-a-boundary",
        ),
        pytest.param(
            f'<p><a href="//www.a.test/w">w</a><a href="?q">q</a>{REST}</p>',
            [("w", "https://www.a.test/w"), ("q", "/dir/?q")],
            id="forms-of-address",
        ),
        pytest.param(f'<p><a href="#n">1</a><a href="mailto:a@b">m</a><a name=x>n</a>{REST}</p>', [], id="no-page"),
        pytest.param(
            f'<ul><li>In a sentence: <a href="/1">a</a>{REST}</li><li><a href="/2">Bare</a></li></ul>',
            [("a", "/1")],
            id="list-items",
        ),
        pytest.param(f'<div>A paragraph in all but name with <a href="/1">a</a>{REST}</div>', [("a", "/1")], id="div"),
        pytest.param(f'<blockquote>Somebody wrote <a href="/1">a</a>{REST}</blockquote>', [("a", "/1")], id="quote"),
        pytest.param('<p>See <a href="/1">the guide to gardens</a>.</p>', [("the guide to gardens", "/1")], id="short-sentence"),
        pytest.param(
            '<p><a href="/1">A whole paragraph that is only one long link, and nothing else.</a></p>', [], id="only-a-link"
        ),
        pytest.param('<p><a href="/1">One</a> | <a href="/2">Two</a> · <a href="/3">Three</a></p>', [], id="link-line"),
        pytest.param('<a href="/1"><p>The text of a card that leads to a page, a long one.</p></a>', [], id="card"),
        pytest.param(f'<h2>A heading with <a href="/1">a</a>{REST}</h2>', [], id="heading"),
        pytest.param(f'<table><tr><th>h<td>A cell with <a href="/1">a</a>{REST}</table>', [], id="table"),
        pytest.param(
            f'<table><tr><th>h<td><p>A paragraph with <a href="/1">a</a>{REST}</p><p><a href="/2">b</a> (new)</p></table>',
            [("a", "/1")],
            id="paragraphs-in-a-table",
        ),
        pytest.param(
            '<h1>T</h1> March 21, 2024 - Anna Smith <a href="/@a">(@a)</a> John Doe <a href="/@b">(@b)</a> Mary Roe and others<p>x',
            [],
            id="line-of-date-and-authors",
        ),
        pytest.param('<p>Опубликовал 21 марта 2024 г. <a href="/a">Анна</a></p>', [], id="line-of-date-and-author-ru"),
        pytest.param(
            '<p>March 21, 2024 was the day on which <a href="/1">the park</a> was opened.</p>',
            [("the park", "/1")],
            id="sentence-that-begins-with-a-date",
        ),
        pytest.param('<p>Read also: <a href="/1">Another article</a></p>', [], id="label-en"),
        pytest.param('<p>Читайте также: <a href="/1">Другая статья</a> и <a href="/2">ещё</a></p>', [], id="label-ru"),
        pytest.param('<p><b>Lesen Sie auch</b> <a href="/1">Ein anderer Artikel</a></p>', [], id="label-de"),
        pytest.param('<p>Documentation of the project: <a href="/1">docs</a>.</p>', [], id="lead-and-colon"),
        pytest.param('<p>By <a href="/john">John Doe</a>, 3 March</p>', [], id="byline"),
        pytest.param(
            '<p>See also <a href="/1">the guide</a>, which explains how to plant a tree.</p>',
            [("the guide", "/1")],
            id="sentence-that-begins-like-a-label",
        ),
        pytest.param(
            '<p>By <a href="/1">default</a>, the server answers in the language of the visitor.</p>',
            [("default", "/1")],
            id="sentence-that-begins-like-a-byline",
        ),
        pytest.param(
            f'<p>Text <a href="/a" rel="author">John</a> <a href="/b" class="btn btn-primary">Buy</a>{REST}</p>',
            [],
            id="template-links",
        ),
    ],
)
def test_links(html: str, expected: list[tuple[str, str]]) -> None:
    assert anchors(html) == expected


def test_links_know_their_block() -> None:
    blocks, links = read(f'<p>No link.</p><h2>T</h2><p>One <a href="/1">x</a>{REST}</p><p>Two <a href="/2">x</a>{REST}</p>')
    assert [link.block for link in links] == [2, 3]
    assert [blocks[link.block].kind for link in links] == [BlockKind.PARAGRAPH] * 2


def test_a_paragraph_of_many_links_is_read_in_linear_time() -> None:
    html = "<p>" + f'word <a href="/x">link</a> {REST} ' * 20_000 + "</p>"
    blocks, links = read(html)
    assert len(links) == 20_000
    assert all(blocks[0].text[link.start : link.end] == "link" for link in links)


PIECES = st.sampled_from(
    [
        "word ",
        " two words",
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<br>",
        "<b>",
        "</b>",
        '<a href="/x">',
        "</a>",
        "<li>",
        "<ul>",
        "</ul>",
        "&nbsp;",
        "é",
        ".",
        "<h2>",
        "</h2>",
        "<pre>",
        "</pre>",
        "<script>x</script>",
        "<td>",
        "<table>",
        "</table>",
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_what_holds_of_every_page(html: str) -> None:
    blocks, links = read(html)
    for block in blocks:
        assert block.text == " ".join(block.text.split()) != ""
    for link in links:
        anchor = blocks[link.block].text[link.start : link.end]
        assert anchor == anchor.strip() != ""
    assert [(link.block, link.start) for link in links] == sorted((link.block, link.start) for link in links)
