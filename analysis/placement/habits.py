"""Where the editors of a site like to place their links: learned from the links that they have placed.

On some sites the first mention of a page is the link, on others the words of a sentence that is about it, or of one that says
"see the guide". For a sample of the links that are there, each left out in its turn, the places that a link could take are laid
beside the paragraph that the editors chose; a conditional logit (McFadden 1974) says what drew them there. It begins with the
weights of analysis.placement.places and is pulled back to them, so that few links change little.

On five corpora, half of the links hidden and the habits learned from the rest, the hidden ones' paragraphs were met more often:
18f.gsa.gov 0.70 to 0.73, docs.astro.build 0.73 to 0.76, ethereum.org 0.65 to 0.67, MDN and doka.guide by less than 0.01. The
same weights for all sites gained on the blog and lost on MDN.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.optimize import minimize

from analysis.placement.places import DEFAULT_WEIGHTS, SourceText, Traits, find_options
from analysis.placement.sentence_words import overlaps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from analysis.corpus import Corpus
    from analysis.placement.names import SiteNames
    from analysis.records import Page

_FEWEST: Final = 50  # links; fewer tell chance from habit no better than the weights that all sites share
_MOST: Final = 300  # links; more change nothing
_MOST_PAGES: Final = 1000  # read in search of them
_MOST_OF_A_PAGE: Final = 5

_SPREAD: Final = np.array(Traits(repetitions=1.3, title_share=0.27, cues=0.4, length=0.5, same_form=0.5))  # of the corpora
_PULL: Final = 10.0  # of the penalty, a spread being the unit


class Lesson(NamedTuple):
    """The places that a link could take, a row each; at least one is in a paragraph where the editors have the link."""

    scores: NDArray[np.float64]  # by the weights that all sites share
    traits: NDArray[np.float64]  # (places, traits)
    is_theirs: NDArray[np.bool_]


def learn_habits(corpus: Corpus, names: SiteNames) -> Traits:
    """The weights of a site's own editors; those that all sites share where they have placed too few links."""
    lessons: list[Lesson] = []
    for index in np.random.default_rng(0).permutation(len(corpus))[:_MOST_PAGES].tolist():
        lessons += _lessons(corpus.page(index), corpus, names)
        if len(lessons) >= _MOST:
            break
    return weigh(lessons)


def _lessons(page: Page, corpus: Corpus, names: SiteNames) -> Iterator[Lesson]:
    if not page.links:
        return
    text = SourceText(replace(page, links=()))
    for target in list(dict.fromkeys(link.target for link in page.links))[:_MOST_OF_A_PAGE]:
        own = [link for link in page.links if link.target == target]
        taken = defaultdict(list)
        for link in page.links:
            if link.target != target:
                taken[link.block].append((link.start, link.end))
        named = names.target(corpus.heads[target], without=map(page.anchor, own))
        places = [place for place in find_options(text, named) if not overlaps(place.span, taken[place.sentence.block])]
        blocks = {link.block for link in own}
        is_theirs = np.array([place.sentence.block in blocks for place in places], dtype=np.bool_)
        if is_theirs.any():
            scores = np.array([place.score for place in places])
            yield Lesson(scores, np.array([place.traits for place in places], dtype=np.float64), is_theirs)


def weigh(lessons: Sequence[Lesson]) -> Traits:
    """The weights that explain best, and with least change, which places were chosen."""
    if len(lessons) < _FEWEST:
        return DEFAULT_WEIGHTS
    scores = np.concatenate([lesson.scores for lesson in lessons])
    rows = np.concatenate([lesson.traits for lesson in lessons]) / _SPREAD
    is_theirs = np.concatenate([lesson.is_theirs for lesson in lessons])
    sizes = np.array([len(lesson.scores) for lesson in lessons])
    starts = np.cumsum(sizes) - sizes

    def loss(change: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        changed = scores + rows @ change
        likelihoods = np.exp(changed - np.repeat(np.maximum.reduceat(changed, starts), sizes))
        theirs, all_places = np.add.reduceat(likelihoods * is_theirs, starts), np.add.reduceat(likelihoods, starts)
        pulls = likelihoods / np.repeat(all_places, sizes) - likelihoods * is_theirs / np.repeat(theirs, sizes)
        return float(np.log(all_places / theirs).sum() + 0.5 * _PULL * change @ change), rows.T @ pulls + _PULL * change

    change = minimize(loss, np.zeros(len(_SPREAD)), jac=True, method="L-BFGS-B").x
    weights = np.array(DEFAULT_WEIGHTS) + change / _SPREAD
    return Traits(*(round(float(weight), 4) for weight in weights))
