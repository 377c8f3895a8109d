"""Addresses: where a link leads (:func:`resolve`), what to request (:func:`fetch_url`), which page that is (:func:`page_key`).

They are cut as browsers cut them (https://url.spec.whatwg.org/), which read much that RFC 3986 refuses. No function here raises.
Why not w3lib's ``canonicalize_url``: it keeps ``:80``, a trailing dot and ``www.``, and writes hosts in IDNA 2003 (``ß`` becomes
``ss``, another site), where browsers follow UTS 46.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from ipaddress import IPv6Address
from typing import Final, NamedTuple
from urllib.parse import unquote, unquote_plus

import idna

_TRACKING_PREFIX: Final = "utm_"

# What a server answers with for a folder (Apache DirectoryIndex, nginx index, IIS default documents).
DEFAULT_DOCUMENTS: Final = frozenset({"index.html", "index.htm", "index.php", "default.aspx"})

_BLANK: Final = "".join(map(chr, range(0x21))) + "\x7f\x85\xa0\u200b\u2028\u2029\u2060\u3000\ufeff"
_LINE_BREAK: Final = re.compile(r"[\r\n]")
_DROPPED: Final = re.compile(r"[\t\r\n]")  # https://url.spec.whatwg.org/#concept-basic-url-parser, steps 2 and 3
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?![0-9]+(?:[/\\?#]|$))")  # not the host of "localhost:8000/"
_OPAQUE: Final = "opaque"
_SLASHES: Final = re.compile(r"[/\\]{2,}")
_AUTHORITY_END: Final = re.compile(r"[/\\]")
_QUOTES: Final = tuple("\"'`“”„‟«»‹›‘’‚")
_DOMAIN: Final = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")  # what a resolver is ever asked for
_DEFAULT_PORT: Final = {"http": 80, "https": 443}
_WEB_OR_NONE: Final = ("", *_DEFAULT_PORT)

_ESCAPE_OR_OTHER: Final = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~!*'()/:@$&+,;=?]")
_UNESCAPED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!*'()")  # RFC 2396, unreserved
_DOT_SEGMENT: Final = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_ESCAPED_DOT: Final = re.compile(r"%2e", re.IGNORECASE)
# Most addresses need nothing done; this only saves time.
_FINAL_FORM: Final = re.compile(r"https?://[a-z0-9_-]+(?:\.[a-z0-9_-]+)*/[A-Za-z0-9_~/-]*(?:\.[A-Za-z0-9]+)?")
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
    """A usable host: lower-case ASCII, IDN as punycode, no trailing dot."""

    name: str
    port: int | None

    def without_ports(self, *default: int) -> str:
        """The host with its port, unless that is one of ``default``."""
        return self.name if self.port is None or self.port in default else f"{self.name}:{self.port}"


def page_key(url: str) -> str:
    """The identity of a page: equal for all spellings of its address.

    Left out are scheme, ``www.``, user name, default port, fragment, tracking parameters, the name of a default document and the
    slash at the end; escapes take one form, parameters the order of their names. A key reads like an address without its scheme
    (``example.com/blog?id=3``) and is its own key; so is what is no web address (``mailto:…``, ``ftp://…``).
    """
    text = _trimmed(url)
    parts = _split(text)
    if parts.scheme not in _WEB_OR_NONE:
        return text
    site = _site(parts.authority)
    path = _key_path(parts.path)
    if not site:  # a path alone must not turn into "//host" once its dots are resolved
        path = "/" + path.lstrip("/")
    query = _key_query(parts.query or "")
    return f"{site}{path}?{query}" if query else site + path


def site_of(url: str) -> str:
    """The site of a web address: its host in lower-case punycode without ``www.``, with a port that is not the default."""
    parts = _split(_trimmed(url))
    return _site(parts.authority) if parts.scheme in _WEB_OR_NONE else ""


def same_site(a: str, b: str) -> bool:
    """Whether two addresses belong to one site, whatever their scheme and ``www.``."""
    site = site_of(a)
    return bool(site) and site == site_of(b)


def fetch_url(url: str) -> str:
    """The address to request: as the site wrote it, without fragment and user name, escaped where HTTP needs it.

    Never another form (slash, ``www``, scheme, order of parameters): that might be no page. What has no host comes back trimmed.
    """
    text = _trimmed(url)
    parts = _split(text)
    host = _host(parts.authority)
    if host is None or parts.scheme not in _DEFAULT_PORT:
        return text
    return _assemble(parts.scheme, host, parts.path, parts.query, None)


def resolve(href: str, base: str) -> str | None:
    """The absolute address that a browser would go to; None where that is no page: other schemes, broken hosts, run-away markup.

    Tabs and line breaks inside are dropped as browsers do. A ``<`` or ``>``, a quote in front, or a line break together with a
    space tell that an end quote is missing and text was swallowed (https://fetch.spec.whatwg.org/ calls it dangling markup).
    """
    stripped = href.strip(_BLANK)
    if _FINAL_FORM.fullmatch(stripped):
        return stripped
    text = _DROPPED.sub("", stripped)
    if "<" in text or ">" in text or text.startswith(_QUOTES) or (" " in text and _LINE_BREAK.search(stripped)):
        return None
    start = _split(_trimmed(base))
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", text)
    scheme = match[1].lower() if match else start.scheme
    if scheme not in _DEFAULT_PORT:
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
    return _DROPPED.sub("", url.strip(_BLANK))


def _split(text: str) -> _Parts:
    """Cut an address that has a host in front; the scheme may be missing (as in a key)."""
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    rest = text[match.end() :] if match else text
    slashes = _SLASHES.match(rest)
    if slashes or scheme in _DEFAULT_PORT:
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
    return _Host(ascii_name, int(port) if port else None)


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
    return name if _DOMAIN.fullmatch(name) else None


def _site(authority: str) -> str:
    host = _host(authority)
    if host is None:
        return _escaped(_escaped(authority.rpartition("@")[2]).lower())
    # Either default port goes: the scheme is no part of a site's identity.
    site = host.without_ports(*_DEFAULT_PORT.values())
    while site.startswith("www.") and "." in site[4:]:
        site = site[4:]
    return site


def _assemble(scheme: str, host: _Host, path: str, query: str | None, fragment: str | None) -> str:
    path = _without_dots(path.replace("\\", "/")) or "/"
    url = f"{scheme}://{host.without_ports(_DEFAULT_PORT[scheme])}" + _UNSAFE_IN_PATH.sub(_percent, path)
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


@cache
def _tracking_parameters() -> frozenset[str]:
    lists = tomllib.loads(files("analysis.data").joinpath("tracking_parameters.toml").read_text("utf-8"))
    return frozenset(name for names in lists.values() for name in names.split())


def _is_tracking(piece: str) -> bool:
    name = unquote_plus(piece.partition("=")[0]).lower()
    return name in _tracking_parameters() or name.startswith(_TRACKING_PREFIX)


def _escaped(text: str) -> str:
    """One form of escapes: upper case, UTF-8, none where none is needed, a stray ``%`` as ``%25``; done twice, the same."""
    return _ESCAPE_OR_OTHER.sub(_one_escape, text)


def _one_escape(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 3:
        char = chr(int(found[1:], 16))
        return char if char in _UNESCAPED else found.upper()
    return _percent(match)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogatepass"))
