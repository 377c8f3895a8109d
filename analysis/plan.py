"""From the crawl store to the outputs: the one place where the steps are called in their order."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING

from analysis import outputs, semantic
from analysis.corpus import read_corpus
from analysis.coverage import read_coverage
from analysis.embedding.cache import embed_texts
from analysis.embedding.factory import make_embedder
from analysis.embedding.parallel import EmbeddingPool
from analysis.embedding.protocol import EmbedderError
from analysis.graph import read_graph
from analysis.progress import progress
from analysis.records import Page, PlanRow, Proposal
from analysis.store import CrawlStore, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from analysis.config import PlanConfig
    from analysis.corpus import Corpus
    from analysis.coverage import Coverage
    from analysis.graph import LinkGraph

logger = logging.getLogger(__name__)

_BEST = 10  # proposals shown in the summary


class PlanError(Exception):
    """There is no plan to be made; the message says why in one sentence."""


def run(folder: Path, config: PlanConfig) -> outputs.Summary:
    """Plan the crawl in ``folder`` and write all outputs there.

    :raises PlanError: if there is no crawl, no article, or no model; what was written before stays as it is.
    """
    try:
        with CrawlStore.open(folder) as store:
            return _run(store, config)
    except (StoreError, EmbedderError) as error:
        raise PlanError(str(error)) from error


def check_model(config: PlanConfig) -> None:
    """Find out before a long crawl whether its pages can be embedded afterwards.

    :raises PlanError: if the embedder's package or model is missing.
    """
    try:
        make_embedder(config)
    except EmbedderError as error:
        raise PlanError(str(error)) from error


def _run(store: CrawlStore, config: PlanConfig) -> outputs.Summary:
    coverage = read_coverage(store)
    corpus = read_corpus(store, config.languages)
    if not len(corpus):
        raise PlanError(coverage.nothing_read())
    logger.info("Planning for %d articles.", len(corpus))
    with EmbeddingPool(make_embedder(config), config.workers) as pool:
        texts = (embedded_text(page, config.text_chars) for page in corpus.pages())
        vectors = embed_texts(texts, len(corpus), pool, store.connection, progress("Embedding"))
    graph = read_graph(corpus.pages(), len(corpus))
    proposals = semantic.propose(corpus.heads, vectors, graph, floor=config.min_similarity, per_page=config.links_per_page)
    rows = _rows(proposals, graph, config.max_links)
    summary = _summarise(store, config, pool.embedder.model_id, corpus, coverage, graph, rows)
    outputs.write_all(store, corpus, graph, rows, summary, bom=config.csv_bom)
    return summary


def embedded_text(page: Page, chars: int) -> str:
    """What stands for a page's meaning: clean title, h1, the first ``chars`` characters of the article (the guide's recipe)."""
    return f"{page.head.title}. {page.head.h1}. {page.text()[:chars]}"


def _rows(proposals: Iterable[Sequence[Proposal]], graph: LinkGraph, max_links: int) -> list[PlanRow]:
    """All proposals, best first; ties by the order of the pages, so that the same input gives the same file."""
    out_degree = graph.out_degree
    rows = []
    for of_page in proposals:
        for number, proposal in enumerate(of_page, start=1):
            links_now = int(out_degree[proposal.source])
            rows.append(PlanRow(proposal, None, links_now, links_now + number > max_links))
    return sorted(rows, key=lambda row: (-_score(row), row.proposal.source, row.proposal.target))


def _score(row: PlanRow) -> float:
    return row.proposal.closeness if row.proposal.confidence is None else row.proposal.confidence


def _summarise(
    store: CrawlStore,
    config: PlanConfig,
    model: str,
    corpus: Corpus,
    coverage: Coverage,
    graph: LinkGraph,
    rows: Sequence[PlanRow],
) -> outputs.Summary:
    heads = corpus.heads
    pages = len(heads)
    links = len(graph.sources)
    skipped = Counter(coverage.skipped) + Counter(page.reason for page in corpus.left_out)
    return outputs.Summary(
        folder=str(store.folder),
        method=config.method,
        model=model,
        pages=pages,
        languages=dict(sorted(Counter(head.language for head in heads).items(), key=lambda pair: (-pair[1], pair[0]))),
        links_in_texts=links,
        links_per_page=round(links / pages, 3),
        share_of_pages_with_links=round(float((graph.out_degree > 0).mean()), 4),
        links_proposed=len(rows),
        links_placed=sum(row.placement is not None for row in rows),
        orphans=len(graph.orphans()) if coverage.complete else None,
        complete=coverage.complete,
        gaps=coverage.gaps,
        skipped=dict(skipped),
        failed=coverage.failed,
        notes=(),
        best=tuple(
            (heads[row.proposal.source].title, heads[row.proposal.target].title, round(_score(row), 3)) for row in rows[:_BEST]
        ),
    )
