"""Word by word: the rewrite is the old paragraph with a pointer added, and nothing else.

Both paragraphs are aligned by their longest common subsequence of words (Hirschberg 1975 names the problem; paragraphs are short
enough for the plain table). A list of what may be added is safer than one of what may not: a word that turns "may" into "must",
or "before" into "after", needs no list here.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from analysis.words import stem

if TYPE_CHECKING:
    from analysis.weave.rewrite import Rewrite, Word

_MOST_WORDS: Final = 600  # of a paragraph; the table grows with the square
_MOST_NEW: Final = 25  # words of a pointer
_BREAK: Final = re.compile(r"[,;:()–—.!?…]|\s-\s")


def nothing_lost(rewrite: Rewrite) -> bool:
    """Every word is still there, in its order; only words that say nothing may have gone."""
    if max(len(rewrite.old), len(rewrite.new)) > _MOST_WORDS:
        return False
    kept = {i for i, _ in _pairs(rewrite.old, rewrite.new)}
    return all(i in kept or word.folded in rewrite.words("free") for i, word in enumerate(rewrite.old))


def no_new_claim(rewrite: Rewrite) -> bool:
    """New words only in the clause or sentence that carries the anchor, and there only the target's name and words that point.

    It must be set off from the old words, so that an old statement keeps its wording.
    """
    if max(len(rewrite.old), len(rewrite.new)) > _MOST_WORDS:
        return False
    matched = {j for _, j in _pairs(rewrite.old, rewrite.new)}
    added = [word for j, word in enumerate(rewrite.new) if j not in matched]
    free = rewrite.words("free")
    start, end = rewrite.anchor_span
    unit = _pointer(rewrite, matched)
    if unit is None:
        return False
    first, last = unit

    def allowed(word: Word) -> bool:
        if start <= word.start and word.end <= end:
            return True
        inside = first <= word.start and word.end <= last
        named = stem(word.folded, rewrite.language) in rewrite.name_stems
        return word.folded in free or (inside and (named or rewrite.points(word.folded)))

    return len(added) <= _MOST_NEW and all(map(allowed, added))


def punctuation_kept(rewrite: Rewrite) -> bool:
    """Between two old words that still follow each other stands what stood there; as many questions and exclamations."""
    if any(rewrite.before.count(mark) != rewrite.after.count(mark) for mark in "?!"):
        return False
    pairs = _pairs(rewrite.old, rewrite.new)
    for (i, j), (i2, j2) in pairwise(pairs):
        if (i2, j2) == (i + 1, j + 1):
            before = rewrite.before[rewrite.old[i].end : rewrite.old[i2].start]
            after = rewrite.after[rewrite.new[j].end : rewrite.new[j2].start]
            if before.split() != after.split():
                return False
    return rewrite.after.rstrip()[-1:] == rewrite.before.rstrip()[-1:]


def spelling_kept(rewrite: Rewrite) -> bool:
    """Old words keep their capitals, but where a sentence now begins or no longer does."""
    for i, j in _pairs(rewrite.old, rewrite.new):
        old, new = rewrite.old[i], rewrite.new[j]
        before, after = rewrite.before[old.start : old.end], rewrite.after[new.start : new.end]
        begins = not rewrite.before[: old.start].strip() or rewrite.before[: old.start].rstrip()[-1] in ".!?…"
        begins_now = not rewrite.after[: new.start].strip() or rewrite.after[: new.start].rstrip()[-1] in ".!?…"
        if before != after and not (begins != begins_now and before[1:] == after[1:]):
            return False
    return True


def _pointer(rewrite: Rewrite, matched: set[int]) -> tuple[int, int] | None:
    """The run of new words that holds the anchor, if punctuation sets it off from the old ones on both sides; else None."""
    free, words = rewrite.words("free"), rewrite.new
    first = next((j for j, word in enumerate(words) if word.end > rewrite.anchor_span[0]), 0)
    last = first
    while first > 0 and (first - 1 not in matched or words[first - 1].folded in free):
        first -= 1
    while last + 1 < len(words) and (last + 1 not in matched or words[last + 1].folded in free):
        last += 1
    while first < last and first in matched:
        first += 1
    while last > first and last in matched:
        last -= 1
    lead = rewrite.after[words[first - 1].end : words[first].start] if first else "."
    trail = rewrite.after[words[last].end : words[last + 1].start] if last + 1 < len(words) else "."
    return (words[first].start, words[last].end) if _BREAK.search(lead) and _BREAK.search(trail) else None


@cache
def _pairs(old: tuple[Word, ...], new: tuple[Word, ...]) -> tuple[tuple[int, int], ...]:
    """Positions of equal words, ascending on both sides, as many as can be."""
    a, b = [word.folded for word in old], [word.folded for word in new]
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    x, y = a[head : len(a) - tail], b[head : len(b) - tail]
    table = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in range(len(x) - 1, -1, -1):
        for j in range(len(y) - 1, -1, -1):
            table[i][j] = table[i + 1][j + 1] + 1 if x[i] == y[j] else max(table[i + 1][j], table[i][j + 1])
    middle = []
    i = j = 0
    while i < len(x) and j < len(y):
        if x[i] == y[j]:
            middle.append((head + i, head + j))
            i, j = i + 1, j + 1
        elif table[i + 1][j] >= table[i][j + 1]:
            i += 1
        else:
            j += 1
    ends = [(len(a) - n, len(b) - n) for n in range(tail, 0, -1)]
    return (*((n, n) for n in range(head)), *middle, *ends)
