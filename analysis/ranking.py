"""Evidence to the probability that an editor of this site would place the link.

A logistic regression over standardised evidence. Its coefficients start from a prior learned on other sites (prior.json, made by
tools/learn_prior.py) and are fitted to the links of this site's own editors, pulled towards the prior by a quadratic penalty
on the distance from it (Chelba and Acero 2006, "Adaptation of maximum entropy capitalizer"). So a site with many links gets its
own ranking, a site with few a cautious change of the prior, and a site without links the prior. The best of a page by this
regression are then ranked by it and a forest that is the same for every site.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from importlib import resources
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.optimize import minimize
from scipy.special import lambertw

from analysis.evidence import FEATURES
from analysis.forest import Forest, load_forest

if TYPE_CHECKING:
    from numpy.typing import NDArray

PULL: Final = 30.0  # towards the prior; best of 1 to 100 on the corpora measured, and flat between 10 and 100
_BIAS_PULL: Final = 1e-3  # how densely a site is linked is its own affair
_FEW_OTHERS: Final = 10_000  # pairs without a link that are always learned from, and how many for each pair with one:
_OTHERS_A_LINK: Final = 10  # more change no weight by more than its own uncertainty
SHORTLIST: Final = 20  # candidates of a page that the forest sees; more change no link of the first four on the corpora measured
FOREST_WEIGHT: Final = 1.0  # of its score beside the log-odds; flat between 0.75 and 1.5 on five corpora that it had not seen
SURE: Final = 0.6  # probability from which a row is marked; the precision behind it: docs/ranking.md
LIKELY: Final = 0.4
_LEAST_SHARE: Final = 0.4  # of the mean: where no page has two links, the formula has no bottom
_LARGEST: Final = 6.0  # standard deviations; what lies beyond on a new site is no better known than this


class PriorError(ValueError):
    """The shipped coefficients do not belong to the evidence that this version measures."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranker:
    """A logistic regression beside a forest; evidence is centred and scaled by what was usual on the sites of the prior."""

    center: NDArray[np.float64]  # (features,)
    scale: NDArray[np.float64]  # (features,)
    weights: NDArray[np.float64]  # (features + 1,), the bias last
    forest: Forest
    calibration: tuple[float, float] = (1.0, 0.0)  # slope and shift from a score to log-odds (Platt 1999)

    def log_odds(self, evidence: NDArray[np.float32]) -> NDArray[np.float64]:
        """What the regression alone says, for each row of (pairs, features) evidence."""
        scores: NDArray[np.float64] = self.standardised(evidence) @ self.weights
        return scores

    def scores(self, evidence: NDArray[np.float32]) -> NDArray[np.float64]:
        """What all candidates of one page are ranked by: (candidates,)."""
        scores = self.log_odds(evidence)
        if not len(scores):
            return scores
        short = np.argsort(-scores, kind="stable")[:SHORTLIST]
        opinions = self.forest.scores(evidence[short])
        opinion = np.full(len(scores), opinions.min())
        opinion[short] = opinions
        return scores + FOREST_WEIGHT * opinion

    def confidence(self, evidence: NDArray[np.float32]) -> NDArray[np.float64]:
        """Probability that an editor would place each link, 0 to 1; the rows are all candidates of one page."""
        slope, shift = self.calibration
        return _sigmoid(slope * self.scores(evidence) + shift)

    def level(self, confidence: float) -> str:
        """``sure``, ``likely`` or nothing."""
        return "sure" if confidence >= SURE else "likely" if confidence >= LIKELY else ""

    def adapted(
        self,
        evidence: NDArray[np.float32],
        is_linked: NDArray[np.bool_],
        pull: float = PULL,
        importance: NDArray[np.float64] | None = None,
        pages: int = 0,
    ) -> Ranker:
        """Move this model towards what separates linked pairs from the others; itself where no pair is linked.

        :param pages: on how many pages the pairs stand, if only pages with a link were looked at: the model then holds for any.
        """
        if not is_linked.any():
            return self
        kept, weights = _thinned(is_linked)
        if importance is not None:
            weights = weights * importance[kept]
        fitted = fit(self.standardised(evidence[kept]), is_linked[kept], weights, self.weights, pull)
        if pages:
            fitted[-1] += _truncation(int(is_linked.sum()) / pages)
        return replace(self, weights=fitted)

    def standardised(self, evidence: NDArray[np.float32]) -> NDArray[np.float64]:
        """Evidence in standard deviations from the mean, and a last column of ones: (pairs, features + 1)."""
        scaled = ((evidence - self.center) / self.scale).clip(-_LARGEST, _LARGEST)
        return np.hstack([scaled, np.ones((len(evidence), 1))])


def load_prior() -> Ranker:
    """The shipped model.

    :raises PriorError: if it was learned from other evidence.
    """
    prior = json.loads(resources.files("analysis.data").joinpath("prior.json").read_text(encoding="utf-8"))
    rows = prior["features"]
    if tuple(rows) != FEATURES:
        changed = sorted(set(rows) ^ set(FEATURES))
        raise PriorError(f"prior.json does not fit the evidence (learn it again): {', '.join(changed) or 'the order differs'}")
    table = np.array(list(rows.values()), dtype=np.float64)
    slope, shift = prior["calibration"]
    return Ranker(table[:, 0], table[:, 1], np.append(table[:, 2], prior["bias"]), load_forest(), (slope, shift))


def fit(
    rows: NDArray[np.float64],
    is_positive: NDArray[np.bool_],
    importance: NDArray[np.float64],
    start: NDArray[np.float64],
    pull: float,
) -> NDArray[np.float64]:
    """Weights of a logistic regression with a quadratic penalty on their distance from ``start``; the last column is the bias."""
    penalty = np.full(len(start), pull)
    penalty[-1] = _BIAS_PULL

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = rows @ weights
        moved = weights - start
        losses = importance * (np.logaddexp(0, scores) - scores * is_positive)
        errors = importance * (_sigmoid(scores) - is_positive)
        return float(losses.sum() + 0.5 * (penalty * moved * moved).sum()), rows.T @ errors + penalty * moved

    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x, dtype=np.float64)


def _truncation(links_a_page: float) -> float:
    """What pages with a link have in log-odds over any page, with the sign turned, for so many links on each of them.

    The number of links of a page is taken as Poisson; those with none were cut off, which raises the mean from x to
    x / (1 - exp(-x)). Turned round with Lambert's W (Corless et al. 1996).
    """
    mean = links_a_page + float(lambertw(-links_a_page * np.exp(-links_a_page)).real)
    return float(np.log(max(mean / links_a_page, _LEAST_SHARE)))


def _thinned(is_linked: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Every linked pair and an even choice of the others, with the number of pairs that each stands for."""
    linked, others = np.flatnonzero(is_linked), np.flatnonzero(~is_linked)
    step = max(1, len(others) // max(_FEW_OTHERS, _OTHERS_A_LINK * len(linked)))
    chosen = others[::step]
    weights = np.concatenate([np.ones(len(linked)), np.full(len(chosen), len(others) / max(len(chosen), 1))])
    return np.concatenate([linked, chosen]), weights


def _sigmoid(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    half: NDArray[np.float64] = 0.5 * (1 + np.tanh(0.5 * scores))
    return half


def reason(evidence: NDArray[np.float32]) -> str:
    """Why a target is proposed, in a few words, from its row of evidence."""
    value = dict(zip(FEATURES, evidence.tolist(), strict=True))
    parts = []
    if value["name"] and value["name_free"]:
        parts.append("its title stands in the text" if value["name_is_title"] else "its name stands in the text")
    elif value["title_share"] >= 0.5:
        parts.append("title words in one sentence")
    elif value["section"]:
        parts.append("one of its headings stands in the text")
    if value["anchor_pages"] and value["anchor_free"]:
        pages = round(np.expm1(value["anchor_pages"]))
        parts.append(f"used as anchor on {pages} page{'s' if pages != 1 else ''}")
    if value["links_back"]:
        parts.append("links back")
    parts.append(f"close in meaning {value['cosine']:.2f}")
    return "; ".join(parts)
