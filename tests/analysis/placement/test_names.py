"""How a site names its pages: which words of its links, and how often these words are a link."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.corpus import read_corpus
from analysis.placement.names import read_names
from benchmarks.editorial_links import store_corpus

TARGET = "/target/"


def article(url: str, title: str, text: str) -> dict[str, str]:
    """Long enough to be one, and without a sentence that the others have."""
    more = " ".join(
        f"Of the {part} things that {title.lower()} is about, nobody else speaks." for part in ("old", "new", "odd", "big")
    )
    return {"url": url, "lang": "en", "title": title, "html": f"<p>{text}</p><p>{more}</p>"}


def wordings(folder: Path, *texts: str) -> dict[str, float]:
    """Of a page to which articles with these texts link."""
    rows = [article(f"/{number}/", f"Article number {number}", text) for number, text in enumerate(texts)]
    with store_corpus([*rows, article(TARGET, "Auctions", "All there is to say about how they end.")], folder) as store:
        corpus = read_corpus(store)
        (target,) = (head for head in corpus.heads if head.title == "Auctions")
        return dict(read_names(corpus).wordings(target))


def test_a_wording_is_worth_how_often_its_words_are_a_link(tmp_path: Path) -> None:
    found = wordings(tmp_path, f'We read the <a href="{TARGET}">auction report</a> today.', "An auction report is a long text.")
    assert found == {"auction report": pytest.approx(0.5)}


def test_what_is_left_of_a_wording_without_its_grammar_is_counted_by_itself(tmp_path: Path) -> None:
    found = wordings(
        tmp_path,
        f'It was sold <a href="{TARGET}">for one dollar</a> then.',
        "A dollar is money.",
        "We sing of a dollar.",
        "No dollar comes alone.",
    )
    assert found == {"dollar": pytest.approx(0.25)}, "the three words were always a link, but they are no anchor"
