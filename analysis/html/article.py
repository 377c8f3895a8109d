"""Which part of a page is its article: what its own tags say (``main``, ``article``), checked by how much prose they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.html.furniture import empty_furniture
from analysis.html.lengths import text_length, unlinked_length

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

# A part that holds less than this share of the page's prose is not its main part, whatever its tag says.
_MAIN_SHARE: Final = 0.3
_ARTICLE_SHARE: Final = 0.5
# A page with less text than this is empty but for its <noscript>, if that holds more.
_EMPTY_CHARS: Final = 50
_NOSCRIPT_CHARS: Final = 100


def find_article(root: _Element) -> tuple[_Element, ...]:
    """The elements that hold the article's text, in document order; more than one where a page is several articles.

    Changes the tree: furniture is emptied in place (see furniture.py). Never empty: the last resort is the body.
    """
    body = next(root.iterchildren("body"), root)
    fallback = _noscript_text(body)
    empty_furniture(body)
    if fallback and text_length(body) < _EMPTY_CHARS:
        return fallback
    return _region(body)


def _noscript_text(body: _Element) -> tuple[_Element, ...]:
    """Copies of the ``noscript`` elements as ordinary ones, if together they hold a text worth reading."""
    found = [element for element in body.iter("noscript") if len(element)]
    if not found or sum(map(text_length, found)) < _NOSCRIPT_CHARS:
        return ()
    copies = []
    for element in found:
        copy = element.makeelement("div")
        copy.text = element.text
        copy.extend(list(element))
        copies.append(copy)
    for copy in copies:
        empty_furniture(copy)
    return tuple(copies)


def _region(body: _Element) -> tuple[_Element, ...]:
    mains = _outermost(body.iter("main")) or _outermost(
        part for part in body.iter("div", "section") if part.get("role") == "main"
    )
    articles = _outermost(body.iter("article"))
    if not mains and not articles:
        return (body,)
    whole = unlinked_length(body)
    main = _one_or_all(articles, _ARTICLE_SHARE * whole)
    if main or not mains:
        return main or (body,)
    in_mains = sum(map(unlinked_length, mains))
    if in_mains < _MAIN_SHARE * whole:
        return (body,)
    articles = [article for article in articles if any(ancestor in mains for ancestor in article.iterancestors())]
    return _one_or_all(articles, _ARTICLE_SHARE * in_mains) or tuple(mains)


def _one_or_all(articles: list[_Element], wanted: float) -> tuple[_Element, ...]:
    """The article that holds the wanted prose alone (others are teasers of its neighbours), or all if only together they do."""
    lengths = [unlinked_length(article) for article in articles]
    if not articles or sum(lengths) < wanted:
        return ()
    longest = max(lengths)
    return (articles[lengths.index(longest)],) if longest >= wanted else tuple(articles)


def _outermost(elements: Iterable[_Element]) -> list[_Element]:
    found: list[_Element] = []
    for element in elements:
        if not any(ancestor in found for ancestor in element.iterancestors()):
            found.append(element)
    return found
