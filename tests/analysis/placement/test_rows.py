"""Placing the links of many pages: by several processes as by one page after the other."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from analysis.corpus import read_corpus
from analysis.placement.names import read_names
from analysis.placement.places import SAME_ANCHOR_SITEWIDE, SAME_WORDS
from analysis.placement.rows import Placer
from analysis.records import NearMiss, Placement, Proposal
from benchmarks.editorial_links import store_corpus

PAGES, TARGETS = 297, 33
SYLLABLES = ("ka", "lo", "mi", "ru", "te", "va", "zo", "ne", "pi", "du", "fa")


def title(target: int) -> str:
    """Three words that only this target has."""
    a, b = divmod(target, len(SYLLABLES))
    return " ".join(f"{first}{SYLLABLES[b]}{SYLLABLES[a]}nt" for first in ("Bor", "ser", "gal"))


def rows() -> list[dict[str, str]]:
    """Articles that each name two of the targets, in two ways; each target is named by more of them than may link so."""
    articles = []
    for number in range(PAGES):
        named = [title(target % TARGETS).lower().split() for target in (number, number + 1)]
        text = "".join(
            f"<p>In year {number} of the garden we planted {a} {b} near shed {number}. Some say {b} {c} did better by year {number}.</p>"
            for a, b, c in named
        )
        articles.append({"url": f"/{number:03}/", "lang": "en", "title": f"Year {number} of the garden", "html": text})
    for target in range(TARGETS):
        text = f"<p>All there is to say about {title(target)}: sow them, water them, and wait for a mild autumn.</p>" * 2
        articles.append({"url": f"/z{target:02}/", "lang": "en", "title": title(target), "html": text})
    return articles


def test_several_processes_place_links_as_one_page_after_the_other_would(tmp_path: Path) -> None:
    with store_corpus(rows(), tmp_path) as store:
        corpus = read_corpus(store)
        names = read_names(corpus)
        number = {head.title: head.index for head in corpus.heads}
        sources = [number[f"Year {page} of the garden"] for page in range(PAGES)]
        targets = [number[title(target)] for target in range(TARGETS)]
        pages = [
            [Proposal(source, targets[target % TARGETS], 0.5) for target in (page, page + 1)]
            for page, source in enumerate(sources)
        ]
        placer = Placer(corpus, names)
        one_after_the_other = [placer.by_evidence(page[0].source, page) for page in pages]
        together = Placer(corpus, names).all_by_evidence(pages, 2)
    assert together == one_after_the_other
    flat = [found for page in together for found in page]
    uses = Counter(found.anchor for found in flat if isinstance(found, Placement))
    assert set(uses.values()) == {SAME_ANCHOR_SITEWIDE} and len(uses) == 2 * TARGETS, "words that are spent give way to others"
    assert any(isinstance(found, NearMiss) and found.obstacle == SAME_WORDS for found in flat)
