"""Sites that do not behave, over the wire: nothing is lost, invented or fetched twice, and every reason is told."""

from __future__ import annotations

import gzip
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from analysis.coverage import read_coverage
from analysis.store import FILE_NAME, CrawlStore, UrlKind, UrlState
from tests.command import HURRY, ROOT, crawl
from tests.interlink_spider.test_crawl import article
from tests.server import XML, LocalServer, Response, page, redirect, sitemap, sitemap_index, slow, too_busy

if TYPE_CHECKING:
    from pathlib import Path

    from demo.serve import Request

pytestmark = pytest.mark.slow

CRAWL_ONLY = {"INTERLINK_PLAN_AT_CLOSE": "False"}


def states(folder: Path) -> dict[str, tuple[str, str]]:
    """State and reason of every page by its path."""
    with CrawlStore.open(folder) as store:
        rows = store.urls.in_states(*UrlState)
        return {row.url.split("/", 3)[3]: (row.state, row.reason) for row in rows if row.kind is UrlKind.PAGE}


def test_odd_answers_are_told_for_what_they_are(tmp_path: Path) -> None:
    done, skipped, failed = UrlState.DONE, UrlState.SKIPPED, UrlState.FAILED
    cases: dict[str, tuple[object, UrlState, str]] = {
        "plain": (article("Plain"), done, ""),
        "no-text-in-the-charset": (page(article("Charset"), content_type="text/html; charset=\xe9\xff"), done, ""),
        "capitals": (page(article("Capitals"), content_type="TEXT/HTML;Charset=UTF-8"), done, ""),
        "untyped": (page(article("No type"), content_type=" "), done, ""),
        "compressed": (page(gzip.compress(article("Compressed").encode()), Content_Encoding="gzip"), done, ""),
        "deep": ("<div>" * 60_000 + article("Deep"), done, ""),
        "not-modified-though-never-read": (Response(304), skipped, "no page (HTTP 304)"),
        "nothing": (Response(204), skipped, "no page (HTTP 204)"),
        "empty": (page(b""), skipped, "empty"),
        "zeros": (page(b"\0" * 5000), skipped, "empty"),
        "picture-sent-as-a-page": (page(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40), skipped, "not HTML"),
        "refused": (Response(999), failed, "our crawler was refused (HTTP 999)"),
        "nowhere": (Response(302), skipped, "no page (HTTP 302)"),
        "no-address": (redirect("http://[::x"), skipped, "no page (HTTP 301)"),
        "script": (redirect("javascript:alert(1)"), skipped, "no page (HTTP 301)"),
        "itself": (redirect("/itself"), failed, "redirects to itself"),
        "circle-a": (redirect("/circle-b"), skipped, "redirect to another page"),
        "circle-b": (redirect("/circle-a"), failed, "redirect in a circle"),
        "twin-a": (article("A", head="<link rel=canonical href=/twin-b>"), skipped, "canonical to another page"),
        "twin-b": (article("B", head="<link rel=canonical href=/twin-a>"), failed, "canonical in a circle"),
        "away": (redirect("http://elsewhere.example/x"), skipped, "redirect to another site"),
    }
    long_way = {f"/step-{number}": redirect(f"/step-{number + 1}") for number in range(20)}
    routes = {f"/{name}": answer for name, (answer, _, _) in cases.items()}
    addresses = [*routes, "/step-0", "mailto:joe@a.test", "http://", "data:text/html,x"]
    with LocalServer({**routes, **long_way, "/sitemap.xml": sitemap(*addresses)}) as server:
        finished = crawl(tmp_path, server.url("/sitemap.xml"), {**CRAWL_ONLY, "CONCURRENT_REQUESTS": "1"})
        paths = server.paths()
    assert finished.code == 0 and "Traceback" not in finished.output, finished.output
    assert len(paths) == len(set(paths))
    found = states(finished.folder)
    assert {name: found[name] for name in cases} == {name: (state, reason) for name, (_, state, reason) in cases.items()}
    assert found["step-10"] == (failed, "too many redirects") and "step-11" not in found


UNREAD = {
    "gone": (Response(404), "not found (HTTP 404)"),
    "refused": (Response(403), "our crawler was refused (HTTP 403)"),
    "nothing-in-it": (page(b""), "no sitemap: empty"),
    "a-page-instead": ("<!doctype html><title>Not found</title><p>Nothing here.", "no sitemap: html"),
    "cut-after-an-entry": (page(b"<urlset><url><loc>/b</loc></url><url><lo", XML), "read in part"),
    "cut-before-the-first": (page(b"<urlset><url><lo", XML), "no sitemap: urlset"),
    "cut-in-its-gzip": (page(gzip.compress(sitemap(*(f"/{n}" for n in range(999))).body)[:-900], XML), "read in part"),
    "too-late": (slow(sitemap("/b"), 3), "timeout"),
}
READ = {"without-entries": sitemap(), "without-an-address": page(b"<urlset><url/><url><loc>/b</loc></url></urlset>", XML)}


@pytest.mark.parametrize("unread", [{}, UNREAD], ids=["all read", "some unread"])
def test_a_crawl_is_complete_only_if_every_sitemap_of_its_index_was_read(
    tmp_path: Path, unread: dict[str, tuple[object, str]]
) -> None:
    answers = {**READ, "good": sitemap("/a"), **{name: answer for name, (answer, _) in unread.items()}}
    routes = {f"/{name}.xml": answer for name, answer in answers.items()}
    pages = {"/a": article("Apples"), "/b": article("Bananas"), "/sitemap.xml": sitemap_index(*routes)}
    hurry = {"DOWNLOAD_TIMEOUT": "1", "RETRY_TIMES": "0"}
    with LocalServer({**routes, **pages}) as server:
        done = crawl(tmp_path, server.url("/sitemap.xml"), CRAWL_ONLY | hurry)
    with CrawlStore.open(done.folder) as store:
        failed = {row.key: row.reason for row in store.urls.in_states(UrlState.FAILED) if row.kind is UrlKind.SITEMAP}
        told = [gap for gap in read_coverage(store).gaps if "sitemaps" in gap]
    assert {key.rpartition("/")[2].removesuffix(".xml"): reason for key, reason in failed.items()} == {
        name: reason for name, (_, reason) in unread.items()
    }
    reasons = "; ".join(sorted({reason for _, reason in unread.values()}))
    assert told == ([f"{len(unread)} sitemaps could not be read ({reasons})"] if unread else [])


def test_a_sitemap_that_leads_nowhere_counts_as_unread(tmp_path: Path) -> None:
    routes = {
        "/sitemap.xml": sitemap_index("/good.xml", "/moved.xml"),
        "/good.xml": sitemap("/a"),
        "/moved.xml": redirect("/no-such.xml"),
    }
    with LocalServer({**routes, "/a": article("Apples")}) as server:
        done = crawl(tmp_path, server.url("/sitemap.xml"), CRAWL_ONLY)
    with CrawlStore.open(done.folder) as store:
        assert read_coverage(store).gaps == ("1 sitemaps could not be read (not found (HTTP 404))",)


def test_a_guess_that_leads_to_no_sitemap_leaves_a_crawl_complete(tmp_path: Path) -> None:
    routes = {"/sitemap.xml": redirect("/welcome"), "/welcome": article("Welcome"), "/sitemap_index.xml": sitemap("/a")}
    with LocalServer({**routes, "/a": article("Apples")}) as server:
        done = crawl(tmp_path, server.origin, CRAWL_ONLY)
    with CrawlStore.open(done.folder) as store:
        assert (read_coverage(store).read, read_coverage(store).gaps) == (1, ())


def test_a_site_under_many_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASES A1, A2, A3, A14, A15, A19, A27: every host is asked over a proxy, which our server plays."""
    listed = sitemap("http://a.test/1", "http://www.a.test:80/2", "http://shop.a.test/3", "http://b.test/4").body
    www = "http://www.a.test"
    routes = {
        f"{www}/index.xml": sitemap_index(
            *(f"{www}/{name}" for name in ("index.xml", "back", "s.gz", "plain.xml.gz", "twice.gz"))
        ),
        f"{www}/back": redirect("http://www.a.test:80/index.xml"),
        f"{www}/s.gz": page(gzip.compress(listed), content_type="application/octet-stream"),
        f"{www}/plain.xml.gz": page(sitemap(f"{www}/stra%c3%9fe", f"{www}/straße").body, content_type="text/html"),
        f"{www}/twice.gz": page(gzip.compress(gzip.compress(sitemap(f"{www}/5").body)), Content_Encoding="gzip"),
        "http://a.test/1": redirect(f"{www}/1"),
        f"{www}/1": article("One"),
        f"{www}/2": article("Two"),
        f"{www}/stra%c3%9fe": article("Street"),
        f"{www}/5": article("Five"),
    }
    with LocalServer(routes) as server:
        monkeypatch.setenv("http_proxy", server.origin)
        finished = crawl(tmp_path, f"{www}/index.xml", CRAWL_ONLY)
        paths = server.paths()
    assert finished.folder.name == "a.test"
    assert states(finished.folder) == {
        "1": (UrlState.DONE, ""),
        "2": (UrlState.DONE, ""),
        "3": (UrlState.SKIPPED, "another site"),
        "4": (UrlState.SKIPPED, "another site"),
        "5": (UrlState.DONE, ""),
        "stra%c3%9fe": (UrlState.DONE, ""),
    }, finished.output
    assert sorted(paths) == sorted([*routes, "http://a.test/robots.txt", f"{www}/robots.txt"])


@pytest.mark.parametrize("delay", ["0", "0.01"])
def test_no_more_than_four_requests_at_once(tmp_path: Path, delay: str) -> None:
    lock, under_way, most = threading.Lock(), 0, 0

    def answer(request: Request) -> str:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.1)
        with lock:
            under_way -= 1
        return article(f"Article {request.path}")

    names = [f"/{number}" for number in range(24)]
    with LocalServer({**dict.fromkeys(names, answer), "/sitemap.xml": sitemap(*names)}) as server:
        crawl(tmp_path, server.url("/sitemap.xml"), {**CRAWL_ONLY, "DOWNLOAD_DELAY": delay})
    assert 1 < most <= 4


def start_crawl(output: Path, address: str) -> subprocess.Popen[str]:
    settings = {**HURRY, **CRAWL_ONLY, "INTERLINK_OUTPUT_DIR": str(output)}
    command = [sys.executable, "-m", "scrapy", "crawl", "interlink", "-a", f"sitemap={address}"]
    command += [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def pages_stored(output: Path) -> int:
    for folder in output.iterdir():
        with sqlite3.connect(folder / FILE_NAME) as connection:
            return int(connection.execute("SELECT count(*) FROM page").fetchone()[0])
    return 0


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=["kill -9", "Ctrl-C", "cancel"])
def test_a_crawl_that_was_cut_off_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    names = [f"/{number}" for number in range(30)]
    routes = {name: slow(article(f"Article {name}"), 0.2) for name in names}
    with LocalServer({**routes, "/sitemap.xml": sitemap(*names)}) as server:
        process = start_crawl(tmp_path, server.url("/sitemap.xml"))
        while process.poll() is None and ("/1" not in server.paths() or not pages_stored(tmp_path)):
            time.sleep(0.05)
        process.send_signal(how)
        output, _ = process.communicate(timeout=60)
        before = server.paths()
        partial = crawl(tmp_path, server.url("/sitemap.xml"), {**CRAWL_ONLY, "CLOSESPIDER_ITEMCOUNT": "5"})
        finished = crawl(tmp_path, server.url("/sitemap.xml"))
        paths = server.paths()
    assert 0 < len([path for path in before if path in names]) < len(names), output
    assert "Traceback" not in output + partial.output + finished.output
    assert "Going on with the crawl" in finished.output
    assert finished.summary()["pages"] == len(names) and finished.summary()["complete"]
    again = [path for path in names if paths.count(path) > 1]
    assert len(again) <= 2 * 4, f"only what was under way when it was cut off may be fetched again: {again}"
    assert re.search(r"\b30 articles", finished.output)


@pytest.mark.parametrize("throttle", ["True", "False"], ids=["AutoThrottle", "fixed delay"])
def test_a_fifth_of_the_pages_fails_once_and_none_is_lost(tmp_path: Path, throttle: str) -> None:
    names = [f"/{number}" for number in range(60)]
    flaky = {name: [Response(503), article(f"Article {name}")] for name in names[::5]}
    busy = {name: [too_busy(429, "1"), article(f"Article {name}")] for name in names[1::30]}
    steady = {name: article(f"Article {name}") for name in names}
    settings = {**CRAWL_ONLY, "RETRY_TIMES": "2", "AUTOTHROTTLE_ENABLED": throttle, "AUTOTHROTTLE_START_DELAY": "0.01"}
    with LocalServer({**steady, **flaky, **busy, "/sitemap.xml": sitemap(*names)}) as server:
        done = crawl(tmp_path, server.url("/sitemap.xml"), settings)
        log = server.log
    assert states(done.folder) == {name[1:]: (UrlState.DONE, "") for name in names}
    assert all(len([access for access in log if access.path == name]) == 2 for name in (*flaky, *busy))
    for name in busy:
        refused = next(access.time for access in log if access.path == name)
        meanwhile = [access for access in log if refused + 0.2 < access.time < refused + 0.95]
        assert not meanwhile, "the wait that was asked for holds for the whole host"
    assert log[-1].time - log[0].time < 30, "a few errors must not slow the crawl down for good"


CHALLENGE = "<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt = {}</script></body></html>"


def test_a_challenge_is_told_as_what_it_is(tmp_path: Path) -> None:
    routes = {"/sitemap.xml": sitemap("/a", "/b"), "/a": CHALLENGE, "/b": article("Bananas"), "/map.xml": CHALLENGE}
    with LocalServer(routes) as server:
        pages = crawl(tmp_path / "pages", server.url("/sitemap.xml"), CRAWL_ONLY)
        maps = crawl(tmp_path / "sitemaps", server.url("/map.xml"))
    assert states(pages.folder)["a"] == (UrlState.FAILED, "our crawler was refused (challenge page)")
    assert maps.code == 1 and "our crawler was refused (challenge page)" in maps.output


def test_the_next_crawl_reads_only_what_changed(tmp_path: Path) -> None:
    def tagged(text: str, tag: str) -> Response:
        return page(article(text), ETag=f'"{tag}"')

    routes = {
        "/sitemap.xml": sitemap("/same", "/changed", "/untagged", "/gone"),
        "/same": tagged("Same", "1"),
        "/changed": [tagged("Before", "1"), tagged("After", "2")],
        "/untagged": article("No tag"),
        "/gone": [article("Gone"), Response(410)],
    }
    with LocalServer(routes) as server:
        crawl(tmp_path, server.url("/sitemap.xml"), CRAWL_ONLY)
        server.routes["/sitemap.xml"] = sitemap("/same", "/changed", "/untagged", "/gone", "/new")
        server.routes["/new"] = article("New")
        first = len(server.log)
        finished = crawl(tmp_path, server.url("/sitemap.xml"), CRAWL_ONLY)
        second = {access.path: (access.status, access.if_none_match) for access in server.log[first:]}
    assert second["/same"] == (304, '"1"') and second["/changed"] == (200, '"1"')
    with CrawlStore.open(finished.folder) as store:
        assert {stored.h1 for stored in store.pages.read()} == {"Same", "After", "No tag", "New"}
        changes = store.pages.changes()
    names = {kind: [url.rpartition("/")[2] for url in getattr(changes, kind)] for kind in ("new", "changed", "gone")}
    assert names == {"new": ["new"], "changed": ["changed"], "gone": ["gone"]}
