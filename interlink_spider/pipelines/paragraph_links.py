"""Step 2: the article's blocks of text, and the links that stand inside its sentences. Menus and widgets do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.html.blocks import read_blocks
from analysis.html.prose import thin_reason
from interlink_spider.items import SkipPage

if TYPE_CHECKING:
    from interlink_spider.items import PageItem


class ParagraphLinksPipeline:
    """Read blocks and links in one walk."""

    def process_item(self, item: PageItem) -> PageItem:
        """Fill ``blocks`` and ``links``.

        :raises SkipPage: if the page is empty, very short, or mostly a list of links.
        """
        assert item.metadata is not None
        item.blocks, item.links = read_blocks(item.article, item.metadata.base_url)
        item.article = ()
        reason = thin_reason(item.blocks)
        if reason:
            raise SkipPage(reason)
        return item
