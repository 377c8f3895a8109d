from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.insertion.html_tokens import Token, TokenKind, is_self_closing, next_token, parse_attributes, raw_text_end


def tokens(text: str, *, foreign: bool = False) -> list[Token]:
    found: list[Token] = []
    while (position := found[-1].end if found else 0) < len(text):
        found.append(next_token(text, position, foreign=foreign))
    return found


def kinds(text: str, *, foreign: bool = False) -> list[tuple[str, str]]:
    return [(token.kind.name, text[token.start : token.end]) for token in tokens(text, foreign=foreign)]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from([*list("<>/!?-=\"'&ab \n"), "<!--", "-->", "<a ", "</", "<![CDATA[", "]]>"]), max_size=30).map(
        "".join
    )
)
def test_tokens_cover_the_text_and_always_advance(text):
    for foreign in (False, True):
        assert "".join(text[token.start : token.end] for token in tokens(text, foreign=foreign)) == text


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ('<img alt="a > b">x', '<img alt="a > b">'),
        ("<img alt='a > \"b'>x", "<img alt='a > \"b'>"),
        ("<a href=x>y>z", "<a href=x>"),
        ("<a b= >x", "<a b= >"),
        ("<a b=\"c\"d='>'>x", "<a b=\"c\"d='>'>"),
        ('<a =b">">x', '<a =b">'),  # the quote is part of the attribute's name
        ("<p/>x", "<p/>"),
        ("</p x='>'>x", "</p x='>'>"),
        ("<!-->x", "<!-->"),
        ("<!--->x", "<!--->"),
        ("<!-- a > -- b --!>x", "<!-- a > -- b --!>"),
        ("<!DOCTYPE html>x", "<!DOCTYPE html>"),
        ("<?php a->b ?>x", "<?php a->"),
        ("</ a>x", "</ a>"),
        ("</>x", "</>"),
        ("<![CDATA[a>b]]>x", "<![CDATA[a>"),
    ],
)
def test_where_markup_ends(text, first):
    assert kinds(text)[0][1] == first


def test_cdata_exists_in_foreign_content_only():
    assert kinds("<![CDATA[a>b]]>x", foreign=True) == [("HIDDEN", "<![CDATA[a>b]]>"), ("TEXT", "x")]


@pytest.mark.parametrize("text", ["a < b", "a <3 b", "< p>", "<", "x </", "a<=b"])
def test_what_is_no_markup(text):
    assert {kind for kind, _ in kinds(text)} == {"TEXT"}


@pytest.mark.parametrize("text", ["<a href='x>y</a>", "<a ", "</a", "<!-- x", '<a b="', "<!x"])
def test_markup_that_never_ends_hides_the_rest(text):
    assert kinds(text) == [("HIDDEN", text)]


def test_names_are_lower_case_and_may_be_anything():
    assert [token.name for token in tokens("<SVG:Rect><x-Y></DIV >")] == ["svg:rect", "x-y", "div"]
    assert tokens("<a<b>")[0].name == "a<b"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<a HREF='/x' Class=a hidden>", {"href": "/x", "class": "a", "hidden": ""}),
        ('<a href="?a=1&amp;b=2&copy=3&lt;">', {"href": "?a=1&b=2&copy=3<"}),
        ("<a href=x href=y>", {"href": "x"}),
        ("<a href=/x/y/ b>", {"href": "/x/y/", "b": ""}),
        ("<a / b / c=d/>", {"b": "", "c": "d/"}),
        ("<a ==x>", {"=": "x"}),
        ("<a>", {}),
    ],
)
def test_attributes(source, expected):
    assert parse_attributes(next_token(source, 0).attributes) == expected


@pytest.mark.parametrize(
    ("tag", "closes"), [("<g/>", True), ("<g a='b' />", True), ("<g a=b/>", False), ("<g>", False), ("<g a/>", True)]
)
def test_self_closing(tag, closes):
    assert is_self_closing(next_token(tag, 0)) is closes


@pytest.mark.parametrize(
    ("text", "name", "content"),
    [
        ("a</b></script >", "script", "a</b>"),
        ("<!-- <script>x</script> --></SCRIPT>", "script", "<!-- <script>x</script> -->"),
        ("<!-- x</script>y", "script", "<!-- x"),
        ("<!--><script></script>", "script", "<!--><script>"),
        ("a</stylex></style>", "style", "a</stylex>"),
        ("no end", "title", "no end"),
        ("x</plaintext>", "plaintext", "x</plaintext>"),
    ],
)
def test_raw_text(text, name, content):
    assert text[: raw_text_end(text, 0, name)] == content


def test_kind_of_each():
    assert [token.kind for token in tokens("a<b></b><!--c-->")] == [
        TokenKind.TEXT,
        TokenKind.START,
        TokenKind.END,
        TokenKind.HIDDEN,
    ]
