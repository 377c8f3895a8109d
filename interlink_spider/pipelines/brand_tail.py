"""Step 4: the title without the brand tail, as far as it is known by now.

A brand tail is a property of the whole site, so the plan settles it at its start; the raw title is what the store keeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from itemadapter import ItemAdapter

from analysis.titles import Brand, find_brand

if TYPE_CHECKING:
    from interlink_spider.items import PageItem

# What a tail is shows early; counting on would make memory grow with the site.
_SAMPLE = 1024


class BrandTailPipeline:
    """Learn the brand as the first pages arrive and strip what is clear by now."""

    def __init__(self) -> None:
        self._titles: list[tuple[str, str]] = []
        self._brand = Brand()

    def process_item(self, item: PageItem) -> PageItem:
        """Fill ``title``."""
        assert item.metadata is not None
        if len(self._titles) < _SAMPLE:
            self._titles.append((item.language, item.metadata.title))
            if len(self._titles).bit_count() == 1:  # 1, 2, 4, 8 … pages: often while little is known
                self._brand = find_brand(self._titles)
        ItemAdapter(item)["title"] = self._brand.strip(item.metadata.title, item.metadata.h1, item.language)
        return item
