"""Step 3: the language that the page is really written in; translations are never relatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.language import page_language

if TYPE_CHECKING:
    from interlink_spider.items import PageItem


class PageLanguagePipeline:
    """Weigh what the page says of its language against its text."""

    def process_item(self, item: PageItem) -> PageItem:
        """Fill ``language``."""
        assert item.metadata is not None
        text = "\n".join(block.text for block in item.blocks if block.kind.is_running_text)
        item.language = page_language(item.metadata.language, item.metadata.alternates, item.url, text).code
        return item
