"""The thresholds of the method in the scale of the model in use.

They were set for the bundled model; for another one a sample of the site's own texts is embedded with both, see calibration.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from analysis.calibration import page_scale, sample_rows, sentence_scale, translate_threshold
from analysis.embedding.bundled import BundledEmbedder
from analysis.sentences import sentences_of
from analysis.site import embedded_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.site import Site

_SAMPLE_PAGES = 200  # whose sentences and titles show how a model spreads sentence-to-title cosines
_SENTENCES_EACH = 3


def page_threshold(cosine: float, site: Site, vectors: NDArray[np.float32], chars: int) -> float:
    """A page-to-page threshold of the bundled model in the scale of the site's embedder; ``vectors``: (n, d), its rows."""
    if isinstance(site.embedder, BundledEmbedder):
        return cosine
    rows = sample_rows(site.languages)
    texts = [embedded_text(site.corpus.page(int(row)), chars) for row in rows]
    groups = site.languages[rows]
    try:
        return translate_threshold(cosine, page_scale(BundledEmbedder().encode(texts), groups), page_scale(vectors[rows], groups))
    except ValueError:  # no two pages of one language: nothing will be proposed anyway
        return cosine


def sentence_threshold(cosine: float, site: Site) -> float:
    """A sentence-to-title threshold of the bundled model in the scale of the site's embedder."""
    if isinstance(site.embedder, BundledEmbedder):
        return cosine
    sample = list(islice(site.corpus.pages(), _SAMPLE_PAGES))
    found = [(s.text, page.head.index) for page in sample for s in sentences_of(page)[:_SENTENCES_EACH]]
    sentences, titles = [text for text, _ in found], [page.head.title for page in sample]
    sentence_groups = site.languages[[index for _, index in found]]
    title_groups = site.languages[: len(sample)]
    models = (BundledEmbedder(), site)
    reference, own = (sentence_scale(m.encode(sentences), sentence_groups, m.encode(titles), title_groups) for m in models)
    return translate_threshold(cosine, reference, own)
