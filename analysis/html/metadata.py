"""What a page says about itself: title, canonical address, language, translations, date, and whether it is a page at all."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final, cast

from lxml import etree

from analysis.urls import page_key, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

# A refresh after more seconds than this is a page that says goodbye first, not a redirect stub.
_STUB_SECONDS: Final = 5
# A page with more text than this is no challenge, whatever it is about.
_CHALLENGE_CHARS: Final = 3000

_NOT_THE_PAGES: Final = frozenset({"svg", "template", "noscript", "math"})
_WANTED: Final = ("title", "meta", "link", "base", "script", "h1", "time")
_PERMALINK = re.compile(r"\s*[¶#§🔗]+\s*$")
_ENTITY = re.compile(r"&(?:[a-z]{2,8}\d{0,2}|#\d{2,6}|#x[0-9a-f]{2,5});", re.IGNORECASE)
_REFRESH = re.compile(r"\s*(\d*\.?\d*)\s*[;,]\s*(?:url\s*=\s*)?(['\"]?)(.+)", re.IGNORECASE | re.DOTALL)
_ISO_DATE = re.compile(r"\s*(\d{4})-(\d\d?)-(\d\d?)")
_URL_DATE = re.compile(r"/((?:19|20)\d\d)/(\d\d?)/(\d\d?)/|/((?:19|20)\d\d)-(\d\d)-(\d\d)-")
_JSON_DATE = re.compile(r'"datePublished"\s*:\s*"([^"]{8,40})"')
_DATE_NAMES: Final = frozenset(
    {
        "article:published_time", "og:article:published_time", "article.published", "date", "dc.date", "dc.date.created",
        "dc.date.issued", "dcterms.created", "dcterms.date", "dcterms.issued", "datepublished", "parsely-pub-date", "pubdate",
        "publish-date", "publish_date", "published", "published_time", "sailthru.date", "citation_publication_date",
    }
)  # fmt: skip

# What only challenge pages load or say; "cdn-cgi/challenge-platform" alone is also on ordinary pages behind Cloudflare.
_CHALLENGE_SCRIPT = re.compile(
    r"_cf_chl_opt|/cdn-cgi/challenge-platform/\w+/\w+/orchestrate|/cdn-cgi/bm/cv/|_Incapsula_Resource|captcha-delivery\.com"
    r"|px-captcha|perimeterx\.net/captcha|/ddos-guard/|check\.ddos-guard\.net|awsWafCookieDomainList|/sgcaptcha/|__qrator"
    r"|/_sec/cp_challenge/|geo\.captcha|SmartCaptcha|showcaptcha"
)
_VISIBLE_TEXT = etree.XPath("//text()[not(parent::script or parent::style or parent::noscript)]", smart_strings=False)
_CHALLENGE_TITLE = re.compile(
    r"\W*(?:just a moment|attention required! \| cloudflare|ddos-guard|checking your browser|(?:bot|human) verification"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|are you (?:a )?(?:human|robot)|access denied|security check"
    r"|please wait\W+\| cloudflare|pardon our interruption|один момент|проверка браузера|вы не робот|доступ ограничен)"
    r"[\s.…!?]*(?:$|[|–—-]\s|before accessing)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Metadata:
    """The head of a page as read; all addresses are absolute."""

    title: str
    h1: str
    canonical: str | None
    noindex: bool
    language: str  # as written in the html element's lang; "" if missing
    alternates: tuple[tuple[str, str], ...]  # (hreflang as written, address)
    base_url: str  # what relative links are relative to
    published: date | None
    redirect_to: str | None  # the page is a stub that sends its visitor there at once
    is_challenge: bool  # not the site's page: a firewall asks whether we are human
    title_is_encoded_twice: bool  # the title shows entities ("&amp;") to its readers


def read_metadata(root: _Element, url: str) -> Metadata:
    """Read the metadata of a parsed page that was fetched from ``url``. Call it before the tree is pruned."""
    found: defaultdict[str, list[_Element]] = defaultdict(list)
    for element in root.iter(*_WANTED):
        found[element.tag].append(element)
    base_url = _base_url(found["base"], url)
    title = next((_words(element) for element in found["title"] if _is_the_pages(element)), "")
    metas = list(_named_metas(found["meta"]))
    return Metadata(
        title=title,
        h1=_h1(found["h1"]),
        canonical=_canonical(found["link"], base_url),
        noindex=any(name in ("robots", "googlebot") and is_noindex(content) for name, content in metas),
        language=_language(root, metas),
        alternates=tuple(_alternates(found["link"], base_url)),
        base_url=base_url,
        published=_published(metas, found["script"], found["time"], url),
        redirect_to=_redirect(found["meta"], base_url, url),
        is_challenge=_is_challenge(root, title, found["script"]),
        title_is_encoded_twice=_ENTITY.search(title) is not None,
    )


def is_noindex(directives: str) -> bool:
    """Whether robots directives, of a meta element or an ``X-Robots-Tag`` header, forbid indexing."""
    return not {"noindex", "none"}.isdisjoint(re.split(r"[\s,:]+", directives.lower()))


def _words(element: _Element) -> str:
    return " ".join("".join(cast("Iterator[str]", element.itertext())).split())


def _is_the_pages(element: _Element) -> bool:
    """Not the title of an inline drawing, nor anything in a template."""
    return all(ancestor.tag not in _NOT_THE_PAGES for ancestor in element.iterancestors())


def _named_metas(metas: list[_Element]) -> Iterator[tuple[str, str]]:
    for meta in metas:
        name = meta.get("name") or meta.get("property") or meta.get("itemprop") or meta.get("http-equiv")
        content = meta.get("content")
        if name and content:
            yield name.strip().lower(), content


def _base_url(bases: list[_Element], url: str) -> str:
    """The first base element with a usable address, itself relative to the page."""
    for base in bases:
        href = base.get("href", "").strip()
        address = resolve(href, url) if href and _is_the_pages(base) else None
        if address is not None:
            return address
    return url


def _h1(headings: list[_Element]) -> str:
    """The first h1 with words, one inside the article or main part before all others: logos are h1 too often."""
    best = ""
    for heading in headings:
        words = _PERMALINK.sub("", _words(heading))
        around = {ancestor.tag for ancestor in heading.iterancestors()}
        if not words or not around.isdisjoint(_NOT_THE_PAGES | {"nav", "footer", "aside"}):
            continue
        if "article" in around or "main" in around:
            return words
        best = best or words
    return best


def _canonical(links: list[_Element], base_url: str) -> str | None:
    for link in links:
        if "canonical" in link.get("rel", "").lower().split():
            address = resolve(link.get("href", ""), base_url) if link.get("href", "").strip() else None
            if address is not None:
                return address
    return None


def _alternates(links: list[_Element], base_url: str) -> Iterator[tuple[str, str]]:
    for link in links:
        language = link.get("hreflang", "").strip()
        if language and "alternate" in link.get("rel", "").lower().split():
            address = resolve(link.get("href", ""), base_url)
            if address is not None:
                yield language, address


def _language(root: _Element, metas: list[tuple[str, str]]) -> str:
    lang = root.get("lang") or root.get("xml:lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang")
    lang = lang or next((content for name, content in metas if name == "content-language"), "")
    return lang.strip()


def _redirect(metas: list[_Element], base_url: str, url: str) -> str | None:
    for meta in metas:
        if meta.get("http-equiv", "").strip().lower() != "refresh" or not _is_the_pages(meta):
            continue
        match = _REFRESH.match(meta.get("content", ""))
        if match is None or float(match[1].strip(".") or 0) > _STUB_SECONDS:
            continue
        quote, target = match[2], match[3]
        address = resolve(target.split(quote)[0].strip() if quote else target.strip(), base_url)
        if address is not None and page_key(address) != page_key(url):
            return address
    return None


def _published(metas: list[tuple[str, str]], scripts: list[_Element], times: list[_Element], url: str) -> date | None:
    """Metadata, JSON-LD, a ``time`` element, the address: the first that holds a possible date."""
    candidates = [content for name, content in metas if name in _DATE_NAMES]
    for script in scripts:
        if script.get("type", "").lower() == "application/ld+json":
            candidates += _JSON_DATE.findall(script.text or "")[:1]
    marked = [time for time in times if time.get("itemprop") == "datePublished" or time.get("pubdate") is not None]
    candidates += [time.get("datetime", "") for time in (marked or times)[:1]]
    for candidate in candidates:
        match = _ISO_DATE.match(candidate)
        published = _date(*match.groups()) if match else None
        if published is not None:
            return published
    match = _URL_DATE.search(url)
    return _date(*(part for part in match.groups() if part)) if match else None


def _date(year: str, month: str, day: str) -> date | None:
    try:
        published = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return published if date(1990, 1, 1) <= published <= date(2100, 1, 1) else None


def _is_challenge(root: _Element, title: str, scripts: list[_Element]) -> bool:
    suspicious = _CHALLENGE_TITLE.match(title) is not None or any(
        _CHALLENGE_SCRIPT.search(script.get("src", "")) or _CHALLENGE_SCRIPT.search((script.text or "")[:5000])
        for script in scripts
    )
    return suspicious and sum(map(len, cast("list[str]", _VISIBLE_TEXT(root)))) <= _CHALLENGE_CHARS
