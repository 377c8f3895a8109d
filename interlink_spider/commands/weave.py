"""``scrapy weave FOLDER``: ask a language model for a pointer where the plan found no place; writes weave.csv, never a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from analysis.plan import PlanError
from analysis.weave.run import run
from interlink_spider.folder_command import FolderCommand

if TYPE_CHECKING:
    import argparse
    from pathlib import Path


class Command(FolderCommand):
    """Exit code 0 when weave.csv was written, 1 with one sentence when it was not."""

    summary = "Ask a language model to point at related articles where no words fit (INTERLINK_CHAT_MODEL)"
    example = "scrapy weave output/example.com --limit 20"
    errors = (PlanError,)

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument("--limit", type=int, default=50, help="so many rows of the plan at most, the best first (default 50)")

    def check(self, opts: argparse.Namespace) -> None:
        """See FolderCommand."""
        if opts.limit < 1:
            raise UsageError(f"--limit is {opts.limit}; allowed is a number from 1.")

    def work(self, folder: Path, opts: argparse.Namespace) -> None:
        """Weave and tell what came of it."""
        print(run(folder, self.config(), opts.limit).text())
