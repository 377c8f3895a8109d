"""The frontier: which address comes next, and what became of each. Rules about addresses live here, requests in the spider.

It is the crawl store's table ``url``, not Scrapy's queue: memory stays flat whatever the size of the site, a kill costs nothing
but what was in flight, and since a page's key is unique in the table no page is fetched twice.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from analysis.store import CrawlStore, NewUrl, UrlKind, UrlRow, UrlState
from analysis.urls import fetch_url, page_key, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlink_spider.arguments import SpiderArguments

MAX_HOPS = 10  # redirects of a page, or nesting of sitemap indexes
BATCH = 500  # rows read or written at once
NOT_LISTED = "in no sitemap"
GUESSED = "a place where a sitemap may be"  # the reason of such a row while it is pending

# Where a site's sitemap is looked for when only its address is given, in turn; for a site below a path (example.com/blog/)
# below that path, once its address has proved to be no sitemap itself.
SITEMAP_GUESSES = ("sitemap.xml", "sitemap_index.xml", "wp-sitemap.xml")


class Frontier:
    """The addresses of one crawl. Rows are handed out once; each must be settled, or followed to where it leads."""

    def __init__(self, store: CrawlStore, arguments: SpiderArguments, most_links: int = 0) -> None:
        """``most_links``: so many addresses that no sitemap lists are asked where they lead, see :meth:`add_links`."""
        self.store = store
        self.arguments = arguments
        self.rules = arguments.rules()
        self._ahead: dict[UrlKind, deque[UrlRow]] = {kind: deque() for kind in UrlKind}
        self._cursor = dict.fromkeys(UrlKind, 0)
        self._budget = 0
        self._most_links = 0 if arguments.max_urls else most_links
        self._asks_links = False
        self._sites: set[str] = set()

    def begin(self) -> bool:
        """Go on with a crawl of the same arguments that was cut off, be it in its plan, or begin anew; True if it goes on."""
        reason, before = self.store.last_run()
        is_cut_off = reason != "finished" or self.store.plan_is_due()
        goes_on = bool(before) and is_cut_off and before == self.arguments.as_dict()
        if not goes_on:
            self.store.urls.forget()
            self.store.set_meta("sites", "[]")
        self._sites = set(json.loads(self.store.get_meta("sites", "[]")))
        self.allow(*self.arguments.sitemaps)
        for url in self.arguments.sitemaps:
            start = urljoin(url, "/robots.txt") if _is_bare(url) else url
            self.add_sitemaps([start], hops=0, reason=GUESSED if _is_folder(url) else "")
        done = sum(n for (kind, state, _), n in self.store.urls.count().items() if (kind, state) == (UrlKind.PAGE, UrlState.DONE))
        self._budget = max(0, self.arguments.max_urls - done)
        return goes_on

    def allow(self, *urls: str) -> None:
        """Count the sites of these addresses as the site that is crawled."""
        self._sites |= {site_of(url) for url in urls}
        self.store.set_meta("sites", json.dumps(sorted(self._sites)))

    def next(self) -> UrlRow | None:
        """The next row to fetch, sitemaps first; None while there is nothing to hand out (answers under way may bring more)."""
        return self._take(UrlKind.SITEMAP) or self._next_page() or (self._take(UrlKind.LINK) if self._asks_links else None)

    def guess(self) -> bool:
        """Where a bare address has led to no page yet, try the next likely place of its sitemap; True if there is one."""
        added = False
        for url in filter(_is_folder, self.arguments.sitemaps):
            if self.store.urls.has_pages_of(site_of(url)):
                continue
            for path in SITEMAP_GUESSES:
                guess = urljoin(url, path)
                if self.store.urls.find(UrlKind.SITEMAP, page_key(guess)) is None:
                    self.add_sitemaps([guess], hops=0, reason=GUESSED)
                    added = True
                    break
        return added

    def add_links(self) -> bool:
        """List the addresses of the site that texts link to and no sitemap lists, once, when the pages are read; True if it did.

        Sites keep old addresses alive with redirects. Who does not ask where those lead takes a page for an orphan that many
        texts link to, and proposes links that are there.
        """
        if self._asks_links or not self._most_links:
            return False
        self._asks_links = True
        counts: Counter[str] = Counter()
        urls: dict[str, str] = {}
        for page in self.store.pages.read():
            for link in page.links:
                if self._is_ours(link.url):
                    key = page_key(link.url)
                    counts[key] += 1
                    if key not in urls:
                        urls[key] = fetch_url(link.url)
        unlisted = [key for key, _ in counts.most_common() if not self._is_listed(key) and not self.rules.reason(urls[key])]
        with self.store.transaction():
            self.store.urls.add(NewUrl(UrlKind.LINK, key, urls[key]) for key in unlisted[: self._most_links])
            self.store.urls.add(
                NewUrl(UrlKind.LINK, key, urls[key], UrlState.SKIPPED, NOT_LISTED, "not asked")
                for key in unlisted[self._most_links :]
            )
        return True

    def stop_links(self) -> None:
        """Ask for no more of them."""
        self._asks_links = False
        self._most_links = 0

    def add_sitemaps(self, urls: Iterable[str], hops: int, reason: str = "") -> None:
        """List sitemaps; one that was listed before is not read again, so loops end here."""
        state, reason = (UrlState.FAILED, "sitemaps nested too deep") if hops > MAX_HOPS else (UrlState.PENDING, reason)
        self.store.urls.add(NewUrl(UrlKind.SITEMAP, page_key(url), fetch_url(url), state, reason, hops=hops) for url in urls)

    def add_pages(self, locs: Iterable[tuple[str, str]], hops: int = 0) -> int:
        """List pages by ``(absolute URL, lastmod)``; return how many were given. Those that a rule leaves out keep its name."""
        rows = []
        given = 0
        for url, lastmod in locs:
            given += 1
            reason, detail = self._left_out(url)
            state = UrlState.SKIPPED if reason else UrlState.PENDING
            rows.append(NewUrl(UrlKind.PAGE, page_key(url), fetch_url(url), state, reason, detail, lastmod, hops))
            if len(rows) >= BATCH:
                self.store.urls.add(rows)
                rows = []
        self.store.urls.add(rows)
        return given

    def settle(self, row: UrlRow, state: UrlState, reason: str = "", detail: str = "") -> None:
        """Note what became of a row. A link's address that could not be read is no page that the crawl lacks."""
        state = UrlState.SKIPPED if row.kind is UrlKind.LINK else state
        self.store.urls.settle(row.id, state, reason, detail)

    def give_up(self, row: UrlRow, reason: str, detail: str = "", *, failed: bool = False) -> None:
        """Note that a row brought nothing; ``failed`` if that leaves the crawl incomplete.

        A sitemap always does, unless it was only guessed: the pages that it lists, and their links, were never seen.
        """
        failed = failed or (row.kind is UrlKind.SITEMAP and row.reason != GUESSED)
        self.settle(row, UrlState.FAILED if failed else UrlState.SKIPPED, reason, detail)

    def follow(self, row: UrlRow, target: str, kind: str) -> None:
        """The row leads to another address (``redirect``, ``canonical``, ``refresh``): remember it and make sure that is read."""
        with self.store.transaction():  # a row that is settled before its target is listed would lose the target to a kill
            self._follow(row, target, kind)

    def _follow(self, row: UrlRow, target: str, kind: str) -> None:
        key = page_key(target)
        if row.hops >= MAX_HOPS:
            self.settle(row, UrlState.FAILED, "too many redirects", target)
        elif key == row.key:
            if fetch_url(target) == row.url or kind != "redirect":
                self.settle(row, UrlState.FAILED, "redirects to itself", target)
            else:
                self.store.urls.readdress(row.id, fetch_url(target))
                self._ahead[row.kind].append(self.store.urls.get(row.id))
                self._budget += 1  # it is still the one page of max_urls
        elif self.store.urls.leads_to(key, row.key):
            self.settle(row, UrlState.FAILED, f"{kind} in a circle", target)
        elif row.kind is UrlKind.SITEMAP:
            self.allow(target)
            self.settle(row, UrlState.SKIPPED, kind, target)
            self.add_sitemaps([target], row.hops + 1, row.reason)
        else:
            self.settle(
                row, UrlState.SKIPPED, f"{kind} to another page" if self._is_ours(target) else f"{kind} to another site", target
            )
            if self._is_ours(target):
                self.store.urls.add_alias(row.key, key, kind)
                if row.kind is UrlKind.PAGE:
                    self.add_pages([(target, row.lastmod)], row.hops + 1)
                elif not self._is_listed(key):
                    self.store.urls.add([NewUrl(UrlKind.LINK, key, fetch_url(target), hops=row.hops + 1)])

    def _left_out(self, url: str) -> tuple[str, str]:
        if not self._is_ours(url):
            return "another site", site_of(url)
        return self.rules.reason(url) or "", ""

    def _is_listed(self, key: str) -> bool:
        return any(self.store.urls.find(kind, key) for kind in (UrlKind.PAGE, UrlKind.SITEMAP))

    def _is_ours(self, url: str) -> bool:
        return site_of(url) in self._sites

    def _next_page(self) -> UrlRow | None:
        if self.arguments.max_urls and not self._budget:
            return None
        row = self._take(UrlKind.PAGE)
        self._budget -= bool(row)
        return row

    def _take(self, kind: UrlKind) -> UrlRow | None:
        ahead = self._ahead[kind]
        if not ahead:
            ahead.extend(self.store.urls.pending(kind, self._cursor[kind], BATCH))
            if not ahead:
                return None
            self._cursor[kind] = ahead[-1].id
        return ahead.popleft()


def _is_folder(url: str) -> bool:
    return _is_bare(url) or urlsplit(url).path.endswith("/")


def _is_bare(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query
