from __future__ import annotations

import math

import pytest

from analysis.backtest.scores import ALL, LevelScore, score_method, score_pages
from analysis.backtest.trial import Guess, TriedPage


def wrong(score: float, level: str = "") -> Guess:
    return Guess(score, True, level, is_found=False)


def right(
    score: float,
    level: str = "",
    *,
    is_named: bool = True,
    is_placed: bool = False,
    is_hint: bool = False,
    f1: float | None = None,
) -> Guess:
    return Guess(score, True, level, True, is_named, is_placed or is_hint, is_placed, f1)


PAGES = [
    # six hidden links, of which four proposals can find four at most
    TriedPage("en", 6, 4, (right(0.9, "sure", is_placed=True, f1=0.8), right(0.8, "sure", is_placed=True), wrong(0.5, "sure"))),
    TriedPage("en", 1, 0, (wrong(0.4), right(0.3, is_named=False, is_hint=True, f1=0.4))),
    TriedPage("ru", 1, 1, ()),
]


def test_the_figures_by_hand() -> None:
    scores = score_pages(PAGES, top=4)
    assert (scores.pages, scores.links, scores.proposed, scores.found) == (3, 8, 5, 3)
    assert scores.recall == pytest.approx(3 / 6)
    assert scores.precision == pytest.approx(3 / 5)
    first = (1 + 1 / math.log2(3)) / sum(1 / math.log2(place) for place in (2, 3, 4, 5))
    assert scores.ndcg == pytest.approx((first + 1 / math.log2(3) + 0) / 3)
    assert scores.placed == pytest.approx(2 / 3)
    assert scores.anchor_f1 == pytest.approx(0.6)
    assert scores.exact == pytest.approx(2 / 6)
    assert scores.insertable == pytest.approx(1 / 6)
    assert scores.coverage == pytest.approx(2 / 3)
    assert (scores.named, scores.recall_named, scores.recall_unnamed) == pytest.approx((5 / 8, 2 / 5, 1 / 3))


def test_where_there_is_nothing_to_share_there_is_no_figure() -> None:
    scores = score_pages([TriedPage("en", 1, 1, (wrong(0.5),))], top=4)
    assert (scores.recall, scores.precision) == (0, 0)
    assert (scores.placed, scores.anchor_f1, scores.recall_unnamed) == (None, None, None)
    assert score_pages([], top=4).recall is None


def test_a_method_is_scored_as_a_whole_and_by_language() -> None:
    scored = score_method("learned", PAGES, top=4)
    assert list(scored.by_language) == [ALL, "en", "ru"]
    assert scored.by_language["ru"].recall == 0
    assert scored.total == score_pages(PAGES, top=4)
    assert scored.levels == {"sure": LevelScore(3, pytest.approx(2 / 3), pytest.approx(2 / 6))}
    assert [(point.score, point.kept) for point in scored.curve] == [(0.9, 1), (0.8, 2), (0.5, 3), (0.4, 4), (0.3, 5)]
    assert scored.curve[-1].recall == scored.total.recall
    assert scored.curve[-1].precision == scored.total.precision
    assert scored.calibration_error == pytest.approx((0.1 + 0.2 + 0.5 + 0.4 + 0.7) / 5)


def test_a_closeness_is_no_probability_to_be_calibrated() -> None:
    scored = score_method("semantic", [TriedPage("en", 1, 1, (Guess(0.6, False, "", is_found=True),))], top=4)
    assert scored.calibration_error is None
    assert scored.score_name == "closeness"


def test_a_few_proposals_are_no_ground_for_advice() -> None:
    good = TriedPage("en", 1, 1, (right(0.9),))
    assert score_method("learned", [good] * 29, top=4).point_of(0.5) is None
    point = score_method("learned", [good] * 30, top=4).point_of(0.5)
    assert point is not None
    assert (point.score, point.kept) == (0.9, 30)
