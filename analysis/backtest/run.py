"""A backtest from the crawl store to its outputs: the one place where its steps are called in their order."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from analysis.backtest.hiding import draw, read_editor_links
from analysis.backtest.outputs import write_result
from analysis.backtest.scores import FEW, Result, score_method
from analysis.backtest.trial import TriedPage, try_methods
from analysis.config import METHODS
from analysis.corpus import read_corpus
from analysis.embedding.factory import make_pool
from analysis.embedding.protocol import EmbedderError
from analysis.embedding.spending import check_hosted_model
from analysis.graph import read_graph
from analysis.site import Site
from analysis.store import CrawlStore, StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from analysis.config import PlanConfig

logger = logging.getLogger(__name__)

FOLDS: Final = 2  # half of the links are hidden at a time, as in benchmarks/editorial_links.py
PRECISION: Final = 0.5
_SEED: Final = "backtest"  # not the benchmark's: a site that lost links to that one would draw the same lots again


class BacktestError(Exception):
    """A backtest cannot be made, or would tell nothing; the message says why in one sentence."""


def run(
    folder: Path, config: PlanConfig, *, methods: Sequence[str] = METHODS, folds: int = FOLDS, precision: float = PRECISION
) -> Result:
    """Hide every link of the crawl in ``folder`` once, fold by fold; write ``backtest.json`` and ``backtest.svg`` there.

    Where a plan stands there too, its report is made again with the curves in it.

    :param folds: 2 or more; each plan sees all links but those of one fold.
    :param precision: the wished one, 0 to 1, for which a confidence is looked up.
    :raises BacktestError: if there is no crawl, no model, or too few links; what was written before stays as it is.
    """
    shares = [(number / folds, (number + 1) / folds) for number in range(folds)]
    try:
        with CrawlStore.open(folder) as store:
            result = measure(store, config, shares, methods=methods, precision=precision)
    except (StoreError, EmbedderError) as error:
        raise BacktestError(str(error)) from error
    write_result(folder, result)
    return result


def measure(
    store: CrawlStore,
    config: PlanConfig,
    shares: Sequence[tuple[float, float]],
    *,
    methods: Sequence[str] = METHODS,
    precision: float = PRECISION,
    seed: str = _SEED,
) -> Result:
    """The figures of each method, over one round for each of ``shares``.

    :param shares: which links are hidden in a round, as (low, high) of their lots; see :func:`analysis.backtest.hiding.draw`.
    :raises BacktestError: if the site has too few links to tell anything.
    """
    corpus = read_corpus(store, config.languages)
    links = read_editor_links(corpus.pages())
    if len(links) < FEW:
        raise BacktestError(
            f"Too few links to tell: {len(links)} links to another article stand in this site's texts; a backtest needs {FEW}."
        )
    tried: dict[str, list[TriedPage]] = {method: [] for method in methods}
    with make_pool(config) as pool:
        site = Site(corpus, read_graph(corpus.pages(), len(corpus)), pool, store.connection)
        check_hosted_model(pool.embedder, site.texts(config.text_chars), store)
        for number, (low, high) in enumerate(shares, start=1):
            hidden = draw(links, corpus.heads, seed, low, high)
            logger.info("Backtest, round %d of %d: %d of %d links hidden.", number, len(shares), len(hidden), len(links))
            for method, pages in try_methods(site, hidden, methods, config).items():
                tried[method] += pages
        model = pool.embedder.model_id
    top = config.links_per_page
    scored = tuple(score_method(method, pages, top) for method, pages in tried.items())
    low, high = shares[0]
    return Result(len(corpus), len(links), len(shares), high - low, top, model, precision, scored)
