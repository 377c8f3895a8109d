"""Reading tables that a person may have opened, sorted and saved in a spreadsheet since the plan wrote them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import pandas as pd

from analysis.outputs.tables import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


_YES: Final = frozenset({"yes", "true", "1"})


class ReportError(Exception):
    """There is no report to be made; the message says why in one sentence."""


def rows_of(path: Path, columns: Iterable[str]) -> list[dict[str, str]]:
    """The rows of a table, each with at least ``columns`` (empty where the file lacks one); none when there is no file.

    :raises ReportError: if the file is no table.
    """
    if not path.is_file():
        return []
    try:
        rows = read_rows(path)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise ReportError(f"{path} cannot be read as a table: {error}.") from error
    empty = dict.fromkeys(columns, "")
    return [empty | row for row in rows]


def number(cell: str) -> float | None:
    """A number with a decimal point or comma; None for anything else."""
    try:
        value = float(cell.strip().replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def whole(cell: str) -> int:
    """A count; 0 where the cell has none."""
    return int(number(cell) or 0)


def flag(cell: str) -> bool:
    """Whether a cell says yes, also after a spreadsheet has turned it into its own TRUE."""
    return cell.strip().lower() in _YES


def anchor_parts(sentence: str, anchor: str) -> tuple[str, str, str]:
    """What stands before the anchor, the anchor, and what stands after it; the whole sentence first when it is not there.

    A whole-word occurrence is preferred to one inside a word.
    """
    if not anchor:
        return sentence, "", ""
    found = first = sentence.find(anchor)
    while found >= 0:
        stop = found + len(anchor)
        if not _inside_word(sentence, found) and not _inside_word(sentence, stop):
            break
        found = sentence.find(anchor, found + 1)
    start = found if found >= 0 else first
    if start < 0:
        return sentence, "", ""
    return sentence[:start], anchor, sentence[start + len(anchor) :]


def _inside_word(text: str, position: int) -> bool:
    return 0 < position < len(text) and text[position - 1].isalnum() and text[position].isalnum()
