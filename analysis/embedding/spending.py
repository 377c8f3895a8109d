"""Before a site's texts go to a hosted model: is it the model whose vectors are kept, and what will the rest cost."""

from __future__ import annotations

import logging
from itertools import islice
from typing import TYPE_CHECKING, Final

from analysis.embedding.api import ApiEmbedder, estimate_tokens
from analysis.embedding.cache import VectorCache, text_digest
from analysis.embedding.protocol import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.embedding.protocol import Embedder
    from analysis.store import CrawlStore

logger = logging.getLogger(__name__)

_AT_ONCE: Final = 500  # texts looked up together


def check_hosted_model(embedder: Embedder, texts: Iterable[str], store: CrawlStore) -> None:
    """Both checks of a hosted model before its first call for ``texts``; nothing for a local one.

    :raises EmbedderError: if there is another model than before, or the cap is too low.
    """
    if isinstance(embedder, ApiEmbedder):
        check_same_model(embedder, store)
        check_spending(embedder, texts, store)


def check_same_model(embedder: ApiEmbedder, store: CrawlStore) -> None:
    """Remember which model stands behind a name, and its dimension.

    :raises EmbedderError: if another one stands there than when the vectors in the store were made.
    """
    name = f"api model {embedder.asked} at {embedder.endpoint.base}"
    before = store.get_meta(name)
    if before and before != embedder.model_id:
        raise EmbedderError(
            f"{embedder.endpoint.host} now answers to {embedder.asked} as {embedder.model_id}; this site's vectors were made by "
            f"{before}. Vectors of two models are not mixed: name the wanted one in INTERLINK_MODEL, or begin in a new folder."
        )
    store.set_meta(name, embedder.model_id)


def check_spending(embedder: ApiEmbedder, texts: Iterable[str], store: CrawlStore) -> int:
    """Tell how many tokens the texts will need whose vectors are not kept yet, and return it.

    :raises EmbedderError: if they are more than the cap leaves.
    """
    cache = VectorCache(store.connection, embedder.model_id)
    missing = tokens = 0
    waiting = iter(texts)
    while part := list(islice(waiting, _AT_ONCE)):
        wanted = {text_digest(text): text for text in part}
        known = cache.get(list(wanted))
        new = [text for digest, text in wanted.items() if digest not in known]
        missing += len(new)
        tokens += estimate_tokens(new)
    logger.info(
        "%s at %s: %d texts to embed, about %s tokens at most; the cap is %s.",
        embedder.asked,
        embedder.endpoint.host,
        missing,
        f"{tokens:,}",
        f"{embedder.max_tokens:,}",
    )
    if embedder.spent + tokens > embedder.max_tokens:
        raise EmbedderError(
            f"{missing} texts need about {tokens:,} tokens, which is more than the cap of {embedder.max_tokens:,} "
            "(INTERLINK_API_MAX_TOKENS) leaves; nothing was sent."
        )
    return tokens
