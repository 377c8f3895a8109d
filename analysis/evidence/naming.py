"""Exact phrases in the source's text that name the target: its titles, its headings, and the words on which others link to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from analysis.index.phrases import NameKind
from analysis.index.rows import expand

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.index.phrases import ByTarget, Occurrences
    from analysis.index.site import SiteIndex

FEATURES: Final = {
    "name": "IDF of the weightiest name of the target (title, h1, part of the title, address) found word by word, 0 to about 40",
    "name_is_title": "1 if that is the whole title",
    "name_length": "its stems, 0 to 6",
    "name_free": "1 if it stands somewhere without a link to another page",
    "name_alone": "1 if it stands somewhere outside a longer name",
    "name_unique": "1 / pages that are called so; 0 without a name",
    "name_linked": "how often it is a link on the pages that have it (Wikify's link probability), 0 to 1",
    "name_early": "1 for a first occurrence at the start, 0 at the end or without a name",
    "section": "IDF of the weightiest heading of the target found word by word, 0 to about 40",
    "section_unique": "1 / pages with such a heading; 0 without one",
    "anchor": "chance of a link to the target where its likeliest anchor text stands, 0 to 1",
    "anchor_pages": "log(1 + other pages that link to the target with these words)",
    "anchor_share": "of the pages that link with these words, the share that means this target, 0 to 1",
    "anchor_linked": "how often these words are a link on the pages that have them, 0 to 1",
    "anchor_weight": "IDF of these words, 0 to about 40",
    "anchor_free": "1 if they stand somewhere without a link to another page",
    "anchor_alone": "1 if they stand somewhere outside a longer phrase",
    "anchor_early": "1 for a first occurrence at the start, 0 at the end or without one",
}


class _Hits(NamedTuple):
    """Occurrences of phrases that name a target, one row for each of its phrases found; sorted by target, the best first."""

    target: NDArray[np.int32]  # position among the targets asked for
    row: NDArray[np.int64]  # of the name or anchor tables
    phrase: NDArray[np.int64]
    free: NDArray[np.bool_]
    alone: NDArray[np.bool_]
    place: NDArray[np.float32]


def measure(site: SiteIndex, source: int, targets: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
    """See :data:`FEATURES`."""
    found = site.occurrences(source)
    return {**_names(site, source, targets, found), **_anchors(site, source, targets, found)}


def _hits(found: Occurrences, table: ByTarget, targets: NDArray[np.int32]) -> _Hits:
    """The rows of the targets whose phrase was found; what its occurrences say is merged."""
    position, at = expand(table.starts, targets)
    by_phrase = np.argsort(found.phrase, kind="stable")
    phrases, firsts = np.unique(found.phrase[by_phrase], return_index=True)
    number = np.searchsorted(phrases, table.phrase[at])
    hit = np.flatnonzero(np.append(phrases, -1)[number] == table.phrase[at])
    hit = hit[np.argsort(table.row[at[hit]], kind="stable")]
    position, at, number = position[hit], at[hit], number[hit]
    hit_of, place = expand(np.append(firsts, len(by_phrase)), number)
    occurrence = by_phrase[place]  # in reading order for each hit
    linked = found.linked[occurrence]
    free = (linked < 0) | (linked == targets[position[hit_of]])
    alone = free & ~found.is_inside[occurrence]
    starts = np.flatnonzero(np.diff(hit_of, prepend=-1))
    is_free, is_alone = (np.logical_or.reduceat(says, starts) if len(starts) else says for says in (free, alone))
    first = found.place[occurrence[starts]]
    return _Hits(position.astype(np.int32), table.row[at].astype(np.int64), phrases[number], is_free, is_alone, first)


def _best(hits: _Hits, *scores: NDArray[np.float32] | NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each target that was hit, the row of its best hit: the highest scores, the first score first."""
    order = np.lexsort((hits.row, *(-score.astype(np.float64) for score in reversed(scores)), hits.target))
    _, first = np.unique(hits.target[order], return_index=True)
    best: NDArray[np.int64] = order[first]
    return best


def _spread(size: int, at: NDArray[np.int32], values: NDArray[np.floating] | NDArray[np.bool_]) -> NDArray[np.float32]:
    column = np.zeros(size, dtype=np.float32)
    column[at] = values
    return column


def _names(site: SiteIndex, source: int, targets: NDArray[np.int32], found: Occurrences) -> dict[str, NDArray[np.float32]]:
    phrases = site.phrases
    hits = _hits(found, phrases.names_of, targets)
    kind = phrases.name_kind[hits.row]
    weight = phrases.weight[hits.phrase]
    size = len(targets)
    columns = {}
    for prefix, wanted in (("name", kind != NameKind.HEADING), ("section", kind == NameKind.HEADING)):
        own = _Hits(*(column[wanted] for column in hits))
        best = _best(own, weight[wanted], own.free, own.alone)
        at, phrase = own.target[best], own.phrase[best]
        same = (phrases.called_pages if prefix == "name" else phrases.headed_pages)[phrase]
        columns[prefix] = _spread(size, at, phrases.weight[phrase])
        columns[f"{prefix}_unique"] = _spread(size, at, 1 / same)
        if prefix == "name":
            linking = phrases.linking_pages[phrase] - _links_with(site, phrase, source)
            columns |= {
                "name_is_title": _spread(size, at, phrases.name_kind[own.row[best]] == NameKind.TITLE),
                "name_length": _spread(size, at, phrases.length[phrase]),
                "name_free": _spread(size, at, own.free[best]),
                "name_alone": _spread(size, at, own.alone[best]),
                "name_linked": _spread(size, at, linking / phrases.containing_pages[phrase].clip(1)),
                "name_early": _spread(size, at, 1 - own.place[best]),
            }
    return columns


def _links_with(site: SiteIndex, phrase: NDArray[np.int64], source: int) -> NDArray[np.bool_]:
    """Whether the source itself links to anything with each phrase."""
    own = site.phrases.linking_by(source)
    return np.isin(phrase, own)


def _anchors(site: SiteIndex, source: int, targets: NDArray[np.int32], found: Occurrences) -> dict[str, NDArray[np.float32]]:
    phrases = site.phrases
    hits = _hits(found, phrases.anchors_of, targets)
    pages = phrases.anchor_pages[hits.row] - phrases.uses_by(hits.row, source, site.size)
    hits = _Hits(*(column[pages > 0] for column in hits))
    pages = pages[pages > 0]
    linking = phrases.linking_pages[hits.phrase] - _links_with(site, hits.phrase, source)
    containing = np.maximum(phrases.containing_pages[hits.phrase] - 1, linking)
    chance = pages / (containing + 1)
    best = _best(hits, chance, hits.free, hits.alone)
    size, at = len(targets), hits.target[best]
    return {
        "anchor": _spread(size, at, chance[best]),
        "anchor_pages": _spread(size, at, np.log1p(pages[best])),
        "anchor_share": _spread(size, at, pages[best] / linking[best]),
        "anchor_linked": _spread(size, at, linking[best] / (containing[best] + 1)),
        "anchor_weight": _spread(size, at, phrases.weight[hits.phrase[best]]),
        "anchor_free": _spread(size, at, hits.free[best]),
        "anchor_alone": _spread(size, at, hits.alone[best]),
        "anchor_early": _spread(size, at, 1 - hits.place[best]),
    }
