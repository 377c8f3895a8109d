"""How a site's editors word the sentences in which they link ("see our guide to …", "as we wrote last week").

Learned from the sentences that carry a link today, without a list of words, so it holds in every language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.index.terms import Role

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.index.terms import TermIndex

_FOLDS: Final = 5
_SMOOTHING: Final = 4.0  # sentences of the site's average that each stem is given beside its own
_LEAST_LINKED: Final = 20  # sentences with a link; fewer say nothing about how links are worded


def link_cues(terms: TermIndex) -> NDArray[np.float32]:
    """For each sentence the log-odds that its words occur in a sentence with a link, 0 = as likely as any.

    Naive Bayes over the presence of stems, grammar included, divided by the root of their number. A page's sentences have no part
    in what they are judged by: pages are dealt into folds.
    """
    lengths = np.diff(terms.sentence_starts)
    sentences = np.repeat(np.arange(len(lengths)), lengths)
    pages = np.repeat(np.arange(terms.size), np.diff(terms.page_starts))
    has_link = np.zeros(len(lengths), dtype=np.bool_)
    has_link[sentences[terms.linked >= 0]] = True
    running = terms.roles == Role.RUNNING
    scores = np.zeros(len(lengths), dtype=np.float32)
    if np.count_nonzero(has_link & running) < _LEAST_LINKED:
        return scores
    vocabulary = len(terms.idf)
    seen = np.unique(sentences[running[sentences]] * vocabulary + terms.stems[running[sentences]])
    sentence_of, stem_of = np.divmod(seen, vocabulary)
    fold_of = pages[sentence_of] % _FOLDS
    for fold in range(_FOLDS):
        others = fold_of != fold
        positive = np.bincount(stem_of[others & has_link[sentence_of]], minlength=vocabulary)
        total = np.bincount(stem_of[others], minlength=vocabulary)
        judged = running & (pages % _FOLDS != fold)
        rate = (np.count_nonzero(has_link & judged) + 1) / (np.count_nonzero(judged) + 2)
        smoothed = (positive + _SMOOTHING * rate) / (total + _SMOOTHING)
        weight = np.log(smoothed / (1 - smoothed)) - np.log(rate / (1 - rate))
        own = ~others
        sums = np.bincount(sentence_of[own], weights=weight[stem_of[own]], minlength=len(lengths))
        counts = np.bincount(sentence_of[own], minlength=len(lengths))
        scores += (sums / np.sqrt(counts.clip(1))).astype(np.float32)
    return scores
