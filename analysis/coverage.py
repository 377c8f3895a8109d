"""How much of the site the crawl saw: what was read, what was left out for which reason, and whether orphans may be claimed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.store import UrlKind, UrlState

if TYPE_CHECKING:
    from analysis.store import CrawlStore

_MOST_REASONS = 5


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts of addresses; ``gaps`` says in words what keeps the crawl from being complete, ``notes`` what is to be known."""

    listed: int
    read: int
    skipped: dict[str, int]
    failed: dict[str, int]
    pending: int
    sitemap_problems: tuple[str, ...]
    gaps: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every article's text was seen, so that a page without links may be called an orphan."""
        return not self.gaps

    def nothing_read(self) -> str:
        """One sentence on why there is no page to plan for."""
        if not self.listed:
            return f"No address was found: {'; '.join(self.sitemap_problems) or 'the sitemap lists none'}."
        reasons = sorted((self.skipped | self.failed).items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_REASONS]
        told = "; ".join(f"{n} × {reason}" for reason, n in reasons)
        return (
            f"Of {self.listed} addresses none is an article: {told}." if told else f"None of {self.listed} addresses was fetched."
        )


def read_coverage(store: CrawlStore) -> Coverage:
    """Count the frontier's rows and judge whether the crawl is complete."""
    skipped: dict[str, int] = {}
    failed: dict[str, int] = {}
    listed = read = pending = sitemaps_pending = dead_links = 0
    for (kind, state, reason), n in store.urls.count().items():
        if kind is not UrlKind.PAGE:
            dead_links += n * (kind is UrlKind.LINK and reason.startswith("not found"))
            sitemaps_pending += n * (kind is UrlKind.SITEMAP and state is UrlState.PENDING)
            continue
        listed += n
        if state is UrlState.DONE:
            read += n
        elif state is UrlState.PENDING:
            pending += n
        else:
            counts = skipped if state is UrlState.SKIPPED else failed
            counts[reason] = counts.get(reason, 0) + n
    finish_reason, arguments = store.last_run()
    sitemaps = [row for row in store.urls.in_states(UrlState.SKIPPED, UrlState.FAILED) if row.kind is UrlKind.SITEMAP]
    unread = [row for row in sitemaps if row.state is UrlState.FAILED]
    gaps = []
    if finish_reason != "finished":
        gaps.append(f"the crawl was cut off ({finish_reason or 'killed'})")
    if pending or sitemaps_pending:
        gaps.append(f"{pending} pages were not fetched" + (" (max_urls)" if finish_reason == "finished" else ""))
    if failed:
        gaps.append(f"{sum(failed.values())} pages could not be read")
    if unread:
        gaps.append(f"{len(unread)} sitemaps could not be read ({'; '.join(sorted({row.reason for row in unread}))})")
    narrowed = sum(n for reason, n in skipped.items() if reason.startswith(("url_filter", "exclude")))
    if narrowed and not arguments.get("filters_one_language"):
        gaps.append(f"{narrowed} pages were left out by url_filter or exclude")
    problems = tuple(f"{row.url}: {row.reason}" for row in sitemaps)
    dead = f"{dead_links} addresses of the site that its texts link to are not there: see skipped.csv, kind link"
    return Coverage(listed, read, skipped, failed, pending, problems, tuple(gaps), (dead,) if dead_links else ())
