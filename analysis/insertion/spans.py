"""Spans of a text, start included and end not."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Span = tuple[int, int]
Spans = list[Span]


def merge_spans(spans: Iterable[Span]) -> Spans:
    """The spans in order, those that overlap made one."""
    merged: Spans = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def overlaps(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether any of the spans, which are in order and apart, shares a character with ``start`` to ``end``."""
    index = bisect_left(spans, (end, 0)) - 1
    return index >= 0 and spans[index][1] > start
