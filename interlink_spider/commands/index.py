"""``scrapy index FOLDER``: put a crawl's article vectors into an index (local, pgvector or Pinecone), only what has changed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.utils.log import configure_logging

from analysis import indexing
from analysis.config import ConfigError, PlanConfig
from analysis.plan import PlanError
from interlink_spider.folder_argument import folder_argument

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit code 0 when the index is up to date, 1 with one sentence when it is not."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """See ScrapyCommand."""
        return "[options] <folder>"

    def short_desc(self) -> str:
        """See ScrapyCommand."""
        return "Put a crawl's article vectors into an index (INTERLINK_INDEX), only what is new or has changed"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002
        """Bring the index up to date and tell what was done."""
        folder = folder_argument(args, "scrapy index output/example.com")
        assert self.settings is not None
        configure_logging(self.settings)
        try:
            counts = indexing.run(folder.resolve(), PlanConfig.from_settings(self.settings))
        except (ConfigError, PlanError) as error:
            logging.getLogger(__name__).error("%s", error)
            self.exitcode = 1
            return
        for language, count in counts.items():
            print(f"{language}: {count.upserted} upserted, {count.unchanged} unchanged, {count.deleted} deleted")
