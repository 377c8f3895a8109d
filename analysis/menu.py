"""Which articles the site's menus show: those that most pages link to outside their texts. Clicks are counted from them.

The home page is no article and is not kept; what it and every other page show in their menus is one click away from anywhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.html.metadata import read_metadata
from analysis.html.parse import parse_html
from analysis.urls import page_key, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.corpus import Corpus

_SAMPLE: Final = 15  # pages of a language; a menu is the same on most of them
_LEAST: Final = 3
_SHARE: Final = 0.5


def menu_pages(corpus: Corpus) -> list[int]:
    """The articles in the menus, ascending; none where the crawl kept no HTML."""
    members: dict[str, list[int]] = defaultdict(list)
    for head in corpus.heads:
        members[head.language].append(head.index)
    found: set[int] = set()
    for own in members.values():
        sample = [own[at] for at in np.unique(np.linspace(0, len(own) - 1, min(_SAMPLE, len(own))).astype(int))]
        shown = [set(_outside_the_text(corpus, index)) for index in sample]
        counts = Counter(target for targets in shown for target in targets)
        found |= {target for target, count in counts.items() if count >= max(_LEAST, _SHARE * len(sample))}
    return sorted(found)


def _outside_the_text(corpus: Corpus, index: int) -> Iterator[int]:
    body, codec = corpus.html(index)
    if not body:
        return
    root = parse_html(body.decode(codec, "replace"))
    base = read_metadata(root, corpus.heads[index].url).base_url
    in_text = {link.target for link in corpus.page(index).links}
    for link in root.iter("a"):
        address = resolve(link.get("href", ""), base)
        target = corpus.index_of(page_key(address)) if address else None
        if target is not None and target not in in_text:
            yield target
