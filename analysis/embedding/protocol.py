"""What every embedder promises; the rest of the plan knows no model by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


class EmbedderError(RuntimeError):
    """An embedder cannot work; the message is one sentence for the user, with what to do about it."""


class Embedder(Protocol):
    """Turns texts into unit vectors; cheap to make and to pickle, its model is loaded by the first :meth:`encode`."""

    @property
    def model_id(self) -> str:
        """Name, version and revision: two embedders with the same id give the same vector for a text."""

    @property
    def dimension(self) -> int:
        """Floats a vector."""

    @property
    def languages(self) -> frozenset[str] | None:
        """ISO 639-1 codes of the languages that the model was trained for; None when nobody has said."""

    @property
    def truncates_after(self) -> int | None:
        """Tokens of a text beyond which nothing is read; None when every text is read whole."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows of shape (len(texts), dimension); a text without a visible character has a zero row.

        A text's row has the same bytes whatever stands beside it in ``texts``.

        :raises EmbedderError: if the model cannot be loaded.
        """
