from __future__ import annotations

import faiss
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.vectors.neighbours import nearest


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def clustered(count, seed=0, dimension=32):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(20, dimension))
    return unit(centres[rng.integers(20, size=count)] + rng.normal(size=(count, dimension)) * 0.5)


def by_definition(vectors, groups, k):
    indices = np.full((len(vectors), k), -1)
    for i, vector in enumerate(vectors):
        if vector.any():
            others = [j for j in np.flatnonzero(groups == groups[i]) if j != i and vectors[j].any()]
            cosines = {j: round(float(vector @ vectors[j]), 6) for j in others}
            best = sorted(others, key=lambda j: (-cosines[j], j))[:k]
            indices[i, : len(best)] = best
    return indices


def test_is_the_definition():
    vectors = clustered(300)
    groups = np.random.default_rng(1).integers(3, size=300)
    vectors[[7, 8]] = 0
    vectors[20:60] = vectors[20]

    found = nearest(vectors, groups, 10)

    np.testing.assert_array_equal(found.indices, by_definition(vectors, groups, 10))
    linked = found.indices >= 0
    rows = np.broadcast_to(np.arange(300)[:, None], linked.shape)
    expected = np.einsum("nd,nd->n", vectors[rows[linked]], vectors[found.indices[linked]])
    np.testing.assert_allclose(found.cosines[linked], expected, atol=2e-6)
    assert not found.cosines[~linked].any()
    assert found.recall == 1.0


def test_more_copies_than_candidates_are_looked_at_are_ordered_by_index():
    vectors = np.repeat(clustered(4), 50, axis=0)

    found = nearest(vectors, np.zeros(200, dtype=int), 5)

    np.testing.assert_array_equal(found.indices[0], [1, 2, 3, 4, 5])
    np.testing.assert_array_equal(found.indices[199], [150, 151, 152, 153, 154])


@pytest.mark.parametrize("block", [1, 7, 100, 1024])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_bytes_depend_on_neither_block_nor_threads(block, threads):
    vectors = np.concatenate([clustered(600, dimension=512), clustered(600, dimension=512)[::3]])
    groups = np.arange(len(vectors)) % 2
    whole = nearest(vectors, groups, 12)
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(threads)
    try:
        found = nearest(vectors, groups, 12, block=block)
    finally:
        faiss.omp_set_num_threads(before)

    assert found.indices.tobytes() == whole.indices.tobytes()
    assert found.cosines.tobytes() == whole.cosines.tobytes()


def test_a_vector_is_answered_the_same_beside_other_groups():
    vectors = clustered(200)
    alone = nearest(vectors[:100], np.zeros(100, dtype=int), 8)
    beside = nearest(vectors, np.repeat([4, 9], 100), 8)

    np.testing.assert_array_equal(alone.indices, beside.indices[:100])
    assert beside.indices[100:].min() >= 100


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 12), st.integers(1, 6), st.integers(0, 1000))
def test_any_small_size(count, k, seed):
    rng = np.random.default_rng(seed)
    vectors = unit(rng.integers(-1, 2, size=(count, 3)) + np.array([0.0, 0.0, 1e-3]))
    groups = rng.integers(2, size=count)

    found = nearest(vectors, groups, k)

    assert found.indices.shape == found.cosines.shape == (count, k)
    np.testing.assert_array_equal(found.indices, by_definition(vectors, groups, k))


def test_groups_of_another_number_are_refused():
    with pytest.raises(ValueError, match="3 vectors, but 2 groups"):
        nearest(clustered(3), np.zeros(2, dtype=int), 1)


@pytest.mark.slow
def test_the_approximate_search_states_its_true_recall_and_repeats_itself():
    vectors = clustered(12_000)
    groups = np.zeros(len(vectors), dtype=int)
    exact = nearest(vectors, groups, 10)
    approximate = nearest(vectors, groups, 10, exact_limit=5000)
    again = nearest(vectors, groups, 10, exact_limit=5000, block=500)

    shared = [len(set(a) & set(b)) for a, b in zip(exact.indices, approximate.indices, strict=True)]
    assert approximate.recall >= 0.98
    assert np.mean(shared) / 10 == pytest.approx(approximate.recall, abs=0.01)
    assert again.indices.tobytes() == approximate.indices.tobytes()
    assert again.cosines.tobytes() == approximate.cosines.tobytes()
