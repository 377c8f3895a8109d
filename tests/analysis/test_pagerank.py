from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.graph import LinkGraph
from analysis.pagerank import UNREACHED, click_depth, effect, gini, pagerank, standing, with_links


def graph_of(size: int, pairs: list[tuple[int, int]]) -> LinkGraph:
    return with_links(LinkGraph(size, np.zeros(0, np.int32), np.zeros(0, np.int32)), pairs)


def random_graph(size: int, links: int, seed: int) -> LinkGraph:
    random = np.random.default_rng(seed)
    targets = np.minimum(random.pareto(1.2, links) * 3, size - 1).astype(int)  # a few pages get most of the links
    return graph_of(size, list(zip(random.integers(0, size, links).tolist(), targets.tolist(), strict=True)))


def as_networkx(graph: LinkGraph) -> networkx.DiGraph[int]:
    other: networkx.DiGraph[int] = networkx.DiGraph()
    other.add_nodes_from(range(graph.size))
    other.add_edges_from(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    return other


@pytest.mark.parametrize(("size", "links"), [(1, 0), (2, 1), (50, 0), (300, 900), (2_000, 3_000)])
def test_pagerank_equals_networkx(size: int, links: int) -> None:
    graph = random_graph(size, links, seed=size)
    expected = networkx.pagerank(as_networkx(graph), alpha=0.85, tol=1e-12, max_iter=1_000)
    weights = pagerank(graph)
    assert weights.dtype == np.float64
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(weights, [expected[page] for page in range(size)], atol=1e-9)


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11))))
def test_pagerank_solves_its_equation(size: int, pairs: list[tuple[int, int]]) -> None:
    graph = graph_of(size, [(source % size, target % size) for source, target in pairs])
    matrix = np.full((graph.size, graph.size), 1 / graph.size)
    for source in range(graph.size):
        targets = graph.targets_of(source)
        if targets:
            matrix[:, source] = [target in targets for target in range(graph.size)]
            matrix[:, source] /= len(targets)
    exact = np.linalg.solve(np.eye(graph.size) - 0.85 * matrix, np.full(graph.size, 0.15 / graph.size))
    np.testing.assert_allclose(pagerank(graph), exact, atol=1e-10)


def test_no_pages_have_no_rank() -> None:
    empty = graph_of(0, [])
    assert pagerank(empty).shape == (0,)
    assert standing(empty).share_linking == 0.0


def test_click_depth_takes_the_shortest_way_over_all_links() -> None:
    texts = graph_of(6, [(0, 1), (1, 2), (2, 3), (4, 3)])
    assert click_depth(texts, [0]).tolist() == [0, 1, 2, 3, UNREACHED, UNREACHED]
    assert click_depth(texts, [0], graph_of(6, [(0, 4)])).tolist() == [0, 1, 2, 2, 1, UNREACHED]
    assert click_depth(texts, [0, 2]).tolist() == [0, 1, 0, 1, UNREACHED, UNREACHED]
    assert click_depth(texts, []).tolist() == [UNREACHED] * 6


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000))
def test_click_depth_equals_networkx(seed: int) -> None:
    graph = random_graph(40, 60, seed)
    lengths = networkx.single_source_shortest_path_length(as_networkx(graph), 0)
    assert click_depth(graph, [0]).tolist() == [lengths.get(page, UNREACHED) for page in range(40)]


@pytest.mark.parametrize(("values", "expected"), [([1, 1, 1, 1], 0.0), ([0, 0, 0, 1], 0.75), ([1, 3], 0.25), ([0, 0], 0.0)])
def test_gini(values: list[float], expected: float) -> None:
    assert gini(np.array(values, dtype=float)) == pytest.approx(expected)


def test_a_link_that_stands_already_changes_nothing() -> None:
    graph = graph_of(3, [(0, 1), (1, 2)])
    again = with_links(graph, [(0, 1), (2, 2)])
    assert again.sources.tolist() == graph.sources.tolist()
    assert again.targets.tolist() == graph.targets.tolist()


def test_standing_in_figures() -> None:
    found = standing(graph_of(5, [(0, 1), (0, 2), (1, 2)]), [0])
    assert (found.links, found.dead_ends, found.orphans, found.unreached) == (3, 3, 3, 2)
    assert found.share_linking == pytest.approx(0.4)
    assert found.links_per_page == pytest.approx(0.6)
    assert found.median_depth == 1.0
    assert standing(graph_of(2, [])).median_depth is None


def test_a_plan_lifts_the_orphan_and_tells_who_pays() -> None:
    graph = graph_of(6, [(0, 1), (1, 0), (2, 1), (3, 1), (4, 1)])
    found = effect(graph, [(0, 5), (1, 5)], [0])
    assert (found.before.orphans, found.after.orphans) == (4, 3)
    assert (found.before.unreached, found.after.unreached) == (4, 3)
    assert found.gains(1)[0][0] == 5
    assert {page for page, _ in found.losses(2)} == {0, 1}
    assert found.change.sum() == pytest.approx(0.0, abs=1e-12)
    gains, losses = found.gains(10), found.losses(10)
    assert [gain for _, gain in gains] == sorted((gain for _, gain in gains), reverse=True)
    assert all(loss < 0 for _, loss in losses)
    assert found.after.gini < found.before.gini
