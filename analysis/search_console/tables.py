"""Finding the table in a sheet: where its header is, and which column is which, by the header's words and by what stands below.

The page column is found by its content alone (addresses of the site), so that neither file names nor languages matter. The
others are found by their names in many languages; where a name is unknown, by content: percentages are the CTR, fractions from 1
up the position, and of two counts the one that never exceeds the other is the clicks.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from analysis import lexicon
from analysis.search_console.numbers import is_number, read_numbers
from analysis.urls import site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from analysis.search_console.files import Cell, Sheet

_LOOK: Final = 50  # rows above which a header must stand
_SAMPLE: Final = 2_000  # cells looked at to tell what a column holds
_MOSTLY: Final = 0.5
_ADDRESS: Final = re.compile(r"(?:https?://|sc-domain:)\S+", re.IGNORECASE)
_DATE: Final = re.compile(r"\d{1,4}[-./年]\s?\d{1,2}[-./月]\s?\d{1,4}.*|\d{8}")
_CODES: Final = re.compile(r"[a-z]{3}|[A-Z][A-Z_]+")  # countries, devices and search types as the API writes them


class Column(StrEnum):
    """What a column of an export holds."""

    PAGE = "page"
    QUERY = "query"
    CLICKS = "clicks"
    IMPRESSIONS = "impressions"
    CTR = "ctr"
    POSITION = "position"
    SUM_POSITION = "sum_position"
    SEARCH_TYPE = "search_type"
    OTHER = "other"


METRICS: Final = (Column.SUM_POSITION, Column.CLICKS, Column.IMPRESSIONS, Column.CTR, Column.POSITION)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table whose columns are known: ``cells`` has one column a :class:`Column`, named by it, and no header row."""

    name: str
    header: tuple[str, ...]
    cells: pd.DataFrame
    columns: Mapping[Column, str]  # how each is called in the file
    notes: tuple[str, ...] = ()

    def __contains__(self, column: Column) -> bool:
        return column in self.columns


def read_table(sheet: Sheet, sites: frozenset[str]) -> Table:
    """Find header and columns; a table without addresses of the site simply has no :attr:`Column.PAGE`.

    :param sites: hosts as :func:`analysis.urls.site_of` writes them.
    """
    rows = [row for row in sheet.rows if any(row) or any(map(_filled, row))]
    top = find_header(rows)
    header = tuple(_text(cell) for cell in rows[top]) if top >= 0 else ()
    body = rows[top + 1 :]
    header = header or ("",) * max((len(row) for row in body[:_LOOK]), default=0)
    width = len(header)
    whole = [row for row in body if len(row) <= width or not any(map(_filled, row[width:]))]
    frame = pd.DataFrame(whole, dtype=object).reindex(columns=range(width))
    notes = [sheet.note] if sheet.note else []
    if len(whole) < len(body):
        notes.append(f"{len(body) - len(whole)} rows have more cells than the header and were left out")
    found = find_columns(header, frame, sites)
    ignored = [header[i] for i in range(width) if i not in found.values() and _metric(header[i])]
    if ignored:
        used = ", ".join(f"“{header[i]}”" for column, i in found.items() if column in METRICS)
        notes.append(f"figures are taken from {used}; left aside: {', '.join(f'“{name}”' for name in ignored)}")
    cells = frame[list(found.values())].set_axis([str(column) for column in found], axis=1)
    return Table(sheet.name, header, cells, {column: header[i] for column, i in found.items()}, tuple(notes))


def find_header(rows: Sequence[Sequence[Cell]]) -> int:
    """The index of the header row, -1 where there is none: comments and titles may stand above it."""
    head = rows[:_LOOK]
    known = [sum(name_of(cell) is not None for cell in row) for row in head]
    if max(known, default=0) >= 2:
        return known.index(max(known))
    for index, row in enumerate(head):
        if any(is_address(cell) for cell in row) and any(is_number(cell) for cell in row):
            return index - 1 if index and _is_header_like(head[index - 1]) else -1
    return next((index for index, row in enumerate(head) if _is_header_like(row)), -1)


def find_columns(header: Sequence[str], frame: pd.DataFrame, sites: frozenset[str]) -> dict[Column, int]:
    """The index of each column that could be told."""
    found: dict[Column, int] = {}
    page = _page_column(header, frame, sites)
    if page is not None:
        found[Column.PAGE] = page
    names = [name_of(text) for text in header]
    free = [index for index in range(len(header)) if index != page]
    for column in (*METRICS, Column.QUERY, Column.SEARCH_TYPE):
        exact = [index for index in free if names[index] == column and _exact(header[index]) == column]
        among = [index for index in free if names[index] == column]
        if exact or among:
            found[column] = (exact or among)[0]
    nameless = [index for index in free if names[index] is None and not frame[index].isna().all()]
    numeric = [index for index in nameless if _share(frame[index], is_number) > _MOSTLY]
    _add_by_content(found, frame, numeric)
    if Column.QUERY not in found and any(column in found for column in METRICS):
        texts = [index for index in nameless if index not in numeric and _share(frame[index], _is_free_text) > _MOSTLY]
        if texts:
            found[Column.QUERY] = max(texts, key=lambda index: (frame[index].nunique(), -index))
    return found


def _page_column(header: Sequence[str], frame: pd.DataFrame, sites: frozenset[str]) -> int | None:
    """The column with the most different addresses of the site (BigQuery also has the property's own in each row)."""
    best: int | None = None
    most = 0
    for index in range(len(header)):
        sample = _sample(frame[index])
        addresses = [cell for cell in sample if is_address(cell)]
        ours = sum(site_of(str(address)) in sites for address in set(addresses))
        if ours > most and len(addresses) >= _MOSTLY * len(sample):
            best, most = index, ours
    if best is None and frame.empty:
        words = [[_exact(word) for word in (text, *text.split())] for text in header]
        best = next((index for index, names in enumerate(words) if Column.PAGE in names), None)
    return best


def _add_by_content(found: dict[Column, int], frame: pd.DataFrame, numeric: Sequence[int]) -> None:
    """Tell nameless columns of numbers by what they hold; ``found`` is filled up, never changed."""
    counts: list[int] = []
    values: dict[int, np.ndarray[tuple[int], np.dtype[np.float64]]] = {}
    for index in numeric:
        numbers = read_numbers(frame[index], whole=False)
        known = numbers.value[~np.isnan(numbers.value)]
        fractions = bool(known.size) and bool((known % 1 != 0).any())
        if numbers.percent or (fractions and known.max() <= 1):
            found.setdefault(Column.CTR, index)
        elif fractions and known.min() >= 1 and known.max() < 1_000 and index == numeric[-1]:
            found.setdefault(Column.POSITION, index)
        else:
            counts.append(index)
            values[index] = read_numbers(frame[index], whole=True).value
    missing = [column for column in (Column.CLICKS, Column.IMPRESSIONS) if column not in found]
    if len(missing) == 2 and len(counts) >= 2:
        a, b = counts[:2]
        a, b = (a, b) if np.nansum(values[a]) <= np.nansum(values[b]) else (b, a)
        found[Column.CLICKS], found[Column.IMPRESSIONS] = a, b
        counts = counts[2:]
    if Column.POSITION not in found and len(counts) == 1 and len(missing) == 2:  # all positions happen to be whole numbers
        found[Column.POSITION] = counts[0]


@cache
def _names() -> Mapping[str, Column]:
    return {_plain(name): Column(column) for column, names in lexicon.read("search_console_headers").items() for name in names}


@cache
def _inside() -> re.Pattern[str]:
    """A metric's name among other words; names of two letters would be found everywhere."""
    names = [name for name, column in _names().items() if column in METRICS and (len(name) > 2 or not name.isascii())]
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return re.compile("|".join(map(_bounded, longest_first)))


def _bounded(name: str) -> str:
    spaceless = any(unicodedata.name(char, "").startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI")) for char in name)
    return re.escape(name) if spaceless else rf"(?<![^\W\d_]){re.escape(name)}(?![^\W\d_])"


def name_of(cell: Cell) -> Column | None:
    """Which column a header's text names, if it names any."""
    if not isinstance(cell, str):
        return None
    return _exact(cell) or _metric(cell)


def _exact(text: str) -> Column | None:
    return _names().get(_plain(text))


def _metric(text: str) -> Column | None:
    match = _inside().search(_plain(text))
    return _names()[match[0]] if match else None


@cache
def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("_", " ").replace("%", " ")
    return " ".join(folded.replace("( )", " ").split()).strip("\"'*# ")


def _is_header_like(row: Iterable[Cell]) -> bool:
    filled = [cell for cell in row if _filled(cell)]
    return len(filled) >= 2 and not any(is_number(cell) or is_address(cell) for cell in filled)


def is_address(cell: object) -> bool:
    """Whether a cell holds a web address (or a property of Search Console's)."""
    return isinstance(cell, str) and _ADDRESS.match(cell) is not None


def _is_free_text(cell: object) -> bool:
    """Text that may be a query: no number, address or date, no code of a country or device."""
    if not isinstance(cell, str) or not cell.strip() or is_number(cell) or is_address(cell):
        return False
    return not (_DATE.fullmatch(cell) or _CODES.fullmatch(cell))


def _share(cells: pd.Series, test: Callable[[object], bool]) -> float:
    sample = _sample(cells)
    return sum(map(test, sample)) / len(sample) if sample else 0.0


def _sample(cells: pd.Series) -> list[Cell]:
    return [cell for cell in cells.iloc[:: max(1, len(cells) // _SAMPLE)] if _filled(cell)]


def _filled(cell: Cell) -> bool:
    return bool(cell.strip()) if isinstance(cell, str) else not pd.isna(cell)


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell).strip()
