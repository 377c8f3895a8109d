"""Learns the coefficients with which the ranking starts on a new site (analysis/data/prior.json) from editorial corpora.

    python -m tools.learn_prior CORPUS.jsonl.gz … --origin "which corpora, whose, under which licence"

Every corpus is read three times: with all its links, with half of them, and with none, so that the coefficients hold for a site
in any state. The pairs to tell apart are the candidates of the pages that its editors gave a link. Each corpus counts the same,
however large. What is written are a mean, a standard deviation and a weight for each feature: no text and no address.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analysis import candidates, evidence, ranking
from analysis.embedding.bundled import BundledEmbedder
from analysis.index.site import build_site_index, read_sites
from analysis.site import embedded_text
from tools.editorial_corpus import hides, read_corpus_file, without_links

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.records import Page

SHARES = (0.0, 0.5, 1.0)  # of the links that are hidden
PULL = 30.0
PAIRS_OF_A_CORPUS = 30_000  # so many pairs does each corpus weigh
TEXT_CHARS = 1500
OUTPUT = Path(__file__).parents[1] / "analysis" / "data" / "prior.json"


class Lesson(NamedTuple):
    """Pairs of pages and whether the editors linked them."""

    evidence: NDArray[np.float32]  # (pairs, features)
    is_linked: NDArray[np.bool_]


def read_lesson(
    pages: Sequence[Page], share: float, vectors: NDArray[np.float32], title_vectors: NDArray[np.float32], seed: str = "1"
) -> Lesson:
    """The candidates of the pages with links, measured with a share of all links hidden."""
    heads = [page.head for page in pages]
    linked = {(page.head.index, link.target) for page in pages for link in page.links}
    rows, labels = [], []
    for reader in read_sites(without_links(pages, hides(share, seed)), heads):
        site = build_site_index(reader, heads, vectors, title_vectors)
        for source, head in enumerate(site.heads):
            if pages[head.index].links:
                targets = candidates.find(site, source)
                rows.append(evidence.measure(site, source, targets))
                labels += [(head.index, site.heads[target].index) in linked for target in targets]
    return Lesson(np.concatenate(rows), np.array(labels, dtype=np.bool_))


def learn(lessons: Sequence[Lesson], pull: float = PULL) -> ranking.Ranker:
    """A logistic regression over all lessons, each of the same weight."""
    weights = [np.full(len(lesson.is_linked), PAIRS_OF_A_CORPUS / len(lesson.is_linked)) for lesson in lessons]
    rows = np.concatenate([lesson.evidence for lesson in lessons])
    importance = np.concatenate(weights)
    center = np.average(rows, axis=0, weights=importance)
    scale = np.sqrt(np.average((rows - center) ** 2, axis=0, weights=importance))
    blank = ranking.Ranker(center, np.where(scale > 0, scale, 1), np.zeros(rows.shape[1] + 1))
    is_linked = np.concatenate([lesson.is_linked for lesson in lessons])
    return blank.adapted(rows, is_linked, pull=pull, importance=importance)


def write(ranker: ranking.Ranker, origin: str, path: Path) -> None:
    """Write the coefficients, four significant digits, one feature a line."""
    columns = zip(evidence.FEATURES, ranker.center, ranker.scale, ranker.weights[:-1], strict=True)
    features = {name: [float(f"{value:.4g}") for value in values] for name, *values in columns}
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(values)}" for name, values in features.items())
    head = f'{{\n  "origin": {json.dumps(origin, ensure_ascii=False)},\n  "columns": ["mean", "standard deviation", "weight"],\n'
    path.write_text(f'{head}  "bias": {ranker.weights[-1]:.4g},\n  "features": {{\n{lines}\n  }}\n}}\n', encoding="utf-8")


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--origin", required=True, help="note that is kept with the coefficients")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    embedder = BundledEmbedder()
    lessons = []
    for path in arguments.corpora:
        pages = read_corpus_file(path)
        vectors = embedder.encode([embedded_text(page, TEXT_CHARS) for page in pages])
        titles = embedder.encode([page.head.title for page in pages])
        lessons += [read_lesson(pages, share, vectors, titles) for share in SHARES]
    write(learn(lessons), arguments.origin, arguments.output)


if __name__ == "__main__":
    main()
