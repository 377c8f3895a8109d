"""Where a site's editors place links is where new ones go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analysis.corpus import read_corpus
from analysis.placement.habits import learn_habits
from analysis.placement.names import read_names
from analysis.placement.places import DEFAULT_WEIGHTS, SourceText, find_options
from benchmarks.editorial_links import store_corpus

if TYPE_CHECKING:
    from analysis.placement.places import Traits

TARGETS = ("Rain barrel", "Cold frame", "Worm compost", "Seed swap", "Hand plough")
LINKING = 60


def article(url: str, title: str, *paragraphs: str) -> dict[str, str]:
    return {"url": url, "lang": "en", "title": title, "html": "".join(f"<p>{text}</p>" for text in paragraphs)}


def mentions(number: int, name: str) -> tuple[str, str]:
    """Two paragraphs that name a target: in passing, and as a reader would be sent to it."""
    return (
        f"In year {number} of the garden a {name} stood near shed {number}, and nobody cared for it before the frost of May.",
        f"Our guide on how to choose a {name} and keep it from the frost says what it took in year {number} of the garden.",
    )


def site(linked: int, linking: int) -> list[dict[str, str]]:
    """Articles that link to a target in the one or the other of two paragraphs, and one that links to nothing."""
    rows = [
        article(
            f"/target/{number}/",
            f"{name}: how to choose and keep it from frost",
            *[f"All of {name} number {part}. " * 6 for part in "ab"],
        )
        for number, name in enumerate(TARGETS)
    ]
    for number in range(linking):
        at = number % len(TARGETS)
        name = TARGETS[at].lower()
        paragraphs = list(mentions(number, name))
        paragraphs[linked] = paragraphs[linked].replace(name, f'<a href="/target/{at}/">{name}</a>')
        rows.append(article(f"/year/{number}/", f"Year {number}", *paragraphs))
    return [*rows, article("/new/", "A new year", *mentions(99, TARGETS[0].lower()))]


def learned(folder: Path, linked: int, linking: int = LINKING) -> tuple[Traits, int]:
    """The site's weights, and in which paragraph of the new article they would place a link."""
    with store_corpus(site(linked, linking), folder) as store:
        corpus = read_corpus(store)
        names = read_names(corpus)
        weights = learn_habits(corpus, names)
        head = {head.title: head for head in corpus.heads}
        text = SourceText(corpus.page(head["A new year"].index))
        (target,) = (found for title, found in head.items() if title.startswith(TARGETS[0]))
        options = find_options(text, names.target(target), weights)
        return weights, max(options, key=lambda option: option.preference).sentence.block


@pytest.mark.parametrize("linked", [0, 1])
def test_a_new_link_goes_where_the_editors_of_the_site_place_theirs(tmp_path: Path, linked: int) -> None:
    weights, block = learned(tmp_path, linked)
    assert weights != DEFAULT_WEIGHTS
    assert block == linked


def test_a_few_links_are_no_habit(tmp_path: Path) -> None:
    weights, _ = learned(tmp_path, linked=1, linking=20)
    assert weights == DEFAULT_WEIGHTS


def test_whether_words_are_good_enough_is_no_matter_of_habit(tmp_path: Path) -> None:
    with store_corpus(site(1, LINKING), tmp_path) as store:
        corpus = read_corpus(store)
        names = read_names(corpus)
        text = SourceText(corpus.page(next(head.index for head in corpus.heads if head.title == "A new year")))
        target = names.target(next(head for head in corpus.heads if head.title.startswith(TARGETS[0])))
        by_habit = find_options(text, target, learn_habits(corpus, names))
        by_all = find_options(text, target)
    assert [option.score for option in by_habit] == [option.score for option in by_all]
    assert [option.preference for option in by_habit] != [option.preference for option in by_all]
