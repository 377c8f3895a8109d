"""Rows of sparse tables by plain arrays: scipy's row indexing costs more than all else that is done with a few hundred rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    Floats = NDArray[np.float32]


class Entries(NamedTuple):
    """The non-zero entries of some rows; ``owner`` is the position of an entry's row among the rows asked for."""

    owner: NDArray[np.int64]
    column: NDArray[np.int32]
    value: NDArray[np.float32]


def expand(starts: NDArray[np.integer], rows: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The entries of ``rows``; row r has those from starts[r] to starts[r + 1]. Returns (position in ``rows``, entry) of each."""
    counts = starts[rows + 1] - starts[rows]
    owner = np.repeat(np.arange(len(rows)), counts)
    before = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + (starts[rows] - before)[owner]


def entries(table: sparse.csr_array, rows: NDArray[np.integer]) -> Entries:
    """The entries of some rows of a table."""
    owner, at = expand(table.indptr, rows)
    return Entries(owner, table.indices[at], table.data[at])


def row_sums(table: sparse.csr_array, rows: NDArray[np.integer], weights: Floats | None = None) -> Floats:
    """For each row the sum of its entries, each times the weight of its column (1 without weights)."""
    owner, column, value = entries(table, rows)
    products = value if weights is None else value * weights[column]
    return np.bincount(owner, weights=products, minlength=len(rows)).astype(np.float32)


def column_sums(table: sparse.csr_array, rows: NDArray[np.integer], weights: Floats | None = None) -> Floats:
    """The sum of some rows, each times its weight (1 without weights): one number a column.

    For rows that may be long: they are copied one by one, which is faster than to gather their entries.
    """
    starts, ends = table.indptr[rows], table.indptr[rows + 1]
    spans = [slice(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    if not spans:
        return np.zeros(table.shape[1], dtype=np.float32)
    column = np.concatenate([table.indices[span] for span in spans])
    value = np.concatenate([table.data[span] for span in spans])
    if weights is not None:
        value *= np.repeat(weights, ends - starts)
    return np.bincount(column, weights=value, minlength=table.shape[1]).astype(np.float32)


def dense(table: sparse.csr_array, rows: NDArray[np.integer], position: NDArray[np.integer], width: int) -> Floats:
    """Some columns of some rows of a table, in full and turned: (width, rows).

    ``position`` (columns,) gives the new place of a column, -1 = left out.
    """
    owner, column, value = entries(table, rows)
    place = position[column]
    kept = place >= 0
    out = np.zeros((width, len(rows)), dtype=np.float32)
    out[place[kept], owner[kept]] = value[kept]
    return out
