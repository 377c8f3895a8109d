"""Template text is found by how many pages have it, and leaves the page without moving its links elsewhere."""

from __future__ import annotations

from collections import Counter

import pytest

from analysis.boilerplate import countable_digests, drop_blocks, repeated_blocks
from analysis.records import Block, BlockKind, FoundLink

CALL = Block(BlockKind.PARAGRAPH, "Subscribe to our letter about gardens.")


def paragraph(text: str) -> Block:
    return Block(BlockKind.PARAGRAPH, text)


@pytest.mark.parametrize(
    ("pages", "count", "repeated"),
    [(10, 2, False), (10, 3, True), (60, 3, True), (200, 9, False), (200, 10, True), (100_000, 49, False), (100_000, 50, True)],
)
def test_how_many_pages_make_a_template(pages: int, count: int, repeated: bool) -> None:
    assert (CALL.digest in repeated_blocks({CALL.digest: count}, pages)) is repeated


def test_a_page_counts_a_text_once() -> None:
    counts: Counter[str] = Counter()
    for page in ([CALL, CALL, CALL], [paragraph("Other.")]):
        counts.update(countable_digests(page))
    assert counts[CALL.digest] == 1


def test_dropping_keeps_links_at_their_words() -> None:
    blocks = (CALL, paragraph("One link." * 9), CALL, paragraph("Two links." * 9))
    links = tuple(FoundLink(f"https://a.test/{n}", n, 4, 8) for n in range(4))
    kept, kept_links = drop_blocks(blocks, links, {CALL.digest})
    assert kept == (blocks[1], blocks[3])
    assert [(link.url[-1], link.block) for link in kept_links] == [("1", 0), ("3", 1)]


def test_headings_code_and_table_cells_may_repeat() -> None:
    kept = tuple(Block(kind, "Summary") for kind in (BlockKind.HEADING, BlockKind.CODE, BlockKind.TABLE))
    assert drop_blocks(kept, (), {kept[0].digest}) == (kept, ())
    assert countable_digests(kept) == set()


def test_copies_of_an_article_are_no_templates() -> None:
    article = (paragraph("A paragraph that stands on four pages, in folders of four languages."), paragraph("Another one."), CALL)
    assert drop_blocks(article, (), {block.digest for block in article}) == (article, ())
    assert drop_blocks(article, (), {CALL.digest}) == (article[:2], ())
