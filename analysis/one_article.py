"""``scrapy plan --only``: the links of one new article or draft, against a site that was crawled before.

Which links it should carry, and which existing articles should now give it one. It is linked first and indexed afterwards (by the
next crawl and ``scrapy index``), so it is never its own candidate. On a site of more than a few thousand articles the ones that
lie nearest are read, not all; the index of ``scrapy index`` finds them.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.corpus import read_corpus
from analysis.decisions import rejected_targets
from analysis.drafts import PagesWithDraft
from analysis.embedding.factory import make_pool
from analysis.embedding.protocol import EmbedderError
from analysis.embedding.spending import check_hosted_model
from analysis.graph import read_graph
from analysis.index.site import NEIGHBOURS
from analysis.indexing import make_index
from analysis.methods.learned import propose
from analysis.outputs.plan_table import write_plan
from analysis.placement.names import read_names
from analysis.placement.rows import Placer, make_rows
from analysis.plan import PlanError
from analysis.site import Site
from analysis.store import CrawlStore, StoreError
from analysis.thresholds import page_threshold
from analysis.urls import page_key
from analysis.vectors.index import VectorIndexError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from analysis.config import PlanConfig
    from analysis.embedding.parallel import EmbeddingPool
    from analysis.records import PageHead, PlanRow, Proposal
    from analysis.store import StoredPage

logger = logging.getLogger(__name__)

NAME: Final = "interlink_only.csv"
_READ_WHOLE: Final = 2000  # articles; a larger site is narrowed to so many, the nearest
_GIVERS: Final = 8  # existing articles that are asked to link to the new one
_ASKED: Final = 60  # nearest articles among which they are looked for
_DEEP: Final = 100  # proposals of such an article among which the new one is looked for


@dataclass(frozen=True, slots=True)
class OneArticle:
    """The plan of one article: ``carries`` are links in it, ``receives`` links to it; best first."""

    article: PageHead
    heads: Sequence[PageHead]
    carries: tuple[PlanRow, ...]
    receives: tuple[PlanRow, ...]

    def text(self) -> str:
        """What a terminal shows."""
        head = self.article
        lines = [f"{head.title} ({head.url}, {head.language})"]
        for title, rows in (("It should link to", self.carries), ("These should link to it", self.receives)):
            lines += ["", f"{title}:" if rows else f"{title}: none"]
            for row in rows:
                other = self.heads[row.proposal.target if row.proposal.source == head.index else row.proposal.source]
                where = f"on “{row.placement.anchor}”" if row.placement else "no place found"
                lines.append(f"  {row.proposal.score:.2f}  {other.title}  ({where})  {other.url}")
        return "\n".join(lines)


def run(folder: Path, config: PlanConfig, draft: StoredPage | None, url: str = "") -> OneArticle:
    """Plan for the article that is given as ``draft``, or for the crawled one at ``url``; writes interlink_only.csv.

    :raises PlanError: if there is no crawl, no such article, or no model.
    """
    try:
        with CrawlStore.open(folder) as store, make_pool(config) as pool:
            own_key = draft.key if draft else store.urls.aliases().get(page_key(url), page_key(url))
            store.pages = PagesWithDraft(store.connection, draft, None)
            if store.pages.count() > _READ_WHOLE:
                keys = _nearest_keys(store, folder, config, pool, own_key)
                store.pages = PagesWithDraft(store.connection, draft, keys)
            corpus = read_corpus(store)
            own = corpus.index_of(own_key)
            if own is None:
                raise PlanError(f"{draft.url if draft else url} is no article of this crawl.")
            graph = read_graph(corpus.pages(), len(corpus))
            found = _plan(Site(corpus, graph, pool, store.connection, rejected_targets(store, corpus)), store, config, own)
            write_plan(folder, corpus.heads, (*found.carries, *found.receives), bom=config.csv_bom, name=NAME)
            return found
    except (StoreError, EmbedderError) as error:
        raise PlanError(str(error)) from error


def _plan(site: Site, store: CrawlStore, config: PlanConfig, own: int) -> OneArticle:
    corpus = site.corpus
    check_hosted_model(site.embedder, site.texts(config.text_chars), store)
    vectors = site.page_vectors(config.text_chars)
    titles = site.title_vectors()
    floor = page_threshold(config.min_similarity, site, vectors, config.text_chars)
    askable = np.flatnonzero((site.languages == site.languages[own]) & (np.arange(len(corpus)) != own))
    near = askable[np.argsort(-(vectors[askable] @ vectors[own]), kind="stable")[:_ASKED]]
    found = propose(
        corpus,
        vectors,
        titles,
        near=site.neighbours(config.text_chars, NEIGHBOURS),
        per_page=_DEEP,
        floor=floor,
        rejected=site.rejected,
        sources={own, *near.tolist()},
    )
    givers = [proposal for source in near.tolist() for proposal in found[source] if proposal.target == own]
    givers.sort(key=lambda proposal: (-proposal.score, proposal.source))
    placer = Placer(corpus, read_names(corpus))

    def rows(proposals: Sequence[Proposal]) -> list[PlanRow]:
        placed = [([p], placer.by_evidence(p.source, [p])) for p in proposals]
        return make_rows(placed, site.graph, config.max_links)

    carried = found[own][: config.links_per_page]
    carries = make_rows([(carried, placer.by_evidence(own, carried))] if carried else [], site.graph, config.max_links)
    return OneArticle(corpus.heads[own], corpus.heads, tuple(carries), tuple(rows(givers[:_GIVERS])))


def _nearest_keys(store: CrawlStore, folder: Path, config: PlanConfig, pool: EmbeddingPool, own_key: str) -> set[str] | None:
    """The keys of the articles nearest to one, itself among them; None where no index was made: then all are read."""
    page = next(store.pages.read([own_key]), None)
    if page is None:
        return None
    text = "\n".join(block.text for block in page.blocks)[: config.text_chars]
    vector = pool.embedder.encode([f"{page.raw_title}. {page.h1}. {text}"])[0]
    try:
        index = make_index(folder, config)
        try:
            matches = index.query(page.language, vector, _READ_WHOLE)
        finally:
            index.close()
    except VectorIndexError as error:
        logger.warning("%s All articles are read instead, which takes longer.", error)
        return None
    if not matches:
        logger.warning("This site is large and has no index: run `scrapy index` once, and this takes seconds.")
        return None
    return {own_key, *(page_key(match.metadata["url"]) for match in matches)}
