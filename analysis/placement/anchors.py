"""Which words of a sentence can be the anchor of a link to a page.

Three kinds of anchor, the best evidence first: words on which the site links to the page elsewhere; the page's title, word
for word or inflected; a phrase of two to four words that shares at least two stems with the title. Whatever the kind, an
anchor begins and ends on a word of meaning and never inside a compound, crosses no punctuation that ends a clause, and says
something of the page.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from analysis import words
from analysis.insertion.matching import is_ideographic
from analysis.placement.empty_words import empty_words, is_banned
from analysis.placement.sentence_words import Span, TextWords, may_cut, read_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

MIN_CHARS: Final = 8  # the guide's
MIN_CHARS_IDEOGRAPHIC: Final = 3  # of Chinese or Japanese: two overlapping pairs
MAX_WORDS: Final = 4  # the guide's; an anchor that covers the whole title may be longer
MAX_TITLE_WORDS: Final = 8

# Share (by rarity) of the title that a phrase of its words must cover. Below 0.27 the phrase stood in the editors' paragraph in a
# third of the cases, above in two thirds (blog corpus).
MIN_TITLE_SHARE: Final = 0.27

# Site wordings below this link probability are words that happened to be linked once (6.5 %: Milne and Witten 2008).
MIN_LINK_PROBABILITY: Final = 0.065


class AnchorKind(StrEnum):
    """What speaks for an anchor."""

    TITLE = "exact-title"
    WORDING = "site-wording"
    WORDS = "title-words"


@dataclass(frozen=True, slots=True)
class Anchor:
    """Words of a sentence: ``sentence[start:end] == text``; ``score`` in log-odds, comparable between sentences and targets."""

    start: int
    end: int
    text: str
    kind: AnchorKind
    score: float
    stems: tuple[str, ...]
    is_same_form: bool = False  # of a name or wording: whether its words stand as they do there


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A way to name the target; ``prefix`` and ``suffix`` are the signs around its words, as in ``<div>`` or ``.map()``."""

    norms: tuple[str, ...]
    stems: tuple[str, ...]
    ends_clause: tuple[bool, ...]
    kind: AnchorKind
    probability: float  # of being a link to the target, where it is a site wording
    weight: float  # sum of the rarities of its words of meaning
    prefix: str
    suffix: str


class Target:
    """A page that links shall lead to: how it is called, prepared once for all sentences."""

    def __init__(
        self, names: Iterable[str], language: str, wordings: Mapping[str, float], rarity: Callable[[str], float]
    ) -> None:
        """Prepare a target.

        :param names: the title, then other names (the h1).
        :param wordings: anchors that the site uses for the page, :func:`trimmed` -> their link probability, 0 to 1.
        :param rarity: of a stem, in nats (inverse document frequency).
        """
        self.language = language
        self._rarity = rarity
        self._phrases: dict[str, list[_Phrase]] = defaultdict(list)
        distinct = list(dict.fromkeys(filter(None, names)))
        self.title_stems = frozenset(words.stems(distinct[0], language)) if distinct else frozenset()
        self._title_weight = self.weight(self.title_stems)
        for name in distinct:
            self._add(read_words(name, language), AnchorKind.TITLE, 1.0)
        self._title_order = frozenset(pair for name in distinct for pair in pairwise(words.stems(name, language)))
        for wording, probability in wordings.items():
            if probability >= MIN_LINK_PROBABILITY and not is_banned(wording, language):
                self._add(read_words(wording, language), AnchorKind.WORDING, probability)

    def _add(self, name: TextWords, kind: AnchorKind, probability: float) -> None:
        if not name.spans:
            return
        weight = self.weight(stem for stem, means in zip(name.stems, name.has_meaning, strict=True) if means)
        prefix, suffix = name.text[: name.spans[0][0]].strip(), name.text[name.spans[-1][1] :].strip()
        phrase = _Phrase(name.norms, name.stems, name.ends_clause, kind, probability, weight, prefix, suffix)
        self._phrases[phrase.stems[0]].append(phrase)

    def weight(self, stems: Iterable[str]) -> float:
        """Sum of the rarities of some stems."""
        return sum(map(self._rarity, stems))

    def title_share(self, stems: Iterable[str]) -> float:
        """Share (by rarity) of the title's stems that are among these, 0 to 1."""
        return self.weight(self.title_stems.intersection(stems)) / self._title_weight if self._title_weight else 0.0

    def in_title_order(self, stems: Iterable[str]) -> int:
        """How many of these stems of meaning follow the one before as they do in the title."""
        return sum(pair in self._title_order for pair in pairwise(stems))

    def may_be_named_in(self, stems: frozenset[str]) -> bool:
        """Whether a text with these stems can hold an anchor at all: cheap, to be asked first."""
        return len(self.title_stems & stems) > 1 or not self._phrases.keys().isdisjoint(stems)

    def phrases_from(self, stem: str) -> Sequence[_Phrase]:
        """The names and wordings whose first stem this is."""
        return self._phrases.get(stem, ())


def find_anchors(sentence: TextWords, target: Target) -> Iterator[Anchor]:
    """Every anchor to the target that a sentence allows, in no order."""
    yield from _named(sentence, target)
    yield from _described(sentence, target)


def _named(sentence: TextWords, target: Target) -> Iterator[Anchor]:
    """Names of the target and wordings that the site uses for it, in their own or another form of their words."""
    for first, stem in enumerate(sentence.stems):
        for phrase in target.phrases_from(stem):
            last = first + len(phrase.stems)
            if sentence.stems[first:last] != phrase.stems:
                continue
            if any(
                there and not here
                for there, here in zip(sentence.ends_clause[first : last - 1], phrase.ends_clause, strict=False)
            ):
                continue
            span, has_signs = _with_signs(sentence, first, last, phrase)
            if span is None or not _says_enough(sentence, first, last, has_signs=has_signs):
                continue
            is_same_form = sentence.norms[first:last] == phrase.norms
            score = (
                _BY_KIND[phrase.kind]
                + _RARITY * min(phrase.weight, _MOST_RARITY)
                + _SAME_FORM * is_same_form
                + _SAME_SIGNS * has_signs
                + _LINK_PROBABILITY * math.log(phrase.probability + 0.01)
            )
            yield Anchor(*span, sentence.text[slice(*span)], phrase.kind, score, phrase.stems, is_same_form)


def _with_signs(sentence: TextWords, first: int, last: int, phrase: _Phrase) -> tuple[Span | None, bool]:
    """The span of the words with the signs of the name around them, or without; and whether all signs are there."""
    start, end = sentence.spans[first][0], sentence.spans[last - 1][1]
    prefix, suffix = phrase.prefix, phrase.suffix
    has_signs = sentence.text[:start].endswith(prefix) and sentence.text.startswith(suffix, end)
    if has_signs and (prefix or suffix):
        wide = (start - len(prefix), end + len(suffix))
        if may_cut(sentence.text, wide[0]) and may_cut(sentence.text, wide[1]):
            return wide, True
    if sentence.may_begin[first] and sentence.may_end[last - 1]:
        return (start, end), False
    return None, False


def _says_enough(sentence: TextWords, first: int, last: int, *, has_signs: bool) -> bool:
    """A name may be of any length, but one letter needs its signs, and grammar alone names nothing."""
    length = sentence.spans[last - 1][1] - sentence.spans[first][0]
    return has_signs or (length > 1 and any(sentence.has_meaning[first:last]))


def _described(sentence: TextWords, target: Target) -> Iterator[Anchor]:
    """Phrases of words that the title has too."""
    shared = [number for number, stem in enumerate(sentence.stems) if stem in target.title_stems and sentence.has_meaning[number]]
    for position, first in enumerate(shared):
        if not sentence.may_begin[first]:
            continue
        stems = {sentence.stems[first]}
        for before, last in pairwise(shared[position:]):
            if any(sentence.ends_clause[before:last]):
                break
            stems.add(sentence.stems[last])
            length = sum(sentence.may_begin[first : last + 1])
            if length > MAX_TITLE_WORDS:
                break
            if len(stems) > 1 and sentence.may_end[last]:
                anchor = _description(sentence, target, (first, last), stems, length)
                if anchor:
                    yield anchor


def _description(sentence: TextWords, target: Target, window: Span, stems: set[str], length: int) -> Anchor | None:
    """The anchor from the first to the last word of the window, if it may be one."""
    start, end = sentence.spans[window[0]][0], sentence.spans[window[1]][1]
    text = sentence.text[start:end]
    is_whole_title = stems == target.title_stems
    ideographic = is_ideographic(text)
    if length > MAX_WORDS and not is_whole_title and not ideographic:
        return None
    share = target.title_share(stems)
    if share < MIN_TITLE_SHARE or len(text) < (MIN_CHARS_IDEOGRAPHIC if ideographic else MIN_CHARS):
        return None
    if is_banned(text, target.language):
        return None
    first, behind = window[0], window[1] + 1
    said = [stem for stem, means in zip(sentence.stems[first:behind], sentence.has_meaning[first:behind], strict=True) if means]
    score = (
        _BY_KIND[AnchorKind.WORDS]
        + _RARITY * min(target.weight(stems), _MOST_RARITY)
        + _WORD * (2 if ideographic else max(1, length - target.in_title_order(said)))
        + _TITLE_SHARE * share
        + _WHOLE_TITLE * is_whole_title
    )
    return Anchor(start, end, text, AnchorKind.WORDS, score, sentence.stems[first:behind])


# Log-odds from a conditional logit over all anchors of a page for a target that its editors linked, on three public corpora (blog
# and documentation; English and Russian), coefficients the same for all of them. That words in the order of the title are not
# charged was found later, on five: it keeps names whole ("Federal Election Commission"), and meets more of a blog's paragraphs.
_BY_KIND: Final = {AnchorKind.TITLE: 0.2, AnchorKind.WORDING: 0.75, AnchorKind.WORDS: -0.2}
_RARITY: Final = 0.2  # a nat
_MOST_RARITY: Final = 20.0
_SAME_FORM: Final = 0.6
_SAME_SIGNS: Final = 0.45
_LINK_PROBABILITY: Final = 0.34  # a nat
_WORD: Final = -0.44  # a word of a description that does not go on as the title does
_TITLE_SHARE: Final = 0.35
_WHOLE_TITLE: Final = 0.46


def cues(sentence: TextWords, anchor: Anchor, language: str) -> int:
    """How many words close before or behind an anchor point to another page ("see the … guide"), 0 to 2."""
    empty = empty_words(language)
    before = [norm for norm, (_, end) in zip(sentence.norms, sentence.spans, strict=True) if end <= anchor.start][-3:]
    behind = [norm for norm, (start, _) in zip(sentence.norms, sentence.spans, strict=True) if start >= anchor.end][:2]
    return min(2, sum(norm in empty for norm in (*before, *behind)))
