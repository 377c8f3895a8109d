from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis import evidence
from analysis.records import Page
from tests.analysis.small_site import index_site, write_site

BICYCLES = (
    (
        "Patching a tube",
        "Carry [tyre levers](4) and patches. Roughen the rubber before the glue.\nSee [how to true a wheel](2) next.",
    ),
    (
        "Touring in autumn",
        "On wet roads the brakes wear. Patching a tube in the rain is no fun; a spare tube is light.\nA truing stand is heavy.",
    ),
    (
        "Truing a wheel",
        "A spoke wrench and patience. Start where the rim rubs.\n# Truing stand\nA stand helps, but the brakes do too.",
    ),
    (
        "What to pack",
        "Take [tyre levers](4), a [spoke wrench](2), and a spare tube for [patching a tube](0) at home.\nPack light.",
    ),
    ("Tyre levers compared", "Plastic levers spare the rim. Steel levers last. We tried nine while [patching a tube](0)."),
    ("Choosing brakes", "Brakes stop you. Rim brakes are light and wear the rim, others like mud. Read [what to pack](3)."),
)


def row(pages: list[Page], source: int, target: int) -> dict[str, float]:
    targets = np.array([page.head.index for page in pages if page.head.index != source], dtype=np.int32)
    table = evidence.measure(index_site(pages), source, targets)
    return dict(zip(evidence.FEATURES, table[list(targets).index(target)].tolist(), strict=True))


@pytest.mark.parametrize(("source", "target"), [(0, 4), (0, 2), (3, 4), (3, 2), (3, 0), (4, 0), (5, 3)])
def test_no_evidence_sees_the_link_that_it_judges(source: int, target: int) -> None:
    pages = write_site(*BICYCLES)
    bare = list(pages)
    bare[source] = replace(pages[source], links=tuple(link for link in pages[source].links if link.target != target))
    with_link, without = row(pages, source, target), row(bare, source, target)
    assert len(bare[source].links) < len(pages[source].links)
    assert with_link == pytest.approx(without, abs=1e-4)


def test_every_feature_is_documented_and_finite() -> None:
    site = index_site(write_site(*BICYCLES))
    table = evidence.measure(site, 1, np.array([0, 2, 3, 4, 5], dtype=np.int32))
    assert table.shape == (5, len(evidence.FEATURES))
    assert np.isfinite(table).all()
    assert all(text for module in evidence.MODULES for text in module.FEATURES.values())


def test_a_name_in_the_text_counts_only_where_it_is_free() -> None:
    articles = [*BICYCLES, ("At the workshop", "They were [patching a tube](4) when I came in, all of them.")]
    taken = row(write_site(*articles), 6, 0)
    articles[6] = ("At the workshop", "They were patching a tube when I came in, all of them.")
    free = row(write_site(*articles), 6, 0)
    assert (taken["name"], taken["name_free"]) == (pytest.approx(free["name"]), 0)
    assert (free["name_free"], free["name_is_title"]) == (1, 1)
    assert taken["title_share"] == 0 < free["title_share"]


def test_words_that_every_page_has_carry_no_weight() -> None:
    articles = [(f"Bicycle {title}", f"{text} My bicycle, again.") for title, text in BICYCLES]
    named_everywhere = row(write_site(*articles, ("Bicycle", "The bicycle is a machine.")), 1, 6)
    assert named_everywhere["title_mass"] == named_everywhere["name"] == 0


def test_wording_that_other_pages_link_is_known() -> None:
    found = row(write_site(*BICYCLES, ("Flat again", "I broke my tyre levers today, both of them.")), 6, 4)
    assert found["anchor"] > 0
    assert np.expm1(found["anchor_pages"]) == pytest.approx(2)
    assert found["anchor_share"] == 1


def test_two_pages_of_one_title_are_told_apart_by_content() -> None:
    pages = write_site(
        ("Getting started", "Knead the dough for bread with flour, yeast and water, and let it rise near the oven."),
        ("Getting started", "Solder the resistor to the board, then connect the battery and measure the voltage."),
        (
            "Rye bread",
            "Rye flour and yeast make a heavy dough. New to bread? Read getting started, then heat the oven.",
        ),
        ("Blinking light", "A board, a battery and a resistor. If the voltage is new to you, read getting started."),
        ("Sourdough", "Sourdough is flour and water, a dough that rises without yeast in a warm kitchen."),
        ("Radio kit", "The kit has a board, a battery and a coil; the voltage is low."),
    )
    bread = [row(pages, 2, target) for target in (0, 1)]
    light = [row(pages, 3, target) for target in (0, 1)]
    assert bread[0]["name"] == bread[1]["name"] > 0
    for feature in ("cosine", "csls", "context", "mention_in_context", "shared_terms"):
        assert bread[0][feature] > bread[1][feature]
        assert light[0][feature] < light[1][feature]


def test_mentions_are_found_in_a_script_without_spaces() -> None:
    pages = write_site(
        ("智能合约", "智能合约是部署在区块链上的程序。它们自动执行协议的条款。"),
        ("开始学习", "在学习编程之前,你应该了解什么是智能合约,以及它如何运行。"),
        ("钱包", "钱包用来保存你的私钥。不要把私钥告诉任何人。"),
        ("节点", "节点是运行客户端软件的计算机。任何人都可以运行它。"),
        language="zh",
    )
    found = row(pages, 1, 0)
    assert found["name_is_title"] == found["name_free"] == found["title_share"] == 1
    assert row(pages, 1, 2)["name"] == 0


def test_the_order_of_targets_changes_nothing() -> None:
    site = index_site(write_site(*BICYCLES))
    targets = np.array([0, 2, 4, 5], dtype=np.int32)
    forward, backward = evidence.measure(site, 3, targets), evidence.measure(site, 3, targets[::-1])
    np.testing.assert_allclose(forward, backward[::-1], atol=1e-6)
