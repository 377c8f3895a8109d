"""Step 1: from bytes to the article, with the site's furniture thrown out; pages that are no articles leave here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.html.article import find_article
from analysis.html.decode import decode_html
from analysis.html.metadata import read_metadata
from analysis.html.parse import parse_html
from analysis.store import UrlKind
from interlink_spider.frontier import NOT_LISTED
from interlink_spider.items import SkipPage
from interlink_spider.responses import CHALLENGED

if TYPE_CHECKING:
    from analysis.html.metadata import Metadata
    from interlink_spider.items import PageItem


class CleanHtmlPipeline:
    """Decode, parse, read the head, and find the article."""

    def process_item(self, item: PageItem) -> PageItem:
        """Fill ``codec``, ``metadata`` and ``article``.

        :raises SkipPage: if the page says that it is none, or stands for another one.
        """
        text, item.codec = decode_html(item.body, item.content_type)
        root = parse_html(text)
        item.metadata = read_metadata(root, item.url)
        self._check(item, item.metadata)
        item.article = find_article(root)
        return item

    def _check(self, item: PageItem, metadata: Metadata) -> None:
        if metadata.is_challenge:
            raise SkipPage(CHALLENGED, failed=True)
        if metadata.redirect_to:
            raise SkipPage("refresh", leads_to=metadata.redirect_to, kind="refresh")
        if item.noindex or metadata.noindex:
            raise SkipPage("noindex")
        if metadata.canonical and not item.is_same_page(metadata.canonical):
            raise SkipPage("canonical", leads_to=metadata.canonical, kind="canonical")
        if item.row.kind is UrlKind.LINK:
            raise SkipPage(NOT_LISTED)
