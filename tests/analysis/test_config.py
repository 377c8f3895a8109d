"""Settings are refused as a whole, with the setting's name, its value and what is allowed."""

from __future__ import annotations

import pytest

from analysis.config import ConfigError, PlanConfig
from interlink_spider import settings
from tests.command import ROOT


def test_defaults_of_the_spider_are_those_of_the_plan() -> None:
    given = {name: getattr(settings, name) for name in dir(settings) if name.startswith("INTERLINK_")}
    assert PlanConfig.from_settings(given) == PlanConfig()


def test_settings_may_be_text_as_on_a_command_line() -> None:
    given = {
        "INTERLINK_TEXT_CHARS": "6500",
        "INTERLINK_MIN_SIMILARITY": "0.5",
        "INTERLINK_CSV_BOM": "yes",
        "INTERLINK_LANGUAGES": "en, ru",
    }
    config = PlanConfig.from_settings(given)
    assert (config.text_chars, config.min_similarity, config.csv_bom, config.languages) == (6500, 0.5, True, ("en", "ru"))


def test_all_wrong_values_are_named_at_once() -> None:
    with pytest.raises(ConfigError) as raised:
        PlanConfig(method="magic", embedder="oracle", links_per_page=0, min_similarity=2.0)
    message = str(raised.value)
    for part in (
        "INTERLINK_METHOD is 'magic'",
        "semantic",
        "INTERLINK_EMBEDDER",
        "INTERLINK_LINKS_PER_PAGE is 0",
        "INTERLINK_MIN_SIMILARITY is 2.0",
    ):
        assert part in message


@pytest.mark.parametrize(
    ("name", "value"),
    [("TEXT_CHARS", "many"), ("TEXT_CHARS", 2.5), ("TEXT_CHARS", True), ("MIN_SIMILARITY", "high"), ("CSV_BOM", "perhaps")],
)
def test_a_wrong_type_is_refused_with_the_setting_s_name(name: str, value: object) -> None:
    with pytest.raises(ConfigError, match=f"INTERLINK_{name}"):
        PlanConfig.from_settings({f"INTERLINK_{name}": value})


@pytest.mark.parametrize("name", sorted(name for name in dir(settings) if name.startswith("INTERLINK_")))
def test_every_setting_stands_in_the_readme(name: str) -> None:
    assert f"`{name}`" in (ROOT / "README.md").read_text(encoding="utf-8")
