from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import sentences
from analysis.records import Block, BlockKind, Page, PageHead


def pieces(text: str, language: str) -> list[str]:
    return [text[start:end].strip() for start, end in sentences.split(text, language)]


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("en", "Smith et al. found it, e.g. in India v.s. China. Next one.", 2),
        ("ru", "Это, т. е. окна, стоит 5 тыс. руб. и т. д. Дальше новое.", 2),
        ("ru", "Он плохой муж. Хотя и честный.", 2),
        ("en", "Apples, pears etc. I want more.", 2),
        ("en", "Well . . . what an honour.", 1),
        ("zh", "第一。第二！第三？", 3),
        ("ja", "圧力は３．５です。", 1),
        ("hi", "यह है। वह है।", 2),
        ("ar", "هل هذا؟ نعم.", 2),
        ("ru", "Роман написал А. С. Пушкин. См. рис. 3 на с. 5.", 2),
        ("ru", "Жил он на ул. Ленина в г. Киеве. В 2010 г. Он умер и т. п. Вот.", 4),
        ("ru", "Стоит 5 млн. рублей. Стоит 5 млн. Рублей нет.", 3),
        ("uk", "Це, т. зв. вікна, коштує 5 тис. грн. і т. д. Далі нове. Див. рис. 5.", 3),
        ("en", "It is at https://a.test/x.html?y=1.B. Go there. Version 2.0 is out! Then .NET. Dr. Smith left.", 5),
        ("de", "Das Haus ist z. B. rot. Am 3. Oktober war es so.", 2),
        ("ru", "Он сказал: «Привет. Как дела?» И ушёл.", 2),
    ],
)
def test_sentences_are_counted_right(language: str, text: str, count: int) -> None:
    assert len(pieces(text, language)) == count, pieces(text, language)


@pytest.mark.parametrize(
    "text", ["The response time-i.e., the whole time when it ran.", "Rest .. Next", "Rest .... Next", ". . ."]
)
def test_nothing_is_lost(text: str) -> None:
    assert "".join(text[start:end] for start, end in sentences.split(text, "en")) == text


def test_offsets_are_characters_not_bytes_or_utf16() -> None:
    assert pieces("Я 😀 люблю. You 👩‍👩‍👧 too. 𝒳 end.", "en") == ["Я 😀 люблю.", "You 👩‍👩‍👧 too.", "𝒳 end."]


@settings(deadline=None)
@given(st.text(alphabet="aБ я.!?。…«»()\n\u00a0😀1т", max_size=60), st.sampled_from(["en", "ru", "uk", "zh", "und"]))
def test_joined_again_it_is_the_text(text: str, language: str) -> None:
    spans = sentences.split(text, language)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)


def page(language: str, *blocks: Block) -> Page:
    return Page(PageHead(0, "https://a.test/", "T", "T", language), blocks, ())


def test_only_running_text_has_sentences_that_can_carry_a_link() -> None:
    long = "This is a sentence that is long enough."
    kinds = [Block(kind, long) for kind in BlockKind]
    found = sentences.sentences_of(page("en", *kinds))
    assert {kinds[sentence.block].kind for sentence in found} == {BlockKind.PARAGRAPH, BlockKind.ITEM}


def test_sentences_are_stripped_long_enough_and_know_their_place() -> None:
    block = Block(
        BlockKind.PARAGRAPH, "Short one. Here is a sentence of more than thirty letters. And another one that is long enough."
    )
    found = sentences.sentences_of(page("en", block))
    assert [sentence.text for sentence in found] == [
        "Here is a sentence of more than thirty letters.",
        "And another one that is long enough.",
    ]
    assert all(block.text[sentence.start : sentence.end] == sentence.text for sentence in found)


def test_a_short_chinese_sentence_says_enough() -> None:
    block = Block(BlockKind.PARAGRAPH, "你好。这是一段关于区块链测试的内容。")
    assert [sentence.text for sentence in sentences.sentences_of(page("zh", block))] == ["这是一段关于区块链测试的内容。"]
