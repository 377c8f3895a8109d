from __future__ import annotations

import pytest

from analysis import lexicon
from analysis.placement.anchors import Anchor, AnchorKind, Target, find_anchors
from analysis.placement.empty_words import is_banned, trimmed
from analysis.placement.sentence_words import read_words


def target(title: str, language: str = "en", **wordings: float) -> Target:
    return Target([title], language, {text.replace("_", " "): p for text, p in wordings.items()}, lambda _: 3.0)


def best(sentence: str, title: str, language: str = "en", **wordings: float) -> Anchor | None:
    return best_for(sentence, target(title, language, **wordings))


def best_for(sentence: str, wanted: Target) -> Anchor | None:
    found = find_anchors(read_words(sentence, wanted.language), wanted)
    return max(found, key=lambda anchor: (anchor.score, -anchor.start, anchor.end), default=None)


def text(sentence: str, title: str, language: str = "en", **wordings: float) -> str | None:
    anchor = best(sentence, title, language, **wordings)
    return anchor and anchor.text


@pytest.mark.parametrize(
    ("language", "sentence", "title", "expected"),
    [
        ("en", "We moved to private mesh networks last year.", "Private mesh networks", "private mesh networks"),
        ("en", "Everyone talks about Kubernetes these days.", "Kubernetes", "Kubernetes"),
        ("ru", "Об этом говорят внутренние ссылки сайта.", "Внутренняя ссылка", "внутренние ссылки"),
        ("uk", "Почнімо з внутрішніх посилань сайту.", "Внутрішні посилання", "внутрішніх посилань"),
        ("zh", "我们使用内容集合来管理文章。", "内容集合", "内容集合"),
        ("en", "Put it into a <div> or not.", "<div>", "<div>"),
        ("ru", "Здесь поможет правило @media и больше ничего.", "@media", "@media"),
        ("en", "Call Array.map() on it.", "Array.map()", "Array.map()"),
        ("fr", "On boit beaucoup d'eau minérale naturelle ici.", "Eau minérale", "eau minérale"),
        ("ru", "Цикл for перебирает значения.", "for", "for"),
    ],
)
def test_the_title_in_any_form_is_an_anchor(language: str, sentence: str, title: str, expected: str) -> None:
    anchor = best(sentence, title, language)
    assert anchor is not None
    assert (anchor.text, anchor.kind) == (expected, AnchorKind.TITLE)
    assert sentence[anchor.start : anchor.end] == expected


def test_one_word_of_a_longer_title_is_no_anchor() -> None:
    assert text("We like networks of every kind.", "Private mesh networks") is None


def test_words_that_the_site_uses_are_an_anchor_of_any_length() -> None:
    anchor = best("Our welcome wagon is for newcomers.", "How we onboard people", welcome_wagon=0.5)
    assert anchor is not None
    assert (anchor.text, anchor.kind) == ("welcome wagon", AnchorKind.WORDING)
    assert text("It has snippets in it.", "How we onboard people", snippets=0.4) == "snippets"


def test_words_that_were_linked_by_chance_are_none() -> None:
    assert text("It is a strong team.", "Four questions with the team of designers", strong=0.01) is None


def test_a_wording_is_cut_to_what_it_names() -> None:
    assert trimmed("see the image guide for", "en") == "image guide"
    assert trimmed("for one dollar.", "en") == "dollar."
    assert trimmed("<div>", "en") == "<div>"


def test_a_description_has_at_most_four_words_two_of_them_from_the_title() -> None:
    title = "A site architecture checklist for large shops and their owners"
    assert text("Without a clear architecture of the site nothing works.", title) == "architecture of the site"
    assert text("An architecture that some of us liked for every site.", title) is None


def test_a_name_from_the_title_is_not_torn() -> None:
    title = "Building better by building together with the Federal Election Commission"
    rarity = {"feder": 1.0, "elect": 4.0, "commiss": 4.0}
    known = Target([title], "en", {}, lambda stem: rarity.get(stem, 0.5))
    anchor = best_for("Last week the Federal Election Commission unveiled its website.", known)
    assert anchor and anchor.text == "Federal Election Commission", "also where the first word alone says little"


def test_a_description_covers_enough_of_the_title() -> None:
    title = "Open source, risk, legacy systems, procurement, design, research, budget, hiring, security, testing, cloud migration"
    assert text("We publish open source code.", title) is None


def test_a_dot_inside_a_name_ends_no_clause() -> None:
    title = "Tips for adapting analytics.usa.gov from three cities"
    assert text("Cities are now using analytics.usa.gov for their own sites.", title) == "analytics.usa.gov"
    assert text("That was analytics. Usa.gov is another site.", title) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "We like mesh, networks and such things.",
        "Choose the mesh. Networks come later.",
        "The mesh (networks too) is old.",
        "The mesh — networks of any kind.",
    ],
)
def test_an_anchor_crosses_no_end_of_a_clause(sentence: str) -> None:
    assert text(sentence, "Mesh networks") is None


@pytest.mark.parametrize(
    ("language", "sentence", "title"),
    [
        ("en", "See the CSS grid-template-areas property.", "Grid template"),
        ("en", "It is a well-known open-source-friendly house.", "Open source"),
        ("ru", "Он дал мои\u0306 дом ему.", "мои"),
        ("th", "ฉันชอบกินข้าวเช้าทุกวัน", "ข้าว"),
        ("en", "Salą is a hall.", "Sal"),
    ],
)
def test_no_anchor_ends_inside_a_word_or_a_compound(language: str, sentence: str, title: str) -> None:
    assert text(sentence, title, language) is None


@pytest.mark.parametrize(
    ("language", "anchor"),
    [("en", "here"), ("en", "Read more"), ("en", "this article"), ("ru", "Читайте также"), ("uk", "тут"), ("de", "mehr erfahren"),
     ("zh", "点击这里"), ("ja", "こちら"), ("fr", "en savoir plus")],
)  # fmt: skip
def test_empty_anchors_are_banned(language: str, anchor: str) -> None:
    assert is_banned(anchor, language)
    assert not is_banned("mesh networks", language)


def test_banned_words_are_listed_for_the_languages_with_stop_words() -> None:
    assert lexicon.read("stop_words").keys() <= lexicon.read("banned_anchors").keys()


def test_a_banned_wording_is_not_taken_up() -> None:
    assert text("You can read it here in full.", "Private mesh networks", here=0.9) is None


@pytest.mark.parametrize("sentence", ["", "…", "😀 — 😀", "a", "日", "\u200b"])
def test_texts_without_words_have_no_anchor(sentence: str) -> None:
    assert not list(find_anchors(read_words(sentence, "en"), target("Private mesh networks")))


def test_a_title_without_words_names_nothing() -> None:
    assert text("Anything — at all.", "—") is None
