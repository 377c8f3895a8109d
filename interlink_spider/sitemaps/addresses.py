"""Addresses as sitemaps and robots.txt list them."""

from __future__ import annotations

import re
from typing import Final

from analysis.urls import resolve, same_site

_SECOND_ADDRESS: Final = re.compile(r"\s\S*https?://", re.IGNORECASE)
_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?(?=[/?#]|$)")
_SITEMAP_PATH: Final = re.compile(r"[^?#]*/[^/?#]*\.xml(?:\.gz)?(?:[?#]|$)", re.IGNORECASE)


def listed_url(text: str, listed_in: str) -> str | None:
    """The absolute address, resolved against the file that lists it; None where that is no address.

    ``example.com/page`` in a file of example.com lacks its scheme. It is not the page /example.com/page.
    """
    text = text.strip()
    if not text or "\ufffd" in text or _SECOND_ADDRESS.search(text):
        return None
    host = _HOST.match(text)
    if host and same_site(f"//{host[0]}", listed_in):
        text = f"//{text}"
    return resolve(text, listed_in)


def names_sitemap(url: str) -> bool:
    """Whether an address listed as a page is a sitemap, by its ending."""
    return bool(_SITEMAP_PATH.match(url))
