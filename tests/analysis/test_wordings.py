from __future__ import annotations

from analysis.records import Block, BlockKind, Link, Page, PageHead
from analysis.wordings import read_wordings

SHIPS = "We wrote about sailing ships at length."


def page(index: int, text: str, kind: BlockKind = BlockKind.PARAGRAPH, **links: int) -> Page:
    head = PageHead(index, f"https://a.test/{index}", f"Page {index}", "", "en")
    found = []
    for words, target in links.items():
        start = text.index(words.replace("_", " "))
        found.append(Link(target, 0, start, start + len(words)))
    return Page(head, (Block(kind, text),), tuple(found))


def test_link_probability_is_the_share_of_pages_that_link_the_words() -> None:
    pages = [page(0, SHIPS, sailing_ships=3), page(1, SHIPS), page(2, "Sailing Ships are fast.")]
    assert read_wordings(lambda: pages).of(3) == {"sailing ships": 1 / 4}


def test_only_links_in_running_text_are_wordings() -> None:
    pages = [page(0, SHIPS, BlockKind.QUOTE, sailing_ships=3)]
    assert read_wordings(lambda: pages).of(3) == {}


def test_rare_words_weigh_more_and_languages_are_apart() -> None:
    found = read_wordings(lambda: [page(0, SHIPS), page(1, "We wrote of cats."), page(2, "We wrote of dogs.")])
    assert found.rarity("ship", "en") > found.rarity("wrote", "en")
    assert found.rarity("wrote", "de") > 0
