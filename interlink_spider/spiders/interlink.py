"""The spider: turns rows of the frontier into requests, and answers into sitemap entries, pages, or a reason why not."""

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider
from scrapy.spiders import SitemapSpider

from analysis.config import output_folder
from analysis.html.metadata import is_noindex
from analysis.store import CrawlLock, CrawlStore, StoreError, UrlKind, UrlRow, UrlState
from analysis.urls import resolve
from interlink_spider.arguments import SpiderArguments
from interlink_spider.extensions.job_outputs import job_name
from interlink_spider.frontier import Frontier
from interlink_spider.items import PageItem, SkipPage
from interlink_spider.responses import (
    CHALLENGED,
    REFUSALS,
    conditional_headers,
    error_reason,
    is_challenge,
    is_markup,
    page_version,
    status_reason,
)
from interlink_spider.sitemaps import NO_SITEMAPS, SitemapKind, read_robots_sitemaps, read_sitemap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from analysis.store import PageVersion

logger = logging.getLogger(__name__)

IDLE_POLL = 0.05  # seconds; only while the last answers are awaited
# So many refusals in a row, and no page between: the site does not want us, and going on would be rude.
MAX_REFUSALS = 30
NOT_STORED = "store failed"  # the finish reason of a crawl whose pages could not be written down


class InterlinkSpider(SitemapSpider):
    """Crawl a site from its sitemap and yield a :class:`PageItem` an HTML page.

    Scrapy's own sitemap parser is replaced (it loses URLs on ordinary bad input), and so is its queue, see :mod:`frontier`.
    """

    name = "interlink"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """:raises ArgumentError: naming everything that is wrong with the arguments."""
        super().__init__(*args)
        self.arguments = SpiderArguments.parse(kwargs)
        self.frontier: Frontier
        self.store: CrawlStore
        self.lock: CrawlLock
        self.job = job_name(kwargs)
        self.run = 0
        self.store_failed = False
        self._closing: asyncio.Task[None] | None = None
        self._plan_follows = False
        self._refusals = 0
        self._trusts_lastmod = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """:raises ArgumentError, StoreError: before anything is fetched."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.store = CrawlStore.create(output_folder(crawler.settings["INTERLINK_OUTPUT_DIR"], spider.arguments.host))
        spider.lock = CrawlLock(spider.store.folder)
        spider.frontier = Frontier(spider.store, spider.arguments, crawler.settings.getint("INTERLINK_UNLISTED_LINKS"))
        spider._plan_follows = crawler.settings.getbool("INTERLINK_PLAN_AT_CLOSE")
        spider._trusts_lastmod = crawler.settings.getbool("INTERLINK_TRUST_LASTMOD")
        crawler.signals.connect(spider.page_dropped, signals.item_dropped)
        crawler.signals.connect(spider.page_broken, signals.item_error)
        crawler.signals.connect(spider.crawl_ended, signals.spider_closed)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Hand out the frontier's rows, each only when the downloader has room for it."""
        with self.storing():
            if self.frontier.begin():
                logger.info("Going on with the crawl in %s that was cut off.", self.store.folder)
                self.run = self.store.resume_run()
            else:
                self.run = self.store.start_run(self.arguments.as_dict())
            async for request in self._requests():
                yield request

    async def _requests(self) -> AsyncIterator[Request]:
        engine = self.crawler.engine
        assert engine is not None
        while not self.store_failed:
            row = self.frontier.next()
            if row is not None and self._is_known_unchanged(row):
                self.store.pages.keep(row.id, row.key, self.run, row.lastmod)
            elif row is not None:
                yield self._request(row)
                if engine.needs_backout():
                    await self.crawler.signals.wait_for(signals.scheduler_empty)
            elif not self._is_idle():
                await asyncio.sleep(IDLE_POLL)
            elif not (self.frontier.guess() or self.frontier.add_links()):
                break

    def _is_idle(self) -> bool:
        engine = self.crawler.engine
        assert engine is not None and engine.scraper.slot is not None and engine.scheduler is not None
        return engine.scraper.slot.is_idle() and not engine.downloader.active and not engine.scheduler.has_pending_requests()

    def _is_known_unchanged(self, row: UrlRow) -> bool:
        """Whether the sitemap's lastmod is trusted and still the one under which the page was read."""
        if not (row.lastmod and self._trusts_lastmod):
            return False
        known = self._known(row)
        return known is not None and known.lastmod == row.lastmod

    def _known(self, row: UrlRow) -> PageVersion | None:
        """The version of the page that the last crawl read."""
        return self.store.pages.version_of(row.key) if row.kind is UrlKind.PAGE else None

    def _request(self, row: UrlRow) -> Request:
        is_sitemap = row.kind is UrlKind.SITEMAP
        known = self._known(row)
        return Request(
            row.url,
            headers=conditional_headers(known) if known else None,
            callback=self.parse_sitemap if is_sitemap else self.parse_page,
            errback=self.fetch_failed,
            cb_kwargs={"row": row},
            # Every status comes to us: redirects are rows of the frontier, and errors are reasons.
            meta={"handle_httpstatus_all": True, "dont_redirect": True, "verbatim_url": True},
            dont_filter=True,
            priority=10 if is_sitemap else 0,
        )

    # -- answers

    def parse_sitemap(self, response: Response, row: UrlRow) -> None:
        """Write what a sitemap lists into the frontier."""
        with self.storing():
            self._read_sitemap(response, row)

    def _read_sitemap(self, response: Response, row: UrlRow) -> None:
        if self._settled_by_status(response, row):
            return
        if urlsplit(response.url).path.endswith("/robots.txt"):
            listed = read_robots_sitemaps(response.body, response.url)
            self.frontier.add_sitemaps(listed, row.hops + 1)
            self.frontier.settle(row, *((UrlState.DONE,) if listed else (UrlState.SKIPPED, "robots.txt names no sitemap")))
            return
        sitemap = read_sitemap(response.body, response.url)
        nested: list[str] = []

        def pages() -> Iterator[tuple[str, str]]:
            for entry in sitemap:
                if entry.is_sitemap:
                    nested.append(entry.loc)
                else:
                    yield entry.loc, entry.lastmod.isoformat() if entry.lastmod else ""

        listed_pages = self.frontier.add_pages(pages())
        self.frontier.add_sitemaps(nested, row.hops + 1)
        problems = "; ".join(sitemap.problems)
        if problems:
            logger.warning("%s: %s", response.url, problems)
        if listed_pages or nested:
            self.frontier.settle(row, *((UrlState.FAILED, "read in part") if sitemap.is_cut else (UrlState.DONE, "")), problems)
        elif sitemap.kind is SitemapKind.HTML and is_challenge(response.body):
            self.frontier.settle(row, UrlState.FAILED, CHALLENGED)
        elif sitemap.is_cut or sitemap.kind in NO_SITEMAPS:
            self.frontier.give_up(row, f"no sitemap: {sitemap.kind}", problems)
        else:
            self.frontier.settle(row, UrlState.SKIPPED, "lists nothing", problems)

    def parse_page(self, response: Response, row: UrlRow) -> Iterator[PageItem]:
        """Pass an HTML page on to the pipelines."""
        with self.storing():
            yield from self._read_page(response, row)

    def _read_page(self, response: Response, row: UrlRow) -> Iterator[PageItem]:
        known = self._known(row)
        if response.status == HTTPStatus.NOT_MODIFIED and known is not None:
            self.store.pages.keep(row.id, row.key, self.run, row.lastmod)
            return
        if self._settled_by_status(response, row):
            return
        version = page_version(response, row.lastmod)
        if known is not None and known.body_digest == version.body_digest:
            self.store.pages.keep(row.id, row.key, self.run, row.lastmod)
            return
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        if not is_markup(content_type, response.body):
            self.frontier.settle(row, UrlState.SKIPPED, "not HTML", content_type)
            return
        noindex = any(is_noindex(value.decode("latin-1")) for value in response.headers.getlist("X-Robots-Tag"))
        yield PageItem(row, response.url, content_type, response.body, version, noindex)

    def fetch_failed(self, failure: Failure) -> None:
        """Note why a request brought no response."""
        if self.crawler.engine is not None and not self.crawler.engine.running:
            return  # stopped, not failed: the row stays pending for the next run
        row: UrlRow = failure.request.cb_kwargs["row"]  # type: ignore[attr-defined]
        reason, detail, failed = error_reason(failure.value)
        with self.storing():
            self.frontier.give_up(row, reason, detail, failed=failed)

    def _settled_by_status(self, response: Response, row: UrlRow) -> bool:
        """Whether the status alone decides about the row.

        :raises CloseSpider: after too many refusals in a row.
        """
        if response.status == HTTPStatus.OK:
            self._refusals = 0
            return False
        location = (response.headers.get("Location") or b"").decode("utf-8", "replace")
        target = resolve(location, response.url) if location else None
        if response.status in range(300, 400) and target:
            self.frontier.follow(row, target, "redirect")
            return True
        reason, failed = status_reason(response.status)
        self.frontier.give_up(row, reason, failed=failed)
        self._refusals = self._refusals + 1 if response.status in REFUSALS else 0
        if self._refusals >= MAX_REFUSALS:
            if row.kind is not UrlKind.LINK:
                raise CloseSpider("refused")
            self.frontier.stop_links()
        return True

    # -- what the pipelines made of a page

    def page_dropped(self, item: PageItem, exception: BaseException) -> None:
        """Note why a page is no article of the plan."""
        with self.storing():
            if not isinstance(exception, SkipPage):
                self.frontier.settle(item.row, UrlState.FAILED, "dropped", str(exception))
            elif exception.leads_to:
                self.frontier.follow(item.row, exception.leads_to, exception.kind)
            else:
                state = UrlState.FAILED if exception.failed else UrlState.SKIPPED
                self.frontier.settle(item.row, state, exception.reason, exception.detail)

    def page_broken(self, item: PageItem, failure: Failure) -> None:
        """Note that reading a page raised an error (it is in the log)."""
        with self.storing():
            self.frontier.settle(item.row, UrlState.FAILED, "could not be read", repr(failure.value)[:200])

    # -- the end

    def crawl_ended(self, reason: str) -> None:
        """Note how the crawl ended, for the plan and for the next run."""
        with self.storing():
            self.store.finish_run(self.run, NOT_STORED if self.store_failed else reason, plan_due=self._plan_follows)

    @contextmanager
    def storing(self) -> Iterator[None]:
        """Where the store cannot be written (a full disk): say so once and stop. What was under way stays pending."""
        try:
            yield
        except StoreError as error:
            if self.store_failed:
                return
            self.store_failed = True
            logger.error("%s The crawl stops; when there is space, the same command goes on with it.", error)
            engine = self.crawler.engine
            if engine is not None and engine.running:
                self._closing = asyncio.ensure_future(engine.close_spider_async(reason=NOT_STORED))
