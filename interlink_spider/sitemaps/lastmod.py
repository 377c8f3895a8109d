"""The dates of sitemaps and feeds, in whatever shape sites write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_YEAR_OR_MONTH: Final = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?")
_FIRST_YEAR: Final = 1990  # before the web: a zero that some program took for a date


def parse_lastmod(text: str) -> datetime | None:
    """A W3C or RFC 822 date, or one near to it; None for everything else. Without a zone it is taken as UTC."""
    text = text.strip()
    found = _iso(text) or _rfc822(text) or _year_or_month(text) or _only_date(text)
    if found is None or found.year < _FIRST_YEAR:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if _DATE.match(text) else None
    except ValueError:
        return None


def _rfc822(text: str) -> datetime | None:
    if any(len(word) == 4 and word.isdecimal() and int(word) < _FIRST_YEAR for word in text.split()):
        return None  # "Mon, 01 Jan 0001", Hugo's page without a date, which the parser takes for 2001
    try:
        return parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _year_or_month(text: str) -> datetime | None:
    match = _YEAR_OR_MONTH.fullmatch(text)
    return _iso(f"{match[1]}-{match[2] or '01'}-01") if match else None


def _only_date(text: str) -> datetime | None:
    """The day alone, where the time behind it is no time; two dates are none."""
    dates = _DATE.findall(text)
    return _iso(dates[0]) if len(dates) == 1 and text.startswith(dates[0]) else None
