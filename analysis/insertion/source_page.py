"""One page's source, read once: where in it a link may stand, and why nowhere else.

Every rule about where a link may not stand is inside :class:`SourcePage`, so that no caller can pass around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from analysis.insertion.graphemes import Folded, clusters, fold, fold_phrase
from analysis.insertion.html_source import read_html
from analysis.insertion.link_markup import Markup, is_safe_around, named_in_template, rendered_addresses
from analysis.insertion.markdown_source import read_markdown
from analysis.insertion.matching import Edge, Match, find_phrase, is_ideographic
from analysis.insertion.refusal import Refusal
from analysis.insertion.source_blocks import SourceBlock, enclosing_span
from analysis.insertion.source_bytes import read_source
from analysis.insertion.spans import Span, merge_spans, overlaps
from analysis.urls import page_key, resolve, same_site

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analysis.insertion.source_blocks import SourceDocument


@dataclass(frozen=True, slots=True)
class LinkRequest:
    """A link that is wanted: to ``target_url`` on the words ``anchor``.

    ``block_digest`` (``records.Block.digest``) says in which paragraph, ``start`` at which character of its text; without them
    the first fitting occurrence in the article is taken.
    """

    target_url: str
    anchor: str
    block_digest: str | None = None
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where a link may stand: a span of the source in bytes, and in characters."""

    first_byte: int
    last_byte: int  # exclusive
    start: int
    end: int


class SourcePage:
    """The source of one page, read once for any number of requests.

    :raises UnsafeEncodingError: if nothing can be put into its bytes safely.
    """

    def __init__(self, source: bytes, page_url: str, *, encoding: str | None = None, markup: Markup = Markup.HTML) -> None:
        self.markup = markup
        self.page_url = page_url
        self.bytes = read_source(source, encoding)
        self._folded: dict[int, Folded] = {}

    @cached_property
    def document(self) -> SourceDocument:
        """What stands in the source; read when it is asked for, since many pages have no words for any link."""
        return read_html(self.bytes.text) if self.markup is Markup.HTML else read_markdown(self.bytes.text, self.markup)

    @cached_property
    def _base(self) -> str:
        return resolve(self.document.base, self.page_url) or self.page_url if self.document.base else self.page_url

    @cached_property
    def link_count(self) -> int:
        """How many links to other pages of its own site the article has among its sentences."""
        return sum(link.in_sentence and self._leads_into_site(link.href) for link in self.document.links)

    @cached_property
    def linked(self) -> frozenset[str]:
        """The keys of the pages that the article links to."""
        hrefs = [link.href for link in self.document.links]
        if self.markup is not Markup.HTML:
            hrefs = [address for href in hrefs for address in rendered_addresses(href)]
        return frozenset(self.key(href) for href in hrefs)

    @cached_property
    def _named(self) -> frozenset[str]:
        """Names of pages whose links a template will write."""
        return frozenset(filter(None, (named_in_template(link.href) for link in self.document.links)))

    def key(self, href: str) -> str:
        """The identity of the page behind an href of this page."""
        return page_key(self.address(href) or href)

    def address(self, href: str) -> str | None:
        """The absolute address behind an href of this page; None if it is no http(s) address."""
        return resolve(href, self._base)

    def try_insert(
        self, request: LinkRequest, *, taken: Iterable[Span] = (), phrases: Iterable[str] = (), link_unspaced: bool = False
    ) -> Spot | Refusal:
        """The first place where the link may stand, or why there is none; ceilings are not asked for.

        ``taken`` are spans of the source (in characters) that this run has linked already; ``phrases`` the other anchors of the
        run: words that are part of a longer one of them are left to it.
        """
        phrase = fold_phrase(request.anchor)
        refusal = self._refuse_target(request.target_url)
        if refusal is None and sum(1 for _ in clusters(phrase)) < 2:
            refusal = Refusal.BAD_ANCHOR
        if refusal is not None:
            return refusal
        blocks = self._candidates(request)
        if not blocks and request.block_digest is not None:
            return Refusal.BLOCK_NOT_FOUND
        others = [other for other in map(fold_phrase, phrases) if phrase in other and phrase != other]
        reasons: list[Refusal] = []
        for block in blocks:
            longer: list[Span] | None = None
            for match in self._matches(block, phrase, request):
                if longer is None:
                    longer = self._longer(block, others)
                exact = request.block_digest is not None and match.start == request.start
                if not _is_whole(match, phrase, exact=exact, link_unspaced=link_unspaced):
                    reasons.append(Refusal.NO_WORD_BOUNDARY)
                    continue
                spot = self._fit(block, match, longer, taken, exact=exact)
                if isinstance(spot, Spot):
                    return spot
                reasons.append(spot)
        telling = [reason for reason in reasons if reason is not Refusal.NO_WORD_BOUNDARY]
        return (telling or reasons or [Refusal.ANCHOR_NOT_FOUND])[0]

    def _refuse_target(self, target_url: str) -> Refusal | None:
        target = self.address(target_url)
        if target is None:
            return Refusal.BAD_TARGET
        if page_key(target) == page_key(self.page_url):
            return Refusal.SELF_LINK
        named = page_key(target).rpartition("/")[2] in self._named
        return Refusal.ALREADY_LINKED if named or page_key(target) in self.linked else None

    def _candidates(self, request: LinkRequest) -> Sequence[SourceBlock]:
        if request.block_digest is not None:
            return self.document.by_digest.get(request.block_digest, [])
        article = max((block.region for block in self.document.blocks), default=0)
        return [block for block in self.document.blocks if block.region == article]

    def _matches(self, block: SourceBlock, phrase: str, request: LinkRequest) -> Iterator[Match]:
        """Occurrences in a block, the one that was asked for first."""
        folded = self._folded.get(id(block)) or self._folded.setdefault(id(block), fold(block.text))
        if phrase not in folded.text:
            return
        matches = list(find_phrase(block.text, folded, phrase))
        yield from sorted(matches, key=lambda match: match.start != request.start)

    def _fit(
        self, block: SourceBlock, match: Match, longer: Sequence[Span], taken: Iterable[Span], *, exact: bool
    ) -> Spot | Refusal:
        """Trace an occurrence back to the source and see whether a link may stand there.

        Only whoever gave the exact place can know that a code element is a word of the sentence and no example.
        """
        refusal = block.barrier or _refuse_words(block, match, longer)
        span = refusal or enclosing_span(block, match.start, match.end, whole_code=exact)
        if isinstance(span, Refusal):
            return span
        start, end = span
        if any(start < other_end and other_start < end for other_start, other_end in taken):
            return Refusal.IN_LINK
        if not is_safe_around(self.bytes.text, start, end, self.markup):
            return Refusal.UNSAFE_MARKUP
        first, last = self.bytes.offset(start), self.bytes.offset(end)
        return Refusal.BAD_ENCODING if first is None or last is None else Spot(first, last, start, end)

    def _longer(self, block: SourceBlock, phrases: Iterable[str]) -> list[Span]:
        """Where these phrases stand as words, in order and apart."""
        found = (match for phrase in phrases for match in find_phrase(block.text, self._folded[id(block)], phrase))
        return merge_spans((match.start, match.end) for match in found if match.edge is not Edge.INSIDE)

    def _leads_into_site(self, href: str) -> bool:
        url = self.address(href)
        return url is not None and same_site(url, self.page_url) and page_key(url) != page_key(self.page_url)


def _refuse_words(block: SourceBlock, match: Match, longer: Sequence[Span]) -> Refusal | None:
    """What the text of the block has against a link on these words."""
    if overlaps(longer, match.start, match.end):
        return Refusal.LONGER_PHRASE
    if block.syntax is None or overlaps(block.syntax, match.start, match.end):
        return Refusal.IN_TEMPLATE
    return None


def _is_whole(match: Match, phrase: str, *, exact: bool, link_unspaced: bool) -> bool:
    """Whether an occurrence is whole words; where a script does not show that, whoever gave the exact place answers for it."""
    return match.edge is Edge.WORD or (match.edge is Edge.UNSPACED and (exact or (link_unspaced and is_ideographic(phrase))))
