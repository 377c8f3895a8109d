"""Paragraphs of the demo blog, and pointers as a language model writes them when it keeps to the prompt."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from analysis.drafts import DraftError, read_article
from analysis.weave.prompt import SYSTEM, forms
from analysis.weave.rewrite import Rewrite
from demo.serve import SITE

# Titles of the blog's articles, and the words of each that a sentence can carry.
TARGETS = {
    "en": [
        ("Riding Home on a Broken Spoke", "broken spoke"),
        ("How to Look After a Chain", "look after a chain"),
        ("Choosing a Saddle for Long Days", "choosing a saddle"),
        ("Puncture Repair at the Roadside", "puncture repair"),
        ("Planning a Route with Paper and Phone", "planning a route"),
        ("Wild Camping without Leaving a Trace", "wild camping"),
        ("Cooking on an Alcohol Stove", "alcohol stove"),
        ("A Packing List That Fits Two Panniers", "packing list"),
    ],
    "ru": [
        ("Уход за цепью в походе", "уход за цепью"),
        ("Как заклеить прокол на обочине", "заклеить прокол"),
        ("Как проложить маршрут: бумага и телефон", "проложить маршрут"),
        ("Ночёвка вне кемпинга", "ночёвка вне кемпинга"),
        ("Как выбрать седло для долгих дней", "выбрать седло"),
        ("Первый велопоход на выходные", "первый велопоход"),
    ],
}

# The given forms varied a little, as models do.
VARIED = {
    "en": [
        "For a fuller treatment, turn to our article on {}.",
        "The post about {} goes into this at length.",
        "Anyone who wants the whole story will find it under {}.",
        "A related question, {}, has an article to itself.",
        "There's a whole article about {} if you need it.",
        "We go through it step by step in our piece on {}.",
        "Our earlier post on {} has more to say.",
        ", a subject we treat in our article on {}",
        ", as you'll find in our notes on {}",
        " (our article on {} has the details)",
        " – more on that in our post about {}",
        " (compare our guide to {})",
    ],
    "ru": [
        "Всё по шагам мы разобрали в статье про {}.",
        "На эту тему у нас есть отдельный текст: {}.",
        "О том, как это устроено, читайте в материале про {}.",
        "Если интересно, загляните в статью про {}.",
        "Отдельный разговор об этом — статья про {}.",
        " (подробности ищите в статье про {})",
        ", как мы советовали в статье про {}",
        " (у нас есть статья про {})",
        ", и об этом есть отдельный материал про {}",
    ],
}
# Free words instead of the given forms, written after the word lists were finished.
FREE = {
    "en": [
        "Our readers often ask about this, so there's an article on {}.",
        "The whole procedure is laid out in our guide to {}.",
        "Those who'd like to go deeper can open the post about {}.",
        "Details are in the article on {}.",
        "That's a story of its own: {}.",
        "We've put together a guide to {} for such cases.",
        "You'll find the full explanation in our post on {}.",
        "What comes next is the subject of our article about {}.",
        ", a thing that our post on {} goes into",
        ", something we've discussed under {}",
        " (for which see our article about {})",
        " (here's our guide to {})",
        " – our article about {} shows how –",
        ", and there's a separate guide to {}",
    ],
    "ru": [
        "Про {} у нас вышла отдельная заметка.",
        "В подробностях мы описывали это в статье про {}.",
        "Тем, кому этого мало, пригодится статья про {}.",
        "Об этом подробно написано в материале про {}.",
        "Мы уже рассказывали про {}.",
        "Советы на этот счёт собраны в статье про {}.",
        " (как именно, смотрите в статье про {})",
        ", а подробнее мы писали про {}",
        " (подробный рассказ – в статье про {})",
        ", чему посвящена статья про {}",
        " (читайте нашу заметку про {})",
    ],
}
# What a model also does, although it was told to keep every word.
LIBERTIES = {
    "en": [(r"\bbecause\b", "since"), (r"\bbut\b", "although"), (r"\byou\b", "one"), (r"\bis\b", "remains")],
    "ru": [(r"\bпотому что\b", "так как"), (r"\bно\b", "однако"), (r"\bможно\b", "удаётся"), (r"\bесть\b", "имеется")],
}


@dataclass(frozen=True)
class Paragraph:
    text: str
    language: str
    fixed: tuple[str, ...]


@cache
def paragraphs(language: str) -> tuple[Paragraph, ...]:
    found = []
    for file in sorted((SITE / language).glob("*/index.html")):
        try:
            page = read_article(file.read_bytes(), "", f"https://demo.example/{language}/{file.parent.name}/")
        except DraftError:
            continue
        for number, block in enumerate(page.blocks):
            if block.kind == "paragraph" and 25 <= len(block.text.split()) <= 120:
                links = tuple(block.text[link.start : link.end] for link in page.links if link.block == number)
                found.append(Paragraph(block.text, language, links))
    return tuple(found)


def pointers(language: str) -> list[str]:
    """As the prompt gives them."""
    given = [form.replace("…", "{}") for form in forms(language)]
    return [form if form[0].isupper() or form[0] == "," else f" {form}" for form in given]


def honest(seed: int, language: str, phrases: Sequence[str] = (), *, liberty: bool = False, growth: float = 1.3) -> Rewrite:
    """One paragraph with one pointer, at a random place; with ``liberty`` another word is changed too."""
    chance = random.Random(f"{seed} {language}")
    while True:
        paragraph = chance.choice(paragraphs(language))
        title, anchor = chance.choice(TARGETS[language])
        if anchor.casefold() in paragraph.text.casefold():
            continue
        ends = [match.start() for match in re.finditer(r"[.](?=\s|$)", paragraph.text)]
        if not ends:
            continue
        end = chance.choice(ends)
        pointer = chance.choice(phrases or pointers(language)).format(anchor)
        if pointer[0] in " ,":
            after = paragraph.text[:end] + pointer + paragraph.text[end:]
        else:
            after = f"{paragraph.text[: end + 1]} {pointer}{paragraph.text[end + 1 :]}"
        if len(after) > growth * len(paragraph.text):
            continue
        if liberty:
            old, new = chance.choice(LIBERTIES[language])
            if not re.search(old, after):
                continue
            after = re.sub(old, new, after, count=1)
        return Rewrite(paragraph.text, after, anchor, title, language, paragraph.fixed, SYSTEM)
