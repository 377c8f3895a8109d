"""The guide's method: the nearest pages of the same language by the cosine of whole pages are the relatives.

Source: the guide that this project follows; its floor of 0.35 and its ceiling of links a page are settings.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from analysis.placement.names import read_names
from analysis.placement.rows import Placer, make_rows, surest_first
from analysis.records import Proposal
from analysis.rescue import Rescue
from analysis.thresholds import page_threshold, sentence_threshold
from analysis.vectors.neighbours import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

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
    rescue = Rescue(site.graph, config.max_links)
    proposals = propose(
        corpus.heads,
        vectors,
        site.graph,
        floor=floor,
        per_page=config.links_per_page,
        rejected=site.rejected,
        rescue=rescue,
    )
    placer = Placer(corpus, read_names(corpus, site.pool.size))
    near = sentence_threshold(config.min_sentence_similarity, site)
    placed = ((found, placer.by_meaning(found[0].source, found, titles, site.encode, near)) for found in surest_first(proposals))
    return make_rows(placed, site.graph, config.max_links)


def propose(
    heads: Sequence[PageHead],
    vectors: NDArray[np.float32],
    graph: LinkGraph,
    *,
    floor: float,
    per_page: int,
    rejected: Mapping[int, AbstractSet[int]] = MappingProxyType({}),
    rescue: Rescue | None = None,
) -> list[list[Proposal]]:
    """For each page its nearest pages by cosine, best first.

    :param vectors: (n, d), unit rows.
    :param floor: cosine below which nothing is proposed.
    :param rejected: page -> pages that shall not be proposed to it.
    :param rescue: is shown the nearest pages of each orphan, and adds those that did not choose it themselves.
    :return: one list a page of at most ``per_page`` proposals (without those for orphans); existing links, other languages and
        translations left out.
    """
    languages = {code: number for number, code in enumerate(sorted({head.language for head in heads}))}
    groups = np.array([languages[head.language] for head in heads], dtype=np.int32)
    spare = min(int(graph.out_degree.max(initial=0)), _MOST_KNOWN_LINKS)
    indices, cosines, _ = nearest(vectors, groups, per_page + spare)
    in_degree = graph.in_degree
    proposals = []
    for head in heads:
        near = indices[head.index] >= 0
        near &= cosines[head.index] >= floor
        found = [
            (target, cosine)
            for target, cosine in zip(indices[head.index][near].tolist(), cosines[head.index][near].tolist(), strict=True)
            if not head.translates(heads[target]) and target not in rejected.get(head.index, ())
        ]
        known = graph.targets_of(head.index)
        proposals.append([_proposal(head.index, *pair) for pair in found if pair[0] not in known][:per_page])
        if rescue is not None and not in_degree[head.index]:
            _ask(rescue, head.index, found)
    return rescue.added_to(proposals) if rescue else proposals


def _proposal(source: int, target: int, cosine: float) -> Proposal:
    return Proposal(source, target, round(cosine, 6), reason=f"close in meaning {cosine:.2f}")


def _ask(rescue: Rescue, orphan: int, near: Iterable[tuple[int, float]]) -> None:
    """Show the pages near an orphan; closeness is the same from both ends."""
    for source, cosine in near:
        if rescue.wants(source, np.array([orphan]), np.array([cosine]))[0]:
            rescue.keep(_proposal(source, orphan, cosine))
