"""The site as the plan sees it: what is true of the site as a whole is settled here, once, when all pages are known.

Brand tails, template blocks, and which page a link leads to are properties of the site; the store holds pages as they came.
Heads (titles, languages) stay in memory, texts are read from the store when a step asks for them.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from analysis.boilerplate import countable_digests, drop_blocks, repeated_blocks
from analysis.html.prose import thin_reason
from analysis.insertion.unlinking import cut_links
from analysis.records import Link, Page, PageHead, block_digest
from analysis.titles import find_brand
from analysis.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from analysis.store import CrawlStore, StoredPage

_TARGETS_KEPT = 1 << 16  # addresses in memory whose page is known; a few are linked from everywhere


OTHER_LANGUAGE: Final = "language not planned"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A page that was read but is no article once the site is known."""

    url: str
    reason: str
    detail: str = ""


class Corpus:
    """The articles of one crawl, in the order of their keys; a page's index is its position here."""

    def __init__(
        self,
        store: CrawlStore,
        heads: Sequence[PageHead],
        keys: Sequence[str],
        templates: Mapping[str, frozenset[str]],
        left_out: Sequence[LeftOut],
        copies: Mapping[str, str],
    ) -> None:
        self.heads = tuple(heads)
        self.left_out = tuple(left_out)
        self._store = store
        self._keys = tuple(keys)
        self._templates = templates
        self._index = {key: index for index, key in enumerate(keys)}
        self._aliases = store.urls.aliases()
        self._copies = copies
        self._hidden: Mapping[int, AbstractSet[int]] = {}
        self._target = lru_cache(maxsize=_TARGETS_KEPT)(lambda url: self.index_of(page_key(url)))

    def __len__(self) -> int:
        return len(self.heads)

    def pages(self, start: int = 0, stop: int | None = None) -> Iterator[Page]:
        """Read pages in order; texts are not kept."""
        keys = self._keys[start:stop]
        for index, stored in enumerate(self._store.pages.read(keys), start=start):
            yield self._page(self.heads[index], stored)

    def page(self, index: int) -> Page:
        """Read one page."""
        return next(self.pages(index, index + 1))

    def html(self, index: int) -> tuple[bytes, str]:
        """The body of a page as it was received, and its codec; empty where the crawl kept none."""
        body, codec = self._store.pages.html(self._keys[index])
        hidden = self._hidden.get(index)
        if not body or not hidden:
            return body, codec
        return cut_links(body, codec, self.heads[index].url, lambda url: self._target(url) in hidden)

    def reopen(self) -> None:
        """Read from now on over a connection of this process's own; for a fork, which must not use its parent's."""
        self._store = self._store.reopened()

    def without_links(self, hidden: Mapping[int, AbstractSet[int]]) -> Corpus:
        """The same articles as if these links (source → targets) had never been placed; their words stay."""
        view = copy(self)
        view._hidden = hidden
        return view

    def index_of(self, key: str) -> int | None:
        """The page behind a key, if it is an article of this corpus."""
        key = self._aliases.get(key, key)
        return self._index.get(self._copies.get(key, key))

    def _page(self, head: PageHead, stored: StoredPage) -> Page:
        blocks, links = drop_blocks(stored.blocks, stored.links, self._templates[head.language])
        left_out = {head.index, *self._hidden.get(head.index, ())}
        found = []
        for link in links:
            target = self._target(link.url)
            if target is not None and target not in left_out:
                found.append(Link(target, link.block, link.start, link.end))
        return Page(head, blocks, tuple(found))


def read_corpus(store: CrawlStore, languages: Sequence[str] = ()) -> Corpus:
    """Settle what is true of the whole site; ``languages`` narrows the corpus to these codes."""
    brand = find_brand((page.language, page.raw_title) for page in store.pages.read_heads())
    templates = _read_templates(store.pages.read())
    groups = _translation_groups(store)
    articles: dict[str, PageHead] = {}
    texts: dict[str, str] = {}
    left_out: list[LeftOut] = []
    for page in store.pages.read():
        blocks, _ = drop_blocks(page.blocks, page.links, templates[page.language])
        reason = thin_reason(blocks)
        if not reason and languages and page.language not in languages:
            reason = OTHER_LANGUAGE
        if reason:
            left_out.append(LeftOut(page.url, reason))
            continue
        title = brand.strip(page.raw_title, page.h1, page.language) or page.url
        group = groups.get(page.key, -1)
        articles[page.key] = PageHead(-1, page.url, title, page.h1, page.language, page.published, group)
        texts[page.key] = block_digest("\n".join([title, *(block.text for block in blocks if block.kind.is_running_text)]))
    copies = _copies(texts)
    left_out += [LeftOut(articles[key].url, "copy of another page", articles[of].url) for key, of in copies.items()]
    keys = [key for key in articles if key not in copies]
    heads = [replace(articles[key], index=index) for index, key in enumerate(keys)]
    return Corpus(store, heads, keys, templates, left_out, copies)


def _copies(texts: Mapping[str, str]) -> dict[str, str]:
    """The key of each page that says the same as another one, with that one's: of equals the shortest key is the original.

    A folder of another language often holds the articles that nobody translated yet. They are no relatives of one another.
    """
    original: dict[str, str] = {}
    for key in sorted(texts, key=lambda key: (len(key), key)):
        original.setdefault(texts[key], key)
    return {key: original[text] for key, text in texts.items() if original[text] != key}


def _read_templates(pages: Iterable[StoredPage]) -> dict[str, frozenset[str]]:
    """The digests of template blocks, by language."""
    counts: dict[str, Counter[str]] = {}
    totals: Counter[str] = Counter()
    for page in pages:
        counts.setdefault(page.language, Counter()).update(countable_digests(page.blocks))
        totals[page.language] += 1
    return {language: repeated_blocks(counter, totals[language]) for language, counter in counts.items()}


def _translation_groups(store: CrawlStore) -> dict[str, int]:
    """Number the sets of pages that name one another as translations (hreflang), by union-find over their keys.

    One page's word is not enough, as for search engines: many a site names a home page as the translation of every article.
    """
    named = {
        page.key: {page_key(href) for code, href in page.alternates if code.lower() != "x-default"}
        for page in store.pages.read_heads()
        if page.alternates
    }
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        while parent.setdefault(key, key) != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    for key, others in named.items():
        for other in sorted(others):
            if key in named.get(other, ()):
                parent[root(other)] = root(key)
    numbers: dict[str, int] = {}
    return {key: numbers.setdefault(root(key), len(numbers)) for key in parent}
