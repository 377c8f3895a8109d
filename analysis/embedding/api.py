"""A hosted embedding model: any OpenAI-compatible endpoint, within a spending cap that is kept before each call.

The request: https://platform.openai.com/docs/api-reference/embeddings (Mistral's is the same:
https://docs.mistral.ai/api/#tag/embeddings). What a call brought is in the store before the next call is made (see cache), so
nothing is paid for twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from analysis.embedding.batching import readable
from analysis.embedding.protocol import EmbedderError
from analysis.hosted import Endpoint, HostedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

DEFAULT_MODEL: Final = "mistral-embed"
INPUT_CHARS: Final = 7000  # of one text; what the guide keeps to, below mistral-embed's 8,192 tokens
_BATCH_TEXTS: Final = 64
_BATCH_TOKENS: Final = 16_000  # Mistral's limit for one call is 16,384
_BYTES_A_TOKEN: Final = 3  # of UTF-8; English has 4 to 5, Russian 4 to 6, Chinese 2 to 3: rather too many tokens than too few


class ApiEmbedder:
    """See :class:`analysis.embedding.protocol.Embedder`; making it asks the service once, so a wrong key is found at the start.

    It counts what it spends, so it must not be copied into several processes.
    """

    languages = None
    truncates_after = None

    def __init__(self, base: str, model: str, max_tokens: int) -> None:
        """:raises EmbedderError: if the service cannot be used."""
        self.asked = model or DEFAULT_MODEL
        self.max_tokens = max_tokens
        self.spent = 0  # tokens, as the service counts them
        try:
            self.endpoint = Endpoint(base)
        except HostedError as error:
            raise EmbedderError(str(error)) from None
        self.dimension = 0
        self._answers_as = ""
        self.dimension = self._ask(["Interlink"]).shape[1]
        self.model_id = f"{self._answers_as}/{self.dimension}@{self.endpoint.host}"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows, float32, shape (len(texts), dimension); zeros for a blank text.

        :raises EmbedderError: if the service fails, answers as another model than before, or the cap would be passed.
        """
        out = np.zeros((len(texts), self.dimension), dtype=np.float32)
        filled = [(row, text[:INPUT_CHARS]) for row, text in enumerate(map(readable, texts)) if text]
        for batch in _batches(filled):
            rows, inputs = zip(*batch, strict=True)
            out[list(rows)] = self._ask(inputs)
        return out

    def _ask(self, inputs: Sequence[str]) -> NDArray[np.float32]:
        expected = estimate_tokens(inputs)
        if self.spent + expected > self.max_tokens:
            raise EmbedderError(
                f"The cap of {self.max_tokens:,} tokens (INTERLINK_API_MAX_TOKENS) is reached: {self.spent:,} are spent, the "
                f"next call needs about {expected:,}. What was embedded is kept; raise the cap and plan again."
            )
        try:
            answer = self.endpoint.post("/embeddings", {"model": self.asked, "input": list(inputs), "encoding_format": "float"})
        except HostedError as error:
            raise EmbedderError(str(error)) from None
        self.spent += _tokens_used(answer) or expected
        self._check_model(str(answer.get("model") or self._answers_as or self.asked))
        return self._rows(answer.get("data"), len(inputs))

    def _check_model(self, name: str) -> None:
        self._answers_as = self._answers_as or name
        if name != self._answers_as:
            raise EmbedderError(
                f"{self.endpoint.host} has begun to answer as the model {name} instead of {self._answers_as}; "
                "vectors of two models are not mixed. Name the wanted one in INTERLINK_MODEL and plan again."
            )

    def _rows(self, data: Any, count: int) -> NDArray[np.float32]:
        try:
            ordered = sorted(data, key=lambda entry: entry["index"])
            rows = np.array([entry["embedding"] for entry in ordered], dtype=np.float32)
        except (KeyError, TypeError, ValueError):
            rows = np.zeros(0, dtype=np.float32)
        dimension = self.dimension or (rows.shape[1] if rows.ndim == 2 else 0)
        if rows.shape != (count, dimension) or not dimension:
            raise EmbedderError(
                f"{self.endpoint.host} answers with vectors of shape {rows.shape} where {(count, self.dimension or 'd')} is due; "
                "vectors of two lengths are not mixed."
            )
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise EmbedderError(f"{self.endpoint.host} answers with vectors that hold no direction (zero, or not a number).")
        unit: NDArray[np.float32] = rows / lengths
        return unit


def estimate_tokens(texts: Iterable[str]) -> int:
    """About how many tokens these texts have, rather too many than too few."""
    return sum(len(text[:INPUT_CHARS].encode("utf-8", "replace")) // _BYTES_A_TOKEN + 1 for text in texts)


def _tokens_used(answer: dict[str, Any]) -> int:
    usage = answer.get("usage")
    used = usage.get("total_tokens") if isinstance(usage, dict) else 0
    return used if isinstance(used, int) else 0


def _batches(entries: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    batch: list[tuple[int, str]] = []
    tokens = 0
    for entry in entries:
        needed = estimate_tokens([entry[1]])
        if batch and (len(batch) == _BATCH_TEXTS or tokens + needed > _BATCH_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(entry)
        tokens += needed
    if batch:
        yield batch
