"""Search Console's figures between an import and the plans that use them: kept in the crawl store by address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from analysis.search_console.export import Export, read_export
from analysis.search_console.queries import Rankings
from analysis.store import SearchFigures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from analysis.corpus import Corpus
    from analysis.store import CrawlStore

_FIGURES = ("clicks", "impressions", "ctr", "position")


@dataclass(frozen=True, slots=True)
class SearchData:
    """The figures of the corpus: each page's own, and the queries that pages rank for."""

    pages: dict[int, SearchFigures]
    rankings: Rankings


def import_exports(store: CrawlStore, paths: Iterable[Path]) -> list[Export]:
    """Read exports and keep their figures in place of those of an earlier import; all are read before any is kept.

    :raises ExportError: if nothing in one of the files can be used; what was kept before stays.
    """
    keys, aliases = store.pages.keys(), store.urls.aliases()
    exports = [read_export(path, keys, aliases) for path in paths]
    store.search_console.replace(_rows(export) for export in exports)
    return exports


def read_search_data(store: CrawlStore, corpus: Corpus) -> SearchData | None:
    """What was imported, joined to the corpus as it is now; None where nothing was."""
    pages: dict[int, SearchFigures] = {}
    queries: list[tuple[int, str, str, float | None, float | None, float | None, float | None]] = []
    for row in store.search_console.read():
        page = corpus.index_of(row.key)
        if not row.query:
            if page is not None:
                pages[page] = row
        else:
            queries.append((-1 if page is None else page, *row))
    if not pages and not queries:
        return None
    table = pd.DataFrame(queries, columns=["page", "key", "query", *_FIGURES])
    table = table.astype(dict.fromkeys(_FIGURES, float))
    return SearchData(pages, Rankings(Export(table.iloc[:0], table, (), (), ())))


def _rows(export: Export) -> Iterator[SearchFigures]:
    for table in (export.pages.assign(query=""), export.queries):
        columns: Sequence[list[float]] = [table[name].tolist() for name in _FIGURES]
        for key, query, *figures in zip(table["key"].tolist(), table["query"].tolist(), *columns, strict=True):
            yield SearchFigures(key, query, *(None if pd.isna(figure) else float(figure) for figure in figures))
