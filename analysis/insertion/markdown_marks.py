"""Where the marks of a Markdown paragraph stand, each sought once: nothing but marks is read in linear time too."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from functools import cached_property
from typing import Final

_TICKS: Final = re.compile(r"`+")
# Of a tag or an autolink only what begins like one: "a < b" is text.
_BRACKET: Final = re.compile(r"\\.|`+|<[A-Za-z/!?][^<>\n]*>|[\[\]]", re.DOTALL)
_STRUCK_END: Final = re.compile(r"(?<=[^\s~])~~")


class Marks:
    """The marks of one text. Positions may be asked for in any order; it is quick if they rise."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[str, tuple[int, int]] = {}

    def next(self, mark: str, start: int) -> int:
        """The first position of ``mark`` from ``start`` on; the length of the text if there is none."""
        sought, found = self._found.get(mark, (1, 0))
        if not sought <= start <= found:
            found = self._text.find(mark, start)
            found = len(self._text) if found < 0 else found
            self._found[mark] = (start, found)
        return found

    def tick_count(self, at: int) -> int:
        """How many backticks stand at ``at``."""
        ticks = _TICKS.match(self._text, at)
        return len(ticks[0]) if ticks else 0

    def code_end(self, at: int, end: int) -> int | None:
        """Where the code span that opens at ``at`` is closed by as many backticks, before ``end``; None if it is not."""
        count = self.tick_count(at)
        places = self._ticks.get(count, [])
        index = bisect_left(places, at + count)
        return places[index] if index < len(places) and places[index] < end else None

    def struck_end(self, start: int, end: int) -> int | None:
        """The first ``~~`` from ``start`` on that can end struck text before ``end``."""
        index = bisect_left(self._struck_ends, start)
        return self._struck_ends[index] if index < len(self._struck_ends) and self._struck_ends[index] + 2 <= end else None

    def bracket_end(self, at: int, end: int) -> int | None:
        """The bracket before ``end`` that closes the one at ``at``; code spans, escapes and tags bind more closely."""
        closing = self._brackets.get(at, end)
        return closing if closing < end else None

    @cached_property
    def _ticks(self) -> dict[int, list[int]]:
        """Runs of backticks by their length."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for ticks in _TICKS.finditer(self._text):
            found[len(ticks[0])].append(ticks.start())
        return found

    @cached_property
    def _struck_ends(self) -> list[int]:
        return [mark.start() for mark in _STRUCK_END.finditer(self._text)]

    @cached_property
    def _brackets(self) -> dict[int, int]:
        """The closing bracket of each opening one."""
        found: dict[int, int] = {}
        opened: list[int] = []
        position = 0
        while mark := _BRACKET.search(self._text, position):
            position = mark.end()
            if mark[0] == "[":
                opened.append(mark.start())
            elif mark[0] == "]":
                if opened:
                    found[opened.pop()] = mark.start()
            elif mark[0][0] == "`":
                closing = self.code_end(mark.start(), len(self._text))
                position = position if closing is None else closing + len(mark[0])
        return found


def without_code(text: str) -> str:
    """The text without its code spans."""
    marks = Marks(text)
    pieces = []
    done = position = 0
    while ticks := _TICKS.search(text, position):
        closing = marks.code_end(ticks.start(), len(text))
        position = ticks.end()
        if closing is not None:
            pieces.append(text[done : ticks.start()])
            done = position = closing + len(ticks[0])
    return "".join([*pieces, text[done:]])
