"""``scrapy plan FOLDER``: make the plan again from a crawl store; ``--only``: the links of one new article or draft."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.utils.log import configure_logging

from analysis import one_article, plan
from analysis.config import ConfigError, PlanConfig
from analysis.drafts import DraftError
from analysis.store import StoreError
from interlink_spider.folder_argument import folder_argument
from interlink_spider.one_page import read_given

if TYPE_CHECKING:
    import argparse
    from pathlib import Path


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

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument("--only", default="", metavar="URL|FILE", help="only one new article, or a draft in HTML or Markdown")
        parser.add_argument("--url", default="", help="the address that the draft will have")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Plan and print the summary."""
        folder = folder_argument(args, "scrapy plan output/example.com")
        if opts.url and not opts.only:
            raise UsageError("--url is the address of a draft, and belongs to --only FILE")
        assert self.settings is not None
        configure_logging(self.settings)
        try:
            print(self._planned(folder.resolve(), opts))
        except (ConfigError, DraftError, StoreError, plan.PlanError) as error:
            logging.getLogger(__name__).error("%s", error)
            self.exitcode = 1

    def _planned(self, folder: Path, opts: argparse.Namespace) -> str:
        assert self.settings is not None
        config = PlanConfig.from_settings(self.settings)
        if not opts.only:
            return plan.run(folder, config).text()
        draft, url = read_given(opts.only, opts.url, folder, self.settings["USER_AGENT"])
        return one_article.run(folder, config, draft, url).text()
