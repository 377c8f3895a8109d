"""Retry-After honoured: Scrapy retries at once, and AutoThrottle does not slow down for a fast 429."""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.exceptions import IgnoreRequest

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

_ASKS_TO_WAIT = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_STEP = 0.5  # seconds: how soon a stopped crawl is noticed while waiting


class RetryAfterMiddleware(RetryMiddleware):
    """When a host says how long to wait, no request goes to it before that; then the page is asked for again.

    A wait beyond INTERLINK_RETRY_AFTER_MAX seconds is not sat out: the page counts as failed.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler.settings)
        self.crawler = crawler
        self._longest = crawler.settings.getfloat("INTERLINK_RETRY_AFTER_MAX")
        self._slowest = crawler.settings.getfloat("AUTOTHROTTLE_MAX_DELAY")
        self._not_before: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RetryAfterMiddleware:
        """See Scrapy."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Hold the request back while its host wants to be left alone.

        :raises IgnoreRequest: if the crawl is stopped meanwhile.
        """
        engine = self.crawler.engine
        assert engine is not None
        key = engine.downloader.get_slot_key(request)
        while (left := self._not_before.get(key, 0.0) - time.monotonic()) > 0:
            if not engine.running:
                raise IgnoreRequest("the crawl was stopped")
            await asyncio.sleep(min(left, _STEP))

    def process_response(  # type: ignore[override]  # the spider argument is deprecated
        self, request: Request, response: Response
    ) -> Request | Response:
        """Note how long to wait, then retry as usual."""
        if response.status not in _ASKS_TO_WAIT or request.meta.get("dont_retry"):
            return super().process_response(request, response)
        wait = seconds_to_wait((response.headers.get("Retry-After") or b"").decode("latin-1"))
        if wait is not None and wait > self._longest:
            logger.warning("%s asks to wait %.0f s, longer than INTERLINK_RETRY_AFTER_MAX.", response.url, wait)
            return response
        self._hold(request, wait)
        return super().process_response(request, response)

    def _hold(self, request: Request, wait: float | None) -> None:
        engine: Any = self.crawler.engine
        key = engine.downloader.get_slot_key(request)
        slot = engine.downloader.slots.get(key)
        if slot is not None:
            slot.delay = min(max(2 * slot.delay, 0.1), self._slowest)
        if wait:
            self._not_before[key] = max(self._not_before.get(key, 0.0), time.monotonic() + wait)
            self.crawler.stats.inc_value("interlink/retry_after")


def seconds_to_wait(value: str) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, 10.2.3: a number or a date); None if it cannot be read."""
    value = value.strip()
    if value.isdecimal():
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())
