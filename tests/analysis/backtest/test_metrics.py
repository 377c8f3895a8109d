from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.backtest.metrics import CurvePoint, calibration_error, ndcg, point_of_precision, precision_recall, word_f1

PAIRS = st.lists(st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.booleans()), min_size=1)


@pytest.mark.parametrize(
    ("found", "relevant", "expected"),
    [
        ([True, False, False, False], 1, 1.0),
        ([False, True], 1, 1 / math.log2(3)),
        ([True, False, True], 2, (1 + 0.5) / (1 + 1 / math.log2(3))),
        ([True, True, True, True], 9, 1.0),
        ([], 2, 0.0),
    ],
)
def test_ndcg(found: list[bool], relevant: int, expected: float) -> None:
    assert ndcg(found, relevant, top=4) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("words", "reference", "expected"),
    [
        ("Broken spoke!", "broken spoke", 1.0),
        ("a broken spoke", "broken spoke", 0.8),
        ("the the", "the", 2 / 3),
        ("динамо-втулка", "динамо втулка", 1.0),
        ("saddle", "spoke", 0.0),
        ("…", "", 0.0),
    ],
)
def test_word_f1(words: str, reference: str, expected: float) -> None:
    assert word_f1(words, reference) == pytest.approx(expected)


def test_calibration_error_is_the_gap_between_what_is_said_and_what_is_true() -> None:
    assert calibration_error([0.95] * 20, [True] * 19 + [False]) == pytest.approx(0)
    assert calibration_error([0.95] * 10, [False] * 10) == pytest.approx(0.95)
    # 0.2 too sure for three quarters of the proposals, right for the others
    assert calibration_error([0.7] * 30 + [0.1] * 10, [True] * 15 + [False] * 15 + [True] + [False] * 9) == pytest.approx(0.15)
    assert calibration_error([1.0, 0.0], [True, False]) == pytest.approx(0)
    assert calibration_error([], []) is None


def test_the_curve_has_a_point_for_each_score_that_occurs() -> None:
    assert precision_recall([0.5, 0.9, 0.5, 0.1], [False, True, True, False], relevant=4) == [
        CurvePoint(0.9, 1, 1.0, 0.25),
        CurvePoint(0.5, 3, 2 / 3, 0.5),
        CurvePoint(0.1, 4, 0.5, 0.5),
    ]
    assert precision_recall([], [], relevant=4) == []


@given(PAIRS)
def test_keeping_proposals_by_a_points_score_gives_that_point(pairs: list[tuple[float, bool]]) -> None:
    scores, truth = [score for score, _ in pairs], [is_true for _, is_true in pairs]
    for point in precision_recall(scores, truth, relevant=len(pairs)):
        kept = [is_true for score, is_true in pairs if score >= point.score]
        assert (point.kept, point.precision, point.recall) == (len(kept), sum(kept) / len(kept), sum(kept) / len(pairs))


def test_the_lowest_score_that_keeps_a_precision_with_enough_behind_it() -> None:
    curve = [
        CurvePoint(0.9, 1, 1.0, 0.1),
        CurvePoint(0.8, 20, 0.4, 0.3),
        CurvePoint(0.7, 40, 0.5, 0.5),
        CurvePoint(0.6, 80, 0.3, 0.6),
    ]
    assert point_of_precision(curve, 0.5, at_least=30) == curve[2]
    assert point_of_precision(curve, 0.3, at_least=30) == curve[3]
    assert point_of_precision(curve, 0.9, at_least=30) is None
    assert point_of_precision(curve, 0.9, at_least=1) == curve[0]
