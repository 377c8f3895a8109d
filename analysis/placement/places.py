"""Where in an article the link to a target goes: the sentence, and the words in it.

Two methods. `semantic`, the guide's: the sentence nearest in meaning to the target's title, if it is near enough and holds an
anchor. `learned`: of all anchors in all sentences the one that an editor would most likely have linked. Both look for anchors
first: few sentences hold one, and only these need a vector. The whole article is looked at, not just its beginning.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from analysis import words
from analysis.placement.anchors import Anchor, Target, cues, find_anchors
from analysis.placement.sentence_words import Span, TextWords, overlaps, read_words
from analysis.records import NearMiss, Page, Placement, Sentence
from analysis.sentences import sentences_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

MIN_SCORE: Final = 0.6  # log-odds below which no anchor is better than this one
SAME_ANCHOR_SITEWIDE: Final = 3  # links to one target on the same words
_MOST_TRIES: Final = 8  # places offered to ``accept`` for one link

_MOST_REPETITIONS: Final = 3


# What can be in the way of a link, beside the refusals of the inserter.
NO_WORDS: Final = "no words of the article name it"
WEAK_WORDS: Final = "the words say too little of it"
FAR: Final = "no sentence with such words is near enough in meaning"
OTHER_TARGET: Final = "the article links these words to another page"
SAME_WORDS: Final = f"{SAME_ANCHOR_SITEWIDE} other rows link these words to it already"

Accept: TypeAlias = "Callable[[int, Placement], str]"  # says why not, or nothing


class AnchorBudget:
    """Which anchors of a plan are spent: on a page one target an anchor; site-wide few links to one target on the same words.

    Give it all placements of a plan in a fixed order, and the same plan comes out each time.
    """

    def __init__(self, is_spent: Callable[[tuple[int, str]], bool] | None = None) -> None:
        """``is_spent``: of (target, words), whether others have used them up; without it, this budget has seen all uses."""
        self.asked: set[tuple[int, str]] = set()  # (target, words) whose site-wide uses were looked at
        self.uses: Counter[tuple[int, str]] = Counter()
        self._is_spent = is_spent
        self._target_of: dict[tuple[int, str], int] = {}

    def obstacle(self, source: int, target: int, anchor: str) -> str:
        """Why a page may not link to the target on these words; empty where it may."""
        key = _same_words(anchor)
        if self._target_of.get((source, key), target) != target:
            return OTHER_TARGET
        self.asked.add((target, key))
        is_spent = self._is_spent((target, key)) if self._is_spent else self.uses[target, key] >= SAME_ANCHOR_SITEWIDE
        return SAME_WORDS if is_spent else ""

    def spend(self, source: int, target: int, anchor: str) -> None:
        """Count a link as planned."""
        key = _same_words(anchor)
        self._target_of[source, key] = target
        self.uses[target, key] += 1

    def note_existing(self, page: Page) -> None:
        """Words on which a page links today lead to one target already; they are not counted site-wide."""
        for link in page.links:
            self._target_of.setdefault((page.head.index, _same_words(page.anchor(link))), link.target)


def _same_words(anchor: str) -> str:
    return " ".join(words.normalize(anchor).split())


class Traits(NamedTuple):
    """What there is to a place beside its anchor's own words; or weights: what each of these is worth, in log-odds."""

    repetitions: float  # earlier sentences with the same anchor, three at most
    title_share: float  # of the title's stems in the whole sentence, by rarity
    cues: float  # words close by that point to another page
    length: float  # of the sentence, in nats over a hundred characters
    same_form: float  # 1 where a name or wording stands in its own form

    def worth(self, weights: Traits) -> float:
        """Log-odds of a place with these traits."""
        return sum(weight * trait for weight, trait in zip(weights, self, strict=True))


# From the same fit as the log-odds of analysis.placement.anchors; a site has weights of its own (analysis.placement.habits).
DEFAULT_WEIGHTS: Final = Traits(repetitions=-0.64, title_share=0.45, cues=0.3, length=-0.1, same_form=0.0)


class SourceText:
    """An article that links shall be placed in: its sentences, cut into words when a target needs them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sentences = sentences_of(page)
        self.taken: dict[int, list[Span]] = defaultdict(list)  # by block: links of today, and those placed since
        for link in page.links:
            self.taken[link.block].append((link.start, link.end))
        self._words: dict[int, TextWords] = {}
        self._lengths: dict[int, float] = {}

    @cached_property
    def stems(self) -> tuple[frozenset[str], ...]:
        """The distinct stems of each sentence."""
        language = self.page.head.language
        return tuple(
            frozenset(words.stem(word, language) for word in set(words.texts(sentence.text))) for sentence in self.sentences
        )

    def words(self, number: int) -> TextWords:
        """A sentence cut into words."""
        if number not in self._words:
            self._words[number] = read_words(self.sentences[number].text, self.page.head.language)
        return self._words[number]

    def length(self, number: int, rarity: Callable[[str], float]) -> float:
        """How much a sentence says: the root of the length of its vector of rarities (one function for all of an article)."""
        if number not in self._lengths:
            squares = sorted(rarity(stem) ** 2 for stem in self.stems[number])
            self._lengths[number] = math.sqrt(math.sqrt(sum(squares)) or 1.0)
        return self._lengths[number]


@dataclass(frozen=True, slots=True)
class Option:
    """A possible place of a link: ``number`` of the sentence in the article, the anchor within the sentence."""

    number: int
    sentence: Sentence
    anchor: Anchor
    traits: Traits
    score: float  # log-odds by what all sites share: whether the words are good enough is no matter of habit
    preference: float  # the same by the habits of the site's editors: which of the good places comes first

    @property
    def span(self) -> Span:
        """The anchor in the text of the sentence's block."""
        return self.sentence.start + self.anchor.start, self.sentence.start + self.anchor.end


def find_options(source: SourceText, target: Target, weights: Traits = DEFAULT_WEIGHTS) -> list[Option]:
    """Every place in the article where a link to the target could go, in reading order."""
    options = []
    earlier: Counter[tuple[str, ...]] = Counter()
    for number, (sentence, stems) in enumerate(zip(source.sentences, source.stems, strict=True)):
        if not target.may_be_named_in(stems):
            continue
        cut = source.words(number)
        anchors = list(find_anchors(cut, target))
        share = target.title_share(stems)
        length = math.log(len(sentence.text) / 100)
        for anchor in anchors:
            repetitions = min(earlier[anchor.stems], _MOST_REPETITIONS)
            traits = Traits(repetitions, share, cues(cut, anchor, target.language), length, anchor.is_same_form)
            score, preference = (anchor.score + traits.worth(by) for by in (DEFAULT_WEIGHTS, weights))
            options.append(Option(number, sentence, anchor, traits, score, preference))
        earlier.update({anchor.stems for anchor in anchors})
    return [option for option in options if not overlaps(option.span, source.taken[option.sentence.block])]


def place(
    source: SourceText,
    target: Target,
    index: int,
    budget: AnchorBudget,
    accept: Accept | None = None,
    weights: Traits = DEFAULT_WEIGHTS,
) -> Placement | NearMiss:
    """The likeliest place for a link to page ``index`` (method `learned`), or what is in the way of it.

    :param accept: has the last word on (target, placement), for instance the inserter run dry; where it refuses, the next best
        is tried.
    :param weights: the habits of the site's editors.
    """
    options = find_options(source, target, weights)
    options.sort(key=lambda option: (-option.preference, option.number, option.anchor.start, -option.anchor.end))
    return _take_first(source, options, index, budget, accept)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A link that :func:`place_by_meaning` shall place: the target, its index, and the vector of its title (unit length)."""

    target: Target
    index: int
    title_vector: NDArray[np.float32]


def place_by_meaning(
    source: SourceText,
    wanted: Sequence[Wanted],
    encode: Callable[[Sequence[str]], NDArray[np.float32]],
    threshold: float,
    budget: AnchorBudget,
    accept: Accept | None = None,
) -> list[Placement | NearMiss]:
    """For each wanted link the sentence nearest to the target's title (method `semantic`), or why there is none.

    :param encode: texts -> unit rows, (n, d); asked once, for the sentences in which an anchor is possible.
    :param threshold: least cosine of sentence and title, in the scale of the model.
    :param accept: see :func:`place`.
    """
    options = [find_options(source, want.target) for want in wanted]
    numbers = sorted({option.number for found in options for option in _likely(found)})
    vectors = encode([source.sentences[number].text for number in numbers]) if numbers else None
    row = {number: position for position, number in enumerate(numbers)}
    placements: list[Placement | NearMiss] = []
    for want, found in zip(wanted, options, strict=True):
        likely = [option for option in _likely(found) if not overlaps(option.span, source.taken[option.sentence.block])]
        if vectors is None or not likely:
            placements.append(_take_first(source, found, want.index, budget, accept))
            continue
        cosines = vectors @ want.title_vector
        likely.sort(key=lambda option: (-round(float(cosines[row[option.number]]), 6), option.number, -option.score))
        near = [option for option in likely if cosines[row[option.number]] >= threshold]
        if near:
            placements.append(_take_first(source, near, want.index, budget, accept))
        else:
            placements.append(NearMiss(FAR, hint=likely[0].sentence))
    return placements


def _likely(options: Iterable[Option]) -> list[Option]:
    return [option for option in options if option.score >= MIN_SCORE]


def _take_first(
    source: SourceText,
    options: Sequence[Option],
    index: int,
    budget: AnchorBudget,
    accept: Accept | None,
) -> Placement | NearMiss:
    """The first option that may be used; else the first, and why it may not."""
    page = source.page
    likely = _likely(options)
    if not likely:
        best = max(options, key=lambda option: option.preference, default=None)
        return NearMiss(WEAK_WORDS, best.sentence, best.anchor.text) if best else NearMiss(NO_WORDS)
    obstacles = []
    refused: dict[int, list[Span]] = defaultdict(list)
    tries = 0
    for option in likely:
        block = option.sentence.block
        if overlaps(option.span, refused[block]):
            continue  # a torn piece of a better anchor that may not be used
        obstacle = budget.obstacle(page.head.index, index, option.anchor.text)
        if not obstacle:
            start, end = option.span
            placement = Placement(option.sentence, start, end, option.anchor.text, page.blocks[block].digest)
            obstacle = accept(index, placement) if accept else ""
            if not obstacle:
                budget.spend(page.head.index, index, option.anchor.text)
                source.taken[block].append(option.span)
                return placement
            tries += 1
        obstacles.append(obstacle)
        if tries == _MOST_TRIES:
            break
        refused[block].append(option.span)
    return NearMiss(obstacles[0], likely[0].sentence, likely[0].anchor.text)
