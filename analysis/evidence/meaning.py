"""Closeness in meaning: cosines of embedded articles and titles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.index.rows import entries, row_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.index.site import SiteIndex

FEATURES: Final = {
    "cosine": "of the two articles, -1 to 1",
    "csls": "the same less what each side has with its nearest pages (hubs are near to all), -2 to 2; Conneau et al. 2018",
    "article_title": "cosine of the source's article and the target's title, -1 to 1",
    "title_article": "cosine of the source's title and the target's article, -1 to 1",
    "title_title": "cosine of the two titles, -1 to 1",
    "shared_terms": "cosine of the TF-IDF vectors of the two articles, 0 to 1",
}


def measure(site: SiteIndex, source: int, targets: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
    """See :data:`FEATURES`."""
    own, others = site.numbers[source], site.numbers[targets]
    article, title = site.vectors[own], site.title_vectors[own]
    articles, titles = site.vectors[others], site.title_vectors[others]
    cosine = articles @ article
    _, stems, weights = entries(site.terms.vectors, np.array([source]))
    terms = np.zeros(len(site.terms.idf), dtype=np.float32)
    terms[stems] = weights
    return {
        "cosine": cosine,
        "csls": 2 * cosine - site.hubness[source] - site.hubness[targets],
        "article_title": titles @ article,
        "title_article": articles @ title,
        "title_title": titles @ title,
        "shared_terms": row_sums(site.terms.vectors, targets, terms),
    }
