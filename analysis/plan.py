"""From the crawl store to the outputs: the one place where the steps are called in their order."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING

from analysis import outputs
from analysis.corpus import read_corpus
from analysis.coverage import read_coverage
from analysis.decisions import note_live_links, remember_decisions, with_decisions
from analysis.embedding.factory import make_embedder, make_pool
from analysis.embedding.protocol import EmbedderError
from analysis.embedding.spending import check_hosted_model
from analysis.graph import read_graph
from analysis.methods import METHODS
from analysis.site import Site
from analysis.store import CrawlStore, StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from analysis.config import PlanConfig
    from analysis.corpus import Corpus
    from analysis.coverage import Coverage
    from analysis.graph import LinkGraph
    from analysis.records import PlanRow

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
    graph = read_graph(corpus.pages(), len(corpus))
    remember_decisions(store)
    live = note_live_links(store, corpus, graph)
    with make_pool(config) as pool:
        site = Site(corpus, graph, pool, store.connection)
        check_hosted_model(pool.embedder, site.texts(config.text_chars), store)
        proposed = METHODS[config.method](site, config)
    rows = with_decisions(proposed, store, corpus)
    summary = _summarise(store, config, pool.embedder.model_id, corpus, coverage, graph, rows, live)
    outputs.write_all(store, corpus, graph, rows, summary, bom=config.csv_bom)
    return summary


def _summarise(
    store: CrawlStore,
    config: PlanConfig,
    model: str,
    corpus: Corpus,
    coverage: Coverage,
    graph: LinkGraph,
    rows: Sequence[PlanRow],
    live: int,
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
        notes=(f"{live} links of earlier plans are live now",) if live else (),
        best=tuple(
            (heads[row.proposal.source].title, heads[row.proposal.target].title, round(row.proposal.score, 3))
            for row in rows[:_BEST]
        ),
    )
