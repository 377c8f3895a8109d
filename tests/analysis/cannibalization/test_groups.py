from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from analysis.cannibalization import Advice, Competitors, Level, find_competitors, find_levels
from analysis.embedding.bundled import BundledEmbedder
from analysis.records import PageHead
from analysis.vectors.neighbours import nearest
from analysis.words import tokenize
from tests.analysis.garden_site import Article, Site, build_site

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


def audit(articles: Sequence[Article], vectors: NDArray[np.float32]) -> list[Competitors]:
    heads = [article.head for article in articles]
    codes = {code: number for number, code in enumerate(sorted({head.language for head in heads}))}
    found = nearest(vectors, np.array([codes[head.language] for head in heads]), 20)
    words = [[token.text for token in tokenize(article.text)] for article in articles]
    return find_competitors(heads, vectors, found.indices, found.cosines, words.__getitem__)


def pairs_of(groups: Sequence[Competitors]) -> set[tuple[int, int]]:
    return {pair for group in groups for pair in combinations(group.pages, 2)}


# -- the real model on a whole site


@pytest.fixture(scope="module")
def garden() -> tuple[Site, list[Competitors]]:
    site = build_site()
    texts = [f"{article.head.title}. {article.head.h1}. {article.text[:1500]}" for article in site.articles]
    return site, audit(site.articles, BundledEmbedder().encode(texts))


@pytest.mark.slow
def test_all_that_compete_are_found_and_nothing_else(garden: tuple[Site, list[Competitors]]) -> None:
    site, groups = garden
    assert len(site.articles) == 500
    assert len(site.competing) == 10
    assert len(site.series) == len(site.translations) == 5
    assert pairs_of(groups) == site.competing


@pytest.mark.slow
def test_what_was_written_twice_is_to_be_merged(garden: tuple[Site, list[Competitors]]) -> None:
    _, groups = garden
    assert {group.advice for group in groups} == {Advice.MERGE}
    assert all(group.reason and group.shared_title for group in groups)


# -- the rules one by one, on vectors made for them

TOPICS = (
    "rain", "glass", "bread", "stone", "paper", "steel", "honey", "chalk", "cedar", "linen", "amber", "coral", "slate", "cider",
    "olive", "maple", "sugar", "ivory", "cloth", "straw", "resin", "cocoa", "basil", "wheat", "onyx", "flint",
)  # fmt: skip


class Maker:
    """A site of unrelated articles, to which a test adds the pages that it is about."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(3)
        self.articles: list[Article] = []
        self._vectors: list[NDArray[np.float64]] = []
        self._common = self._unit()
        for topic in TOPICS:
            text = " ".join(f"{topic} {self._random.choice(TOPICS)} word{self._random.integers(300)}" for _ in range(60))
            self.add(f"All about {topic}", text, self._near(self._common, 0.5))

    def add(self, title: str, text: str, vector: NDArray[np.float64], **head: object) -> int:
        index = len(self.articles)
        values: dict[str, object] = {"url": f"https://a.test/{index}", "h1": title, "language": "en"} | head
        self.articles.append(Article(PageHead(index=index, title=title, **values), text))
        self._vectors.append(vector)
        return index

    def pair(self, titles: tuple[str, str], texts: tuple[str, str], cosine: float = 0.97, **second: object) -> list[Competitors]:
        """What is found of two pages so close in meaning."""
        vector = self._near(self._common, 0.5)
        first = self.add(titles[0], texts[0], vector)
        self.add(titles[1], texts[1], self._near(vector, cosine), **second)
        groups = audit(self.articles, np.array(self._vectors, dtype=np.float32))
        assert all(set(group.pages) <= {first, first + 1} for group in groups)
        return groups

    def _unit(self) -> NDArray[np.float64]:
        vector = self._random.normal(size=64)
        return vector / np.linalg.norm(vector)

    def _near(self, vector: NDArray[np.float64], cosine: float) -> NDArray[np.float64]:
        other = self._unit()
        other -= (other @ vector) * vector
        return cosine * vector + np.sqrt(1 - cosine**2) * other / np.linalg.norm(other)


def prose(*words: str, seed: int = 0, length: int = 150) -> str:
    """A text that uses these words often, among others that differ with the seed."""
    random = np.random.default_rng(seed)
    return " ".join(
        str(random.choice(words)) if random.random() < 0.4 else f"filler{random.integers(2_000)}" for _ in range(length)
    )


KETTLE = ("kettle", "descale", "vinegar", "limescale", "boil")


def test_two_articles_of_one_intent_compete() -> None:
    titles = ("How to descale a kettle", "Descaling your kettle with vinegar")
    (group,) = Maker().pair(titles, (prose(*KETTLE, seed=1), prose(*KETTLE, seed=2)))
    assert group.advice is Advice.MERGE
    assert {word.lower() for word in group.shared_title} == {"descale", "kettle"}
    assert group.closeness == pytest.approx(0.97, abs=1e-3)


def test_one_text_at_two_addresses_wants_a_canonical() -> None:
    text = prose(*KETTLE, seed=1)
    (group,) = Maker().pair(("How to descale a kettle", "How to descale a kettle"), (text, text + " last word"))
    assert group.advice is Advice.CANONICAL
    assert group.same_text > 0.9


def test_what_distinguishes_the_pages_is_named() -> None:
    texts = (prose(*KETTLE, "citric", "citric", seed=1), prose(*KETTLE, "grandmother", "grandmother", seed=2))
    (group,) = Maker().pair(("Descale a kettle", "Descale a kettle"), texts)
    assert [terms[0] for terms in group.own_terms] == ["citric", "grandmother"]


def test_a_broader_and_a_narrower_page_are_to_be_told_apart() -> None:
    texts = (prose(*KETTLE, seed=1), prose(*KETTLE, "copper", "copper", seed=2))
    (group,) = Maker().pair(("How to descale a kettle", "How to descale a copper kettle"), texts)
    assert group.advice is Advice.DIFFERENTIATE


@pytest.mark.parametrize(
    ("titles", "second"),
    [
        (("How to descale a kettle, part 1", "How to descale a kettle, part 2"), {}),
        (("Kettles of 2023", "Kettles of 2024"), {}),
        (("How to descale a kettle", "How to descale a kettle"), {"language": "de"}),
        (("How to descale a kettle", "How to descale a kettle"), {"url": "https://a.test/26?page=2"}),
    ],
)
def test_series_other_languages_and_lists_do_not_compete(titles: tuple[str, str], second: dict[str, object]) -> None:
    maker = Maker()
    if "url" in second:
        second = {"url": f"https://a.test/{len(TOPICS)}?page=2"}
    assert maker.pair(titles, (prose(*KETTLE, seed=1), prose(*KETTLE, seed=2)), **second) == []


def test_known_translations_do_not_compete_whatever_their_language_is_called() -> None:
    maker = Maker()
    vector = maker._near(maker._common, 0.5)
    for seed in (1, 2):
        maker.add("How to descale a kettle", prose(*KETTLE, seed=seed), vector, translation_group=4)
    assert audit(maker.articles, np.array(maker._vectors, dtype=np.float32)) == []


def test_pages_of_one_mould_with_subjects_of_their_own_do_not_compete() -> None:
    def text(city: str) -> str:
        return prose("plumber", "pipe", "leak", "tap", "CITY", seed=1).replace("CITY", city)

    assert Maker().pair(("Plumber in London", "Plumber in Leeds"), (text("London"), text("Leeds")), cosine=0.995) == []


def test_pages_that_say_different_things_do_not_compete_however_close() -> None:
    titles = ("How to descale a kettle", "Tea with my grandmother")
    assert Maker().pair(titles, (prose(*KETTLE, seed=1), prose(*KETTLE, seed=2))) == []


def test_pages_no_closer_than_others_do_not_compete() -> None:
    titles = ("How to descale a kettle", "Descaling your kettle")
    assert Maker().pair(titles, (prose(*KETTLE, seed=1), prose(*KETTLE, seed=2)), cosine=0.3) == []


def test_a_column_that_comes_back_under_one_title_does_not_compete() -> None:
    maker = Maker()
    vector = maker._near(maker._common, 0.5)
    for number in range(5):
        maker.add("From our mailbox", prose("letter", "reader", "answer", seed=number), maker._near(vector, 0.97))
    assert audit(maker.articles, np.array(maker._vectors, dtype=np.float32)) == []


def test_three_versions_are_one_group() -> None:
    maker = Maker()
    vector = maker._near(maker._common, 0.5)
    pages = [maker.add("Descale a kettle", prose(*KETTLE, seed=seed), maker._near(vector, 0.98)) for seed in range(3)]
    (group,) = audit(maker.articles, np.array(maker._vectors, dtype=np.float32))
    assert list(group.pages) == pages
    assert len(group.own_terms) == 3


@pytest.mark.parametrize("size", [0, 1, 2])
def test_tiny_sites(size: int) -> None:
    titles = ("Tea", "Coffee")[:size]
    articles = [
        Article(PageHead(n, f"https://a.test/{n}", title, title, "en"), f"{title} is fine") for n, title in enumerate(titles)
    ]
    assert audit(articles, np.eye(3, dtype=np.float32)[:size]) == []


def test_the_level_is_the_sites_own() -> None:
    random = np.random.default_rng(0)

    def levels(shift: float) -> Level:
        heads = [PageHead(n, "", "", "", "en") for n in range(400)]
        cosines = np.tanh(random.normal(shift, 0.1, (400, 1))).astype(np.float32)
        return find_levels(heads, np.zeros((400, 1), dtype=np.int32), cosines)["en"]

    near, far = levels(1.5), levels(0.5)
    assert near.cosine(3) > far.cosine(3)
    assert near.beyond(near.cosine(3)) == pytest.approx(3.0)
    assert near.deviation == pytest.approx(0.1, rel=0.2)


def test_a_language_of_few_pages_takes_the_level_of_the_site() -> None:
    heads = [PageHead(n, "", "", "", "en" if n < 100 else "de") for n in range(105)]
    cosines = np.full((105, 1), 0.6, dtype=np.float32)
    cosines[100:] = 0.9
    found = find_levels(heads, np.zeros((105, 1), dtype=np.int32), cosines)
    assert found["de"].cosine(0) == pytest.approx(0.6, abs=1e-6)


def test_only_pages_that_are_looked_at_are_read() -> None:
    maker = Maker()
    read: list[int] = []

    def words_of(articles: Sequence[Article]) -> Callable[[int], list[str]]:
        def words(page: int) -> list[str]:
            read.append(page)
            return [token.text for token in tokenize(articles[page].text)]

        return words

    vectors = np.array(maker._vectors, dtype=np.float32)
    found = nearest(vectors, np.zeros(len(vectors), dtype=np.int64), 5)
    heads = [article.head for article in maker.articles]
    find_competitors(heads, vectors, found.indices, found.cosines, words_of(maker.articles))
    assert len(read) == len(set(read))  # each page once
