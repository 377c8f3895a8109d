"""How many links of a corpus's editors each method finds again, and whether it puts them where the editors had them.

    python -m benchmarks.editorial_links CORPUS.jsonl.gz … [--share 0.5] [--seed 1] [--method learned] [--json]

A corpus has one page a line: {"url", "lang", "title", "html"}, its links in the URL space of "url". A share of all
(source, target) pairs is hidden, the same ones for the same seed; each page has four proposals. What the columns mean stands in
docs/backtest.md. The pages go through everything that a crawled page goes through, but for the network; vectors are kept nowhere.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from dataclasses import asdict
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from analysis.backtest import run
from analysis.backtest.scores import ALL, MethodScores, Scores
from analysis.config import METHODS, PlanConfig
from analysis.corpus import read_corpus
from analysis.embedding.factory import make_pool
from analysis.graph import read_graph
from analysis.html.article import find_article
from analysis.html.blocks import read_blocks
from analysis.html.metadata import read_metadata
from analysis.html.parse import parse_html
from analysis.site import Site
from analysis.store import CrawlStore, NewUrl, StoredPage, UrlKind
from analysis.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

BASE = "https://corpus.example"
COLUMNS = ("recall", "precision", "ndcg", "placed", "anchor_f1", "exact", "insertable", "coverage")


def store_corpus(rows: Iterable[Mapping[str, str]], folder: Path) -> CrawlStore:
    """A crawl store of these pages, as if they had been crawled; the first page of an address counts."""
    store = CrawlStore.create(folder)
    for row in rows:
        page = read_page(row)
        if store.urls.find(UrlKind.PAGE, page.key) is None:
            store.urls.add([NewUrl(UrlKind.PAGE, page.key, page.url)])
            listed = store.urls.find(UrlKind.PAGE, page.key)
            assert listed is not None
            store.pages.put(page, listed.id, 1)
    return store


def read_page(row: Mapping[str, str]) -> StoredPage:
    """A page of a corpus as the crawl would read it."""
    url = BASE + row["url"]
    head = f'<!doctype html><html lang="{escape(row["lang"])}"><head><title>{escape(row["title"])}</title></head>'
    source = f"{head}<body><main>{row['html']}</main></body></html>"
    root = parse_html(source)
    metadata = read_metadata(root, url)
    blocks, links = read_blocks(find_article(root), url)
    return StoredPage(
        key=page_key(url),
        url=url,
        raw_title=row["title"],
        h1=metadata.h1,
        language=row["lang"],
        published=metadata.published,
        alternates=(),
        blocks=blocks,
        links=links,
        html=source.encode(),
    )


def read_rows(path: Path) -> list[dict[str, str]]:
    """The lines of a corpus."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def embed(store: CrawlStore, config: PlanConfig) -> float:
    """Embed what all methods need; seconds."""
    corpus = read_corpus(store)
    start = time.monotonic()
    with make_pool(config) as pool:
        site = Site(corpus, read_graph(corpus.pages(), len(corpus)), pool, store.connection)
        site.page_vectors(config.text_chars)
        site.title_vectors()
    return time.monotonic() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the editors' links that is hidden")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--method", nargs="+", choices=METHODS, default=METHODS)
    parser.add_argument("--json", action="store_true", help="a line a corpus and method, with all figures")
    given = parser.parse_args()
    config = PlanConfig()
    if not given.json:
        heads = "".join(f"{column.replace('_', ' '):>15}" for column in COLUMNS)
        print(f"{'corpus':<16}{'method':<10}{'links':>7}{heads}   seconds")
    for path in given.corpora:
        name = path.name.partition(".")[0]
        with TemporaryDirectory() as folder, store_corpus(read_rows(path), Path(folder)) as store:
            embedding = embed(store, config)
            for method in given.method:
                start = time.monotonic()
                result = run.measure(store, config, [(0.0, given.share)], methods=[method], seed=given.seed)
                tell(name, result.methods[0], time.monotonic() - start, embedding, as_json=given.json)


def tell(corpus: str, scored: MethodScores, seconds: float, embedding: float, *, as_json: bool) -> None:
    if as_json:
        facts: dict[str, Any] = {"corpus": corpus, "seconds": round(seconds, 1), "embedding_seconds": round(embedding, 1)}
        print(json.dumps({**facts, **asdict(scored), "curve": None}, ensure_ascii=False))
        return
    print(f"{corpus:<16}{scored.method:<10}{_line(scored.total)}{seconds:>10.1f} (and {embedding:.1f} to embed)")
    if len(scored.by_language) > 2:
        for language, scores in scored.by_language.items():
            if language != ALL:
                print(f"{'':<16}{language:<10}{_line(scores)}")
    error = scored.calibration_error
    told = [f"{level}: precision {s.precision:.2f}, recall {s.recall:.2f}" for level, s in scored.levels.items()]
    told += [] if error is None else [f"calibration error {error:.3f}"]
    if told:
        print(f"{'':<26}{'; '.join(told)}")


def _line(scores: Scores) -> str:
    values = (getattr(scores, column) for column in COLUMNS)
    return f"{scores.links:>7}" + "".join(f"{'–' if value is None else format(value, '.3f'):>15}" for value in values)


if __name__ == "__main__":
    main()
