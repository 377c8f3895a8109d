"""``backtest.svg``: precision over recall, a curve a method, with the confidence at which each part of a curve is reached."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.backtest.metrics import CurvePoint
    from analysis.backtest.scores import MethodScores, Result

_WIDTH, _HEIGHT = 720, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 56, 56
_LABEL: Final = 0.035  # of the width, which the label of a mark takes
# Okabe and Ito's colours, told apart with any kind of colour vision (https://jfly.uni-koeln.de/color/).
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
_STYLE: Final = (
    "text{font:13px system-ui,sans-serif}.name{font-weight:600}.mark{font-size:11px}"
    ".grid{stroke:#ddd}.wished{stroke:#888;stroke-dasharray:4 4}.curve{fill:none;stroke-width:2}"
)


def draw_curves(result: Result) -> str:
    """The picture as SVG text, without anything from outside."""
    told = f"Precision and recall of hidden links, {result.pages} articles"
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} fill="#222" role="img">',
            f"<title>{told}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
            *_axes(),
            f'<line class="wished" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(result.precision)}" y2="{_y(result.precision)}"/>',
            *(line for number, scored in enumerate(result.methods) for line in _curve(number, scored)),
            "</svg>",
            "",
        ]
    )


def _x(recall: float) -> float:
    return round(_LEFT + recall * (_WIDTH - _LEFT - _RIGHT), 1)


def _y(precision: float) -> float:
    return round(_TOP + (1 - precision) * (_HEIGHT - _TOP - _BOTTOM), 1)


def _axes() -> Iterable[str]:
    for tenths in range(0, 11, 2):
        share = tenths / 10
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(share)}" y2="{_y(share)}"/>'
        yield f'<text x="{_LEFT - 8}" y="{_y(share) + 4}" text-anchor="end">{share:.0%}</text>'
        yield f'<text x="{_x(share)}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">{share:.0%}</text>'
    yield f'<text x="{_x(0.5)}" y="{_HEIGHT - 12}" text-anchor="middle">recall: hidden links that are proposed</text>'
    yield f'<text x="{_LEFT - 48}" y="{_TOP - 14}">precision: proposals that are hidden links</text>'


def _curve(number: int, scored: MethodScores) -> Iterable[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    name = f"{scored.method}, marked with its {scored.score_name}"
    place = f'x="{_WIDTH - _RIGHT}" y="{20 + 18 * number}" text-anchor="end"'
    yield f'<text class="name" {place} fill="{colour}">{escape(name)}</text>'
    if scored.curve:
        path = " ".join(f"{_x(point.recall)},{_y(point.precision)}" for point in scored.curve)
        yield f'<polyline class="curve" stroke="{colour}" points="{path}"/>'
    for tenths, point in _marks(scored.curve):
        yield f'<circle cx="{_x(point.recall)}" cy="{_y(point.precision)}" r="3.5" fill="{colour}"/>'
        yield f'<text class="mark" x="{_x(point.recall) + 6}" y="{_y(point.precision) - 6}" fill="{colour}">{tenths / 10}</text>'


def _marks(curve: Sequence[CurvePoint]) -> Iterable[tuple[int, CurvePoint]]:
    """The last points above each tenth of the score, as far as their labels have room."""
    free_from = 0.0
    for tenths in range(9, 0, -1):
        above = [point for point in curve if point.score >= tenths / 10]
        if above and len(above) < len(curve) and above[-1].recall >= free_from:
            free_from = above[-1].recall + _LABEL
            yield tenths, above[-1]
