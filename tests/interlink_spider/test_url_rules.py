"""What is no article by its address, under the names that common systems give their listings, and what only looks so."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlink_spider.arguments import SpiderArguments
from interlink_spider.url_rules import UrlRules


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "home page"),
        ("/", "home page"),
        ("/index.html", "home page"),
        ("/?utm_source=x", "home page"),
        ("/ru/", "language root"),
        ("/en-US/", "language root"),
        ("/zh-hans/", "language root"),
        ("/pt_BR", "language root"),
        ("/sr-Latn-RS/", "language root"),
        ("/es-419/index.html", "language root"),
        ("/it-CH/", "language root"),
        ("/no/", "language root"),
        # WordPress
        ("/category/seo/", "taxonomy: /category/"),
        ("/category/seo/local/page/2/", "taxonomy: /category/"),
        ("/tag/seo", "taxonomy: /tag/"),
        ("/author/joe/", "author: /author/"),
        ("/page/2/", "paging: /page/N/"),
        ("/a-long-article/page/2/", "paging: /page/N/"),
        ("/a-long-article/comment-page-3/", "paging: /page-N/"),
        ("/search/links/", "search: /search/"),
        ("/feed/", "feed: /feed/"),
        ("/2019/", "date archive"),
        ("/2019/03/", "date archive"),
        ("/2019/03/15/", "date archive"),
        ("/blog/2019/03/", "date archive"),
        ("/?cat=3", "taxonomy: ?cat="),
        ("/?s=links", "search: ?s="),
        ("/?paged=2", "paging: ?paged="),
        ("/product-category/shoes/", "taxonomy: /product-category/"),
        # Hugo, Jekyll, Hexo
        ("/tags/", "taxonomy: /tags/"),
        ("/tags/index.html", "taxonomy: /tags/"),
        ("/categories.html", "taxonomy: /categories/"),
        ("/page2/", "paging: /page-N/"),
        ("/blog/page2/index.html", "paging: /page-N/"),
        ("/archives/", "archive: /archives/"),
        # Ghost, Docusaurus, Drupal, Blogger, Shopify
        ("/rss/", "feed: /rss/"),
        ("/docs/tags/setup", "taxonomy: /tags/"),
        ("/docs/category/guides", "taxonomy: /category/"),
        ("/blog/archive", "archive: /archive/"),
        ("/blog/authors", "author: /authors/"),
        ("/taxonomy/term/12", "taxonomy: /taxonomy/"),
        ("/news?page=3", "paging: ?page="),
        ("/search/label/x", "search: /search/"),
        ("/blogs/news/tagged/x", "taxonomy: /tagged/"),
        # nested and localised
        ("/blog/tag/x", "taxonomy: /tag/"),
        ("/project/blog/tags/", "taxonomy: /tags/"),
        ("/ru/category/links/", "taxonomy: /category/"),
        ("/ru/blog/author/", "author: /author/"),
        ("/zh-hans/page/12/", "paging: /page/N/"),
        ("/de/kategorie/x/", "taxonomy: /kategorie/"),
        ("/%D1%80%D1%83%D0%B1%D1%80%D0%B8%D0%BA%D0%B0/x/", "taxonomy: /рубрика/"),
        ("/Category/SEO/", "taxonomy: /category/"),
        # files
        ("/price-list.pdf", "not a page: .pdf"),
        ("/img/a.JPEG?w=200", "not a page: .jpeg"),
    ],
)
def test_listings_and_start_pages_are_left_out(path: str, reason: str) -> None:
    assert UrlRules().reason("https://www.a.test" + path) == reason


@pytest.mark.parametrize(
    "path",
    [
        "/my-category/",
        "/tagging-guide/",
        "/blog/authoring/",
        "/category-pages-for-seo/",
        "/2019/03/15/an-article/",
        "/2019/an-article",
        "/an-article-of-2019/",
        "/survey/2020/",
        "/guides/rss/",
        "/guides/search/",
        "/ru/guides/search/",
        "/archive/an-old-article/",
        "/docs/web/api/event/tag/",
        "/docs/glossary/category",
        "/docs/glossary/pdf",
        "/ru/an-article/",
        "/rules/",
        "/html/a",
        "/?p=12",
        "/?page_id=3",
        "/view?page=about",
        "/page/about/",
        "/http/404",
        "/learn/node.js",
        "/what-is-a.pdf/",
        "/robots.txt-explained",
        "/tag-seo/",
        "/en-route/",
        "/no-code/",
        "/it-jobs/",
        "/to-do/",
        "/is-it",
        "/статья/",
    ],
)
def test_articles_survive(path: str) -> None:
    assert UrlRules().reason("https://a.test" + path) is None


@pytest.mark.parametrize(
    ("url_filter", "kept", "left_out"),
    [
        pytest.param("/ru/", "/ru/x", "/en/x", id="part"),
        pytest.param("a.test/blog", "/blog/x", "/x/a-test/blog", id="a point is a point"),
        pytest.param("?lang=ru", "/x?lang=ru", "/x?lang=en", id="a question mark is a question mark"),
        pytest.param("c++", "/c++/x", "/c/x", id="a plus is a plus"),
        pytest.param("/(ru|uk)/", "/uk/x", "/en/x", id="regex, either"),
        pytest.param("^https://a\\.test/blog/", "/blog/x", "/x/blog/", id="regex, anchored"),
        pytest.param("/blog/.+/x", "/blog/a/x", "/blog/x", id="regex, any"),
        pytest.param("/блог/", "/%D0%B1%D0%BB%D0%BE%D0%B3/x", "/x", id="part of a decoded address"),
        pytest.param("/блог/\\d", "/%D0%B1%D0%BB%D0%BE%D0%B3/1", "/1", id="regex on a decoded address"),
    ],
)
def test_url_filter_keeps_what_it_matches(url_filter: str, kept: str, left_out: str) -> None:
    rules = UrlRules(url_filter=url_filter)
    assert rules.reason("https://a.test" + kept) is None
    assert rules.reason("https://a.test" + left_out) == "url_filter"


def test_exclude_adds_to_the_defaults_and_names_its_pattern() -> None:
    rules = UrlRules(exclude=["/shop/", "-draft$"])
    assert rules.reason("https://a.test/shop/shoes/") == "exclude: /shop/"
    assert rules.reason("https://a.test/x-draft") == "exclude: -draft$"
    assert rules.reason("https://a.test/tag/x") == "taxonomy: /tag/"
    assert rules.reason("https://a.test/x") is None


def test_a_filter_does_not_lift_the_defaults() -> None:
    rules = UrlRules(url_filter="/ru/")
    assert rules.reason("https://a.test/ru/") == "language root"
    assert rules.reason("https://a.test/ru/tag/x") == "taxonomy: /tag/"


def test_a_home_page_elsewhere() -> None:
    rules = UrlRules(homes=["https://a.test/blog/"])
    assert rules.reason("http://www.a.test/blog") == "home page"
    assert rules.reason("https://a.test/blog/ru/") == "language root"
    assert rules.reason("https://a.test/ru/") == "language root"
    assert rules.reason("https://a.test/blog/x") is None
    assert rules.reason("https://a.test/blog/ru/x") is None
    assert rules.reason("https://a.test/shop/ru/") is None


@pytest.mark.parametrize(
    "sitemap",
    ["https://a.test/blog/sitemap.xml", "https://a.test/blog/", "https://www.a.test/blog/sitemap.xml.gz?x=1"],
)
def test_the_folder_of_the_sitemap_is_a_home_page(sitemap: str) -> None:
    rules = SpiderArguments.parse({"sitemap": sitemap}).rules()
    assert rules.reason("https://a.test/blog/") == "home page"
    assert rules.reason("https://a.test/blog/de/") == "language root"
    assert rules.reason("https://a.test/blog/post/") is None


@pytest.mark.parametrize(("name", "arguments"), [("url_filter", {"url_filter": "/(ru"}), ("exclude", {"exclude": ["ok", "[a"]})])
def test_a_broken_pattern_is_named(name: str, arguments: dict) -> None:
    with pytest.raises(ValueError, match=rf"^{name} '.*' is no valid regular expression: .*\.$"):
        UrlRules(**arguments)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=30))
def test_no_address_raises(text: str) -> None:
    rules = UrlRules(url_filter="/x/", exclude=["y"])
    for url in (text, "https://a.test/" + text, "https://" + text):
        rules.reason(url)
        UrlRules().reason(url)
