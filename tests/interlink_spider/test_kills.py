"""A kill at any moment costs nothing: a few of the kills of benchmarks/kill.py, at moments that differ in kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.kill import SlowBlog, kill_crawl, kill_plan, site_folder, start, start_crawl, undisturbed

pytestmark = pytest.mark.slow


def test_a_killed_crawl_comes_out_as_if_nothing_had_happened(tmp_path: Path) -> None:
    with SlowBlog() as blog:
        expected, requests = undisturbed(blog, tmp_path / "undisturbed")
        moments = {"in its sitemaps": (2, 0.02), "among its pages": (requests // 2, 0.03), "in its plan": (requests, 0.8)}
        found = {name: kill_crawl(blog, tmp_path / name, expected, *moment) for name, moment in moments.items()}
    assert {name: outcome.wrong for name, outcome in found.items()} == dict.fromkeys(moments, ())
    assert all(outcome.again <= 2 * 4 for outcome in found.values()), "only what was under way may be fetched again"
    assert found["in its plan"].again == 0, "a crawl that was complete is not fetched again for its plan"


def test_a_killed_plan_comes_out_as_if_nothing_had_happened(tmp_path: Path) -> None:
    with SlowBlog() as blog:
        expected, _ = undisturbed(blog, tmp_path / "undisturbed")
        assert start_crawl(blog, tmp_path / "crawled", plan=False).wait() == 0
    assert start("plan", str(site_folder(tmp_path / "crawled"))).wait() == 0, "a plan where one is made already"
    found = [kill_plan(tmp_path / "crawled", tmp_path / f"after {seconds}", expected, seconds) for seconds in (1.2, 2.2)]
    assert [outcome.wrong for outcome in found] == [(), ()]
