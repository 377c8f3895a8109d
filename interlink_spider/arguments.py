"""The spider's arguments, checked as a whole before the first request (``-a sitemap=… -a url_filter=… -a max_urls=…``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from analysis.urls import resolve, site_of
from interlink_spider.url_rules import UrlRules

_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://")
# A filter that names one language of a site leaves no article of that language out.
_LANGUAGE_FILTER = re.compile(r"^/?[a-z]{2,3}([-_][A-Za-z]{2,4})?/?$")
_NUMBER = re.compile(r"[0-9]{1,12}")
KNOWN = ("sitemap", "url_filter", "exclude", "max_urls")


class ArgumentError(ValueError):
    """The spider was given something that it cannot work with; the message says all of it, one sentence a line."""


@dataclass(frozen=True, slots=True)
class SpiderArguments:
    """What to crawl: ``sitemaps`` are absolute URLs, ``max_urls`` 0 means no limit."""

    sitemaps: tuple[str, ...]
    url_filter: str = ""
    exclude: tuple[str, ...] = ()
    max_urls: int = 0

    @classmethod
    def parse(cls, given: dict[str, Any]) -> SpiderArguments:
        """Read the arguments of ``-a``; names that begin with an underscore are Scrapyd's and are passed over.

        :raises ArgumentError: naming everything that is wrong.
        """
        errors = [
            f"There is no argument {name!r}; the arguments are {', '.join(KNOWN)}."
            for name in sorted(given)
            if name not in KNOWN and not name.startswith("_")
        ]
        sitemaps = tuple(_absolute(part) for part in _parts(given.get("sitemap", "")))
        if not sitemaps:
            errors.append("Say what to crawl: -a sitemap=https://example.com/sitemap.xml (or robots.txt, or the site's address).")
        unusable = [url for url in sitemaps if not _usable(url)]
        errors += [f"{url!r} is no http(s) address." for url in unusable if "@" not in url]
        if any("@" in url for url in unusable):
            errors.append("An address with a user name is not taken: it would be written into the crawl store.")
        max_urls = str(given.get("max_urls") or "0").strip()
        if not _NUMBER.fullmatch(max_urls):
            errors.append(f"max_urls is {max_urls!r}; allowed is a whole number, 0 for no limit.")
        arguments = cls(
            tuple(url for url in sitemaps if url not in unusable),
            str(given.get("url_filter") or ""),
            _parts(given.get("exclude", "")),
            int(max_urls) if _NUMBER.fullmatch(max_urls) else 0,
        )
        try:
            arguments.rules()
        except ValueError as error:
            errors.append(str(error))
        if errors:
            raise ArgumentError("\n".join(errors))
        return arguments

    def rules(self) -> UrlRules:
        """The rules that leave URLs out. A site below a path has its sitemap there, so the sitemap's folder is a start page.

        :raises ValueError: if ``url_filter`` or ``exclude`` is no valid pattern.
        """
        return UrlRules(self.url_filter, self.exclude, homes=[urljoin(url, ".") for url in self.sitemaps])

    @property
    def host(self) -> str:
        """The site's host, which names the output folder."""
        return site_of(self.sitemaps[0])

    @property
    def filters_one_language(self) -> bool:
        """Whether ``url_filter`` only picks one language of the site."""
        return bool(_LANGUAGE_FILTER.match(self.url_filter))

    def as_dict(self) -> dict[str, Any]:
        """What decides whether a later crawl is the same crawl."""
        return {
            "sitemaps": list(self.sitemaps),
            "url_filter": self.url_filter,
            "exclude": list(self.exclude),
            "filters_one_language": self.filters_one_language,
        }


def _parts(raw: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in str(raw).split(",") if part.strip())


def _absolute(url: str) -> str:
    return url if _SCHEME.match(url) else f"https://{url}"


def _usable(url: str) -> bool:
    """Stricter than a browser, which takes ``https:///var/www/x`` for the host "var": a path of a disk is a slip."""
    authority = url.partition("://")[2].partition("/")[0]
    return bool(authority) and not re.search(r"[\s\\]|://[^/]*@", url) and resolve(url, url) is not None
