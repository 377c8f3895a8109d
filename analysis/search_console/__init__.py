"""Search Console's figures, from an export or the API, joined to the pages of a crawl, and what they say of a pair of pages."""

from __future__ import annotations

from analysis.search_console.export import Export, read_export
from analysis.search_console.files import ExportError, Skipped
from analysis.search_console.queries import PairQueries, Rankings, SharedQuery, Verdict

__all__ = ["Export", "ExportError", "PairQueries", "Rankings", "SharedQuery", "Skipped", "Verdict", "read_export"]
