"""Template text: a block of prose that stands word for word on many pages belongs to the site, not to the article."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.records import FoundLink

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from analysis.records import Block

# Three pages may quote the same sentence; a call to action, a licence note or an author's line stands on more of them. The
# share keeps large sites from losing sentences that a handful of articles repeat on purpose.
_MIN_PAGES: Final = 4
_MIN_SHARE: Final = 0.03


def template_digests(pages_with: Mapping[str, int], pages: int) -> frozenset[str]:
    """The digests of blocks that repeat over the site.

    :param pages_with: digest of a block → number of pages on which it stands.
    :param pages: number of pages of the site.
    """
    enough = max(_MIN_PAGES, pages * _MIN_SHARE)
    return frozenset(digest for digest, count in pages_with.items() if count >= enough)


def drop_blocks(
    blocks: tuple[Block, ...], links: Iterable[FoundLink], templates: frozenset[str]
) -> tuple[tuple[Block, ...], tuple[FoundLink, ...]]:
    """The page without its template blocks; links in them are no editor's and go too, the others count blocks anew."""
    if not templates:
        return blocks, tuple(links)
    kept = [number for number, block in enumerate(blocks) if block.digest not in templates]
    if len(kept) == len(blocks):
        return blocks, tuple(links)
    renumbered = {old: new for new, old in enumerate(kept)}
    still = tuple(FoundLink(link.url, renumbered[link.block], link.start, link.end) for link in links if link.block in renumbered)
    return tuple(blocks[number] for number in kept), still
