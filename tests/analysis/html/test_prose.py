"""How much prose a text holds, and which pages are no articles."""

from __future__ import annotations

import pytest

from analysis.html.prose import prose_length, thin_reason
from analysis.records import Block, BlockKind

SENTENCE = "A sentence of an article that is about as long as sentences are."


def blocks(kind: BlockKind, *texts: str) -> list[Block]:
    return [Block(kind, text) for text in texts]


@pytest.mark.parametrize(
    ("text", "length"), [("", 0), ("… — !", 0), ("One, two.", 7), ("окна", 4), ("测试内容", 8), ("GPS 测试", 8)]
)
def test_prose_length(text: str, length: int) -> None:
    assert prose_length(text) == length


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        pytest.param([], "empty", id="empty"),
        pytest.param(blocks(BlockKind.PARAGRAPH, SENTENCE), "very short", id="one-sentence"),
        pytest.param(blocks(BlockKind.HEADING, *[SENTENCE] * 9), "very short", id="headings-only"),
        pytest.param(blocks(BlockKind.PARAGRAPH, *[SENTENCE] * 4), None, id="article"),
        pytest.param(blocks(BlockKind.PARAGRAPH, "这是一段关于花园的文字，" * 8), None, id="96-chinese-characters"),
        pytest.param(
            blocks(BlockKind.PARAGRAPH, "Ninety-six Latin letters say too little " * 2), "very short", id="80-latin-letters"
        ),
        pytest.param(
            blocks(BlockKind.PARAGRAPH, *[SENTENCE] * 3) + blocks(BlockKind.OTHER, *[SENTENCE] * 20),
            "mostly a list of links",
            id="link-list",
        ),
        pytest.param(
            blocks(BlockKind.PARAGRAPH, *[SENTENCE] * 30) + blocks(BlockKind.OTHER, *[SENTENCE] * 20),
            None,
            id="article-with-links",
        ),
        pytest.param(
            blocks(BlockKind.PARAGRAPH, *[f"{SENTENCE} Continue reading »"] * 10), "mostly a list of links", id="teasers"
        ),
        pytest.param(
            [
                block
                for _ in range(5)
                for block in (Block(BlockKind.PARAGRAPH, SENTENCE * 3), Block(BlockKind.OTHER, "Читать далее →"))
            ],
            "mostly a list of links",
            id="teasers-with-a-line-of-their-own",
        ),
    ],
)
def test_thin_reason(page: list[Block], reason: str | None) -> None:
    assert thin_reason(page) == reason
