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
    out_degree: NDArray[np.int32]  # (pages,): links of each page
    in_degree: NDArray[np.int32]  # (pages,): pages that link to each page
    out_weight: NDArray[np.float64]  # (pages,): 1 / log(2 + links of the page) (Adamic and Adar 2003)
    in_weight: NDArray[np.float64]  # (pages,): 1 / log(2 + links to the page)

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


def link_index(pairs: Iterable[tuple[int, int]], size: int) -> LinkIndex:
    """Build both tables from (source, target) pairs, which may repeat."""
    table = np.array(sorted(set(pairs)), dtype=np.int32).reshape(-1, 2)
    out = sparse.csr_array((np.ones(len(table), dtype=np.float32), (table[:, 0], table[:, 1])), shape=(size, size))
    into = out.T.tocsr()
    into.sort_indices()
    out_degree, in_degree = (np.diff(links.indptr).astype(np.int32) for links in (out, into))
    return LinkIndex(out, into, out_degree, in_degree, 1 / np.log(2 + out_degree), 1 / np.log(2 + in_degree))


def _row(table: sparse.csr_array, row: int) -> NDArray[np.int32]:
    columns: NDArray[np.int32] = table.indices[table.indptr[row] : table.indptr[row + 1]]
    return columns
