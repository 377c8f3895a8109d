"""The thresholds of the method in the scale of the model in use.

They were set for the bundled model; for another one a sample of the site's own texts is embedded with both, see calibration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.calibration import page_scale, sample_rows, sentence_scale, translate_threshold
from analysis.embedding.bundled import BundledEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from analysis.embedding.protocol import Embedder


def page_threshold(
    cosine: float, embedder: Embedder, texts: Sequence[str], vectors: NDArray[np.float32], groups: NDArray[np.integer]
) -> float:
    """A page-to-page threshold of the bundled model, carried over to ``embedder``.

    :param texts: what was embedded of each page; ``vectors``: (n, d), its rows; ``groups``: the pages' languages.
    """
    if isinstance(embedder, BundledEmbedder):
        return cosine
    rows = sample_rows(groups)
    reference = BundledEmbedder().encode([texts[row] for row in rows])
    try:
        return translate_threshold(cosine, page_scale(reference, groups[rows]), page_scale(vectors[rows], groups[rows]))
    except ValueError:  # no two pages of one language: nothing will be proposed anyway
        return cosine


def sentence_threshold(
    cosine: float,
    embedder: Embedder,
    sentences: Sequence[str],
    sentence_groups: NDArray[np.integer],
    titles: Sequence[str],
    title_groups: NDArray[np.integer],
) -> float:
    """A sentence-to-title threshold of the bundled model, carried over to ``embedder``."""
    if isinstance(embedder, BundledEmbedder):
        return cosine
    bundled = BundledEmbedder()
    reference = sentence_scale(bundled.encode(sentences), sentence_groups, bundled.encode(titles), title_groups)
    own = sentence_scale(embedder.encode(sentences), sentence_groups, embedder.encode(titles), title_groups)
    return translate_threshold(cosine, reference, own)
