"""Thresholds belong to a model: what 0.35 of one model is on the scale of another.

Models spread their cosines differently: unrelated pages of one site stand at 0.3 with one model and at 0.8 with another. A
threshold is carried over by the share of pairs that it lets pass. The same texts of the site itself are embedded with the model
that the threshold was set for (the bundled one, always at hand) and with the model in use; the cosines of two kinds of pairs,
half of them random pairs of one language and half nearest neighbours, give a distribution for each model; the threshold moves to
the value at the same quantile (equipercentile equating: Kolen & Brennan, "Test Equating, Scaling, and Linking", 2014, ch. 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Groups = NDArray[np.integer]

# Closer together where thresholds lie: among the near pairs, which are the upper half.
LEVELS = (0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995)
SAMPLE = 600  # texts to embed with both models: some seconds
_PAIRS = 20_000
_SEED = 1


@dataclass(frozen=True, slots=True)
class ModelScale:
    """How a model spreads the cosines of a sample of pairs: their quantiles at :data:`LEVELS`, ascending."""

    cosines: tuple[float, ...]

    def __post_init__(self) -> None:
        """:raises ValueError: if there is not one cosine a level, or they fall."""
        if len(self.cosines) != len(LEVELS) or any(a > b for a, b in zip(self.cosines, self.cosines[1:], strict=False)):
            raise ValueError(f"a scale has {len(LEVELS)} ascending cosines, not {self.cosines}")


def translate_threshold(cosine: float, reference: ModelScale, own: ModelScale) -> float:
    """The value of ``own`` that as large a share of the pairs reaches as reach ``cosine`` in ``reference``.

    Linear between the quantiles. Above the highest the way to 1 (the same text, in every model) is divided in proportion; below
    the lowest the distance is kept. Clipped to -1 .. 1; rises with ``cosine``.
    """
    low = own.cosines[0] - reference.cosines[0]
    x, y = np.array([*reference.cosines, 1.0]), np.array([*own.cosines, 1.0])
    value = cosine + low if cosine < x[0] else float(np.interp(cosine, x, y))
    return max(-1.0, min(1.0, value))


def sample_rows(groups: Groups, size: int = SAMPLE) -> NDArray[np.int64]:
    """Rows to embed with both models, ascending: a random sample, the same for the same site."""
    rows = np.random.default_rng(_SEED).choice(len(groups), min(size, len(groups)), replace=False)
    return np.sort(rows)


def page_scale(vectors: Floats, groups: Groups) -> ModelScale:
    """The scale of page-to-page cosines.

    ``vectors``: unit rows of the sampled pages, shape (n, d), n at most a few thousand; ``groups``: their languages, shape (n,).

    :raises ValueError: if no two pages share a language.
    """
    return _scale(vectors, groups, vectors, groups, same=True)


def sentence_scale(sentences: Floats, sentence_groups: Groups, titles: Floats, title_groups: Groups) -> ModelScale:
    """The scale of sentence-to-title cosines: random sentences with random titles, and with the nearest title, of one language.

    :raises ValueError: if no sentence shares a language with a title.
    """
    return _scale(sentences, sentence_groups, titles, title_groups, same=False)


def _scale(left: Floats, left_groups: Groups, right: Floats, right_groups: Groups, *, same: bool) -> ModelScale:
    cosines = left @ right.T
    related = np.equal.outer(left_groups, right_groups)
    related &= np.logical_and.outer(left.any(axis=1), right.any(axis=1))
    if same:
        np.fill_diagonal(related, val=False)
    if not related.any():
        raise ValueError("no two texts of one language to compare")
    near = np.where(related, cosines, -2).max(axis=1)[related.any(axis=1)]
    random = cosines[related]
    if len(random) > _PAIRS:
        random = np.random.default_rng(_SEED).choice(random, _PAIRS, replace=False)
    weights = np.concatenate([np.full(len(random), 0.5 / len(random)), np.full(len(near), 0.5 / len(near))])
    return ModelScale(_weighted_quantiles(np.concatenate([random, near]), weights))


def _weighted_quantiles(values: Floats, weights: NDArray[np.float64]) -> tuple[float, ...]:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) - weights[order] / 2
    return tuple(float(value) for value in np.interp(LEVELS, reached, values[order]))
