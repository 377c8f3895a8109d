"""Words that say nothing of what a link leads to."""

from __future__ import annotations

from functools import cache

from analysis import lexicon, words
from analysis.insertion.matching import is_ideographic


def is_banned(anchor: str, language: str) -> bool:
    """Whether an anchor says nothing of what it leads to: "here", "read more", "this article"."""
    empty = empty_words(language)
    tokens = words.tokenize(anchor)
    said = [token.text for token in tokens if words.has_meaning(token.text, language)]
    if is_ideographic(anchor):
        bare = words.normalize(anchor)
        for word in sorted(empty, key=len, reverse=True):
            bare = bare.replace(word, " ")
        return not any(words.has_meaning(token.text, language) for token in words.tokenize(bare))
    return all(words.normalize(word) in empty for word in said)


@cache
def empty_words(language: str) -> frozenset[str]:
    """The words of a language, normalised, that an anchor must not consist of."""
    banned = lexicon.read("banned_anchors").get(lexicon.base_language(language), frozenset())
    return frozenset(map(words.normalize, banned))


def trimmed(wording: str, language: str) -> str:
    """A wording without grammar at either end: "see the image guide" keeps what names something."""
    tokens = words.tokenize(wording)
    meaning = [number for number, token in enumerate(tokens) if words.has_meaning(token.text, language)]
    if not meaning:
        return ""
    start = tokens[meaning[0]].start if meaning[0] else 0
    end = tokens[meaning[-1]].end if meaning[-1] + 1 < len(tokens) else len(wording)
    return wording[start:end]
