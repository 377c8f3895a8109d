from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from analysis.insertion.source_page import LinkRequest, SourcePage, Spot
from analysis.insertion.unlinking import cut_links
from analysis.records import block_digest

PAGE = "https://a.test/en/here/"


def cut(source: str, *urls: str) -> str:
    body, codec = cut_links(source.encode(), "utf-8", PAGE, lambda url: url in urls)
    return body.decode(codec)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            '<p>See <a href="/b/">the <b>b</b></a> and <a href="/c/">c</a>.</p>',
            '<p>See the <b>b</b> and <a href="/c/">c</a>.</p>',
        ),
        ("<p><A HREF=../../b/ class=x>b</A\n> c</p>", "<p>b c</p>"),
        ('<p><a name="x">b</a> <a href="mailto:a@b.test">c</a></p>', '<p><a name="x">b</a> <a href="mailto:a@b.test">c</a></p>'),
        ('<p><a href="/b/">unclosed<p><a href="/c/">c</a>', '<p>unclosed<p><a href="/c/">c</a>'),
        ('<base href="/x/"><a href="../b/">b</a>', '<base href="/x/">b'),
        ("<script>'<a href=\"/b/\">b</a>'</script><!-- <a href=/b/>b</a> -->", None),
        ('<p title="<a href=/b/>">b</a></p>', None),
    ],
)
def test_the_tags_go_and_everything_else_stays(source: str, expected: str | None) -> None:
    assert cut(source, "https://a.test/b/") == (expected if expected is not None else source)


def test_bytes_of_another_encoding_keep_their_letters() -> None:
    body, codec = cut_links("<p><a href='/b/'>ключ</a> é</p>".encode("cp1251", "replace"), "cp1251", PAGE, lambda _: True)
    assert body.decode(codec) == "<p>ключ ?</p>"


def test_an_encoding_that_takes_no_links_is_left_alone() -> None:
    source = "<p><a href='/b/'>鍵</a></p>".encode("iso2022_jp")
    assert cut_links(source, "iso2022_jp", PAGE, lambda _: True) == (source, "iso2022_jp")


def test_the_link_could_be_placed_there_again() -> None:
    text = "You read of it in the long story of keys and locks, and then some more of it."
    source = f"<main><p>{text.replace('keys', '<a href=/b/>keys</a>')}</p></main>"
    request = LinkRequest("https://a.test/b/", "keys", block_digest(text), text.index("keys"))
    assert not isinstance(SourcePage(source.encode(), PAGE).try_insert(request), Spot)
    assert isinstance(SourcePage(cut(source, "https://a.test/b/").encode(), PAGE).try_insert(request), Spot)


@given(
    st.lists(st.sampled_from(["<a href=/b/>", "<a href='/c/'>", "</a>", "<p>", "word ", "&amp;", "<", ">", "<!--", "-->", "é"]))
)
def test_whatever_the_markup_no_such_link_is_left_and_the_words_are_the_same(pieces: list[str]) -> None:
    source = "<body><i>x</i>" + "".join(pieces)
    left = cut(source, "https://a.test/b/")
    before, after = html.document_fromstring(source), html.document_fromstring(left)
    assert "/b/" not in after.xpath("//a/@href")
    assert "".join(before.itertext()) == "".join(after.itertext())
