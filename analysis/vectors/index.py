"""An index of article vectors: what a local table, Pinecone and PostgreSQL have in common, and the guide's way of asking it.

A namespace is a language: else translations of one article would be each other's nearest relatives.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

TOP: Final = 15  # asked for; the article itself may be among them (the guide's)
FLOOR: Final = 0.35  # cosine below which two articles are no relatives, in the bundled model's scale (the guide's)
DECIMALS: Final = 6  # of a score; float32 says nothing beyond


class VectorIndexError(RuntimeError):
    """The index cannot be used; the message is one sentence for the user, and holds no key."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One article in the index; ``id`` is ASCII, ``metadata`` has no empty values."""

    id: str
    vector: NDArray[np.float32]  # (d,), unit length
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """One answer: the cosine of the article's vector with the one that was asked for, and what was stored beside it."""

    id: str
    score: float
    metadata: Mapping[str, str]


class VectorIndex(Protocol):
    """What every index can do; every method raises :class:`VectorIndexError` when the index refuses or cannot be reached."""

    @property
    def name(self) -> str:
        """Which index it is, without a secret: what was put into one is not in another."""

    def upsert(self, namespace: str, entries: Sequence[Entry]) -> None:
        """Put articles in, replacing those with the same id."""

    def query(self, namespace: str, vector: NDArray[np.float32], top: int) -> list[Match]:
        """The ``top`` nearest articles, nearest first; ``vector``: (d,), unit length."""

    def delete(self, namespace: str, ids: Sequence[str]) -> None:
        """Take articles out; ids that are not there are passed over."""

    def close(self) -> None:
        """Let go of the connection."""


def relatives(
    index: VectorIndex, namespace: str, vector: NDArray[np.float32], own_id: str = "", *, top: int = TOP, floor: float = FLOOR
) -> list[Match]:
    """The articles nearest to one, nearest first: of ``top`` answers those that reach ``floor``, without the article itself."""
    return [match for match in index.query(namespace, vector, top) if match.id != own_id and match.score >= floor]
