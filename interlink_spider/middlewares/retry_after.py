"""Retry-After honoured: Scrapy retries at once, and AutoThrottle does not slow down for a fast 429."""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.exceptions import IgnoreRequest

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

_ASKS_TO_WAIT = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_STEP = 0.5  # seconds: how soon a stopped crawl is noticed while waiting
_LEAST_DELAY = 0.1  # seconds: what doubling starts from
_KEPT = 0.8  # of the added delay, at each page that comes: where one answer in five is an error, the delay stays bounded


class _TakenBack(Exception):  # noqa: N818  # nothing went wrong
    """A request is taken back from the downloader's queue, because its host just asked to be left alone."""


class RetryAfterMiddleware(RetryMiddleware):
    """When a host says how long to wait, nothing is sent to it before that; then the page is asked for again.

    Each such answer, with a time or without, also doubles the delay between two requests. AutoThrottle lowers it again; where
    that is off, each page that comes takes back a fifth of what was added, or a few errors would slow a large crawl for good.
    A wait beyond INTERLINK_RETRY_AFTER_MAX seconds is not sat out: the answer goes to the spider as it is.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler.settings)
        self.crawler = crawler
        self._longest = crawler.settings.getfloat("INTERLINK_RETRY_AFTER_MAX")
        self._slowest = crawler.settings.getfloat("AUTOTHROTTLE_MAX_DELAY")
        self._not_before: dict[str, float] = {}  # downloader slot -> monotonic time
        self._usual_delay: dict[str, float] = {}  # downloader slot -> seconds, where it was raised
        self._is_throttled = crawler.settings.getbool("AUTOTHROTTLE_ENABLED")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """See Scrapy."""
        middleware = cls(crawler)
        # Sent before the downloader takes the next request from its queue; process_response would come too late.
        crawler.signals.connect(middleware.response_downloaded, signals.response_downloaded)
        return middleware

    def response_downloaded(self, response: Response, request: Request) -> None:
        """Hold the host if it asks for that."""
        if response.status in _ASKS_TO_WAIT:
            wait = _wait_of(response)
            if wait > self._longest:
                logger.warning("%s asks to wait %.0f s, which is longer than INTERLINK_RETRY_AFTER_MAX.", response.url, wait)
            else:
                self._hold(request, wait)
        elif response.status == HTTPStatus.OK and not self._is_throttled:
            self._ease(request)

    async def process_request(self, request: Request) -> None:
        """Hold the request back while its host wants to be left alone.

        :raises IgnoreRequest: if the crawl is stopped meanwhile.
        """
        key = self._engine.downloader.get_slot_key(request)
        while (left := self._not_before.get(key, 0.0) - time.monotonic()) > 0:
            if self._is_stopping():
                raise IgnoreRequest("the crawl was stopped")
            await asyncio.sleep(min(left, _STEP))

    def process_response(  # type: ignore[override]  # the spider argument is deprecated
        self, request: Request, response: Response
    ) -> Request | Response:
        """Retry as usual, except where the wait is too long."""
        if response.status in _ASKS_TO_WAIT and _wait_of(response) > self._longest:
            return response
        return super().process_response(request, response)

    def process_exception(  # type: ignore[override]  # the spider argument is deprecated
        self, request: Request, exception: Exception
    ) -> Request | Response | None:
        """A request that was taken back begins anew, and is no retry."""
        if isinstance(exception, _TakenBack):
            return request.replace(dont_filter=True)
        return super().process_exception(request, exception)

    @property
    def _engine(self) -> Any:
        assert self.crawler.engine is not None
        return self.crawler.engine

    def _is_stopping(self) -> bool:
        slot = self._engine._slot
        return not self._engine.running or slot is None or slot.closing is not None

    def _ease(self, request: Request) -> None:
        key = self._engine.downloader.get_slot_key(request)
        slot = self._engine.downloader.slots.get(key)
        usual = self._usual_delay.get(key)
        if slot is not None and usual is not None and slot.delay > usual:
            slot.delay = usual + _KEPT * (slot.delay - usual)

    def _hold(self, request: Request, wait: float) -> None:
        key = self._engine.downloader.get_slot_key(request)
        slot = self._engine.downloader.slots.get(key)
        already_held = self._not_before.get(key, 0.0) > time.monotonic()
        if slot is not None and not already_held:  # answers to one burst count once
            self._usual_delay.setdefault(key, slot.delay)
            slot.delay = min(max(2 * slot.delay, _LEAST_DELAY), max(self._slowest, slot.delay))
        if not wait:
            return
        logger.info("%s asks to wait %.0f s.", key, wait)
        self.crawler.stats.inc_value("interlink/retry_after")
        self._not_before[key] = max(self._not_before.get(key, 0.0), time.monotonic() + wait)
        while slot is not None and slot.queue:
            _, waiting = slot.queue.popleft()
            waiting.errback(_TakenBack())


def _wait_of(response: Response) -> float:
    return seconds_to_wait((response.headers.get("Retry-After") or b"").decode("latin-1")) or 0.0


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
