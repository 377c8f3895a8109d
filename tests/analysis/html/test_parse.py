"""Any text gives a tree; what a browser shows is in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.html.parse import parse_html


def text_of(html: str) -> str:
    return "".join(parse_html(html).itertext())


@pytest.mark.parametrize(
    ("html", "text"),
    [
        pytest.param("", "", id="empty"),
        pytest.param(" \n", "", id="white-space"),
        pytest.param("\x00", "", id="nul"),
        pytest.param("<!-- only a comment -->", "", id="comment"),
        pytest.param("<!doctype html>", "", id="doctype"),
        pytest.param("plain text", "plain text", id="no-markup"),
        pytest.param("<p>one\x00</p><p>two</p>", "onetwo", id="B6-nul-in-text"),
        pytest.param('<link href="f\x00x"><p>two</p>', "two", id="B6-nul-in-attribute"),
        pytest.param(
            '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html><html><body><p>x</p></body></html>', "x", id="B7-xhtml-prolog"
        ),
        pytest.param("<p>a\x08\x0bb</p>", "ab", id="control-characters"),
        pytest.param("\ud800<p>a", "?a", id="lone-surrogate"),
        pytest.param("<p>a<!-- x -->b<?php y ?>c</p>", "abc", id="comments-do-not-split-text"),
        pytest.param("<p>a&#1;&#x1F;&#27b</p>", "ab", id="references-to-control-characters"),
        pytest.param("<p>x<2 and 3>1</p>", "x<2 and 3>1", id="less-than-sign-in-text"),
    ],
)
def test_parse(html: str, text: str) -> None:
    assert text_of(html) == text
    assert parse_html(html).tag == "html"


@pytest.mark.parametrize("depth", [300, 3000, 50_000])
@pytest.mark.parametrize("tag", ["div", "b", "font"])
def test_any_depth(tag: str, depth: int) -> None:
    head = '<title>T</title><script>"<p>"</script>'
    root = parse_html(f'{head}{f"<{tag}>" * depth}<p>deep <a href="/x">link</a></p>{f"</{tag}>" * depth}<p>after</p>')
    assert ["".join(p.itertext()) for p in root.iter("p")] == ["deep link", "after"]
    assert [a.get("href") for a in root.iter("a")] == ["/x"]
    assert root.findtext(".//title") == "T"


def test_huge_text_node() -> None:
    root = parse_html("<p>" + "x " * 6_000_000 + "</p><p>after</p>")
    assert [len("".join(p.itertext())) for p in root.iter("p")] == [12_000_000, 5]


def test_an_unclosed_svg_does_not_swallow_the_page() -> None:
    root = parse_html("<p>one<svg><g><path d='M1'><p>two <b>three</b> four<h2>five</h2>six")
    assert [element.tag for element in root.iter("p", "h2") if not any(a.tag == "svg" for a in element.iterancestors())] == [
        *("p", "p", "h2")
    ]
    assert "".join(root.itertext()) == "onetwo three fourfivesix"


@given(st.text(alphabet=st.sampled_from(list("<>/='\" abp!-?&;#x\0\ud800й")), max_size=60))
def test_never_raises(html: str) -> None:
    assert parse_html(html).tag == "html"
