"""CSV files that are safe to open in a spreadsheet, and replaced as a whole or not at all."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

# A spreadsheet looks past white space, and some read full-width signs, before it decides that a cell is a formula.
_FORMULA = re.compile(r"^[\s\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]")
_NUMBER = re.compile(r"^[+-]?\d+([.,]\d+)?%?$")
_GUARDED = re.compile(r"^'(?='*(?:[\s\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]))")


def neutral(text: str) -> str:
    """A cell that no spreadsheet runs: an apostrophe goes before what would be a formula. Numbers and a lone dash stay."""
    if _GUARDED.match(text) or (_FORMULA.match(text) and text.strip() != "-" and not _NUMBER.match(text)):
        return "'" + text
    return text


def original(cell: str) -> str:
    """The text that :func:`neutral` was given."""
    return cell[1:] if _GUARDED.match(cell) else cell


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]], *, bom: bool = False) -> None:
    """Write rows under ``columns``: UTF-8, a byte order mark only where asked for, text cells made neutral."""
    cells = [[neutral(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    frame = pd.DataFrame(cells, columns=list(columns), dtype=object)  # object: pandas would turn 3 beside 0.5 into 3.0
    with replaced(path) as temporary:
        frame.to_csv(temporary, index=False, encoding="utf-8-sig" if bom else "utf-8", lineterminator="\n")


def read_table(path: Path) -> pd.DataFrame:
    """Read what :func:`write_table` wrote, also after a spreadsheet saved it with another delimiter; all cells are text."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        header = file.readline()
    delimiter = max(",;\t", key=header.count)
    frame = pd.read_csv(path, sep=delimiter, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    return frame.map(original)


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table as dictionaries of text."""
    return [{str(name): cell for name, cell in row.items()} for row in read_table(path).to_dict("records")]


def write_text(path: Path, text: str) -> None:
    """Write a text file by temporary name and rename."""
    with replaced(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A file to write to, which takes the place of ``path`` at the end; where that fails, ``path`` stays and nothing is left."""
    temporary = path.with_name(path.name + ".part")
    try:
        yield temporary
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
