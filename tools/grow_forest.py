"""Grows the forest of the ranking with LightGBM, and turns it into the arrays that analysis.forest walks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import lightgbm
import numpy as np

from analysis.forest import Forest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.lessons import Lesson

TREES = 200
_PARAMETERS = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 8,
    "learning_rate": 0.08,
    "num_leaves": 15,
    "min_data_in_leaf": 100,
    "lambda_l2": 10,
    "feature_fraction": 0.5,
    "seed": 1,
    "deterministic": True,
    "num_threads": 1,
    "verbose": -1,
}


def grow(lessons: Sequence[Lesson]) -> Forest:
    """A forest that ranks the candidates of a page, each lesson of the same weight."""
    rows = np.concatenate([lesson.evidence for lesson in lessons])
    linked = np.concatenate([lesson.is_linked for lesson in lessons]).astype(int)
    weights = np.concatenate([np.full(len(lesson.is_linked), 1e4 / len(lesson.is_linked)) for lesson in lessons])
    sizes = np.concatenate([lesson.sizes for lesson in lessons])
    booster = lightgbm.train(_PARAMETERS, lightgbm.Dataset(rows, linked, weight=weights, group=sizes), TREES)
    return _flat([tree["tree_structure"] for tree in booster.dump_model()["tree_info"]])


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
