"""What a cosine threshold lets pass, model by model, and how well thresholds are carried over from the bundled model to others.

    python -m benchmarks.thresholds CORPUS.jsonl.gz [--models bundled FOLDER_OR_NAME ...] [--pages 200] [--articles 30]

CORPUS holds one page a line, {"url", "lang", "title", "html"}; --pages of them, by a hash of the URL, are the site. Printed are,
for each model: the share of random pairs of pages that reach a page threshold; and how many links an article would get by the
guide's rules (its first 60 sentences against the titles of its 14 nearest pages, at most 4 links) for a sentence threshold; both
also for the first model's threshold as it is translated to this model.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from typing import TYPE_CHECKING, NamedTuple

import lxml.html
import numpy as np

from analysis.calibration import ModelScale, page_scale, sentence_scale, translate_threshold
from analysis.config import PlanConfig
from analysis.embedding.factory import make_embedder
from analysis.sentences import split

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

PAGE_THRESHOLDS = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55)
SENTENCE_THRESHOLDS = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.72)
CANDIDATES, SENTENCES, LINKS = 14, 60, 4  # the guide's


class Site(NamedTuple):
    """The texts of a corpus: of every page, and the sentences of some articles."""

    texts: list[str]
    titles: list[str]
    articles: list[int]
    sentences: list[list[str]]


class Measured(NamedTuple):
    """A model's vectors of a site, reduced to what the thresholds see."""

    random_pairs: Floats
    best: Floats  # (articles, CANDIDATES): each candidate's best sentence
    pages: ModelScale
    sentences: ModelScale


def read_site(path: str, pages: int, articles: int) -> Site:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    rows = sorted(rows, key=lambda row: hashlib.sha256(row["url"].encode()).digest())[:pages]
    texts, sentences = [], []
    for row in rows:
        root = lxml.html.fragment_fromstring(row["html"], create_parent="div")
        texts.append(f"{row['title']}. {_words(root)[:1500]}")
        paragraphs = [_words(block) for block in root.iter("p")]
        found = [text[start:end] for text in paragraphs for start, end in split(text, row["lang"]) if end - start > 30]
        sentences.append(found[:SENTENCES])
    some = [index for index, found in enumerate(sentences) if found][:articles]
    return Site(texts, [row["title"] for row in rows], some, [sentences[index] for index in some])


def _words(element: lxml.html.HtmlElement) -> str:
    return " ".join(str(element.xpath("string()")).split())


def measure(model: str, site: Site) -> Measured:
    config = PlanConfig() if model == "bundled" else PlanConfig(embedder="sentence-transformers", model=model)
    embedder = make_embedder(config)
    pages, titles = embedder.encode(site.texts), embedder.encode(site.titles)
    flat = embedder.encode([sentence for found in site.sentences for sentence in found])
    ends = np.cumsum([len(found) for found in site.sentences])
    cosines = pages @ pages.T
    random_pairs = cosines[np.triu_indices(len(pages), 1)]
    np.fill_diagonal(cosines, -1)
    best = []
    for article, end, found in zip(site.articles, ends, site.sentences, strict=True):
        candidates = np.argsort(-cosines[article])[:CANDIDATES]
        best.append((flat[end - len(found) : end] @ titles[candidates].T).max(axis=0))
    one = np.zeros(len(pages), dtype=np.int64)
    sentences = sentence_scale(flat, np.zeros(len(flat), dtype=np.int64), titles, one)
    return Measured(random_pairs, np.array(best), page_scale(pages, one), sentences)


def links_per_article(best: Floats, threshold: float) -> float:
    return float(np.minimum((best >= threshold).sum(axis=1), LINKS).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--models", nargs="+", default=["bundled"])
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--articles", type=int, default=30)
    arguments = parser.parse_args()
    site = read_site(arguments.corpus, arguments.pages, arguments.articles)
    measured = {model: measure(model, site) for model in arguments.models}
    first = measured[arguments.models[0]]
    for model, found in measured.items():
        print(f"{model}, pages: threshold -> share of random pairs", flush=True)
        for threshold in PAGE_THRESHOLDS:
            own = translate_threshold(threshold, first.pages, found.pages)
            print(
                f"  {threshold:.2f}: {(found.random_pairs >= threshold).mean():7.4f}"
                f"   translated {own:.3f}: {(found.random_pairs >= own).mean():7.4f}"
            )
        print(f"{model}, sentences: threshold -> links an article")
        for threshold in SENTENCE_THRESHOLDS:
            own = translate_threshold(threshold, first.sentences, found.sentences)
            print(
                f"  {threshold:.2f}: {links_per_article(found.best, threshold):5.2f}"
                f"   translated {own:.3f}: {links_per_article(found.best, own):5.2f}"
            )


if __name__ == "__main__":
    main()
