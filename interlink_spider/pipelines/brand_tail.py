"""Step 4: the title without the brand tail, as far as it is known by now.

A brand tail is a property of the whole site, so the plan settles it at its start; the raw title is what the store keeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.titles import BrandCounter

if TYPE_CHECKING:
    from interlink_spider.items import PageItem


class BrandTailPipeline:
    """Count tails as pages arrive and strip the one that is clear by now."""

    def __init__(self) -> None:
        self.counter = BrandCounter()

    def process_item(self, item: PageItem) -> PageItem:
        """Fill ``title``."""
        assert item.metadata is not None
        self.counter.add(item.language, item.metadata.title)
        item.title = self.counter.brand().strip(item.metadata.title, item.metadata.h1, item.language)
        return item
