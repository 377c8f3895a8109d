"""The articles of a site as entries of an index, with what is needed to build a link from an answer alone."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from analysis.html.parse import parse_html
from analysis.urls import page_key
from analysis.vectors.index import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from lxml.etree import _Element
    from numpy.typing import NDArray

    from analysis.corpus import Corpus
    from analysis.records import PageHead

# Where WordPress says which post a page is: <link rel="shortlink" href="…/?p=1849"> and <body class="… postid-1849">.
_SHORT_LINK: Final = re.compile(r"[?&](?:p|page_id)=(\d+)$")
_BODY_CLASS: Final = re.compile(r"(?:^|\s)(?:postid|page-id)-(\d+)(?:\s|$)")
_LONGEST: Final = 500  # characters of a value; Pinecone allows 40 KB of metadata a vector


def entry_id(url: str) -> str:
    """32 ASCII characters that stand for a page, whatever its address is made of."""
    return hashlib.sha256(page_key(url).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def article_entries(corpus: Corpus, vectors: NDArray[np.float32], language: str) -> Iterator[Entry]:
    """The articles of one language; ``vectors``: (n, d) unit rows of the whole corpus. An article without text has no entry."""
    for head in corpus.heads:
        if head.language == language and vectors[head.index].any():
            html, codec = corpus.html(head.index)
            yield Entry(entry_id(head.url), vectors[head.index], _metadata(head, html, codec))


def _metadata(head: PageHead, html: bytes, codec: str) -> dict[str, str]:
    root = parse_html(html.decode(codec, "replace")) if html else None
    values = {
        "post_id": _post_id(root) if root is not None else "",
        "lang": head.language,
        "title": head.title,
        "url": head.url,
        "cat": (_section(root) if root is not None else "") or _folder(head),
    }
    return {name: value[:_LONGEST] for name, value in values.items() if value}


def _post_id(root: _Element) -> str:
    links = root.iterfind('.//link[@rel="shortlink"]')
    found = next((match[1] for link in links if (match := _SHORT_LINK.search(link.get("href", "")))), "")
    body = next((match for b in root.iter("body") if (match := _BODY_CLASS.search(b.get("class", "")))), None)
    return found or (body[1] if body else "")


def _section(root: _Element) -> str:
    """The section that the page names itself (https://ogp.me/#type_article)."""
    metas = root.iterfind('.//meta[@property="article:section"]')
    return next((" ".join(meta.get("content", "").split()) for meta in metas if meta.get("content", "").strip()), "")


def _folder(head: PageHead) -> str:
    """The folder above the page, but for that of its language."""
    folders = [unquote(part) for part in urlsplit(head.url).path.split("/") if part][:-1]
    return next((folder for folder in reversed(folders) if folder.lower() != head.language), "")
