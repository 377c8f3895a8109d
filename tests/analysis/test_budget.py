"""The plan as a whole: caps hold, orphans come before what a well-linked page can do without, and the next row adds most."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.budget import Caps, choose
from analysis.graph import LinkGraph
from analysis.pagerank import with_links
from analysis.records import Placement, PlanRow, Proposal, Sentence

CAPS = Caps(new_a_page=2, links_a_page=4, new_to_a_page=50)


def graph_of(size: int, *pairs: tuple[int, int]) -> LinkGraph:
    return with_links(LinkGraph(size, np.zeros(0, np.int32), np.zeros(0, np.int32)), pairs)


def row(source: int, target: int, score: float, *, placed: bool = True, links_now: int = 0) -> PlanRow:
    place = Placement(Sentence(0, 0, 9, "words here"), 0, 5, "words", "0" * 16) if placed else None
    return PlanRow(Proposal(source, target, 0.5, score), place, links_now, beyond_limit=False)


def pairs(rows: list[PlanRow]) -> list[tuple[int, int]]:
    return [(r.proposal.source, r.proposal.target) for r in rows]


def test_a_page_gets_its_surest_rows() -> None:
    graph = graph_of(5, *[(a, b) for a in range(1, 5) for b in range(1, 5) if a != b])
    found = choose([row(0, 1, 0.2), row(0, 2, 0.9), row(0, 3, 0.5), row(0, 4, 0.4)], graph, CAPS)
    assert pairs(found) == [(0, 2), (0, 3)]


def test_an_orphan_gets_a_link_before_a_well_linked_page_gets_its_fifth() -> None:
    graph = graph_of(8, *[(source, target) for target in (1, 2) for source in (3, 4, 5, 6)])
    rows = [row(0, 1, 0.5), row(0, 2, 0.4), row(0, 7, 0.3)]
    assert set(pairs(choose(rows, graph, CAPS))) == {(0, 1), (0, 7)}


def test_a_surer_link_to_a_page_with_few_stays_and_the_orphan_takes_another_source() -> None:
    graph = graph_of(8, (3, 1), (3, 2))
    rows = [row(0, 1, 0.9), row(0, 2, 0.9), row(0, 7, 0.1), row(4, 7, 0.05)]
    assert set(pairs(choose(rows, graph, CAPS))) == {(0, 1), (0, 2), (4, 7)}


def test_an_orphan_with_a_proposal_but_no_sentence_gets_the_placed_link_on_offer() -> None:
    graph = graph_of(8, *[(source, target) for target in (1, 2) for source in (3, 4, 5, 6)])
    rows = [row(0, 1, 0.5), row(0, 2, 0.4), row(0, 7, 0.3), row(4, 7, 0.6, placed=False)]
    assert set(pairs(choose(rows, graph, CAPS))) == {(0, 1), (0, 7), (4, 7)}


def test_what_one_orphan_has_is_not_given_to_another() -> None:
    graph = graph_of(4)
    rows = [row(0, 1, 0.5), row(0, 2, 0.4), row(0, 3, 0.39)]
    assert set(pairs(choose(rows, graph, CAPS))) == {(0, 1), (0, 2)}


def test_the_ceiling_in_all_is_kept_for_the_orphan_and_the_rest_is_marked() -> None:
    graph = graph_of(9, *[(0, target) for target in (3, 4, 5)], (6, 1))
    rows = [row(0, 1, 0.9, links_now=3), row(0, 7, 0.3, links_now=3)]
    found = choose(rows, graph, CAPS)
    assert [(r.proposal.target, r.beyond_limit) for r in found] == [(1, True), (7, False)]


def test_a_page_at_its_ceiling_gives_an_orphan_nothing_but_a_marked_row() -> None:
    graph = graph_of(9, *[(0, target) for target in (1, 2, 3, 4)])
    (found,) = choose([row(0, 7, 0.3, links_now=4)], graph, CAPS)
    assert found.beyond_limit


def test_a_target_gets_no_more_new_links_than_its_ceiling_and_the_surest_ones() -> None:
    graph = graph_of(9, (8, 1))
    caps = Caps(2, 4, 3)
    found = choose([row(source, 1, source / 10) for source in range(2, 8)], graph, caps)
    assert sorted(pairs(found)) == [(5, 1), (6, 1), (7, 1)]


def test_the_first_link_to_a_page_comes_before_the_second_to_another() -> None:
    graph = graph_of(6)
    rows = [row(0, 4, 0.9), row(1, 4, 0.8), row(2, 5, 0.7), row(3, 5, 0.75, placed=False)]
    found = choose(rows, graph, CAPS)
    assert pairs(found) == [(0, 4), (2, 5), (1, 4), (3, 5)]
    assert [r.gain for r in found] == [0.9, 0.7, round(0.8 / np.log2(3), 4), round(0.375 / np.log2(3), 4)]


@settings(deadline=None, max_examples=150)
@given(
    st.dictionaries(st.tuples(st.integers(0, 6), st.integers(0, 9)), st.tuples(st.integers(1, 99), st.booleans()), max_size=40),
    st.sets(st.tuples(st.integers(0, 6), st.integers(0, 9)), max_size=20),
    st.integers(1, 4),
    st.integers(0, 5),
    st.integers(1, 4),
)
def test_caps_hold_and_each_page_is_read_best_first(
    offered: dict[tuple[int, int], tuple[int, bool]], links: set[tuple[int, int]], new: int, in_all: int, to_one: int
) -> None:
    graph = graph_of(10, *links)
    out = graph.out_degree
    rows = [
        row(a, b, score / 100, placed=placed, links_now=int(out[a]))
        for (a, b), (score, placed) in offered.items()
        if a != b and (a, b) not in links
    ]
    found = choose(rows, graph, Caps(new, in_all, to_one))
    assert choose(rows[::-1], graph, Caps(new, in_all, to_one)) == found
    assert len(set(pairs(found))) == len(found)
    assert set(pairs(found)) <= set(pairs(rows))
    assert max(Counter(r.proposal.source for r in found).values(), default=0) <= new
    assert max(Counter(r.proposal.target for r in found).values(), default=0) <= to_one
    for source in range(7):
        own = [r for r in found if r.proposal.source == source]
        assert [r.proposal.score for r in own] == sorted((r.proposal.score for r in own), reverse=True)
        within = sum(not r.beyond_limit for r in own)
        assert within == min(len(own), max(0, in_all - int(out[source])))
