"""Opening an export: ZIP archives, workbooks, CSV in any encoding with any delimiter, JSON and JSON lines become sheets."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import charset_normalizer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

Cell = str | float | None

_MAX_BYTES: Final = 2_000_000_000  # unpacked; an export of 16 months of a very large site is a tenth of it
_GUESS_BYTES: Final = 100_000
_SNIFF_LINES: Final = 60
_DELIMITERS: Final = "\t;,|"
_OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # the compound file that .xls lives in
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # UTF-32 before UTF-16: its little-endian mark begins with that of UTF-16


class ExportError(Exception):
    """The export cannot be used; the message says why and what to do, in a sentence or two."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table as it was found: rows of cells, header and all; ``note`` says what had to be guessed."""

    name: str
    rows: Sequence[Sequence[Cell]]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A part of the export that was not used, and why."""

    name: str
    reason: str


def read_sheets(path: Path) -> tuple[list[Sheet], list[Skipped]]:
    """Open an export of any kind; what it holds decides, not what its name ends in.

    :return: the tables, and what could not be read.
    :raises ExportError: if the file cannot be opened at all.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ExportError(f"The export {path} cannot be read: {error.strerror}.") from error
    sheets: list[Sheet] = []
    skipped: list[Skipped] = []
    for name, content in _unpack(path.name, data):
        if isinstance(content, str):
            skipped.append(Skipped(name, content))
        else:
            sheets.extend(_sheets(name, content, skipped))
    return sheets, skipped


def _unpack(name: str, data: bytes) -> Iterator[tuple[str, bytes | str]]:
    """The files in a file, or why one cannot be had."""
    if data.startswith(b"\x1f\x8b"):
        try:
            with gzip.open(io.BytesIO(data)) as file:
                yield name.removesuffix(".gz"), _limited(file.read(_MAX_BYTES + 1))
        except (OSError, EOFError, zlib.error) as error:
            yield name, f"the gzip file is damaged ({error})"
    elif data.startswith(b"PK\x03\x04") or data.startswith(b"PK\x05\x06"):
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError) as error:
            raise ExportError(f"The archive {name} is damaged ({error}); download it again.") from error
        with archive:
            if {"[Content_Types].xml", "mimetype"} & set(archive.namelist()):
                yield name, data
            else:
                yield from _members(archive)
    else:
        yield name, data


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes | str]]:
    budget = _MAX_BYTES
    for info in archive.infolist():
        if info.is_dir() or info.filename.startswith("__MACOSX/") or info.filename.endswith(".DS_Store"):
            continue
        budget -= info.file_size
        if info.flag_bits & 1:
            yield info.filename, "encrypted"
        elif budget < 0:
            yield info.filename, "too large"
        else:
            try:
                yield info.filename, archive.read(info)
            except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError) as error:
                yield info.filename, f"damaged ({error})"


def _limited(data: bytes) -> bytes | str:
    return data if len(data) <= _MAX_BYTES else "too large"


def _sheets(name: str, data: bytes, skipped: list[Skipped]) -> list[Sheet]:
    if data.startswith((b"PK\x03\x04", _OLD_WORKBOOK)):
        return _workbook(name, data, skipped)
    text, note = decode(data)
    if text.lstrip()[:1] in ("{", "["):
        try:
            return [Sheet(name, _json_rows(text), note)]
        except ValueError as error:
            if not name.lower().endswith((".csv", ".tsv", ".txt")):
                skipped.append(Skipped(name, f"the JSON cannot be read ({error})"))
                return []
    try:
        return [Sheet(name, list(_csv_rows(text)), note)]
    except csv.Error as error:
        skipped.append(Skipped(name, f"no table: {error}"))
        return []


def _workbook(name: str, data: bytes, skipped: list[Skipped]) -> list[Sheet]:
    try:
        from python_calamine import CalamineError, CalamineWorkbook  # noqa: PLC0415
    except ImportError as error:
        raise ExportError(f"{name} is a workbook; reading it needs: pip install python-calamine") from error
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
        tables = [(sheet, workbook.get_sheet_by_name(sheet).to_python(skip_empty_area=False)) for sheet in workbook.sheet_names]
    except (CalamineError, OSError, ValueError) as error:
        skipped.append(Skipped(name, f"the workbook cannot be read ({error})"))
        return []
    return [Sheet(f"{name}: {sheet}", [[_plain(cell) for cell in row] for row in rows]) for sheet, rows in tables]


def _plain(cell: object) -> Cell:
    if cell is None or cell == "":
        return None
    return cell if isinstance(cell, (str, int, float)) and not isinstance(cell, bool) else str(cell)


def decode(data: bytes) -> tuple[str, str]:
    """The text of a file and, where its encoding had to be guessed, a note that says so.

    A byte order mark decides; then zero bytes (UTF-16 without a mark); then UTF-8 if the whole is valid; else a guess.
    """
    for bom, codec in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(codec, "replace"), ""
    head = data[:_GUESS_BYTES]
    if head.count(0) > len(head) // 5:
        little = head[1::2].count(0) > head[0::2].count(0)
        return data.decode("utf-16-le" if little else "utf-16-be", "replace"), ""
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError:
        best = charset_normalizer.from_bytes(head).best()
        codec = best.encoding if best else "cp1252"
        return data.decode(codec, "replace"), f"neither UTF-8 nor UTF-16: read as {codec}, so queries may be garbled"


def _csv_rows(text: str) -> Iterator[list[Cell]]:
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip()) <= 5:
        delimiter, text = first.rstrip("\r\n")[4:5] or "\t", rest
    else:
        delimiter = find_delimiter(text)
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        yield [cell.strip() for cell in row]


def find_delimiter(text: str) -> str:
    """The delimiter that cuts the first lines into the most rows of one width (of two cells or more); a comma if none does."""
    lines = [line for line in text[:200_000].splitlines()[:_SNIFF_LINES] if line.strip()]

    def quality(delimiter: str) -> tuple[int, int]:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        counts = {width: widths.count(width) for width in set(widths) if width > 1}
        return max(((count, width) for width, count in counts.items()), default=(0, 0))

    best = max(_DELIMITERS, key=quality)
    return best if quality(best) > (0, 0) else ","


def _json_rows(text: str) -> list[list[Cell]]:
    """Rows of the API (``{"keys": […], "clicks": …}``), its whole answers, or plain objects (BigQuery), as a table."""
    try:
        records = list(_records(json.loads(text)))
    except json.JSONDecodeError:
        records = [record for line in text.splitlines() if line.strip() for record in _records(json.loads(line))]
    names = list(dict.fromkeys(name for record in records for name in record))
    return [list(names), *([record.get(name) for name in names] for record in records)]


def _records(value: Any) -> Iterator[Mapping[str, Cell]]:
    if isinstance(value, list):
        for item in value:
            yield from _records(item)
    elif isinstance(value, dict):
        if "rows" in value or "responseAggregationType" in value:  # the API leaves "rows" out where there is none
            yield from _records(value.get("rows") or [])
        elif "keys" in value or any(not isinstance(cell, (list, dict)) for cell in value.values()):
            yield _record(value)


def _record(row: Mapping[str, Any]) -> Mapping[str, Cell]:
    keys: Iterable[Any] = row.get("keys") or ()
    cells = {f"key {number}": _json_cell(key) for number, key in enumerate(keys, start=1)}
    return cells | {str(name): _json_cell(cell) for name, cell in row.items() if name != "keys"}


def _json_cell(cell: Any) -> Cell:
    if cell is None or isinstance(cell, str):
        return cell
    return float(cell) if isinstance(cell, (int, float)) and not isinstance(cell, bool) else json.dumps(cell)
