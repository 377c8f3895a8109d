"""``scrapy index``: a site's article vectors into a local table, PostgreSQL or Pinecone; only what is new or has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.corpus import read_corpus
from analysis.coverage import read_coverage
from analysis.embedding.factory import make_pool
from analysis.embedding.protocol import EmbedderError
from analysis.embedding.spending import check_hosted_model
from analysis.graph import read_graph
from analysis.plan import PlanError
from analysis.site import Site
from analysis.store import CrawlStore, StoreError
from analysis.vectors.articles import article_entries
from analysis.vectors.index import VectorIndex, VectorIndexError
from analysis.vectors.local_index import LocalIndex
from analysis.vectors.pgvector_index import PgvectorIndex
from analysis.vectors.pinecone_index import PineconeIndex
from analysis.vectors.sync import SyncCounts, namespaces, sync

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.config import PlanConfig

LOCAL_NAME = "vectors.db"


def make_index(folder: Path, config: PlanConfig) -> VectorIndex:
    """The index of ``INTERLINK_INDEX``.

    :raises VectorIndexError: if a package, a key or the service is missing.
    """
    if config.index == "pinecone":
        return PineconeIndex(config.index_host)
    if config.index == "pgvector":
        return PgvectorIndex()
    return LocalIndex(folder / LOCAL_NAME)


def run(folder: Path, config: PlanConfig) -> dict[str, SyncCounts]:
    """Bring the index up to date with the crawl in ``folder``; the counts of each language.

    :raises PlanError: if there is no crawl, no model, or no index; what was put in before is noted.
    """
    try:
        with CrawlStore.open(folder) as store, make_pool(config) as pool:
            coverage = read_coverage(store)
            corpus = read_corpus(store, config.languages)
            if not len(corpus):
                raise PlanError(coverage.nothing_read())
            site = Site(corpus, read_graph(corpus.pages(), len(corpus)), pool, store.connection)
            check_hosted_model(pool.embedder, site.texts(config.text_chars), store)
            vectors = site.page_vectors(config.text_chars)
            index = make_index(folder, config)
            try:
                complete = coverage.complete and not config.languages
                languages = {head.language for head in corpus.heads}
                wanted = sorted(languages | (namespaces(index, store.connection) if complete else set()))
                return {
                    code: sync(index, store.connection, code, article_entries(corpus, vectors, code), complete=complete)
                    for code in wanted
                }
            finally:
                index.close()
    except (StoreError, EmbedderError, VectorIndexError) as error:
        raise PlanError(str(error)) from error
