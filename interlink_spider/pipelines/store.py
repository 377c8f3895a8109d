"""Step 5: write the page into the crawl store as it arrives, and let the slim rest of the item go on to the feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from analysis.store import StoredPage

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from interlink_spider.items import PageItem


class StorePipeline:
    """One page, one transaction."""

    def __init__(self, crawler: Crawler, *, keep_html: bool) -> None:
        self.crawler = crawler
        self.keep_html = keep_html

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read INTERLINK_KEEP_HTML."""
        return cls(crawler, keep_html=crawler.settings.getbool("INTERLINK_KEEP_HTML"))

    def process_item(self, item: PageItem) -> PageItem:
        """Store the page; the body is dropped, else a feed would hold the whole site a second time."""
        assert item.metadata is not None
        page = StoredPage(
            key=item.row.key,
            url=item.url,
            raw_title=item.metadata.title,
            h1=item.metadata.h1,
            language=item.language,
            published=item.metadata.published,
            alternates=item.metadata.alternates,
            blocks=item.blocks,
            links=item.links,
            html=item.body if self.keep_html else b"",
            codec=item.codec,
            version=item.version,
        )
        spider: Any = self.crawler.spider
        with spider.storing():
            spider.store.pages.put(page, item.row.id, spider.run)
        item.body = b""
        return item
