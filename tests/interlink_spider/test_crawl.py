"""The whole chain on small real sites: the real command, a real server, the real model."""

from __future__ import annotations

from pathlib import Path

import pytest

from demo.serve import SITE
from tests.command import crawl, scrapy
from tests.server import LocalServer, page, redirect, sitemap, sitemap_index, too_busy

pytestmark = pytest.mark.slow

ROBOTS = "User-agent: *\nDisallow: /secret/\nSitemap: https://demo.example/sitemap.xml\n"


def article(title: str, text: str = "", head: str = "", lang: str = "en") -> str:
    body = text or (
        f"{title} is the subject of this article, which has enough words to count as one. "
        "It goes on for some sentences, so that nobody could take it for an empty page. "
        "A third sentence makes sure that the text is not thin, and a fourth one says goodbye."
    )
    return (
        f'<!doctype html><html lang="{lang}"><head><title>{title} | Brand</title>{head}</head>'
        f"<body><nav><a href='/a'>A</a></nav><main><h1>{title}</h1><p>{body}</p></main></body></html>"
    )


def plain(text: str) -> object:
    return page(text, content_type="text/plain")


def test_demo_blog_gives_a_plan_orphans_and_a_join_file(tmp_path: Path) -> None:
    with LocalServer(folder=SITE) as server:
        done = crawl(tmp_path, server.url("/robots.txt"))
        paths = server.paths()
    assert done.code == 0, done.output
    plan = done.table("interlink_plan.csv")
    named = ("stands in the text", "used as anchor")
    assert plan and all(float(row["closeness"]) >= 0.35 or any(words in row["reason"] for words in named) for row in plan)
    for source in {row["url_from"] for row in plan}:
        confidence = [float(row["confidence"]) for row in plan if row["url_from"] == source]
        assert confidence == sorted(confidence, reverse=True), "the rows of a page stand best first"
    languages = {row["page"]: row for row in done.table("search_console.csv") if row["kind"] == "page"}
    assert {row["url_from"] for row in plan} | {row["url_to"] for row in plan} <= set(languages)
    assert all(("/ru/" in row["url_from"]) == ("/ru/" in row["url_to"]) for row in plan)
    assert done.summary()["complete"] and done.summary()["orphans"] == len(done.table("orphans.csv")) > 0
    assert len(paths) == len(set(paths)), "an address was fetched twice"


@pytest.mark.parametrize(
    "start", ["/sitemap.xml", "/robots.txt", "", "/nested.xml"], ids=["sitemap", "robots.txt", "bare address", "index"]
)
def test_any_way_in_finds_the_same_pages(tmp_path: Path, start: str) -> None:
    routes = {
        "/robots.txt": plain(ROBOTS),
        "/sitemap.xml": sitemap("/a", "/b"),
        "/nested.xml": sitemap_index("/nested.xml", "/missing.xml", "/sitemap.xml"),
        "/a": article("Apples"),
        "/b": article("Bananas"),
    }
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.url(start))
        paths = server.paths()
    assert done.summary()["pages"] == 2, done.output
    assert len(paths) == len(set(paths)), paths
    assert done.summary()["gaps"] == (["1 sitemaps could not be read (not found (HTTP 404))"] if start == "/nested.xml" else [])


def test_no_orphan_is_claimed_where_a_sitemap_that_the_site_names_is_dead(tmp_path: Path) -> None:
    """The only link to /b may stand in a page of the dead sitemap."""
    routes = {
        "/robots.txt": plain(ROBOTS + "Sitemap: https://demo.example/dead.xml\n"),
        "/sitemap.xml": sitemap("/a", "/b"),
        "/a": article("Apples"),
        "/b": article("Bananas"),
    }
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.origin)
    assert (done.summary()["complete"], done.summary()["orphans"]) == (False, None)
    assert "orphan pages are not claimed: 1 sitemaps could not be read (not found (HTTP 404))" in done.output
    assert done.table("orphans.csv") == []


def test_bare_address_without_robots_tries_the_usual_places(tmp_path: Path) -> None:
    routes = {
        "/sitemap_index.xml": sitemap_index("/s.xml"),
        "/s.xml": sitemap("/a", "/b"),
        "/a": article("Apples"),
        "/b": article("Bananas"),
    }
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.origin)
    assert done.summary()["pages"] == 2, done.output
    assert done.summary()["complete"], "what was only guessed is not missed"


def test_every_page_left_out_has_its_reason(tmp_path: Path) -> None:
    routes = {
        "/robots.txt": plain(ROBOTS),
        "/sitemap.xml": sitemap(
            "/a", "/b", "/noindex", "/header-noindex", "/copy", "/old", "/gone", "/broken", "/refused", "/secret/x", "/short",
            "/stub", "/file.pdf", "/tag/x", "/picture", "https://elsewhere.example/x",
        ),
        "/a": article("Apples"),
        "/b": article("Bananas"),
        "/noindex": article("No", head='<meta name="robots" content="noindex, follow">'),
        "/header-noindex": page(article("No"), X_Robots_Tag="noindex"),
        "/copy": article("Copy", head='<link rel="canonical" href="/a">'),
        "/old": redirect("/b"),
        "/broken": too_busy(500),
        "/refused": page("<p>No</p>").__class__(403, b"<p>No"),
        "/secret/x": article("Secret"),
        "/short": "<html><title>Short</title><body><p>Hi.</p></body></html>",
        "/stub": '<html><head><meta http-equiv="refresh" content="0; url=/b"><title>x</title></head></html>',
        "/picture": page(b"\x89PNG", content_type="image/png"),
    }  # fmt: skip
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.url("/sitemap.xml"))
        paths = server.paths()
    skipped = done.skipped()
    assert done.summary()["pages"] == 2, done.output
    expected = {
        "noindex": "noindex", "header-noindex": "noindex", "copy": "canonical to another page", "old": "redirect to another page",
        "gone": "not found (HTTP 404)", "broken": "server error (HTTP 500)", "refused": "our crawler was refused (HTTP 403)",
        "secret/x": "disallowed by robots.txt", "stub": "refresh to another page", "picture": "not HTML",
    }  # fmt: skip
    assert {path: skipped.get(path) for path in expected} == expected
    assert {"short", "file.pdf", "tag/x"} <= set(skipped)
    assert skipped["x"] == "another site"
    assert "/secret/x" not in paths and "/tag/x" not in paths and "/file.pdf" not in paths
    assert not done.summary()["complete"] and done.summary()["orphans"] is None and done.table("orphans.csv") == []


def test_max_urls_leaves_the_crawl_incomplete(tmp_path: Path) -> None:
    routes = {"/sitemap.xml": sitemap("/a", "/b", "/c"), "/a": article("A a"), "/b": article("B b"), "/c": article("C c")}
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.url("/sitemap.xml"), max_urls="2")
        assert len([path for path in server.paths() if path in ("/a", "/b", "/c")]) == 2
    assert done.summary()["orphans"] is None and "max_urls" in done.output


def test_spellings_of_one_address_are_one_page(tmp_path: Path) -> None:
    links = '<p>Here is a <a href="/b/?utm_source=x#part">link about bananas</a> inside of a sentence that is long enough.</p>'
    routes = {
        "/sitemap.xml": sitemap("/a", "/a#x", "/a?utm_source=news", "/b"),
        "/a": article("Apples").replace("</main>", links + "</main>"),
        "/b": redirect("/b/"),
        "/b/": article("Bananas"),
    }
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.url("/sitemap.xml"))
        paths = server.paths()
    assert done.summary()["pages"] == 2, done.output
    assert done.summary()["links_in_texts"] == 1
    assert paths.count("/a") == 1


def test_a_moment_of_503_loses_nothing(tmp_path: Path) -> None:
    routes = {
        "/sitemap.xml": sitemap("/a", "/b"),
        "/a": [too_busy(), article("Apples")],
        "/b": [too_busy(429), article("Bananas")],
    }
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.url("/sitemap.xml"), {"RETRY_TIMES": "2"})
        waited = {a.path: a.time for a in server.log}
        first = {a.path: a.time for a in reversed(server.log)}
    assert done.summary()["pages"] == 2, done.output
    assert all(waited[path] - first[path] >= 1 for path in ("/a", "/b"))


BAD_INPUT = {
    "html for a sitemap": ({"/sitemap.xml": "<html><body>Hello</body></html>"}, {}, {}, "sitemap", 1),
    "empty sitemap": ({"/sitemap.xml": sitemap()}, {}, {}, "sitemap", 1),
    "all filtered": ({"/sitemap.xml": sitemap("/a", "/b")}, {"url_filter": "/nothing/"}, {}, "2 × url_filter", 1),
    "unknown argument": ({}, {"sitmap": "x"}, {}, "no argument 'sitmap'", 2),
    "bad number": ({}, {"max_urls": "many"}, {}, "max_urls is 'many'", 2),
    "bad setting": ({}, {}, {"INTERLINK_MIN_SIMILARITY": "7"}, "INTERLINK_MIN_SIMILARITY is 7.0", 2),
    "missing model": ({}, {}, {"INTERLINK_EMBEDDER": "sentence-transformers", "INTERLINK_MODEL": "./nowhere"}, "nowhere", 2),
    "unwritable folder": ({}, {}, {"INTERLINK_OUTPUT_DIR": "/dev/null/x"}, "cannot be written", 2),
}


@pytest.mark.parametrize(("routes", "arguments", "settings", "sentence", "code"), BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_input_is_one_clear_sentence(tmp_path: Path, routes, arguments, settings, sentence, code) -> None:
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.url("/sitemap.xml"), settings, **arguments)
    assert done.code == code, done.output
    assert sentence in done.output
    assert "Traceback" not in done.output


def test_no_such_host_is_one_clear_sentence(tmp_path: Path) -> None:
    done = crawl(tmp_path, "http://no-such-host.invalid/sitemap.xml", {"RETRY_TIMES": "0"})
    assert done.code == 1
    told = "http://no-such-host.invalid/sitemap.xml: robots.txt could not be fetched (no such host), so nothing may be fetched."
    assert told in done.output
    assert "Traceback" not in done.output


def test_plan_can_be_made_again_without_a_request(tmp_path: Path) -> None:
    routes = {"/sitemap.xml": sitemap("/a", "/b"), "/a": article("Apples"), "/b": article("Bananas")}
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.url("/sitemap.xml"))
    before = (done.folder / "interlink_plan.csv").read_bytes()
    (done.folder / "interlink_plan.csv").unlink()
    again = scrapy("plan", str(done.folder))
    assert again.returncode == 0, again.stderr
    assert (done.folder / "interlink_plan.csv").read_bytes() == before
    missing = scrapy("plan", str(tmp_path / "nowhere"))
    assert missing.returncode == 1 and "There is no crawl" in missing.stderr and "Traceback" not in missing.stderr


def test_links_to_old_addresses_count_for_the_pages_they_lead_to(tmp_path: Path) -> None:
    links = "".join(
        f"<p>This is a sentence of some length with a <a href='{href}'>link to {href}</a> that stands in its middle.</p>"
        for href in (
            "/old-b",
            "/older-b",
            "/stub-c",
            "/twin-c",
            "/gone",
            "/unlisted",
            "/secret/x",
            "/tag/x",
            "/sitemap.xml",
            "/b/",
        )
    )
    routes = {
        "/robots.txt": plain(ROBOTS),
        "/sitemap.xml": sitemap("/a", "/b", "/c"),
        "/a": article("Apples").replace("</main>", links + "</main>"),
        "/b": article("Bananas"),
        "/c": article("Cherries"),
        "/old-b": redirect("/b"),
        "/older-b": redirect("/old-b", 302),
        "/stub-c": '<html><head><meta http-equiv="refresh" content="0; url=/c"><title>x</title></head></html>',
        "/twin-c": article("Cherries", head='<link rel="canonical" href="/c">'),
        "/unlisted": article("Dates"),
    }
    with LocalServer(routes) as server:
        done = crawl(tmp_path / "asked", server.url("/sitemap.xml"))
        paths = server.paths()
        not_asked = crawl(tmp_path / "not", server.url("/sitemap.xml"), {"INTERLINK_UNLISTED_LINKS": "0"})
        few = crawl(tmp_path / "few", server.url("/sitemap.xml"), {"INTERLINK_UNLISTED_LINKS": "1"})
    assert done.summary()["pages"] == 3, done.output
    assert done.summary()["links_in_texts"] == 2 and done.summary()["orphans"] == 1 and done.summary()["complete"]
    assert len(paths) == len(set(paths)) and not {"/secret/x", "/tag/x"} & set(paths)
    reasons = {row["url"].rpartition("/")[2]: row["reason"] for row in done.table("skipped.csv") if row["kind"] == "link"}
    assert reasons == {
        "old-b": "redirect to another page", "older-b": "redirect to another page", "stub-c": "refresh to another page",
        "twin-c": "canonical to another page", "gone": "not found (HTTP 404)", "unlisted": "in no sitemap",
        "x": "disallowed by robots.txt",
    }  # fmt: skip
    assert any(note.startswith("1 addresses of the site") for note in done.summary()["notes"])
    assert not_asked.summary()["links_in_texts"] == 1 and not_asked.summary()["orphans"] == 2
    assert sum(row["detail"] == "not asked" for row in few.table("skipped.csv")) == 6


def test_copies_of_an_article_are_one_article(tmp_path: Path) -> None:
    link = "<p>This sentence of an ordinary length has a <a href='/da/blog/b'>link to the copy</a> of the other article.</p>"
    routes = {
        "/sitemap.xml": sitemap("/blog/a", "/blog/b", "/da/blog/b", "/ja/blog/b", "/da/blog/c"),
        "/blog/a": article("Apples").replace("</main>", link + "</main>"),
        "/blog/b": article("Bananas"),
        "/da/blog/b": article("Bananas", lang="da").replace("<nav>", "<nav>Menu "),
        "/ja/blog/b": article("Bananas", lang="ja"),
        "/da/blog/c": article("Cherries", lang="da"),
    }
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.url("/sitemap.xml"))
    assert done.summary()["pages"] == 3, done.output
    assert done.summary()["links_in_texts"] == 1
    copies = {row["url"].split("/", 3)[3]: row["detail"].split("/", 3)[3] for row in done.table("skipped.csv")}
    assert copies == {"da/blog/b": "blog/b", "ja/blog/b": "blog/b"}
    plan = done.table("interlink_plan.csv")
    assert plan and not any("/da/blog/b" in row["url_from"] + row["url_to"] for row in plan)


def test_a_site_below_a_path_is_found_by_its_address(tmp_path: Path) -> None:
    routes = {
        "/robots.txt": plain(ROBOTS),
        "/sitemap.xml": sitemap("/shop"),
        "/blog/": article("The blog of a site", head="<link rel=stylesheet href=x>"),
        "/blog/sitemap.xml": sitemap("/blog/", "/blog/ru/", "/blog/a", "/blog/b"),
        "/blog/a": article("Apples"),
        "/blog/b": article("Bananas"),
    }
    with LocalServer(routes) as server:
        done = crawl(tmp_path, server.url("/blog/"))
        assert "/shop" not in server.paths()
    assert done.summary()["pages"] == 2, done.output
    assert {"blog/": "home page", "blog/ru/": "language root"}.items() <= done.skipped().items()
    assert done.summary()["complete"]
