"""What changed since the crawl before this one: pages, links that went live, and new orphans."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analysis.corpus import Corpus
    from analysis.store import CrawlStore, SiteChanges


@dataclass(frozen=True, slots=True)
class Changes:
    """All empty after a first crawl; ``new_orphans`` is None where orphans are not known of both crawls."""

    pages: SiteChanges
    links_live: int
    new_orphans: tuple[str, ...] | None  # URLs

    @property
    def figures(self) -> dict[str, int | None]:
        """How many of each kind."""
        return {
            "new_pages": len(self.pages.new),
            "changed_pages": len(self.pages.changed),
            "gone_pages": len(self.pages.gone),
            "links_live": self.links_live,
            "new_orphans": None if self.new_orphans is None else len(self.new_orphans),
        }

    def rows(self) -> Iterator[tuple[str, str]]:
        """(what happened, URL) of every page that something happened to."""
        kinds = (("new", self.pages.new), ("changed", self.pages.changed), ("gone", self.pages.gone))
        for kind, urls in (*kinds, ("new orphan", self.new_orphans or ())):
            yield from ((kind, url) for url in urls)


def read_changes(
    store: CrawlStore, corpus: Corpus, orphans: Iterable[int] | None, live: Iterable[tuple[str, str]]
) -> Changes | None:
    """Compare with the crawl before; None after a first crawl. What is told is the same however often a crawl is planned.

    :param orphans: today's pages, None where they are not claimed.
    :param live: (source key, target key) of the links that went live since the last plan.
    """
    urls = None if orphans is None else [corpus.heads[page].url for page in orphans]
    before = None if urls is None else _swap(store, "orphans", urls)
    went_live = {*live, *map(tuple, _kept(store, "links_live"))}
    _keep(store, "links_live", sorted(went_live))
    if store.newest_run() < 2:
        return None
    new = None if before is None or urls is None else tuple(sorted(set(urls) - set(before)))
    return Changes(store.pages.changes(), len(went_live), new)


def _swap(store: CrawlStore, name: str, values: list[str]) -> list[str] | None:
    """Keep this crawl's values, and give those of the one before."""
    last = store.get_meta(name)
    if last and json.loads(last)["run"] != store.newest_run():
        store.set_meta(f"{name}_before", last)
    _keep(store, name, values)
    before = store.get_meta(f"{name}_before")
    return json.loads(before)["values"] if before else None


def _keep(store: CrawlStore, name: str, values: list[Any]) -> None:
    store.set_meta(name, json.dumps({"run": store.newest_run(), "values": values}))


def _kept(store: CrawlStore, name: str) -> list[Any]:
    """The values of this crawl's earlier plans."""
    last = json.loads(store.get_meta(name, '{"run": 0, "values": []}'))
    return last["values"] if last["run"] == store.newest_run() else []
