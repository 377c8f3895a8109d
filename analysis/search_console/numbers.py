"""Cells of an export to numbers, whatever language they were written in: the column as a whole decides what its signs mean."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_EXAMPLES: Final = 3
_BOTH: Final = ".,"
_UNKNOWN: Final = frozenset({"", "~", "-", "–", "—", "n/a", "na", "nan", "null", "none", "(not set)"})
_DRESS: Final = re.compile(r"[\s\u00a0\u2007\u2009\u200e\u200f\u202f\u2060\ufeff\u061c'’]+")  # groups of digits, directions
_CELL: Final = re.compile(r"(?P<below>[<≤]=?)?(?P<about>[~≈>≥]=?)?(?P<before>%)?(?P<number>[+-]?[\d.,]*\d)(?P<after>%)?")
_SEPARATORS: Final = str.maketrans({"٫": ".", "٬": ",", "，": ",", "．": ".", "٪": "%", "％": "%", "−": "-"})


class Numbers(NamedTuple):
    """A column read: ``value`` is NaN where unknown; ``most`` is what it is at most (the value, the 10 of "<10", or infinity)."""

    value: NDArray[np.float64]
    most: NDArray[np.float64]
    percent: bool  # whether a cell had a percent sign; such cells are divided by 100
    unread: tuple[str, ...]  # examples of cells that say something, but no number


class _Cell(NamedTuple):
    number: str  # digits and separators; "" where there is none
    bounded: bool
    unsure: bool
    percent: bool


def read_numbers(cells: pd.Series, *, whole: bool) -> Numbers:
    """Read a column of texts and numbers.

    :param cells: (n,) str, int, float or None.
    :param whole: whether the column counts something, so that "1,234" alone means a thousand and not 1.234.
    """
    codes, uniques = pd.factorize(cells, use_na_sentinel=True)
    plain = _plain(uniques.tolist(), whole=whole)
    if plain is not None:
        values = np.append(plain, math.nan)  # code -1 is a missing cell
        return Numbers(values[codes], np.where(codes < 0, math.inf, values[codes]), percent=False, unread=())
    texts = [cell for cell in uniques if isinstance(cell, str)]
    parsed = {text: _parse(text) for text in texts}
    decimal = decimal_mark((cell.number for cell in parsed.values() if cell), whole=whole)
    values = np.full(len(uniques) + 1, math.nan)
    most = np.full(len(uniques) + 1, math.inf)
    for position, cell in enumerate(uniques):
        values[position], most[position] = _read(parsed[cell], decimal) if isinstance(cell, str) else _known(cell)
    unread = tuple(text for text, cell in parsed.items() if cell is None)[:_EXAMPLES]
    percent = any(cell.percent for cell in parsed.values() if cell)
    return Numbers(values[codes], most[codes], percent, unread)


def _plain(cells: list[object], *, whole: bool) -> NDArray[np.float64] | None:
    """The quick way for the usual column: numbers, or digits with at most one point that is certainly decimal; else None."""
    if all(type(cell) in (int, float) for cell in cells):
        return np.array(cells, dtype=np.float64)
    points = False
    certain = not whole
    for cell in cells:
        if not isinstance(cell, str) or not cell.isascii():
            return None
        head, point, tail = cell.partition(".")
        if not (head.isdigit() and (tail.isdigit() or not point)):
            return None
        points |= bool(point)
        certain |= bool(point) and (len(tail) != 3 or len(head) > 3)
    return np.array(cells).astype(np.float64) if certain or not points else None


def is_number(cell: object) -> bool:
    """Whether a cell holds a number, a bound ("<10") or the sign for an unknown one ("~")."""
    if isinstance(cell, str):
        return bool(cell.strip()) and _parse(cell) is not None
    return isinstance(cell, (int, float))


def decimal_mark(numbers: Iterable[str], *, whole: bool) -> str:
    """The decimal mark of a column: ``"."``, ``","``, both, or ``""`` where every mark groups thousands.

    A mark decides as soon as one cell shows its meaning: it stands last of two kinds, or is followed by other than three digits
    (decimal); it stands twice (thousands). "1,234" alone may be either: thousands in a column of counts, a fraction elsewhere.
    """
    decimal: set[str] = set()
    thousands: set[str] = set()
    open_marks: set[str] = set()
    for number in numbers:
        for mark, other in ((".", ","), (",", ".")):
            head, found, tail = number.rpartition(mark)
            if not found:
                continue
            if mark in head or tail.count(other):
                thousands.add(mark)
            elif other in head or len(tail) != 3 or len(head.lstrip("+-")) > 3 or head.lstrip("+-") in ("", "0"):
                decimal.add(mark)
            else:
                open_marks.add(mark)
    if decimal:
        certain = decimal - thousands or decimal
        return _BOTH if len(certain) == 2 else certain.pop()
    if whole:
        return ""
    left = open_marks - thousands
    return "." if "." in left else "".join(left)


def _parse(text: str) -> _Cell | None:
    bare = _DRESS.sub("", text).translate(_SEPARATORS)
    if bare.lower() in _UNKNOWN:
        return _Cell("", bounded=False, unsure=True, percent=False)
    match = _CELL.fullmatch(bare)
    if match is None:
        return None
    percent = bool(match["before"] or match["after"])
    return _Cell(match["number"], bool(match["below"]), bool(match["below"] or match["about"]), percent)


def _read(cell: _Cell | None, decimal: str) -> tuple[float, float]:
    if cell is None or not cell.number:
        return math.nan, math.inf
    number = cell.number
    if decimal == _BOTH:
        number = number.replace(",", ".")
    else:
        for mark in ".,":
            if mark != decimal:
                number = number.replace(mark, "")
        number = number.replace(",", ".")
    try:
        value = float(number) / (100 if cell.percent else 1)
    except ValueError:  # the decimal mark twice in one cell: a version, a date
        return math.nan, math.inf
    return (math.nan if cell.unsure else value), (value if cell.bounded or not cell.unsure else math.inf)


def _known(cell: object) -> tuple[float, float]:
    if isinstance(cell, bool) or not isinstance(cell, (int, float)) or not math.isfinite(cell):
        return math.nan, math.inf
    return float(cell), float(cell)
