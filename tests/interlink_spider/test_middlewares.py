"""Politeness on the wire: a tiny spider in a process of its own crawls a real server, and the server's log tells."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlink_spider.middlewares.retry_after import seconds_to_wait
from tests.command import ROOT
from tests.server import LocalServer, Response, Route, page, redirect, slow, too_busy

SPIDER = """
import scrapy

class TinySpider(scrapy.Spider):
    name = "tiny"
    handle_httpstatus_all = True

    async def start(self):
        for url in self.urls.split():
            yield scrapy.Request(url, self.parse, errback=self.failed, dont_filter=True, meta={"handle_httpstatus_all": True})

    def parse(self, response):
        yield {"url": response.url, "status": response.status, "text": response.text}

    def failed(self, failure):
        yield {"url": failure.request.url, "error": str(failure.value)}
"""

MIDDLEWARES = {
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "interlink_spider.middlewares.robots.RobotsTxtMiddleware": 100,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "interlink_spider.middlewares.retry_after.RetryAfterMiddleware": 550,
}
SETTINGS = {
    "DOWNLOADER_MIDDLEWARES": json.dumps(MIDDLEWARES),
    "ROBOTSTXT_OBEY": "True",
    "INTERLINK_RETRY_AFTER_MAX": "60",
    "USER_AGENT": "interlink-spider/1.0",
    "RETRY_TIMES": "1",
    "LOG_LEVEL": "INFO",
    "TELNETCONSOLE_ENABLED": "False",
    "REMOTE_CONTROL_ENABLED": "False",
}
# Without any delay, Scrapy 2.19 sends a burst at once, whatever the concurrency.
ONE_BY_ONE = {"CONCURRENT_REQUESTS_PER_DOMAIN": "1", "DOWNLOAD_DELAY": "0.3", "DOWNLOAD_DELAY_JITTER": "0"}


@dataclass(frozen=True)
class Crawled:
    items: list[dict]
    output: str
    seconds: float

    def by_path(self, server: LocalServer) -> dict[str, dict]:
        return {item["url"].removeprefix(server.origin): item for item in self.items}


def start(folder: Path, urls: Sequence[str], **chosen: str) -> subprocess.Popen[str]:
    (folder / "tiny.py").write_text(SPIDER, encoding="utf-8")
    given = [part for name, value in {**SETTINGS, **chosen}.items() for part in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", "runspider", "tiny.py", "-a", "urls=" + " ".join(urls), "-O", "items.json", *given]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def crawl(folder: Path, urls: Sequence[str], **chosen: str) -> Crawled:
    began = time.monotonic()
    output, _ = start(folder, urls, **chosen).communicate(timeout=120)
    return Crawled(json.loads((folder / "items.json").read_text(encoding="utf-8")), output, time.monotonic() - began)


def gaps(server: LocalServer, *left_out: str) -> list[float]:
    times = [access.time for access in server.log if access.path not in left_out]
    return [later - earlier for earlier, later in pairwise(times)]


# -- Retry-After


@pytest.mark.slow
@pytest.mark.parametrize(("status", "as_date"), [(429, False), (503, True)], ids=["429, seconds", "503, date"])
def test_the_whole_host_is_left_alone_as_long_as_it_asks(tmp_path: Path, status: int, as_date: bool) -> None:
    def busy_once(_: object) -> object:
        if not asked:
            asked.append(time.monotonic())
            until = format_datetime(datetime.now(UTC) + timedelta(seconds=4), usegmt=True)
            return too_busy(status, until if as_date else "3")
        return "<p>At last"

    asked: list[float] = []
    paths = ["/busy", *(f"/{i}" for i in range(5))]
    with LocalServer({"/busy": busy_once, **{path: f"<p>{path}" for path in paths[1:]}}) as server:
        # One at a time: at the moment of the answer, the others wait in the downloader's queue.
        done = crawl(tmp_path, [server.url(path) for path in paths], **ONE_BY_ONE)
        log = [access for access in server.log if access.path != "/robots.txt"]
    assert {path: item["status"] for path, item in done.by_path(server).items()} == dict.fromkeys(paths, 200)
    assert [access.path for access in log if access.status == status] == ["/busy"]
    assert log[0].path == "/busy"
    assert min(access.time for access in log[1:]) - asked[0] > 2.9
    assert "interlink/retry_after': 1" in done.output
    assert "Traceback" not in done.output


@pytest.mark.slow
def test_a_longer_wait_than_allowed_is_not_sat_out(tmp_path: Path) -> None:
    with LocalServer({"/busy": too_busy(429, "3600"), "/a": "<p>A"}) as server:
        done = crawl(tmp_path, [server.url("/busy"), server.url("/a")])
        asked = server.paths().count("/busy")
    assert {path: item["status"] for path, item in done.by_path(server).items()} == {"/busy": 429, "/a": 200}
    assert asked == 1
    assert "asks to wait 3600 s" in done.output


@pytest.mark.slow
def test_a_busy_answer_without_a_time_slows_the_crawl_down(tmp_path: Path) -> None:
    paths = [f"/{i}" for i in range(6)]
    busy = [too_busy(429, ""), too_busy(429, ""), "<p>At last"]
    with LocalServer({"/busy": busy, **dict.fromkeys(paths, "<p>x")}) as server:
        urls = [server.url(path) for path in ("/busy", *paths)]
        done = crawl(
            tmp_path, urls, CONCURRENT_REQUESTS_PER_DOMAIN="1", DOWNLOAD_DELAY="0.2", DOWNLOAD_DELAY_JITTER="0", RETRY_TIMES="2"
        )
        between = gaps(server, "/robots.txt")
    assert len(done.items) == 7
    assert min(between[:1]) >= 0.35  # 0.2 s doubled
    assert sorted(between)[-1] >= 0.45  # and again, after the six pages took most of it back


@pytest.mark.slow
def test_a_host_that_stays_busy_is_given_up(tmp_path: Path) -> None:
    with LocalServer({"/busy": too_busy(503, "1")}) as server:
        done = crawl(tmp_path, [server.url("/busy")], RETRY_TIMES="2")
        asked = server.paths().count("/busy")
        between = gaps(server, "/robots.txt")
    assert done.items[0]["status"] == 503
    assert asked == 3
    assert min(between) >= 0.95


@pytest.mark.slow
def test_a_crawl_that_is_stopped_does_not_wait(tmp_path: Path) -> None:
    with LocalServer({"/busy": too_busy(429, "50"), "/a": "<p>A", "/b": "<p>B"}) as server:
        urls = [server.url(path) for path in ("/busy", "/a", "/b")]
        process = start(tmp_path, urls, **ONE_BY_ONE)
        deadline = time.monotonic() + 60
        while "/busy" not in server.paths() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1)
        stopped = time.monotonic()
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
        assert server.paths().count("/busy") == 1
        assert not {"/a", "/b"} & set(server.paths())
    assert time.monotonic() - stopped < 20
    assert "Spider closed (shutdown)" in output


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("-1", None),
        ("9" * 400, float("inf")),
    ],
)
def test_the_header_is_a_number_or_a_date(value: str, seconds: float | None) -> None:
    assert seconds_to_wait(value) == seconds


def test_a_date_is_waited_for() -> None:
    wait = seconds_to_wait(format_datetime(datetime.now(UTC) + timedelta(minutes=2), usegmt=True))
    assert wait is not None and 115 < wait <= 120


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789 ,:+-GMTWedOct", max_size=35))
def test_no_header_raises(value: str) -> None:
    seconds = seconds_to_wait(value)
    assert seconds is None or seconds >= 0


# -- robots.txt


def rules(text: str) -> Response:
    return page(text, content_type="text/plain")


def status(code: int) -> Response:
    return Response(code, b"User-agent: *\nDisallow: /")


# Each is a host of its own (by its port); all are crawled at once.
ROBOTS: dict[str, tuple[Route, bool]] = {
    "forbidden": (rules("User-agent: *\nDisallow: /"), False),
    "forbidden to us": (rules("User-agent: interlink-spider\nDisallow: /\n\nUser-agent: *\nDisallow:"), False),
    "something else forbidden": (rules("User-agent: *\nDisallow: /other"), True),
    "a web page": (page("<html><pre>User-agent: *\nDisallow: /"), True),
    "a web page behind a BOM": (page(b"\xef\xbb\xbf\n<!doctype html>\nUser-agent: *\nDisallow: /"), True),
    "rules behind a BOM": (page(b"\xef\xbb\xbfUser-agent: *\nDisallow: /", content_type="text/plain"), False),
    "404": (status(404), True),
    "403": (status(403), True),
    "503": (status(503), False),
    "503 for a moment": ([status(503), rules("User-agent: *\nAllow: /")], True),
    "429": (too_busy(429, "0"), False),
    "timeout": (slow(rules("User-agent: *\nAllow: /"), 6), False),
    "timeout once": ([slow(rules(""), 6), rules("User-agent: *\nAllow: /")], True),
    "moved": (redirect("/moved.txt"), False),
}


@dataclass(frozen=True)
class Visit:
    paths: list[str]
    items: list[dict]
    output: str


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Visit]:
    routes = {"/a": "<p>A", "/b": "<p>B", "/moved.txt": rules("User-agent: *\nDisallow: /")}
    with ExitStack() as stack:
        servers = {
            name: stack.enter_context(LocalServer({**routes, "/robots.txt": robots})) for name, (robots, _) in ROBOTS.items()
        }
        urls = [server.url(path) for server in servers.values() for path in ("/a", "/b")]
        done = crawl(tmp_path_factory.mktemp("robots"), urls, DOWNLOAD_TIMEOUT="3", DOWNLOAD_DELAY="0", CONCURRENT_REQUESTS="64")
        return {
            name: Visit(server.paths(), [item for item in done.items if item["url"].startswith(server.origin + "/")], done.output)
            for name, server in servers.items()
        }


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_robots_txt_is_obeyed_as_the_rfc_says(visits: dict[str, Visit], name: str) -> None:
    visit = visits[name]
    allowed = ROBOTS[name][1]
    assert ({"/a", "/b"} <= set(visit.paths)) is allowed
    assert bool({"/a", "/b"} & set(visit.paths)) is allowed
    assert len(visit.items) == 2
    assert all(("error" in item) is not allowed for item in visit.items)
    assert all("robots.txt" in item["error"] for item in visit.items if "error" in item)
    assert "Traceback" not in visit.output


@pytest.mark.slow
def test_why_a_site_is_closed_is_told_once(tmp_path: Path) -> None:
    with LocalServer({"/robots.txt": status(500)}) as server:
        done = crawl(tmp_path, [server.url("/a"), server.url("/b")])
    assert {item["error"] for item in done.items} == {"robots.txt answers HTTP 500, so nothing may be fetched"}
    assert done.output.count("so nothing may be fetched") == 1
    assert "interlink/robots_unreachable': 1" in done.output


@pytest.mark.slow
def test_a_host_that_is_not_there_is_told_without_a_traceback(tmp_path: Path) -> None:
    done = crawl(tmp_path, ["http://no-such-host.invalid/a"], RETRY_TIMES="0")
    assert done.items[0]["error"] == "robots.txt could not be fetched (no such host), so nothing may be fetched"
    assert "Traceback" not in done.output


@pytest.mark.slow
def test_robots_txt_is_fetched_once_for_its_rules_and_its_sitemaps(tmp_path: Path) -> None:
    text = "User-agent: *\nDisallow: /\nSitemap: /s.xml"
    with LocalServer({"/robots.txt": rules(text)}) as server:
        done = crawl(tmp_path, [server.url("/robots.txt")])
        paths = server.paths()
    assert paths == ["/robots.txt"]
    assert done.items[0]["text"] == text


@pytest.mark.slow
@pytest.mark.parametrize("throttle", ["True", "False"], ids=["AutoThrottle", "fixed delay"])
def test_crawl_delay_is_the_least_delay(tmp_path: Path, throttle: str) -> None:
    paths = [f"/{i}" for i in range(6)]
    with LocalServer({"/robots.txt": rules("User-agent: *\nCrawl-delay: 1"), **dict.fromkeys(paths, "<p>x")}) as server:
        done = crawl(
            tmp_path,
            [server.url(path) for path in paths],
            AUTOTHROTTLE_ENABLED=throttle,
            AUTOTHROTTLE_START_DELAY="0.05",
            DOWNLOAD_DELAY_JITTER="1",
        )
        between = gaps(server)
    assert len(done.items) == 6
    assert min(between[1:]) >= 0.75
