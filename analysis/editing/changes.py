"""Changes to source files: worked out first, shown as a diff, written atomically, and undone byte for byte."""

from __future__ import annotations

import difflib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from analysis.editing.ledger import Entry, append_entries, replace_entries
from analysis.editing.sources import SourceError
from analysis.insertion import Inserted, InsertionRules, LinkRequest, Refusal, insert_links, remove_link
from analysis.urls import same_site

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from analysis.editing.sources import SourceFolder


@dataclass(frozen=True, slots=True)
class PlannedLink:
    """A row of the plan that is to be applied."""

    url_from: str
    url_to: str
    anchor: str
    block: str
    start: int

    @classmethod
    def from_row(cls, row: Mapping[str, str]) -> PlannedLink:
        """Read a row of the plan's table that says ``wrap``."""
        return cls(row["url_from"], row["url_to"], row["anchor"], row["block"], int(row["start"]))

    def request(self) -> LinkRequest:
        """What the inserter is asked for: an address within the site is written without its host."""
        target = urlsplit(self.url_to)
        href = self.url_to
        if same_site(self.url_from, self.url_to):
            href = target.path + (f"?{target.query}" if target.query else "")
        return LinkRequest(href, self.anchor, self.block or None, self.start)


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file before and after; ``entries`` are the ledger lines that come or go with it."""

    path: Path
    before: bytes = field(repr=False)
    after: bytes = field(repr=False)
    entries: tuple[Entry, ...] = ()

    def diff(self) -> str:
        """A unified diff for people; bytes that are no UTF-8 are shown escaped."""
        old, new = (data.decode("utf-8", "backslashreplace").splitlines(keepends=True) for data in (self.before, self.after))
        shown = self.path.as_posix().lstrip("/")
        lines = difflib.unified_diff(old, new, f"a/{shown}", f"b/{shown}")
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)

    def write(self) -> None:
        """Replace the file as a whole; it keeps its permissions."""
        temporary = self.path.with_name(self.path.name + ".part")
        temporary.write_bytes(self.after)
        temporary.chmod(self.path.stat().st_mode)
        temporary.replace(self.path)


@dataclass(frozen=True, slots=True)
class Changes:
    """What a run would do: the files that change, and why each other link was left out."""

    files: tuple[FileChange, ...]
    refused: tuple[tuple[str, str, str], ...]  # (url_from, url_to, reason)

    @property
    def links(self) -> int:
        """How many links come or go."""
        return sum(len(change.entries) for change in self.files)

    def reasons(self) -> Counter[str]:
        """The reasons with their counts."""
        return Counter(reason for _, _, reason in self.refused)


def work_out_insertions(links: Iterable[PlannedLink], sources: SourceFolder, rules: InsertionRules) -> Changes:
    """Try all links page by page, in the order of the plan; nothing is written."""
    files: list[FileChange] = []
    refused: list[tuple[str, str, str]] = []
    for url, of_page in _by_page(links):
        try:
            path, markup = sources.find(url)
        except SourceError as error:
            refused += [(link.url_from, link.url_to, str(error)) for link in of_page]
            continue
        before = path.read_bytes()
        results = insert_links(before, [link.request() for link in of_page], page_url=url, rules=rules, markup=markup)
        entries = []
        after = before
        for link, result in zip(of_page, results, strict=True):
            if isinstance(result, Inserted):
                after = result.source
                tags = (result.offset, result.tag_open, result.anchor, result.tag_close)
                entries.append(Entry.of(rules.run_id, path, link.url_from, link.url_to, *tags))
            else:
                refused.append((link.url_from, link.url_to, str(result)))
        if entries:
            files.append(FileChange(path, before, after, tuple(entries)))
    return Changes(tuple(files), tuple(refused))


def work_out_removals(entries: Sequence[Entry], root: Path) -> Changes:
    """Take the links of these ledger lines out again; nothing is written."""
    files: list[FileChange] = []
    refused: list[tuple[str, str, str]] = []
    by_file: dict[str, list[Entry]] = {}
    for entry in entries:
        by_file.setdefault(entry.file, []).append(entry)
    for name, of_file in by_file.items():
        path = root / name
        if not path.is_file():
            refused += [(entry.url_from, entry.url_to, "the file is gone") for entry in of_file]
            continue
        before = after = path.read_bytes()
        removed = []
        for entry in sorted(of_file, key=lambda entry: -entry.offset):
            result = remove_link(after, entry.offset, *entry.pieces(), kept=entry.kept())
            if isinstance(result, Refusal):
                refused.append((entry.url_from, entry.url_to, str(result)))
            else:
                after = result
                removed.append(entry)
        if removed:
            files.append(FileChange(path, before, after, tuple(removed)))
    return Changes(tuple(files), tuple(refused))


def write_insertions(changes: Changes, ledger: Path) -> None:
    """Write the files; each link stands in the ledger before its file is touched."""
    for change in changes.files:
        append_entries(ledger, change.entries)
        change.write()


def write_removals(changes: Changes, ledger: Path, entries: Sequence[Entry]) -> None:
    """Write the files, then take the lines out of the ledger: a crash between the two leaves a line with nothing to undo."""
    gone: set[Entry] = set()
    for change in changes.files:
        change.write()
        gone.update(change.entries)
    replace_entries(ledger, [entry for entry in entries if entry not in gone])


def _by_page(links: Iterable[PlannedLink]) -> Iterator[tuple[str, list[PlannedLink]]]:
    pages: dict[str, list[PlannedLink]] = {}
    for link in links:
        pages.setdefault(link.url_from, []).append(link)
    yield from pages.items()
