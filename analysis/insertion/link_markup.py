"""How a link is written in HTML and in Markdown, and what may stand beside it."""

from __future__ import annotations

import html
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from analysis.urls import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PRINTABLE: Final = "".join(map(chr, range(0x21, 0x7F)))
_ATTRIBUTE_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_RUN_ID: Final = re.compile(r"[A-Za-z0-9]+(?:[.:_-][A-Za-z0-9]+)*")
_MARKDOWN_ESCAPES: Final = str.maketrans({"(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C"})
_SOURCE_FILE: Final = re.compile(r"(?:(?:^|(?<=/))(?:index|_index|readme))?\.(?:md|mdx|markdown)$", re.IGNORECASE)
_TEMPLATE_IN_HREF: Final = re.compile(r"\{\{.*?\}\}")
# {% link _posts/2024-01-31-red-shoes.md %}, {% post_url 2024-01-31-red-shoes %}, {{< relref "shop/red-shoes.md" >}}
_FILE_IN_TEMPLATE: Final = re.compile(
    r"""\{[{%][^{}]*?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}-)?([^\s/"'{}]+?)(?:\.(?:md|mdx|markdown|html))?["'\s>]*[%}]\}"""
)
_EMPHASIS: Final = "*_~="


class Markup(StrEnum):
    """The language of a source."""

    HTML = "html"
    MARKDOWN = "markdown"
    MDX = "mdx"


class Tags(NamedTuple):
    """What goes before and after an anchor."""

    opening: str
    closing: str


def link_tags(target_url: str, markup: Markup, attributes: Mapping[str, str]) -> Tags:
    """The tags of a link; Markdown has no room for ``attributes``.

    :raises ValueError: if the name of an attribute is none.
    """
    # Letters beyond ASCII are escaped: a page in another encoding than UTF-8 would send a query in its own.
    url = resolve(target_url, "") or quote(target_url.strip(), safe=_PRINTABLE)
    if markup is not Markup.HTML:
        return Tags("[", f"]({url.translate(_MARKDOWN_ESCAPES)})")
    names = [name for name in attributes if not _ATTRIBUTE_NAME.fullmatch(name) or name == "href"]
    if names:
        raise ValueError(f"not the name of a link's attribute: {', '.join(map(repr, names))}")
    written = "".join(f' {name}="{_escaped(value)}"' for name, value in {"href": url, **attributes}.items())
    return Tags(f"<a{written}>", "</a>")


def _escaped(value: str) -> str:
    return html.escape(value, quote=False).replace('"', "&quot;")


def run_marker(run_id: str, markup: Markup) -> str:
    """The comment that says which run has been over a page; "" without an id.

    :raises ValueError: if the id is not made of letters and digits with single ``.``, ``:``, ``_`` or ``-`` between them.
    """
    if not run_id:
        return ""
    if not _RUN_ID.fullmatch(run_id):
        raise ValueError(f"a run id is letters and digits with single . : _ - between them, not {run_id!r}")
    return f"{{/* interlink:run={run_id} */}}" if markup is Markup.MDX else f"<!-- interlink:run={run_id} -->"


def is_safe_around(text: str, start: int, end: int, markup: Markup) -> bool:
    r"""Whether ``text[start:end]`` can be wrapped in a link without a change to the meaning of what stands beside it.

    In Markdown a neighbour may turn ``[`` into something else (``![``, ``\[``, ``][``), or ``)`` into the head of an attribute
    list; and a run of ``*`` that touched a letter on the other side no longer opens or closes emphasis beside a bracket.
    """
    if markup is Markup.HTML:
        return True
    before, after = text[start - 1 : start], text[end : end + 1]
    if (before and before in "!\\]^@:[") or (after and after in "{["):
        return False
    if any(char in "[]<>`\\" for char in text[start:end]):
        return False
    return _emphasis_stands(text, start, -1) and _emphasis_stands(text, end, 1)


def _emphasis_stands(text: str, at: int, step: int) -> bool:
    inside = at if step > 0 else at - 1
    outside = inside
    while 0 <= outside < len(text) and text[outside] in _EMPHASIS:
        outside += step
    return outside == inside or not 0 <= outside < len(text) or not text[outside].isalnum()


def rendered_addresses(href: str) -> Iterator[str]:
    """What a Markdown link to a source file may become on the site: without its extension, below the page or beside it.

    Generators differ: a file ``a/b.md`` is served as ``/a/b/``, where ``c.md`` means ``../c/``.
    """
    path, mark, rest = _TEMPLATE_IN_HREF.sub("", href).partition("#")
    path = _SOURCE_FILE.sub("", path)
    yield href
    yield path + mark + rest
    if path and not path.startswith("/") and "://" not in path:
        yield "../" + path


def named_in_template(href: str) -> str:
    """The name of the page that a template tag in an href looks up, without folder, date and extension; "" if there is none."""
    return next(iter(reversed(_FILE_IN_TEMPLATE.findall(href))), "")
