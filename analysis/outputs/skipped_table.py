"""``skipped.csv``: every address that was not used, with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.outputs.tables import write_table
from analysis.store import CrawlStore, UrlState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from analysis.corpus import LeftOut

NAME = "skipped.csv"
COLUMNS = ("url", "kind", "state", "reason", "detail")


def write_skipped(folder: Path, store: CrawlStore, left_out: Sequence[LeftOut], *, bom: bool) -> None:
    """Write the crawl's skipped, failed and unfetched addresses, then the pages that the plan left out."""

    def cells() -> Iterator[tuple[object, ...]]:
        for row in store.urls.in_states(UrlState.SKIPPED, UrlState.FAILED, UrlState.PENDING):
            yield (row.url, row.kind, row.state, row.reason or "not fetched", row.detail)
        for page in left_out:
            yield (page.url, "page", "left out", page.reason, page.detail)

    write_table(folder / NAME, COLUMNS, cells(), bom=bom)
