"""``scrapy report FOLDER``: make the report again from the files of a plan, without a request."""

from __future__ import annotations

import logging
import webbrowser
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from analysis.outputs.report import ReportError, write_report
from interlink_spider.folder_argument import folder_argument

if TYPE_CHECKING:
    import argparse

logger = logging.getLogger(__name__)


class Command(ScrapyCommand):
    """Exit code 0 when the report was written, 1 with one sentence when it was not."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """See ScrapyCommand."""
        return "[options] <folder of the plan>"

    def short_desc(self) -> str:
        """See ScrapyCommand."""
        return "Make report.html again from a plan's folder (--open shows it)"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument("--open", action="store_true", help="show the report in the browser")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write the report and say where it is."""
        folder = folder_argument(args, "scrapy report output/example.com")
        try:
            path = write_report(folder.resolve())
        except (ReportError, OSError) as error:
            logger.error("%s", error)
            self.exitcode = 1
            return
        print(path)
        if opts.open and not webbrowser.open(path.as_uri()):
            print("No browser was found; open the file above in one.")
