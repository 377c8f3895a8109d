"""The embedder that the settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.embedding.api import ApiEmbedder
from analysis.embedding.bundled import BundledEmbedder
from analysis.embedding.parallel import EmbeddingPool
from analysis.embedding.sentence_transformer import SentenceTransformerEmbedder

if TYPE_CHECKING:
    from analysis.config import PlanConfig
    from analysis.embedding.protocol import Embedder


def make_embedder(config: PlanConfig) -> Embedder:
    """The embedder of ``INTERLINK_EMBEDDER`` with the model of ``INTERLINK_MODEL``; no model is loaded yet.

    :raises EmbedderError: if its package is missing, its model is neither on this disk nor to be had from the network, or its
        service refuses.
    """
    if config.embedder == "sentence-transformers":
        return SentenceTransformerEmbedder(config.model)
    if config.embedder == "api":
        return ApiEmbedder(config.api_base, config.model, config.api_max_tokens)
    return BundledEmbedder()


def make_pool(config: PlanConfig) -> EmbeddingPool:
    """The embedder with its processes; a hosted model is asked from one, which counts what is spent.

    :raises EmbedderError: see :func:`make_embedder`.
    """
    embedder = make_embedder(config)
    return EmbeddingPool(embedder, 1 if isinstance(embedder, ApiEmbedder) else config.workers)
