"""Puts links into a source byte by byte, and takes them out again.

Nothing is parsed and written again: all bytes outside the inserted tags stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.insertion.link_markup import Markup, link_tags, run_marker
from analysis.insertion.refusal import Refusal
from analysis.insertion.source_bytes import UnsafeEncodingError
from analysis.insertion.source_page import LinkRequest, SourcePage, Spot

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from analysis.insertion.spans import Span


@dataclass(frozen=True, slots=True)
class InsertionRules:
    """What a run may do to one page.

    ``run_id`` is noted in a comment beside the first new link ("" writes none). ``link_unspaced`` lets a phrase in Chinese or
    Japanese be found without a ``start``, although nothing shows where its words end. ``attributes`` are those of the new tags,
    in HTML only.
    """

    max_total: int | None = 4  # links of one article to its own site, old and new
    max_new: int | None = 3
    run_id: str = ""
    link_unspaced: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Inserted:
    """A link put in: ``source`` is the new source with all links of the run; the rest is what :func:`remove_link` needs."""

    source: bytes = field(repr=False)
    offset: int  # of ``tag_open`` in ``source``, in bytes
    tag_open: bytes
    anchor: bytes
    tag_close: bytes


def insert_link(
    source: bytes,
    request: LinkRequest,
    *,
    page_url: str,
    rules: InsertionRules | None = None,
    encoding: str | None = None,
    markup: Markup = Markup.HTML,
) -> Inserted | Refusal:
    """Put one link into a source; see :func:`insert_links`."""
    return insert_links(source, [request], page_url=page_url, rules=rules, encoding=encoding, markup=markup)[0]


def insert_links(
    source: bytes,
    requests: Sequence[LinkRequest],
    *,
    page_url: str,
    rules: InsertionRules | None = None,
    encoding: str | None = None,
    markup: Markup = Markup.HTML,
) -> list[Inserted | Refusal]:
    """Put links into a source, the first requests first, each under all rules; one result a request, in order.

    All :class:`Inserted` share the same new source. ``encoding`` is a codec's name; by default it is found out as the crawl does.
    """
    rules = rules or InsertionRules()
    try:
        page = SourcePage(source, page_url, encoding=encoding, markup=markup)
    except UnsafeEncodingError:
        return [Refusal.BAD_ENCODING] * len(requests)
    marker = run_marker(rules.run_id, markup)
    if marker and marker in page.bytes.text:
        return [Refusal.ALREADY_RUN] * len(requests)
    results: list[Spot | Refusal] = []
    linked: dict[str, Span] = {}
    phrases = [request.anchor for request in requests]
    for request in requests:
        key = page.key(request.target_url)
        spot = page.try_insert(request, taken=linked.values(), phrases=phrases, link_unspaced=rules.link_unspaced)
        if isinstance(spot, Spot):
            spot = _refuse_more(page, key, linked, rules) or spot
        if isinstance(spot, Spot):
            linked[key] = (spot.start, spot.end)
        results.append(spot)
    return _splice(page, requests, results, rules)


def _refuse_more(page: SourcePage, key: str, linked: Collection[str], rules: InsertionRules) -> Refusal | None:
    """The rules about all links of a page, those to the keys ``linked`` in this run included."""
    if key in linked:
        return Refusal.ALREADY_LINKED
    if rules.max_total is not None and page.link_count + len(linked) >= rules.max_total:
        return Refusal.TOO_MANY_LINKS
    return Refusal.TOO_MANY_NEW_LINKS if rules.max_new is not None and len(linked) >= rules.max_new else None


def _splice(
    page: SourcePage, requests: Sequence[LinkRequest], results: Sequence[Spot | Refusal], rules: InsertionRules
) -> list[Inserted | Refusal]:
    """Build the new source once, front to back, so that no offset is used after an edit before it."""
    marker = run_marker(rules.run_id, page.markup)
    body = page.bytes.body
    pieces: list[bytes] = []
    written: dict[int, tuple[int, bytes, bytes, bytes]] = {}
    length = position = 0
    spots = [(spot.first_byte, number, spot) for number, spot in enumerate(results) if isinstance(spot, Spot)]
    for first, number, spot in sorted(spots, key=lambda entry: entry[0]):
        tags = link_tags(requests[number].target_url, page.markup, rules.attributes)
        opening, closing = page.bytes.encode(tags.opening), page.bytes.encode(tags.closing + marker)
        marker = ""
        anchor = body[first : spot.last_byte]
        written[number] = (length + first - position, opening, anchor, closing)
        pieces += [body[position:first], opening, anchor, closing]
        length += first - position + len(opening) + len(anchor) + len(closing)
        position = spot.last_byte
    source = b"".join([*pieces, body[position:]])
    return [result if isinstance(result, Refusal) else Inserted(source, *written[n]) for n, result in enumerate(results)]


def remove_link(
    source: bytes, offset: int, tag_open: bytes, anchor: bytes, tag_close: bytes, *, kept: bytes | None = None
) -> bytes | Refusal:
    """Take a link out again: exactly the bytes that were put in. Elsewhere the source may have changed since.

    ``kept`` is what stays in its place: the anchor, unless something else is given.

    The link is looked for at ``offset``, then anywhere; it must stand there as it was written, and only once.
    """
    whole = tag_open + anchor + tag_close
    if not source.startswith(whole, offset):
        offset = source.find(whole)
        if offset < 0 or source.find(whole, offset + 1) >= 0:
            return Refusal.CHANGED
    return source[:offset] + (anchor if kept is None else kept) + source[offset + len(whole) :]
