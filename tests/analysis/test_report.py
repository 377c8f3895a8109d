"""The report: gathered from a plan's files, safe whatever the pages say, the same each time, and readable from a zipped egg."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from analysis.graph import LinkGraph
from analysis.outputs import orphan_table, plan_table, search_console_table, skipped_table
from analysis.outputs.report import ReportError, build, drawing, files, render, write_report
from analysis.outputs.report.data import (
    Backtest,
    Competitor,
    GraphView,
    RankedPage,
    Series,
    Similarity,
    Threshold,
    TopicPoint,
)
from analysis.outputs.report.reading import anchor_parts, number
from analysis.outputs.tables import write_table
from analysis.pagerank import Effect, standing, with_links
from analysis.records import PageHead

ROOT = Path(__file__).resolve().parents[2]
SITE = "https://bikes.example"
HOSTILE = "</script><img src=x onerror=alert(1)><!--"


def plan_row(rank: int, source: str, target: str, **given: object) -> tuple[object, ...]:
    row = dict.fromkeys(plan_table.COLUMNS, "") | {
        "rank": rank,
        "url_from": f"{SITE}/{source}",
        "url_to": f"{SITE}/{target}",
        "title_from": f"Title of {source}",
        "title_to": f"Title of {target}",
        "language": "en",
        "closeness": "0.700",
        "placement": "none",
        "links_now": 0,
        "beyond_limit": "no",
        "status": "new",
    }
    return tuple((row | given)[name] for name in plan_table.COLUMNS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        plan_row(
            1, "a", "b", sentence="Read on tyres, then on.", anchor="on", placement="wrap", confidence="0.910", level="sure"
        ),
        plan_row(2, "a", "c", beyond_limit="yes", links_now=4, status="Rejected"),
        plan_row(3, "b", "d", title_to=HOSTILE, reason=HOSTILE, language="ru"),
    ]
    write_table(tmp_path / plan_table.NAME, plan_table.COLUMNS, rows)
    orphans = [(f"{SITE}/{name}", f"Title of {name}", "en", 1, 1, f"{SITE}/a", "placed", "", "no") for name in "bc"]
    orphans.append((f"{SITE}/e", '=HYPERLINK("http://evil.example")', "en", 0, 0, "", "none", HOSTILE, "yes"))
    write_table(tmp_path / orphan_table.NAME, orphan_table.COLUMNS, orphans)
    skipped = [(f"{SITE}/tag/{i}", "page", "skipped", "taxonomy page", "") for i in range(3)]
    skipped.append((f"{SITE}/late", "page", "pending", "not fetched", ""))
    write_table(tmp_path / skipped_table.NAME, skipped_table.COLUMNS, skipped)
    console = [("page", f"{SITE}/b", "", "7", "1200", "", "", "", "")]
    console.append(("pair", f"{SITE}/a", f"{SITE}/b", *[""] * 4, "tyres", "confirmed"))
    write_table(tmp_path / search_console_table.NAME, search_console_table.COLUMNS, console)
    summary = {"pages": 10, "links_in_texts": 5, "share_of_pages_with_links": 0.2, "languages": {"en": 8, "ru": 2}}
    (tmp_path / "summary.json").write_text(json.dumps(summary | {"complete": True, "method": "learned"}), encoding="utf-8")
    return tmp_path


def add_optional_files(folder: Path) -> None:
    files.write_graph(folder, GraphView((RankedPage(f"{SITE}/a", "A", "en", 0.4, 0.6),), 1, (), 0, {"gini": (0.5, 0.4)}))
    files.write_topics(folder, [TopicPoint(f"{SITE}/a", HOSTILE, "en", 0.5, -1.0)])
    files.write_similarity(folder, Similarity("model", (0.0, 0.5, 1.0), (1, 2), (2, 1), (Threshold("related", 0.35),)))
    files.write_competitors(folder, [Competitor("1", f"{SITE}/a", "=1+1", "en", 0.93, "merge", "only this", "tyres")])
    files.write_backtest(folder, Backtest("proposals", "found", "A note.", (Series("learned", ((1.0, 0.25), (2.0, 0.5))),)))


def figure(folder: Path, name: str) -> tuple[str, str]:
    found = next(one for one in build(folder).figures if one.name == name)
    return found.before, found.value


def data_block(html: str) -> dict:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert match
    return json.loads(match[1])


class Elements(HTMLParser):
    """Names and attributes of all elements, as a browser would make them from the markup."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_a_line_of_the_plan_has_its_pages_its_sentence_and_its_decision(folder: Path) -> None:
    report = build(folder)
    first, second, third = report.plan.rows
    assert report.site == "bikes.example"
    assert (report.pages[first.source].title, report.pages[first.target].url) == ("Title of a", f"{SITE}/b")
    assert (first.before, first.anchor, first.after) == ("Read ", "on", " tyres, then on.")
    assert (first.confidence, first.closeness, first.queries) == (0.91, 0.7, "tyres")
    assert report.pages[first.target].clicks == 7
    assert (second.status, second.beyond_limit, second.links_now) == ("rejected", True, 4)
    assert third.confidence is None
    assert (report.plan.total, report.skipped_reasons) == (3, {"taxonomy page": 3, "not fetched": 1})


def test_a_plan_that_was_sorted_in_a_spreadsheet_is_read_in_its_own_order(folder: Path) -> None:
    path = folder / plan_table.NAME
    header, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(header + "".join(reversed(lines)), encoding="utf-8")
    assert [line.rank for line in build(folder).plan.rows] == [1, 2, 3]


def test_figures_count_only_proposals_within_the_limit(folder: Path) -> None:
    assert figure(folder, "Orphan pages") == ("3", "2")  # the only proposal to c is beyond the limit
    assert figure(folder, "Links an article") == ("0.5", "0.7")
    assert figure(folder, "Articles that link") == ("20%", "40%")


def test_orphans_of_an_incomplete_crawl_are_not_claimed(folder: Path) -> None:
    (folder / "summary.json").write_text(json.dumps({"complete": False, "gaps": ["3 pages not fetched"]}), encoding="utf-8")
    report = build(folder)
    assert report.orphans is None
    assert "3 pages not fetched" in report.warnings[0]
    assert 'id="orphans"' not in render(report)


def test_sections_stand_only_where_their_file_is(folder: Path) -> None:
    sections = ["links", "pagerank", "topics", "similarity", "cannibalization", "backtest"]
    bare = render(build(folder))
    assert [name for name in sections if f'id="{name}"' in bare] == []
    add_optional_files(folder)
    full = render(build(folder))
    assert [name for name in sections if f'id="{name}"' in full] == sections


def test_a_site_where_nothing_competes_says_so(folder: Path) -> None:
    assert build(folder).competitors is None
    files.write_competitors(folder, [])
    assert build(folder).competitors == ()
    assert 'id="cannibalization"' in render(build(folder))


def test_optional_files_are_read_as_they_were_written(folder: Path) -> None:
    add_optional_files(folder)
    report = build(folder)
    assert report.graph == GraphView((RankedPage(f"{SITE}/a", "A", "en", 0.4, 0.6),), 1, (), 0, {"gini": (0.5, 0.4)})
    assert report.topics == (TopicPoint(f"{SITE}/a", HOSTILE, "en", 0.5, -1.0),)
    assert report.similarity == Similarity("model", (0.0, 0.5, 1.0), (1, 2), (2, 1), (Threshold("related", 0.35),))
    assert report.competitors == (Competitor("1", f"{SITE}/a", "=1+1", "en", 0.93, "merge", "only this", "tyres"),)
    assert report.backtest == Backtest("proposals", "found", "A note.", (Series("learned", ((1.0, 0.25), (2.0, 0.5))),))


def test_what_pages_say_never_becomes_markup(folder: Path) -> None:
    add_optional_files(folder)
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    (folder / "summary.json").write_text(json.dumps(summary | {"notes": [HOSTILE], "failed": {HOSTILE: 1}}), encoding="utf-8")
    html = render(build(folder))
    elements = Elements(html).found
    assert not [tag for tag, _ in elements if tag == "img"]
    assert len([tag for tag, _ in elements if tag == "script"]) == 3
    data = data_block(html)
    titles = [row[data["pages"]["columns"].index("title")] for row in data["pages"]["rows"]]
    assert HOSTILE in titles
    assert '=HYPERLINK("http://evil.example")' in titles  # the guard of the CSV is not part of the title


def test_the_policy_allows_its_own_scripts_and_no_request(folder: Path) -> None:
    html = render(build(folder))
    policy = next(a["content"] or "" for t, a in Elements(html).found if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; ")
    inline = re.findall(r"<(script|style)>(.*?)</\1>", html, re.DOTALL)
    assert [name for name, _ in inline] == ["style", "script", "script"]
    for name, text in inline:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in re.search(rf"{name}-src ([^;]*)", policy)[1]
    assert "unsafe" not in policy
    assert not [a for _, a in Elements(html).found if a.get("src") or (a.get("href") or "#")[0] not in "#d"]


def test_the_same_files_give_the_same_report(folder: Path) -> None:
    assert write_report(folder).read_bytes() == write_report(folder).read_bytes()
    assert not list(folder.glob("*.part"))


def test_without_rows_there_is_still_a_report(tmp_path: Path) -> None:
    write_table(tmp_path / plan_table.NAME, plan_table.COLUMNS, [])
    report = build(tmp_path)
    assert (report.plan.rows, report.site) == ((), tmp_path.name)
    assert data_block(render(report))["plan"]["rows"] == []


@pytest.mark.parametrize(
    ("name", "text"),
    [("summary.json", "[]"), ("summary.json", "{"), ("graph.json", '{"pages": 3}'), ("backtest.json", "nonsense")],
)
def test_a_file_that_cannot_be_read_is_named(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(ReportError, match=name):
        build(folder)


def test_without_a_plan_the_command_says_so(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="There is no plan"):
        write_report(tmp_path)


def test_rows_beyond_what_a_browser_holds_are_counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.outputs.report.gather.MAX_PLAN", 2)
    report = build(folder)
    assert (len(report.plan.rows), report.plan.total) == (2, 3)
    assert "The first 2 of 3 rows" in render(report)


@pytest.mark.parametrize(
    ("sentence", "anchor", "parts"),
    [
        ("Gravel tyres last.", "tyres", ("Gravel ", "tyres", " last.")),
        ("A carpet in a car.", "car", ("A carpet in a ", "car", ".")),
        ("A carpet.", "car", ("A ", "car", "pet.")),
        ("Nothing here.", "tyres", ("Nothing here.", "", "")),
        ("Nothing here.", "", ("Nothing here.", "", "")),
        ("Про покрышки и шины", "шины", ("Про покрышки и ", "шины", "")),
    ],
)
def test_the_anchor_is_marked_as_whole_words(sentence: str, anchor: str, parts: tuple[str, str, str]) -> None:
    assert anchor_parts(sentence, anchor) == parts
    assert "".join(parts) == sentence


@pytest.mark.parametrize(("cell", "value"), [("0.5", 0.5), ("0,5", 0.5), ("", None), ("<10", None), ("nan", None), ("inf", None)])
def test_numbers_of_either_decimal_sign(cell: str, value: float | None) -> None:
    assert number(cell) == value


def test_the_map_separates_what_differs_and_is_the_same_each_time() -> None:
    draw = np.random.default_rng(5)
    vectors = np.concatenate([draw.normal(0, 0.1, (50, 8)) + np.eye(8)[k] * 3 for k in range(3)]).astype(np.float32)
    places = drawing.project(vectors)
    assert np.array_equal(places, drawing.project(vectors))
    assert np.abs(places).max(axis=0) == pytest.approx([1, 1])
    centres = [places[k * 50 : (k + 1) * 50].mean(axis=0) for k in range(3)]
    spread = max(places[k * 50 : (k + 1) * 50].std() for k in range(1))
    assert all(np.linalg.norm(centres[a] - centres[b]) > spread for a, b in [(0, 1), (0, 2), (1, 2)])


@pytest.mark.parametrize("shape", [(0, 4), (1, 4), (2, 4), (3, 1)])
def test_a_map_of_hardly_anything(shape: tuple[int, int]) -> None:
    places = drawing.project(np.ones(shape, dtype=np.float32))
    assert places.shape == (shape[0], 2)
    assert not places.any()


def test_a_histogram_counts_every_value() -> None:
    values = np.array([-0.2, 0.1, 0.1, 0.5, 1.0])
    edges = drawing.cosine_edges(values, bins=6)
    assert (edges[0], edges[-1], len(edges)) == (-0.2, 1.0, 7)
    assert sum(drawing.histogram(values, edges)) == 5
    assert sum(drawing.histogram(np.array([-1.0, 2.0]), edges)) == 2


def heads(size: int) -> list[PageHead]:
    return [PageHead(i, f"{SITE}/{i}", f"Page {i}", "", "en", date(2024, 1, 1)) for i in range(size)]


def test_the_graph_keeps_the_heaviest_pages_and_those_that_change_most() -> None:
    size = 400
    hub = LinkGraph(size, np.arange(1, size, dtype=np.int32), np.zeros(size - 1, dtype=np.int32))
    effect = Effect(standing(hub), standing(with_links(hub, [(0, size - 1)])))
    view = drawing.graph_view(heads(size), hub, effect, pages=150, links=40)
    urls = [page.url for page in view.pages]
    assert len(urls) == len(set(urls)) <= 150
    assert {f"{SITE}/0", f"{SITE}/{size - 1}"} <= set(urls)
    assert (view.pages_total, view.links_total, len(view.links)) == (size, size - 1, 40)
    assert all(view.pages[target].url == f"{SITE}/0" for _, target in view.links)


def test_a_small_graph_is_kept_whole() -> None:
    graph = LinkGraph(3, np.array([0, 0, 2], dtype=np.int32), np.array([1, 2, 1], dtype=np.int32))
    effect = Effect(standing(graph), standing(with_links(graph, [(1, 0)])))
    view = drawing.graph_view(heads(3), graph, effect)
    named = {(view.pages[s].url[-1], view.pages[t].url[-1]) for s, t in view.links}
    assert named == {("0", "1"), ("0", "2"), ("2", "1")}
    assert sum(page.rank_after for page in view.pages) == pytest.approx(1, abs=1e-4)
    assert (view.effect["orphans"], view.effect["links"]) == ((1, 0), (3, 4))


@pytest.mark.slow
def test_the_report_is_made_from_a_zipped_egg(folder: Path, tmp_path: Path) -> None:
    egg = tmp_path / "interlink.egg"
    with zipfile.ZipFile(egg, "w") as archive:
        for path in (ROOT / "analysis").rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(ROOT))
    code = (
        "import pathlib, sys; from analysis.outputs import report; "
        "assert '.egg' in report.__file__; print(report.write_report(pathlib.Path(sys.argv[1])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        env={"PYTHONPATH": str(egg)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "report.html").read_text(encoding="utf-8") == render(build(folder))


def test_the_library_is_the_one_that_its_notes_name() -> None:
    assets = ROOT / "analysis" / "outputs" / "report" / "assets"
    digest = hashlib.sha256((assets / "d3.min.js").read_bytes()).hexdigest()
    assert digest in (assets / "VENDORED.md").read_text(encoding="utf-8")
    assert (assets / "d3.min.js").read_text(encoding="utf-8").startswith("// https://d3js.org v7.9.0 ")
