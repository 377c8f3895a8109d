"""``scrapy plan FOLDER``: make the plan again from a crawl store; ``--only``: the links of one new article or draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from analysis import one_article, plan
from analysis.drafts import DraftError
from analysis.store import StoreError
from interlink_spider.folder_command import FolderCommand
from interlink_spider.one_page import read_given

if TYPE_CHECKING:
    import argparse
    from pathlib import Path


class Command(FolderCommand):
    """Exit code 0 when the plan was written, 1 with one sentence when it was not."""

    summary = "Make the link plan again from a crawl's folder, without a request"
    example = "scrapy plan output/example.com"
    errors = (DraftError, StoreError, plan.PlanError)

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument("--only", default="", metavar="URL|FILE", help="only one new article, or a draft in HTML or Markdown")
        parser.add_argument("--url", default="", help="the address that the draft will have")

    def check(self, opts: argparse.Namespace) -> None:
        """See FolderCommand."""
        if opts.url and not opts.only:
            raise UsageError("--url is the address of a draft, and belongs to --only FILE")

    def work(self, folder: Path, opts: argparse.Namespace) -> None:
        """Plan and print the summary."""
        config = self.config()
        if opts.only:
            assert self.settings is not None
            draft, url = read_given(opts.only, opts.url, folder, self.settings["USER_AGENT"])
            print(one_article.run(folder, config, draft, url).text())
        else:
            print(plan.run(folder, config).text())
