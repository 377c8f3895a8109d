"""What the links around a pair say: how often the target is linked, by whom, and together with what.

Only links of other pages, and the source's links to other targets, are looked at; the judged link has no part in any number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.index.rows import column_sums, row_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.index.links import LinkIndex
    from analysis.index.site import SiteIndex

FEATURES: Final = {
    "in_degree": "log(1 + other pages that link to the target)",
    "target_out_degree": "log(1 + pages that the target links to)",
    "source_out_degree": "log(1 + pages that the source links to, the target left out)",
    "links_back": "1 if the target links to the source",
    "neighbour_vote": "share (by cosine) of the pages nearest to the source that link to the target, 0 to 1",
    "neighbour_target": "share (by cosine) of the pages nearest to the target that the source links to, 0 to 1",
    "co_linking": "links to the target from pages that share targets with the source, by how rare these are, 0 to about 10",
    "two_steps": "paths source, page, target, weighted by 1 / log(2 + links of the page), 0 to about 20 (Adamic and Adar 2003)",
    "co_cited": "pages that link to both, weighted likewise, 0 to about 20",
    "both_link": "pages that both link to, weighted by 1 / log(2 + links to the page), 0 to about 20",
}

_VOTERS: Final = 15


def measure(site: SiteIndex, source: int, targets: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
    """See :data:`FEATURES`."""
    links = site.links
    own = links.targets(source)
    linked = np.isin(targets, own).astype(np.float32)
    others = len(own) - linked
    back = np.isin(targets, links.sources(source))
    citing = _marked(site.size, links.sources(source), links.out_weight)
    stepping = _marked(site.size, own, links.out_weight)
    cited = _marked(site.size, own, links.in_weight)
    return {
        "in_degree": np.log1p(links.in_degree[targets] - linked),
        "target_out_degree": np.log1p(links.out_degree[targets]),
        "source_out_degree": np.log1p(others),
        "links_back": back.astype(np.float32),
        "neighbour_vote": _vote(site, source, targets),
        "neighbour_target": _target_vote(site, own, targets),
        "co_linking": _co_linking(links, source, targets) / np.sqrt(1 + others),
        "two_steps": row_sums(links.into, targets, stepping),
        "co_cited": row_sums(links.into, targets, citing),
        "both_link": row_sums(links.out, targets, cited),
    }


def _marked(size: int, pages: NDArray[np.int32], weights: NDArray[np.float64]) -> NDArray[np.float32]:
    column = np.zeros(size, dtype=np.float32)
    column[pages] = weights[pages]
    return column


def _vote(site: SiteIndex, source: int, targets: NDArray[np.int32]) -> NDArray[np.float32]:
    voters = site.neighbours[source, :_VOTERS]
    weights = site.neighbour_cosines[source, :_VOTERS][voters >= 0].clip(0)
    voters = voters[voters >= 0]
    column = np.zeros(site.size, dtype=np.float32)
    column[voters] = weights / weights.sum().clip(1e-6)
    return row_sums(site.links.into, targets, column)


def _target_vote(site: SiteIndex, own: NDArray[np.int32], targets: NDArray[np.int32]) -> NDArray[np.float32]:
    near = site.neighbours[targets, :_VOTERS]
    weights = np.where(near >= 0, site.neighbour_cosines[targets, :_VOTERS].clip(0), 0)
    hit = np.isin(near, own)
    return (weights * hit).sum(axis=1) / weights.sum(axis=1).clip(1e-6)


def _co_linking(links: LinkIndex, source: int, targets: NDArray[np.int32]) -> NDArray[np.float32]:
    """Sum over the pages that link to the target of what they share with the source, without the target itself."""
    own = links.targets(source)
    shared = column_sums(links.into, own, links.in_weight[own].astype(np.float32))
    shared[source] = 0
    in_degree = links.in_degree[targets]
    linked = np.isin(targets, own)
    votes = row_sums(links.into, targets, shared) - np.where(linked, links.in_weight[targets] * (in_degree - 1), 0)
    return np.asarray(votes / np.sqrt(1 + in_degree - linked), dtype=np.float32)
