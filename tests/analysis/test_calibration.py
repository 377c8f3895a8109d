from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.calibration import (
    LEVELS,
    ModelScale,
    page_scale,
    sample_rows,
    sentence_scale,
    translate_threshold,
)


def site(count=400, seed=0, dimension=64):
    """Unit vectors of a site with topics, and a language for each."""
    rng = np.random.default_rng(seed)
    topics = rng.normal(size=(30, dimension))
    vectors = topics[rng.integers(30, size=count)] + rng.normal(size=(count, dimension)) + 0.5
    return unit(vectors), rng.integers(2, size=count)


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def squeezed(vectors):
    """Another model of the same texts, with all cosines high: one more coordinate that all texts share."""
    return unit(np.hstack([vectors, np.full((len(vectors), 1), 1.5, dtype=np.float32)]))


def passing(vectors, groups, threshold):
    pairs = np.triu(groups[:, None] == groups[None, :], 1)
    return np.mean((vectors @ vectors.T)[pairs] >= threshold)


cosines = st.integers(-1000, 1000).map(lambda thousandths: thousandths / 1000)
scales = st.lists(cosines, min_size=len(LEVELS), max_size=len(LEVELS)).map(lambda values: ModelScale(tuple(sorted(values))))


@pytest.mark.parametrize("threshold", [0.2, 0.35, 0.5, 0.72])
def test_the_translated_threshold_lets_the_same_pairs_pass(threshold):
    vectors, groups = site()
    other = squeezed(vectors)

    own = translate_threshold(threshold, page_scale(vectors, groups), page_scale(other, groups))

    assert own > threshold + 0.05
    assert passing(other, groups, own) == pytest.approx(passing(vectors, groups, threshold), rel=0.1)


def test_a_model_is_its_own_translation():
    vectors, groups = site()
    scale = page_scale(vectors, groups)

    for threshold in np.linspace(-0.5, 1, 20):
        assert translate_threshold(threshold, scale, scale) == pytest.approx(threshold)


@given(scales, scales, cosines, cosines)
def test_a_higher_threshold_is_never_translated_to_a_lower_one(reference, own, first, second):
    low, high = sorted((first, second))

    assert -1 <= translate_threshold(low, reference, own) <= translate_threshold(high, reference, own) <= 1


def test_pairs_of_two_languages_and_blank_texts_do_not_count():
    vectors, groups = site()
    apart = vectors.copy()
    apart[groups == 1] *= -1  # cosines between the languages change their sign, within them nothing changes
    blank = np.vstack([vectors, np.zeros((50, vectors.shape[1]), dtype=np.float32)])

    scale = page_scale(vectors, groups)
    assert page_scale(apart, groups) == scale
    assert page_scale(blank, np.append(groups, [0] * 50)) == scale


def test_sentences_are_compared_with_titles_of_their_language():
    titles, title_groups = site(seed=1)
    sentences, sentence_groups = site(200, seed=2)
    scale = sentence_scale(sentences, sentence_groups, titles, title_groups)
    other = sentence_scale(squeezed(sentences), sentence_groups, squeezed(titles), title_groups)

    pairs = sentence_groups[:, None] == title_groups[None, :]
    own = translate_threshold(0.3, scale, other)
    share = np.mean((sentences @ titles.T)[pairs] >= 0.3)
    assert np.mean((squeezed(sentences) @ squeezed(titles).T)[pairs] >= own) == pytest.approx(share, rel=0.15)


@pytest.mark.parametrize("groups", [[], [1], [1, 2, 3]])
def test_nothing_to_compare_is_an_error(groups):
    with pytest.raises(ValueError, match="no two texts of one language"):
        page_scale(unit(np.ones((len(groups), 3))), np.array(groups))


def test_a_scale_must_ascend():
    with pytest.raises(ValueError, match="ascending"):
        ModelScale(tuple(reversed(LEVELS)))


def test_the_sample_is_the_same_for_the_same_site():
    groups = np.zeros(5000, dtype=int)

    rows = sample_rows(groups, 100)
    assert rows.tolist() == sample_rows(groups, 100).tolist()
    assert len(set(rows)) == 100
    assert sample_rows(groups[:7], 100).tolist() == list(range(7))
