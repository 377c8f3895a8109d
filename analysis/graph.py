"""The graph of links that stand in the texts: who links to whom, and whom nobody links to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from analysis.records import Page


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """Distinct (source, target) pairs as two int32 arrays of one length, sorted; ``size`` is the number of pages."""

    size: int
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]

    @property
    def out_degree(self) -> NDArray[np.int64]:
        """Links that stand in each article's text, to different articles."""
        return np.bincount(self.sources, minlength=self.size)

    @property
    def in_degree(self) -> NDArray[np.int64]:
        """Articles whose text links to each page."""
        return np.bincount(self.targets, minlength=self.size)

    def orphans(self) -> list[int]:
        """Pages to which no other article's text links."""
        return [int(index) for index in np.flatnonzero(self.in_degree == 0)]

    def targets_of(self, source: int) -> set[int]:
        """The pages that an article links to already."""
        start, stop = np.searchsorted(self.sources, [source, source + 1])
        return {int(target) for target in self.targets[start:stop]}


def read_graph(pages: Iterable[Page], size: int) -> LinkGraph:
    """Collect the links of all pages in one pass."""
    pairs = sorted({(page.head.index, link.target) for page in pages for link in page.links})
    table = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return LinkGraph(size, table[:, 0].copy(), table[:, 1].copy())
