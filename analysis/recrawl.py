"""What changed since the crawl before this one: pages, links that went live, and new orphans."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analysis.corpus import Corpus
    from analysis.store import CrawlStore, SiteChanges

_NOW, _BEFORE = "orphans", "orphans_before"


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

    def told(self) -> str:
        """One line for the summary."""
        parts = [f"{len(self.pages.new)} new pages", f"{len(self.pages.changed)} changed", f"{len(self.pages.gone)} gone"]
        parts += [f"{self.links_live} proposed links are live"]
        parts += [] if self.new_orphans is None else [f"{len(self.new_orphans)} new orphans"]
        return f"Since the last crawl: {', '.join(parts)} (changes.csv)"


def read_changes(store: CrawlStore, corpus: Corpus, orphans: Iterable[int] | None, links_live: int) -> Changes | None:
    """Compare with the crawl before; None after a first crawl. ``orphans``: today's pages, None where they are not claimed."""
    before = None if orphans is None else _remember(store, [corpus.heads[page].url for page in orphans])
    if store.newest_run() < 2:
        return None
    new = None if before is None or orphans is None else {corpus.heads[page].url for page in orphans} - set(before)
    return Changes(store.pages.changes(), links_live, None if new is None else tuple(sorted(new)))


def _remember(store: CrawlStore, orphans: list[str]) -> list[str] | None:
    """Keep this crawl's orphans, and give those of the one before, however often this one is planned."""
    run = store.newest_run()
    last = json.loads(store.get_meta(_NOW, "null"))
    if last and last["run"] != run:
        store.set_meta(_BEFORE, json.dumps(last))
    store.set_meta(_NOW, json.dumps({"run": run, "orphans": orphans}))
    before = json.loads(store.get_meta(_BEFORE, "null"))
    return before["orphans"] if before else None
