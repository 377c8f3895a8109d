from __future__ import annotations

import unicodedata

import pytest

from analysis import lexicon, words


def texts(text: str) -> list[str]:
    return [token.text for token in words.tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++ and C#, node.js v1.2.3", ["C++", "and", "C#", "node", "js", "v1.2.3"]),
        ("don't об'єкт п’ять", ["don't", "об'єкт", "п’ять"]),
        ("qu'il boit l'eau", ["qu", "il", "boit", "l", "eau"]),
        ("мои\u0306 дом", ["мои\u0306", "дом"]),
        ("Ge\u00adsamt हिन्दी में", ["Ge\u00adsamt", "हिन्दी", "में"]),
        ("测试内容", ["测试", "试内", "内容"]),
        ("開発フレームワーク", ["開発", "フレームワーク"]),
        ("❤️ 😀 …", []),
    ],
)
def test_words_of_many_scripts(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize("text", ["ฉันชอบกินข้าวเช้า 😀 x", "Dapp 使い方 'a' l'eau 3.14", "שָׁלוֹם, العربية"])
def test_tokens_tell_where_they_stand(text: str) -> None:
    tokens = words.tokenize(text)
    assert tokens
    assert all(text[token.start : token.end] == token.text for token in tokens)


def test_no_thai_token_begins_with_a_mark() -> None:
    assert all(unicodedata.category(token.text[0]) != "Mn" for token in words.tokenize("ฉันชอบกินข้าวเช้าทุกวัน"))


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ["link", "links", "Linking", "link's"]),
        ("ru", ["ссылка", "Ссылками", "ссылку"]),
        ("uk", ["мережа", "мережі", "мережею", "Мережу"]),
        ("uk", ["посилання", "посиланням", "посиланнями"]),
        ("ko", ["블록체인", "블록체인에서", "블록체인은"]),
        ("ru", ["link", "links"]),  # English within Russian
        ("hr", ["poveznica", "poveznicama"]),  # no algorithm: the first five letters
    ],
)
def test_forms_of_a_word_share_a_stem(language: str, forms: list[str]) -> None:
    assert len({words.stem(form, language) for form in forms}) == 1


def test_code_names_are_not_stemmed() -> None:
    assert words.stem("h2s", "en") == "h2s"
    assert words.stem("C++", "en") == "c++"


def test_stems_leave_grammar_out() -> None:
    assert words.stems("The links of a site", "en") == ["link", "site"]
    assert words.stems("Все ссылки на сайте", "ru") == ["ссылк", "сайт"]
    assert words.stems("このサイトは", "ja") == ["サイト"]


def test_every_stop_word_is_seen_as_one() -> None:
    for language, stop_words in lexicon.read("stop_words").items():
        assert not any(words.has_meaning(word, language) for word in stop_words), language
