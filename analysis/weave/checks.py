"""All checks of a rewrite in their order; the first that fails names the reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from analysis.lexicon import base_language
from analysis.placement.empty_words import is_banned
from analysis.weave.alignment import no_new_claim, nothing_lost, punctuation_kept, spelling_kept
from analysis.weave.facts import (
    dates_kept,
    fixed_kept,
    language_kept,
    letters_clean,
    names_kept,
    negation_kept,
    numbers_kept,
    quotations_kept,
    units_kept,
)
from analysis.weave.rewrite import known_languages, read_words
from analysis.words import stem

if TYPE_CHECKING:
    from collections.abc import Callable

    from analysis.weave.rewrite import Rewrite

ANCHOR_WORDS: Final = (2, 4)
LENGTH: Final = 0.3  # share by which a paragraph may grow or shrink
_SHINGLE: Final = 5  # words of the prompt in a row that are an echo
_MARKUP: Final = "<>[]{}*_`#|\\^~=@"
_ADDRESS: Final = re.compile(r"\w://|\bwww\.|[\w-]\.[a-z]{2,}\b|&#?\w+;", re.IGNORECASE)


def anchor_length(rewrite: Rewrite) -> bool:
    """The anchor has two to four words."""
    return ANCHOR_WORDS[0] <= len(read_words(rewrite.anchor)) <= ANCHOR_WORDS[1]


def anchor_allowed(rewrite: Rewrite) -> bool:
    """The anchor is not made of words that say nothing of a page."""
    return not is_banned(rewrite.anchor, rewrite.language)


def anchor_verbatim(rewrite: Rewrite) -> bool:
    """The anchor stands in the paragraph once, as whole words."""
    return rewrite.anchor_span[0] >= 0 and rewrite.after.count(rewrite.anchor) == 1


def anchor_not_first(rewrite: Rewrite) -> bool:
    """Words stand before the anchor."""
    return bool(read_words(rewrite.after[: max(0, rewrite.anchor_span[0])]))


def anchor_names_target(rewrite: Rewrite) -> bool:
    """Two words of the anchor, or its only one with a meaning, are the target's own."""
    own = [stem(word.folded, rewrite.language) in rewrite.name_stems for word in read_words(rewrite.anchor)]
    return sum(own) >= min(2, len(rewrite.name_stems))


def plain_text(rewrite: Rewrite) -> bool:
    """One paragraph, without HTML, Markdown, template signs or addresses that were not there."""
    if re.search(r"[\n\r\t\v\f\u2028\u2029]", rewrite.after.strip()):
        return False
    if any(rewrite.after.count(sign) > rewrite.before.count(sign) for sign in _MARKUP):
        return False
    return len(_ADDRESS.findall(rewrite.after)) <= len(_ADDRESS.findall(rewrite.before))


def length_kept(rewrite: Rewrite) -> bool:
    """No more than 30 % longer or shorter."""
    return abs(len(rewrite.after) - len(rewrite.before)) <= LENGTH * len(rewrite.before)


def no_echo(rewrite: Rewrite) -> bool:
    """No five words of the prompt in a row that the paragraph did not have."""
    return not (_shingles(rewrite.prompt) - _shingles(rewrite.before) - _shingles(rewrite.title)) & _shingles(rewrite.after)


def language_known(rewrite: Rewrite) -> bool:
    """There are word lists for the paragraph's language."""
    return base_language(rewrite.language) in known_languages()


CHECKS: Final[dict[str, Callable[[Rewrite], bool]]] = {
    "no word lists for this language": language_known,
    "the anchor has not 2 to 4 words": anchor_length,
    "the anchor says nothing of the target": anchor_allowed,
    "the anchor does not stand in the paragraph, once": anchor_verbatim,
    "the anchor stands at the beginning": anchor_not_first,
    "the anchor does not name the target": anchor_names_target,
    "markup or an address in the answer": plain_text,
    "invisible or mixed letters": letters_clean,
    "the length differs by more than 30 %": length_kept,
    "the prompt is echoed": no_echo,
    "the language changed": language_kept,
    "a number changed": numbers_kept,
    "a date changed": dates_kept,
    "a unit changed": units_kept,
    "a quotation changed": quotations_kept,
    "a negation was added or lost": negation_kept,
    "a link, code or emphasis changed": fixed_kept,
    "a name changed": names_kept,
    "words were lost or moved": nothing_lost,
    "a new claim": no_new_claim,
    "the punctuation changed": punctuation_kept,
    "capitals changed": spelling_kept,
}
MEANING: Final = "the meaning changed"


def failed_check(rewrite: Rewrite) -> str:
    """The name of the first check that fails; "" when all hold. Meaning is judged apart, for it needs a model."""
    return next((name for name, holds in CHECKS.items() if not holds(rewrite)), "")


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = [word.folded for word in read_words(text)]
    return frozenset(tuple(words[i : i + _SHINGLE]) for i in range(len(words) - _SHINGLE + 1))
