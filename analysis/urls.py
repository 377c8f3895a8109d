"""Addresses: what a link means (:func:`resolve`), what to ask the server for (:func:`fetch_url`), which page that is (:func:`page_key`).

Addresses are cut as browsers do (https://url.spec.whatwg.org/), which read much that RFC 3986 refuses. No function here raises.
Why not w3lib's ``canonicalize_url``: it keeps ``:80``, a trailing dot and ``www.``, and writes hosts in IDNA 2003 (``ß`` becomes
``ss``, another site), where browsers follow UTS 46.
"""

from __future__ import annotations

import re
from ipaddress import IPv6Address
from typing import Final, NamedTuple
from urllib.parse import unquote, unquote_plus

import idna

# Parameters that name a visitor, a click or a campaign, and never a page. Brave's list (kSimpleQueryStringTrackers in
# https://github.com/brave/brave-core/blob/master/components/query_filter/utils.cc), which only takes up names that were shown to be
# harmless to remove, and what analytics vendors document beside it: Google's gclsrc and _ga, Mailchimp's mc_cid, and Matomo's names.
TRACKING_PARAMETERS: Final = frozenset(
    """
    __hsfp __hssc __hstc __s _bhlid _branch_match_id _branch_referrer _ga _gl _hsenc _kx _openstat at_recipient_id at_recipient_list
    bbeml bsft_clkid bsft_uid dclid et_rid fb_action_ids fb_comment_id fbclid gbraid gclid gclsrc guce_referrer guce_referrer_sig
    hsctatracking irclickid mc_cid mc_eid ml_subscriber ml_subscriber_hash msclkid mtm_campaign mtm_cid mtm_content mtm_group
    mtm_keyword mtm_medium mtm_placement mtm_source oft_c oft_ck oft_d oft_id oft_ids oft_k oft_lk oft_sk oly_anon_id oly_enc_id
    pk_campaign pk_cid pk_content pk_keyword pk_kwd pk_medium pk_source rb_clickid s_cid srsltid ss_email_id twclid unicorn_click_id
    vero_conv vero_id vgo_ee wbraid wickedid yclid ymclid ysclid
    """.split()
)
_TRACKING_PREFIX: Final = "utm_"  # https://support.google.com/analytics/answer/1033863; vendors add their own utm_ names

# What a server answers with for a folder (Apache DirectoryIndex, nginx index, IIS default documents).
DEFAULT_DOCUMENTS: Final = frozenset({"index.html", "index.htm", "index.php", "default.aspx"})

_BLANK: Final = "".join(map(chr, range(0x21))) + "\x7f\x85\xa0\u200b\u2028\u2029\u2060\u3000\ufeff"
_LINE_BREAK: Final = re.compile(r"[\r\n]")
_DROPPED: Final = str.maketrans("", "", "\t\r\n")  # https://url.spec.whatwg.org/#concept-basic-url-parser, steps 2 and 3
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?![0-9]+(?:[/\\?#]|$))")  # not the host of "localhost:8000/"
_OPAQUE: Final = "opaque"
_SLASHES: Final = re.compile(r"[/\\]{2,}")
_AUTHORITY_END: Final = re.compile(r"[/\\]")
_QUOTES: Final = tuple("\"'`“”„‟«»‹›‘’‚")
_FORBIDDEN_IN_HOST: Final = re.compile(
    r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%]"
)  # https://url.spec.whatwg.org/#forbidden-domain-code-point
_DEFAULT_PORTS: Final = (80, 443)  # dropped under either scheme: the scheme is no part of a page's identity

_ESCAPE_OR_OTHER: Final = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~!*'()/:@$&+,;=?]")
_UNESCAPED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!*'()")  # RFC 2396, unreserved
_DOT_SEGMENT: Final = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_ESCAPED_DOT: Final = re.compile(r"%2e", re.IGNORECASE)
_UNSAFE_IN_PATH: Final = re.compile(r'[^!-~]|["<>^`{}]')  # https://url.spec.whatwg.org/#path-percent-encode-set
_UNSAFE_IN_QUERY: Final = re.compile(r"[^!-~]|[\"<>']")  # https://url.spec.whatwg.org/#special-query-percent-encode-set


class _Parts(NamedTuple):
    """An address in pieces; ``query`` and ``fragment`` are None where their mark is missing."""

    scheme: str
    authority: str
    path: str
    query: str | None
    fragment: str | None


class _Host(NamedTuple):
    """A usable host: lower-case ASCII, IDN as punycode, no trailing dot; ``port`` is "" or ":8000"."""

    name: str
    port: str


def page_key(url: str) -> str:
    """The identity of a page: equal for all spellings of its address.

    Left out are scheme, ``www.``, user name, default port, fragment, tracking parameters, the name of the default document and the
    slash at the end; escapes take one form, parameters the order of their names. A key is an address without its scheme
    (``example.com/blog?id=3``), and its own key. What is no web address (``mailto:…``, ``ftp://…``) is its own key.
    """
    text = _trimmed(url)
    parts = _split(text)
    if parts.scheme not in ("", "http", "https"):
        return text
    site = _site(parts.authority)
    path = _key_path(parts.path)
    if not site:  # a path alone must not turn into "//host" once its dots are resolved
        path = "/" + path.lstrip("/")
    query = _key_query(parts.query or "")
    return f"{site}{path}?{query}" if query else site + path


def site_of(url: str) -> str:
    """The site an address belongs to: its host in lower-case punycode without ``www.``, with a port that is not the default."""
    return _site(_split(_trimmed(url)).authority)


def same_site(a: str, b: str) -> bool:
    """Whether two addresses belong to one site, whatever their scheme and ``www.``."""
    site = site_of(a)
    return bool(site) and site == site_of(b)


def fetch_url(url: str) -> str:
    """The address to ask the server for: as the site wrote it, without fragment and user name, escaped where HTTP needs it.

    Never another form of it (slash, ``www``, scheme, order of parameters): that might be no page. What has no host comes back trimmed.
    """
    text = _trimmed(url)
    parts = _split(text)
    host = _host(parts.authority)
    if host is None or parts.scheme not in ("http", "https"):
        return text
    return _assemble(parts.scheme, host, parts.path, parts.query, None)


def resolve(href: str, base: str) -> str | None:
    """The absolute address that a browser would go to, or None where that is no page: other schemes, broken hosts, run-away markup.

    Tabs and line breaks inside are dropped as browsers do. A ``<``, ``>``, a quote in front, or a line break together with a space
    tell that an end quote is missing and the text that follows was swallowed (browsers call this "dangling markup").
    """
    stripped = href.strip(_BLANK)
    text = stripped.translate(_DROPPED)
    if "<" in text or ">" in text or text.startswith(_QUOTES) or (" " in text and _LINE_BREAK.search(stripped)):
        return None
    start = _split(_trimmed(base))
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", text)
    scheme = match[1].lower() if match else start.scheme
    if scheme not in ("http", "https"):
        return None
    rest = text[match.end() :] if match else text
    if _SLASHES.match(rest) or scheme != start.scheme:
        target = _split(f"{scheme}://" + rest.lstrip("/\\"))
    else:
        target = _relative(rest, start)
    host = _host(target.authority)
    return None if host is None else _assemble(scheme, host, target.path, target.query, target.fragment)


def strip_tracking(url: str) -> str:
    """The address without its tracking parameters; all else stays as it is written, in order, with its fragment."""
    rest, hash_mark, fragment = url.partition("#")
    front, _, query = rest.partition("?")
    pieces = query.split("&")
    kept = [piece for piece in pieces if not _is_tracking(piece)]
    if len(kept) == len(pieces):
        return url
    query = "&".join(filter(None, kept))
    return front + (f"?{query}" if query else "") + hash_mark + fragment


def _trimmed(url: str) -> str:
    return url.strip(_BLANK).translate(_DROPPED)


def _split(text: str) -> _Parts:
    """Cut an address that has a host in front; the scheme may be missing (as in a key)."""
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    rest = text[match.end() :] if match else text
    slashes = _SLASHES.match(rest)
    if slashes or scheme in ("http", "https"):
        unslashed = rest.lstrip("/\\")
        scheme = scheme if len(unslashed) < len(rest) else _OPAQUE  # "http:x" means nothing without a base
        rest = unslashed
    rest, hash_mark, fragment = rest.partition("#")
    rest, question_mark, query = rest.partition("?")
    end = _AUTHORITY_END.search(rest)
    cut = end.start() if end else len(rest)
    return _Parts(scheme, rest[:cut], rest[cut:], query if question_mark else None, fragment if hash_mark else None)


def _relative(rest: str, base: _Parts) -> _Parts:
    """RFC 3986, 5.2.2, for a reference without scheme and host."""
    rest, hash_mark, fragment = rest.partition("#")
    path, question_mark, query = rest.partition("?")
    new_query = query if question_mark else (None if path else base.query)
    if not path:
        path = base.path
    elif path[0] not in "/\\":
        path = base.path.replace("\\", "/").rpartition("/")[0] + "/" + path
    return _Parts(base.scheme, base.authority, path, new_query, fragment if hash_mark else None)


def _host(authority: str) -> _Host | None:
    """Read host and port as a browser does; None where it would refuse."""
    authority = authority.rpartition("@")[2]
    name, colon, port = authority.rpartition(":")
    if not colon or authority.endswith("]"):
        name, port = authority, ""
    if not re.fullmatch(r"[0-9]{0,9}", port) or int(port or 0) > 0xFFFF:
        return None
    ascii_name = _ip_literal(name) if name.startswith("[") else _domain(name)
    if not ascii_name:
        return None
    return _Host(ascii_name, f":{int(port)}" if port and int(port) not in _DEFAULT_PORTS else "")


def _ip_literal(name: str) -> str | None:
    try:
        return f"[{IPv6Address(name[1:-1]).compressed}]" if name.endswith("]") and "%" not in name else None
    except ValueError:
        return None


def _domain(name: str) -> str | None:
    if "%" in name:
        name = unquote(name)
    if not name.isascii():
        try:
            name = idna.encode(name, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            return None
    name = name.lower().rstrip(".")
    return None if not name or name.startswith(".") or _FORBIDDEN_IN_HOST.search(name) else name


def _site(authority: str) -> str:
    host = _host(authority)
    if host is None:
        return _escaped(authority.rpartition("@")[2].lower())
    name = host.name
    while name.startswith("www.") and "." in name[4:]:
        name = name[4:]
    return name + host.port


def _assemble(scheme: str, host: _Host, path: str, query: str | None, fragment: str | None) -> str:
    path = _without_dots(path.replace("\\", "/")) or "/"
    url = f"{scheme}://{host.name}{host.port}" + _UNSAFE_IN_PATH.sub(_percent, path)
    if query is not None:
        url += "?" + _UNSAFE_IN_QUERY.sub(_percent, query)
    return url if fragment is None else url + "#" + _UNSAFE_IN_QUERY.sub(_percent, fragment)


def _without_dots(path: str) -> str:
    """RFC 3986, 5.2.4; escaped dots count, and nothing climbs above the root."""
    if not _DOT_SEGMENT.search(path):
        return path
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        plain = _ESCAPED_DOT.sub(".", segment)
        if plain == "..":
            del kept[-1:]
        elif plain != ".":
            kept.append(segment)
    is_folder = plain in (".", "..") and bool(kept)
    return "/" + "/".join(kept) + "/" * is_folder


def _key_path(path: str) -> str:
    path = _without_dots(_escaped(path.replace("\\", "/")))
    while True:
        path = path.rstrip("/")
        folder, _, name = path.rpartition("/")
        if name.lower() not in DEFAULT_DOCUMENTS:
            return path or "/"
        path = folder


def _key_query(query: str) -> str:
    pieces = [_escaped(piece).replace("+", "%20") for piece in query.split("&") if piece]
    kept = [piece for piece in pieces if not _is_tracking(piece)]
    return "&".join(sorted(kept, key=lambda piece: piece.partition("=")[0]))


def _is_tracking(piece: str) -> bool:
    name = unquote_plus(piece.partition("=")[0]).lower()
    return name in TRACKING_PARAMETERS or name.startswith(_TRACKING_PREFIX)


def _escaped(text: str) -> str:
    """One form of escapes: upper case, UTF-8, none where none is needed, a stray ``%`` as ``%25``. Its own result does not change."""
    return _ESCAPE_OR_OTHER.sub(_one_escape, text)


def _one_escape(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 3:
        char = chr(int(found[1:], 16))
        return char if char in _UNESCAPED else found.upper()
    return _percent(match)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogatepass"))
