"""Grows the forest of the ranking with LightGBM, and turns it into the arrays that analysis.forest walks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import lightgbm
import numpy as np

from analysis.forest import Forest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.ranking import Ranker
    from tools.lessons import Lesson

_NO_NODE: Final = np.zeros(0, dtype=np.int32)
NO_TREES: Final = Forest(
    _NO_NODE.astype(np.int16), _NO_NODE.astype(np.float64), _NO_NODE, _NO_NODE, _NO_NODE.astype(np.float64), _NO_NODE, depth=0
)
TREES = 200
PAIRS_A_PAGE = 40  # twice what a forest is asked about; the easy pairs below teach it nothing and cost most of the time
_PARAMETERS = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 8,
    "learning_rate": 0.08,
    "num_leaves": 15,
    "min_data_in_leaf": 50,
    "lambda_l2": 10,
    "feature_fraction": 0.5,
    "seed": 1,
    "deterministic": True,
    "num_threads": 1,
    "verbose": -1,
}


def grow(lessons: Sequence[Lesson], regression: Ranker) -> Forest:
    """A forest that ranks what the regression puts first on a page, each lesson of the same weight."""
    kept = [_first_or_linked(lesson, regression.log_odds(lesson.evidence)) for lesson in lessons]
    pairs = list(zip(lessons, kept, strict=True))
    rows = np.concatenate([lesson.evidence[own] for lesson, own in pairs])
    linked = np.concatenate([lesson.is_linked[own] for lesson, own in pairs]).astype(int)
    weights = np.concatenate([np.full(own.sum(), 1e4 / own.sum()) for own in kept])
    sizes = np.concatenate([np.add.reduceat(own.astype(int), lesson.starts) for lesson, own in pairs])
    booster = lightgbm.train(_PARAMETERS, lightgbm.Dataset(rows, linked, weight=weights, group=sizes), TREES)
    return _flat([tree["tree_structure"] for tree in booster.dump_model()["tree_info"]])


def _first_or_linked(lesson: Lesson, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    order = np.lexsort((-scores, np.repeat(np.arange(len(lesson.sizes)), lesson.sizes)))
    rank = np.empty(len(scores), dtype=np.int64)
    rank[order] = np.arange(len(scores)) - np.repeat(lesson.starts, lesson.sizes)
    return lesson.is_linked | (rank < PAIRS_A_PAGE)


def _flat(trees: Sequence[dict[str, Any]]) -> Forest:
    nodes: list[tuple[int, float, int, int, float]] = []

    def add(node: dict[str, Any]) -> tuple[int, int]:
        """The number of a node in the table, and the splits below it."""
        number = len(nodes)
        if "leaf_value" in node:
            nodes.append((0, np.inf, number, number, node["leaf_value"]))
            return number, 0
        nodes.append((0, 0.0, 0, 0, 0.0))
        left, left_depth = add(node["left_child"])
        right, right_depth = add(node["right_child"])
        nodes[number] = (node["split_feature"], node["threshold"], left, right, 0.0)
        return number, 1 + max(left_depth, right_depth)

    roots, depths = zip(*map(add, trees), strict=True)
    feature, threshold, left, right, value = zip(*nodes, strict=True)
    return Forest(
        np.array(feature, dtype=np.int16),
        np.array(threshold, dtype=np.float64),
        np.array(left, dtype=np.int32),
        np.array(right, dtype=np.int32),
        np.array(value, dtype=np.float64),
        np.array(roots, dtype=np.int32),
        max(depths),
    )
