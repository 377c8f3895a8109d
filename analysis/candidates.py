"""For each page the targets worth looking at: near in meaning, or spoken of, or recommended by the links of similar pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.index.rows import column_sums, entries, expand
from analysis.index.terms import Role

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.index.site import SiteIndex

# How many targets each signal brings at most. Together they find 97 to 100 % of the targets that editors chose on the corpora
# measured, in lists of about 150.
_NEAR: Final = 60  # by the cosine of articles, hubs corrected
_TERMS: Final = 40  # by TF-IDF
_MENTIONED: Final = 60  # by title stems on the page
_FULLY_MENTIONED: Final = 40  # by the share of the title's stems
_CALLED: Final = 60  # by a phrase that names the target
_MANY_CALLED: Final = 200  # a phrase that names more targets ("Examples") brings none
_RECOMMENDED: Final = 30  # by the links of pages that share targets with this one, or are near to it


def find(site: SiteIndex, source: int) -> NDArray[np.int32]:
    """The candidates of a page, ascending, without the page itself and its translations (into English of another country)."""
    mass = _title_mass(site, _running_stems(site, source))
    mentioned = np.flatnonzero(mass)
    mass = mass[mentioned]
    share = mass / site.title_mass[mentioned].clip(1e-6)
    parts = [
        _near(site, source),
        _best(_shared_terms(site, source), _TERMS),
        mentioned[_best(mass, _MENTIONED)],
        mentioned[_best(share * np.sqrt(mass), _FULLY_MENTIONED)],
        _called(site, source),
        _recommended(site, source),
        site.links.sources(source),
    ]
    found = np.unique(np.concatenate(parts)).astype(np.int32)
    is_same = (found == source) | ((site.translations[found] == site.translations[source]) & (site.translations[source] >= 0))
    return found[~is_same]


def _best(scores: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """The positions of the ``count`` highest positive scores; ties by position."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > count:
        values = scores[positive]
        least = np.partition(values, len(values) - count)[len(values) - count]
        above, level = positive[values > least], positive[values == least]
        return np.concatenate([above, level[: count - len(above)]])
    return positive


def _near(site: SiteIndex, source: int) -> NDArray[np.int64]:
    near = site.neighbours[source]
    cosines = site.neighbour_cosines[source][near >= 0]
    near = near[near >= 0]
    order = np.argsort(-(2 * cosines - site.hubness[near]), kind="stable")
    return near[order[:_NEAR]].astype(np.int64)


def _running_stems(site: SiteIndex, source: int) -> NDArray[np.int32]:
    page = site.terms.page(source)
    return np.unique(page.stems[page.roles[page.sentences] == Role.RUNNING])


def _title_mass(site: SiteIndex, stems: NDArray[np.int32]) -> NDArray[np.float32]:
    """For every page the IDF of its title's stems that the source has."""
    return column_sums(site.titles_by_stem, stems)


def _shared_terms(site: SiteIndex, source: int) -> NDArray[np.float32]:
    _, stems, weights = entries(site.terms.vectors, np.array([source]))
    return column_sums(site.pages_by_stem, stems, weights)


def _called(site: SiteIndex, source: int) -> NDArray[np.int64]:
    """Targets whose name or anchor text stands in the source, those with the weightiest phrases first."""
    phrases = site.phrases
    found = np.unique(site.occurrences(source).phrase)
    scores = np.zeros(site.size, dtype=np.float32)
    for starts, targets in ((phrases.name_starts, phrases.name_target), (phrases.anchor_starts, phrases.anchor_target)):
        counts = starts[found + 1] - starts[found]
        telling = (counts > 0) & (counts <= _MANY_CALLED)
        weights = phrases.weight[found[telling]] / counts[telling]
        lightest_first = np.argsort(weights, kind="stable")
        owner, rows = expand(starts, found[telling][lightest_first])
        own = np.zeros(site.size, dtype=np.float32)
        own[targets[rows]] = weights[lightest_first][owner]  # of several phrases the heaviest, which comes last
        scores = np.maximum(scores, own)
    return _best(scores, _CALLED)


def _recommended(site: SiteIndex, source: int) -> NDArray[np.int64]:
    links = site.links
    weights = links.in_weight.astype(np.float32)
    own = links.targets(source)
    alike = column_sums(links.into, own, weights[own])
    alike[source] = 0
    voters = site.neighbours[source]
    alike[voters[voters >= 0]] += site.neighbour_cosines[source][voters >= 0].clip(0) * weights.mean()
    users = _best(alike, _RECOMMENDED)
    return _best(column_sums(links.out, users, alike[users]) * weights, _RECOMMENDED)
