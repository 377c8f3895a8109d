"""What a backtest leaves behind: ``backtest.json`` with all its figures, ``backtest.svg``, and the figures for the screen."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from analysis.backtest.picture import draw_curves
from analysis.backtest.scores import FEW
from analysis.outputs import plan_table
from analysis.outputs.report import ReportError, write_report
from analysis.outputs.report.data import Backtest, Series
from analysis.outputs.report.drawing import evenly
from analysis.outputs.report.files import write_backtest
from analysis.outputs.tables import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from analysis.backtest.metrics import CurvePoint
    from analysis.backtest.scores import MethodScores, Result, Scores

logger = logging.getLogger(__name__)

PICTURE: Final = "backtest.svg"

_POINTS: Final = 40  # of a curve that the report draws
_ALL_POINTS: Final = 1000  # of a curve in the file


def write_result(folder: Path, result: Result) -> None:
    """Write both files, each replaced as a whole, and the report of the plan anew, if there is one."""
    series = tuple(
        Series(scored.method, tuple((round(p.recall, 3), round(p.precision, 4)) for p in thinned(scored.curve, _POINTS)))
        for scored in result.methods
        if scored.curve
    )
    write_text(folder / PICTURE, draw_curves(result))
    write_backtest(folder, Backtest("recall", "precision", _note(result), series), _figures(result))
    if (folder / plan_table.NAME).is_file():
        try:
            write_report(folder)
        except ReportError as error:
            logger.error("The figures are written; the report is the old one: %s", error)


def thinned(curve: Sequence[CurvePoint], most: int) -> list[CurvePoint]:
    """At most ``most`` points of a curve, the first and the last among them."""
    return [curve[at] for at in evenly(len(curve), most).tolist()]


def _note(result: Result) -> str:
    found = ", ".join(f"{scored.method} {_percent(scored.total.recall)}" for scored in result.methods)
    return (
        f"Of the {result.links} links that editors placed, {result.share:.0%} at a time were hidden from the plan. "
        f"Found again among the first {result.top} proposals of a page: {found}. "
        "Precision counts only what the editors had, so it is a floor. "
        + " ".join(_advice(scored, result.precision) for scored in result.methods)
    )


def _advice(scored: MethodScores, precision: float) -> str:
    point = scored.point_of(precision)
    if point is None:
        return f"{scored.method}: no {scored.score_name} reaches a precision of {precision:.0%} over {FEW} proposals or more."
    return (
        f"{scored.method}: from {scored.score_name} {point.score:.2f} on, precision is {_percent(point.precision)} "
        f"and recall {_percent(point.recall)} ({point.kept} proposals)."
    )


def _figures(result: Result) -> dict[str, Any]:
    facts = asdict(result)
    facts["methods"] = {scored.method: _of_method(scored, result.precision) for scored in result.methods}
    rounded: dict[str, Any] = _rounded(facts)
    return rounded


def _of_method(scored: MethodScores, precision: float) -> dict[str, Any]:
    point = scored.point_of(precision)
    return {
        "score": scored.score_name,
        "languages": {language: asdict(scores) for language, scores in scored.by_language.items()},
        "levels": {level: asdict(score) for level, score in scored.levels.items()},
        "calibration_error": scored.calibration_error,
        "at_wished_precision": asdict(point) if point else None,
        "curve": [asdict(point) for point in thinned(scored.curve, _ALL_POINTS)],
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    return round(value, 4) if isinstance(value, float) else value


_COLUMNS: Final = ("links", "recall", "precision", "ndcg", "placed", "anchor_f1", "exact", "insertable", "coverage")


def text(result: Result) -> str:
    """The figures for a terminal."""
    heads = (f"recall@{result.top}" if column == "recall" else column.replace("_", " ") for column in _COLUMNS)
    lines = [
        "",
        f"{result.links} links to other articles stand in the texts of {result.pages} articles; {result.share:.0%} of them "
        f"hidden at a time, {result.rounds} {'rounds' if result.rounds > 1 else 'round'}",
        "",
        f"{'method':<10}{'language':<10}" + "".join(f"{head:>11}" for head in heads),
    ]
    for scored in result.methods:
        shown = scored.by_language if len(scored.by_language) > 2 else list(scored.by_language)[:1]
        lines += [f"{scored.method:<10}{language:<10}" + _cells(scored.by_language[language]) for language in shown]
    lines.append("")
    for scored in result.methods:
        total = scored.total
        lines.append(
            f"{scored.method}: {_percent(total.named)} of the hidden links have words in the text that could be their anchor; "
            f"recall {_percent(total.recall_named)} of these, {_percent(total.recall_unnamed)} of the others"
        )
        lines += [
            f"  marked {level}: precision {_percent(score.precision)}, recall {_percent(score.recall)}"
            for level, score in scored.levels.items()
        ]
        if scored.calibration_error is not None:
            lines.append(f"  calibration error of confidence: {scored.calibration_error:.3f}")
        lines.append(f"  {_advice(scored, result.precision).partition(': ')[2]}")
    return "\n".join(lines)


def _cells(scores: Scores) -> str:
    return "".join(f"{_cell(getattr(scores, column)):>11}" for column in _COLUMNS)


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"
