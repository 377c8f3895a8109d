from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from analysis.placement.anchors import Target
from analysis.placement.places import (
    FAR,
    NO_WORDS,
    OTHER_TARGET,
    SAME_ANCHOR_SITEWIDE,
    SAME_WORDS,
    WEAK_WORDS,
    AnchorBudget,
    SourceText,
    Wanted,
    find_options,
    place,
    place_by_meaning,
)
from analysis.records import Block, BlockKind, Link, NearMiss, Page, PageHead, Placement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FILLER = "Nothing of interest stands in this long sentence of ours."


def source(*texts: str, index: int = 0, links: Sequence[Link] = ()) -> SourceText:
    head = PageHead(index, f"https://a.test/{index}", "Source", "", "en")
    return SourceText(Page(head, tuple(Block(BlockKind.PARAGRAPH, text) for text in texts), tuple(links)))


def mesh(**wordings: float) -> Target:
    return Target(["Private mesh networks"], "en", wordings, lambda _: 3.0)


def test_the_placement_says_where_it_is() -> None:
    page = source(FILLER, "Some years ago we moved to private mesh networks.")
    found = place(page, mesh(), 7, AnchorBudget())
    assert isinstance(found, Placement)
    block = page.page.blocks[1]
    assert block.text[found.start : found.end] == found.anchor == "private mesh networks"
    assert found.block_digest == block.digest
    assert found.sentence.text == block.text


def test_no_fitting_words_no_placement() -> None:
    assert place(source(FILLER), mesh(), 7, AnchorBudget()) == NearMiss(NO_WORDS)


def test_a_long_article_is_read_to_its_end() -> None:
    page = source(*[FILLER] * 500, "At last we come to private mesh networks here.")
    found = place(page, mesh(), 7, AnchorBudget())
    assert isinstance(found, Placement)
    assert found.sentence.block == 500


def test_of_equal_sentences_the_first() -> None:
    sentence = "Some years ago we moved to private mesh networks."
    found = place(source(FILLER, sentence, sentence), mesh(), 7, AnchorBudget())
    assert isinstance(found, Placement)
    assert found.sentence.block == 1


def test_words_that_are_a_link_stay_one() -> None:
    text = "Some years ago we moved to private mesh networks."
    start = text.index("private")
    assert find_options(source(text, links=[Link(3, 0, start + 8, len(text) - 1)]), mesh()) == []


def test_two_targets_never_share_words_of_a_page() -> None:
    page, budget = source("Some years ago we moved to private mesh networks, and to private mesh networks again."), AnchorBudget()
    assert isinstance(place(page, mesh(), 7, budget), Placement)
    assert isinstance(place(page, mesh(), 8, budget), NearMiss)


def test_words_of_a_link_of_today_are_spent_for_other_targets() -> None:
    text = "Private mesh networks are good, and private mesh networks are fast."
    page, budget = source(text, links=[Link(3, 0, 0, 21)]), AnchorBudget()
    budget.note_existing(page.page)
    missed = place(page, mesh(), 8, budget)
    assert isinstance(missed, NearMiss)
    assert (missed.obstacle, missed.anchor) == (OTHER_TARGET, "private mesh networks")
    assert isinstance(place(page, mesh(), 3, budget), Placement)


def test_the_same_words_for_one_target_a_few_times_site_wide() -> None:
    budget = AnchorBudget()
    pages = [source("Some years ago we moved to private mesh networks.", index=n) for n in range(SAME_ANCHOR_SITEWIDE + 1)]
    *placed, last = [place(page, mesh(), 99, budget) for page in pages]
    assert all(isinstance(found, Placement) for found in placed)
    assert isinstance(last, NearMiss)
    assert (last.obstacle, last.sentence) == (SAME_WORDS, placed[0].sentence)


def test_who_accepts_has_the_last_word() -> None:
    sentence = "Some years ago we moved to private mesh networks."
    page = source(sentence, sentence)
    found = place(page, mesh(), 7, AnchorBudget(), accept=lambda _, placement: "" if placement.sentence.block == 1 else "no")
    assert isinstance(found, Placement)
    assert found.sentence.block == 1
    budget = AnchorBudget()
    missed = place(source(sentence), mesh(), 7, budget, accept=lambda *_: "in the way")
    assert isinstance(missed, NearMiss)
    assert missed.obstacle == "in the way"
    assert not budget.obstacle(0, 8, "private mesh networks")  # what was refused is not spent


def test_words_that_say_little_are_named_and_not_linked() -> None:
    target = Target(["Networks that are private and made of mesh and of much else besides"], "en", {}, lambda _: 0.5)
    missed = place(source(FILLER, "We saw private networks there in those days."), target, 7, AnchorBudget())
    assert isinstance(missed, NearMiss)
    assert (missed.obstacle, missed.anchor) == (WEAK_WORDS, "private networks")


def near(texts: Sequence[str]) -> NDArray[np.float32]:
    """A stand-in for a model: texts about the moon lie at 60 degrees to all others."""
    return np.array([[0.5, 0.75**0.5] if "moon" in text else [1.0, 0.0] for text in texts], dtype=np.float32)


EARTH = np.array([1, 0], dtype=np.float32)
MOON = np.array([0.5, 0.75**0.5], dtype=np.float32)


@pytest.mark.parametrize(("title_vector", "block"), [(EARTH, 1), (MOON, 0)])
def test_by_meaning_the_nearest_sentence_wins(title_vector: NDArray[np.float32], block: int) -> None:
    page = source("On the moon they have private mesh networks.", "Some years ago we moved to private mesh networks.")
    (found,) = place_by_meaning(page, [Wanted(mesh(), 7, title_vector)], near, 0.72, AnchorBudget())
    assert isinstance(found, Placement)
    assert found.sentence.block == block


def test_by_meaning_a_sentence_that_is_too_far_is_none() -> None:
    page = source("On the moon they have private mesh networks.")
    (missed,) = place_by_meaning(page, [Wanted(mesh(), 7, EARTH)], near, 0.72, AnchorBudget())
    assert isinstance(missed, NearMiss)
    assert missed.obstacle == FAR


def test_only_sentences_with_an_anchor_are_embedded_and_once() -> None:
    asked: list[str] = []

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        asked.extend(texts)
        return near(texts)

    sentence = "Some years ago we moved to private mesh networks."
    place_by_meaning(source(FILLER, sentence), [Wanted(mesh(), n, EARTH) for n in (7, 8)], encode, 0.72, AnchorBudget())
    assert asked == [sentence]
    assert place_by_meaning(source(FILLER), [Wanted(mesh(), 7, EARTH)], encode, 0.72, AnchorBudget()) == [NearMiss(NO_WORDS)]
    assert asked == [sentence]


def test_the_same_input_gives_the_same_placements() -> None:
    pages = [source("Private mesh networks and mesh networks are here, and private networks.", index=n) for n in range(3)]
    first, second = AnchorBudget(), AnchorBudget()
    again = [source("Private mesh networks and mesh networks are here, and private networks.", index=n) for n in range(3)]
    assert [place(page, mesh(), 9, first) for page in pages] == [place(page, mesh(), 9, second) for page in again]
