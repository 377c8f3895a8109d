"""The groups of cannibalization.csv: those of meaning with the queries their pages share, then those of queries alone."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.cannibalization import Advice, Competitors
from analysis.outputs.competitor_table import competitor_lines
from analysis.records import PageHead, PlanRow, Proposal
from analysis.search_console import Export, Rankings, judge_rows

HEADS = [PageHead(i, f"https://a.test/{i}", f"Page {i}", "", "de" if i == 6 else "en") for i in range(7)]
VECTORS = np.eye(7, dtype=np.float32)
QUERIES = {
    0: {"red shoes": 100, "shoes that are red": 20},
    1: {"Red shoes": 80},
    2: {"hats": 90, "hat sizes": 10},
    3: {"hats": 70},
    4: {"hats": 60},
    5: {"boots": 50},
    6: {"boots": 50},
}


def rankings() -> Rankings:
    rows = [(page, query, shown / 10, shown, 0.1, 3.0) for page, own in QUERIES.items() for query, shown in own.items()]
    table = pd.DataFrame(rows, columns=["page", "query", "clicks", "impressions", "ctr", "position"])
    return Rankings(Export(table, table, (), (), ()))


def test_pages_are_grouped_and_each_group_has_its_evidence() -> None:
    found = rankings()
    judged = judge_rows([], found, HEADS)
    group = Competitors((0, 1), (("laces",), ()), ("shoes",), 0.93, 0.2, Advice.MERGE, "close")
    lines = competitor_lines(HEADS, VECTORS, [group], [], judged.rivals, found)
    assert [(line.group, line.url[-1], line.advice) for line in lines] == [
        ("1", "0", "merge"),
        ("1", "1", "merge"),
        ("2", "2", "differentiate"),
        ("2", "3", "differentiate"),
        ("2", "4", "differentiate"),
    ]
    assert lines[0].reason == "close; both rank for the same main queries: “red shoes”"
    assert (lines[0].shared_queries, lines[0].difference) == ("red shoes", "laces")
    assert (lines[2].shared_queries, lines[2].difference, lines[2].closeness) == ("hats", "hat sizes", 0.0)


def test_rivals_leave_the_plan_relatives_are_confirmed_and_the_unknown_stays() -> None:
    rows = [PlanRow(Proposal(a, b, 0.5, 0.5, reason="close"), None, 0, beyond_limit=False) for a, b in ((3, 2), (0, 2))]
    judged = judge_rows(rows, rankings(), HEADS)
    assert [row.proposal.target for row in judged.taken_out] == [2]
    assert [row.proposal.reason for row in judged.rows] == ["close; confirmed: same topic, different queries"]
    assert (2, 3) in [(pair.a, pair.b) for pair in judged.rivals]
    assert judge_rows(rows, None, HEADS).rows == rows
