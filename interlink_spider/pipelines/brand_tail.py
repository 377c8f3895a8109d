"""Step 4: the title without the brand tail, as far as it is known by now.

A brand tail is a property of the whole site, so the plan settles it at its start; the raw title is what the store keeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from itemadapter import ItemAdapter

from analysis.titles import BrandCounter

if TYPE_CHECKING:
    from interlink_spider.items import PageItem

# What a tail is shows early; counting on would make memory grow with the site.
_SAMPLE = 1024


class BrandTailPipeline:
    """Count tails as the first pages arrive and strip the one that is clear by now."""

    def __init__(self) -> None:
        self._counter = BrandCounter()
        self._brand = self._counter.brand()
        self._seen = 0

    def process_item(self, item: PageItem) -> PageItem:
        """Fill ``title``."""
        assert item.metadata is not None
        if self._seen < _SAMPLE:
            self._counter.add(item.language, item.metadata.title)
            self._seen += 1
            if self._seen.bit_count() == 1:  # 1, 2, 4, 8 … pages: often while little is known
                self._brand = self._counter.brand()
        ItemAdapter(item)["title"] = self._brand.strip(item.metadata.title, item.metadata.h1, item.language)
        return item
