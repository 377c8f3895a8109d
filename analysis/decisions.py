"""What became of proposals: a pair that was rejected never comes back, and one that is linked by now is done.

Decisions are read from the ``status`` column of the last plan and from ``decisions.csv``, and kept in the store, so that a new
plan may replace the file they were written in.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from analysis.outputs.tables import read_table
from analysis.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from analysis.corpus import Corpus
    from analysis.graph import LinkGraph
    from analysis.records import PlanRow
    from analysis.store import CrawlStore

FILES = ("interlink_plan.csv", "decisions.csv")


class Status(StrEnum):
    """The state of a proposed pair."""

    NEW = "new"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DONE = "done"


def remember_decisions(store: CrawlStore) -> None:
    """Copy what users decided in the files of the store's folder into the store."""
    for name in FILES:
        path = store.folder / name
        if path.is_file():
            store.put_decisions(_read(path))


def note_live_links(store: CrawlStore, corpus: Corpus, graph: LinkGraph) -> list[tuple[str, str]]:
    """Proposed pairs that are linked by now are done; those (source key, target key) that have become so since the last plan."""
    links = set(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    live = [
        (source, target, Status.DONE)
        for source, target, status in store.decisions()
        if status != Status.DONE and (corpus.index_of(source), corpus.index_of(target)) in links
    ]
    store.put_decisions(live)
    return [(source, target) for source, target, _ in live]


def rejected_targets(store: CrawlStore, corpus: Corpus) -> dict[int, frozenset[int]]:
    """The pages to which each page shall not link: nobody is asked a second time, and the next best takes the place."""
    targets: defaultdict[int, set[int]] = defaultdict(set)
    for source_key, target_key, status in store.decisions():
        source, target = corpus.index_of(source_key), corpus.index_of(target_key)
        if status == Status.REJECTED and source is not None and target is not None:
            targets[source].add(target)
    return {source: frozenset(own) for source, own in targets.items()}


def with_decisions(rows: Iterable[PlanRow], store: CrawlStore, corpus: Corpus) -> list[PlanRow]:
    """The rows with what was decided about them; rejected pairs are left out."""
    decided = {(corpus.index_of(source), corpus.index_of(target)): status for source, target, status in store.decisions()}
    told = [(row, decided.get((row.proposal.source, row.proposal.target), Status.NEW)) for row in rows]
    return [replace(row, status=status) for row, status in told if status not in (Status.REJECTED, Status.DONE)]


def _read(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield ``(source key, target key, status)`` of the rows of a table that has such columns."""
    table = read_table(path)
    if not {"url_from", "url_to", "status"} <= set(table.columns):
        return
    for source, target, status in zip(table["url_from"], table["url_to"], table["status"], strict=True):
        told = status.strip().lower()
        if told in set(Status):
            yield page_key(source), page_key(target), told
