"""What the vectors say of the site beside its links: how close pages are, and which of them compete."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis.cannibalization import find_competitors
from analysis.thresholds import page_threshold
from analysis.words import tokenize

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.cannibalization import Competitors
    from analysis.config import PlanConfig
    from analysis.corpus import Corpus
    from analysis.site import Site

_NEIGHBOURS: Final = 10  # of each page that may compete with it


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """Arrays have a row a page."""

    model: str
    vectors: NDArray[np.float32]  # (n, d) unit rows
    languages: NDArray[np.int32]  # (n,)
    closest: NDArray[np.float32]  # (n,) cosine with the nearest page of the same language; 0 where there is none
    related_from: float  # cosine from which pages are relatives, in the model's scale
    competitors: list[Competitors]


def audit(site: Site, config: PlanConfig) -> Audit:
    """Look at each page beside its nearest ones."""
    corpus, languages = site.corpus, site.languages
    vectors = site.page_vectors(config.text_chars)
    near = site.neighbours(config.text_chars, _NEIGHBOURS)
    floor = page_threshold(config.min_similarity, site, vectors, config.text_chars)
    groups = find_competitors(corpus.heads, vectors, near.indices, near.cosines, lambda page: _words(corpus, page))
    return Audit(site.embedder.model_id, vectors, languages, near.cosines[:, 0], floor, groups)


def _words(corpus: Corpus, page: int) -> list[str]:
    return [token.text for token in tokenize(corpus.page(page).text())]
