"""The names that a setting of ours may have. Scrapy takes any name, so a slip of the pen would be ignored without a word."""

from __future__ import annotations

from dataclasses import fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from analysis.config import ConfigError, PlanConfig
from analysis.hosted import OWN_KEY

if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIX: Final = "INTERLINK_"
_OF_THE_CRAWL: Final = ("OUTPUT_DIR", "PLAN_AT_CLOSE", "KEEP_HTML", "TRUST_LASTMOD", "UNLISTED_LINKS", "RETRY_AFTER_MAX")
# Written down here and not read from settings.py, which is where users write theirs.
NAMES: Final = frozenset(PREFIX + name for name in (*_OF_THE_CRAWL, *(field.name.upper() for field in fields(PlanConfig))))


def check_names(settings: Iterable[str]) -> None:
    """Check the names of all settings; those that do not begin as ours do are not our concern.

    :raises ConfigError: naming every setting that there is not, one a line, with the name that comes nearest.
    """
    ours = sorted(name for name in settings if name.upper().startswith(PREFIX))
    unknown = [name for name in ours if name not in NAMES and name != OWN_KEY]  # of a key PlanConfig says where it belongs
    if unknown:
        raise ConfigError("\n".join(map(_problem, unknown)))


def _problem(name: str) -> str:
    nearest = get_close_matches(name.upper().removeprefix(PREFIX), [known.removeprefix(PREFIX) for known in sorted(NAMES)], n=1)
    hint = f"did you mean {PREFIX}{nearest[0]}?" if nearest else "the README lists them all."
    return f"There is no setting {name}; {hint}"
