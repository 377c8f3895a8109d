"""Search Console's figures, from an export or the API, joined to the pages of a crawl, and what they say of a pair of pages."""

from __future__ import annotations

from analysis.search_console.export import Export, read_export
from analysis.search_console.files import ExportError, Skipped
from analysis.search_console.queries import PairQueries, Rankings, SharedQuery, Verdict
from analysis.search_console.stored import SearchData, import_exports, read_search_data
from analysis.search_console.verdicts import Judged, Rivals, judge_rows

__all__ = [
    "Export",
    "ExportError",
    "Judged",
    "PairQueries",
    "Rankings",
    "Rivals",
    "SearchData",
    "SharedQuery",
    "Skipped",
    "Verdict",
    "import_exports",
    "judge_rows",
    "read_export",
    "read_search_data",
]
