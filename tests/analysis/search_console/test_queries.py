from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analysis.search_console import Rankings, Verdict, read_export

if TYPE_CHECKING:
    from pathlib import Path

Rows = list[tuple[int, str, str, float]]  # page, query, impressions, position


@pytest.fixture
def rankings(tmp_path: Path) -> object:
    def make(rows: Rows, pages: int = 30) -> Rankings:
        lines = [f"https://a.test/{page},{query},0,{impressions},{position}" for page, query, impressions, position in rows]
        path = tmp_path / "export.csv"
        path.write_text("\n".join(["Page,Query,Clicks,Impressions,Position", *lines]))
        return Rankings(read_export(path, [f"a.test/{page}" for page in range(pages)]))

    return make


def test_the_same_main_queries_are_cannibalization(rankings) -> None:
    found = rankings([(0, "crm", "800", 4), (0, "best crm", "100", 9), (1, "crm", "300", 7), (1, "crm login", "90", 3)]).judge(
        0, 1
    )
    assert found.verdict is Verdict.CANNIBALIZATION
    assert [one.query for one in found.shared] == ["crm"]
    assert (found.shared[0].source.impressions, found.shared[0].target.position) == (800, 7)
    assert "“crm”" in found.reason


def test_one_topic_and_other_queries_are_confirmed(rankings) -> None:
    found = rankings([(0, "crm", "800", 4), (1, "crm login", "300", 7)]).judge(0, 1)
    assert found.verdict is Verdict.CONFIRMED
    assert found.shared == ()


def test_a_narrow_page_within_a_broad_one_is_no_competitor(rankings) -> None:
    rows: Rows = [(0, f"crm {n}", "100", 4) for n in range(20)] + [
        (0, "crm for dentists", "40", 12),
        (1, "crm for dentists", "300", 2),
    ]
    found = rankings(rows).judge(0, 1)
    assert found.verdict is Verdict.CONFIRMED
    assert found.target_share == 1.0
    assert found.source_share == 0.0
    assert [one.query for one in found.shared] == ["crm for dentists"]


def test_shared_queries_of_the_tail_do_not_matter(rankings) -> None:
    rows: Rows = [(0, "crm", "800", 4), (0, "software", "30", 9), (1, "erp", "700", 4), (1, "software", "30", 9)]
    assert rankings(rows).judge(0, 1).verdict is Verdict.CONFIRMED


def test_without_figures_nothing_is_known(rankings) -> None:
    few = rankings([(0, "crm", "800", 4), (1, "crm", "3", 4)])
    assert few.judge(0, 1).verdict is Verdict.UNKNOWN
    assert few.judge(0, 7).verdict is Verdict.UNKNOWN
    hidden = rankings([(0, "crm", "800", 4), (1, "crm", "<10", 4)])
    assert hidden.judge(0, 1).verdict is Verdict.UNKNOWN
    assert [one.target.impressions for one in hidden.shared(0, 1)] == [None]


def test_far_behind_is_not_ranking(rankings) -> None:
    found = rankings([(0, "crm", "800", 4), (1, "crm", "300", 64), (1, "crm login", "90", 3)]).judge(0, 1)
    assert found.verdict is Verdict.CONFIRMED
    assert found.shared == ()


def test_the_brand_tells_nothing_of_a_pair(rankings) -> None:
    rows: Rows = [(page, "acme", "900", 1) for page in range(12)] + [(page, f"topic {page}", "50", 5) for page in range(12)]
    found = rankings(rows)
    assert found.site_wide == {"acme"}
    assert found.judge(0, 1).verdict is Verdict.CONFIRMED
    assert [one.query for one in found.main_queries(0)] == ["topic 0"]


def test_case_makes_no_other_query(rankings) -> None:
    assert rankings([(0, "CRM", "800", 4), (1, "crm", "300", 7)]).judge(0, 1).verdict is Verdict.CANNIBALIZATION


def test_main_queries_bring_half_of_the_impressions(rankings) -> None:
    found = rankings([(0, "a", "40", 1), (0, "b", "30", 1), (0, "c", "20", 1), (0, "d", "10", 1)])
    assert [one.query for one in found.main_queries(0)] == ["a", "b"]
    assert [one.query for one in found.queries_of(0)] == ["a", "b", "c", "d"]
    assert found.main_queries(5) == []


def test_competitors_are_found_without_comparing_all_pages(rankings) -> None:
    rows: Rows = [(page, f"own {page}", "100", 3) for page in range(20)] + [(20, "own 3", "90", 6), (21, "own 8", "90", 6)]
    assert [(a, b) for a, b, _ in rankings(rows).competitors()] == [(3, 20), (8, 21)]


def test_an_export_without_queries_knows_nothing(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    path.write_text("Page,Clicks\nhttps://a.test/0,3\nhttps://a.test/1,4\n")
    found = Rankings(read_export(path, ["a.test/0", "a.test/1"]))
    assert found.judge(0, 1).verdict is Verdict.UNKNOWN
    assert list(found.competitors()) == []
