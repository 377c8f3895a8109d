"""How a site's editors word the sentences in which they link ("see our guide to …", "as we wrote last week").

Learned from the sentences that carry a link today, without a list of words, so it holds in every language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.index.terms import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from analysis.index.terms import TermIndex

_FOLDS: Final = 5
_SMOOTHING: Final = 4.0  # sentences of the site's average that each stem is given beside its own
_PAGES_AT_ONCE: Final = 1024  # bounds the memory and changes nothing else
_LEAST_LINKED: Final = 20  # sentences with a link; fewer say nothing about how links are worded


def link_cues(terms: TermIndex) -> NDArray[np.float32]:
    """For each sentence the log-odds that its words occur in a sentence with a link, 0 = as likely as any.

    Naive Bayes over the presence of stems, grammar included, divided by the root of their number. A page's sentences have no part
    in what they are judged by: pages are dealt into folds.
    """
    has_link = np.zeros(len(terms.roles), dtype=np.bool_)
    has_link[np.searchsorted(terms.sentence_starts, terms.linked_at, side="right") - 1] = True
    running = terms.roles == Role.RUNNING
    scores = np.zeros(len(terms.roles), dtype=np.float32)
    if np.count_nonzero(has_link & running) < _LEAST_LINKED:
        return scores
    vocabulary = len(terms.idf)
    positive, total = np.zeros((2, _FOLDS, vocabulary), dtype=np.int64)
    for sentence_of, stem_of, fold_of in _blocks(terms):
        for fold in range(_FOLDS):
            own = fold_of == fold
            positive[fold] += np.bincount(stem_of[own & has_link[sentence_of]], minlength=vocabulary)
            total[fold] += np.bincount(stem_of[own], minlength=vocabulary)
    fold_of_sentence = np.repeat(np.arange(terms.size) % _FOLDS, np.diff(terms.page_starts)).astype(np.int8)
    weights = []
    for fold in range(_FOLDS):
        judged = running & (fold_of_sentence != fold)
        rate = (np.count_nonzero(has_link & judged) + 1) / (np.count_nonzero(judged) + 2)
        others_positive, others = positive.sum(axis=0) - positive[fold], total.sum(axis=0) - total[fold]
        smoothed = (others_positive + _SMOOTHING * rate) / (others + _SMOOTHING)
        weights.append(np.log(smoothed / (1 - smoothed)) - np.log(rate / (1 - rate)))
    weight = np.stack(weights)
    for sentence_of, stem_of, fold_of in _blocks(terms):
        first = sentence_of[0]
        sums = np.bincount(sentence_of - first, weights=weight[fold_of, stem_of])
        counts = np.bincount(sentence_of - first)
        scores[first : first + len(sums)] = sums / np.sqrt(counts.clip(1))
    return scores


def _blocks(terms: TermIndex) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """The distinct stems of each running sentence, some pages at a time: (sentence, stem, fold) of each, by sentence and stem."""
    vocabulary = len(terms.idf)
    for page in range(0, terms.size, _PAGES_AT_ONCE):
        starts = terms.page_starts[page : page + _PAGES_AT_ONCE + 1]
        bounds = terms.sentence_starts[starts[0] : starts[-1] + 1]
        words = slice(int(bounds[0]), int(bounds[-1]))
        sentences = np.repeat(np.arange(starts[0], starts[-1]), np.diff(bounds))
        kept = (terms.roles == Role.RUNNING)[sentences]
        seen = np.unique(sentences[kept] * vocabulary + terms.stems[words][kept])
        sentence_of, stem_of = np.divmod(seen, vocabulary)
        if len(seen):
            pages = page + np.searchsorted(starts, sentence_of, side="right") - 1
            yield sentence_of, stem_of, pages % _FOLDS
