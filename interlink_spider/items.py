"""The one item: a fetched page, filled in by one pipeline after another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy.exceptions import DropItem

from analysis.urls import page_key

if TYPE_CHECKING:
    from lxml.etree import _Element

    from analysis.html.metadata import Metadata
    from analysis.records import Block, FoundLink
    from analysis.store import PageVersion, UrlRow


class SkipPage(DropItem):
    """A page that is no article of the plan: ``reason`` goes into skipped.csv, ``leads_to`` names the page it stands for.

    ``failed`` tells a page that should have been read and could not be (it makes the crawl incomplete).
    """

    def __init__(self, reason: str, detail: str = "", *, leads_to: str = "", kind: str = "", failed: bool = False) -> None:
        super().__init__(f"{reason} {detail}".strip(), log_level="DEBUG")
        self.reason = reason
        self.detail = detail
        self.leads_to = leads_to
        self.kind = kind
        self.failed = failed


@dataclass
class PageItem:
    """A page on its way from the response to the crawl store."""

    # from the spider
    row: UrlRow
    url: str
    content_type: str
    body: bytes = field(repr=False)
    version: PageVersion
    noindex: bool = False  # by HTTP header
    # CleanHtml
    codec: str = ""
    metadata: Metadata | None = field(default=None, repr=False)
    article: tuple[_Element, ...] = field(default=(), repr=False)
    # ParagraphLinks
    blocks: tuple[Block, ...] = field(default=(), repr=False)
    links: tuple[FoundLink, ...] = field(default=(), repr=False)
    # PageLanguage, BrandTail
    language: str = ""
    title: str = ""

    def is_same_page(self, url: str) -> bool:
        """Whether ``url`` is only another spelling of this page's address."""
        return page_key(url) == self.row.key
