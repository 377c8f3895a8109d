"""How HTML elements nest and end by the standard's rules, and which of them bar a link.

Rules: https://html.spec.whatwg.org/multipage/parsing.html#the-stack-of-open-elements
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from analysis.html.elements import FURNITURE, HEADINGS, NO_LINK_INLINE, NOT_TEXT
from analysis.insertion.html_tokens import parse_attributes
from analysis.insertion.refusal import Refusal

if TYPE_CHECKING:
    from analysis.insertion.html_tokens import Token


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


SPECIAL: Final = _names(
    """address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details
    dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html
    iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre
    script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp"""
)
CLOSE_P: Final = _names(
    """address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4
    h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp"""
)
END_IN_SCOPE: Final = _names(
    """address applet article aside blockquote button center dd details dialog dir div dl dt fieldset figcaption figure footer
    h1 h2 h3 h4 h5 h6 header hgroup listing main marquee menu nav object ol pre search section select summary ul"""
)
TABLE_PARTS: Final = {"caption": 1, "colgroup": 1, "tbody": 1, "thead": 1, "tfoot": 1, "tr": 2, "td": 3, "th": 3}
MARKERS: Final = frozenset({"applet", "caption", "marquee", "object", "td", "template", "th"})
SCOPE: Final = MARKERS | {"html", "table"}
BUTTON_SCOPE: Final = SCOPE | {"button"}
LIST_SCOPE: Final = SCOPE | {"ol", "ul"}
TEMPLATE: Final = frozenset({"template"})
# Where the search for the element that an end tag closes gives up; for all others it is any special element.
END_BOUNDARIES: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(END_IN_SCOPE, SCOPE),
    **dict.fromkeys([*TABLE_PARTS, "table"], frozenset({"table", "template"})),
    "p": BUTTON_SCOPE,
    "li": LIST_SCOPE,
    "template": frozenset(),
}
IMPLIED_END: Final = frozenset({"dd", "dt", "li", "option", "optgroup", "p", "rb", "rp", "rt", "rtc"})
# Start tags that may end other elements.
CLOSING: Final = CLOSE_P | TABLE_PARTS.keys() | {"button", "option", "optgroup"}
IGNORED: Final = frozenset({"html", "body", "head", "image", "keygen", "frame"})
CLOSE_SELECT: Final = frozenset({"select", "input", "keygen", "textarea"})
# The formatting elements: a browser opens them anew in the next block until their end tag comes.
FORMATTING: Final = _names("a b big code em font i nobr s small strike strong tt u")

BARRIERS: Final[dict[str, Refusal]] = {
    **dict.fromkeys(NO_LINK_INLINE | {"fieldset", "legend", "datalist", "optgroup", "meter", "progress"}, Refusal.IN_CONTROL),
    **dict.fromkeys(FURNITURE, Refusal.IN_FURNITURE),
    **dict.fromkeys(NOT_TEXT | {"head", "frameset", "applet", "marquee"}, Refusal.NOT_PROSE),
    **dict.fromkeys(HEADINGS | {"hgroup"}, Refusal.IN_HEADING),
    **dict.fromkeys(["code", "kbd", "samp", "var", "tt", "pre", "listing", "xmp", "plaintext"], Refusal.IN_CODE),
    **dict.fromkeys(["title", "figcaption", "figure", "caption", "th", "dt", "address", "summary"], Refusal.IN_LABEL),
    **dict.fromkeys(["blockquote", "q"], Refusal.IN_QUOTE),
    **dict.fromkeys(["del", "s", "strike"], Refusal.NOT_PROSE),
    "a": Refusal.IN_LINK,
}
# Block-level elements that hold no sentence of their own, only elements that may.
OWN_TEXT_BARRIERS: Final[dict[str, Refusal]] = {
    **dict.fromkeys(["table", "tbody", "thead", "tfoot", "tr", "td", "colgroup"], Refusal.IN_TABLE),
    **dict.fromkeys(["ul", "ol", "dl", "dir"], Refusal.UNSAFE_MARKUP),
}
ROLES: Final[dict[str, Refusal]] = {
    **dict.fromkeys(["navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar"], Refusal.IN_FURNITURE),
    **dict.fromkeys(["button", "tab", "tablist", "option", "listbox", "combobox", "switch"], Refusal.IN_CONTROL),
    "heading": Refusal.IN_HEADING,
    "link": Refusal.IN_LINK,
}
REGIONS: Final = {"main": 2, "article": 1}
# Set before the name of a component, so that <Link> is no <link>.
COMPONENT: Final = "component-"
# What the name of a component (<NuxtLink>, <router-link>, <CodeBlock>, <sl-button>) says that it becomes.
_COMPONENTS: Final = (
    (re.compile(r"link$"), Refusal.IN_LINK),
    (re.compile(r"code|snippet|highlight|katex|math|mermaid|diagram"), Refusal.IN_CODE),
    (re.compile(r"(?:button|btn|input|select|option)$"), Refusal.IN_CONTROL),
    (re.compile(r"(?:heading|title)$"), Refusal.IN_HEADING),
)


@lru_cache(maxsize=1024)
def barrier_of(name: str) -> Refusal | None:
    """Why no link may stand in an element of this name (in lower case), as far as the name tells."""
    return BARRIERS.get(name.removeprefix(COMPONENT)) or next(
        (refusal for pattern, refusal in _COMPONENTS if pattern.search(name)), None
    )


def link_address(token: Token) -> str | None:
    """Where a start tag links to: the href of an <a>, href or to of a component that becomes one."""
    if token.name == "a":
        return parse_attributes(token.attributes).get("href")
    if barrier_of(token.name) is not Refusal.IN_LINK or token.name == "link":
        return None
    attributes = parse_attributes(token.attributes)
    return attributes.get("href", attributes.get("to"))
