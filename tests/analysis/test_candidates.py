from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis import candidates
from tests.analysis.small_site import index_site, write_site


def crowd(count: int) -> list[tuple[str, str]]:
    """Articles about nothing in particular, each with a word of its own."""
    return [(f"Note {chr(97 + n % 26)}{n}", f"Note number {n} about zword{n} and other things of the day.") for n in range(count)]


def test_a_page_that_is_spoken_of_is_a_candidate_however_far_in_meaning() -> None:
    pages = write_site(
        ("Our annual report", "Money came in and money went out. The board met in June, then everyone tasted quince jelly."),
        ("Quince jelly", "Boil the quinces, strain, and add sugar by weight."),
        *crowd(300),
    )
    assert 1 in candidates.find(index_site(pages, embedded=False), 0)


def test_a_page_linked_on_the_same_words_is_a_candidate() -> None:
    pages = write_site(
        ("Winter", "Bring [the red box](2) inside before the frost."),
        ("Summer", "Where did you put the red box last year?"),
        ("Storing bulbs", "Dry them and keep them cool."),
        *crowd(300),
    )
    assert 2 in candidates.find(index_site(pages, embedded=False), 1)


def test_a_page_is_never_its_own_candidate_and_none_comes_twice() -> None:
    site = index_site(write_site(("Alpha", "Alpha is alpha."), ("Beta", "Alpha and beta."), *crowd(20)), embedded=False)
    for source in range(site.size):
        found = candidates.find(site, source)
        assert source not in found
        assert (np.diff(found) > 0).all()


def test_lists_stay_short_on_a_site_where_all_titles_share_their_words() -> None:
    articles = [(f"How to grow plants, part {n}", f"How to grow plants: water them, feed them, day {n}.") for n in range(900)]
    site = index_site(write_site(*articles), embedded=False)
    assert max(len(candidates.find(site, source)) for source in range(0, 900, 90)) <= 300


def test_a_site_of_one_page_has_no_candidates() -> None:
    assert not len(candidates.find(index_site(write_site(("Alone", "Nobody is here.")), embedded=False), 0))


def test_a_translation_is_no_candidate() -> None:
    article = "Boil the quinces, strain, and add sugar by weight; quince jelly keeps for years."
    pages = write_site(("Quince jelly", article), ("Quince jelly in Britain", article), ("Quince jam", article), *crowd(20))
    both = [replace(page, head=replace(page.head, translation_group=3)) for page in pages[:2]]
    site = index_site([*both, *pages[2:]], embedded=False)
    assert 2 in candidates.find(site, 0) and 1 not in candidates.find(site, 0) and 0 not in candidates.find(site, 1)
    assert 1 in candidates.find(index_site(pages, embedded=False), 0), "it was one before"
