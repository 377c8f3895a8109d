"""The files that a plan leaves behind, one module a file."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from analysis.outputs.orphan_table import write_orphans
from analysis.outputs.plan_table import write_plan
from analysis.outputs.report import drawing, files, write_report
from analysis.outputs.search_console_table import write_search_console
from analysis.outputs.skipped_table import write_skipped
from analysis.outputs.summary import Summary
from analysis.outputs.tables import write_table

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from analysis.corpus import Corpus
    from analysis.findings import Findings
    from analysis.graph import LinkGraph
    from analysis.store import CrawlStore

__all__ = ["Summary", "write_all", "write_unchanged"]

logger = logging.getLogger(__name__)


def write_all(store: CrawlStore, corpus: Corpus, graph: LinkGraph, findings: Findings, summary: Summary, *, bom: bool) -> None:
    """Write every output into the store's folder, each replaced as a whole; the summary after what it vouches for.

    The report comes last, from the files: where it fails, the error is told and everything else stands.
    """
    folder, heads, rows = store.folder, corpus.heads, findings.rows
    audit = findings.audit
    write_plan(folder, heads, rows, bom=bom)
    write_search_console(folder, heads, rows, findings.search, findings.judged.verdicts, bom=bom)
    write_skipped(folder, store, corpus.left_out, bom=bom)
    write_orphans(folder, heads, findings.orphans, graph.out_degree.tolist(), set(findings.menu), bom=bom)
    write_changes(folder, findings.changes.rows() if findings.changes else (), bom=bom)
    files.write_competitors(folder, findings.competitors, bom=bom)
    files.write_graph(folder, drawing.graph_view(heads, graph, findings.effect))
    files.write_topics(folder, drawing.topic_points(heads, audit.vectors), bom=bom)
    files.write_similarity(folder, drawing.similarity(audit))
    summary.write(folder)
    try:
        write_report(folder)
    except OSError as error:
        logger.error("report.html could not be written (%s); all other outputs stand.", error)
    except Exception:
        logger.exception("report.html could not be made; all other outputs stand, and `scrapy report %s` tries again.", folder)


def write_changes(folder: Path, rows: Iterable[tuple[str, str]], *, bom: bool) -> None:
    """``changes.csv``: what happened to which page since the crawl before."""
    write_table(folder / "changes.csv", ("change", "url"), rows, bom=bom)


def write_unchanged(folder: Path, *, bom: bool) -> Summary:
    """All outputs stand, and nothing has changed since the crawl before: say so."""
    summary = Summary.read(folder).when_nothing_changed()
    write_changes(folder, (), bom=bom)
    summary.write(folder)
    return summary
