"""How much prose there is in a text, and what only looks like prose: label lines and pages that are no articles."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from analysis.records import BlockKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.records import Block

# A character of Chinese, Japanese or Korean counts as two. Measured on ethereum.org and its translations (418 pages): one letter
# of Chinese stands for 2.7 of English, one of Japanese for 1.6; spaces, which only English has, not counted.
_DENSE_SCRIPT = re.compile(
    r"[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_NO_WORD = re.compile(r"[\W_]+")
_SENTENCE_END: Final = re.compile(r"[.!?…。！？؟।։][\s\"'”’»)\]）」』]*$")
# "21.03.2024", "March 21, 2024", "21 марта 2024", then more.
_DATE_FIRST: Final = re.compile(
    r"\W*(?:\d{1,4}[./-]\d\d?[./-]\d{1,4}|(?:[^\W\d_]+[.,]?\s+){0,2}\d\d?(?:st|nd|rd|th)?[.,]?\s+(?:[^\W\d_]+[.,]?\s+){0,2}(?:19|20)\d\d)\b"
)
_DATELINE: Final = 200
_LABEL_REST: Final = 25
_LABEL_CHARS: Final = 100
# A lead shorter than this that ends in a colon or a dash and is followed by links only is a label, whatever its words.
_LEAD: Final = 40
_LEAD_ENDS: Final = (":", "：", "—", "–", "-")

# Below this an article has no place for a link and its vector says little: two short sentences.
_SHORT: Final = 160
# A list page: at least this many lines that are nobody's sentence, and together this many times the prose.
_LIST_LINES: Final = 8
_LIST_FACTOR: Final = 1.5
# A list of teasers: at least this many texts, half of all, end in "Read more".
_TEASERS: Final = 3
_TEASER_END: Final = 40


def prose_length(text: str) -> int:
    """Length of a text in characters of a Latin-script language; punctuation and spaces at the ends count nothing."""
    words = _NO_WORD.sub(" ", text).strip()
    return len(words) if words.isascii() else len(words) + len(_DENSE_SCRIPT.findall(words))


def has_prose(text: str, wanted: int) -> bool:
    """Whether :func:`prose_length` reaches ``wanted`` near the start of the text; the rest of a long one is not looked at."""
    return prose_length(text[: 2 * wanted]) >= wanted or prose_length(text[: 20 * wanted]) >= wanted


def ends_sentence(text: str) -> bool:
    """Whether the last character, quotes and brackets aside, ends a sentence."""
    return _SENTENCE_END.search(text[-20:]) is not None


def is_dateline(text: str) -> bool:
    """Whether a text is the line of an article's date and authors: a date and then no sentence."""
    return len(text) <= _DATELINE and _DATE_FIRST.match(text) is not None and not ends_sentence(text)


def is_label_line(text: str, first_link: int, rest: str) -> bool:
    """Whether a block is a label and its links ("Read also: …", "By …", "Docs: …"), and no sentence.

    ``first_link`` is where its first link starts, ``rest`` its text without the links.
    """
    if len(rest) > _LABEL_CHARS:
        return False
    before = text[:first_link].rstrip()
    if before.endswith(_LEAD_ENDS) and prose_length(rest) < _LEAD and prose_length(rest) - prose_length(before) < 2:
        return True
    label = _label().match(text)
    if label is None or label.end() > first_link or _NO_WORD.sub("", text[label.end() : first_link]):
        return False
    return prose_length(rest) - prose_length(label[0]) < _LABEL_REST


@cache
def _labels() -> str:
    """The phrases of the word list as alternatives of a pattern, the longest first."""
    source = resources.files("analysis").joinpath("data/label_lines.toml").read_text(encoding="utf-8")
    phrases = {phrase for language in tomllib.loads(source).values() for phrase in language}
    return "|".join(map(re.escape, sorted(phrases, key=lambda phrase: (-len(phrase), phrase))))


@cache
def _label() -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{_labels()})(?!\w)", re.IGNORECASE)


@cache
def _ends_in_label() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_labels()})\W*$", re.IGNORECASE)


def thin_reason(blocks: Iterable[Block]) -> str | None:
    """Why a page is no article ("empty", "very short", "mostly a list of links"); None if it is one."""
    weight: Counter[BlockKind] = Counter()
    lines: Counter[BlockKind] = Counter()
    teasers = 0
    for block in blocks:
        weight[block.kind] += prose_length(block.text)
        lines[block.kind] += 1
        teasers += block.kind is not BlockKind.HEADING and _ends_in_label().search(block.text[-_TEASER_END:]) is not None
    if not lines:
        return "empty"
    prose = sum(weight.values()) - weight[BlockKind.OTHER] - weight[BlockKind.HEADING]
    if lines[BlockKind.OTHER] >= _LIST_LINES and weight[BlockKind.OTHER] > _LIST_FACTOR * prose:
        return "mostly a list of links"
    if teasers >= _TEASERS and teasers >= 0.5 * (lines[BlockKind.PARAGRAPH] + lines[BlockKind.ITEM]):
        return "mostly a list of links"
    return "very short" if prose < _SHORT else None
