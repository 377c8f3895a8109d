from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.insertion.graphemes import clusters, fold, fold_phrase
from analysis.insertion.matching import Edge, edge, find_phrase


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in clusters(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["a", "b"],
        ["e\u0301", "x"],
        ["и\u0306"],
        ["ข้", "า", "ว"],
        ["กำ"],
        ["न", "म", "स्", "ते"],
        ["👩🏽\u200d🚀", "!"],
        ["🇩🇪", "🇫🇷", "🇩"],
        ["\u1112\u1161\u11ab", "\u1100\u1173\u11af"],
        ["ש\u05b8\u05c1", "ל"],
        ["a", "\u00ad", "b"],
        ["❤\ufe0f"],
    ],
)
def test_grapheme_clusters(expected):
    assert split("".join(expected)) == expected


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30))
def test_folding_keeps_places(text):
    folded = fold(text)
    assert len(folded.starts) == len(folded.ends) == len(folded.text) + 1
    assert "".join(split(text)) == text
    starts = [start for start in folded.starts if start >= 0]
    assert starts == sorted(starts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "STRASSE"),
        ("caf\u00e9", "CAFE\u0301"),
        ("Й", "и\u0306"),
        ("a\u00a0\u2003b", "A B"),
        ("co\u00adop", "coop"),
        ("Å", "\u212b"),
    ],
)
def test_the_same_to_a_reader(one, other):
    assert fold_phrase(one) == fold_phrase(other)


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("red shoes", 3, Edge.WORD),
        ("redshoes", 3, Edge.INSIDE),
        ("red-shoes", 3, Edge.INSIDE),
        ("red- shoes", 3, Edge.WORD),
        ("red—shoes", 3, Edge.WORD),
        ("end.", 3, Edge.WORD),
        ("node.js", 4, Edge.INSIDE),
        ("C++", 1, Edge.INSIDE),
        ("#tag", 1, Edge.INSIDE),
        ("AT&T", 2, Edge.INSIDE),
        ("1,000", 1, Edge.INSIDE),
        ("a,b", 1, Edge.WORD),
        ("don't", 3, Edge.INSIDE),
        ("Google's", 6, Edge.WORD),
        ("l'eau", 2, Edge.WORD),
        ("O'Neil", 2, Edge.INSIDE),
        ("red\u00adshoes", 3, Edge.INSIDE),
        ("red\u00adshoes", 4, Edge.INSIDE),
        ("окна", 2, Edge.INSIDE),
        ("ש\u05b8ל", 2, Edge.INSIDE),
        ("测试", 1, Edge.UNSPACED),
        ("用Flink", 1, Edge.WORD),
        ("3月", 1, Edge.UNSPACED),
        ("データー", 3, Edge.INSIDE),
        ("กา", 1, Edge.UNSPACED),
        ("กา\u200bกา", 2, Edge.WORD),
        ("한국어", 1, Edge.INSIDE),
        ("(x", 1, Edge.WORD),
        ("x", 0, Edge.WORD),
        ("x", 1, Edge.WORD),
    ],
)
def test_edges(text, at, expected):
    assert edge(text, at) is expected


def test_all_occurrences_are_found_with_their_places():
    text = "Окна и окнами, подо\u00adкна. ОКНА"
    found = [(text[match.start : match.end], match.edge) for match in find_phrase(text, fold(text), "окна")]
    assert found == [("Окна", Edge.WORD), ("окна", Edge.INSIDE), ("о\u00adкна", Edge.INSIDE), ("ОКНА", Edge.WORD)]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab \u0301\u00adéе", max_size=20), st.text(alphabet="ab \u0301é", min_size=1, max_size=3))
def test_a_match_reads_as_the_phrase(text, phrase):
    wanted = fold_phrase(phrase)
    for match in find_phrase(text, fold(text), wanted):
        assert fold(text[match.start : match.end]).text == wanted
