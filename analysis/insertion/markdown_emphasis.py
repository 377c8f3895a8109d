"""Emphasis of Markdown: which of the ``*`` and ``_`` of a paragraph are markup.

https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass
class Run:
    """A run of ``*`` or ``_``; of what it opens and closes the number of its characters and a name that both ends share."""

    index: int  # of its piece
    char: str
    length: int
    opens: bool
    closes: bool
    openers: list[tuple[int, str]] = field(default_factory=list)
    closers: list[tuple[int, str]] = field(default_factory=list)
    left: int = field(init=False)  # how many of its characters are still only characters

    def __post_init__(self) -> None:
        self.left = self.length


def flanking(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether a run can open and can close emphasis (https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run)."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    mark_before, mark_after = _is_mark(before), _is_mark(after)
    left = not after.isspace() and (not mark_after or before.isspace() or mark_before)
    right = not before.isspace() and (not mark_before or after.isspace() or mark_after)
    if text[start] == "*":
        return left, right
    return left and (not right or mark_before), right and (not left or mark_after)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def pair_up(runs: Sequence[Run]) -> None:
    """The procedure "process emphasis" of CommonMark."""
    number = 0
    stack: list[Run] = []
    for closer in runs:
        while closer.closes and closer.left:
            opener = next((run for run in reversed(stack) if _pairs(run, closer)), None)
            if opener is None:
                break
            del stack[stack.index(opener) + 1 :]
            count = 2 if min(opener.left, closer.left) >= 2 else 1
            number += 1
            opener.openers.append((count, f"emphasis {number}"))
            closer.closers.append((count, f"emphasis {number}"))
            opener.left -= count
            closer.left -= count
            if not opener.left:
                stack.pop()
        if closer.opens and closer.left:
            stack.append(closer)


def _pairs(opener: Run, closer: Run) -> bool:
    if opener.char != closer.char or not opener.left:
        return False
    both = opener.closes or closer.opens
    return not both or (opener.length + closer.length) % 3 != 0 or (opener.length % 3 == 0 and closer.length % 3 == 0)
