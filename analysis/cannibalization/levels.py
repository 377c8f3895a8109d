"""How near nearest neighbours usually are on a site: the yardstick by which two pages are called close."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.records import PageHead

LEAST_DEVIATION: Final = 0.05  # of Fisher's z: on a site of one mould the deviation is all noise
LEAST_PAGES: Final = 20  # of a language, before it is measured alone


@dataclass(frozen=True, slots=True)
class Level:
    """How near nearest neighbours usually are, in Fisher's z of a cosine."""

    median: float
    deviation: float

    def beyond(self, cosine: float) -> float:
        """How many deviations a cosine lies above the usual nearest neighbour."""
        return (float(_fisher(cosine)) - self.median) / self.deviation

    def cosine(self, deviations: float) -> float:
        """The cosine that lies so many deviations above the usual."""
        return math.tanh(self.median + deviations * self.deviation)


def find_levels(heads: Sequence[PageHead], indices: NDArray[np.integer[Any]], cosines: NDArray[np.float32]) -> dict[str, Level]:
    """The level of each language; one with few pages takes that of the whole site."""
    first = slice(0, 1)  # no column at all where there is one page
    has_neighbour = (indices[:, first] >= 0).any(axis=1)
    nearest = cosines[has_neighbour, 0] if has_neighbour.any() else np.zeros(0, dtype=np.float32)
    languages = np.array([head.language for head in heads])
    levels = {}
    for language in sorted(set(languages.tolist())):
        own = nearest[languages[has_neighbour] == language]
        levels[language] = level_of(own if len(own) >= LEAST_PAGES else nearest)
    return levels


def level_of(cosines: NDArray[np.floating[Any]]) -> Level:
    """The level of a sample of neighbours; of none, that of pages that have nothing in common."""
    if not len(cosines):
        return Level(0.0, LEAST_DEVIATION)
    values = _fisher(cosines)
    median = float(np.median(values))
    deviation = 1.4826 * float(np.median(np.abs(values - median)))  # of a normal distribution this is the standard deviation
    return Level(median, max(deviation, LEAST_DEVIATION))


def _fisher(cosines: NDArray[np.floating[Any]] | float) -> NDArray[np.float64]:
    """Fisher's z of cosines (R. A. Fisher, 1921): on it the spread is the same everywhere, near 1 too."""
    return np.arctanh(np.clip(np.asarray(cosines, dtype=np.float64), -0.9999, 0.9999))
