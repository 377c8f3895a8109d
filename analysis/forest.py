"""Gradient-boosted trees over evidence: what holds on every site and no straight line can say ("a rare name, but only if …").

The trees are learned by tools/learn_prior.py with LightGBM (LambdaMART: Burges 2010) and shipped as arrays, so that nothing but
numpy is needed to walk them.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from analysis.evidence import FEATURES

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAME = "forest.npz"


class ForestError(ValueError):
    """The shipped trees do not belong to the evidence that this version measures."""


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Trees as one table of nodes: a pair goes to ``left`` where its feature is at most the threshold; a leaf leads to itself."""

    feature: NDArray[np.int16]  # (nodes,)
    threshold: NDArray[np.float64]  # (nodes,); of a leaf, infinity
    left: NDArray[np.int32]  # (nodes,)
    right: NDArray[np.int32]  # (nodes,)
    value: NDArray[np.float64]  # (nodes,): what a leaf adds to the score
    roots: NDArray[np.int32]  # (trees,)
    depth: int  # splits on the longest way from a root to a leaf

    def scores(self, evidence: NDArray[np.float32]) -> NDArray[np.float64]:
        """The sum over all trees for each row of (pairs, features) evidence; only its order means something."""
        pairs = np.arange(len(evidence))[:, None]
        at = np.repeat(self.roots[None, :], len(evidence), axis=0)
        for _ in range(self.depth):
            at = np.where(evidence[pairs, self.feature[at]] <= self.threshold[at], self.left[at], self.right[at])
        scores: NDArray[np.float64] = self.value[at].sum(axis=1)
        return scores


def load_forest() -> Forest:
    """The shipped trees.

    :raises ForestError: if they were learned from other evidence.
    """
    with resources.files("analysis.data").joinpath(NAME).open("rb") as file, np.load(file) as table:
        if tuple(table["features"]) != FEATURES:
            raise ForestError(f"{NAME} does not fit the evidence: learn it again")
        arrays = {name: table[name] for name in ("feature", "threshold", "left", "right", "value", "roots")}
        return Forest(**arrays, depth=int(table["depth"]))
