"""What ``scrapy plan --only`` was given: an address or a draft's file, read into a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import requests
from urllib3.exceptions import HTTPError

from analysis.drafts import DraftError, draft_address, read_article, read_draft
from analysis.store import CrawlStore
from analysis.urls import page_key

if TYPE_CHECKING:
    from analysis.store import StoredPage

_LONGEST = 20 * 1024 * 1024  # bytes of a page
_TIMEOUT = 30  # seconds


def read_given(given: str, address: str, folder: Path, user_agent: str) -> tuple[StoredPage | None, str]:
    """The page, or None and its address where the crawl has it already.

    :param address: where a draft will stand; "" takes its file's name below the site's address.
    :raises DraftError: if it cannot be read.
    :raises StoreError: if there is no crawl in ``folder``.
    """
    with CrawlStore.open(folder) as store:
        if given.startswith(("http://", "https://")):
            key = page_key(given)
            if next(store.pages.read([store.urls.aliases().get(key, key)]), None):
                return None, given
            return _fetch(given, user_agent), given
        site = next((page.url for page in store.pages.read()), "https://draft.invalid/")
    url = address or draft_address(Path(given), "/".join(site.split("/", 3)[:3]))
    return read_draft(Path(given), url), url


def _fetch(url: str, user_agent: str) -> StoredPage:
    """One request, for the page that the user named."""
    try:
        with requests.get(url, headers={"User-Agent": user_agent}, timeout=_TIMEOUT, stream=True) as response:
            body = response.raw.read(_LONGEST, decode_content=True)
            if response.status_code != requests.codes.ok:
                raise DraftError(f"{url} answers HTTP {response.status_code}.")
            return read_article(body, response.headers.get("Content-Type", ""), response.url)
    except (requests.RequestException, HTTPError) as error:
        raise DraftError(f"{url} cannot be fetched: {_cause(error)}.") from None


def _cause(error: Exception) -> str:
    """What went wrong, without the names of the libraries that met it; the narrower kinds of an error come first."""
    if "Failed to resolve" in str(error):
        return "there is no such host"
    causes: tuple[tuple[type[Exception], str], ...] = (
        (requests.Timeout, f"it did not answer within {_TIMEOUT} seconds"),
        (requests.exceptions.SSLError, "no secure connection can be made, or its certificate is not valid"),
        (requests.ConnectionError, "the connection failed"),
        (requests.TooManyRedirects, "it redirects in a circle"),
        (ValueError, "that is no web address"),  # what requests says of a wrong address
    )
    return next((told for kind, told in causes if isinstance(error, kind)), "its answer breaks off")
