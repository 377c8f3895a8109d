"""What a method is given to plan with: the articles, their links, and a way to turn texts into vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from analysis.embedding.api import ApiEmbedder
from analysis.embedding.cache import embed_texts
from analysis.progress import progress
from analysis.vectors.neighbours import Neighbours, nearest

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from analysis.corpus import Corpus
    from analysis.embedding.parallel import EmbeddingPool
    from analysis.embedding.protocol import Embedder
    from analysis.graph import LinkGraph
    from analysis.records import Page


@dataclass(frozen=True, slots=True)
class Site:
    """One site, read and ready; vectors are kept in its store as they are computed."""

    corpus: Corpus
    graph: LinkGraph
    pool: EmbeddingPool
    connection: sqlite3.Connection
    rejected: Mapping[int, AbstractSet[int]] = field(default_factory=dict)  # page -> pages to which it shall not link
    _page_vectors: dict[int, NDArray[np.float32]] = field(default_factory=dict, repr=False, compare=False)
    _neighbours: dict[int, Neighbours] = field(default_factory=dict, repr=False, compare=False)

    @property
    def embedder(self) -> Embedder:
        """The model in use."""
        return self.pool.embedder

    @property
    def languages(self) -> NDArray[np.int32]:
        """(n,): each page's language as a number."""
        numbers = {code: number for number, code in enumerate(sorted({head.language for head in self.corpus.heads}))}
        return np.array([numbers[head.language] for head in self.corpus.heads], dtype=np.int32)

    def page_vectors(self, chars: int) -> NDArray[np.float32]:
        """(n, d) unit rows: the meaning of each article; kept, for several steps look at them."""
        if chars not in self._page_vectors:
            texts = (embedded_text(page, chars) for page in self.corpus.pages())
            self._page_vectors[chars] = self._embed("Embedding articles", texts)
        return self._page_vectors[chars]

    def neighbours(self, chars: int, k: int) -> Neighbours:
        """The k nearest pages of each page, of its own language; kept, so let the step that wants most come first."""
        known = self._neighbours.get(chars)
        if known is None or known.indices.shape[1] < k:
            known = self._neighbours[chars] = nearest(self.page_vectors(chars), self.languages, k)
        return Neighbours(known.indices[:, :k], known.cosines[:, :k], known.recall)

    def title_vectors(self) -> NDArray[np.float32]:
        """(n, d) unit rows: the meaning of each title."""
        return self._embed("Embedding titles", (head.title for head in self.corpus.heads))

    def texts(self, chars: int) -> Iterator[str]:
        """All that :meth:`page_vectors` and :meth:`title_vectors` embed."""
        yield from (embedded_text(page, chars) for page in self.corpus.pages())
        yield from (head.title for head in self.corpus.heads)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows of single texts; a hosted model's are kept, for they cost money."""
        if isinstance(self.embedder, ApiEmbedder):
            return embed_texts(texts, len(texts), self.pool, self.connection)
        return self.embedder.encode(texts)

    def _embed(self, what: str, texts: Iterable[str]) -> NDArray[np.float32]:
        return embed_texts(texts, len(self.corpus), self.pool, self.connection, progress(what))


def embedded_text(page: Page, chars: int) -> str:
    """What stands for a page's meaning: clean title, h1, the first ``chars`` characters of the article (the guide's recipe)."""
    return f"{page.head.title}. {page.head.h1}. {page.text()[:chars]}"
