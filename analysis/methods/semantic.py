"""The guide's method: the nearest pages of the same language by the cosine of whole pages are the relatives.

Source: the guide that this project follows; its floor of 0.35 and its ceiling of links a page are settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analysis.naming import read_names
from analysis.records import Proposal
from analysis.rows import Placer, make_rows
from analysis.thresholds import page_threshold, sentence_threshold
from analysis.vectors.neighbours import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.config import PlanConfig
    from analysis.graph import LinkGraph
    from analysis.records import PageHead, PlanRow
    from analysis.site import Site

_MOST_KNOWN_LINKS = 200  # of a page's nearest neighbours so many may be linked already and still be looked past


def plan(site: Site, config: PlanConfig) -> list[PlanRow]:
    """Nearest pages, each link in the sentence nearest to the target's title."""
    corpus = site.corpus
    vectors = site.page_vectors(config.text_chars)
    titles = site.title_vectors()
    floor = page_threshold(config.min_similarity, site, vectors, config.text_chars)
    proposals = propose(corpus.heads, vectors, site.graph, floor=floor, per_page=config.links_per_page)
    placer = Placer(corpus, read_names(corpus))
    near = sentence_threshold(config.min_sentence_similarity, site)
    placed = (
        (found, placer.by_meaning(found[0].source, found, titles, site.encode, near)) for found in proposals if found
    )
    return make_rows(placed, site.graph, config.max_links)


def propose(
    heads: Sequence[PageHead], vectors: NDArray[np.float32], graph: LinkGraph, *, floor: float, per_page: int
) -> list[list[Proposal]]:
    """For each page its nearest pages by cosine, best first.

    :param vectors: (n, d), unit rows.
    :param floor: cosine below which nothing is proposed.
    :return: one list a page of at most ``per_page`` proposals; existing links, other languages and translations left out.
    """
    languages = {code: number for number, code in enumerate(sorted({head.language for head in heads}))}
    groups = np.array([languages[head.language] for head in heads], dtype=np.int32)
    spare = min(int(graph.out_degree.max(initial=0)), _MOST_KNOWN_LINKS)
    indices, cosines, _ = nearest(vectors, groups, per_page + spare)
    proposals = []
    for head in heads:
        known = graph.targets_of(head.index)
        row: list[Proposal] = []
        for target, cosine in zip(indices[head.index].tolist(), cosines[head.index].tolist(), strict=True):
            if target < 0 or cosine < floor or len(row) == per_page:
                break
            if target not in known and not _are_translations(head, heads[target]):
                row.append(Proposal(head.index, target, round(cosine, 6), reason=f"close in meaning {cosine:.2f}"))
        proposals.append(row)
    return proposals


def _are_translations(a: PageHead, b: PageHead) -> bool:
    return a.translation_group == b.translation_group != -1
