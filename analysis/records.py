"""The records that pass between the steps of the plan: plain, frozen, and free of any step's logic.

A page is split into *blocks*: maximal runs of inline content between block-level tag boundaries (or ``<br><br>``). Every
position in this project is a character span in the whitespace-normalised text of one block, so that a sentence, an anchor and
an existing link can be compared and found again in the source by the block's digest.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

_INVISIBLE = re.compile(r"[\s\u00ad\u200b-\u200d\u2060\ufeff]+")


class BlockKind(StrEnum):
    """What a block of text is; links are read from, and placed in, running text only."""

    PARAGRAPH = "paragraph"
    ITEM = "item"  # a list item that holds a sentence, not a bare link
    HEADING = "heading"
    QUOTE = "quote"
    CODE = "code"
    TABLE = "table"
    CAPTION = "caption"
    OTHER = "other"  # bare link lists, buttons, labels: text, but nobody's sentence

    @property
    def is_running_text(self) -> bool:
        """Whether an editor's link may stand here."""
        return self in (BlockKind.PARAGRAPH, BlockKind.ITEM)


def block_digest(text: str) -> str:
    """Identity of a block's text: 16 hex digits, blind to white space, invisible characters and Unicode form.

    The crawl (lxml) and the inserter (byte tokenizer) compute it from their own reading of the same block.
    """
    canonical = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Block:
    """One block of an article; ``text`` has single spaces and no space at either end."""

    kind: BlockKind
    text: str

    @property
    def digest(self) -> str:
        """See :func:`block_digest`."""
        return block_digest(self.text)


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link as the crawl found it in running text: ``url`` is absolute, the span lies in ``blocks[block].text``."""

    url: str
    block: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """An existing link between two pages of the corpus; ``target`` is the index of the page it leads to."""

    target: int
    block: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PageHead:
    """What is known of every page all the time (a few hundred bytes each); ``index`` is its position in the corpus."""

    index: int
    url: str
    title: str  # without the brand tail; never empty
    h1: str
    language: str  # ISO 639-1 where there is one, "und" when unknown
    published: date | None = None
    translation_group: int = -1  # pages with the same number are translations of one another; -1 = none known

    def translates(self, other: PageHead) -> bool:
        """Whether the two say that they are translations of one another: into English of two countries, perhaps."""
        return self.translation_group == other.translation_group != -1


@dataclass(frozen=True, slots=True)
class Page:
    """A page with its text: read from the store when a step needs it, not kept."""

    head: PageHead
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]

    def text(self) -> str:
        """The running text and headings of the article, in order, blocks separated by a newline."""
        kinds = (BlockKind.CODE, BlockKind.OTHER)
        return "\n".join(block.text for block in self.blocks if block.kind not in kinds)

    def anchor(self, link: Link) -> str:
        """The words of an existing link."""
        return self.blocks[link.block].text[link.start : link.end]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of running text: ``page.blocks[block].text[start:end] == text``."""

    block: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pair that the ranker proposes: ``closeness`` is the cosine of the two pages, ``confidence`` a probability or None."""

    source: int
    target: int
    closeness: float
    confidence: float | None = None
    level: str = ""  # "sure" or "likely", where the method knows
    reason: str = ""

    @property
    def score(self) -> float:
        """What the plan is ordered by."""
        return self.closeness if self.confidence is None else self.confidence


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a proposal's link goes: the sentence, and the anchor as a span of the block's text."""

    sentence: Sentence
    start: int
    end: int
    anchor: str
    block_digest: str


@dataclass(frozen=True, slots=True)
class NearMiss:
    """What stands in the way of a link: of the words that would carry it, where there are such; else the nearest sentence."""

    obstacle: str
    sentence: Sentence | None = None
    anchor: str = ""
    hint: Sentence | None = None  # where the text comes nearest, for an editor who writes the words himself


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One row of the plan, ready to be written; ``placement`` is None where the pair is related but nothing fits."""

    proposal: Proposal
    placement: Placement | None
    links_now: int  # links that stand in the article's text already
    beyond_limit: bool  # whether this row would take the article beyond the ceiling of links in all
    status: str = "new"  # what the user decided about the pair so far
    gain: float = 0.0  # what this row adds to the rows above it, see analysis.budget
    near_miss: NearMiss | None = None  # where ``placement`` is None
