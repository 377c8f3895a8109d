"""The ledger: one line for each link that was put into a source, with what it takes to remove exactly those bytes.

A line is on the disk before the file is touched, so a crash leaves either nothing to undo or a line whose file is unchanged.
"""

from __future__ import annotations

import base64
import json
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from analysis.outputs.tables import write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

NAME = "ledger.jsonl"


@dataclass(frozen=True, slots=True)
class Entry:
    """A link in a file: ``tag_open + anchor + tag_close`` stands at byte ``offset`` (base64 where the ledger holds bytes)."""

    run: str
    file: str  # as the source folder was given, so that undo finds it from the same place
    url_from: str
    url_to: str
    offset: int
    tag_open: str
    anchor: str
    tag_close: str
    before: str | None = None  # of a woven paragraph: what stood there; a link leaves its anchor

    @classmethod
    def of(
        cls, run: str, file: Path, url_from: str, url_to: str, offset: int, tag_open: bytes, anchor: bytes, tag_close: bytes
    ) -> Entry:
        """Build an entry from the bytes as the inserter gives them."""
        return cls(run, str(file), url_from, url_to, offset, _text(tag_open), _text(anchor), _text(tag_close))

    @classmethod
    def woven(cls, file: Path, url_from: str, url_to: str, offset: int, old: bytes, new: bytes) -> Entry:
        """Build the entry of a rewritten paragraph: ``new`` stands where ``old`` stood."""
        return cls("", str(file), url_from, url_to, offset, _text(new), "", "", _text(old))

    def kept(self) -> bytes:
        """What undo leaves in the place."""
        return base64.b64decode(self.anchor if self.before is None else self.before)

    def pieces(self) -> tuple[bytes, bytes, bytes]:
        """``tag_open``, ``anchor`` and ``tag_close`` as bytes."""
        return base64.b64decode(self.tag_open), base64.b64decode(self.anchor), base64.b64decode(self.tag_close)


def read_ledger(folder: Path) -> list[Entry]:
    """All entries, oldest first; a line that a crash cut short is passed over, for its file was not touched."""
    path = folder / NAME
    if not path.is_file():
        return []
    entries = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            entries.append(Entry(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return entries


def append_entries(folder: Path, entries: Iterable[Entry]) -> None:
    """Add entries and see them on the disk."""
    with (folder / NAME).open("a", encoding="utf-8") as file:
        for entry in entries:
            file.write(_line(entry))
        file.flush()
        os.fsync(file.fileno())


def replace_entries(folder: Path, entries: Sequence[Entry]) -> None:
    """Write the ledger anew, as a whole."""
    write_text(folder / NAME, "".join(map(_line, entries)))


def _line(entry: Entry) -> str:
    return json.dumps(asdict(entry), ensure_ascii=False) + "\n"


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
