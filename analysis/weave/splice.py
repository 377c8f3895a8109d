"""Puts an accepted rewrite into a source: the pointer's text as one splice, then its link by the inserter with all its rules."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.insertion import (
    Inserted,
    InsertionRules,
    LinkRequest,
    Markup,
    Refusal,
    SourcePage,
    UnsafeEncodingError,
    insert_link,
)
from analysis.insertion.source_blocks import Show
from analysis.records import block_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.insertion.source_blocks import SourceBlock


@dataclass(frozen=True, slots=True)
class Woven:
    """A source with its paragraph rewritten: at byte ``offset`` stands ``new`` where ``old`` stood."""

    source: bytes = field(repr=False)
    offset: int
    old: bytes
    new: bytes


def weave_in(
    source: bytes, before: str, after: str, request: LinkRequest, *, page_url: str, markup: Markup, max_total: int | None
) -> Woven | Refusal:
    """Rewrite the paragraph ``before`` as ``after``, with the link of ``request`` on its anchor."""
    try:
        page = SourcePage(source, page_url, markup=markup)
    except UnsafeEncodingError:
        return Refusal.BAD_ENCODING
    blocks = page.document.by_digest.get(block_digest(before), [])
    if len(blocks) != 1 or len(blocks[0].text) != len(before):
        return Refusal.BLOCK_NOT_FOUND
    changed = _changed(before, after)
    span = blocks[0].barrier or _source_span(blocks[0], changed[0], changed[1])
    if isinstance(span, Refusal):
        return span
    first, last = page.bytes.offset(span[0]), page.bytes.offset(span[1])
    if first is None or last is None:
        return Refusal.BAD_ENCODING
    text = after[changed[0] : changed[2]]
    body = page.bytes.body
    added = page.bytes.encode(html.escape(text, quote=False) if markup is Markup.HTML else text)
    rewritten = body[:first] + added + body[last:]
    where = LinkRequest(request.target_url, request.anchor, block_digest(after), after.find(request.anchor))
    rules = InsertionRules(max_total=max_total, max_new=None)
    linked = insert_link(rewritten, where, page_url=page_url, rules=rules, markup=markup)
    return _difference(body, linked.source) if isinstance(linked, Inserted) else linked


def fixed_words(block: SourceBlock) -> tuple[str, ...]:
    """The words inside the block's links, code and emphasis, which a rewrite must leave as they are."""
    found: list[str] = []
    depth, start = 0, 0
    owners = block.places.owner
    text = block.text
    inside = [False] * len(block.pieces)
    for number, piece in enumerate(block.pieces):
        depth += (piece.show is Show.OPEN) - (piece.show is Show.CLOSE)
        inside[number] = depth > 0 or piece.barrier is not None
    for at in range(len(text) + 1):
        if at == len(text) or not inside[owners[at]]:
            words = text[start:at].strip()
            if words:
                found.append(words)
            start = at + 1
    return tuple(found)


def _changed(before: str, after: str) -> tuple[int, int, int]:
    """``before[first:last]`` became ``after[first:new_last]``; as little as can be."""
    first = _shared(before, after)
    tail = _shared(before[first:][::-1], after[first:][::-1])
    return first, len(before) - tail, len(after) - tail


def _source_span(block: SourceBlock, first: int, last: int) -> tuple[int, int] | Refusal:
    """Where in the source the change goes: outside of every inline element and of template syntax."""
    places, end = block.places, len(block.text)
    if block.syntax is None or any(start <= last and first <= stop for start, stop in block.syntax):
        return Refusal.IN_TEMPLATE
    if first < last:
        pieces = block.pieces[places.owner[first] : places.owner[last - 1] + 1]
        plain = all(piece.show in (Show.TEXT, Show.LITERAL) and piece.barrier is None for piece in pieces)
        whole = not (places.splits_character(first) or places.splits_character(last))
        start = places.starts[first]
        return (start, places.ends[last - 1]) if plain and whole and _is_outside(block, start) else Refusal.CROSSES_MARKUP
    options = [places.ends[first - 1]] if first else []
    options += [places.starts[first]] if first < end else [block.pieces[-1].end]
    outside = [at for at in options if _is_outside(block, at)]
    if outside and not places.splits_character(first):
        return outside[0], outside[0]
    return block.pieces[places.owner[max(0, first - 1)]].barrier or Refusal.CROSSES_MARKUP


def _is_outside(block: SourceBlock, position: int) -> bool:
    """Whether no inline element of the block is open at this place of the source."""
    depth = 0
    for piece in block.pieces:
        if piece.end > position:
            return depth == 0 and (piece.start >= position or piece.barrier is None)
        depth += (piece.show is Show.OPEN) - (piece.show is Show.CLOSE)
    return depth == 0


def _difference(old: bytes, new: bytes) -> Woven:
    first = _shared(old, new)
    tail = _shared(old[first:][::-1], new[first:][::-1])
    return Woven(new, first, old[first : len(old) - tail], new[first : len(new) - tail])


def _shared(a: Sequence[object], b: Sequence[object]) -> int:
    """How many elements both begin with."""
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
