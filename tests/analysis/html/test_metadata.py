"""What a page says about itself."""

from __future__ import annotations

from datetime import date

import pytest

from analysis.html.metadata import Metadata, is_noindex, read_metadata
from analysis.html.parse import parse_html
from analysis.urls import resolve

URL = "https://a.test/a/b.html"


def read(html: str, url: str = URL) -> Metadata:
    return read_metadata(parse_html(html), url)


@pytest.mark.parametrize(
    ("html", "title", "twice"),
    [
        pytest.param("<head><title>Page</title></head><body><svg><title>Menu</title></svg>", "Page", False, id="B21-svg-after"),
        pytest.param("<body><svg><title>Menu</title></svg><title>Page</title>", "Page", False, id="B21-svg-before"),
        pytest.param("<body><svg><title>Menu</title></svg><p>x</p>", "", False, id="B21-svg-only"),
        pytest.param("<title>Tom &amp; Co</title>", "Tom & Co", False, id="B22-decoded-once"),
        pytest.param(
            "<title>Net &amp;amp; Web &amp;#8211; A</title>", "Net &amp; Web &#8211; A", True, id="B22-second-layer-kept"
        ),
        pytest.param("<title>\n  A \n title </title>", "A title", False, id="white-space"),
        pytest.param("<title>AT&amp;T; R&amp;D</title>", "AT&T; R&D", False, id="an-ampersand-is-no-entity"),
    ],
)
def test_title(html: str, title: str, twice: bool) -> None:
    metadata = read(html)
    assert metadata.title == title
    assert metadata.title_is_encoded_twice is twice


@pytest.mark.parametrize(
    ("bases", "href", "address"),
    [
        pytest.param('<base href="/app/"><base href="/no/">', "p", "https://a.test/app/p", id="B23-first-root-relative"),
        pytest.param('<base href="javascript:">', "p", "https://a.test/a/p", id="B23-no-web-address"),
        pytest.param('<base href="b.html">', "?x=1", "https://a.test/a/b.html?x=1", id="B23-relative"),
        pytest.param(
            '<base href=""><base target="_blank"><base href="http://[bad"><base href="/ok/">',
            "p",
            "https://a.test/ok/p",
            id="first-usable",
        ),
        pytest.param(
            '<!-- <base href="/no/"> --><noscript><base href="/no/"></noscript>', "p", "https://a.test/a/p", id="hidden"
        ),
    ],
)
def test_base(bases: str, href: str, address: str) -> None:
    assert resolve(href, read(f"<head>{bases}</head><p>x").base_url) == address


@pytest.mark.parametrize(
    ("html", "canonical"),
    [
        pytest.param('<link rel="canonical" href="/c">', "https://a.test/c", id="relative"),
        pytest.param('<link rel="Canonical" href="//www.a.test/c">', "https://www.a.test/c", id="protocol-relative"),
        pytest.param(
            '<link rel="canonical" href=""><link rel="canonical" href="mailto:x"><link rel="canonical" href="d">',
            "https://a.test/a/d",
            id="first-usable",
        ),
        pytest.param('<link rel="alternate canonical" href="c">', "https://a.test/a/c", id="among-others"),
        pytest.param('<link rel="stylesheet" href="c">', None, id="none"),
    ],
)
def test_canonical(html: str, canonical: str | None) -> None:
    assert read(html).canonical == canonical


@pytest.mark.parametrize(
    ("html", "noindex"),
    [
        ('<meta name="robots" content="NOINDEX, follow">', True),
        ('<meta name="ROBOTS" content="none">', True),
        ('<meta name="googlebot" content="noindex">', True),
        ('<meta name="robots" content="index, follow, max-image-preview:large">', False),
        ('<meta name="description" content="noindex">', False),
    ],
)
def test_noindex(html: str, noindex: bool) -> None:
    assert read(html).noindex is noindex


def test_noindex_of_a_header() -> None:
    assert is_noindex("googlebot: noindex")
    assert not is_noindex("noarchive, index")


def test_language_and_alternates() -> None:
    metadata = read(
        '<html lang="de-AT"><link rel="alternate" hreflang="en" href="/en/"><link rel="alternate" hreflang="x-default" href="/">'
        '<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" hreflang="fr" href="javascript:x">'
    )
    assert metadata.language == "de-AT"
    assert metadata.alternates == (("en", "https://a.test/en/"), ("x-default", "https://a.test/"))
    assert read('<meta http-equiv="Content-Language" content="ru"><p>x').language == "ru"


@pytest.mark.parametrize(
    ("html", "h1"),
    [
        pytest.param("<header><h1>Site</h1></header><main><h1>Page</h1></main>", "Page", id="main-before-logo"),
        pytest.param("<h1><img src=x></h1><h1>Page</h1>", "Page", id="without-words"),
        pytest.param('<h1>Page <a href="#page">¶</a></h1>', "Page", id="permalink"),
        pytest.param("<nav><h1>Menu</h1></nav><div><h1>Page</h1></div>", "Page", id="not-in-menu"),
        pytest.param("<h2>No</h2>", "", id="none"),
    ],
)
def test_h1(html: str, h1: str) -> None:
    assert read(html).h1 == h1


@pytest.mark.parametrize(
    ("html", "url", "published"),
    [
        pytest.param(
            '<meta property="article:published_time" content="2019-03-11T12:00:00+00:00">',
            URL,
            date(2019, 3, 11),
            id="open-graph",
        ),
        pytest.param(
            '<script type="application/ld+json">{"@graph":[{"datePublished": "2020-02-03"}]}</script>',
            URL,
            date(2020, 2, 3),
            id="json-ld",
        ),
        pytest.param(
            '<time datetime="2018-01-01">x</time><time itemprop="datePublished" datetime="2017-05-06">',
            URL,
            date(2017, 5, 6),
            id="marked-time",
        ),
        pytest.param('<p><time datetime="2018-01-02T10:00">x</time>', URL, date(2018, 1, 2), id="time"),
        pytest.param(
            '<meta name="date" content="yesterday"><meta name="DC.date" content="2001-2-3">',
            URL,
            date(2001, 2, 3),
            id="first-possible",
        ),
        pytest.param("<p>x", "https://a.test/2019/03/11/title/", date(2019, 3, 11), id="address"),
        pytest.param("<p>x", "https://a.test/posts/2019-03-11-title/", date(2019, 3, 11), id="address-with-hyphens"),
        pytest.param('<meta name="date" content="2019-13-45">', "https://a.test/2019/99/11/", None, id="impossible"),
        pytest.param("<p>x", URL, None, id="none"),
    ],
)
def test_published(html: str, url: str, published: date | None) -> None:
    assert read(html, url).published == published


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=https://a.test/new/", "https://a.test/new/"),
        ("0;URL='/new/'", "https://a.test/new/"),
        ('0; url="new.html"', "https://a.test/a/new.html"),
        ("0,/new", "https://a.test/new"),
        ("3;url=/new", "https://a.test/new"),
        ("300; url=/new", None),
        ("300", None),
        ("0; url=b.html", None),  # the page itself
        ("0; url=javascript:x", None),
    ],
)
def test_redirect_stub(content: str, target: str | None) -> None:
    escaped = content.replace('"', "&quot;")
    assert read(f'<html><head><title>x</title><meta http-equiv="Refresh" content="{escaped}"></head>').redirect_to == target


def test_refresh_for_browsers_without_scripts_is_no_redirect() -> None:
    assert read('<noscript><meta http-equiv="refresh" content="0; url=/nojs"></noscript><p>x').redirect_to is None


CHALLENGE = (
    "<title>Just a moment...</title><script>window._cf_chl_opt={}</script><p>Checking your browser before accessing a.test"
)
ARTICLE = "<p>A long article about the page that says: checking your browser. " * 80


@pytest.mark.parametrize(
    ("html", "is_challenge"),
    [
        pytest.param(CHALLENGE, True, id="cloudflare"),
        pytest.param('<title>a.test</title><script src="https://geo.captcha-delivery.com/c.js"></script>', True, id="datadome"),
        pytest.param("<title>DDoS-Guard</title><p>Проверка браузера", True, id="ddos-guard"),
        pytest.param(
            '<title>News</title><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script><p>x',
            False,
            id="ordinary-page-behind-cloudflare",
        ),
        pytest.param(f"<title>Just a moment: what Cloudflare does</title>{ARTICLE}", False, id="article-about-it"),
        pytest.param("<title>Access denied | a.test</title><p>Reference #18", True, id="refused"),
        pytest.param("<title>Access denied for user root: how to fix it</title><p>short", False, id="similar-title"),
    ],
)
def test_challenge(html: str, is_challenge: bool) -> None:
    assert read(html).is_challenge is is_challenge


def test_document_without_head() -> None:
    metadata = read("")
    assert (metadata.title, metadata.h1, metadata.language, metadata.base_url) == ("", "", "", URL)
