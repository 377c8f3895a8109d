"""Our method: candidates, evidence and a ranking learnt from the site's own editors; each link where an editor would put it.

The counterpart of semantic.py. :func:`propose` ranks, :func:`plan` also places.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from analysis import candidates, evidence, ranking
from analysis.index.site import NEIGHBOURS, build_site_index, read_corpus_sites
from analysis.placement.names import read_names
from analysis.placement.rows import Placer, make_rows, surest_first
from analysis.processes import in_forks
from analysis.records import Proposal
from analysis.rescue import Rescue
from analysis.thresholds import page_threshold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from analysis.config import PlanConfig
    from analysis.corpus import Corpus
    from analysis.index.site import SiteIndex
    from analysis.records import PlanRow
    from analysis.site import Site
    from analysis.vectors.neighbours import Neighbours

_LEARNED_FROM: Final = 2000  # pages with links, at most, from which the ranking learns: more changes nothing and costs minutes


class Pairs(NamedTuple):
    """The candidates of one page with their evidence; pages have the numbers of their index."""

    source: int
    targets: NDArray[np.int32]
    evidence: NDArray[np.float32]  # (targets, features)
    is_linked: NDArray[np.bool_]  # whether the page links to the target today


def plan(site: Site, config: PlanConfig) -> list[PlanRow]:
    """The likeliest links of each page, each on the likeliest words of the likeliest sentence."""
    corpus = site.corpus
    vectors, titles = site.page_vectors(config.text_chars), site.title_vectors()
    site.pool.close()  # each of its workers holds the model; whoever embeds again starts them again
    floor = page_threshold(config.min_similarity, site, vectors, config.text_chars)
    rescue = Rescue(site.graph, config.max_links)
    found = propose(
        corpus,
        vectors,
        titles,
        near=site.neighbours(config.text_chars, NEIGHBOURS),
        per_page=config.links_per_page,
        floor=floor,
        rejected=site.rejected,
        rescue=rescue,
        processes=site.pool.size,
    )
    placer = Placer(corpus, read_names(corpus, site.pool.size))
    pages = list(surest_first(found))
    placed = placer.all_by_evidence(pages, site.pool.size)
    return make_rows(zip(pages, placed, strict=True), site.graph, config.max_links)


def propose(
    corpus: Corpus,
    vectors: NDArray[np.float32],
    title_vectors: NDArray[np.float32],
    *,
    near: Neighbours,
    per_page: int,
    floor: float = 0.0,
    rejected: Mapping[int, AbstractSet[int]] = MappingProxyType({}),
    rescue: Rescue | None = None,
    sources: Container[int] | None = None,
    processes: int = 1,
) -> list[list[Proposal]]:
    """For each page the targets to which its editors would most probably link, best first.

    :param vectors: (n, d) unit rows of the articles; ``title_vectors`` likewise of the titles.
    :param near: the nearest :data:`NEIGHBOURS` of each article.
    :param per_page: proposals a page at most; existing links are left out.
    :param floor: cosine of the articles below which a target is proposed only if the text names it.
    :param rejected: page -> pages that shall not be proposed to it.
    :param rescue: is shown every proposal, and adds those for orphans that no page has among its best.
    :param sources: only these pages; the others get none.
    :param processes: how many share the work; the result is the same.
    """
    heads = corpus.heads
    readers = read_corpus_sites(corpus, processes)
    sites = [build_site_index(reader, heads, vectors, title_vectors, near, processes) for reader in readers]
    del readers  # phrases as tuples: a kilobyte a page
    lessons = _lessons(sites, processes)
    wish = _Wish(_learn(lessons.values()), per_page, floor, rejected, rescue)
    proposals: list[list[Proposal]] = [[] for _ in heads]
    for site in sites:
        wanted = [source for source in range(site.size) if sources is None or site.heads[source].index in sources]
        found = in_forks(_proposer(site, wanted, lessons, wish), len(wanted), processes)
        for source, (own, for_orphans) in zip(wanted, found, strict=True):
            proposals[site.heads[source].index] = own
            if rescue is not None:
                rescue.look_at(for_orphans)
    return rescue.added_to(proposals) if rescue else proposals


def measure(site: SiteIndex, source: int) -> Pairs:
    """The candidates of a page and what speaks for each."""
    targets = candidates.find(site, source)
    is_linked = np.isin(targets, site.links.targets(source))
    return Pairs(source, targets, evidence.measure(site, source, targets), is_linked)


def _lessons(sites: Sequence[SiteIndex], processes: int) -> dict[int, Pairs]:
    """The pairs from which the ranking learns: all candidates of pages that link, evenly drawn where they are too many.

    By the page's number in the corpus.
    """
    linking = [(site, source) for site in sites for source in np.flatnonzero(site.links.out_degree)]
    drawn = (
        linking
        if len(linking) <= _LEARNED_FROM
        else [linking[at] for at in np.linspace(0, len(linking) - 1, _LEARNED_FROM).astype(int)]
    )
    pairs = in_forks(lambda at: measure(drawn[at][0], int(drawn[at][1])), len(drawn), processes)
    return {int(site.numbers[source]): found for (site, source), found in zip(drawn, pairs, strict=True)}


def _learn(lessons: Collection[Pairs]) -> ranking.Ranker:
    """The shipped ranking, adapted to what the site's editors linked."""
    prior = ranking.load_prior()
    if not lessons:
        return prior
    rows = np.concatenate([page.evidence for page in lessons])
    is_linked = np.concatenate([page.is_linked for page in lessons])
    return prior.adapted(rows, is_linked, pages=len(lessons))


def _is_named(table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether a name of the target, or words on which others link to it, stand free in the text."""
    named = np.zeros(len(table), dtype=np.bool_)
    for words, are_free in (("name", "name_free"), ("anchor", "anchor_free")):
        named |= (table[:, evidence.FEATURES.index(words)] > 0) & (table[:, evidence.FEATURES.index(are_free)] > 0)
    return named


class _Wish(NamedTuple):
    """What is asked of every page; see :func:`propose`."""

    ranker: ranking.Ranker
    per_page: int
    floor: float
    rejected: Mapping[int, AbstractSet[int]]
    rescue: Rescue | None


def _proposer(
    site: SiteIndex, sources: Sequence[int], lessons: Mapping[int, Pairs], wish: _Wish
) -> Callable[[int], tuple[list[Proposal], list[tuple[Proposal, float]]]]:
    """From a position in ``sources`` to that page's best proposals, and to those that orphans may want, with their scores.

    It knows the pages that it was asked for before, and what they offer to orphans: enough to leave out most of the rest.
    """
    ranker = wish.ranker
    seen = wish.rescue.begun_anew() if wish.rescue is not None else None

    def of_page(at: int) -> tuple[list[Proposal], list[tuple[Proposal, float]]]:
        page = int(site.numbers[sources[at]])
        pairs = lessons.get(page) or measure(site, sources[at])
        cosines = pairs.evidence[:, evidence.FEATURES.index("cosine")]
        targets = site.numbers[pairs.targets]
        barred = pairs.is_linked | np.isin(targets, list(wish.rejected.get(page, ())))
        kept = np.flatnonzero(~barred & ((cosines >= wish.floor) | _is_named(pairs.evidence)))
        confidence, targets = ranker.confidence(pairs.evidence[kept]), targets[kept]

        def proposal(at: int) -> Proposal:
            return Proposal(
                page,
                int(targets[at]),
                closeness=round(float(cosines[kept[at]]), 6),
                confidence=round(float(confidence[at]), 4),
                level=ranker.level(float(confidence[at])),
                reason=ranking.reason(pairs.evidence[kept[at]]),
            )

        for_orphans = []
        if seen is not None:
            wanted = np.flatnonzero(seen.wants(page, targets, confidence)).tolist()
            for_orphans = [(proposal(at), float(confidence[at])) for at in wanted]
            seen.look_at(for_orphans)
        return [proposal(int(at)) for at in np.lexsort((targets, -confidence))[: wish.per_page]], for_orphans

    return of_page
