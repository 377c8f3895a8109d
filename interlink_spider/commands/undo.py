"""``scrapy undo FOLDER``: take links that ``scrapy apply`` put in out again, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.editing.changes import work_out_removals, write_removals
from analysis.editing.ledger import NAME as LEDGER
from analysis.editing.ledger import read_ledger
from analysis.urls import page_key
from interlink_spider.folder_command import FolderCommand

if TYPE_CHECKING:
    import argparse


class Command(FolderCommand):
    """Exit code 1 when a link could not be taken out because the file has changed in that place."""

    summary = "Take inserted links out of the sources again (shows a diff; --write does it)"
    example = "scrapy undo output/example.com"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument("--page", default="", help="only links of this page")
        parser.add_argument("--target", default="", help="only links to this page")
        parser.add_argument("--write", action="store_true", help="write the files instead of showing a diff")

    def work(self, folder: Path, opts: argparse.Namespace) -> None:
        """Work out all changes, then show or write them."""
        entries = read_ledger(folder)
        if not entries:
            self.fail("Nothing to take out: %s names no link that `scrapy apply` put in.", folder / LEDGER)
            return
        page, target = (page_key(url) if url else "" for url in (opts.page, opts.target))
        chosen = [
            entry
            for entry in entries
            if (not page or page_key(entry.url_from) == page) and (not target or page_key(entry.url_to) == target)
        ]
        if not chosen:
            self.fail("The ledger in %s has no such link.", folder)
            return
        changes = work_out_removals(chosen, Path())
        if opts.write:
            write_removals(changes, folder, entries)
        else:
            for change in changes.files:
                print(change.diff(), end="")
        done = "taken out" if opts.write else "would be taken out (nothing was written: add --write)"
        print(f"{changes.links} of {len(chosen)} links {done}.")
        for url_from, url_to, reason in changes.refused:
            print(f"  {url_from} → {url_to}: {reason}")
        self.exitcode = 1 if changes.refused else 0
