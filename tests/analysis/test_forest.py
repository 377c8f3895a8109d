from __future__ import annotations

import numpy as np
import pytest

from analysis import forest
from analysis.evidence import FEATURES
from analysis.forest import Forest, load_forest
from analysis.ranking import Ranker
from tools.grow_forest import NO_TREES, PAIRS_A_PAGE, grow
from tools.lessons import Lesson


def stump_and_leaf() -> Forest:
    """A tree that asks whether feature 1 is at most 0.5, and one that adds 10 to everything."""
    return Forest(
        feature=np.array([1, 0, 0, 0], dtype=np.int16),
        threshold=np.array([0.5, np.inf, np.inf, np.inf]),
        left=np.array([1, 1, 2, 3], dtype=np.int32),
        right=np.array([2, 1, 2, 3], dtype=np.int32),
        value=np.array([0.0, -1.0, 2.0, 10.0]),
        roots=np.array([0, 3], dtype=np.int32),
        depth=1,
    )


def test_every_pair_walks_every_tree() -> None:
    rows = np.array([[9, 0.5], [9, 0.51], [9, -4]], dtype=np.float32)
    assert stump_and_leaf().scores(rows).tolist() == [9.0, 12.0, 9.0]


def test_no_pairs_no_scores() -> None:
    assert stump_and_leaf().scores(np.zeros((0, 2), dtype=np.float32)).shape == (0,)


def test_the_shipped_trees_belong_to_this_evidence_and_look_at_much_of_it() -> None:
    trees = load_forest()
    inner = np.isfinite(trees.threshold)
    assert len(set(trees.feature[inner].tolist())) > len(FEATURES) / 2
    ends = np.flatnonzero(~inner)
    assert (trees.left[ends] == ends).all()
    assert (trees.right[ends] == ends).all()


def test_the_shipped_trees_reach_a_leaf_within_their_depth() -> None:
    trees = load_forest()
    at = trees.roots
    rows = np.random.default_rng(1).normal(size=(50, len(FEATURES))).astype(np.float32)
    for row in rows:
        at = trees.roots
        for _ in range(trees.depth):
            at = np.where(row[trees.feature[at]] <= trees.threshold[at], trees.left[at], trees.right[at])
        assert not np.isfinite(trees.threshold[at]).any()


def test_trees_of_other_evidence_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest, "FEATURES", FEATURES[1:])
    with pytest.raises(forest.ForestError, match="learn it again"):
        load_forest()


def test_a_forest_is_grown_from_what_the_regression_puts_first() -> None:
    """A link is where two figures agree, which no straight line can say; a third one is set only far down on each page."""
    pages, size = 60, PAIRS_A_PAGE + 10
    order, one, other, far_down = range(4)
    rows = np.random.default_rng(1).normal(size=(pages * size, len(FEATURES))).astype(np.float32)
    rows[:, order] = np.tile(np.linspace(2, -2, size), pages)
    rows[:, far_down] = np.tile(np.arange(size) >= PAIRS_A_PAGE, pages)
    agree = (rows[:, one] > 0) == (rows[:, other] > 0)
    is_linked = agree & (rows[:, far_down] == 0)
    sizes = np.full(pages, size)
    lesson = Lesson(rows, is_linked, np.zeros_like(is_linked), sizes, is_linked.reshape(pages, size).sum(axis=1))
    weights = np.zeros(len(FEATURES) + 1)
    weights[order] = 1
    trees = grow([lesson], Ranker(np.zeros(len(FEATURES)), np.ones(len(FEATURES)), weights, NO_TREES))
    scores = trees.scores(rows)
    assert scores[agree].mean() > scores[~agree].mean() + 1
    assert far_down not in trees.feature[np.isfinite(trees.threshold)]


def test_no_trees_have_no_opinion() -> None:
    assert NO_TREES.scores(np.ones((3, 2), dtype=np.float32)).tolist() == [0, 0, 0]
