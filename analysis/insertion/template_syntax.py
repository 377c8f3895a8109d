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
    from collections.abc import Mapping, Sequence

Spans = list[tuple[int, int]]

# Jinja, Liquid, Twig, Vue, Handlebars; ERB, ASP, JSP; PHP; TeX; single braces (ICU, Svelte, JSX) last, for what is left.
_PAIRS = re.compile(
    r"\{\{\{.*?\}\}\}|\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<%.*?%>|<\?.*?\?>|\\\(.*?\\\)|\\\[.*?\\\]|\$\$.+?\$\$|\{[^{}]*\}", re.DOTALL
)
_UNPAIRED = re.compile(r"\{[{%#]|[}%#]\}|<%|%>|<\?(?:php|=)|\\[\[(]")
_BRACKET = re.compile(r"[\[\]]")
_SHORTCODE_LIKE = re.compile(r"\[/?[^\W\d]|\[[\[%\0]")
_QUOTED_VALUE = re.compile(r"=\s*(?:\"[^\"]*\"|'[^']*'|“[^“”]*”|”[^“”″]*[”″]|″[^”″]*[”″]|‘[^‘’]*’|’[^’′]*[’′])")
# The tags of paired shortcodes: WordPress [name]...[/name], Hugo {{< name >}}...{{< /name >}}, Liquid {% name %}...{% endname %}.
_SHORTCODE_TAG = re.compile(r"(?:\[|\{\{[<%]\s*)(/?)([A-Za-z][\w-]*)(?=[\s\]/=>%])|\{%-?\s*(end)?([a-z]\w*)")
# Whether a text holds the end of any, so that its blocks must be looked through.
SHORTCODE_END: Final = re.compile(r"\[/|\{\{[<%]\s*/|\{%-?\s*end")
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
    spans = [match.span() for match in _PAIRS.finditer(text)]
    rest = _blank(text, spans)
    if _UNPAIRED.search(rest):
        return None
    brackets = _bracket_spans(rest)
    return None if brackets is None else spans + brackets


def _blank(text: str, spans: Spans) -> str:
    """The text with spans overwritten, so that what is in them pairs up with nothing outside."""
    for start, end in spans:
        text = text[:start] + "\0" * (end - start) + text[end:]
    return text


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
    """
    found: defaultdict[int, Spans] = defaultdict(list)
    opened: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, text in enumerate(texts):
        for tag in _SHORTCODE_TAG.finditer(text):
            name = tag[2] or tag[4]
            if name in _TRANSPARENT:
                continue
            if not (tag[1] or tag[3]):
                opened[name].append((number, tag.start()))
            elif opened[name]:
                first, start = opened[name].pop()
                for between in range(first, number + 1):
                    begin = start if between == first else 0
                    found[between].append((begin, tag.end() if between == number else len(texts[between])))
            else:
                found[number].append((0, len(text)))
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
