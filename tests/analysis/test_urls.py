"""Addresses: one key a page, links as browsers read them, and nothing ever raised."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.urls import fetch_url, page_key, resolve, same_site, site_of, strip_tracking


@pytest.mark.parametrize(
    "spellings",
    [
        pytest.param(["http://a.test/x", "https://a.test/x", "//a.test/x", "a.test/x"], id="scheme"),
        pytest.param(["https://www.a.test/x", "https://a.test/x", "https://WWW.A.test/x"], id="www"),
        pytest.param(["https://a.test/x", "https://a.test/x/", "https://a.test/x//"], id="trailing slash"),
        pytest.param(["https://a.test", "https://a.test/", "https://a.test?", "https://a.test/#top"], id="root"),
        pytest.param(["http://a.test:80/x", "https://a.test:443/x", "https://a.test:/x", "https://a.test./x"], id="port and dot"),
        pytest.param(["https://a.test:443/index.xml", "https://a.test/index.xml"], id="A15 explicit port"),
        pytest.param(["https://a.test/g#part-2", "https://a.test/g#:~:text=red", "https://a.test/g"], id="fragment"),
        pytest.param(
            ["https://a.test/?id=3&utm_source=n", "https://a.test/?fbclid=1&id=3&gclid", "https://a.test/?id=3"], id="tracking"
        ),
        pytest.param(["https://a.test/?b=2&a=1", "https://a.test/?a=1&&b=2&"], id="order of parameters"),
        pytest.param(["https://a.test/?q=a+b", "https://a.test/?q=a%20b", "https://a.test/?q=a b"], id="space in query"),
        pytest.param(
            ["https://a.test/b/", "https://a.test/b/index.html", "https://a.test/b/Default.aspx"], id="default document"
        ),
        pytest.param(["https://a.test/index.php?p=5", "https://a.test/?p=5"], id="default document with query"),
        pytest.param(["https://a.test/a/../b/./c", "https://a.test/b/c", "https://a.test/a/%2e%2E/b/c"], id="dot segments"),
        pytest.param(["https://a.test/%7Ejoe/%41", "https://a.test/~joe/A"], id="needless escapes"),
        pytest.param(["https://a.test/a_(b)!", "https://a.test/a_%28b%29%21"], id="marks that some encoders escape"),
        pytest.param(["https://a.test/100%", "https://a.test/100%25"], id="stray percent sign"),
        pytest.param(
            ["https://bücher.test/straße", "https://xn--bcher-kva.test/stra%c3%9fe", "https://XN--BCHER-KVA.test/stra%C3%9Fe"],
            id="A27",
        ),
        pytest.param(["https://b%C3%BCcher.test/", "https://bücher。test"], id="escaped host, ideographic stop"),
        pytest.param(["https://joe:pw@a.test/x", "https://a.test/x"], id="user name"),
        pytest.param(["https:\\\\a.test\\x", "https:/a.test/x", "https:////a.test/x"], id="slashes as browsers read them"),
        pytest.param(["\n https://a.test/x\t", "https://a.\ntest/x", "\ufeffhttps://a.test/x\u00a0"], id="white space"),
        pytest.param(["http://[::1]:8000/x", "http://[0:0:0:0:0:0:0:1]:8000/x"], id="IPv6"),
    ],
)
def test_spellings_of_one_page_share_a_key(spellings: list[str]) -> None:
    assert len({page_key(url) for url in spellings}) == 1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("https://a.test/x", "https://a.test/X"),
        ("https://a.test/x", "https://b.test/x"),
        ("https://a.test/x", "https://shop.a.test/x"),
        ("https://a.test:8000/x", "https://a.test:8001/x"),
        ("https://a.test/?id=3", "https://a.test/?id=4"),
        ("https://a.test/?notutm_source=1", "https://a.test/"),
        ("https://a.test/a%2Fb", "https://a.test/a/b"),
        ("https://a.test/a%3Fb=1", "https://a.test/a?b=1"),
        ("https://a.test/a%2523", "https://a.test/a%23"),
        ("https://a.test/a%26b", "https://a.test/a&b"),
        ("https://a.test/?q=a%2Bb", "https://a.test/?q=a+b"),
        ("https://a.test/index.php/x", "https://a.test/x"),
        ("https://a.test/my-index.html", "https://a.test/"),
        ("https://faß.test/", "https://fass.test/"),
        ("https://www.test/", "https://test/"),
    ],
)
def test_different_pages_keep_different_keys(a: str, b: str) -> None:
    assert page_key(a) != page_key(b)


def test_a_key_begins_with_its_site() -> None:
    assert page_key("https://www.a.test:8000/x?b=1") == "a.test:8000/x?b=1"
    assert page_key("https://www.a.test") == "a.test/"


def test_what_is_no_web_address_is_its_own_key() -> None:
    assert page_key("mailto:joe@a.test") == "mailto:joe@a.test"
    assert page_key("ftp://a.test/x") == "ftp://a.test/x"


@pytest.mark.parametrize(
    ("url", "stripped"),
    [
        pytest.param("/p?utm_source=n&id=3#s", "/p?id=3#s", id="order and fragment kept"),
        pytest.param("/p?notutm_source=1", "/p?notutm_source=1", id="only whole names"),
        pytest.param("/p?utm_source=n", "/p", id="no lone question mark"),
        pytest.param("/p?a=1&utm_x=2&b=%d0&&c=3", "/p?a=1&b=%d0&c=3", id="rest as written"),
        pytest.param("/p?a=1&&b", "/p?a=1&&b", id="nothing removed, nothing touched"),
        pytest.param("/p?UTM_Source=n&hsCtaTracking=x&id", "/p?id", id="any case"),
        pytest.param("/p#a?utm_source=n", "/p#a?utm_source=n", id="question mark in the fragment"),
        pytest.param("/p?q=1?utm_source=n", "/p?q=1?utm_source=n", id="question mark in a value"),
        pytest.param("/p?ref=nav&source=top&si=2", "/p?ref=nav&source=top&si=2", id="names that may mean something"),
    ],
)
def test_tracking_parameters_are_removed_by_exact_name(url: str, stripped: str) -> None:
    assert strip_tracking(url) == stripped


@pytest.mark.parametrize(
    ("href", "base", "target"),
    [
        pytest.param("\nhttps://a.test/x\n", "https://b.test/", "https://a.test/x", id="B25 line breaks around"),
        pytest.param(" /y ", "https://a.test/a/b", "https://a.test/y", id="B25 spaces around"),
        pytest.param("https://a.test/lo\n\tng", "https://b.test/", "https://a.test/long", id="B25 tab and line break inside"),
        pytest.param("p", "https://a.test/app/", "https://a.test/app/p", id="B23 relative to a folder"),
        pytest.param("?x=1", "https://a.test/a/b.html", "https://a.test/a/b.html?x=1", id="B23 query only"),
        pytest.param("#s", "https://a.test/a?b=1", "https://a.test/a?b=1#s", id="fragment only"),
        pytest.param("", "https://a.test/a?b=1", "https://a.test/a?b=1", id="empty"),
        pytest.param("//b.test", "https://a.test/", "https://b.test/", id="protocol-relative"),
        pytest.param("../../../x", "https://a.test/a/b/", "https://a.test/x", id="not above the root"),
        pytest.param("..", "https://a.test/a/b/c", "https://a.test/a/", id="parent folder"),
        pytest.param("https:x", "https://a.test/a/b", "https://a.test/a/x", id="scheme without slashes, the base's"),
        pytest.param("http:x", "https://a.test/a/b", "http://x/", id="scheme without slashes, another"),
        pytest.param("\\x\\y", "https://a.test/a/", "https://a.test/x/y", id="backslashes"),
        pytest.param(
            "HTTPS://A.test:443/Ж?q=ü'", "https://a.test/", "https://a.test/%D0%96?q=%C3%BC%27", id="escaped where needed"
        ),
        pytest.param("/a%2fb%zz?c=%d0", "https://a.test/", "https://a.test/a%2fb%zz?c=%d0", id="escapes left as they are"),
        pytest.param("/x y", "https://a.test/", "https://a.test/x%20y", id="space inside"),
        pytest.param("https://bücher.test/", "https://a.test/", "https://xn--bcher-kva.test/", id="IDN"),
        pytest.param("mailto:joe@a.test", "https://a.test/", None, id="mailto"),
        pytest.param(" javascript:void(0)", "https://a.test/", None, id="javascript"),
        pytest.param("java\nscript:void(0)", "https://a.test/", None, id="javascript across a line break"),
        pytest.param("x", "javascript:", None, id="base that is no page"),
        pytest.param("http://[::x", "https://a.test/", None, id="B26 broken IPv6"),
        pytest.param("http://", "https://a.test/", None, id="no host"),
        pytest.param("http://a b.test/", "https://a.test/", None, id="space in the host"),
        pytest.param("http://a.test:99999/", "https://a.test/", None, id="impossible port"),
        pytest.param("/job?x=1>Text</a> <a id=", "https://a.test/", None, id="B27 missing end quote"),
        pytest.param("/job\nand then the text", "https://a.test/", None, id="B27 text across lines"),
        pytest.param("”/z”", "https://a.test/", None, id="B27 curly quotes"),
    ],
)
def test_links_are_resolved_as_browsers_do(href: str, base: str, target: str | None) -> None:
    assert resolve(href, base) == target


@pytest.mark.parametrize(
    ("written", "requested"),
    [
        ("https://www.a.test/x/#s", "https://www.a.test/x/"),
        ("https://a.test/x", "https://a.test/x"),
        ("http://A.test:80/b?utm_source=1&a=2", "http://a.test/b?utm_source=1&a=2"),
        ("https://a.test:80/b", "https://a.test:80/b"),
        ("https://joe:pw@a.test/b", "https://a.test/b"),
        ("https://a.test/stra%c3%9fe/Ж", "https://a.test/stra%c3%9fe/%D0%96"),
        ("https://faß.test/", "https://xn--fa-hia.test/"),
        ("https://a.test/index.html", "https://a.test/index.html"),
        ("a.test/x ", "a.test/x"),
    ],
)
def test_the_requested_address_is_the_one_the_site_wrote(written: str, requested: str) -> None:
    assert fetch_url(written) == requested


def test_a_site_is_a_host_without_scheme_and_www() -> None:
    assert site_of("https://www.Bücher.test:443/x") == "xn--bcher-kva.test"
    assert site_of("http://127.0.0.1:8011/") == "127.0.0.1:8011"
    assert same_site("http://a.test/1", "https://www.a.test/")
    assert not same_site("https://shop.a.test/3", "https://www.a.test/")
    assert not same_site("mailto:joe@a.test", "https://a.test/")
    assert not same_site("/1", "/2")


_PIECES = [
    *(
        "http:",
        "https://",
        "//",
        "/",
        "\\",
        "www.",
        "a.test",
        "bü.test",
        ":80",
        ":x",
        "@",
        "?",
        "#",
        "&",
        "=",
        "%",
        "%41",
        "%2e",
        "%C3",
    ),
    *("..", ".", "utm_a=1", "index.html", "[::1]", "+", "é", "mailto:", "<", '"', "0", " ", "\n", "\ud800"),
]
_URLS = st.one_of(st.text(max_size=20), st.lists(st.sampled_from(_PIECES), max_size=9).map("".join))


@settings(max_examples=200, deadline=None)
@given(_URLS)
def test_a_key_is_its_own_key(url: str) -> None:
    assert page_key(page_key(url)) == page_key(url)


@settings(max_examples=200, deadline=None)
@given(_URLS)
def test_requesting_changes_no_identity(url: str) -> None:
    requested = fetch_url(url)
    assert fetch_url(requested) == requested
    assert page_key(requested) == page_key(url)


@settings(max_examples=200, deadline=None)
@given(_URLS, _URLS)
def test_a_resolved_link_is_a_clean_absolute_address(href: str, base: str) -> None:
    target = resolve(href, base)
    if target is not None:
        assert target.startswith(("http://", "https://"))
        assert target.isascii() and target.isprintable() and " " not in target
        assert resolve(target, "https://other.test/") == target
        assert same_site(target, fetch_url(target))


@settings(max_examples=200, deadline=None)
@given(_URLS)
def test_stripping_twice_is_stripping_once(url: str) -> None:
    assert strip_tracking(strip_tracking(url)) == strip_tracking(url)
