"""The embedder that the settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.embedding.bundled import BundledEmbedder
from analysis.embedding.sentence_transformer import SentenceTransformerEmbedder

if TYPE_CHECKING:
    from analysis.config import PlanConfig
    from analysis.embedding.protocol import Embedder


def make_embedder(config: PlanConfig) -> Embedder:
    """The embedder of ``INTERLINK_EMBEDDER`` with the model of ``INTERLINK_MODEL``; no model is loaded yet.

    :raises EmbedderError: if its package is missing, or its model is neither on this disk nor to be had from the network.
    """
    if config.embedder == "sentence-transformers":
        return SentenceTransformerEmbedder(config.model)
    return BundledEmbedder()
