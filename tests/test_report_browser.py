"""The report in a real browser: filter, decide, export, reload; nothing of a page runs, and no request leaves the file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.outputs import orphan_table, plan_table, skipped_table
from analysis.outputs.report import files, write_report
from analysis.outputs.report.data import Backtest, Competitor, GraphView, RankedPage, Series, Similarity, Threshold, TopicPoint
from analysis.outputs.tables import read_rows, write_table

playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
SITE = "https://bikes.example"
ROWS, PAGES = 5_000, 700
PATIENCE = 120_000  # ms; a busy machine is no fault of the report
HOSTILE = "<img src=x onerror=alert(1)>"
SECTIONS = ("plan", "orphans", "links", "pagerank", "topics", "similarity", "cannibalization", "skipped", "backtest", "overview")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine (Debian: apt-get install chromium)"),
]


def page_of(i: int) -> tuple[str, str, str]:
    title = {3: HOSTILE, 5: '=HYPERLINK("http://evil.example","x")', 7: "</script><script>alert(2)</script>"}.get(
        i, f"Article {i}"
    )
    return f"{SITE}/{i}", title, "ru" if i % 5 == 4 else "en"


def plan_row(k: int) -> tuple[object, ...]:
    source, target = page_of(k % PAGES), page_of((k * 7 + 3 + k // PAGES) % PAGES)  # no pair twice
    anchor = f"gravel tyres {k}"
    row = {
        "rank": k + 1,
        "url_from": source[0],
        "url_to": target[0],
        "title_from": source[1],
        "title_to": target[1],
        "language": source[2],
        "closeness": f"{0.9 - k / ROWS / 2:.3f}",
        "confidence": f"{1 - k / ROWS:.4f}",
        "level": "sure" if k < ROWS / 2 else "likely",
        "placement": "wrap" if k % 3 else "none",
        "sentence": f"{HOSTILE} On wet roads {anchor} matter more than the frame." if k % 3 else "",
        "anchor": anchor if k % 3 else "",
        "anchor_hint": target[1],
        "reason": "title in the text",
        "gain": "0.500",
        "obstacle": "" if k % 3 else HOSTILE,
        "links_now": k % 4,
        "beyond_limit": "yes" if k % 9 == 0 else "no",
        "status": "new",
        "block": "",
        "start": "",
        "end": "",
    }
    return tuple(row.get(name, "") for name in plan_table.COLUMNS)


def write_folder(folder: Path) -> None:
    """A plan of 5,000 rows with every file that the report can show."""
    write_table(folder / plan_table.NAME, plan_table.COLUMNS, map(plan_row, range(ROWS)))
    orphans = [(*page_of(i), 0, i % 2, page_of(i + 1)[0] if i % 2 else "", "none", HOSTILE, "no") for i in range(0, 200)]
    write_table(folder / orphan_table.NAME, orphan_table.COLUMNS, orphans)
    skipped = [("javascript:alert(3)", "page", "skipped", "not an address", HOSTILE)]
    skipped += [(f"{SITE}/tag/{i}", "page", "skipped", "taxonomy page", "") for i in range(80)]
    write_table(folder / skipped_table.NAME, skipped_table.COLUMNS, skipped)
    summary = {"complete": True, "pages": PAGES, "links_in_texts": PAGES, "languages": {"en": 560, "ru": 140}, "notes": [HOSTILE]}
    (folder / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    pages = tuple(RankedPage(*page_of(i), (i + 1) / 245_350, (PAGES - i) / 245_350) for i in range(PAGES))
    links = tuple((i, (i * 3 + 1) % PAGES) for i in range(PAGES))
    files.write_graph(folder, GraphView(pages, PAGES, links, len(links), {"gini": (0.6, 0.5)}))
    files.write_topics(folder, [TopicPoint(*page_of(i), (i % 41) / 20 - 1, (i % 29) / 14 - 1) for i in range(PAGES)])
    files.write_similarity(folder, Similarity("model", (0, 0.5, 1), (3, 9), (9, 1), (Threshold("related from", 0.35),)))
    files.write_competitors(folder, [Competitor("1", *page_of(i), 0.93, "merge", HOSTILE, "tyres", HOSTILE) for i in (3, 5)])
    files.write_backtest(folder, Backtest("recall", "precision", HOSTILE, (Series(HOSTILE, ((0.2, 0.8), (0.6, 0.4))),)))


class Browser:
    """The report, open, with everything noted that should never happen."""

    def __init__(self, context: playwright.BrowserContext, report: Path) -> None:
        self.url = report.as_uri()
        self.troubles: list[str] = []
        self.requests: set[str] = set()
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.troubles.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.add(request.url.split("#")[0]))

    def open(self, section: str = "plan") -> playwright.Page:
        self.page.goto("about:blank")
        self.page.goto(f"{self.url}#{section}")
        return self.page

    def go(self, section: str) -> playwright.Locator:
        """Choose a section as a reader does; it is drawn when this returns."""
        self.page.locator(f"nav a[href='#{section}']").first.click()
        found = self.page.locator(f"#{section}")
        found.wait_for()
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return found

    def ranks(self) -> list[int]:
        return [int(text) for text in self.page.locator("#plan td.rank").all_inner_texts()]

    def shown(self) -> str:
        return self.page.locator("#plan .shown").inner_text()

    def decisions(self) -> dict[str, str]:
        with self.page.expect_download() as started:
            self.page.locator("#export").click()
        assert started.value.suggested_filename == "decisions.csv"
        return {row["url_from"] + " " + row["url_to"]: row["status"] for row in read_rows(Path(started.value.path()))}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_folder(folder)
    return write_report(folder)


@pytest.fixture(scope="module")
def chromium() -> Iterator[playwright.Browser]:
    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS.split(), timeout=PATIENCE)
        yield launched
        launched.close()


@pytest.fixture
def browser(chromium: playwright.Browser, report: Path) -> Iterator[Browser]:
    """A browser that has kept nothing yet."""
    with chromium.new_context(viewport={"width": 1280, "height": 800}) as context:
        opened = Browser(context, report)
        yield opened
        assert opened.troubles == []
        assert opened.requests <= {opened.url, "about:blank", "data:,"}


def pair(k: int) -> str:
    row = plan_row(k)
    return f"{row[1]} {row[2]}"


def test_filter_decide_export_reload(browser: Browser) -> None:
    page = browser.open()
    assert browser.shown() == "5,000 proposals"
    page.get_by_label("Filter by language").select_option("=ru")
    page.get_by_label("Filter by placement").select_option("=wrap")
    ru = [k + 1 for k in range(ROWS) if k % PAGES % 5 == 4 and k % 3]
    assert browser.shown() == f"{len(ru)} of 5,000 proposals"
    assert browser.ranks() == ru[:50]

    page.locator("#plan tbody tr").first.press("a")
    page.keyboard.press("r")
    page.locator("#plan tbody tr").nth(2).get_by_role("button", name="Done").click()
    wanted = dict(zip(map(pair, (rank - 1 for rank in ru)), ("accepted", "rejected", "done"), strict=False))
    assert "3 of 5,000 decided: 1 accepted, 1 rejected, 1 done" in page.locator("#progress-text").inner_text()
    assert browser.decisions() == wanted

    page.reload()
    assert "3 of 5,000 decided" in page.locator("#progress-text").inner_text()
    assert browser.decisions() == wanted
    page.get_by_label("Filter by status").select_option("=rejected")
    assert browser.ranks() == [ru[1]]


def test_a_decided_row_leaves_a_list_of_what_is_to_decide_and_undo_brings_it_back(browser: Browser) -> None:
    page = browser.open()
    page.get_by_label("Filter by status").select_option("=new")
    page.locator("#plan tbody tr").first.press("a")
    assert browser.ranks()[:2] == [2, 3]
    assert page.evaluate("document.activeElement.querySelector('.rank').textContent") == "2"
    page.keyboard.press("r")
    page.keyboard.press("u")
    assert browser.ranks()[:2] == [2, 3]
    page.get_by_role("button", name="Accept all shown").click()
    assert page.locator("#plan .nothing").is_visible()
    page.get_by_role("button", name="Undo").click()
    assert browser.shown() == "4,999 of 5,000 proposals"


def test_search_sort_and_pages(browser: Browser) -> None:
    page = browser.open()
    page.keyboard.press("/")
    page.keyboard.type("GRAVEL tyres 4321")
    assert browser.ranks() == [4322]
    page.keyboard.press("Escape")
    page.get_by_label("Search the plan").fill("")
    page.get_by_role("button", name="Confidence").click()
    page.get_by_role("button", name="Confidence").click()
    assert browser.ranks()[:2] == [5000, 4999]
    assert page.locator("th[aria-sort]").inner_text().startswith("Confidence")
    page.get_by_label("Sort by").select_option("rank")
    page.locator("#plan tbody tr").last.focus()
    page.keyboard.press("j")
    assert browser.ranks()[0] == 51
    page.keyboard.press("k")
    assert browser.ranks()[0] == 1


def test_every_tick_is_counted_while_the_rows_are_filtered(browser: Browser) -> None:
    page = browser.open()
    page.get_by_label("Filter by status").select_option("=new")  # every decision filters and draws again
    for _ in range(15):
        page.keyboard.press("a")
    assert "15 of 5,000 decided" in page.locator("#progress-text").inner_text()
    assert browser.ranks()[0] == 16


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_section_shows_hostile_titles_as_text(browser: Browser, scheme: str) -> None:
    browser.page.emulate_media(color_scheme=scheme)
    page = browser.open()
    texts = {}
    for section in SECTIONS:
        texts[section] = browser.go(section).inner_text()
        assert page.locator("section.view:visible").count() == 1
    assert page.locator("img").count() == 0
    assert all(HOSTILE in texts[name] for name in ("overview", "plan", "orphans", "cannibalization", "skipped", "backtest"))
    assert page.locator("a[href^=javascript]").count() == 0


def test_links_of_a_page(browser: Browser) -> None:
    page = browser.open("links")
    page.get_by_label("Find a page").fill("article 100")
    page.get_by_role("button", name="Article 100", exact=True).click()
    assert page.locator(".ego .centre a").inner_text() == "Article 100"
    proposed = {plan_row(k)[4] for k in range(ROWS) if k % PAGES == 100}
    listed = page.locator(".neighbours").last.locator("li.proposed button span[dir]").all_inner_texts()
    assert set(listed) == proposed
    assert page.locator(".neighbours").last.locator("li.existing").count() == 1
    assert page.locator(".site circle").count() == 220


def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Browser) -> None:
    browser.page.set_viewport_size({"width": 360, "height": 740})
    page = browser.open()
    for section in SECTIONS:
        browser.go(section)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), section


def test_decisions_of_another_browser_are_imported(browser: Browser, tmp_path: Path) -> None:
    table = tmp_path / "decisions.csv"
    table.write_text("\ufeffurl_from;url_to;status\n" + pair(3).replace(" ", ";") + ";rejected\n", encoding="utf-8")
    page = browser.open()
    page.locator("#import-file").set_input_files(table)
    page.get_by_text("1 decision taken over.").wait_for()
    assert browser.decisions() == {pair(3): "rejected"}


def test_a_later_plan_with_another_status_wins(browser: Browser, report: Path, tmp_path: Path) -> None:
    page = browser.open()
    page.locator("#plan tbody tr").first.press("a")
    page.keyboard.press("r")
    status = plan_table.COLUMNS.index("status")
    later = [(*plan_row(0)[:status], "done", *plan_row(0)[status + 1 :]), plan_row(1)]
    write_table(tmp_path / plan_table.NAME, plan_table.COLUMNS, later)
    browser.requests.clear()
    browser.url = write_report(tmp_path).as_uri()
    browser.open()
    assert browser.decisions() == {pair(0): "done", pair(1): "rejected"}
