"""``scrapy apply FOLDER --sources DIR``: put the plan's links into HTML or Markdown sources; a diff unless ``--write``."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from analysis.decisions import Status
from analysis.editing.changes import Changes, PlannedLink, work_out_insertions, write_insertions
from analysis.editing.sources import SourceFolder
from analysis.insertion import InsertionRules
from analysis.outputs.plan_table import NAME
from analysis.outputs.report.reading import flag, number
from analysis.outputs.tables import read_rows
from analysis.ranking import LIKELY
from analysis.urls import page_key
from analysis.weave.changes import work_out_weaves
from analysis.weave.run import NAME as WEAVE_NAME
from interlink_spider.folder_command import FolderCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

# The ceilings that the method's authors keep: links of an article in all, and new ones a run.
MAX_TOTAL, MAX_NEW = 4, 3


class Command(FolderCommand):
    """Exit code 0 when every chosen link could be inserted or was refused for a stated reason, 1 when nothing could be done."""

    summary = "Put the plan's links into HTML or Markdown sources (shows a diff; --write does it)"
    example = "scrapy apply output/example.com --sources site"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument("--sources", required=True, metavar="DIR", help="folder of the HTML or Markdown sources")
        parser.add_argument("--pattern", default="", help="a page's file below DIR, for example _posts/*-{slug}.md or {path}.md")
        parser.add_argument("--status", default="new,accepted", help="rows with these statuses (default new,accepted)")
        parser.add_argument(
            "--min-confidence",
            type=float,
            default=LIKELY,
            help=f"rows of at least this confidence, if nobody has accepted them (default {LIKELY:g}: likely and sure ones)",
        )
        parser.add_argument("--page", default="", help="only links of this page")
        parser.add_argument("--no-marker", action="store_true", help="leave no comment that records the run")
        parser.add_argument("--write", action="store_true", help="write the files instead of showing a diff")

    def check(self, opts: argparse.Namespace) -> None:
        """See FolderCommand."""
        if unknown := sorted(_statuses(opts) - set(Status)):
            raise UsageError(f"--status names {', '.join(map(repr, unknown))}; allowed are {', '.join(Status)}.")
        if not 0 <= opts.min_confidence <= 1:
            raise UsageError(f"--min-confidence is {opts.min_confidence:g}; allowed is a number from 0 to 1.")

    def work(self, folder: Path, opts: argparse.Namespace) -> None:
        """Work out all changes, then show or write them."""
        sources = Path(opts.sources)
        plan = folder / NAME
        for path, what, found in ((plan, "plan", plan.is_file()), (sources, "folder of sources", sources.is_dir())):
            if not found:
                self.fail("There is no %s at %s.", what, path)
                return
        tables = [path for path in (plan, folder / WEAVE_NAME) if path.is_file()]
        if opts.page and not any(_is_of(row, opts.page) for path in tables for row in read_rows(path)):
            self.fail("The plan has no link of %s: --page takes an address of its column url_from.", opts.page)
            return
        run_id = "" if opts.no_marker else hashlib.sha256(plan.read_bytes()).hexdigest()[:8]
        chosen = list(_chosen(plan, opts))
        links = [PlannedLink.from_row(row) for row in chosen if _is_sure_enough(row, opts.min_confidence)]
        rules = InsertionRules(max_total=MAX_TOTAL, max_new=MAX_NEW, run_id=run_id)
        where = SourceFolder(sources, opts.pattern)
        links_in = work_out_insertions(links, where, rules)
        _write_or_show(links_in, folder, write=opts.write)
        woven = list(_accepted_rewrites(folder, opts))
        rewrites = work_out_weaves(woven, where, MAX_TOTAL)  # after the links are in, if they go in
        _write_or_show(rewrites, folder, write=opts.write)
        print(_told(links_in, len(links), "links", written=opts.write))
        if len(links) < len(chosen):
            print(f"{len(chosen) - len(links)} links are less sure than {opts.min_confidence:g} and nobody has accepted them.")
        if woven:
            print(_told(rewrites, len(woven), "rewritten paragraphs", written=opts.write))
        self.exitcode = 0 if links_in.files or rewrites.files or not (links or woven) else 1


def _statuses(opts: argparse.Namespace) -> set[str]:
    return {status.strip() for status in opts.status.split(",")}


def _chosen(plan: Path, opts: argparse.Namespace) -> Iterator[dict[str, str]]:
    statuses = _statuses(opts)
    for row in sorted(read_rows(plan), key=_usefulness):
        if row["placement"] != "wrap" or row["status"] not in statuses:
            continue
        if _is_of(row, opts.page):
            yield row


def _is_of(row: dict[str, str], page: str) -> bool:
    """Whether the row's link stands on the page; any page where none is named."""
    return not page or page_key(row["url_from"]) == page_key(page)


def _is_sure_enough(row: dict[str, str], least: float) -> bool:
    """Whether somebody has accepted the row, or it is sure enough; a method without confidences answers for its own threshold."""
    confidence = number(row["confidence"])
    return row["status"] == Status.ACCEPTED or confidence is None or confidence >= least


def _usefulness(row: dict[str, str]) -> tuple[bool, float]:
    """Where a page has more rows than may go in: those within the limit first, then by gain, else as the plan has them."""
    return flag(row.get("beyond_limit", "")), -(number(row.get("gain", "")) or 0.0)


def _accepted_rewrites(folder: Path, opts: argparse.Namespace) -> Iterator[dict[str, str]]:
    """Rows of weave.csv: only what somebody has read and accepted."""
    path = folder / WEAVE_NAME
    for row in read_rows(path) if path.is_file() else []:
        accepted = row["status"].strip().lower() == Status.ACCEPTED and row["after"]
        if accepted and _is_of(row, opts.page):
            yield row


def _write_or_show(changes: Changes, folder: Path, *, write: bool) -> None:
    if write:
        write_insertions(changes, folder)
        return
    for change in changes.files:
        print(change.diff(), end="")


def _told(changes: Changes, asked: int, what: str, *, written: bool) -> str:
    done = "inserted" if written else "would be inserted (nothing was written: add --write)"
    lines = [f"{changes.links} of {asked} {what} {done}, in {len(changes.files)} files."]
    lines += [f"  {n} × {reason}" for reason, n in changes.reasons().most_common()]
    return "\n".join(lines)
