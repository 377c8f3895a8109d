"""``scrapy backtest FOLDER``: how many of the site's own links a plan finds again when they are hidden from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from analysis.backtest import outputs
from analysis.backtest.run import FOLDS, PRECISION, BacktestError, run
from analysis.config import METHODS
from interlink_spider.folder_command import FolderCommand

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

MOST_FOLDS = 20


class Command(FolderCommand):
    """Exit code 0 when the figures were written, 1 with one sentence when they were not, for instance for want of links."""

    summary = "Hide the site's own links and see how many of them a plan finds again"
    example = "scrapy backtest output/example.com"
    errors = (BacktestError,)

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

    def check(self, opts: argparse.Namespace) -> None:
        """See FolderCommand."""
        if not 2 <= opts.folds <= MOST_FOLDS:
            raise UsageError(f"--folds is {opts.folds}; allowed is a number from 2 to {MOST_FOLDS}.")
        if not 0 < opts.precision <= 1:
            raise UsageError(f"--precision is {opts.precision:g}; allowed is a number above 0, up to 1.")
        if unknown := [name for name in _methods(opts) if name not in METHODS]:
            raise UsageError(f"--method names {', '.join(map(repr, unknown))}; allowed are {', '.join(METHODS)}.")

    def work(self, folder: Path, opts: argparse.Namespace) -> None:
        """Measure, write, and print the figures."""
        result = run(folder, self.config(), methods=_methods(opts), folds=opts.folds, precision=opts.precision)
        print(outputs.text(result))
        print(f"\nAll of it is in {folder / 'backtest.json'}, the curves in {folder / outputs.PICTURE}")


def _methods(opts: argparse.Namespace) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in opts.method.split(",")))
