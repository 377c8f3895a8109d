"""Our method: candidates, evidence and a ranking learnt from the site's own editors; each link where an editor would put it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.learned import propose
from analysis.naming import read_names
from analysis.rescue import Rescue
from analysis.rows import Placer, make_rows, surest_first
from analysis.thresholds import page_threshold

if TYPE_CHECKING:
    from analysis.config import PlanConfig
    from analysis.records import PlanRow
    from analysis.site import Site


def plan(site: Site, config: PlanConfig) -> list[PlanRow]:
    """The likeliest links of each page, each on the likeliest words of the likeliest sentence."""
    corpus = site.corpus
    vectors, titles = site.page_vectors(config.text_chars), site.title_vectors()
    floor = page_threshold(config.min_similarity, site, vectors, config.text_chars)
    rescue = Rescue(site.graph, config.max_links)
    found = propose(
        corpus.pages(),
        corpus.heads,
        vectors,
        titles,
        per_page=config.links_per_page,
        floor=floor,
        rescue=rescue,
        processes=site.pool.size,
    )
    placer = Placer(corpus, read_names(corpus))
    pages = list(surest_first(found))
    placed = placer.all_by_evidence(pages, site.pool.size)
    return make_rows(zip(pages, placed, strict=True), site.graph, config.max_links)
