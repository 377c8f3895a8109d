"""What our commands have in common: each works on the folder of one crawl and its plan."""

from __future__ import annotations

import logging
from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.utils.log import configure_logging

from analysis.config import ConfigError, PlanConfig
from interlink_spider.setting_names import check_names

if TYPE_CHECKING:
    import argparse

logger = logging.getLogger(__name__)


class FolderCommand(ScrapyCommand):
    """Exit code 0 when the work is done, 1 with one sentence when it cannot be, 2 when the command line is wrong."""

    requires_project = True
    requires_crawler_process = False

    summary: ClassVar[str]  # one line for the list of commands
    example: ClassVar[str]  # a right command line
    errors: ClassVar[tuple[type[Exception], ...]] = ()  # whose message is that sentence

    def syntax(self) -> str:
        """See ScrapyCommand."""
        return "[options] <folder>"

    def short_desc(self) -> str:
        """See ScrapyCommand."""
        return self.summary

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the command line, then work.

        :param args: what the command line left over. Scrapy puts options there that no command knows.
        """
        unknown = [arg for arg in args if arg.startswith("-")]
        if unknown:
            raise UsageError(f"There is no option {unknown[0]}")
        if len(args) != 1:
            raise UsageError(f"Name one folder, for example: {self.example}")
        self.check(opts)
        assert self.settings is not None
        configure_logging(self.settings)
        expected: tuple[type[Exception], ...] = (ConfigError, *self.errors)
        try:
            check_names(self.settings)
            self.work(Path(args[0]).resolve(), opts)
        except expected as error:
            self.fail("%s", error)

    def check(self, opts: argparse.Namespace) -> None:
        """:raises UsageError: where an option has a value that it may not have."""

    @abstractmethod
    def work(self, folder: Path, opts: argparse.Namespace) -> None:
        """Do what the command is for."""

    def config(self) -> PlanConfig:
        """The settings of the plan.

        :raises ConfigError: naming every setting that has a wrong value.
        """
        return PlanConfig.from_settings(self.settings)

    def fail(self, message: str, *values: object) -> None:
        """Say in one sentence why the work is not done, and end with 1."""
        logger.error(message, *values)
        self.exitcode = 1
