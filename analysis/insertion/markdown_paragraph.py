"""The lines of a Markdown paragraph as one text whose characters know their place in the source."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from analysis.insertion.source_blocks import Piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@dataclass(frozen=True)
class Paragraph:
    """Lines without their indentation; character ``i`` of the text is ``origin[i]`` of the source."""

    text: str
    origin: Sequence[int]

    @classmethod
    def of(cls, source: str, lines: Sequence[tuple[int, int]]) -> Paragraph:
        """Join lines, each given from its first character that counts to the start of the next."""
        first, last = lines[0][0], lines[-1][1]
        text = source[first:last].rstrip("\r\n")
        if "\r" not in text and all(end == start for (_, end), (start, _) in pairwise(lines)):
            return cls(text, range(first, first + len(text)))
        pieces: list[str] = []
        origin: list[int] = []
        for start, end in lines:
            pieces.append(source[start:end].rstrip("\r\n"))
            origin.extend(range(start, start + len(pieces[-1]) + 1))  # the newline too
        return cls("\n".join(pieces), origin[:-1])

    def traced(self, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
        """Pieces of the text as pieces of the source, where the indentation of the lines may lie between."""
        origin = self.origin
        if isinstance(origin, range):
            first = origin.start
            return tuple([Piece(show, first + start, first + end, why, name) for show, start, end, why, name in pieces])
        return tuple(line for piece in pieces for line in self._lines(piece))

    def _lines(self, piece: Piece) -> Iterator[Piece]:
        show, start, last, barrier, name = piece
        while start < last:
            newline = self.text.find("\n", start, last - 1)
            end = newline + 1 if newline >= 0 else last
            yield Piece(show, self.origin[start], self.origin[end - 1] + 1, barrier, name)
            start = end
