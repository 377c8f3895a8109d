"""Word lists by language, kept as TOML in ``analysis/data``: ``en = "a about …"``, one key a language."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def read(name: str) -> Mapping[str, frozenset[str]]:
    """The list ``analysis/data/<name>.toml``: language code -> its entries, split at white space; ``_`` in an entry is a space.

    :raises FileNotFoundError: if there is no such list.
    """
    source = resources.files("analysis.data").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return {language: _entries(entries) for language, entries in tomllib.loads(source).items()}


def _entries(text: str) -> frozenset[str]:
    return frozenset(entry.replace("_", " ") for entry in text.split())


def base_language(language: str) -> str:
    """The primary subtag in lower case: ``pt-BR`` -> ``pt``."""
    return language.replace("_", "-").partition("-")[0].lower()
