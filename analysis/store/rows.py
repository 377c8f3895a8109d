"""What the store's tables hold, as records."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from analysis.records import Block, FoundLink


class UrlKind(StrEnum):
    """What an address was listed as."""

    SITEMAP = "sitemap"
    PAGE = "page"
    LINK = "link"  # by no sitemap, but texts link to it: it may lead to a page that is listed


class UrlState(StrEnum):
    """How far the crawl is with an address."""

    PENDING = "pending"
    DONE = "done"
    SKIPPED = "skipped"  # left out on purpose: a rule, noindex, a redirect, too short …
    FAILED = "failed"  # it should have been read and could not be: refused, timeout, 5xx …


class NewUrl(NamedTuple):
    """An address to be listed."""

    kind: UrlKind
    key: str
    url: str
    state: UrlState = UrlState.PENDING
    reason: str = ""
    detail: str = ""
    lastmod: str = ""
    hops: int = 0


@dataclass(frozen=True, slots=True)
class UrlRow:
    """A row of the frontier; ``hops`` counts redirects that led to it."""

    id: int
    kind: UrlKind
    key: str
    url: str
    state: UrlState
    reason: str
    detail: str
    lastmod: str
    hops: int


@dataclass(frozen=True, slots=True)
class PageVersion:
    """What tells whether a page has changed since it was read."""

    etag: str = ""
    last_modified: str = ""
    lastmod: str = ""  # as the sitemap gave it
    body_digest: str = ""


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page as the crawl read it; ``links`` lead to absolute URLs, nothing of the site as a whole is settled yet."""

    key: str
    url: str
    raw_title: str
    h1: str
    language: str
    published: date | None
    alternates: tuple[tuple[str, str], ...]  # (hreflang, absolute URL)
    blocks: tuple[Block, ...]
    links: tuple[FoundLink, ...]
    html: bytes = b""  # the body as it was received; empty when the setting keeps none
    codec: str = "utf-8"
    version: PageVersion = field(default_factory=PageVersion)


@dataclass(frozen=True, slots=True)
class SiteChanges:
    """Pages that are new, changed or gone since the run before; all empty after a first run."""

    new: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
