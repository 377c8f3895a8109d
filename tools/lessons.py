"""What a corpus teaches: the candidates of its pages, what speaks for each, and which of them its editors linked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analysis import candidates, evidence
from analysis.index.site import build_site_index, read_sites
from tools.editorial_corpus import hides, without_links

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.records import Page

PAGES = 400  # of a corpus, evenly drawn from those with links; more change no coefficient by more than its uncertainty


class Lesson(NamedTuple):
    """Pairs of pages, one source after another."""

    evidence: NDArray[np.float32]  # (pairs, features)
    is_linked: NDArray[np.bool_]  # by the editors, whether the index saw it or not
    is_visible: NDArray[np.bool_]  # of these links, the ones that the index saw
    sizes: NDArray[np.int64]  # pairs of each source
    hidden: NDArray[np.int64]  # links of each source that were hidden, candidates or not

    @property
    def starts(self) -> NDArray[np.int64]:
        """The first pair of each source."""
        return np.cumsum(self.sizes) - self.sizes

    @property
    def seen(self) -> tuple[NDArray[np.float32], NDArray[np.bool_], int]:
        """What a plan could learn from: evidence and visible links of the pages that have one, and the number of these pages."""
        links = np.add.reduceat(self.is_visible.astype(int), self.starts)
        kept = np.repeat(links > 0, self.sizes)
        return self.evidence[kept], self.is_visible[kept], int((links > 0).sum())


def read_lesson(
    pages: Sequence[Page], share: float, vectors: NDArray[np.float32], title_vectors: NDArray[np.float32], seed: str = "1"
) -> Lesson:
    """The candidates of pages with links, measured with a share of all links hidden."""
    heads = [page.head for page in pages]
    shown = without_links(pages, hides(share, seed))
    linked = [frozenset(link.target for link in page.links) for page in pages]
    visible = [frozenset(link.target for link in page.links) for page in shown]
    linking = [page.head.index for page in pages if page.links]
    drawn = {linking[at] for at in np.linspace(0, len(linking) - 1, min(PAGES, len(linking))).astype(int)}
    tables, is_linked, is_visible, sizes, hidden = [], [], [], [], []
    for reader in read_sites(shown, heads):
        site = build_site_index(reader, heads, vectors, title_vectors)
        for source, head in enumerate(site.heads):
            if head.index not in drawn:
                continue
            found = candidates.find(site, source)
            targets = [site.heads[target].index for target in found]
            tables.append(evidence.measure(site, source, found))
            is_linked += [target in linked[head.index] for target in targets]
            is_visible += [target in visible[head.index] for target in targets]
            sizes.append(len(targets))
            hidden.append(len(linked[head.index] - visible[head.index]))
    return Lesson(
        np.concatenate(tables),
        np.array(is_linked, dtype=np.bool_),
        np.array(is_visible, dtype=np.bool_),
        np.array(sizes, dtype=np.int64),
        np.array(hidden, dtype=np.int64),
    )
