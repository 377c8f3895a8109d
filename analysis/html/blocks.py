"""An article to blocks of text and the links that stand in its sentences: one walk through the tree.

A block is cut at every boundary of a block-level element and at ``<br><br>`` (records.py says why), so it does not matter how
the parser nested what a browser nests otherwise. Elements that are not block-level are transparent; a single ``<br>`` is a space.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from lxml import etree

from analysis.html.elements import BLOCK_LEVEL, HEADINGS, NOT_TEXT, VISIBLE
from analysis.html.prose import ends_sentence, has_prose, is_dateline, is_label_line
from analysis.records import Block, BlockKind, FoundLink
from analysis.urls import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

# Text beside the links (see prose_length) that makes a block more than a list of links. A <p> is declared a paragraph, a word of
# the author's is enough; a list item or a <div> has to show it by its length, or by ending as a sentence does.
_SENTENCE: Final = {"p": 2, "li": 25, "": 40}
_ENDED_SENTENCE: Final = 12
_LAYOUT_ROLES: Final = frozenset({"presentation", "none"})
_NO_EDITOR: Final = re.compile(r"\b(?:author|tag|category|prev|next|sponsored|ugc)\b", re.IGNORECASE)
_BUTTON: Final = re.compile(r"(?:^|\s)(?:btn|button)(?:$|[\s_-])", re.IGNORECASE)

_KINDS: Final = {
    **dict.fromkeys(HEADINGS, BlockKind.HEADING),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), BlockKind.CODE),
    "blockquote": BlockKind.QUOTE,
    **dict.fromkeys(("caption", "dt", "figcaption", "legend", "summary"), BlockKind.CAPTION),
    **dict.fromkeys(("address", "option", "optgroup"), BlockKind.OTHER),
}
# Where an existing link is an editor's. A quotation is no place for a new one, but a link in it is there; so is one in the
# paragraphs of a table.
_LINKED: Final = frozenset({BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.QUOTE})
# What holds for everything inside, whatever stands in it; the later in this order, the stronger.
_STICKY: Final = (
    BlockKind.ITEM,
    BlockKind.QUOTE,
    BlockKind.TABLE,
    BlockKind.CAPTION,
    BlockKind.HEADING,
    BlockKind.OTHER,
    BlockKind.CODE,
)


class _Context(NamedTuple):
    """What surrounds a text: the kind that its container gives, and which rule (a key of _SENTENCE) it must meet."""

    kind: BlockKind
    rule: str


class _Anchor(NamedTuple):
    element: _Element
    start: int
    end: int


_STRING = etree.XPath("string()", smart_strings=False)
_BOUNDARIES_IN_CODE: Final = (*sorted(BLOCK_LEVEL), *sorted(NOT_TEXT), "br")
_FLOW: Final = _Context(BlockKind.PARAGRAPH, "")


def read_blocks(article: Iterable[_Element], base_url: str) -> tuple[tuple[Block, ...], tuple[FoundLink, ...]]:
    """The blocks of the elements that :func:`analysis.html.article.find_article` found, and the links in their running text.

    Links to any web address are returned, also to other sites and more than once to one target; links to a place on the same page
    (``#…``) are not, nor are those that no editor placed: labels ("Read also: …"), buttons, cards, tags, authors.
    """
    reader = _Reader(base_url)
    for region in article:
        reader.read(region)
    return tuple(reader.blocks), tuple(reader.links)


class _Reader:
    """The state of the walk; a run is the inline content since the last boundary, ``_marks`` where links begin and end in it."""

    def __init__(self, base_url: str) -> None:
        self.blocks: list[Block] = []
        self.links: list[FoundLink] = []
        self._base_url = base_url
        self._contexts: list[_Context] = [_FLOW]
        self._run: list[str] = []
        self._marks: list[tuple[int, _Element, bool]] = []
        self._open_link: _Element | None = None
        self._line_broken = False

    def read(self, region: _Element) -> None:
        """Walk one element; its own tag gives the first context, its tail is not its text."""
        walk = etree.iterwalk(region, events=("start", "end"))
        for event, element in walk:
            tag = element.tag
            if event == "start":
                if tag in NOT_TEXT and element is not region:
                    walk.skip_subtree()
                elif tag in BLOCK_LEVEL:
                    self._boundary()
                    self._contexts.append(_context(element, tag, self._contexts[-1]))
                    if tag == "pre" and next(element.iterdescendants(*_BOUNDARIES_IN_CODE), None) is None:
                        self._run.append(cast("str", _STRING(element)))  # highlighted code is thousands of elements
                        walk.skip_subtree()
                        continue
                elif tag == "br":
                    self._break_line()
                elif tag == "a" and element.get("href") is not None:
                    self._begin_link(element)
                if element.text and (tag not in NOT_TEXT or element is region):
                    self._text(element.text)
            else:
                if tag in BLOCK_LEVEL:
                    self._boundary()
                    self._contexts.pop()
                elif element is self._open_link:
                    self._end_link()
                if element.tail and element is not region:
                    self._text(element.tail)
        self._boundary()

    def _text(self, text: str) -> None:
        if text.isspace():
            if self._run:
                self._run.append(" ")
            return
        self._run.append(text)
        self._line_broken = False

    def _break_line(self) -> None:
        if self._line_broken:
            self._boundary()
        else:
            self._run.append(" ")
            self._line_broken = True

    def _begin_link(self, element: _Element) -> None:
        if self._open_link is not None:  # links do not nest: HTML closes the first
            self._end_link()
        self._open_link = element
        self._marks.append((len(self._run), element, True))

    def _end_link(self) -> None:
        if self._open_link is not None:
            self._marks.append((len(self._run), self._open_link, False))
            self._open_link = None

    def _boundary(self) -> None:
        """End the run; a link that is still open goes on in the next one."""
        self._line_broken = False
        if not self._run:
            return
        link = self._open_link
        self._end_link()
        self._emit()
        self._run.clear()
        self._marks.clear()
        if link is not None:
            self._begin_link(link)

    def _emit(self) -> None:
        if self._marks:
            text, anchors = _with_anchors(self._run, self._marks)
        else:
            text, anchors = " ".join("".join(self._run).split()), []
        if not VISIBLE.search(text):
            return
        kind, rule = _kind(text, anchors, self._contexts[-1]), self._contexts[-1].rule
        if kind in _LINKED or (kind is BlockKind.TABLE and rule == "p" and _is_sentence(text, anchors, "")):
            self._collect(anchors)
        self.blocks.append(Block(kind, text))

    def _collect(self, anchors: list[_Anchor]) -> None:
        for element, start, end in anchors:
            href = element.get("href", "").strip()
            if not href or href.startswith("#") or _is_no_editors(element):
                continue
            url = resolve(href, self._base_url)
            if url is not None:
                self.links.append(FoundLink(url, len(self.blocks), start, end))


def _context(element: _Element, tag: str, around: _Context) -> _Context:
    kind = _KINDS.get(tag)
    rule = ""
    if tag in ("li", "dd"):
        kind, rule = BlockKind.ITEM, "li"
    elif tag == "table" and not _is_layout(element):
        kind = BlockKind.TABLE
    elif tag == "p":
        rule = "p"
    kind = kind or BlockKind.PARAGRAPH
    if around.kind is BlockKind.TABLE and tag == "p":
        return _Context(BlockKind.TABLE, rule)
    if around.kind in _STICKY and (kind not in _STICKY or _STICKY.index(kind) < _STICKY.index(around.kind)):
        return around
    return _Context(kind, rule)


def _is_layout(table: _Element) -> bool:
    """Whether a table only arranges the page: it says so, or it has no header and holds parts of a page or a single row."""
    if table.get("role") in _LAYOUT_ROLES:
        return True
    if next(table.iter("th", "thead", "caption"), None) is not None:
        return False
    if next(table.iterdescendants("table", "h1", "h2", "h3", "article"), None) is not None:
        return True
    return sum(1 for _ in table.iter("tr")) <= 1 or any(len(cell.findall("p")) > 1 for cell in table.iter("td"))


def _with_anchors(run: list[str], marks: list[tuple[int, _Element, bool]]) -> tuple[str, list[_Anchor]]:
    """The normalised text of a run, and where in it its links stand; links without words are left out."""
    pieces: list[str] = []
    anchors: list[_Anchor] = []
    length = start = done = 0
    gap = opened = False
    for position, element, is_start in [*marks, (len(run), None, False)]:
        raw = "".join(run[done:position])
        done = position
        words = raw.split()
        if words:
            piece = " ".join(words)
            if length and (gap or raw[0].isspace()):
                piece = " " + piece
            if opened:
                start, opened = length + piece.startswith(" "), False
            pieces.append(piece)
            length += len(piece)
            gap = raw[-1].isspace()
        elif raw:
            gap = True
        if is_start:
            opened = True
        elif element is not None:
            if not opened and length > start:
                anchors.append(_Anchor(element, start, length))
            opened = False
    return "".join(pieces), anchors


def _kind(text: str, anchors: list[_Anchor], context: _Context) -> BlockKind:
    kind, rule = context
    if kind is BlockKind.HEADING:
        return BlockKind.OTHER if _is_card(text, anchors) else kind
    if kind not in _LINKED or (not anchors and (rule == "p" or kind is BlockKind.QUOTE)):
        return kind
    return kind if _is_sentence(text, anchors, rule) else BlockKind.OTHER


def _is_sentence(text: str, anchors: list[_Anchor], rule: str) -> bool:
    """Whether a text says something beside its links; ``rule`` is a key of _SENTENCE."""
    if anchors and anchors[0].end - anchors[0].start == len(text):
        return False
    if rule != "li" and is_dateline(text):
        return False
    rest = _outside(text, anchors)
    wanted = _SENTENCE[rule]
    if wanted > _ENDED_SENTENCE and ends_sentence(text):
        wanted = _ENDED_SENTENCE
    return has_prose(rest, wanted) and not (anchors and is_label_line(text, anchors[0].start, rest))


def _outside(text: str, anchors: list[_Anchor]) -> str:
    if not anchors:
        return text
    pieces, done = [], 0
    for anchor in anchors:
        pieces.append(text[done : anchor.start])
        done = anchor.end
    return " ".join([*pieces, text[done:]])


def _is_card(text: str, anchors: list[_Anchor]) -> bool:
    """Whether a heading is only a link to another page: the title of a teaser, not of a part of this article."""
    leads_away = any(not anchor.element.get("href", "#").strip().startswith("#") for anchor in anchors)
    return leads_away and not has_prose(_outside(text, anchors), 2)


def _is_no_editors(link: _Element) -> bool:
    """A link that stands in a sentence but was set by a template or paid for, or is a button."""
    rel, names = link.get("rel"), link.get("class")
    if (rel and _NO_EDITOR.search(rel)) or (names and _BUTTON.search(names)):
        return True
    return link.get("role") == "button"
