"""Learns what the ranking starts with on a new site (analysis/data/prior.json and forest.npz) from editorial corpora.

    python -m tools.learn_prior CORPUS.jsonl.gz … --origin "which corpora, whose, under which licence" [--pages 2500]

Every corpus is read with half of its links and with none, so that what is learned holds for a site in any state. The pairs to
tell apart are the candidates of the pages that its editors gave a link. Each corpus counts the same, however large. What is
written are a mean, a standard deviation and a weight for each feature, and the nodes of trees: no text and no address.

The calibration comes from corpora that neither regression nor forest have seen: each is left out once. What is printed on the way
is recall@4 on the corpus that was left out: half of its links hidden and the other half to learn from, the same without learning,
and all links hidden.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analysis import evidence, ranking
from analysis.embedding.bundled import BundledEmbedder
from analysis.forest import NAME as FOREST_NAME
from analysis.records import Page
from analysis.site import embedded_text
from tools.editorial_corpus import read_corpus_file
from tools.grow_forest import NO_TREES, grow
from tools.lessons import Lesson, read_lesson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.forest import Forest

SHARES = (0.5, 1.0)  # of the links that are hidden
PULL = 30.0
PAIRS_OF_A_LESSON = 30_000  # so many pairs does each lesson weigh
TEXT_CHARS = 1500
TOP = 4
FOLDER = Path(__file__).parents[1] / "analysis" / "data"


class Shown(NamedTuple):
    """The rows that a plan would show: their scores, and whether the editors had the link."""

    scores: NDArray[np.float64]
    is_right: NDArray[np.bool_]
    recall: float  # of the hidden links, at most TOP a page counted


def learn(lessons: Sequence[Lesson], pull: float = PULL) -> ranking.Ranker:
    """A regression and a forest over all lessons, each of the same weight; not yet calibrated."""
    weights = [np.full(len(lesson.is_linked), PAIRS_OF_A_LESSON / len(lesson.is_linked)) for lesson in lessons]
    rows = np.concatenate([lesson.evidence for lesson in lessons])
    importance = np.concatenate(weights)
    center = np.average(rows, axis=0, weights=importance)
    scale = np.sqrt(np.average((rows - center) ** 2, axis=0, weights=importance))
    blank = ranking.Ranker(center, np.where(scale > 0, scale, 1), np.zeros(rows.shape[1] + 1), NO_TREES)
    is_linked = np.concatenate([lesson.is_linked for lesson in lessons])
    regression = blank.adapted(rows, is_linked, pull=pull, importance=importance)
    return replace(regression, forest=grow(lessons, regression))


def show(ranker: ranking.Ranker, lesson: Lesson) -> Shown:
    """The first rows of each page, links that the page has left out."""
    scores, is_right, found = [], [], 0
    for start, size, hidden in zip(lesson.starts, lesson.sizes, lesson.hidden, strict=True):
        new = start + np.flatnonzero(~lesson.is_visible[start : start + size])
        own = ranker.scores(lesson.evidence[new])
        first = np.argsort(-own, kind="stable")[:TOP]
        if hidden:
            scores.append(own[first])
            is_right.append(lesson.is_linked[new[first]])
            found += int(is_right[-1].sum())
    return Shown(np.concatenate(scores), np.concatenate(is_right), found / int(np.minimum(lesson.hidden, TOP).sum()))


def calibrate(shown: Sequence[Shown]) -> tuple[float, float]:
    """Slope and shift from scores to log-odds (Platt 1999), each corpus of the same weight."""
    scores = np.concatenate([rows.scores for rows in shown])
    weights = np.concatenate([np.full(len(rows.scores), 1000 / len(rows.scores)) for rows in shown])
    table = np.stack([scores, np.ones_like(scores)], axis=1)
    slope, shift = ranking.fit(table, np.concatenate([rows.is_right for rows in shown]), weights, np.zeros(2), pull=1e-3)
    return round(float(slope), 4), round(float(shift), 4)


def write(ranker: ranking.Ranker, origin: str, folder: Path) -> None:
    """Write the coefficients, four significant digits, one feature a line; and the forest beside them."""
    columns = zip(evidence.FEATURES, ranker.center, ranker.scale, ranker.weights[:-1], strict=True)
    features = {name: [float(f"{value:.4g}") for value in values] for name, *values in columns}
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(values)}" for name, values in features.items())
    head = f'{{\n  "origin": {json.dumps(origin, ensure_ascii=False)},\n  "columns": ["mean", "standard deviation", "weight"],\n'
    more = f'  "calibration": {json.dumps(ranker.calibration)},\n  "bias": {ranker.weights[-1]:.4g},\n'
    (folder / "prior.json").write_text(f'{head}{more}  "features": {{\n{lines}\n  }}\n}}\n', encoding="utf-8")
    write_forest(ranker.forest, folder)


def write_forest(forest: Forest, folder: Path) -> None:
    """Write the trees with the names of the features that they look at."""
    arrays = {name: getattr(forest, name) for name in ("feature", "threshold", "left", "right", "value", "roots", "depth")}
    np.savez_compressed(folder / FOREST_NAME, features=np.array(evidence.FEATURES), **arrays)


def read_lessons(path: Path, pages_at_most: int, embedder: BundledEmbedder) -> list[Lesson]:
    """The lessons of one corpus; of a larger one so many pages as a hash of their addresses draws."""
    pages = _drawn(read_corpus_file(path), pages_at_most)
    vectors = embedder.encode([embedded_text(page, TEXT_CHARS) for page in pages])
    titles = embedder.encode([page.head.title for page in pages])
    return [read_lesson(pages, share, vectors, titles) for share in SHARES]


def _drawn(pages: Sequence[Page], at_most: int) -> list[Page]:
    kept = sorted(pages, key=lambda page: hashlib.sha256(page.head.url.encode()).digest())[:at_most]
    number = {page.head.index: position for position, page in enumerate(kept)}
    return [
        Page(
            replace(page.head, index=number[page.head.index]),
            page.blocks,
            tuple(replace(link, target=number[link.target]) for link in page.links if link.target in number),
        )
        for page in kept
    ]


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--origin", required=True, help="note that is kept with the coefficients")
    parser.add_argument("--pages", type=int, default=2500, help="of a corpus, at most")
    parser.add_argument("--output", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    embedder = BundledEmbedder()
    lessons = {path.name: read_lessons(path, arguments.pages, embedder) for path in arguments.corpora}
    shown = []
    for name, (half, none) in lessons.items():
        blind = learn([lesson for other, both in lessons.items() if other != name for lesson in both])
        rows, is_visible, linking = half.seen
        own = show(blind.adapted(rows, is_visible, pages=linking), half)
        shown.append(own)
        print(f"{name}: {own.recall:.3f} {show(blind, half).recall:.3f} {show(blind, none).recall:.3f}", flush=True)
    ranker = learn([lesson for both in lessons.values() for lesson in both])
    write(replace(ranker, calibration=calibrate(shown)), arguments.origin, arguments.output)


if __name__ == "__main__":
    main()
