"""How a page speaks of what another page is about: the target's title and key terms in the source's sentences.

Words are weighted by IDF, so words that the whole site shares carry no weight. Words that carry a link to another page are taken
and do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from analysis.index.rows import dense, entries, row_sums
from analysis.index.terms import Role

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.index.site import SiteIndex
    from analysis.index.terms import PageTerms

FEATURES: Final = {
    "title_share": "share (by IDF) of the target's title stems that stand in the source's best sentence, 0 to 1",
    "title_mass": "IDF of those stems, 0 to about 40",
    "title_taken": "what the share would gain from words that are linked elsewhere, 0 to 1",
    "title_on_page": "share of the title stems that stand anywhere on the source page, 0 to 1",
    "title_in_heading": "the best share in one of the source's headings, 0 to 1",
    "title_pairs": "share (by IDF) of the title's neighbouring stems that are neighbours in the source too, 0 to 1",
    "title_weight": "IDF of the whole title, 0 to about 60",
    "mentions": "log(1 + sentences that have nearly as much of the title as the best), 0 to about 6",
    "mention_early": "1 for a best sentence at the start of the article, 0 at its end or without a mention",
    "context": "cosine of the best sentence with the target's article (TF-IDF), 0 to 1",
    "best_context": "the highest such cosine of any sentence, 0 to 1",
    "mention_in_context": "best sum of title share and cosine in one sentence, 0 to 2",
    "rivals": "log(1 + candidates that the sentence fits better: title share plus cosine, links as plain text), 0 to about 6",
    "sentence_taken": "1 if the sentence that fits the target best has a link to another page",
    "cue": "how much the best sentence is worded as one with a link (log-odds, about -4 to 4), 0 without a mention",
    "cued_share": "best product of title share and the chance that a sentence so worded has a link, 0 to 1",
    "key_term": "the most characteristic term of the target that stands in the source, 0 to about 8",
    "key_terms": "sum over all of them, 0 to about 60",
    "named_back": "share of the source's title stems that stand on the target page, 0 to 1",
}

# The same with linked words counted as plain text, for comparing targets with one another: were a word taken by the judged link
# missing from its rivals, the link would be seen in the comparison.
PLAIN: Final = ("plain_share", "plain_mass", "plain_fit", "plain_cued")

_NEARLY: Final = 0.8
_DECIMALS: Final = 4  # of a sum of IDF: two sentences with the whole title must come out equal, whatever the order of the sum


class _Words(NamedTuple):
    """The running text of a page as a table of sentences and distinct stems."""

    stems: NDArray[np.int32]  # distinct, ascending
    position: NDArray[np.int32]  # (vocabulary,): the column of each stem, -1 = not on the page
    sentence: NDArray[np.int32]  # of each word
    column: NDArray[np.int64]  # of each word
    linked: NDArray[np.int32]  # of each word
    sentences: int


class _Presence(NamedTuple):
    """Distinct stems by sentence; a sentence without one has no row."""

    column: NDArray[np.int64]  # of each stem of each sentence
    starts: NDArray[np.int64]  # where each sentence begins in ``column``
    sentence: NDArray[np.int64]  # that sentence
    sentences: int


def measure(site: SiteIndex, source: int, targets: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
    """See :data:`FEATURES`."""
    page = site.terms.page(source)
    running = _words(page, site, Role.RUNNING)
    zeros = np.zeros(len(targets), dtype=np.float32)
    if not len(running.stems):
        return dict.fromkeys((*FEATURES, *PLAIN), zeros)
    titles = dense(site.titles, targets, running.position, len(running.stems))
    weight = site.title_mass[targets].round(_DECIMALS).clip(1e-6)
    said = _presence(running)
    mass = _mass(_presence(running, running.linked < 0), titles).round(_DECIMALS)
    for column in np.flatnonzero(np.isin(targets, running.linked)):
        free = (running.linked < 0) | (running.linked == targets[column])
        mass[:, column] = _mass(_presence(running, free), titles[:, column : column + 1])[:, 0].round(_DECIMALS)
    share = mass / weight
    each = np.arange(len(targets))
    best = share.argmax(axis=0)
    best_mass = mass[best, each]
    mentioned = best_mass > 0
    near = mass >= np.maximum(_NEARLY * best_mass, 1e-6)
    context = _context(site, running, said, targets)
    cues = site.cues[site.terms.page_starts[source] : site.terms.page_starts[source + 1]]
    chance = 1 / (1 + np.exp(2 - cues))[:, None]
    plain_mass = _mass(said, titles).round(_DECIMALS)
    plain_share = plain_mass / weight
    fit = plain_share + context
    fittest = fit.argmax(axis=0)
    return {
        "title_share": share[best, each],
        "title_mass": best_mass,
        "title_taken": plain_share.max(axis=0) - share[best, each],
        "title_on_page": titles.sum(axis=0) / weight,
        "title_in_heading": _heading_share(page, site, targets, weight),
        "title_pairs": _pair_share(page, site, targets),
        "title_weight": weight,
        "mentions": np.log1p(near.sum(axis=0)) * mentioned,
        "mention_early": (1 - best / running.sentences) * mentioned,
        "context": context[best, each] * mentioned,
        "best_context": context.max(axis=0),
        "mention_in_context": (share + context).max(axis=0),
        "rivals": np.log1p((fit[fittest] > fit[fittest, each][:, None]).sum(axis=1)),
        "sentence_taken": _is_taken(running, fittest, targets),
        "cue": cues[best] * mentioned,
        "cued_share": (share * chance).max(axis=0),
        **_key_terms(site, running, targets),
        "named_back": _named_back(site, source, targets),
        "plain_share": plain_share.max(axis=0),
        "plain_mass": plain_mass.max(axis=0),
        "plain_fit": fit.max(axis=0),
        "plain_cued": (plain_share * chance).max(axis=0),
    }


def _words(page: PageTerms, site: SiteIndex, role: Role) -> _Words:
    kept = (page.roles[page.sentences] == role) & (site.terms.idf[page.stems] > 0)
    stems, column = np.unique(page.stems[kept], return_inverse=True)
    return _Words(stems, _position(stems, len(site.terms.idf)), page.sentences[kept], column, page.linked[kept], len(page.roles))


def _position(columns: NDArray[np.integer], size: int) -> NDArray[np.int32]:
    position = np.full(size, -1, dtype=np.int32)
    position[columns] = np.arange(len(columns), dtype=np.int32)
    return position


def _presence(words: _Words, kept: NDArray[np.bool_] | None = None) -> _Presence:
    """Which stems stand in which sentences; of all words or of those that are ``kept``."""
    sentence, column = (words.sentence, words.column) if kept is None else (words.sentence[kept], words.column[kept])
    rows, columns = np.divmod(np.unique(sentence.astype(np.int64) * len(words.stems) + column), len(words.stems))
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    return _Presence(columns, starts, rows[starts], words.sentences)


def _mass(said: _Presence, weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """For each sentence the sum of the weights of its distinct stems: (stems, targets) -> (sentences, targets)."""
    mass = np.zeros((said.sentences, weights.shape[1]), dtype=np.float32)
    if len(said.starts):
        mass[said.sentence] = np.add.reduceat(weights[said.column], said.starts, axis=0)
    return mass


def _context(site: SiteIndex, words: _Words, said: _Presence, targets: NDArray[np.int32]) -> NDArray[np.float32]:
    """Cosine of each sentence with the article of each target: (sentences, targets)."""
    idf = site.terms.idf[words.stems][:, None]
    norms = np.sqrt(_mass(said, idf * idf)).clip(1e-6)
    articles = dense(site.terms.vectors, targets, words.position, len(words.stems)) * idf
    return _mass(said, articles) / norms


def _is_taken(words: _Words, sentences: NDArray[np.int64], targets: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether each sentence has a link to another page than the target."""
    elsewhere = (words.linked >= 0) & (words.sentence == sentences[:, None]) & (words.linked != targets[:, None])
    return elsewhere.any(axis=1)


def _heading_share(
    page: PageTerms, site: SiteIndex, targets: NDArray[np.int32], weight: NDArray[np.float32]
) -> NDArray[np.float32]:
    headings = _words(page, site, Role.HEADING)
    if not len(headings.stems):
        return np.zeros(len(targets), dtype=np.float32)
    titles = dense(site.titles, targets, headings.position, len(headings.stems))
    return _mass(_presence(headings), titles).max(axis=0) / weight


def _pair_share(page: PageTerms, site: SiteIndex, targets: NDArray[np.int32]) -> NDArray[np.float32]:
    kept = (page.roles[page.sentences] == Role.RUNNING) & site.terms.has_meaning[page.stems]
    stems, sentences = page.stems[kept].astype(np.int64), page.sentences[kept]
    together = sentences[1:] == sentences[:-1]
    keys = np.unique((stems[:-1] * len(site.terms.idf) + stems[1:])[together])
    at = np.searchsorted(site.pair_keys, keys)  # few keys among those of the whole site
    known = at < len(site.pair_keys)
    known[known] = site.pair_keys[at[known]] == keys[known]
    present = np.zeros(len(site.pair_keys), dtype=np.float32)
    present[at[known]] = 1
    return row_sums(site.title_pairs, targets, present) / row_sums(site.title_pairs, targets).clip(1e-6)


def _key_terms(site: SiteIndex, words: _Words, targets: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
    found = dense(site.key_terms, targets, words.position, len(words.stems))
    return {"key_term": found.max(axis=0), "key_terms": found.sum(axis=0)}


def _named_back(site: SiteIndex, source: int, targets: NDArray[np.int32]) -> NDArray[np.float32]:
    _, stems, weights = entries(site.titles, np.array([source]))
    if not len(stems):
        return np.zeros(len(targets), dtype=np.float32)
    present = dense(site.terms.vectors, targets, _position(stems, len(site.terms.idf)), len(stems)) > 0
    return np.where(present, weights[:, None], 0).sum(axis=0, dtype=np.float32) / weights.sum().clip(1e-6)
