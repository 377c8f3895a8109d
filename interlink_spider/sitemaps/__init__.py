"""Reading any kind of sitemap body: XML, index, text, RSS, Atom, robots.txt; gzipped, mislabelled, damaged.

Bytes become text (:mod:`body`), text becomes tags (:mod:`markup`), tags become entries (:mod:`xml_entries`), entries become
absolute addresses (:mod:`reader`). Nothing here knows Scrapy, nothing raises, and what is left out is counted in words.
"""

from interlink_spider.sitemaps.reader import NO_SITEMAPS, Entry, Sitemap, SitemapKind, read_sitemap
from interlink_spider.sitemaps.robots import read_robots_sitemaps

__all__ = ["NO_SITEMAPS", "Entry", "Sitemap", "SitemapKind", "read_robots_sitemaps", "read_sitemap"]
