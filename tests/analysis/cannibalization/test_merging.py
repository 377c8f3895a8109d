"""Which rows are held back: those within a group that should become one, unless somebody has accepted them."""

from __future__ import annotations

import pytest

from analysis.cannibalization import Advice, Competitors, hold_back
from analysis.records import PlanRow, Proposal

PAIRS = [(0, 1), (1, 0), (0, 2), (2, 1), (2, 3)]  # of a group of pages 0 and 1, and one of 3 and 4


def held_back(advice: Advice, status: str = "new") -> list[tuple[int, int]]:
    groups = [Competitors(pages, ((), ()), (), 0.9, 0.2, advice, "close") for pages in ((0, 1), (3, 4))]
    rows = [PlanRow(Proposal(a, b, 0.5, 0.5), None, 0, beyond_limit=False, status=status) for a, b in PAIRS]
    sifted = hold_back(rows, groups)
    assert [row for row in rows if row not in sifted.held_back] == sifted.rows
    return [(row.proposal.source, row.proposal.target) for row in sifted.held_back]


@pytest.mark.parametrize("advice", [Advice.MERGE, Advice.CANONICAL])
def test_links_within_a_group_that_should_become_one(advice: Advice) -> None:
    assert held_back(advice) == [(0, 1), (1, 0)]
    assert held_back(advice, "accepted") == []


def test_pages_to_be_told_apart_may_link() -> None:
    assert held_back(Advice.DIFFERENTIATE) == []
