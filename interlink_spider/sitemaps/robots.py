"""The sitemaps that a robots.txt names."""

from __future__ import annotations

import re
from typing import Final

from interlink_spider.sitemaps.addresses import listed_url
from interlink_spider.sitemaps.body import read_text

MAX_BYTES: Final = 500 * 1024  # RFC 9309 2.5: what a crawler must read at least
_SITEMAP: Final = re.compile(r"^\s*sitemap\s*:([^#\r\n]*)", re.IGNORECASE | re.MULTILINE)


def read_robots_sitemaps(body: bytes, url: str) -> list[str]:
    """The absolute addresses of all ``Sitemap:`` lines, each once; ``url`` is where the file was found."""
    listed: dict[str, None] = {}
    for match in _SITEMAP.finditer(read_text(body, MAX_BYTES).text):
        for word in match[1].split():
            sitemap = listed_url(word, url)
            if sitemap:
                listed[sitemap] = None
    return list(listed)
