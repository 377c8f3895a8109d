"""The crawl store: one SQLite file a site, written as pages arrive and read by the plan.

The table ``url`` is the crawl's frontier and its account: every address that was ever seen stands in it with its state, so a
crawl goes on where it was killed, and coverage and ``skipped.csv`` fall out of the same rows.
WAL mode, one writer. A row is committed before the next one is taken from the network, so a kill loses what was in flight.
"""

from analysis.store.crawl_store import CrawlStore, StoreError
from analysis.store.lock import CrawlLock
from analysis.store.rows import NewUrl, PageVersion, SiteChanges, StoredPage, UrlKind, UrlRow, UrlState
from analysis.store.schema import FILE_NAME
from analysis.store.search_console_table import SearchFigures

__all__ = [
    "FILE_NAME",
    "CrawlLock",
    "CrawlStore",
    "NewUrl",
    "PageVersion",
    "SearchFigures",
    "SiteChanges",
    "StoreError",
    "StoredPage",
    "UrlKind",
    "UrlRow",
    "UrlState",
]
