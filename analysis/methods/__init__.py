"""The ways to choose links, one module each: a function from a site to the rows of its plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.methods import learned, semantic

if TYPE_CHECKING:
    from collections.abc import Callable

    from analysis.config import PlanConfig
    from analysis.records import PlanRow
    from analysis.site import Site

METHODS: Final[dict[str, Callable[[Site, PlanConfig], list[PlanRow]]]] = {"semantic": semantic.plan, "learned": learned.plan}
