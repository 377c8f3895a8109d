"""Text that a template engine, a content management system or a formula renderer will read: no place for a link.

Everything here works on the shown text of blocks. Where brackets do not pair up the answer is "unsure", and the caller leaves
the paragraph alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from analysis.insertion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from analysis.insertion.spans import Spans

# What opens a tag and what ends it: Jinja, Liquid, Twig, Vue, Handlebars; ERB, ASP, JSP; PHP; Yoast, Obsidian; Markdown; TeX.
_PAIRS: Final = (
    *(("{{{", "}}}"), ("{{", "}}"), ("{%", "%}"), ("{#", "#}"), ("<%", "%>"), ("<?", "?>"), ("%%", "%%")),
    *(("```", "```"), ("`", "`")),
    *(("\\(", "\\)"), ("\\[", "\\]"), ("\\begin{", "\\end{"), ("$$", "$$")),
)
_OPENING = re.compile(r"[{<`]|%%|\$\$|\\(?:[(\[]|begin\{)")
# What is left: single braces (ICU, Svelte, JSX).
_SINGLE = re.compile(r"\{[^{}]*\}")
_UNPAIRED = re.compile(r"\{[{%#]|[}%#]\}|<%|%>|<\?(?:php|=)|\\[\[(]|\\(?:begin|end)[{\0]")
# Tags of template engines may run over several paragraphs; over more than these they are two examples in a text about templates.
_LONG: Final = 10
_LONG_TAG = re.compile(r"(\{[{%#])|[}%#]\}")
_BRACKET = re.compile(r"[\[\]]")
_SHORTCODE_LIKE = re.compile(r"\[/?[^\W\d]|\[[\[%\0]")
_QUOTED_VALUE = re.compile(r"=\s*(?:\"[^\"]*\"|'[^']*'|“[^“”]*”|”[^“”″]*[”″]|″[^”″]*[”″]|‘[^‘’]*’|’[^’′]*[’′])")
# The tags of paired shortcodes: WordPress [name]...[/name], Hugo {{< name >}}...{{< /name >}}, Liquid {% name %}...{% endname %}.
_SHORTCODE_TAG = re.compile(r"(?:\[|\{\{[<%]\s*)(/?)([A-Za-z][\w-]*)(?=[\s\]/=>%])|\{%-?\s*(end)?([a-z]\w*)")
# Whether a text holds the end of any, so that its blocks must be looked through.
SHORTCODE_END: Final = re.compile(r"\[/|\{[{%#]")
# Pairs of Liquid, Jinja and Twig whose body is ordinary text.
_TRANSPARENT: Final = frozenset(
    {"block", "case", "for", "if", "ifchanged", "ifequal", "ifversion", "spaceless", "unless", "with", "withcontext"}
)

_EDITOR_COMMENT = re.compile(r"<!--\s*(/?)wp:([a-z][a-z0-9/_-]*)\s")
# Blocks of the WordPress editor that hold an author's own running text, or other blocks.
_EDITOR_PROSE: Final = frozenset(
    {"paragraph", "list", "list-item", "freeform", "group", "columns", "column", "media-text", "cover", "details", "post-content"}
)


def template_spans(text: str) -> Spans | None:
    """Spans of a block's text that are template or shortcode syntax; None where that cannot be told."""
    spans = _tag_spans(text)
    rest = _blank(text, spans)
    if _UNPAIRED.search(rest):
        return None
    brackets = _bracket_spans(rest)
    return None if brackets is None else sorted(spans + brackets)


def _tag_spans(text: str) -> Spans:
    spans: Spans = []
    position = 0
    absent: set[str] = set()
    while opening := _OPENING.search(text, position):
        at = opening.start()
        position = _tag_end(text, at, absent) or at + 1
        if position > at + 1:
            spans.append((at, position))
    return spans


def _tag_end(text: str, at: int, absent: set[str]) -> int:
    """Where the tag at ``at`` ends, 0 if it does not; ``absent`` are marks known not to follow, so that none is sought twice."""
    for opening, closing in _PAIRS:
        if closing not in absent and text.startswith(opening, at):
            found = text.find(closing, at + len(opening) + (opening == closing))  # "$$$$" is no formula
            if found >= 0:
                return found + len(closing)
            absent.add(closing)
    single = _SINGLE.match(text, at)
    return single.end() if single else 0


def _blank(text: str, spans: Spans) -> str:
    """The text with spans, which are in order, overwritten, so that what is in them pairs up with nothing outside."""
    pieces = []
    done = 0
    for start, end in spans:
        pieces += [text[done:start], "\0" * (end - start)]
        done = end
    return "".join([*pieces, text[done:]])


def _bracket_spans(text: str) -> Spans | None:
    """``[...]``, nested ones included in the outer; None if one that looks like a shortcode or wiki link does not end.

    A bracket in a quoted attribute value may or may not count; only where both readings agree the end is known.
    """
    if "[" not in text and "]" not in text:
        return []
    unquoted = _QUOTED_VALUE.sub(lambda match: "\0" * len(match[0]), text)
    spans = _paired(text)
    if unquoted != text and spans != _paired(unquoted):
        return None
    open_ends = _blank(text, spans)
    return None if _SHORTCODE_LIKE.search(open_ends) else spans


def _paired(text: str) -> Spans:
    spans: Spans = []
    open_at: list[int] = []
    for bracket in _BRACKET.finditer(text):
        if bracket[0] == "[":
            open_at.append(bracket.start())
        elif open_at:
            start = open_at.pop()
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, bracket.end()))
    return spans


def shortcode_bodies(texts: Sequence[str]) -> Mapping[int, Spans]:
    """What stands between ``[name ...]`` and ``[/name]``, also across blocks: for each block's index the spans of its text.

    A closing tag without an opening one bars the whole block: its other half must have been lost to the markup around it.
    A tag that opens in one block and ends in another bars all between.
    """
    bodies: list[tuple[int, int, int, int]] = []  # from block and character to block and character
    opened: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, text in enumerate(texts):
        for tag in _SHORTCODE_TAG.finditer(text):
            name = tag[2] or tag[4]
            if name in _TRANSPARENT:
                continue
            if not (tag[1] or tag[3]):
                opened[name].append((number, tag.start()))
            elif opened[name]:
                bodies.append((*opened[name].pop(), number, tag.end()))
            else:
                bodies.append((number, 0, number, len(text)))
    return _by_block([*bodies, *_long_tags(texts)], texts)


def _long_tags(texts: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    opened = -1
    for number, text in enumerate(texts):
        if "{" not in text and "}" not in text:
            continue
        for mark in _LONG_TAG.finditer(_blank(text, _tag_spans(text))):
            if mark[1]:
                opened = number
            elif opened >= 0:
                if number - opened <= _LONG:
                    yield opened, 0, number, len(text)
                opened = -1


def _by_block(bodies: Iterable[tuple[int, int, int, int]], texts: Sequence[str]) -> Mapping[int, Spans]:
    """Bodies that overlap made one, then cut at the boundaries of blocks."""
    found: defaultdict[int, Spans] = defaultdict(list)
    merged: list[tuple[int, int, int, int]] = []
    for body in sorted(bodies):
        if merged and body[:2] <= merged[-1][2:]:
            merged[-1] = (*merged[-1][:2], *max(merged[-1][2:], body[2:]))
        else:
            merged.append(body)
    for first, start, last, end in merged:
        for number in range(first, last + 1):
            found[number].append((start if number == first else 0, end if number == last else len(texts[number])))
    return found


class EditorBlocks:
    """Follows the comments of the WordPress block editor, ``<!-- wp:name -->`` to ``<!-- /wp:name -->``."""

    def __init__(self) -> None:
        self._open: list[str] = []

    @property
    def barrier(self) -> Refusal | None:
        """Why no link may stand at this point of the document."""
        return Refusal.IN_TEMPLATE if any(name not in _EDITOR_PROSE for name in self._open) else None

    def read_comment(self, markup: str) -> None:
        """Take in any comment of the document."""
        comment = _EDITOR_COMMENT.match(markup)
        if comment is None or markup.endswith("/-->"):
            return
        name = comment[2]
        if not comment[1]:
            self._open.append(name)
        elif name in self._open:
            while self._open.pop() != name:
                pass
