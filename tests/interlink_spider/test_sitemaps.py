"""Sitemaps of every kind and in every state: no address lost without a word, none invented."""

from __future__ import annotations

import gzip
import tracemalloc
from datetime import UTC, datetime, timedelta, timezone
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlink_spider.sitemaps import SitemapKind, read_robots_sitemaps, read_sitemap
from interlink_spider.sitemaps.lastmod import parse_lastmod

AT = "https://a.test/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
ONE = f"<urlset {NS}><url><loc>https://a.test/1</loc></url></urlset>".encode()


def locs(body: bytes | str, url: str = AT) -> list[str]:
    return [entry.loc for entry in read_sitemap(body.encode() if isinstance(body, str) else body, url)]


def urlset(*urls: str) -> str:
    return f"<urlset {NS}>" + "".join(f"<url>{url}</url>" for url in urls) + "</urlset>"


def members(*parts: bytes) -> bytes:
    return b"".join(gzip.compress(part) for part in parts)


@pytest.mark.parametrize(
    ("body", "url"),
    [
        pytest.param(ONE, "https://a.test/map?from=1&to=2", id="A1 no name that tells"),
        pytest.param(gzip.compress(ONE), "https://a.test/map.xml.gz", id="A2 gzip"),
        pytest.param(gzip.compress(ONE), "https://a.test/map", id="A2 gzip without the ending"),
        pytest.param(ONE, "https://a.test/map.xml.gz", id="A3 .gz that is plain"),
        pytest.param(gzip.compress(gzip.compress(ONE)), "https://a.test/map.xml.gz", id="A3 gzip in gzip"),
        pytest.param(members(ONE[:40], ONE[40:]), AT, id="gzip of several members"),
        pytest.param(gzip.compress(ONE) + b"<!-- cached -->", AT, id="gzip with a comment behind"),
        pytest.param(gzip.compress(ONE) + b"\0" * 512, AT, id="gzip with padding behind"),
        pytest.param(b"\xef\xbb\xbf" + ONE, AT, id="A5 BOM"),
        pytest.param(b"\xef\xbb\xbf\r\n" + ONE, AT, id="A5 BOM and line break"),
        pytest.param(b"\xef\xbb\xbf\xef\xbb\xbf" + ONE, AT, id="A5 two BOMs"),
        pytest.param(b"\n\n  " + ONE, AT, id="leading white space"),
        pytest.param(ONE.decode().encode("utf-16"), AT, id="UTF-16 with BOM"),
        pytest.param(ONE.decode().encode("utf-16-be"), AT, id="UTF-16 without BOM"),
        pytest.param(b'<?xml version="1.0" encoding="utf-16"?>' + ONE, AT, id="declared UTF-16 and is not"),
        pytest.param(b'<?xml version="1.0" encoding="no-such"?>' + ONE, AT, id="unknown encoding"),
        pytest.param(
            b'<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><!-- a > b -->' + ONE, AT, id="stylesheet and comment"
        ),
        pytest.param(ONE.upper().replace(b"HTTPS://A.TEST", b"https://a.test"), AT, id="upper-case tags"),
        pytest.param(
            ONE.replace(b"http://www.sitemaps.org/schemas/sitemap/0.9", b"http://www.google.com/schemas/sitemap/0.84"),
            AT,
            id="A7",
        ),
        pytest.param(ONE.replace(NS.encode(), b'xmlns="//www.sitemaps.org/schemas/sitemap/0.9/"'), AT, id="A7 odd namespace"),
        pytest.param(ONE.replace(NS.encode(), b""), AT, id="no namespace"),
        pytest.param(ONE.replace(b"<url>", b"<url >\n").replace(b"</loc>", b"</loc\n>"), AT, id="white space in tags"),
        pytest.param(b'<!DOCTYPE urlset [ <!ENTITY x "y"> ]>' + ONE, AT, id="document type"),
        pytest.param(b"<url><loc>https://a.test/1</loc></url>", AT, id="no root"),
    ],
)
def test_a_sitemap_is_told_by_its_body(body: bytes, url: str) -> None:
    sitemap = read_sitemap(body, url)
    assert sitemap.kind is SitemapKind.URLSET
    assert [entry.loc for entry in sitemap] == ["https://a.test/1"]
    assert sitemap.problems == []


@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param("<![CDATA[https://a.test/?x=1&y=2]]>", "https://a.test/?x=1&y=2", id="A10 CDATA"),
        pytest.param("https://a.test/?x=1<![CDATA[&y=2]]>&amp;z=3", "https://a.test/?x=1&y=2&z=3", id="A10 pieces"),
        pytest.param("https://a.test/?q=1&amp;page=2", "https://a.test/?q=1&page=2", id="A11 decoded"),
        pytest.param("https://a.test/?q=a&amp;amp;b", "https://a.test/?q=a&amp;b", id="A11 decoded once"),
        pytest.param("https://a.test/?x=1&y=2", "https://a.test/?x=1&y=2", id="bare ampersand"),
        pytest.param(
            "https://a.test/?x=1&copy=2&lt=3", "https://a.test/?x=1&copy=2&lt=3", id="bare ampersand before an entity's name"
        ),
        pytest.param("https://a.test/caf&eacute;", "https://a.test/caf%C3%A9", id="HTML entity"),
        pytest.param("https://a.test/caf&#233;&#x301;", "https://a.test/caf%C3%A9%CC%81", id="numbers of characters"),
        pytest.param("https://a.test/1&nbsp;", "https://a.test/1", id="no-break space behind"),
        pytest.param("\n\t  https://a.test/1\n  ", "https://a.test/1", id="A13 white space"),
        pytest.param("https://a.test/1#part", "https://a.test/1#part", id="fragment, which no key has"),
        pytest.param("/1", "https://a.test/1", id="relative"),
        pytest.param("//a.test/1", "https://a.test/1", id="protocol-relative"),
        pytest.param("a.test/1", "https://a.test/1", id="without scheme"),
        pytest.param("www.a.test/1", "https://www.a.test/1", id="www without scheme"),
        pytest.param("v1.2/guide", "https://a.test/v1.2/guide", id="dotted folder"),
        pytest.param("https://b.test/4", "https://b.test/4", id="A19 another host is the caller's to judge"),
        pytest.param("https://a.test/<!-- old -->1<?note x?>", "https://a.test/1", id="A22 comment inside"),
        pytest.param("https://a.test/my page", "https://a.test/my%20page", id="space inside"),
    ],
)
def test_a_loc_is_read_as_it_is_meant(written: str, read: str) -> None:
    assert locs(urlset(f"<loc>{written}</loc>")) == [read]


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("<loc>mailto:joe@a.test</loc>", id="other scheme"),
        pytest.param("<loc>http://[::x</loc>", id="broken host"),
        pytest.param("<loc></loc>", id="empty"),
        pytest.param("<loc/>", id="empty tag"),
        pytest.param("<lastmod>2024-01-01</lastmod>", id="no loc"),
        pytest.param("<loc>https://a.test/x https://a.test/y</loc>", id="two addresses"),
        pytest.param("<loc>https://a.test/x\n see there</loc>", id="text across lines"),
        pytest.param("<image:loc>https://a.test/1.jpg</image:loc>", id="a picture only"),
    ],
)
def test_a_bad_entry_costs_itself_only_and_is_counted(written: str) -> None:
    sitemap = read_sitemap(urlset("<loc>https://a.test/0</loc>", written, "<loc>https://a.test/2</loc>").encode(), AT)
    assert [entry.loc for entry in sitemap] == ["https://a.test/0", "https://a.test/2"]
    assert sum(sitemap.dropped.values()) == 1
    assert len(sitemap.problems) == 1 and sitemap.problems[0].endswith(": 1")


def test_prefixed_elements_are_found() -> None:
    sm = 'xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"'
    assert locs(f"<sm:urlset {sm}><sm:url><sm:loc>https://a.test/1</sm:loc></sm:url></sm:urlset>") == ["https://a.test/1"]
    assert locs(f"<urlset {NS} {sm}><url><sm:loc>https://a.test/1</sm:loc></url></urlset>") == []  # not declared alike
    same = NS + " " + sm + ' xmlns:x="http://www.sitemaps.org/schemas/sitemap/0.9"'
    assert locs(f"<sm:urlset {same}><sm:url><x:loc>https://a.test/1</x:loc></sm:url></sm:urlset>") == ["https://a.test/1"]


@pytest.mark.parametrize(
    "extension",
    [
        "<image:loc>https://a.test/1.jpg</image:loc>",
        "<image:image><image:loc>https://a.test/1.jpg</image:loc></image:image>",
        "<image><loc>https://a.test/1.jpg</loc></image>",
        "<video:video><video:content_loc>https://a.test/1.mp4</video:content_loc></video:video>",
    ],
)
@pytest.mark.parametrize("place", ["{}<loc>https://a.test/1</loc>", "<loc>https://a.test/1</loc>{}"])
def test_pictures_and_videos_are_kept_out(extension: str, place: str) -> None:
    assert locs(urlset(place.format(extension))) == ["https://a.test/1"]


def test_the_first_loc_counts() -> None:
    assert locs(urlset("<loc>https://a.test/1</loc><loc>https://a.test/2</loc>")) == ["https://a.test/1"]


def test_a_missing_end_tag_costs_no_neighbour_and_invents_nothing() -> None:
    assert locs(
        "<urlset><url><loc>https://a.test/1<lastmod>2024-01-01</lastmod></url><url><loc>https://a.test/2</loc></urlset>"
    ) == [
        "https://a.test/1",
        "https://a.test/2",
    ]
    assert locs("<urlset><url><loc>https://a.test/1</loc><url><loc>https://a.test/2</loc></url></urlset>") == [
        "https://a.test/1",
        "https://a.test/2",
    ]


# -- indexes


def test_an_index_lists_sitemaps_even_itself() -> None:
    body = "<sitemapindex><sitemap><loc>s1.xml</loc></sitemap><sitemap><loc>/index.xml</loc></sitemap></sitemapindex>"
    sitemap = read_sitemap(body.encode(), "https://a.test/maps/index.xml")
    entries = list(sitemap)
    assert sitemap.kind is SitemapKind.INDEX
    assert [(entry.loc, entry.is_sitemap) for entry in entries] == [
        ("https://a.test/maps/s1.xml", True),
        ("https://a.test/index.xml", True),
    ]


def test_an_index_entry_without_loc_is_read() -> None:
    assert locs("<sitemapindex><sitemap>https://a.test/s1.xml</sitemap></sitemapindex>") == ["https://a.test/s1.xml"]


def test_a_urlset_that_lists_sitemaps_is_followed() -> None:
    body = urlset("<loc>/s1.xml</loc>", "<loc>/s2.xml.gz?x=1</loc>", "<loc>/xml/</loc>", "<loc>/about-s.xml.html</loc>")
    assert [entry.is_sitemap for entry in read_sitemap(body.encode(), AT)] == [True, True, False, False]


# -- languages and dates


def test_alternates_are_kept_apart_with_their_languages() -> None:
    body = urlset(
        "<loc>https://a.test/en/</loc>"
        '<xhtml:link rel="alternate" hreflang="de" href="https://a.test/de/?a=1&amp;b=2"/>'
        "<xhtml:link href='/en/' hreflang='en' rel='alternate'/>"
        '<xhtml:link rel="stylesheet" hreflang="fr" href="/x"/>'
        '<xhtml:link rel="alternate" media="only screen" href="/m/"/>'
    )
    (entry,) = read_sitemap(body.encode(), AT)
    assert entry.loc == "https://a.test/en/"
    assert entry.alternates == (("de", "https://a.test/de/?a=1&b=2"), ("en", "https://a.test/en/"))


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024-05-06", datetime(2024, 5, 6, tzinfo=UTC)),
        ("2024-05", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("2016-01-25 15:35:12", datetime(2016, 1, 25, 15, 35, 12, tzinfo=UTC)),
        ("2024-05-06T07:08:09Z", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("\n 2024-05-06T07:08:09.123+02:00 ", datetime(2024, 5, 6, 7, 8, 9, 123000, tzinfo=timezone(timedelta(hours=2)))),
        ("Mon, 06 May 2024 07:08:09 +0000", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("2024-05-06T99:99:99", datetime(2024, 5, 6, tzinfo=UTC)),
        ("", None),
        ("2024-05-06, 2024-05-07", None),
        ("2024-13-40", None),
        ("0001-01-01T00:00:00", None),
        ("1970-01-01", None),
        ("Mon, 01 Jan 0001 00:00:00 +0000", None),
        ("yesterday", None),
        ("9999-12-31T23:59:59-23:59", datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone(-timedelta(hours=23, minutes=59)))),
    ],
)
def test_lastmod_is_a_date_or_nothing(text: str, date: datetime | None) -> None:
    assert parse_lastmod(text) == date
    (entry,) = read_sitemap(urlset(f"<loc>/1</loc><lastmod>{text}</lastmod>").encode(), AT)
    assert entry.lastmod == date


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789-:TZ+. ,MonJaGMT", max_size=30))
def test_no_date_raises(text: str) -> None:
    date = parse_lastmod(text)
    assert date is None or date.tzinfo is not None


# -- text and feeds


def test_a_text_sitemap() -> None:
    sitemap = read_sitemap("\ufeffhttps://a.test/1\r\n\r\n https://a.test/2 \r\nnot a url".encode(), "https://a.test/urls.txt")
    assert [entry.loc for entry in sitemap] == ["https://a.test/1", "https://a.test/2"]
    assert sitemap.kind is SitemapKind.TEXT
    assert sitemap.dropped == {"not an address": 1}


def test_markup_is_not_taken_for_a_text_sitemap() -> None:
    sitemap = read_sitemap(b"\n<urlset>\n <url>\n  <loc>\nhttps://a.test/1\n</loc>\n </url>\n</urlset>\n", "https://a.test/map")
    assert [entry.loc for entry in sitemap] == ["https://a.test/1"]
    assert sitemap.problems == []


def test_rss() -> None:
    body = (
        "<rss><channel><link>https://a.test</link><image><url>/logo.png</url><link>https://a.test</link></image>"
        "<atom:link href='https://a.test/feed' rel='self'/>"
        "<item><title>Caf&eacute; & co <b</title><link>/post-1</link><atom:link href='/post-1' rel='alternate'/>"
        "<pubDate>Mon, 06 May 2024 07:08:09 +0000</pubDate></item>"
        "<item><guid>https://a.test/post-2</guid></item>"
        "<item><guid isPermaLink='false'>https://a.test/?p=3</guid><link><![CDATA[https://a.test/post-3]]></link></item>"
        "<item><guid>tag:a.test,2024:4</guid></item></channel></rss>"
    )
    sitemap = read_sitemap(body.encode(), "https://a.test/feed")
    entries = list(sitemap)
    assert sitemap.kind is SitemapKind.RSS
    assert [entry.loc for entry in entries] == ["https://a.test/post-1", "https://a.test/post-2", "https://a.test/post-3"]
    assert entries[0].lastmod == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert sitemap.dropped == {"no link": 1}


def test_rss_1() -> None:
    body = (
        '<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/" xmlns:dc="d"><channel><link>https://a.test/</link></channel>'
        '<item rdf:about="x"><link>https://a.test/1</link><dc:date>2024-05-06</dc:date></item></rdf:RDF>'
    )
    (entry,) = read_sitemap(body.encode(), AT)
    assert (entry.loc, entry.lastmod) == ("https://a.test/1", datetime(2024, 5, 6, tzinfo=UTC))


def test_atom() -> None:
    body = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><link href="/" rel="alternate"/><link href="/feed" rel="self"/>'
        '<entry><link rel="edit" href="/edit/1"/><link href="/post-1"/><link rel="enclosure" href="/1.mp3"/>'
        "<updated>2024-05-06</updated>"
        '<content type="xhtml"><div><link href="/no"/><a href="/no">no</a></div></content></entry>'
        '<entry><source><link href="/no"/></source><link rel="alternate" href="https://a.test/post-2"></link></entry></feed>'
    )
    sitemap = read_sitemap(body.encode(), "https://a.test/atom")
    entries = list(sitemap)
    assert sitemap.kind is SitemapKind.ATOM
    assert [entry.loc for entry in entries] == ["https://a.test/post-1", "https://a.test/post-2"]
    assert entries[0].lastmod == datetime(2024, 5, 6, tzinfo=UTC)


# -- bodies that are no sitemap


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        pytest.param(b"", SitemapKind.EMPTY, id="nothing"),
        pytest.param(b" \n\t ", SitemapKind.EMPTY, id="white space"),
        pytest.param(gzip.compress(b""), SitemapKind.EMPTY, id="gzip of nothing"),
        pytest.param(
            b"<!DOCTYPE html><p><url><loc>https://a.test/1</loc></url>", SitemapKind.HTML, id="HTML with a document type"
        ),
        pytest.param(b"\n<html><body><a href='https://a.test/1'>1</a><rss></rss></body></html>", SitemapKind.HTML, id="HTML"),
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0https://a.test/1", SitemapKind.UNREADABLE, id="picture"),
        pytest.param(b"Not found", SitemapKind.UNREADABLE, id="words"),
        pytest.param(b'{"urls": ["https://a.test/1"]}', SitemapKind.UNREADABLE, id="JSON"),
        pytest.param(gzip.compress(gzip.compress(gzip.compress(ONE))), SitemapKind.UNREADABLE, id="gzip three times"),
        pytest.param(b"\x1f\x8bnot gzip", SitemapKind.UNREADABLE, id="gzip's first bytes only"),
        pytest.param(b"<!-- <urlset> -->", SitemapKind.UNREADABLE, id="commented out"),
    ],
)
def test_what_is_no_sitemap_says_what_it_is(body: bytes, kind: SitemapKind) -> None:
    sitemap = read_sitemap(body, AT)
    assert sitemap.kind is kind
    assert list(sitemap) == []


def test_an_empty_sitemap_is_a_sitemap() -> None:
    for body in (b"<urlset/>", f"<urlset {NS}></urlset>".encode()):
        sitemap = read_sitemap(body, AT)
        assert (sitemap.kind, list(sitemap), sitemap.problems) == (SitemapKind.URLSET, [], [])


@pytest.mark.parametrize(
    "junk",
    [
        b"<br />\n<b>Notice</b>: Undefined variable $x in <b>/var/www/x.php</b> on line <b>7</b><br />\n",
        b"Warning: header() failed\n",
        b"<br>PHP Deprecated: x < y",
    ],
)
def test_junk_before_the_root_is_passed_over_and_told(junk: bytes) -> None:
    sitemap = read_sitemap(junk + b'<?xml version="1.0"?>' + ONE, AT)
    assert [entry.loc for entry in sitemap] == ["https://a.test/1"]
    assert len(sitemap.problems) == 1 and "passed over" in sitemap.problems[0]


# -- damaged, cut, too large


@pytest.mark.parametrize("end", ["", "</lo", "</loc", "<", "<![CDATA[", "&am"])
def test_a_loc_that_the_end_cut_short_is_dropped(end: str) -> None:
    sitemap = read_sitemap(f"<urlset><url><loc>https://a.test/1</loc></url><url><loc>https://a.test/2{end}".encode(), AT)
    assert [entry.loc for entry in sitemap] == ["https://a.test/1"]
    assert "the file ends early" in sitemap.problems


def test_an_address_cut_inside_an_index_entry_is_not_invented() -> None:
    assert locs("<sitemapindex><sitemap>https://a.test/s") == []


def test_a_loc_that_is_whole_survives_the_cut_behind_it() -> None:
    sitemap = read_sitemap(b"<urlset><url><loc>https://a.test/1</loc><lastmod>2024-0", AT)
    assert [(entry.loc, entry.lastmod) for entry in sitemap] == [("https://a.test/1", None)]


@pytest.mark.parametrize("length", range(0, len(ONE), 7))
def test_no_cut_invents_an_address(length: int) -> None:
    assert set(locs(ONE[:length])) <= {"https://a.test/1"}


def test_a_cut_inside_a_letter_garbles_nothing_before_it() -> None:
    body = urlset("<loc>https://a.test/я</loc>").encode()
    cut = body[: body.index(b"</loc>")] + b"</loc></url><url><loc>https://a.test/" + "ю".encode()[:1]
    assert locs(cut) == ["https://a.test/%D1%8F"]


def test_a_truncated_gzip_keeps_its_whole_entries() -> None:
    body = gzip.compress(urlset(*(f"<loc>https://a.test/{i}</loc>" for i in range(2000))).encode())
    sitemap = read_sitemap(body[: len(body) // 2], AT)
    read = [entry.loc for entry in sitemap]
    assert 500 < len(read) < 2000
    assert read == [f"https://a.test/{i}" for i in range(len(read))]
    assert {"the gzip file ends early", "the file ends early"} <= set(sitemap.problems)


def test_a_damaged_gzip_keeps_what_stands_before_the_damage() -> None:
    text = urlset(*(f"<loc>https://a.test/{i * 2_654_435_761 % 2**32:08x}</loc>" for i in range(20_000)))
    body = bytearray(gzip.compress(text.encode()))
    body[len(body) // 2 : len(body) // 2 + 100] = b"\xff" * 100
    sitemap = read_sitemap(bytes(body), AT)
    read = [entry.loc for entry in sitemap]
    assert len(read) > 1000
    assert any("damaged" in problem or "ends early" in problem for problem in sitemap.problems)


def test_a_text_sitemap_in_a_truncated_gzip_loses_its_cut_line() -> None:
    lines = [f"https://a.test/{i * 7919 % 100_003}" for i in range(3000)]
    body = gzip.compress("\n".join(lines).encode())
    read = locs(body[: len(body) // 2])
    assert read and read == lines[: len(read)]


def test_inflating_is_capped() -> None:
    entry = b"<url><loc>https://a.test/1</loc></url>"
    bomb = gzip.compress(b"<urlset>") + gzip.compress(entry * 50_000) * 110 + gzip.compress(b"</urlset>")  # 200 MB
    assert len(bomb) < 1_000_000
    tracemalloc.start()
    sitemap = read_sitemap(bomb, AT, max_bytes=300_000)
    read = sum(1 for _ in sitemap)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read == (300_000 - len("<urlset>")) // len(entry)
    assert "cut at 300,000 bytes" in sitemap.problems
    assert peak < 3_000_000


def test_entries_are_capped() -> None:
    body = urlset(*(f"<loc>/{i}</loc>" for i in range(12))).encode()
    sitemap = read_sitemap(body, AT, max_entries=10)
    assert len(list(sitemap)) == 10
    assert sitemap.problems == ["cut at 10 entries"]
    exact = read_sitemap(body, AT, max_entries=12)
    assert len(list(exact)) == 12
    assert exact.problems == []


def test_a_large_sitemap_is_streamed() -> None:
    body = urlset(*(f"<loc>https://a.test/{i:06}</loc><lastmod>2024-05-06</lastmod>" for i in range(4_000))).encode()
    tracemalloc.start()
    read = sum(1 for _ in read_sitemap(body, AT))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read == 4_000
    assert peak < 1.5 * len(body) + 100_000  # the text, and nothing else that grows with it


# -- attacks


def test_entities_are_neither_expanded_nor_loaded() -> None:
    bomb = (
        '<!DOCTYPE x [<!ENTITY a "https://a.test/evil"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY % p SYSTEM "http://127.0.0.1:9/x">'
        '<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    ) + urlset("<loc>&a;</loc>", "<loc>https://a.test/&b;</loc>", "<loc>&f;</loc>", "<loc>https://a.test/1</loc>")
    sitemap = read_sitemap(bomb.encode(), AT)
    assert [entry.loc for entry in sitemap] == ["https://a.test/1"]
    assert sum(sitemap.dropped.values()) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["<![CDATA[", "<!--", "<!DOCTYPE [", "<a '", '<a b="', "<url>", "<", "&", "</a", "<?", "<loc>", "]]>"]
)
def test_time_is_linear_in_the_length(piece: str) -> None:
    def seconds(length: int) -> float:
        body = ("<urlset>" + piece * (length // len(piece))).encode()
        start = process_time()
        assert list(read_sitemap(body, AT)) == []
        return process_time() - start

    short, long = (min(seconds(length) for _ in range(3)) for length in (20_000, 160_000))
    assert long < 24 * short + 0.01  # eight times where it is linear, 64 where it is quadratic


_PIECES = [
    *(
        "<urlset>",
        "<url>",
        "<loc>",
        "</loc>",
        "</url>",
        "</urlset>",
        "https://a.test/1",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "&amp;",
    ),
    *(
        "<sitemap>",
        "<image:loc>",
        "</image:loc>",
        "<",
        ">",
        "&",
        "\ufffd",
        "<?xml",
        "?>",
        "<link href='/x'/>",
        "\n",
        "<!DOCTYPE",
        "[",
    ),
]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(_PIECES),
        max_size=25,
    ).map("".join)
)
def test_no_markup_raises_or_lists_what_is_no_address(text: str) -> None:
    for entry in read_sitemap(text.encode(), AT):
        assert entry.loc.startswith(("https://a.test/", "http://", "https://"))
        assert not set("<> \n") & set(entry.loc)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_raise(body: bytes) -> None:
    list(read_sitemap(body, AT))
    list(read_sitemap(gzip.compress(body)[:-3], AT))
    read_robots_sitemaps(body, "https://a.test/robots.txt")


# -- encodings that are not what they say


def test_bytes_that_are_not_utf8_as_declared_are_read_as_what_they_are_and_told() -> None:
    body = '<?xml version="1.0" encoding="UTF-8"?>' + urlset(
        "<loc>https://a.test/окна/пластиковые</loc>", "<loc>https://a.test/двери/межкомнатные</loc>"
    )
    sitemap = read_sitemap(body.encode("cp1251"), AT)
    assert [entry.loc for entry in sitemap] == [
        "https://a.test/%D0%BE%D0%BA%D0%BD%D0%B0/%D0%BF%D0%BB%D0%B0%D1%81%D1%82%D0%B8%D0%BA%D0%BE%D0%B2%D1%8B%D0%B5",
        "https://a.test/%D0%B4%D0%B2%D0%B5%D1%80%D0%B8/%D0%BC%D0%B5%D0%B6%D0%BA%D0%BE%D0%BC%D0%BD%D0%B0%D1%82%D0%BD%D1%8B%D0%B5",
    ]
    assert sitemap.problems == ["the bytes are not utf-8 as they should be; read as cp1251"]


def test_a_true_declaration_is_no_problem() -> None:
    body = '<?xml version="1.0" encoding="windows-1251"?>' + urlset("<loc>https://a.test/окна</loc>")
    sitemap = read_sitemap(body.encode("cp1251"), AT)
    assert [entry.loc for entry in sitemap] == ["https://a.test/%D0%BE%D0%BA%D0%BD%D0%B0"]
    assert sitemap.problems == []


def test_utf8_under_another_name_is_utf8() -> None:
    body = '<?xml version="1.0" encoding="windows-1251"?>' + urlset("<loc>https://a.test/окна</loc>")
    assert locs(body) == ["https://a.test/%D0%BE%D0%BA%D0%BD%D0%B0"]


def test_an_address_with_a_broken_letter_is_dropped_not_invented() -> None:
    good = "".join(f"<url><loc>https://a.test/страница-{i}</loc></url>" for i in range(20)).encode()
    sitemap = read_sitemap(b"<urlset>" + good + b"<url><loc>https://a.test/\xd0</loc></url></urlset>", AT)
    assert len(list(sitemap)) == 20
    assert sum(sitemap.dropped.values()) == 1


# -- robots.txt


@pytest.mark.parametrize(
    ("body", "listed"),
    [
        pytest.param(b"Sitemap: /maps/i.xml", ["https://a.test/maps/i.xml"], id="A17 relative"),
        pytest.param(b"sItEmAp: https://a.test/Maps/All_1.xml", ["https://a.test/Maps/All_1.xml"], id="A18 case"),
        pytest.param(b"SITEMAP : https://a.test/1.xml", ["https://a.test/1.xml"], id="A18 space before the colon"),
        pytest.param(b"\xef\xbb\xbfSitemap: https://a.test/1.xml", ["https://a.test/1.xml"], id="BOM in the first line"),
        pytest.param(b"Sitemap: https://a.test/1.xml # main", ["https://a.test/1.xml"], id="comment behind"),
        pytest.param(b"#Sitemap: https://a.test/1.xml", [], id="commented out"),
        pytest.param(b"User-agent: *\r\n\tSitemap:https://a.test/1.xml\rSitemap:\r\n", ["https://a.test/1.xml"], id="line ends"),
        pytest.param(
            b"Sitemap: /1.xml\nSitemap: https://a.test/1.xml\nSitemap: /2.xml",
            ["https://a.test/1.xml", "https://a.test/2.xml"],
            id="twice",
        ),
        pytest.param(b"Sitemap: a.test/1.xml", ["https://a.test/1.xml"], id="without scheme"),
        pytest.param(b"Disallow: /sitemap: /x", [], id="inside another rule"),
        pytest.param(b"<html><body>Sitemap: <a href='/1.xml'>map</a>", [], id="HTML"),
        pytest.param(gzip.compress(b"Sitemap: /1.xml"), ["https://a.test/1.xml"], id="gzip"),
        pytest.param("Sitemap: /1.xml".encode("utf-16"), ["https://a.test/1.xml"], id="UTF-16"),
        pytest.param(b"", [], id="empty"),
    ],
)
def test_robots_txt(body: bytes, listed: list[str]) -> None:
    assert read_robots_sitemaps(body, "https://a.test/robots.txt") == listed
