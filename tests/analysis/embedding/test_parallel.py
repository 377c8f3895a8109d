from __future__ import annotations

import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import analysis
from analysis.embedding.bundled import BundledEmbedder
from analysis.embedding.parallel import EmbeddingPool
from analysis.embedding.protocol import EmbedderError
from tests.analysis.embedding.texts import many


class Echo:
    """The first character codes of each text as its vector, and a few ways to fail."""

    model_id = "echo"
    dimension = 4
    languages = None
    truncates_after = None

    def encode(self, texts):
        for text in texts:
            os.write(1, b"noise on standard output")
            if text == "fail":
                raise ValueError("no such luck")
            if text == "missing":
                raise EmbedderError("The model is missing.")
            if text == "die":
                os._exit(7)
        return np.array([[*map(ord, text[:3].ljust(3)), os.getpid()] for text in texts], dtype=np.float64).astype(np.float32)


def test_order_is_kept_over_workers():
    texts = [f"{i:03}" for i in range(200)]
    with EmbeddingPool(Echo(), workers=2) as pool:
        vectors = np.concatenate(list(pool.encode_chunks(texts[i : i + 3] for i in range(0, 200, 3))))

    assert ["".join(map(chr, row[:3].astype(int))) for row in vectors] == texts
    assert len(set(vectors[:, 3])) == 2


def test_a_small_job_starts_no_process():
    with EmbeddingPool(Echo(), workers=2) as pool:
        (vectors,) = pool.encode_chunks([["abc"]])

    assert vectors[0, 3] == np.float32(os.getpid())


def test_chunks_are_taken_only_a_few_ahead():
    taken = 0

    def chunks():
        nonlocal taken
        for _ in range(100):
            taken += 1
            yield ["abc"]

    with EmbeddingPool(Echo(), workers=2) as pool:
        next(pool.encode_chunks(chunks()))

    assert taken < 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fail", "Embedding failed: ValueError: no such luck."),
        ("missing", "The model is missing."),
        ("die", r"ended by itself \(exit code 7\)"),
    ],
)
def test_what_goes_wrong_in_a_worker_is_told(text, message):
    with EmbeddingPool(Echo(), workers=2) as pool, pytest.raises(EmbedderError, match=message):
        list(pool.encode_chunks([["abc"]] * 5 + [[text]] + [["abc"]] * 5))


@pytest.mark.slow
def test_the_same_bytes_with_any_number_of_workers_and_any_chunks():
    embedder = BundledEmbedder()
    texts = many(40)
    whole = embedder.encode(texts)
    with EmbeddingPool(embedder, workers=2) as pool:
        for size in (1, 7):
            parts = pool.encode_chunks(texts[i : i + size] for i in range(0, len(texts), size))
            assert np.concatenate(list(parts)).tobytes() == whole.tobytes()


def test_a_pool_can_be_used_again_after_it_was_closed():
    pool = EmbeddingPool(Echo(), workers=2)
    for _ in range(2):
        assert len(list(pool.encode_chunks([["abc"]] * 6))) == 6
        pool.close()


_SCRIPT = """
import sys
print("the main module runs")
sys.path.insert(0, sys.argv[1])
from analysis.embedding import parallel
from analysis.embedding.bundled import BundledEmbedder
assert sys.argv[1] in parallel.__file__
pool = parallel.EmbeddingPool(BundledEmbedder(), workers=2)
print(sum(len(rows) for rows in pool.encode_chunks([["text"]] * 6)))
if len(sys.argv) > 2:
    import os, signal
    os.kill(os.getpid(), signal.SIGKILL)
pool.close()
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "unguarded.py"
    path.write_text(_SCRIPT)
    return path


@pytest.mark.slow
def test_works_from_an_egg_and_never_runs_the_main_module_again(script, tmp_path):
    egg = tmp_path / "project.egg"
    package = Path(analysis.__file__).parent
    with zipfile.ZipFile(egg, "w") as archive:
        for file in package.rglob("*.py"):
            archive.write(file, file.relative_to(package.parent))

    done = subprocess.run(
        [sys.executable, str(script), str(egg)], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
    )

    assert done.stdout.splitlines() == ["the main module runs", "6"]
    assert not done.stderr


@pytest.mark.slow
def test_workers_end_with_a_parent_that_was_killed(script):
    root = str(Path(analysis.__file__).parent.parent)

    # The workers share standard error with the parent: as long as one of them lives, this waits, and the timeout fails the test.
    done = subprocess.run([sys.executable, str(script), root, "kill"], capture_output=True, check=False, timeout=120)

    assert done.returncode == -signal.SIGKILL
