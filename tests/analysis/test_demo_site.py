"""The facts about the demo blog that its README states and that other tests and a newcomer's first crawl rely on."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit
from urllib.request import urlopen

import pytest
from lxml import etree, html

from demo.serve import PUBLISHED_AT, SITE
from tests.server import LocalServer

DEMO = SITE.parent
README = (DEMO / "README.md").read_text("utf-8")
NOT_ARTICLES = {
    "/en/away-until-april/",
    "/en/route-notes/",
    "/en/puncture-repair-print/",
    "/en/fixing-a-flat/",
    "/en/everything/",
    "/en/downloads/packing-list.pdf",
    "/drafts/studded-tyres/",
}
ORPHANS = {
    "/en/keeping-warm-in-the-tent/",
    "/en/knee-pain/",
    "/en/farm-dogs/",
    "/ru/kak-ne-myorznut-v-palatke/",
    "/ru/rodniki-i-kolodcy/",
    "/ru/чай-на-обочине/",
}
FURNITURE = "nav|header|footer|aside|form"
NOBODYS_SENTENCE = {"author-box", "about-author", "byline", "breadcrumbs", "read-also", "series", "share", "sidebar"}


@dataclass(frozen=True)
class TextLink:
    source: str
    target: str
    href: str
    anchor: str


def path_of(address: str) -> str | None:
    """The decoded path of an address on the demo site, with its slash; None for other hosts."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or parts.netloc.removeprefix("www.") != urlsplit(PUBLISHED_AT).netloc:
        return None
    path = unquote(parts.path)
    return path if path.endswith("/") or "." in path else path + "/"


def file_of(path: str) -> Path:
    return SITE / path.lstrip("/") / "index.html" if path.endswith("/") else SITE / path.lstrip("/")


@cache
def page(path: str) -> html.HtmlElement:
    return html.document_fromstring(file_of(path).read_bytes().decode("utf-8"))


def resolve(path: str, href: str) -> str:
    base = page(path).xpath("string(//base/@href)")
    return urljoin(urljoin(PUBLISHED_AT + quote(path), base), href)


def sitemap_locations(name: str) -> list[str]:
    return [str(loc) for loc in etree.parse(SITE / name).xpath("//*[local-name()='loc']/text()")]


def listed() -> list[str]:
    paths = [path_of(address) for child in sitemap_locations("sitemap.xml") for address in sitemap_locations(path_of(child)[1:])]
    assert None not in paths
    return paths


def articles() -> list[str]:
    return sorted(p for p in listed() if re.fullmatch(r"/(en|ru)/[^/]+/", p) and p not in NOT_ARTICLES)


def body(path: str) -> html.HtmlElement:
    (found,) = page(path).xpath("//article") or page(path).xpath("//main") or page(path).xpath("//div[@class='post-body']")
    return found


def words_of(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


@cache
def text_links() -> tuple[TextLink, ...]:
    """Links in running text, by the site's own class names; the crawl has to find the same ones without knowing those."""
    found = []
    for path in articles():
        for link in body(path).iter("a"):
            around = list(link.iterancestors())
            if any(re.fullmatch(FURNITURE, e.tag) or NOBODYS_SENTENCE & set((e.get("class") or "").split()) for e in around):
                continue
            target = path_of(resolve(path, link.get("href")))
            if target and target != path:
                found.append(TextLink(path, target, link.get("href"), words_of(link)))
    return tuple(found)


def html_pages() -> list[str]:
    return ["/" + f.relative_to(SITE).as_posix().removesuffix("index.html") for f in sorted(SITE.rglob("*.html"))]


def test_there_are_20_english_and_16_russian_articles_of_a_readable_length() -> None:
    assert Counter(path[1:3] for path in articles()) == {"en": 20, "ru": 16}
    for path in articles():
        assert 350 <= len(words_of(body(path)).split()) <= 700, path


def test_every_address_in_the_sitemaps_is_answered_with_200() -> None:
    paths = ["/robots.txt", "/sitemap.xml", *listed()]
    with LocalServer(folder=SITE) as server:
        for path in paths:
            urlopen(server.url(quote(path))).close()
    assert server.paths(status=200) == [quote(path) for path in paths]
    assert len(set(listed())) == len(listed())


@pytest.mark.parametrize("path", html_pages())
def test_internal_links_resolve(path: str) -> None:
    dead = []
    for attribute in page(path).xpath("//@href | //@src"):
        target = path_of(resolve(path, attribute))
        if target and not file_of(target).is_file():
            dead.append(attribute)
    assert dead == []


def test_fragments_of_text_links_exist() -> None:
    fragments = [(link.target, urlsplit(link.href).fragment) for link in text_links() if "#" in link.href]
    assert fragments
    for target, fragment in fragments:
        assert page(target).xpath("//*[@id=$id]", id=fragment), (target, fragment)


def test_translations_name_each_other_in_the_pages_and_in_the_sitemaps() -> None:
    in_pages = {
        path: {e.get("hreflang"): path_of(e.get("href")) for e in page(path).xpath("//link[@rel='alternate']")}
        for path in html_pages()
    }
    in_sitemaps = {}
    for name in ("sitemap-en.xml", "sitemap-ru.xml"):
        for url in etree.parse(SITE / name).getroot():
            links = url.xpath("*[local-name()='link']")
            in_sitemaps[path_of(url[0].text)] = {e.get("hreflang"): path_of(e.get("href")) for e in links}
    assert sum(1 for path in articles() if in_pages[path]) == 28
    for path, group in in_pages.items():
        assert path not in in_sitemaps or in_sitemaps[path] == group, path
        assert not group or path in group.values(), path
        for other in group.values():
            assert in_pages[other] == group, (path, other)


def test_the_number_of_links_in_running_text_is_what_the_readme_says() -> None:
    count = Counter(link.source[1:3] for link in text_links())
    assert f"{count.total()} links in running text, {count['en']} English and {count['ru']} Russian" in README
    assert count.total() >= 40
    assert {link.target for link in text_links()} <= set(articles())


def test_links_stay_in_their_language_and_no_article_links_to_another_twice() -> None:
    assert [link for link in text_links() if link.source[:4] != link.target[:4]] == []
    assert max(Counter((link.source, link.target) for link in text_links()).values()) == 1


def test_links_are_written_in_every_way_that_people_write_them() -> None:
    ways = {
        "relative": r"\.\./[\w-]+/",
        "base": r"[\w-]+/",
        "root-relative": r"/(en|ru)/[\w-]+/",
        "no slash": r"/(en|ru)/[\w-]+",
        "absolute": r"https://demo\.example/.*",
        "http": r"http://demo\.example/.*",
        "www": r"https://www\.demo\.example/.*",
        "fragment": r".*#.*",
        "tracking": r".*\?utm_.*",
    }
    assert [way for way, form in ways.items() if not any(re.fullmatch(form, link.href) for link in text_links())] == []


def test_the_planted_orphans_and_no_others_are_linked_from_no_sentence() -> None:
    assert set(articles()) - {link.target for link in text_links()} == ORPHANS
    for orphan in ORPHANS:
        assert f"`{orphan}`" in README
        assert any(path_of(resolve("/en/", href)) == orphan for href in page(f"{orphan[:4]}").xpath("//nav//@href"))


def test_every_planted_opportunity_is_in_the_text_and_not_linked() -> None:
    with (DEMO / "opportunities.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    linked = {(link.source, link.target) for link in text_links()}
    assert f"{len(rows)} mentions of another article" in README
    assert {row["form"] for row in rows} == {"title", "inflected", "descriptive"}
    for row in rows:
        source, target = unquote(row["url_from"]), unquote(row["url_to"])
        assert target in articles(), row
        assert (source, target) not in linked, row
        assert re.search(rf"(?<!\w){re.escape(row['words'])}(?!\w)", words_of(body(source))), row
        assert not any(row["words"] in words_of(a) for a in body(source).iter("a")), row
    assert {unquote(row["url_to"]) for row in rows} >= ORPHANS


def test_pages_that_are_no_articles_are_what_the_readme_says() -> None:
    assert set(listed()) >= NOT_ARTICLES
    assert all(f"`{path}`" in README for path in NOT_ARTICLES)
    assert page("/en/route-notes/").xpath("string(//meta[@name='robots']/@content)").startswith("noindex")
    assert path_of(page("/en/puncture-repair-print/").xpath("string(//link[@rel='canonical']/@href)")) == "/en/puncture-repair/"
    assert "/en/puncture-repair/" in page("/en/fixing-a-flat/").xpath("string(//meta[@http-equiv='refresh']/@content)")
    assert len(words_of(page("/en/away-until-april/").find(".//main")).split()) < 30
    assert (SITE / "en/downloads/packing-list.pdf").read_bytes().startswith(b"%PDF-")
    assert "Disallow: /drafts/" in (SITE / "robots.txt").read_text()


def test_articles_are_canonical_themselves() -> None:
    for path in articles():
        assert path_of(page(path).xpath("string(//link[@rel='canonical']/@href)")) == path


def test_titles_end_in_the_brand_of_their_language_and_one_title_is_used_twice() -> None:
    tails = {"en": " — Pedal & Kettle", "ru": " | Педали и котелок"}
    titles = [page(path).findtext(".//title") for path in articles()]
    assert [t for t, path in zip(titles, articles(), strict=True) if not t.endswith(tails[path[1:3]])] == []
    assert {t for t, count in Counter(titles).items() if count > 1} == {"Keeping Warm — Pedal & Kettle"}


def test_layouts_and_languages_are_as_varied_as_the_readme_says() -> None:
    divs = {path for path in articles() if not page(path).xpath("//article | //main | //header | //nav | //aside | //footer")}
    assert all(f"`{path}`" in README for path in divs)
    assert len(divs) == 5
    assert Counter(page(path).get("lang") for path in articles()) == {"en": 19, "ru": 14, "ru-RU": 2, None: 1}
    assert page("/en/bike-on-the-train/").xpath("string(//base/@href)") == "/en/"
    assert Counter(link.source for link in text_links())["/en/packing-list/"] == 4
    assert "\xa0" in body("/ru/sedlo/").text_content()


def test_every_article_says_when_it_was_published() -> None:
    for path in articles():
        text = file_of(path).read_text("utf-8")
        assert re.search(r'"datePublished": "20\d\d-\d\d-\d\d"|article:published_time"|<time datetime="20', text), path


def test_markdown_sources_have_the_same_links_as_their_pages() -> None:
    sources = sorted((DEMO / "sources").rglob("*.md"))
    assert len(sources) == 4
    for source in sources:
        text = source.read_text("utf-8")
        (path,) = re.findall(r"^permalink: (\S+)$", text, re.MULTILINE)
        targets = re.findall(r"\]\((/[^)]+)\)|^\[\w+\]: (\S+)$", text, re.MULTILINE)
        assert {one or other for one, other in targets} == {link.target for link in text_links() if link.source == path}, source
