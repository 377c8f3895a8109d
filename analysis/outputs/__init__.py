"""The files that a plan leaves behind, one module a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.outputs.orphan_table import write_orphans
from analysis.outputs.plan_table import write_plan
from analysis.outputs.search_console_table import write_search_console
from analysis.outputs.skipped_table import write_skipped
from analysis.outputs.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.corpus import Corpus
    from analysis.graph import LinkGraph
    from analysis.records import PlanRow
    from analysis.store import CrawlStore

__all__ = ["Summary", "write_all"]


def write_all(
    store: CrawlStore, corpus: Corpus, graph: LinkGraph, rows: Sequence[PlanRow], summary: Summary, *, bom: bool
) -> None:
    """Write every output into the store's folder, each replaced as a whole; the summary last, for it vouches for the rest."""
    folder, heads = store.folder, corpus.heads
    write_plan(folder, heads, rows, bom=bom)
    write_search_console(folder, heads, rows, bom=bom)
    write_skipped(folder, store, corpus.left_out, bom=bom)
    orphans = graph.orphans() if summary.complete else []
    write_orphans(folder, heads, orphans, graph.out_degree.tolist(), rows, bom=bom)
    summary.write(folder)
