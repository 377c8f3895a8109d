"""``scrapy report FOLDER``: make the report again from the files of a plan, without a request."""

from __future__ import annotations

import webbrowser
from typing import TYPE_CHECKING

from analysis.outputs.report import ReportError, write_report
from interlink_spider.folder_command import FolderCommand

if TYPE_CHECKING:
    import argparse
    from pathlib import Path


class Command(FolderCommand):
    """Exit code 0 when the report was written, 1 with one sentence when it was not."""

    summary = "Make report.html again from a plan's folder (--open shows it)"
    example = "scrapy report output/example.com"
    errors = (ReportError, OSError)

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument("--open", action="store_true", help="show the report in the browser")

    def work(self, folder: Path, opts: argparse.Namespace) -> None:
        """Write the report and say where it is."""
        path = write_report(folder)
        print(path)
        if opts.open and not webbrowser.open(path.as_uri()):
            print("No browser was found; open the file above in one.")
