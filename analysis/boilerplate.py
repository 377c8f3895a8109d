"""Template text: what repeats over the pages of a site and is nobody's paragraph."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from analysis.records import BlockKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from analysis.records import Block, FoundLink

# An author writes a paragraph once and may quote it once more: on three pages of a small site the same text is a template's.
_PAGES: Final = 3
# On larger sites some sentences recur by themselves ("Returns nothing."), so a share of the pages is asked for...
_SHARE: Final = 0.05
# ...but never more than this many pages: a call to action under one section of a large site is a template as well.
_MOST_PAGES: Final = 50
_COPY_SHARE: Final = 0.5
# A heading may well be the same everywhere ("Summary") and still be this article's; so may a line of code or a cell of a table.
_KEPT: Final = frozenset({BlockKind.HEADING, BlockKind.CODE, BlockKind.TABLE})


def countable_digests(blocks: Iterable[Block]) -> set[str]:
    """The digests that a page adds to the site's counts, each once."""
    return {block.digest for block in blocks if block.kind not in _KEPT}


def repeated_blocks(counts: Mapping[str, int], pages: int) -> frozenset[str]:
    """The digests of template blocks: ``counts`` says on how many of the ``pages`` pages (of one site) each digest stands.

    Count the pages of each language on their own where a site has several: a share of all would miss the small ones' templates.
    """
    wanted = max(_PAGES, min(math.ceil(_SHARE * pages), _MOST_PAGES))
    return frozenset(digest for digest, count in counts.items() if count >= wanted)


def drop_blocks(
    blocks: Sequence[Block], links: Iterable[FoundLink], digests: Collection[str]
) -> tuple[tuple[Block, ...], tuple[FoundLink, ...]]:
    """The page without the template blocks and their links; the links that stay point at the new positions.

    A page that would lose most of its text is left as it is: it is no template with a few words, but one of several copies of an
    article (a translation's folder with pages that are still in the original, for one).
    """
    dropped = {index for index, block in enumerate(blocks) if block.kind not in _KEPT and block.digest in digests}
    if sum(len(blocks[index].text) for index in dropped) > _COPY_SHARE * sum(len(block.text) for block in blocks):
        dropped = set()
    kept = [index for index in range(len(blocks)) if index not in dropped]
    position = {index: new for new, index in enumerate(kept)}
    moved = tuple(replace(link, block=position[link.block]) for link in links if link.block in position)
    return tuple(blocks[index] for index in kept), moved
