"""A setting of ours that there is not is refused; those of others are left alone."""

from __future__ import annotations

import pytest

from analysis.config import ConfigError
from interlink_spider import settings
from interlink_spider.setting_names import NAMES, check_names


def test_every_setting_has_its_default_and_the_other_way_round() -> None:
    assert {name for name in dir(settings) if name.startswith("INTERLINK_")} == NAMES


def test_all_unknown_names_are_told_at_once_with_the_nearest_where_there_is_one() -> None:
    given = ["INTERLINK_TEXT_CHAR", "INTERLINK_XYZZY", "interlink_model", "INTERLINK_METHOD", "DOWNLOAD_DELEY", "MYADDON_METOD"]
    with pytest.raises(ConfigError) as raised:
        check_names(given)
    assert str(raised.value).splitlines() == [
        "There is no setting INTERLINK_TEXT_CHAR; did you mean INTERLINK_TEXT_CHARS?",
        "There is no setting INTERLINK_XYZZY; the README lists them all.",
        "There is no setting interlink_model; did you mean INTERLINK_MODEL?",
    ]


def test_right_and_foreign_names_pass() -> None:
    check_names([*NAMES, "DOWNLOAD_DELEY", "MYADDON_METOD", "INTERLINK"])
