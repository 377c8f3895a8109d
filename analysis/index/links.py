"""The links between the pages of one language, and what the links around a pair say of it, the pair's own link left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class LinkIndex:
    """Distinct links as two sparse tables with ones: ``out[source, target]`` and its transpose ``into[target, source]``."""

    out: sparse.csr_array
    into: sparse.csr_array

    @property
    def size(self) -> int:
        """Number of pages."""
        return int(self.out.shape[0])

    def targets(self, page: int) -> NDArray[np.int32]:
        """The pages that a page links to, ascending."""
        return _row(self.out, page)

    def sources(self, page: int) -> NDArray[np.int32]:
        """The pages that link to a page, ascending."""
        return _row(self.into, page)

    @property
    def out_degree(self) -> NDArray[np.int32]:
        """Links of each page."""
        return np.diff(self.out.indptr).astype(np.int32)

    @property
    def in_degree(self) -> NDArray[np.int32]:
        """Pages that link to each page."""
        return np.diff(self.into.indptr).astype(np.int32)


def link_index(pairs: Iterable[tuple[int, int]], size: int) -> LinkIndex:
    """Build both tables from (source, target) pairs, which may repeat."""
    table = np.array(sorted(set(pairs)), dtype=np.int32).reshape(-1, 2)
    out = sparse.csr_array((np.ones(len(table), dtype=np.float32), (table[:, 0], table[:, 1])), shape=(size, size))
    into = out.T.tocsr()
    into.sort_indices()
    return LinkIndex(out, into)


def _row(table: sparse.csr_array, row: int) -> NDArray[np.int32]:
    columns: NDArray[np.int32] = table.indices[table.indptr[row] : table.indptr[row + 1]]
    return columns
