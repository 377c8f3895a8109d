"""What the spider takes, and that everything wrong is told in one clear sentence each."""

from __future__ import annotations

import pytest

from interlink_spider.arguments import ArgumentError, SpiderArguments


@pytest.mark.parametrize(
    ("sitemap", "sitemaps", "host"),
    [
        ("https://www.a.test/s.xml", ("https://www.a.test/s.xml",), "a.test"),
        ("a.test", ("https://a.test",), "a.test"),
        ("localhost:8000/s.xml", ("https://localhost:8000/s.xml",), "localhost:8000"),
        ("HTTP://A.TEST/x", ("HTTP://A.TEST/x",), "a.test"),
        ("bücher.test", ("https://bücher.test",), "xn--bcher-kva.test"),
        ("http://[::1]:8000/x", ("http://[::1]:8000/x",), "[::1]:8000"),
        (" http://a.test/1 , b.test/2,, ", ("http://a.test/1", "https://b.test/2"), "a.test"),
    ],
)
def test_sitemaps(sitemap: str, sitemaps: tuple[str, ...], host: str) -> None:
    arguments = SpiderArguments.parse({"sitemap": sitemap, "_job": "x"})
    assert (arguments.sitemaps, arguments.host) == (sitemaps, host)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "Say what to crawl"),
        ({"sitemap": " ,"}, "Say what to crawl"),
        ({"sitemap": "file:///etc/passwd"}, "'file:///etc/passwd' is no http(s) address."),
        ({"sitemap": "/var/www/sitemap.xml"}, "is no http(s) address."),
        ({"sitemap": "./sitemap.xml"}, "is no http(s) address."),
        ({"sitemap": "C:\\site\\sitemap.xml"}, "is no http(s) address."),
        ({"sitemap": "http://"}, "is no http(s) address."),
        ({"sitemap": "http://../x"}, "is no http(s) address."),
        ({"sitemap": "http://[::1"}, "is no http(s) address."),
        ({"sitemap": "http://a.test:99999/"}, "is no http(s) address."),
        ({"sitemap": "http://a.test/a b"}, "is no http(s) address."),
        ({"sitemap": "http://a.test/\n/x"}, "is no http(s) address."),
        ({"sitemap": "javascript:alert(1)"}, "is no http(s) address."),
        ({"sitemap": "a.test", "max_urls": "-1"}, "max_urls is '-1'"),
        ({"sitemap": "a.test", "max_urls": "1e3"}, "max_urls is '1e3'"),
        ({"sitemap": "a.test", "max_urls": "²"}, "max_urls is '²'"),
        ({"sitemap": "a.test", "max_urls": "9" * 5000}, "max_urls is '999"),
        ({"sitemap": "a.test", "url_filter": "("}, "url_filter '(' is no valid regular expression"),
        ({"sitemap": "a.test", "exclude": "/x/,["}, "exclude '[' is no valid regular expression"),
        ({"sitemap": "a.test", "sitmap": "x"}, "There is no argument 'sitmap'"),
    ],
)
def test_what_is_wrong_is_one_sentence(given: dict[str, str], told: str) -> None:
    with pytest.raises(ArgumentError) as error:
        SpiderArguments.parse(given)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_password_is_neither_taken_nor_shown() -> None:
    with pytest.raises(ArgumentError, match="user name") as error:
        SpiderArguments.parse({"sitemap": "https://joe:secret@a.test/sitemap.xml"})
    assert "secret" not in str(error.value)


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(ArgumentError) as error:
        SpiderArguments.parse({"sitemap": "ftp://a.test", "max_urls": "x", "exclude": "(", "colour": "red"})
    assert len(str(error.value).splitlines()) == 4
