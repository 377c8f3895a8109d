"""``scrapy weave FOLDER``: ask a language model for a pointer where the plan found no place; writes weave.csv, never a source."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.utils.log import configure_logging

from analysis.config import ConfigError, PlanConfig
from analysis.plan import PlanError
from analysis.weave.run import run
from interlink_spider.folder_argument import folder_argument

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit code 0 when weave.csv was written, 1 with one sentence when it was not."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """See ScrapyCommand."""
        return "[options] <folder of the plan>"

    def short_desc(self) -> str:
        """See ScrapyCommand."""
        return "Ask a language model to point at related articles where no words fit (INTERLINK_CHAT_MODEL)"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument("--limit", type=int, default=50, help="so many rows of the plan at most, the best first (default 50)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Weave and tell what came of it."""
        folder = folder_argument(args, "scrapy weave output/example.com --limit 20").resolve()
        if opts.limit < 1:
            raise UsageError(f"--limit is {opts.limit}; allowed is a number from 1.")
        assert self.settings is not None
        configure_logging(self.settings)
        try:
            print(run(folder, PlanConfig.from_settings(self.settings), opts.limit).text())
        except (ConfigError, PlanError) as error:
            logging.getLogger(__name__).error("%s", error)
            self.exitcode = 1
