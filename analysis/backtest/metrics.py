"""Measures of a ranking, each a function of plain values."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

BINS: Final = 10

_WORD = re.compile(r"\w+")


def ndcg(found: Sequence[bool], relevant: int, top: int) -> float:
    """Normalised discounted cumulative gain at ``top``, 0 to 1 (Järvelin and Kekäläinen 2002; gains are 0 or 1, log base 2).

    :param found: for each proposal, best first, whether it is relevant; no more than ``top`` of them.
    :param relevant: how many there are to be found, at least 1.
    """
    gain = sum(1 / math.log2(place + 2) for place, is_relevant in enumerate(found) if is_relevant)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(top, relevant)))


def word_f1(words: str, reference: str) -> float:
    """Harmonic mean of precision and recall of words, 0 to 1, blind to case and punctuation (Rajpurkar et al. 2016, SQuAD)."""
    mine, theirs = (Counter(_WORD.findall(text.lower())) for text in (words, reference))
    return 2 * (mine & theirs).total() / (mine.total() + theirs.total()) if mine and theirs else 0.0


def calibration_error(confidences: Sequence[float], is_true: Sequence[bool]) -> float | None:
    """Expected calibration error, 0 to 1: how far confidence is from the share that is true, in ten bins of equal width.

    The bins are those of a reliability diagram (Niculescu-Mizil and Caruana 2005), weighted by what lies in them (Naeini et al.
    2015). None without any confidence.
    """
    if not confidences:
        return None
    confidence, truth = np.asarray(confidences), np.asarray(is_true, dtype=float)
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, confidence - truth, minlength=BINS)
    return float(np.abs(gaps).sum() / len(confidence))


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What is left when only proposals of at least this score are kept."""

    score: float
    kept: int
    precision: float
    recall: float


def precision_recall(scores: Sequence[float], is_true: Sequence[bool], relevant: int) -> list[CurvePoint]:
    """Precision and recall at each score that occurs, highest first; ``relevant`` is how many there are to be found."""
    points: list[CurvePoint] = []
    ordered = sorted(zip(scores, is_true, strict=True), key=lambda pair: -pair[0])
    true = 0
    for kept, ((score, is_relevant), (following, _)) in enumerate(pairwise([*ordered, (-math.inf, False)]), start=1):
        true += is_relevant
        if following < score:
            points.append(CurvePoint(score, kept, true / kept, true / relevant))
    return points


def point_of_precision(curve: Sequence[CurvePoint], precision: float, at_least: int) -> CurvePoint | None:
    """The lowest score from which on ``precision`` is reached, with ``at_least`` proposals kept; None where there is none."""
    reached = [point for point in curve if point.precision >= precision and point.kept >= at_least]
    return reached[-1] if reached else None
