"""Reading a site by several processes: the same words, names and counts as by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.corpus import read_corpus
from analysis.index.phrases import phrase_index
from analysis.index.site import read_corpus_sites
from analysis.placement.names import read_names
from benchmarks.editorial_links import store_corpus

PAGES = 300
PLANTS = ("apple tree", "pear tree", "old rose", "climbing rose", "wild garlic", "red currant", "black currant")


def rows() -> list[dict[str, str]]:
    """Articles in two languages; each names its neighbours, some as links, with words that come again on other pages."""
    articles = []
    for number in range(PAGES):
        plant, other = PLANTS[number % len(PLANTS)], PLANTS[(number * 3 + 1) % len(PLANTS)]
        link = f'<a href="/{(number + 7) % PAGES:03}/">the {other}</a>' if number % 2 else f"the {other}"
        text = (
            f"<h2>Row {number}</h2><p>In row {number} of the garden we planted {plant} number {number}, and {link} grew near it.</p>"
            f"<p>Nobody knows what the {plant} of row {number} will look like when the {number % 9}th autumn is over.</p>"
        )
        if number % 10 == 0:
            text = (
                f"<h2>Ряд {number}</h2><p>В ряду {number} нашего сада растёт яблоня номер {number}, а рядом с ней старая роза.</p>"
                f"<p>Никто не знает, как будет выглядеть сад, когда пройдёт осень номер {number}, и что останется от роз.</p>"
            )
        articles.append(
            {
                "url": f"/{number:03}/",
                "lang": "en" if number % 10 else "ru",
                "title": f"{plant.title()} of row {number}",
                "html": text,
            }
        )
    return articles


@pytest.mark.parametrize("processes", [2, 3])
def test_several_processes_read_as_one(tmp_path: Path, processes: int) -> None:
    with store_corpus(rows(), tmp_path) as store:
        corpus = read_corpus(store)
        alone, together = read_corpus_sites(corpus, 1), read_corpus_sites(corpus, processes)
        assert [reader.members for reader in together] == [reader.members for reader in alone]
        assert [reader.read for reader in together] == [reader.read for reader in alone]
        assert [len(reader.members) for reader in alone] == [270, 29] and alone[0].read.anchors
        assert read_names(corpus, processes) == read_names(corpus, 1)
        read = alone[0].read
        counts = [
            phrase_index(read.terms(), read.names, read.headings, read.anchors, wanted).containing_pages
            for wanted in (1, processes)
        ]
    assert np.array_equal(*counts) and counts[0].max() > 50
