"""Which part of a page is its article, and what inside that part is furniture.

The region comes from the page's own semantics (``main``, ``article``), checked by how much prose they hold; furniture from tags,
ARIA roles and whole class or id names. All rules are conservative: a lost paragraph is worse than a menu that is let through,
because menus show themselves as link lists (blocks.py) or by repeating over the site (boilerplate.py).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

from lxml import etree

from analysis.html.elements import FURNITURE, HEADINGS, NOT_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

# A part that holds less than this share of the page's prose is not its main part, whatever its tag says.
_MAIN_SHARE: Final = 0.3
_ARTICLE_SHARE: Final = 0.5
# Nothing that holds more than this share of the page's paragraphs is furniture for its name alone.
_FURNITURE_SHARE: Final = 0.5
# An aside with more of its text outside links than this is a remark, with less a list of related pages or of contents.
_NOTE_SHARE: Final = 0.4
# A page with less text than this is empty but for its <noscript>, if that holds more.
_EMPTY_CHARS: Final = 50
_NOSCRIPT_CHARS: Final = 100

_FURNITURE_ROLES: Final = frozenset(
    {
        "alertdialog", "complementary", "contentinfo", "dialog", "doc-toc", "menu", "menubar", "navigation", "search", "toolbar",
    }
)  # fmt: skip

_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")
_LINK_TEXTS = etree.XPath("descendant::a//text()", smart_strings=False)
_CUSTOM_ELEMENTS = etree.XPath("descendant::*[contains(local-name(), '-')]")
_PARAGRAPH_TEXTS = etree.XPath("descendant-or-self::p//text()", smart_strings=False)

# The only elements whose class or id is asked: a heading, table cell or inline element is too often named after its subject.
_NAMED_CONTAINERS: Final = frozenset(
    {"address", "article", "center", "details", "div", "dl", "fieldset", "figure", "ol", "p", "section", "ul"}
)

_PREFIX: Final = (
    r"(?:\w+__|(?:post|entry|article|single|page|blog|content|site|main|block|section|wp-block|global|top|bottom|mobile)[-_])*"
)
_SUFFIX: Final = (
    r"(?:[-_]{1,2}(?:wrap|wrapper|container|inner|outer|list|items?|block|section|box|area|bar|links?|icons?|buttons?|widgets?|panel|row"
    r"|group|holder|module|top|bottom|left|right|\d+))*"
)
_FURNITURE_NAMES: Final = (
    # ways through the site
    r"nav|navi|navbar|navigation|sidenav|(?:mega|main|primary|site|footer|drop-?down|off-?canvas|mobile)-?menu|menu|off-?canvas|bread-?crumbs?"
    r"|crumbs|pagination|pager|paginator|prev-?next|next-?prev|skip-?links?|(?:lang(?:uage)?|locale)-?(?:switch(?:er)?|select(?:or)?|picker|menu)"
    r"|(?:ez-|lwp)?toc|table-?of-?contents|on-this-page|side-?bar|widgets?|widget-area|search|search-?form"
    # other pages
    r"|(?:related|similar|recommended|recent|latest|popular|featured|more|other)-?(?:posts?|articles?|content|stories|reading|pages|news|entries|products)"
    r"|related|recommend(?:ed|ations)|read-?(?:next|more|also)|(?:you-)?(?:may|might)-(?:also-)?like|up-next|yarpp(?:-related)?|jp-relatedposts"
    r"|crp_related|outbrain|taboola"
    # people, talk, reactions
    r"|authors?|author-(?:bio|info|card|profile|name|description)|about-(?:the-)?author|by-?line|comments?-?(?:list|form|thread|template)|comments"
    r"|comment-respond|respond|disqus(?:[-_]thread)?|utterances|giscus|isso-thread|remark42|webmentions"
    r"|social|social-(?:media|share|sharing|icons?|links)|shar(?:e|ing)|sharedaddy|addtoany(?:[-_]\w+)*|addthis(?:[-_]\w+)*|ya-share2"
    r"|ratings?|feedback|was-this-helpful|edit-(?:this-)?(?:page|post|link|on-github)"
    # asking for something
    r"|news-?letter|subscri(?:be|ption)|sign-?up|opt-?in|cta|call-to-action|mc_embed_signup|ads?|advert|advertisement|adsbygoogle|promo"
    r"|cookies?-?(?:banner|notice|consent|bar|law|popup|message|info)|gdpr(?:-\w+)*|cookie-law-info-bar|onetrust(?:-\w+)*|consent-?(?:banner|popup)"
    r"|modal|pop-?up|light-?box"
    # about the page
    r"|tags|tag-?(?:list|cloud|links)|categories|cat-links|footer|colophon|copyright|sr-only|visually-hidden(?:-focusable)?"
    r"|screen-reader-(?:text|only)"
)
_HEADER_NAMES: Final = r"header|masthead|top-?bar|branding|meta"
_ASKED: Final = tuple(sorted(NOT_TEXT | FURNITURE | _NAMED_CONTAINERS))
_FURNITURE_NAME = re.compile(f"{_PREFIX}(?:{_FURNITURE_NAMES}){_SUFFIX}")
_HEADER_NAME = re.compile(f"{_PREFIX}(?:{_HEADER_NAMES}){_SUFFIX}")
_CALLOUT = re.compile(
    r"(?:^|[\s_-])(?:note|tip|hint|info|important|warning|caution|danger|success|example|callout|admonition|alert)(?:$|[\s_-])"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def find_article(root: _Element) -> tuple[_Element, ...]:
    """The elements that hold the article's text, in document order; more than one where a page is several articles.

    Changes the tree: furniture is emptied in place. Its tag stays as a boundary between the texts before and after
    it, and so does lxml's tail, the text that follows it. Never empty: the last resort is the body.
    """
    bodies = root.findall("body")
    body = bodies[0] if bodies else root
    fallback = _noscript_text(body)
    _empty_furniture(body)
    if fallback and _text_length(body) < _EMPTY_CHARS:
        return fallback
    return _region(body)


def _noscript_text(body: _Element) -> tuple[_Element, ...]:
    """Copies of the ``noscript`` elements as ordinary ones, if together they hold a text worth reading."""
    found = [element for element in body.iter("noscript") if len(element)]
    if not found or sum(map(_text_length, found)) < _NOSCRIPT_CHARS:
        return ()
    copies = []
    for element in found:
        copy = element.makeelement("div")
        copy.text = element.text
        copy.extend(list(element))
        copies.append(copy)
    for copy in copies:
        _empty_furniture(copy)
    return tuple(copies)


def _region(body: _Element) -> tuple[_Element, ...]:
    mains = _outermost(part for part in body.iter("main", "div", "section") if part.tag == "main" or part.get("role") == "main")
    articles = _outermost(body.iter("article"))
    if not mains and not articles:
        return (body,)
    whole = _prose_length(body)
    main = _one_or_all(articles, _ARTICLE_SHARE * whole)
    if main or not mains:
        return main or (body,)
    in_mains = sum(map(_prose_length, mains))
    if in_mains < _MAIN_SHARE * whole:
        return (body,)
    articles = [article for article in articles if any(ancestor in mains for ancestor in article.iterancestors())]
    return _one_or_all(articles, _ARTICLE_SHARE * in_mains) or tuple(mains)


def _one_or_all(articles: list[_Element], wanted: float) -> tuple[_Element, ...]:
    """The article that holds the wanted prose alone (others are teasers of its neighbours), or all if only together they do."""
    lengths = [_prose_length(article) for article in articles]
    if not articles or sum(lengths) < wanted:
        return ()
    longest = max(lengths)
    return (articles[lengths.index(longest)],) if longest >= wanted else tuple(articles)


def _outermost(elements: Iterator[_Element]) -> list[_Element]:
    found: list[_Element] = []
    for element in elements:
        if not any(ancestor in found for ancestor in element.iterancestors()):
            found.append(element)
    return found


def _text_length(element: _Element) -> int:
    return int(cast("float", _TEXT_LENGTH(element)))


def _prose_length(element: _Element) -> int:
    """Characters outside links: menus weigh nothing."""
    return _text_length(element) - _length(_LINK_TEXTS(element))


def _paragraphs_length(element: _Element) -> int:
    return _length(_PARAGRAPH_TEXTS(element))


def _length(texts: object) -> int:
    return len(" ".join("".join(cast("list[str]", texts)).split()))


def _empty_furniture(body: _Element) -> None:
    furniture = []
    for element in [*body.iter(*_ASKED), *cast("list[_Element]", _CUSTOM_ELEMENTS(body))]:
        tag = element.tag
        if tag == "template" and element.get("shadowrootmode"):
            element.tag = "section"  # a declarative shadow root is part of what the reader sees
        elif tag in NOT_TEXT or _is_furniture(element, tag):
            furniture.append(element)
    limit: float | None = None
    for element in furniture:
        if element.tag in FURNITURE and element.tag != "form":  # a tag is proof enough, unless its end tag is missing
            if next(element.iter("main", "article"), None) is not None and element.tag != "nav":
                continue
        elif element.tag not in NOT_TEXT and next(element.iter("p"), None) is not None:
            limit = _FURNITURE_SHARE * _paragraphs_length(body) if limit is None else limit
            if _paragraphs_length(element) > limit:
                continue
        element.clear(keep_tail=True)  # type: ignore[call-arg]  # the stubs are older


def _is_furniture(element: _Element, tag: str) -> bool:
    role = element.get("role")
    if role in _FURNITURE_ROLES:
        return True
    if tag in FURNITURE and tag not in ("header", "aside"):
        return True
    if role != "tabpanel" and (element.get("hidden", "until-found") != "until-found" or element.get("aria-hidden") == "true"):
        return True
    verdict = _verdict(element.get("class", ""), "" if tag == "section" else element.get("id", ""), tag if "-" in tag else "")
    if tag == "aside":
        return verdict == "furniture" or not _is_note(element, role)
    if tag == "header":
        return not _heads_article(element, in_section=_is_inside(element, "article", "main", "section"))
    return verdict == "furniture" or (verdict == "header" and not _heads_article(element, in_section=True))


@lru_cache(maxsize=8192)
def _verdict(classes: str, identity: str, custom_tag: str) -> str:
    """``furniture``, ``header`` or ``""`` for the names of an element; sites use few of them, so the answer is remembered.

    The id of a section is its heading's slug in many generators ("pagination", "menu"), so it says nothing there.
    """
    names = [_CAMEL.sub("-", name).lower() for name in classes.split()]
    if identity and "section" not in names:
        names.append(_CAMEL.sub("-", identity).lower())
    names += [custom_tag] if custom_tag else []
    if any(_FURNITURE_NAME.fullmatch(name) for name in names):
        return "furniture"
    return "header" if any(_HEADER_NAME.fullmatch(name) for name in names) else ""


def _is_inside(element: _Element, *tags: str) -> bool:
    return any(ancestor.tag in tags for ancestor in element.iterancestors())


def _is_note(aside: _Element, role: str | None) -> bool:
    """Whether an aside is a remark of the author's: it says so, or stands in the article and is prose, not links."""
    if role == "note" or _CALLOUT.search(aside.get("class", "").lower()):
        return True
    return _is_inside(aside, "article", "main") and _prose_length(aside) > _NOTE_SHARE * _text_length(aside)


def _heads_article(header: _Element, *, in_section: bool) -> bool:
    """Whether a header belongs to the text: it holds a heading (the page's own, an h1, if it heads no section), and no menu."""
    if next(header.iter(*(HEADINGS if in_section else ("h1",))), None) is None:
        return False
    return next(header.iter("nav", "form"), None) is None and sum(1 for _ in header.iter("li")) < 3
