"""robots.txt as RFC 9309 wants it, read once: for obeying it, and for the sitemaps that it names."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware as ScrapyRobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

_NO_RULES = b""


class RobotsTxtMiddleware(ScrapyRobotsTxtMiddleware):
    """What Scrapy's own leaves open.

    - A robots.txt that answers 5xx or 429 forbids the whole site (RFC 9309, 2.3.1.4); Scrapy reads the error page as rules.
    - A web page in its place holds no rules.
    - Crawl-delay becomes the least delay between two requests.
    - A request for robots.txt itself is answered with the copy that was fetched for obeying.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._answers: dict[str, Response] = {}
        self._delays: dict[str, float] = {}

    async def process_request(self, request: Request) -> Response | None:  # type: ignore[override]
        """:raises IgnoreRequest: if robots.txt forbids the request, or could not be asked."""
        if request.meta.get("dont_obey_robotstxt"):
            return None
        netloc = urlsplit(request.url).netloc
        rules = await self.robot_parser(request)
        answer = self._answers.get(netloc)
        if urlsplit(request.url).path == "/robots.txt":
            return answer
        if answer is not None and _is_unavailable(answer):
            raise IgnoreRequest(f"robots.txt answers HTTP {answer.status}, so nothing may be fetched")
        self.process_request_2(rules, request)
        self._keep_delay(request, netloc)
        return None

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        self._answers[netloc] = response
        is_rules = response.status == HTTPStatus.OK and not response.body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        await super()._parse_robots(response if is_rules else response.replace(body=_NO_RULES), netloc, request)
        parser: Any = self._parsers[netloc]
        delay = parser.crawl_delay(self._robotstxt_useragent or self._default_useragent)
        if delay:
            self._delays[netloc] = float(delay)
            logger.info("robots.txt of %s asks for %.1f s between two requests.", netloc, delay)

    def _keep_delay(self, request: Request, netloc: str) -> None:
        delay = self._delays.get(netloc)
        engine = self.crawler.engine
        if delay is None or engine is None:
            return
        request.meta["autothrottle_dont_adjust_delay"] = True
        slot = engine.downloader.slots.get(engine.downloader.get_slot_key(request))
        if slot is not None:
            slot.delay = max(slot.delay, delay)


def _is_unavailable(answer: Response) -> bool:
    return answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status == HTTPStatus.TOO_MANY_REQUESTS
