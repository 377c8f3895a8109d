"""Everything that candidates, evidence and ranking know of the articles of one language."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np
from scipy import sparse

from analysis.index.cues import link_cues
from analysis.index.links import LinkIndex, link_index
from analysis.index.phrases import Occurrences, PhraseIndex, phrase_index
from analysis.index.reading import PageReader
from analysis.processes import by_blocks
from analysis.vectors.neighbours import Neighbours, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from analysis.corpus import Corpus
    from analysis.index.reading import Readings, Stems
    from analysis.index.terms import TermIndex
    from analysis.records import Page, PageHead

NEIGHBOURS: Final = 80
_HUB_NEIGHBOURS: Final = 10  # of CSLS: Conneau et al. 2018, "Word translation without parallel data"
_KEY_TERMS: Final = 20
_FEW_PAGES: Final = 200  # a stem of so few pages always finds candidates
_MANY_SHARE: Final = 0.2  # a stem of more than this share of the pages finds none
_MANY_PAGES: Final = 3000


@dataclass(frozen=True, slots=True, eq=False)
class SiteIndex:
    """Pages are numbered from 0 within the index; ``heads[number].index`` is the page's number in the corpus."""

    heads: tuple[PageHead, ...]
    terms: TermIndex
    titles: sparse.csr_array  # (pages, vocabulary): the IDF of each distinct stem of title and h1
    title_mass: NDArray[np.float32]  # (pages,): sum of the row of titles
    titles_by_stem: sparse.csr_array  # (vocabulary, pages): the transpose of titles, stems of very many titles left out
    pages_by_stem: sparse.csr_array  # (vocabulary, pages): the transpose of terms.vectors, stems of very many pages left out
    title_pairs: sparse.csr_array  # (pages, pairs of stems that follow each other): IDF of both
    pair_keys: NDArray[np.int64]  # ascending; first stem · vocabulary + second stem, of each column of title_pairs
    key_terms: sparse.csr_array  # (pages, vocabulary): see _key_terms
    phrases: PhraseIndex
    links: LinkIndex
    cues: NDArray[np.float32]  # (sentences,): how much a sentence is worded as one with a link, log-odds
    numbers: NDArray[np.int64]  # (pages,): the number of each page in the corpus
    vectors: NDArray[np.float32]  # (corpus, d) unit rows: the meaning of the article; not copied, for it is the largest table
    title_vectors: NDArray[np.float32]  # (corpus, d) unit rows
    neighbours: NDArray[np.int32]  # (pages, k): nearest pages by cosine, best first; -1 where there are fewer
    neighbour_cosines: NDArray[np.float32]  # (pages, k)
    hubness: NDArray[np.float32]  # (pages,): mean cosine of the nearest pages
    paths: NDArray[np.int32]  # (pages, depth): the parts of each address as numbers; -1 = none
    depths: NDArray[np.int32]  # (pages,): parts of each address
    translations: NDArray[np.int32]  # (pages,): PageHead.translation_group
    days: NDArray[np.int32]  # (pages,): day of publication (proleptic ordinal); 0 = unknown
    _last_found: dict[int, Occurrences] = field(default_factory=dict, repr=False)

    @property
    def size(self) -> int:
        """Number of pages."""
        return len(self.heads)

    def occurrences(self, source: int) -> Occurrences:
        """The phrases that name pages in the running text of one page; kept until another page is asked for."""
        if source not in self._last_found:
            self._last_found.clear()
            self._last_found[source] = self.phrases.find(self.terms.page(source), self.terms.has_meaning, source)
        return self._last_found[source]


def read_sites(pages: Iterable[Page], heads: Sequence[PageHead]) -> list[PageReader]:
    """Read every page once: a reader for each language, the language of most pages first.

    :param pages: the pages of ``heads``, in the same order.
    """
    readers = _readers(heads)
    for page in pages:
        readers[page.head.language].add(page)
    return _largest_first(readers)


def read_corpus_sites(corpus: Corpus, processes: int) -> list[PageReader]:
    """The same for the pages of a crawl, by several processes."""
    readers = _readers(corpus.heads)

    def of_block(block: range) -> dict[str, Readings]:
        found: dict[str, PageReader] = {}
        for page in corpus.pages(block.start, block.stop):
            language = page.head.language
            if language not in found:
                found[language] = readers[language].begun_anew()
            found[language].add(page)
        return {language: reader.read for language, reader in found.items()}

    for found in by_blocks(of_block, len(corpus), processes, corpus.reopen):
        for language, readings in found.items():
            readers[language].read.append(readings)
    return _largest_first(readers)


def _readers(heads: Iterable[PageHead]) -> dict[str, PageReader]:
    members: defaultdict[str, list[int]] = defaultdict(list)
    for head in heads:
        members[head.language].append(head.index)
    return {language: PageReader(language, own) for language, own in members.items()}


def _largest_first(readers: Mapping[str, PageReader]) -> list[PageReader]:
    return sorted(readers.values(), key=lambda reader: (-len(reader.members), reader.members))


def build_site_index(
    reader: PageReader,
    heads: Sequence[PageHead],
    vectors: NDArray[np.float32],
    title_vectors: NDArray[np.float32],
    near: Neighbours | None = None,
    processes: int = 1,
) -> SiteIndex:
    """Index the pages of one language.

    :param heads: of the whole corpus.
    :param vectors: (corpus, d) unit rows, of the articles of the whole corpus; ``title_vectors`` likewise.
    :param near: the :data:`NEIGHBOURS` of each page of the corpus within its language, where they are known.
    :param processes: how many share the work; the result is the same.
    """
    own = np.array(reader.members)
    read = reader.read
    own_heads = tuple(heads[page] for page in reader.members)
    width = min(NEIGHBOURS, max(len(own) - 1, 1))
    found = _within(own, near, width) if near else nearest(vectors[own], np.zeros(len(own), dtype=np.int32), width)
    terms = read.terms()
    titles = _table([{stem for name in names for stem in name} for names in read.titles], terms)
    pairs, keys = _title_pairs(read.titles, terms)
    paths, depths = _paths(own_heads)
    return SiteIndex(
        heads=own_heads,
        terms=terms,
        titles=titles,
        title_mass=np.asarray(titles.sum(axis=1), dtype=np.float32).ravel(),
        titles_by_stem=_by_stem(titles),
        pages_by_stem=_by_stem(terms.vectors),
        title_pairs=pairs,
        pair_keys=keys,
        key_terms=_key_terms(terms),
        phrases=phrase_index(terms, read.names, read.headings, read.anchors, processes),
        links=link_index(((anchor.source, anchor.target) for anchor in read.anchors), len(own)),
        cues=link_cues(terms),
        numbers=own,
        vectors=vectors,
        title_vectors=title_vectors,
        neighbours=found.indices,
        neighbour_cosines=found.cosines,
        hubness=found.cosines[:, :_HUB_NEIGHBOURS].mean(axis=1, dtype=np.float32),
        paths=paths,
        depths=depths,
        translations=np.array([head.translation_group for head in own_heads], dtype=np.int32),
        days=np.array([head.published.toordinal() if head.published else 0 for head in own_heads], dtype=np.int32),
    )


def _within(own: NDArray[np.int64], near: Neighbours, width: int) -> Neighbours:
    """The first neighbours of some pages, all of one language, numbered among these pages."""
    local = np.full(len(near.indices) + 1, -1, dtype=np.int32)  # the last is for "none"
    local[own] = np.arange(len(own), dtype=np.int32)
    return Neighbours(local[near.indices[own, :width]], near.cosines[own, :width], near.recall)


def _paths(heads: Sequence[PageHead]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    parts = [[part for part in urlsplit(head.url).path.split("/") if part] for head in heads]
    numbers = {part: number for number, part in enumerate(sorted({part for row in parts for part in row}))}
    depths = np.array([len(row) for row in parts], dtype=np.int32)
    paths = np.full((len(parts), max(int(depths.max(initial=0)), 1)), -1, dtype=np.int32)
    for number, row in enumerate(parts):
        paths[number, : len(row)] = [numbers[part] for part in row]
    return paths, depths


def _table(rows: Sequence[Iterable[int]], terms: TermIndex) -> sparse.csr_array:
    """A table with the IDF of the stems of each row."""
    columns = [sorted(row) for row in rows]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in columns])])
    flat = np.array([stem for row in columns for stem in row], dtype=np.int64)
    return sparse.csr_array((terms.idf[flat], flat, starts), shape=(len(rows), len(terms.idf)))


def _by_stem(table: sparse.csr_array) -> sparse.csr_array:
    """The transpose, without the stems of more pages than it pays to look at: they tell no page from another."""
    counts = np.bincount(table.indices, minlength=table.shape[1])
    most = max(_FEW_PAGES, min(_MANY_PAGES, int(_MANY_SHARE * table.shape[0])))
    kept = (counts <= most)[table.indices]
    rows = np.repeat(np.arange(table.shape[0], dtype=np.int32), np.diff(table.indptr))
    return sparse.csr_array((table.data[kept], (table.indices[kept], rows[kept])), shape=table.shape[::-1])


def _title_pairs(names: Sequence[Sequence[Stems]], terms: TermIndex) -> tuple[sparse.csr_array, NDArray[np.int64]]:
    vocabulary = len(terms.idf)
    rows = [sorted({(a, b) for stems in group for a, b in pairwise(stems)}) for group in names]
    flat = np.array([pair for row in rows for pair in row], dtype=np.int64).reshape(-1, 2)
    keys, columns = np.unique(flat[:, 0] * vocabulary + flat[:, 1], return_inverse=True)
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    weights = terms.idf[flat[:, 0]] + terms.idf[flat[:, 1]]
    return sparse.csr_array((weights, columns.reshape(-1), starts), shape=(len(names), len(keys))), keys


def _key_terms(terms: TermIndex) -> sparse.csr_array:
    """What each page is *the* page for: its stems by the share of all their uses that stand there, times their IDF.

    Only stems that the page uses more than once, the heaviest of them.
    """
    starts = terms.sentence_starts[terms.page_starts]
    totals = np.bincount(terms.stems, minlength=len(terms.idf))
    rows, columns, weights = [], [], []
    for page in range(terms.size):
        stems, counts = np.unique(terms.stems[starts[page] : starts[page + 1]], return_counts=True)
        own = counts > 1
        stems, counts = stems[own], counts[own]
        weight = counts / totals[stems] * terms.idf[stems]
        best = np.lexsort((stems, -weight))[:_KEY_TERMS]
        best = np.sort(best[weight[best] > 0])
        rows.append(np.full(len(best), page))
        columns.append(stems[best])
        weights.append(weight[best])
    table = (np.concatenate(weights).astype(np.float32), (np.concatenate(rows), np.concatenate(columns)))
    return sparse.csr_array(table, shape=(terms.size, len(terms.idf)))
