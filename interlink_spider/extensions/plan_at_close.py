"""The closing step: the plan is made when the crawl has ended.

It runs in a synchronous handler of ``engine_stopped``: by then every pipeline, feed and JOBDIR is closed and the finish reason
is known, and a SIGTERM waits until the handler returns (any asynchronous variant would lose the work without a word). It is an
extension and no pipeline because extensions are built before the engine: so this handler comes before the one that closes the
connections, whose one second of patience would run out while the plan is made.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals

from analysis import plan
from analysis.config import PlanConfig
from analysis.store import CrawlStore, StoreError
from interlink_spider.extensions.job_outputs import keep_job_outputs
from interlink_spider.setting_names import check_names

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

# The stat that tells the crawl command (and Scrapyd's log) how the plan went.
PLAN_STATUS = "interlink/plan_status"
PLAN_DONE, PLAN_OFF, PLAN_FAILED = "done", "off", "failed"


class PlanAtClose:
    """Plan from the crawl store when the engine has stopped."""

    def __init__(self, crawler: Crawler, config: PlanConfig) -> None:
        self.crawler = crawler
        self.config = config

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """:raises ConfigError: before anything is fetched, naming every setting that cannot be used."""
        check_names(crawler.settings)
        extension = cls(crawler, PlanConfig.from_settings(crawler.settings))
        crawler.signals.connect(extension.engine_stopped, signals.engine_stopped)
        return extension

    def engine_stopped(self) -> None:
        """Make the plan; a failure is told and kept in the stats, the crawl stays."""
        spider: Any = self.crawler.spider
        if spider is None:
            return
        folder = spider.store.folder
        spider.store.close()
        status = PLAN_OFF
        if spider.store_failed:
            status = PLAN_FAILED
        elif self.crawler.settings.getbool("INTERLINK_PLAN_AT_CLOSE"):
            status = self._plan(folder)
            with suppress(StoreError), CrawlStore.open(folder) as store:
                store.plan_is_done()
        if status == PLAN_DONE and spider.job:
            logger.info("The outputs of this job are kept in %s.", keep_job_outputs(folder, spider.name, spider.job))
        spider.lock.release()
        self.crawler.stats.set_value(PLAN_STATUS, status)

    def _plan(self, folder: Path) -> str:
        try:
            summary = plan.run(folder, self.config, if_changed=True)
        except plan.PlanError as error:
            logger.error("%s", error)
            return PLAN_FAILED
        except Exception:
            logger.exception("The plan failed; the crawl is kept, and `scrapy plan %s` makes the plan again.", folder)
            return PLAN_FAILED
        logger.info("%s", summary.text())
        return PLAN_DONE
