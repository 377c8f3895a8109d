"""How long a decision takes in the report, beside the first drawing of the same page in the same browser.

    python -m benchmarks.report_tick output/example.com/report.html

Needs Chromium. The table is filtered by status, the slower way: every decision filters and draws again.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

_DECISIONS = 30
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
_TICK = """async () => {
  const start = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
  document.body.getBoundingClientRect();
  const took = performance.now() - start;
  await new Promise(requestAnimationFrame);
  return took;
}"""
_DRAWN = "performance.getEntriesByType('navigation')[0].domComplete"


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    url = parser.parse_args().report.resolve().as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium") or "", args=_FLAGS)
        page = browser.new_page()
        page.goto(f"{url}#plan")
        drawn = float(page.evaluate(_DRAWN))
        page.get_by_label("Filter by status").select_option("=new")
        took = median(float(page.evaluate(_TICK)) for _ in range(_DECISIONS))
        print(f"first drawing {drawn:.0f} ms, a decision {took:.1f} ms, ratio {took / drawn:.3f}")
        browser.close()


if __name__ == "__main__":
    main()
