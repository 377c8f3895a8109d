"""``scrapy plan FOLDER``: make the plan again from a crawl store, without a request."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.utils.log import configure_logging

from analysis import plan
from analysis.config import ConfigError, PlanConfig

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit code 0 when the plan was written, 1 with one sentence when it was not."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """See ScrapyCommand."""
        return "[options] <folder>"

    def short_desc(self) -> str:
        """See ScrapyCommand."""
        return "Make the link plan again from a crawl's folder, without a request"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002
        """Plan and print the summary."""
        if len(args) != 1:
            raise UsageError("Name the folder of one crawl, for example: scrapy plan output/example.com")
        assert self.settings is not None
        configure_logging(self.settings)
        try:
            summary = plan.run(Path(args[0]).resolve(), PlanConfig.from_settings(self.settings))
        except (ConfigError, plan.PlanError) as error:
            logging.getLogger(__name__).error("%s", error)
            self.exitcode = 1
            return
        print(summary.text())
