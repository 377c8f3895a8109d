"""Which listed addresses are no articles, by their address alone, and by which rule.

A rule matches whole path segments, never a part of one: /tag/seo/ is a listing, /tagging-guide/ is not. Where a name may as well
be an article's (/guides/rss/), the address is kept: the page itself tells what it is, by its type and its text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, unquote

from analysis.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What lists articles: the default names of WordPress, WooCommerce, Hugo, Jekyll, Ghost, Docusaurus, Drupal, Hexo and Shopify, and
# those that their translations suggest for the base of a listing.
_LISTINGS: Final[dict[str, frozenset[str]]] = {
    "taxonomy": _words(
        """
        category categories tag tags tagged hashtag hashtags taxonomy post_tag blog-category blog-tag product-category product-tag
        portfolio-category project-category kategorie kategorien schlagwort categorie etiquette categoria categorias etiqueta
        etiquetas kategoria kategoriya rubrika rubric rubrics metka метка метки рубрика рубрики категория категории
        """
    ),
    "author": _words("author authors autor auteur autore avtor автор авторы"),
}
# Ordinary words that name a listing only at the front of a site or of its blog.
_FRONT_LISTINGS: Final[dict[str, frozenset[str]]] = {
    "search": _words("search suche recherche buscar поиск"),
    "feed": _words("feed feeds rss rss2 atom"),
    "archive": _words("archive archives archiv архив"),
}
_FRONTS: Final = _words("blog blogs docs news posts articles journal magazine")
# Folders above a listing (/project/blog/tags/seo/). Deeper, the same words are subjects: /docs/web/api/event/tag/.
_DEEPEST_LISTING: Final = 2

# Query parameters of the same systems and of Blogger and Bitrix; "?p=12" and "?page_id=3" are articles.
_QUERY_RULES: Final = {
    "taxonomy": _words("cat category_name tag taxonomy"),
    "author": _words("author author_name"),
    "search": _words("s"),
    "feed": _words("feed"),
    "archive": _words("updated-max"),
    "paging": _words("paged"),
}
_PAGING_QUERY: Final = re.compile(r"page|cpage|pagen_\d+")
_PAGE_WORDS: Final = _words("page seite pagina strona stranica страница")
_NUMBERED_PAGE: Final = re.compile(r"(?:page|comment-page)-?\d+")
_YEAR: Final = re.compile(r"199\d|20\d\d")
_MONTH_OR_DAY: Final = re.compile(r"\d{1,2}")

# Files that sites list beside their pages. What may also end an article's name (.js, .json, .txt) is left to the content type.
_FILES: Final = _words(
    """
    avif bmp gif ico jpeg jpg png svg tif tiff webp avi m4a m4v mkv mov mp3 mp4 mpeg mpg oga ogg ogv wav webm wmv 7z apk bz2 deb
    dmg exe gz iso jar msi rar rpm tar tgz xz zip csv doc docx epub ics mobi odp ods odt pdf pps ppt pptx ps rtf xls xlsx eot otf
    ttf woff woff2 css rss atom
    """
)
_PAGE_SUFFIX: Final = re.compile(r"\.(?:html?|php|aspx?|jsp)$")

# ISO 639-1, and the longer codes of CLDR's modern locales (https://cldr.unicode.org/); then a script, then a region.
_LANGUAGES: Final = _words(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
    et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj
    kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv
    ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
    tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ast ceb chr ckb doi dsb fil gsw haw hsb kok mai
    mni nds pcm sat yue
    """
)
_LANGUAGE_TAG: Final = re.compile(
    r"([a-z]{2,3})(?:[-_](?:arab|beng|cyrl|deva|guru|hans|hant|hebr|latn|mong|tfng))?(?:[-_](?:([a-z]{2})|\d{3}))?"
)
# English words: /to-do/ and /is-it/ are articles, whatever Tonga and Iceland are called.
_WORDS: Final = _words("am as be he hi id in is it me my no or pa so to")
_THEIR_REGIONS: Final = _words("am-et as-in be-by he-il hi-in id-id is-is it-ch it-it my-mm no-no or-in pa-in pa-pk so-so to-to")

# A filter is a regular expression if it holds one of these; all else ("." "?" "+" too, which addresses hold) stands for itself.
_REGEX_SIGN: Final = re.compile(r"[\^$*()\[\]{}|\\]|\.\+")


class UrlRules:
    r"""The rules of one crawl.

    ``url_filter`` keeps what it matches, each of ``exclude`` leaves out what it matches: a part of the address (``/ru/``), or, if
    it holds one of ``^ $ * ( ) [ ] { } | \`` or ``.+``, a regular expression that is searched for in it (``/(ru|uk)/``). Both
    are tried on the address as it is written and with its escapes decoded. ``homes`` are start pages beside the site's root.
    """

    def __init__(self, url_filter: str = "", exclude: Sequence[str] = (), homes: Sequence[str] = ()) -> None:
        """:raises ValueError: naming the pattern that is no valid regular expression."""
        self._filter = _matcher("url_filter", url_filter) if url_filter else None
        self._exclude = [(pattern, _matcher("exclude", pattern)) for pattern in exclude]
        self._homes = {page_key(home) for home in homes}

    def reason(self, url: str) -> str | None:
        """The rule that leaves this address out, in words that are the same for all addresses of the rule; None to keep it."""
        if self._filter is not None and not self._filter(url):
            return "url_filter"
        for pattern, matches in self._exclude:
            if matches(url):
                return f"exclude: {pattern}"
        key = page_key(url)
        path, _, query = key.partition("/")[2].partition("?")
        if (not path and not query) or key in self._homes:
            return "home page"
        above, _, last = key.rpartition("/")
        if not query and _is_language(last.lower()) and ("/" not in path or above in self._homes):
            return "language root"
        return _file(url) or _by_query(query) or _by_path(_segments(path))


def _matcher(name: str, pattern: str) -> Callable[[str], bool]:
    if not _REGEX_SIGN.search(pattern):
        return lambda url: pattern in url or pattern in unquote(url)
    try:
        regex = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{name} {pattern!r} is no valid regular expression: {error}.") from None
    return lambda url: bool(regex.search(url) or regex.search(unquote(url)))


def _file(url: str) -> str | None:
    name, _, suffix = re.split(r"[?#]", url, maxsplit=1)[0].rpartition("/")[2].lower().rpartition(".")
    return f"not a page: .{suffix}" if name and suffix in _FILES else None


def _by_query(query: str) -> str | None:
    for name, value in parse_qsl(query):
        parameter = name.lower()
        for rule, names in _QUERY_RULES.items():
            if parameter in names:
                return f"{rule}: ?{parameter}="
        if _PAGING_QUERY.fullmatch(parameter) and value.isdecimal():
            return f"paging: ?{parameter}="
    return None


def _segments(path: str) -> list[str]:
    """The segments of a key's path in lower case, decoded; without a language in front and without the ending of a page."""
    segments = [unquote(segment).lower() for segment in path.split("/") if segment]
    if segments and _is_language(segments[0]):
        del segments[0]
    if segments:
        segments[-1] = _PAGE_SUFFIX.sub("", segments[-1])
    return segments


def _by_path(segments: list[str]) -> str | None:
    for i, segment in enumerate(segments[: _DEEPEST_LISTING + 1]):
        names_itself = i < len(segments) - 1 or i <= 1 or segments[i - 1] in _FRONTS
        for rule, names in _LISTINGS.items():
            if segment in names and names_itself:
                return f"{rule}: /{segment}/"
    front = segments[1:] if segments and segments[0] in _FRONTS else segments
    for rule, names in _FRONT_LISTINGS.items():
        if front and front[0] in names and (len(front) == 1 or rule == "search"):
            return f"{rule}: /{front[0]}/"
    if segments and _NUMBERED_PAGE.fullmatch(segments[-1]):
        return "paging: /page-N/"
    if len(segments) > 1 and segments[-2] in _PAGE_WORDS and segments[-1].isdecimal():
        return f"paging: /{segments[-2]}/N/"
    return "date archive" if _is_date(front) else None


def _is_date(segments: list[str]) -> bool:
    """A year alone, at the front; a year with a month or a day behind it, anywhere at the end."""
    for start in range(max(0, len(segments) - 3), len(segments)):
        year, *rest = segments[start:]
        if _YEAR.fullmatch(year) and all(map(_MONTH_OR_DAY.fullmatch, rest)):
            return bool(rest) or start == 0
    return False


def _is_language(segment: str) -> bool:
    match = _LANGUAGE_TAG.fullmatch(segment)
    if match is None or match[1] not in _LANGUAGES:
        return False
    return match[2] is None or match[1] not in _WORDS or f"{match[1]}-{match[2]}" in _THEIR_REGIONS
