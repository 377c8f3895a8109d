"""``report.html``: the plan as a page to read and to work through, in one file that opens offline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.outputs.report.gather import build
from analysis.outputs.report.reading import ReportError
from analysis.outputs.report.render import render
from analysis.outputs.tables import write_text

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["NAME", "ReportError", "build", "render", "write_report"]

NAME: Final = "report.html"


def write_report(folder: Path) -> Path:
    """Make the report of the plan in ``folder`` from the files that the plan left there.

    :return: the file, replaced as a whole.
    :raises ReportError: if there is no plan, or one of its files cannot be read.
    """
    path = folder / NAME
    write_text(path, render(build(folder)))
    return path
