"""robots.txt as RFC 9309 wants it, read once: for obeying it, and for the sitemaps that it names."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware as ScrapyRobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest

from interlink_spider.responses import error_reason

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

_NO_RULES = b""


class RobotsTxtUnreachable(IgnoreRequest):
    """robots.txt brought no response; the message is the reason."""


class RobotsTxtMiddleware(ScrapyRobotsTxtMiddleware):
    """What Scrapy's own leaves open.

    - A robots.txt that answers 5xx or 429, or does not answer, forbids the whole site (RFC 9309, 2.3.1.4). Scrapy takes it for
      one without rules. The retries come first, as for any page.
    - A web page in its place holds no rules, and neither does an error page.
    - Crawl-delay becomes the least delay between two requests.
    - A request for robots.txt itself is answered with the copy that was fetched for obeying.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._answers: dict[str, Response] = {}  # by host and port, as are the next two
        self._unreachable: dict[str, str] = {}  # why nothing may be fetched
        self._delays: dict[str, float] = {}  # seconds

    async def process_request(self, request: Request) -> Response | None:  # type: ignore[override]
        """:raises IgnoreRequest: if robots.txt forbids the request, or could not be asked."""
        if request.meta.get("dont_obey_robotstxt"):
            return None
        netloc = urlsplit(request.url).netloc
        rules = await self.robot_parser(request)
        if urlsplit(request.url).path == "/robots.txt":
            answer = self._answers.get(netloc)
            return answer and answer.replace(request=request)
        if netloc in self._unreachable:
            raise IgnoreRequest(self._unreachable[netloc])
        self.process_request_2(rules, request)
        if netloc in self._delays:
            self._keep_delay(request, self._delays[netloc])
        return None

    def process_exception(self, request: Request, exception: Exception) -> None:
        """:raises RobotsTxtUnreachable: for a robots.txt, when its retries are used up (Scrapy would log a traceback)."""
        if request.meta.get("dont_obey_robotstxt") and not isinstance(exception, IgnoreRequest):
            reason, detail, _ = error_reason(exception)
            raise RobotsTxtUnreachable(f"{reason}: {detail}" if detail else reason) from exception

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        self._answers[netloc] = response
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR or response.status == HTTPStatus.TOO_MANY_REQUESTS:
            self._forbid(netloc, f"answers HTTP {response.status}")
        is_rules = response.status == HTTPStatus.OK and not response.body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        await super()._parse_robots(response if is_rules else response.replace(body=_NO_RULES), netloc, request)
        parser: Any = self._parsers[netloc]
        delay = parser.crawl_delay(self._robotstxt_useragent or self._default_useragent)
        if delay:
            self._delays[netloc] = float(delay)
            logger.info("robots.txt of %s asks for %.1f s between two requests.", netloc, delay)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        self._forbid(netloc, f"could not be fetched ({exc})")
        super()._robots_error(exc, netloc)

    def _forbid(self, netloc: str, what: str) -> None:
        self._unreachable[netloc] = f"robots.txt {what}, so nothing may be fetched"
        logger.warning("%s: %s.", netloc, self._unreachable[netloc])
        self.crawler.stats.inc_value("interlink/robots_unreachable")

    def _keep_delay(self, request: Request, delay: float) -> None:
        """Slow the host's slot down for good: no jitter below the delay, and AutoThrottle does not touch it."""
        request.meta["autothrottle_dont_adjust_delay"] = True
        downloader: Any = self.crawler.engine and self.crawler.engine.downloader
        key = downloader.get_slot_key(request)
        # Idle slots are thrown away; a new one is made from this.
        downloader.per_slot_settings[key] = {**downloader.per_slot_settings.get(key, {}), "delay": delay, "jitter": 0.0}
        slot = downloader.slots.get(key)
        if slot is not None:
            slot.delay = max(slot.delay, delay)
            slot.jitter = 0.0
