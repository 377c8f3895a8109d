from __future__ import annotations

import json
from importlib import resources

import numpy as np
import pytest

from analysis import evidence, ranking
from analysis.forest import Forest


def lessons(seed: int, pairs: int, feature: str) -> tuple[np.ndarray, np.ndarray]:
    """Pairs in which only one feature tells linked from other pairs."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(pairs, len(evidence.FEATURES))).astype(np.float32)
    chance = 1 / (1 + np.exp(3 - 2 * rows[:, evidence.FEATURES.index(feature)]))
    return rows, rng.random(pairs) < chance


def one_leaf() -> Forest:
    """A forest without an opinion."""
    at, never = np.zeros(1, dtype=np.int32), np.full(1, np.inf)
    return Forest(np.zeros(1, dtype=np.int16), never, at, at, np.zeros(1), at, depth=0)


def blank() -> ranking.Ranker:
    size = len(evidence.FEATURES)
    return ranking.Ranker(np.zeros(size), np.ones(size), np.zeros(size + 1), one_leaf())


def test_the_shipped_prior_belongs_to_this_evidence() -> None:
    prior = ranking.load_prior()
    assert len(prior.weights) == len(evidence.FEATURES) + 1
    assert np.isfinite(prior.weights).all()
    assert (prior.scale > 0).all()


def test_the_prior_names_its_origin() -> None:
    prior = json.loads(resources.files("analysis.data").joinpath("prior.json").read_text(encoding="utf-8"))
    assert "icence" in prior["origin"] or "MIT" in prior["origin"]


def test_a_site_without_links_keeps_the_prior() -> None:
    prior = ranking.load_prior()
    rows, _ = lessons(1, 50, "name")
    assert prior.adapted(rows, np.zeros(50, dtype=np.bool_)) is prior


def test_a_site_with_links_learns_what_its_editors_look_at() -> None:
    rows, is_linked = lessons(1, 4000, "key_terms")
    ranker = blank().adapted(rows, is_linked)
    assert evidence.FEATURES[int(np.abs(ranker.weights[:-1]).argmax())] == "key_terms"
    new, truth = lessons(2, 2000, "key_terms")
    confidence = ranker.confidence(new)
    assert ((confidence >= 0) & (confidence <= 1)).all()
    assert confidence[truth].mean() > 2 * confidence[~truth].mean()


def test_few_links_move_the_prior_less_than_many() -> None:
    start = blank()
    few, many = (start.adapted(*lessons(1, pairs, "key_terms")) for pairs in (60, 6000))
    at = evidence.FEATURES.index("key_terms")
    assert 0 < few.weights[at] < many.weights[at]


def test_the_fit_is_the_same_each_time() -> None:
    rows, is_linked = lessons(3, 500, "anchor")
    assert (blank().adapted(rows, is_linked).weights == blank().adapted(rows, is_linked).weights).all()


def test_a_value_beyond_everything_known_does_not_decide_alone() -> None:
    prior = ranking.load_prior()
    row = prior.center.astype(np.float32)[None, :]
    far, farther = row.copy(), row.copy()
    at = evidence.FEATURES.index("title_mass")
    far[0, at], farther[0, at] = 1e3, 1e6
    assert prior.scores(far) == prior.scores(farther)


def test_pages_without_a_link_are_thought_of() -> None:
    rng = np.random.default_rng(5)
    pages, size = 4000, 25
    rows = rng.normal(size=(pages * size, len(evidence.FEATURES))).astype(np.float32)
    is_linked = rng.random(pages * size) < 0.04  # one a page on average, so a third of the pages has none
    linking = is_linked.reshape(pages, size).any(axis=1)
    kept = np.repeat(linking, size)
    naive = blank().adapted(rows[kept], is_linked[kept])
    ranker = blank().adapted(rows[kept], is_linked[kept], pages=int(linking.sum()))
    assert naive.confidence(rows[:size]).mean() > 0.055
    assert ranker.confidence(rows[:size]).mean() == pytest.approx(0.04, rel=0.15)


def test_the_forest_has_a_say_among_the_best_of_a_page_only() -> None:
    rows = np.zeros((ranking.SHORTLIST + 1, len(evidence.FEATURES)), dtype=np.float32)
    rows[:, 0] = np.linspace(1, 0, len(rows))  # the last one is not on the short list
    rows[[1, -1], 1] = 1
    leaves = np.array([0, 1, 2], dtype=np.int32)
    likes_the_second = Forest(
        feature=np.array([1, 0, 0], dtype=np.int16),
        threshold=np.array([0.5, np.inf, np.inf]),
        left=np.array([1, 1, 2], dtype=np.int32),
        right=np.array([2, 1, 2], dtype=np.int32),
        value=np.array([0.0, 0.0, 100.0]),
        roots=leaves[:1],
        depth=1,
    )
    size = len(evidence.FEATURES)
    weights = np.zeros(size + 1)
    weights[0] = 1
    ranker = ranking.Ranker(np.zeros(size), np.ones(size), weights, likes_the_second, calibration=(0.5, -1.0))
    confidence = ranker.confidence(rows)
    assert confidence.argmax() == 1
    assert confidence.argmin() == len(rows) - 1
    assert ((confidence > 0) & (confidence <= 1)).all()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"cosine": 0.61}, "close in meaning 0.61"),
        ({"cosine": 0.5, "title_share": 0.8}, "title words in one sentence; close in meaning 0.50"),
        (
            {"cosine": 0.4, "name": 5, "name_free": 1, "name_is_title": 1, "anchor_pages": np.log1p(3), "anchor_free": 1},
            "its title stands in the text; used as anchor on 3 pages; close in meaning 0.40",
        ),
    ],
)
def test_reasons_say_what_was_found(values: dict[str, float], expected: str) -> None:
    row = np.zeros(len(evidence.FEATURES), dtype=np.float32)
    for name, value in values.items():
        row[evidence.FEATURES.index(name)] = value
    assert ranking.reason(row) == expected
