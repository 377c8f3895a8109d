"""From the crawl store to the outputs: the one place where the steps are called in their order."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING

from analysis import outputs
from analysis.audit import audit
from analysis.backtest import outputs as backtest_outputs
from analysis.backtest import run as backtest
from analysis.budget import Caps, choose
from analysis.cannibalization import hold_back
from analysis.corpus import OTHER_LANGUAGE, read_corpus
from analysis.coverage import read_coverage
from analysis.decisions import note_live_links, rejected_targets, remember_decisions, with_decisions
from analysis.embedding.factory import make_embedder, make_pool
from analysis.embedding.protocol import EmbedderError
from analysis.embedding.spending import check_hosted_model
from analysis.findings import Findings
from analysis.graph import read_graph
from analysis.menu import menu_pages
from analysis.methods import METHODS
from analysis.orphans import TakenOut, count_fates, explain_orphans
from analysis.outputs.competitor_table import competitor_lines
from analysis.pagerank import effect
from analysis.processes import ProcessError
from analysis.recrawl import read_changes
from analysis.search_console import judge_rows, read_search_data
from analysis.site import Site
from analysis.standing import note_plan, still_stands
from analysis.store import CrawlStore, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from analysis.audit import Audit
    from analysis.config import PlanConfig
    from analysis.corpus import Corpus
    from analysis.coverage import Coverage
    from analysis.graph import LinkGraph
    from analysis.records import PlanRow

logger = logging.getLogger(__name__)

_BEST = 10  # proposals shown in the summary


class PlanError(Exception):
    """There is no plan to be made; the message says why in one sentence."""


def run(folder: Path, config: PlanConfig, *, if_changed: bool = False) -> outputs.Summary:
    """Plan the crawl in ``folder`` and write all outputs there.

    :param if_changed: leave the last plan as it is where a new one would be the same.
    :raises PlanError: if there is no crawl, no article, or no model; what was written before stays as it is.
    """
    try:
        with CrawlStore.open(folder) as store:
            standing = _standing(store, config) if if_changed else None
            summary = standing or _run(store, config)
            note_plan(store, config)
            store.plan_is_done()
    except (StoreError, EmbedderError, ProcessError) as error:
        raise PlanError(str(error)) from error
    if config.backtest and not standing:
        _backtest(folder, config)
    return summary


def _standing(store: CrawlStore, config: PlanConfig) -> outputs.Summary | None:
    """The summary of the last plan, if a plan made now would be the same."""
    if not still_stands(store, config):
        return None
    try:
        summary = outputs.write_unchanged(store.folder, bom=config.csv_bom)
    except (OSError, ValueError, TypeError):
        return None  # the outputs are not all there
    logger.info("Nothing has changed since the last plan, so it stands; `scrapy plan %s` makes it again.", store.folder)
    return summary


def _backtest(folder: Path, config: PlanConfig) -> None:
    """How far the plan can be trusted; the plan stands whether that can be told or not."""
    try:
        logger.info("%s", backtest_outputs.text(backtest.run(folder, config)))
    except backtest.BacktestError as error:
        logger.warning("No backtest. %s", error)


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
        raise PlanError(_nothing_planned(corpus, coverage, config))
    logger.info("Planning for %d articles.", len(corpus))
    graph = read_graph(corpus.pages(), len(corpus))
    remember_decisions(store)
    live = note_live_links(store, corpus, graph)
    with make_pool(config) as pool:
        site = Site(corpus, graph, pool, store.connection, rejected_targets(store, corpus))
        check_hosted_model(pool.embedder, site.texts(config.text_chars), store)
        proposed = METHODS[config.method](site, config)
        audited = audit(site, config)
    findings = _find(store, config, site, coverage, proposed, audited, live)
    summary = _summarise(store, config, corpus, coverage, graph, findings, live)
    try:
        outputs.write_all(store, corpus, graph, findings, summary, bom=config.csv_bom)
    except OSError as error:
        raise PlanError(
            f"The outputs cannot be written: {error.strerror}. Afterwards `scrapy plan {store.folder}` makes the plan again."
        ) from error
    return summary


def _nothing_planned(corpus: Corpus, coverage: Coverage, config: PlanConfig) -> str:
    if any(page.reason == OTHER_LANGUAGE for page in corpus.left_out):
        return f"No article is in the languages of INTERLINK_LANGUAGES ({', '.join(config.languages)})."
    return coverage.nothing_read()


def _find(
    store: CrawlStore,
    config: PlanConfig,
    site: Site,
    coverage: Coverage,
    proposed: list[PlanRow],
    audited: Audit,
    live: list[tuple[str, str]],
) -> Findings:
    """From all rows that a method offers to the plan, and what it does for the site."""
    corpus, graph, groups = site.corpus, site.graph, audited.competitors
    undecided = with_decisions(proposed, store, corpus)
    search = read_search_data(store, corpus)
    rankings = search.rankings if search else None
    judged = judge_rows(undecided, rankings, corpus.heads)
    sifted = hold_back(judged.rows, groups)
    rows = choose(sifted.rows, graph, Caps(config.links_per_page, config.max_links, config.links_to_page))
    taken_out = TakenOut(set().union(*site.rejected.values()), _targets(judged.taken_out), _targets(sifted.held_back))
    orphans = graph.orphans() if coverage.complete else []
    menu = menu_pages(corpus)
    added = [(row.proposal.source, row.proposal.target) for row in rows if not row.beyond_limit]
    return Findings(
        rows=rows,
        orphans=explain_orphans(orphans, corpus.heads, sifted.rows, rows, taken_out, audited.closest.tolist()),
        menu=menu,
        effect=effect(graph, added, menu),
        audit=audited,
        search=search,
        judged=judged,
        held_back=sifted.held_back,
        competitors=competitor_lines(corpus.heads, audited.vectors, groups, sifted.held_back, judged.rivals, rankings),
        changes=read_changes(store, corpus, orphans if coverage.complete else None, live),
    )


def _targets(rows: Iterable[PlanRow]) -> set[int]:
    return {row.proposal.target for row in rows}


def _summarise(
    store: CrawlStore,
    config: PlanConfig,
    corpus: Corpus,
    coverage: Coverage,
    graph: LinkGraph,
    findings: Findings,
    live: list[tuple[str, str]],
) -> outputs.Summary:
    heads, rows = corpus.heads, findings.rows
    pages = len(heads)
    links = len(graph.sources)
    skipped = Counter(coverage.skipped) + Counter(page.reason for page in corpus.left_out)
    return outputs.Summary(
        folder=str(store.folder),
        method=config.method,
        model=findings.audit.model,
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
        notes=(
            *coverage.notes,
            *findings.held_back_told,
            *([f"{len(live)} links of earlier plans are live now"] if live and not findings.changes else []),
        ),
        best=tuple(
            (heads[row.proposal.source].title, heads[row.proposal.target].title, round(row.proposal.score, 3))
            for row in rows[:_BEST]
        ),
        effect=findings.effect.figures,
        rescues=count_fates(findings.orphans),
        competing=findings.competing,
        search_console=findings.search_told,
        changes=findings.changes.figures if findings.changes else None,
    )
