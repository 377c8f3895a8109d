"""``scrapy backtest FOLDER``: how many of the site's own links a plan finds again when they are hidden from it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.utils.log import configure_logging

from analysis.backtest import outputs
from analysis.backtest.run import FOLDS, PRECISION, BacktestError, run
from analysis.config import METHODS, ConfigError, PlanConfig
from interlink_spider.folder_argument import folder_argument

if TYPE_CHECKING:
    import argparse

MOST_FOLDS = 20


class Command(ScrapyCommand):
    """Exit code 0 when the figures were written, 1 with one sentence when they were not, for instance for want of links."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """See ScrapyCommand."""
        return "[options] <folder>"

    def short_desc(self) -> str:
        """See ScrapyCommand."""
        return "Hide the site's own links and see how many of them a plan finds again"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """See ScrapyCommand."""
        super().add_options(parser)
        parser.add_argument(
            "--folds", type=int, default=FOLDS, help=f"rounds, each with its part of the links hidden (default {FOLDS})"
        )
        parser.add_argument(
            "--precision", type=float, default=PRECISION, help=f"look up the confidence for this precision (default {PRECISION})"
        )
        parser.add_argument("--method", default=",".join(METHODS), help=f"methods to compare (default {','.join(METHODS)})")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Measure, write, and print the figures."""
        folder = folder_argument(args, "scrapy backtest output/example.com").resolve()
        methods = [name.strip() for name in opts.method.split(",")]
        if not 2 <= opts.folds <= MOST_FOLDS:
            raise UsageError(f"--folds is {opts.folds}; allowed is a number from 2 to {MOST_FOLDS}.")
        if not 0 < opts.precision <= 1:
            raise UsageError(f"--precision is {opts.precision:g}; allowed is a number above 0, up to 1.")
        if unknown := [name for name in methods if name not in METHODS]:
            raise UsageError(f"--method names {', '.join(map(repr, unknown))}; allowed are {', '.join(METHODS)}.")
        assert self.settings is not None
        configure_logging(self.settings)
        try:
            config = PlanConfig.from_settings(self.settings)
            result = run(folder, config, methods=list(dict.fromkeys(methods)), folds=opts.folds, precision=opts.precision)
        except (ConfigError, BacktestError) as error:
            logging.getLogger(__name__).error("%s", error)
            self.exitcode = 1
            return
        print(outputs.text(result))
        print(f"\nAll of it is in {folder / 'backtest.json'}, the curves in {folder / outputs.PICTURE}")
