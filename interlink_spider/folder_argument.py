"""The one argument that our commands take: the folder of a crawl and its plan."""

from __future__ import annotations

from pathlib import Path

from scrapy.exceptions import UsageError


def folder_argument(args: list[str], example: str) -> Path:
    """The folder as it was given.

    :param args: what the command line left over. Scrapy puts options there that no command knows.
    :param example: a right command line, for the message.
    :raises UsageError: on an unknown option, and unless one folder is named.
    """
    unknown = [arg for arg in args if arg.startswith("-")]
    if unknown:
        raise UsageError(f"There is no option {unknown[0]}")
    if len(args) != 1:
        raise UsageError(f"Name one folder, for example: {example}")
    return Path(args[0])
