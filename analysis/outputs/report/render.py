"""One HTML file that needs nothing else: styles, scripts and data inside, and a policy that forbids every request.

What comes from pages reaches the browser as JSON in a data block, or as text that the template escapes; the scripts make elements
and set their text, never markup. The policy names the two scripts and the one style sheet by their digest, so nothing else runs.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import fields
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.outputs.report.data import ReportData

LIBRARY: Final = "d3.min.js"
STYLES: Final = "report.css"
SCRIPTS: Final = (  # in this order: each uses what stands before it
    "elements.js",
    "decisions.js",
    "pager.js",
    "plan.js",
    "orphans.js",
    "charts.js",
    "links.js",
    "topics.js",
    "tables.js",
    "app.js",
)


def render(data: ReportData) -> str:
    """The report as HTML, the same for the same data."""
    library = _asset(LIBRARY)
    script = '(() => {\n"use strict";\n' + "\n".join(_asset(name) for name in SCRIPTS) + "})();\n"
    styles = _asset(STYLES)
    environment = Environment(
        loader=FunctionLoader(_template), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("report.html").render(
        report=data,
        policy=_policy((library, script), styles),
        library=library,
        script=script,
        styles=styles,
        payload=htmlsafe_json_dumps(payload(data), _dumps),
    )


def payload(data: ReportData) -> dict[str, Any]:
    """What the scripts read: tables as ``{"columns": […], "rows": [[…], …]}``, each name once."""
    return {
        "site": data.site,
        "languages": list(data.languages.items()),
        "pages": _table(data.pages),
        "plan": _table(data.plan.rows),
        "orphans": _table(data.orphans.rows if data.orphans else ()),
        "skipped": _table(data.skipped.rows),
        "reasons": list(data.skipped_reasons.items()),
        "graph": None
        if data.graph is None
        else {"pages": _table(data.graph.pages), "links": data.graph.links, "pagesTotal": data.graph.pages_total},
        "topics": _table(data.topics),
        "similarity": None
        if data.similarity is None
        else {
            "edges": data.similarity.edges,
            "nearest": data.similarity.nearest,
            "background": data.similarity.background,
            "thresholds": [[threshold.name, threshold.value] for threshold in data.similarity.thresholds],
        },
        "competitors": _table(data.competitors or ()),
        "backtest": None
        if data.backtest is None
        else {
            "x": data.backtest.x,
            "y": data.backtest.y,
            "series": [{"name": line.name, "points": line.points} for line in data.backtest.series],
        },
    }


def _table(rows: Sequence[Any]) -> dict[str, Any]:
    names = [f.name for f in fields(rows[0])] if rows else []
    return {"columns": names, "rows": [[getattr(row, name) for name in names] for row in rows]}


def _dumps(value: object, **_: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair cannot be written to a file


def _policy(scripts: Sequence[str], styles: str) -> str:
    allowed = " ".join(_digest(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_digest(styles)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _asset(name: str) -> str:
    # read_text would keep the carriage returns that a browser drops before it takes the digest
    text = files(__package__).joinpath("assets").joinpath(name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _template(name: str) -> str:
    return files(__package__).joinpath("templates").joinpath(name).read_text(encoding="utf-8")
