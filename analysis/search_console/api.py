"""Fetching figures straight from the Search Console API with a service account; the result is a file for ``read_export``.

Needs Google's library for signing in (optional): see :data:`INSTALL`. The service account's address must be a user of the
property (Search Console, Settings, Users and permissions); reading is all it may do.
Source: https://developers.google.com/webmaster-tools/v1/searchanalytics/query and …/how-tos/all-your-data.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from analysis.search_console.files import ExportError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date
    from pathlib import Path

ENDPOINT: Final = "https://searchconsole.googleapis.com"
SCOPE: Final = "https://www.googleapis.com/auth/webmasters.readonly"
INSTALL: Final = "pip install google-auth==2.63.0 requests==2.34.2"
ROWS_AT_ONCE: Final = 25_000
ROWS_A_DAY: Final = 50_000  # that the API has for one day and search type, those with the most clicks first

_TIMEOUT: Final = 120  # seconds
_TRIES: Final = 5
_PASSING: Final = (429, 500, 502, 503, 504)
_TABLES: Final = {"pages": ("page",), "queries": ("page", "query")}


class ApiError(ExportError):
    """The API cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Download:
    """What was fetched: rows a table ("pages", "queries"), and what the API keeps to itself, in words."""

    path: Path
    rows: dict[str, int]
    notes: tuple[str, ...]


def download(
    site: str,
    start: date,
    end: date,
    key_file: Path,
    to: Path,
    *,
    endpoint: str = ENDPOINT,
    progress: Callable[[str, int], None] | None = None,
) -> Download:
    """Fetch a period's figures of pages, and of pages with queries, into a ZIP file that ``read_export`` reads.

    :param site: the property as Search Console names it: ``https://example.com/`` or ``sc-domain:example.com``.
    :param end: the last day, which is part of the period.
    :param key_file: the service account's key (JSON).
    :param progress: is told the table and how many of its rows have arrived.
    :raises ApiError: if the library is missing, the key is not accepted, or the API refuses.
    """
    session = _session(key_file)
    counts: dict[str, int] = {}
    temporary = to.with_name(to.name + ".part")
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        for table, dimensions in _TABLES.items():
            counts[table] = 0
            with archive.open(f"{table}.jsonl", "w") as file:
                for rows in _pages_of_rows(session, endpoint, site, start, end, dimensions):
                    file.writelines(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
                    counts[table] += len(rows)
                    if progress is not None:
                        progress(table, counts[table])
    temporary.replace(to)
    return Download(to, counts, _notes(counts, (end - start).days + 1))


def _notes(counts: dict[str, int], days: int) -> tuple[str, ...]:
    notes = ["queries that only a few people asked are never named; their clicks are in the figures of pages alone"]
    for table, rows in counts.items():
        if rows >= ROWS_A_DAY:
            notes.append(
                f"{rows:,} rows of {table}: the API has at most {ROWS_A_DAY:,} a day and search type ({days} days were asked "
                "for), so rows with few clicks may be missing; BigQuery's bulk export has them all"
            )
    return tuple(notes)


def _pages_of_rows(
    session: Any, endpoint: str, site: str, start: date, end: date, dimensions: Sequence[str]
) -> Iterator[list[dict[str, Any]]]:
    url = f"{endpoint}/webmasters/v3/sites/{quote(site, safe='')}/searchAnalytics/query"
    first = 0
    while True:
        question = {
            "startDate": start.isoformat(),
            "endDate": end.isoformat(),
            "dimensions": list(dimensions),
            "type": "web",
            "rowLimit": ROWS_AT_ONCE,
            "startRow": first,
        }
        rows = _ask(session, url, question).get("rows") or []
        if not rows:  # an answer without rows is the end, not a short one
            return
        yield rows
        first += len(rows)


def _session(key_file: Path) -> Any:
    try:
        from google.auth.transport.requests import AuthorizedSession  # noqa: PLC0415
        from google.oauth2.service_account import Credentials  # noqa: PLC0415
        from requests.adapters import HTTPAdapter  # noqa: PLC0415
        from urllib3.util import Retry  # noqa: PLC0415
    except ImportError as error:
        raise ApiError(f"Reading from the Search Console API needs Google's library; install it: {INSTALL}") from error
    try:
        credentials = Credentials.from_service_account_file(str(key_file), scopes=[SCOPE])  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ApiError(f"{key_file} is no key of a service account: {error}") from error
    session = AuthorizedSession(credentials)  # type: ignore[no-untyped-call]
    retry = Retry(total=_TRIES, backoff_factor=0.5, status_forcelist=_PASSING, allowed_methods=None, raise_on_status=False)
    for scheme in ("https://", "http://"):
        session.mount(scheme, HTTPAdapter(max_retries=retry))
    return session


def _ask(session: Any, url: str, question: dict[str, Any]) -> dict[str, Any]:
    from google.auth.exceptions import GoogleAuthError  # noqa: PLC0415
    from requests import RequestException  # noqa: PLC0415

    try:
        answer = session.post(url, json=question, timeout=_TIMEOUT)
    except GoogleAuthError as error:
        raise ApiError(f"Google does not accept the service account's key: {error}") from error
    except RequestException as error:
        raise ApiError(f"The Search Console API cannot be reached: {error}") from error
    if answer.status_code in (401, 403):
        account = session.credentials.service_account_email
        raise ApiError(f"The API refuses {account}: add it as a user of the property in Search Console. It says: {_said(answer)}")
    if not answer.ok:
        raise ApiError(f"The Search Console API answers {answer.status_code}: {_said(answer)}")
    content: dict[str, Any] = answer.json()
    return content


def _said(answer: Any) -> str:
    try:
        return str(answer.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return str(answer.text[:200]).strip() or "nothing"
