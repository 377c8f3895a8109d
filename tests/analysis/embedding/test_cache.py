from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from analysis.embedding.cache import CREATE_TABLE, VectorCache, embed_texts, text_digest
from analysis.embedding.parallel import EmbeddingPool


class Counting:
    """Counts what it is asked for; a vector tells its text's length and its model."""

    dimension = 2
    languages = None
    truncates_after = None

    def __init__(self, model_id="counting", mark=0.0):
        self.model_id = model_id
        self.mark = mark
        self.asked = []

    def encode(self, texts):
        self.asked += texts
        return np.array([[len(text), self.mark] for text in texts], dtype=np.float32).reshape(-1, 2)


@pytest.fixture(params=[None, ""], ids=["autocommit", "implicit transactions"])
def connection(request, tmp_path):
    connection = sqlite3.connect(tmp_path / "store.db", isolation_level=request.param)
    connection.execute(CREATE_TABLE)
    yield connection
    connection.close()


def embed(texts, embedder, connection, **more):
    return embed_texts(iter(texts), len(texts), EmbeddingPool(embedder, workers=1), connection, **more)


def test_only_what_is_new_is_computed(connection):
    embed(["a", "bb", "ccc"], Counting(), connection)
    second = Counting()
    vectors = embed(["ccc", "dddd", "a", ""], second, connection)

    assert sorted(second.asked) == ["", "dddd"]
    assert vectors[:, 0].tolist() == [3, 4, 1, 0]


def test_a_text_that_occurs_often_is_computed_once(connection):
    embedder = Counting()
    vectors = embed(["bb", "a", "bb", "bb"], embedder, connection)

    assert sorted(embedder.asked) == ["a", "bb"]
    assert vectors[:, 0].tolist() == [2, 1, 2, 2]


def test_models_do_not_mix_and_the_old_vectors_stay(connection):
    embed(["a"], Counting("one", 1), connection)
    assert embed(["a"], Counting("two", 2), connection)[0, 1] == 2
    back = Counting("one", 1)
    assert embed(["a"], back, connection)[0, 1] == 1
    assert not back.asked


def test_rows_are_right_over_many_windows_and_chunks(connection, monkeypatch):
    monkeypatch.setattr("analysis.embedding.cache._WINDOW_TEXTS", 50)
    monkeypatch.setattr("analysis.embedding.cache._CHUNK_CHARS", 300)
    texts = ["x" * (i * 37 % 101) for i in range(333)]
    told = []

    vectors = embed(texts, Counting(), connection, progress=lambda done, total: told.append((done, total)))

    assert vectors[:, 0].tolist() == [len(text) for text in texts]
    assert told == sorted(told)
    assert told[-1] == (333, 333)


def test_each_chunk_is_on_disk_before_the_next_is_computed(connection, tmp_path, monkeypatch):
    monkeypatch.setattr("analysis.embedding.cache._CHUNK_TEXTS", 10)
    other = sqlite3.connect(tmp_path / "store.db")
    seen = []

    class Watching(Counting):
        def encode(self, texts):
            seen.append(other.execute("SELECT count(*) FROM vector").fetchone()[0])
            return super().encode(texts)

    embed([f"{i:04}" for i in range(60)], Watching(), connection)
    other.close()

    # The pool looks at its first few chunks before it decides on processes; none of them is computed ahead of its turn.
    assert seen == [0, 10, 20, 30, 40, 50]


def test_a_vector_of_another_length_is_computed_again(connection):
    VectorCache(connection, "counting").put({text_digest("a"): np.ones(7, dtype=np.float32)})

    assert embed(["a"], Counting(), connection).tolist() == [[1, 0]]


def test_texts_that_were_not_announced_are_an_error(connection):
    pool = EmbeddingPool(Counting(), workers=1)
    with pytest.raises(ValueError, match="3 texts were announced, 2 came"):
        embed_texts(["a", "b"], 3, pool, connection)


def test_a_lone_surrogate_is_a_text_like_another(connection):
    assert text_digest("\ud800") != text_digest("?")
    assert embed(["\ud800"], Counting(), connection)[0, 0] == 1


_KILLED = """
import os, signal, sqlite3, sys
from analysis.embedding.bundled import BundledEmbedder
from analysis.embedding.cache import CREATE_TABLE, embed_texts
from analysis.embedding.parallel import EmbeddingPool
from tests.analysis.embedding.texts import many
connection = sqlite3.connect(sys.argv[1])
connection.execute("PRAGMA journal_mode = WAL")
connection.execute(CREATE_TABLE)
def progress(done, total):
    if done > 300:
        os.kill(os.getpid(), signal.SIGKILL)
texts = many(2000)
embed_texts(texts, len(texts), EmbeddingPool(BundledEmbedder(), workers=2), connection, progress)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
def test_a_kill_costs_no_more_than_what_was_being_computed(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(tmp_path / "store.db")],
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )

    with sqlite3.connect(tmp_path / "store.db") as connection:
        kept = connection.execute("SELECT count(*) FROM vector").fetchone()[0]
    connection.close()
    assert done.returncode == -signal.SIGKILL
    assert kept > 300
