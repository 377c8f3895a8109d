"""What on a page is furniture: menus, sidebars, share bars, comments, banners; and how it is taken away.

The evidence is tags, ARIA roles and whole class or id names. All rules are conservative: a lost paragraph is worse than a menu
that is let through, because menus show themselves as link lists (blocks.py) or by repeating over the site (boilerplate.py).
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from analysis.html.elements import FURNITURE, HEADINGS, NOT_TEXT
from analysis.html.lengths import paragraphs_length, text_length, unlinked_length

if TYPE_CHECKING:
    from lxml.etree import _Element

# Nothing that holds more than this share of the page's paragraphs is furniture for its name alone.
_FURNITURE_SHARE: Final = 0.5
# An aside with more of its text outside links than this is a remark, with less a list of related pages or of contents.
_NOTE_SHARE: Final = 0.4

_FURNITURE_ROLES: Final = frozenset(
    {
        "alertdialog", "complementary", "contentinfo", "dialog", "doc-toc", "menu", "menubar", "navigation", "search", "toolbar",
    }
)  # fmt: skip

# The only elements whose class or id is asked: a heading, table cell or inline element is too often named after its subject.
_NAMED: Final = frozenset(
    {"address", "article", "center", "details", "div", "dl", "fieldset", "figure", "ol", "p", "section", "ul"}
)

_PREFIX: Final = (
    r"(?:\w+__|(?:post|entry|article|single|page|blog|content|site|main|block|section|wp-block|global|top|bottom|mobile)[-_])*"
)
_SUFFIX: Final = (
    r"wrap|wrapper|container|inner|outer|list|items?|block|section|box|area|bar|links?|icons?|buttons?|widgets?|panel|row|group|holder"
    r"|module|form|top|bottom|left|right|\d+"
)
_FURNITURE_NAMES: Final = (
    # ways through the site
    r"nav|navi|navbar|navigation|sidenav|(?:mega|main|primary|site|footer|drop-?down|off-?canvas|mobile)-?menu|menu|off-?canvas"
    r"|bread-?crumbs?|crumbs|pagination|pager|paginator|prev-?next|next-?prev|skip-?links?"
    r"|(?:lang(?:uage)?|locale)-?(?:switch(?:er)?|select(?:or)?|picker|menu)|(?:ez-|lwp)?toc|table-?of-?contents|on-this-page"
    r"|side-?bar|widgets?|widget-area|search|search-?form"
    # about the page
    r"|tags|tag-?(?:list|cloud|links)|categories|cat-links|footer|colophon|copyright|ratings?|feedback|was-this-helpful"
    r"|edit-(?:this-)?(?:page|post|link|on-github)|sr-only|visually-hidden(?:-focusable)?|screen-reader-(?:text|only)"
)
_APPENDIX_NAMES: Final = (
    # other pages
    r"(?:related|similar|recommended|recent|latest|popular|featured|more|other)"
    r"-?(?:posts?|articles?|content|stories|reading|pages|news|entries|products)|related|recommend(?:ed|ations)"
    r"|read-?(?:next|more|also)|(?:you-)?(?:may|might)-(?:also-)?like|up-next|yarpp(?:-related)?|jp-relatedposts|crp_related|outbrain"
    r"|taboola"
    # people, talk
    r"|authors?|author-(?:bio|info|card|profile|name|description)|about-(?:the-)?author|by-?line|comments"
    r"|comments?-?(?:list|form|thread|template)|comment-respond|respond|disqus(?:[-_]thread)?|utterances|giscus|isso-thread|remark42"
    r"|webmentions|social|social-(?:media|share|sharing|icons?|links)|shar(?:e|ing)|sharedaddy|addtoany(?:[-_]\w+)*|addthis(?:[-_]\w+)*"
    r"|ya-share2"
    # asking for something
    r"|news-?letter|subscri(?:be|ption)|sign-?up|opt-?in|cta|call-to-action|mc_embed_signup|ads?|advert|advertisement|adsbygoogle"
    r"|promo|cookies?-?(?:banner|notice|consent|bar|law|popup|message|info)|gdpr(?:-\w+)*|cookie-law-info-bar|onetrust(?:-\w+)*"
    r"|consent-?(?:banner|popup)|modal|pop-?up|light-?box"
)
_HEADER_NAMES: Final = r"header|masthead|top-?bar|branding|meta"


class _Evidence(Enum):
    """Why an element is furniture, and so what speaks for keeping it all the same (see _is_the_page)."""

    TAG = "tag"  # or role
    NAME = "name"  # of something that may wrap a whole page: "sidebar", "search"
    APPENDIX = "appendix"  # the name of something that comes after an article: "comments", "related"
    HEADER = "header"  # a name; only a header without heading is furniture


_NAMES: Final = {
    evidence: re.compile(rf"{_PREFIX}(?:{names})(?:[-_]{{1,2}}(?:{names}|{_SUFFIX}))*")
    for evidence, names in (
        (_Evidence.APPENDIX, _APPENDIX_NAMES),
        (_Evidence.NAME, _FURNITURE_NAMES),
        (_Evidence.HEADER, _HEADER_NAMES),
    )
}
_CALLOUT = re.compile(
    r"(?:^|[\s_-])(?:note|tip|hint|info|important|warning|caution|danger|success|example|callout|admonition|alert)(?:$|[\s_-])"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def empty_furniture(body: _Element) -> None:
    """Take away all furniture, and elements that are no text, below an element.

    They are emptied in place. The tag stays as a boundary between the texts before and after it, and lxml's tail stays, the text
    that follows it. Declarative shadow roots, which a reader sees, become sections.
    """
    not_text, furniture = [], []
    for element in body.iter():
        tag = element.tag
        if tag in _NAMED or tag in FURNITURE or "-" in tag:
            evidence = _evidence(element, tag)
            if evidence is not None:
                furniture.append((element, evidence))
        elif tag == "template" and element.get("shadowrootmode"):
            element.tag = "section"
        elif tag in NOT_TEXT:
            not_text.append(element)
    for element in not_text:
        element.clear(keep_tail=True)  # type: ignore[call-arg]  # the stubs are older
    for element, evidence in furniture:
        if not _is_the_page(element, evidence, body):
            element.clear(keep_tail=True)  # type: ignore[call-arg]


def _is_the_page(element: _Element, evidence: _Evidence, body: _Element) -> bool:
    """Whether something that looks like furniture holds the page itself: an end tag is missing, or a name means another thing."""
    if evidence is _Evidence.TAG:
        return element.tag != "nav" and next(element.iter("main", "article"), None) is not None
    if evidence is _Evidence.APPENDIX:
        return next(element.iter("h1"), None) is not None
    if next(element.iter("p"), None) is None:
        return False
    return paragraphs_length(element) > _FURNITURE_SHARE * paragraphs_length(body)


def _evidence(element: _Element, tag: str) -> _Evidence | None:
    """What shows that an element is furniture; None if nothing does."""
    if tag in FURNITURE:
        return _evidence_of_tag(element, tag)
    if not element.keys() and "-" not in tag:
        return None
    role = element.get("role")
    if role in _FURNITURE_ROLES:
        return _Evidence.TAG
    if role != "tabpanel" and (element.get("hidden", "until-found") != "until-found" or element.get("aria-hidden") == "true"):
        return _Evidence.NAME
    evidence = _names_of(element, tag)
    return None if evidence is _Evidence.HEADER and _heads_article(element, in_section=True) else evidence


def _evidence_of_tag(element: _Element, tag: str) -> _Evidence | None:
    if tag == "form":
        return _Evidence.NAME
    if tag == "header":
        kept = _heads_article(element, in_section=_is_inside(element, "article", "main", "section"))
    else:
        kept = tag == "aside" and element.get("role") not in _FURNITURE_ROLES and _is_note(element)
    return None if kept else _Evidence.TAG


def _names_of(element: _Element, tag: str) -> _Evidence | None:
    identity = "" if tag == "section" else element.get("id", "")
    return _evidence_of_names(element.get("class", ""), identity, tag if "-" in tag else "")


@lru_cache(maxsize=8192)
def _evidence_of_names(classes: str, identity: str, custom_tag: str) -> _Evidence | None:
    """What the names of an element say; sites use few of them, so the answer is remembered.

    The id of a section is its heading's slug in many generators ("pagination", "menu"), so it says nothing there.
    """
    names = [_CAMEL.sub("-", name).lower() for name in classes.split()]
    if identity and "section" not in names:
        names.append(_CAMEL.sub("-", identity).lower())
    names += [custom_tag] if custom_tag else []
    return next((evidence for evidence, pattern in _NAMES.items() if any(map(pattern.fullmatch, names))), None)


def _is_inside(element: _Element, *tags: str) -> bool:
    return any(ancestor.tag in tags for ancestor in element.iterancestors())


def _is_note(aside: _Element) -> bool:
    """Whether an aside is a remark of the author's: it says so, or stands in the article and is prose, not links."""
    if aside.get("role") == "note" or _CALLOUT.search(aside.get("class", "").lower()):
        return True
    if _names_of(aside, "aside") is not None or not _is_inside(aside, "article", "main"):
        return False
    return unlinked_length(aside) > _NOTE_SHARE * text_length(aside)


def _heads_article(header: _Element, *, in_section: bool) -> bool:
    """Whether a header belongs to the text: it holds a heading (the page's own, an h1, if it heads no section), and no menu."""
    if next(header.iter(*(HEADINGS if in_section else ("h1",))), None) is None:
        return False
    return next(header.iter("nav", "form"), None) is None and sum(1 for _ in header.iter("li")) < 3
