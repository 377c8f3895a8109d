"""``scrapy crawl``: Scrapy's own command, with arguments checked up front and an exit code that tells the truth.

Scrapy ends with 0 when a pipeline, a signal handler or the spider's constructor failed; whoever runs a crawl from cron or
Scrapyd needs to know.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from scrapy.commands.crawl import Command as ScrapyCrawlCommand
from scrapy.exceptions import UsageError

from analysis.config import ConfigError, PlanConfig, output_folder
from analysis.plan import PlanError, check_model
from analysis.store import CrawlLock, CrawlStore, StoreError
from interlink_spider.arguments import ArgumentError, SpiderArguments
from interlink_spider.extensions.plan_at_close import PLAN_FAILED, PLAN_STATUS
from interlink_spider.setting_names import check_names
from interlink_spider.spiders.interlink import InterlinkSpider

if TYPE_CHECKING:
    import argparse

logger = logging.getLogger(__name__)


class Command(ScrapyCrawlCommand):
    """Replaces the built-in command of the same name within this project."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Crawl and plan; exit code 1 when there is no plan in the end, 2 when it could not even begin."""
        if args[:1] != [InterlinkSpider.name]:
            super().run(args, opts)
            return
        if args[1:] and args[1].startswith("-"):
            raise UsageError(f"There is no option {args[1]}")
        if len(args) > 1:
            raise UsageError("running 'scrapy crawl' with more than one spider is not supported")
        assert self.settings is not None
        problem = self._problem(opts.spargs)
        if problem:
            print(problem, file=sys.stderr)
            if self.settings.get("LOG_FILE"):
                logger.error("%s", problem)
            self.exitcode = 2
            return
        assert self.crawler_process is not None
        crawler = self._create_crawler(InterlinkSpider.name)
        self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        status = str(crawler.stats.get_value(PLAN_STATUS, PLAN_FAILED)) if crawler.stats else PLAN_FAILED
        if self.crawler_process.bootstrap_failed or status == PLAN_FAILED:
            self.exitcode = 1

    def _problem(self, arguments: dict[str, str]) -> str:
        """What makes the crawl impossible, in words; found before the first request."""
        assert self.settings is not None
        try:
            site = SpiderArguments.parse(arguments)
            check_names(self.settings)
            config = PlanConfig.from_settings(self.settings)
            folder = output_folder(self.settings["INTERLINK_OUTPUT_DIR"], site.host)
            CrawlStore.create(folder).close()
            CrawlLock(folder).release()
            if self.settings.getbool("INTERLINK_PLAN_AT_CLOSE"):
                check_model(config)
        except (ArgumentError, ConfigError, StoreError, PlanError) as error:
            return str(error)
        return ""
