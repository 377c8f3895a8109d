"""Accepted rows of weave.csv as changes to source files: the same diff, ledger and undo as for links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.editing.changes import Changes, FileChange, PlannedLink
from analysis.editing.ledger import Entry
from analysis.editing.sources import SourceError
from analysis.weave.splice import Woven, weave_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from analysis.editing.sources import SourceFolder


def work_out_weaves(rows: Iterable[Mapping[str, str]], sources: SourceFolder, max_total: int) -> Changes:
    """Try all rows page by page; nothing is written."""
    files: list[FileChange] = []
    refused: list[tuple[str, str, str]] = []
    pages: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        pages.setdefault(row["url_from"], []).append(row)
    for url, of_page in pages.items():
        try:
            path, markup = sources.find(url)
        except SourceError as error:
            refused += [(url, row["url_to"], str(error)) for row in of_page]
            continue
        before = after = path.read_bytes()
        entries = []
        for row in of_page:
            request = PlannedLink(url, row["url_to"], row["anchor"], "", 0).request()
            result = weave_in(after, row["before"], row["after"], request, page_url=url, markup=markup, max_total=max_total)
            if isinstance(result, Woven):
                after = result.source
                entries.append(Entry.woven(path, url, row["url_to"], result.offset, result.old, result.new))
            else:
                refused.append((url, row["url_to"], str(result)))
        if entries:
            files.append(FileChange(path, before, after, tuple(entries)))
    return Changes(tuple(files), tuple(refused))
