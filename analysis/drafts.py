"""One article that is in no crawl store yet: a fetched page or a draft file, read as the crawl would read it.

A Markdown draft becomes the HTML of what the project's own Markdown reader sees in it, so that its blocks have the digests by
which ``scrapy apply`` finds them again.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from analysis.html.article import find_article
from analysis.html.blocks import read_blocks
from analysis.html.decode import decode_html
from analysis.html.metadata import read_metadata
from analysis.html.parse import parse_html
from analysis.html.prose import thin_reason
from analysis.insertion import Markup, Refusal
from analysis.insertion.markdown_source import read_markdown
from analysis.insertion.source_blocks import shown_text
from analysis.language import page_language
from analysis.store.page_table import PageTable
from analysis.store.rows import StoredPage
from analysis.urls import page_key

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Container, Iterable, Iterator
    from pathlib import Path

    from analysis.insertion.source_blocks import SourceBlock, SourceDocument

_HTML: Final = (".html", ".htm", ".xhtml")
_MARKDOWN: Final = {".md": Markup.MARKDOWN, ".markdown": Markup.MARKDOWN, ".txt": Markup.MARKDOWN, ".mdx": Markup.MDX}
_FRONT_TITLE: Final = re.compile(r"^title\s*[:=]\s*(?P<quote>[\"']?)(?P<title>.+?)(?P=quote)\s*$", re.MULTILINE)
_HEADING: Final = re.compile(r"^#\s+(.+?)\s*#*\s*$", re.MULTILINE)
_FRONT_MATTER_LINES: Final = 60  # beyond them no title is looked for


class DraftError(ValueError):
    """The article cannot be read; the message says why in one sentence."""


def read_draft(path: Path, url: str) -> StoredPage:
    """A draft in HTML, Markdown or plain text; ``url`` is the address that it will have.

    :raises DraftError: if it is no such file, or no article.
    """
    try:
        body = path.read_bytes()
    except OSError as error:
        raise DraftError(f"The draft {path} cannot be read: {error.strerror or error}.") from None
    suffix = path.suffix.lower()
    if suffix in _MARKDOWN:
        text = body.decode("utf-8-sig", "replace")
        body = _as_html(read_markdown(text, _MARKDOWN[suffix]), _title(text) or path.stem).encode()
    elif suffix not in _HTML:
        raise DraftError(f"The draft {path} is no HTML or Markdown file ({', '.join((*_HTML, *_MARKDOWN))}).")
    return read_article(body, "", url)


def read_article(body: bytes, content_type: str, url: str) -> StoredPage:
    """An HTML page as the crawl's pipelines read it.

    :raises DraftError: if it is no article.
    """
    text, codec = decode_html(body, content_type)
    root = parse_html(text)
    metadata = read_metadata(root, url)
    blocks, links = read_blocks(find_article(root), metadata.base_url)
    reason = thin_reason(blocks)
    if reason:
        raise DraftError(f"{url} is no article: {reason}.")
    prose = "\n".join(block.text for block in blocks if block.kind.is_running_text)
    language = page_language(metadata.language, metadata.alternates, url, prose).code
    return StoredPage(
        page_key(url),
        url,
        metadata.title,
        metadata.h1,
        language,
        metadata.published,
        metadata.alternates,
        blocks,
        links,
        html=body,
        codec=codec,
    )


def draft_address(path: Path, site: str) -> str:
    """Where a draft will probably stand: below the site's address, by the name of its file, or of its folder for an index."""
    name = path.resolve().parent.name if path.stem == "index" else path.stem
    return f"{site.rstrip('/')}/{quote(name)}/"


class PagesWithDraft(PageTable):
    """The table of pages as if the draft had been crawled; nothing is written. ``keys`` narrows it to these pages."""

    def __init__(self, connection: sqlite3.Connection, draft: StoredPage | None, keys: Container[str] | None) -> None:
        super().__init__(connection)
        self._draft = draft
        self._keys = keys

    def read(self, keys: Iterable[str] | None = None) -> Iterator[StoredPage]:
        """See :meth:`PageTable.read`."""
        draft = self._draft
        if keys is not None:
            for key in keys:
                yield from (draft,) if draft and key == draft.key else super().read([key])
            return
        waiting = draft
        for page in super().read():
            if waiting and page.key >= waiting.key:
                yield waiting
                waiting = None
            if (self._keys is None or page.key in self._keys) and not (draft and page.key == draft.key):
                yield page
        if waiting:
            yield waiting

    def html(self, key: str) -> tuple[bytes, str]:
        """See :meth:`PageTable.html`."""
        return (self._draft.html, self._draft.codec) if self._draft and key == self._draft.key else super().html(key)


def _title(text: str) -> str:
    top = "\n".join(text.splitlines()[:_FRONT_MATTER_LINES])
    front = _FRONT_TITLE.search(top) if text.lstrip("\ufeff").startswith(("---", "+++")) else None
    heading = _HEADING.search(text)
    return front["title"] if front else heading[1] if heading else ""


def _as_html(document: SourceDocument, title: str) -> str:
    paragraphs = "\n".join(f"<p>{_inline(block, document)}</p>" for block in document.blocks if block.barrier is None)
    name = html.escape(title)
    return f'<!doctype html><meta charset="utf-8"><title>{name}</title><main><h1>{name}</h1>\n{paragraphs}\n</main>'


def _inline(block: SourceBlock, document: SourceDocument) -> str:
    """The block's text, its links and its code."""
    starts = [link.start for link in document.links]
    shown = []
    for barrier, pieces in groupby(block.pieces, key=lambda piece: piece.barrier):
        part = list(pieces)
        text = html.escape("".join(shown_text(block.source, piece) for piece in part), quote=False)
        if barrier is Refusal.IN_LINK and text:
            link = document.links[max(0, bisect_right(starts, part[0].start) - 1)]
            text = f'<a href="{html.escape(link.href)}">{text}</a>'
        elif barrier is Refusal.IN_CODE and text:
            text = f"<code>{text}</code>"
        shown.append(text)
    return "".join(shown)
