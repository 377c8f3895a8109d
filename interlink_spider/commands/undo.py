"""``scrapy undo FOLDER``: take links that ``scrapy apply`` put in out again, byte for byte."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from analysis.editing.changes import work_out_removals, write_removals
from analysis.editing.ledger import NAME as LEDGER
from analysis.editing.ledger import read_ledger
from analysis.urls import page_key
from interlink_spider.folder_argument import folder_argument

if TYPE_CHECKING:
    import argparse

logger = logging.getLogger(__name__)


class Command(ScrapyCommand):
    """Exit code 1 when a link could not be taken out because the file has changed in that place."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """See ScrapyCommand."""
        return "[options] <folder of the plan>"

    def short_desc(self) -> str:
        """See ScrapyCommand."""
        return "Take inserted links out of the sources again (shows a diff; --write does it)"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument("--page", default="", help="only links of this page")
        parser.add_argument("--target", default="", help="only links to this page")
        parser.add_argument("--write", action="store_true", help="write the files instead of showing a diff")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Work out all changes, then show or write them."""
        folder = folder_argument(args, "scrapy undo output/example.com")
        entries = read_ledger(folder)
        if not entries:
            logger.error("Nothing to take out: %s names no link that `scrapy apply` put in.", folder / LEDGER)
            self.exitcode = 1
            return
        page, target = (page_key(url) if url else "" for url in (opts.page, opts.target))
        chosen = [
            entry
            for entry in entries
            if (not page or page_key(entry.url_from) == page) and (not target or page_key(entry.url_to) == target)
        ]
        if not chosen:
            logger.error("The ledger in %s has no such link.", folder)
            self.exitcode = 1
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
