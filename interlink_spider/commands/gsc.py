"""``scrapy gsc FOLDER --export FILE``: join Search Console's figures to a crawl, and make the plan again with them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from analysis import plan
from analysis.search_console import ExportError, import_exports
from analysis.search_console.api import ENDPOINT, download
from analysis.store import CrawlStore, StoreError
from interlink_spider.folder_command import FolderCommand

if TYPE_CHECKING:
    import argparse

    from analysis.search_console import Export

# Figures of the last days are not final: https://support.google.com/webmasters/answer/7576553 (data freshness).
_UNSETTLED_DAYS = 3
_DOWNLOADED = "search_console_api.zip"


class Command(FolderCommand):
    """Exit code 0 when the figures were read and the plan was made, 1 with one sentence when not; then nothing has changed."""

    summary = "Join Search Console's figures (exports, or the API) to a crawl and plan again"
    example = "scrapy gsc output/example.com --export FILE.zip"
    errors = (ExportError, StoreError, plan.PlanError)

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument(
            "--export",
            action="append",
            default=[],
            metavar="FILE",
            help="an export: ZIP, CSV or XLSX of the interface, the API, Looker Studio or BigQuery; may be given several times",
        )
        parser.add_argument("--service-account", default="", metavar="KEY.json", help="ask the API with this service account")
        parser.add_argument("--property", default="", metavar="NAME", help="sc-domain:example.com or https://example.com/")
        parser.add_argument("--days", type=int, default=90, help="days that the API is asked for (default 90)")
        parser.add_argument("--endpoint", default=ENDPOINT, help="address of the API (default %(default)s)")

    def check(self, opts: argparse.Namespace) -> None:
        """See FolderCommand."""
        if not (opts.export or opts.service_account):
            raise UsageError("Name an export, for example: scrapy gsc output/example.com --export FILE.zip")
        if bool(opts.service_account) != bool(opts.property):
            raise UsageError("--service-account KEY.json and --property sc-domain:example.com belong together")
        if opts.days < 1:
            raise UsageError("--days is a number of days, at least 1")

    def work(self, folder: Path, opts: argparse.Namespace) -> None:
        """Read everything, then replace what an earlier import left, then plan."""
        config = self.config()
        with CrawlStore.open(folder) as store:
            files = [Path(name) for name in opts.export]
            if opts.service_account:
                files.append(_download(folder, opts))
            for export in import_exports(store, files):
                print(_told(export))
        print(plan.run(folder, config).text())


def _download(folder: Path, opts: argparse.Namespace) -> Path:
    end = datetime.now(UTC).date() - timedelta(days=_UNSETTLED_DAYS)
    start = end - timedelta(days=opts.days - 1)
    done = download(opts.property, start, end, Path(opts.service_account), folder / _DOWNLOADED, endpoint=opts.endpoint)
    rows = ", ".join(f"{count:,} rows of {table}" for table, count in done.rows.items())
    print("\n".join([f"From the API, {start} to {end}: {rows}", *(f"  {note}" for note in done.notes)]))
    return done.path


def _told(export: Export) -> str:
    lines = [f"{', '.join(export.read)}: {len(export.pages):,} pages, {len(export.queries):,} rows of a page and a query"]
    lines += [f"  {warning}" for warning in export.warnings]
    lines += [f"  left out {part.name}: {part.reason}" for part in export.skipped]
    return "\n".join(lines)
