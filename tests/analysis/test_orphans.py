"""Sources are found for orphans from their own end, and each orphan ends with a link, a proposal or a reason."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.graph import LinkGraph
from analysis.orphans import Fate, Orphan, TakenOut, count_fates, explain_orphans
from analysis.pagerank import with_links
from analysis.records import PageHead, Placement, PlanRow, Proposal, Sentence
from analysis.rescue import SOURCES, Rescue

NOTHING = TakenOut(frozenset(), frozenset(), frozenset())


def graph_of(size: int, *pairs: tuple[int, int]) -> LinkGraph:
    return with_links(LinkGraph(size, np.zeros(0, np.int32), np.zeros(0, np.int32)), pairs)


def offer(rescue: Rescue, source: int, targets: list[int], scores: list[float]) -> None:
    for at in np.flatnonzero(rescue.wants(source, np.array(targets), np.array(scores))):
        rescue.keep(Proposal(source, targets[at], 0.5, scores[at]))


def test_an_orphan_that_no_page_chose_gets_its_best_sources() -> None:
    size = SOURCES + 6
    orphan, linked = size - 1, size - 2
    rescue = Rescue(graph_of(size, (0, linked)), max_links=4)
    for source in range(size - 3):
        offer(rescue, source, [linked, orphan], [0.9, source / 100])
    own = [[Proposal(source, linked, 0.5, 0.9)] for source in range(size - 3)]
    own[-1].append(Proposal(size - 4, orphan, 0.5, (size - 4) / 100))
    found = rescue.added_to(own)
    assert [[p.target for p in of_page] for of_page in found[-SOURCES:]] == [[linked, orphan]] * SOURCES
    assert [len(of_page) for of_page in found[:-SOURCES]] == [1] * (len(found) - SOURCES)


def test_a_page_that_has_its_links_is_asked_last() -> None:
    full = [(0, target) for target in (2, 3, 4, 5)]
    rescue = Rescue(graph_of(20, *full), max_links=4)
    offer(rescue, 0, [19], [0.9])
    for source in range(1, SOURCES + 1):
        offer(rescue, source, [19], [0.1])
    sources = [page for page, own in enumerate(rescue.added_to([[] for _ in range(20)])) if own]
    assert sources == list(range(1, SOURCES + 1))


def head(index: int, language: str = "en") -> PageHead:
    return PageHead(index, f"https://a.test/{index}", f"Page {index}", "", language)


def row(source: int, target: int, *, placed: bool = True, beyond: bool = False) -> PlanRow:
    place = Placement(Sentence(0, 0, 9, "words here"), 0, 5, "words", "0" * 16) if placed else None
    return PlanRow(Proposal(source, target, 0.5, 0.5), place, 0, beyond_limit=beyond)


@pytest.mark.parametrize(
    ("plan", "fate", "best"),
    [
        ([row(0, 2, placed=False), row(1, 2)], Fate.PLACED, 1),
        ([row(0, 2, placed=False), row(1, 2, beyond=True)], Fate.BEYOND, 0),
        ([row(0, 2, placed=False)], Fate.UNPLACED, 0),
        ([], Fate.NONE, None),
    ],
)
def test_the_fate_of_an_orphan_is_the_best_that_the_plan_has(plan: list[PlanRow], fate: Fate, best: int | None) -> None:
    (found,) = explain_orphans([2], [head(0), head(1), head(2)], plan, plan, NOTHING, [0.9] * 3)
    assert (found.fate, found.proposals, found.best_source) == (fate, len(plan), best)
    assert bool(found.reason) == (fate is not Fate.PLACED)


@pytest.mark.parametrize(
    ("tried", "taken_out", "language", "reason"),
    [
        ([], NOTHING, "uk", "only article in its language (uk)"),
        ([row(0, 2)], NOTHING, "en", "surer links"),
        ([], TakenOut({2}, frozenset(), frozenset()), "en", "rejected"),
        ([], TakenOut(frozenset(), {2}, frozenset()), "en", "same main queries"),
        ([], TakenOut(frozenset(), frozenset(), {2}), "en", "should become one"),
        ([], NOTHING, "en", "closeness of 0.21"),
    ],
)
def test_an_orphan_without_a_proposal_has_its_reason(
    tried: list[PlanRow], taken_out: TakenOut, language: str, reason: str
) -> None:
    (found,) = explain_orphans([2], [head(0), head(1), head(2, language)], tried, [], taken_out, [0.9, 0.9, 0.21])
    assert reason in found.reason


def test_fates_are_counted_the_best_first() -> None:
    orphans = [Orphan(page, fate, "", 0, None) for page, fate in enumerate((Fate.NONE, Fate.PLACED, Fate.NONE))]
    assert count_fates(orphans) == {"a link in its sentence": 1, "nothing": 2}
