"""The texts of a site as arrays of stem numbers, sentence by sentence, with what is known of each stem.

About four bytes a word stay in memory. All pages of an index have one language and are numbered within it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

_VECTOR_TERMS: Final = 200  # heaviest terms kept of a page's vector; what is left changes a cosine in the third digit
_PAGES_AT_ONCE: Final = 4096


class Role(IntEnum):
    """What a sentence is in its article."""

    OTHER = 0  # a table, a quotation, a caption: read, but no place for a link
    RUNNING = 1
    HEADING = 2


@dataclass(frozen=True, slots=True, eq=False)
class PageTerms:
    """The words of a page; its sentences are numbered from 0."""

    stems: NDArray[np.int32]  # (words,)
    linked: NDArray[np.int32]  # (words,): the page that a link on this word leads to; -1 = no link
    sentences: NDArray[np.int32]  # (words,): the sentence of each word
    roles: NDArray[np.int8]  # (sentences,): of Role


@dataclass(frozen=True, slots=True, eq=False)
class TermIndex:
    """Words are grouped into sentences (``sentence_starts``: offsets into ``stems``), sentences into pages (``page_starts``)."""

    stems: NDArray[np.int32]  # (words,)
    linked_at: NDArray[np.int64]  # ascending: the words that carry a link …
    linked_to: NDArray[np.int32]  # … and the page that each leads to
    sentence_starts: NDArray[np.int64]  # (sentences + 1,)
    roles: NDArray[np.int8]  # (sentences,)
    page_starts: NDArray[np.int64]  # (pages + 1,)
    lengths: NDArray[np.int64]  # (pages,): words of each page
    has_meaning: NDArray[np.bool_]  # (vocabulary,): False for grammar
    idf: NDArray[np.float32]  # (vocabulary,): log((pages + 1) / (pages with the stem + 1)); 0 for grammar
    vectors: sparse.csr_array  # (pages, vocabulary): TF-IDF, unit rows, float32

    @property
    def size(self) -> int:
        """Number of pages."""
        return len(self.page_starts) - 1

    def page(self, number: int) -> PageTerms:
        """The words of one page."""
        first, last = self.page_starts[number], self.page_starts[number + 1]
        starts = self.sentence_starts[first : last + 1]
        span = slice(int(starts[0]), int(starts[-1]))
        sentences = np.repeat(np.arange(last - first, dtype=np.int32), np.diff(starts))
        linked = np.full(span.stop - span.start, -1, dtype=np.int32)
        links = slice(*np.searchsorted(self.linked_at, (span.start, span.stop)))
        linked[self.linked_at[links] - span.start] = self.linked_to[links]
        return PageTerms(self.stems[span], linked, sentences, self.roles[first:last])


def term_index(
    stems: NDArray[np.int32],
    linked: NDArray[np.int32],
    sentence_starts: NDArray[np.int64],
    roles: NDArray[np.int8],
    page_starts: NDArray[np.int64],
    has_meaning: NDArray[np.bool_],
) -> TermIndex:
    """Weigh the stems by how many pages have them; ``has_meaning`` (vocabulary,) is False for grammar."""
    starts = sentence_starts[page_starts]
    pages, vocabulary = len(page_starts) - 1, len(has_meaning)
    frequencies = np.zeros(vocabulary, dtype=np.int64)
    for first in range(0, pages, _PAGES_AT_ONCE):
        frequencies += np.bincount(
            _counts(stems, starts[first : first + _PAGES_AT_ONCE + 1], vocabulary).indices, minlength=vocabulary
        )
    idf = np.where(has_meaning, np.log((pages + 1) / (frequencies + 1)), 0).clip(0).astype(np.float32)
    parts = [
        _tf_idf(_counts(stems, starts[first : first + _PAGES_AT_ONCE + 1], vocabulary), idf)
        for first in range(0, pages, _PAGES_AT_ONCE)
    ]
    vectors = sparse.vstack(parts, format="csr") if parts else sparse.csr_array((0, vocabulary), dtype=np.float32)
    linked_at = np.flatnonzero(linked >= 0)
    return TermIndex(
        stems, linked_at, linked[linked_at], sentence_starts, roles, page_starts, np.diff(starts), has_meaning, idf, vectors
    )


def _counts(stems: NDArray[np.int32], starts: NDArray[np.int64], vocabulary: int) -> sparse.csr_array:
    """How often each page has each stem; ``starts`` bounds the pages in ``stems``."""
    words = stems[starts[0] : starts[-1]]
    table = sparse.csr_array(
        (np.ones(len(words), dtype=np.float32), words, starts - starts[0]), shape=(len(starts) - 1, vocabulary)
    )
    table.sum_duplicates()
    return table


def _tf_idf(counts: sparse.csr_array, idf: NDArray[np.float32]) -> sparse.csr_array:
    """Unit rows of (1 + log tf) · idf, cut to the heaviest terms."""
    weights = (1 + np.log(counts.data)) * idf[counts.indices]
    rows = np.repeat(np.arange(counts.shape[0], dtype=np.int32), np.diff(counts.indptr))
    order = np.lexsort((counts.indices, -weights, rows))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order)) - counts.indptr[rows]
    kept = (rank < _VECTOR_TERMS) & (weights > 0)
    rows, columns, weights = rows[kept], counts.indices[kept].astype(np.int32), weights[kept]
    norms = np.sqrt(np.bincount(rows, weights=weights.astype(np.float64) ** 2, minlength=counts.shape[0]))
    table = sparse.csr_array(((weights / norms[rows]).astype(np.float32), (rows, columns)), shape=counts.shape)
    table.sort_indices()
    return table
