"""Words in every script, their stems and which of them carry meaning.

A token is a run of letters, digits and the marks that belong to them; hyphens and dots separate tokens ("node.js" is two), so
where a phrase may be cut is another question (:func:`analysis.insertion.matching.edge`). Scripts without spaces have no word
boundaries that could be seen without a dictionary: a run of Han or Hiragana gives overlapping pairs of characters, a run of
Thai, Lao, Khmer or Burmese overlapping triples of grapheme clusters, a run of Katakana (a loan word) is one token. Such
tokens find mentions as words do: character bigrams are about as good as segmented words for Chinese and Japanese retrieval
(Nie and Ren 1999; McNamee 2004).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import snowballstemmer

from analysis import lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

# ISO 639-1 -> algorithm of snowballstemmer.
_SNOWBALL: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr":
    "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl":
    "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "sv":
    "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

PREFIX: Final = 5  # letters kept of a word in a language without a stemmer (the guide's)

_INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_HAN: Final = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA: Final = "\u3041-\u309f"
_KATAKANA: Final = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_SPACELESS: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3"


# A word that has lost its vowel before the next one: "l'eau", "dell'arte" are two words, "don't" and "об'єкт" are one.
_ELISION = re.compile(
    r"\b(l|d|j|m|t|s|n|c|qu|jusqu|lorsqu|puisqu|quoiqu|un|quest|quell|dell|nell|all|dall|sull|dov|anch|com)['’](?=[aeiouyhàâéèêëîïôùûœæ])",
    re.IGNORECASE,
)

_HANGUL_PARTICLES = re.compile(
    r"(?<=..)(?:에서는|에서|으로는|으로|부터|까지|에게|이란|란|은|는|이|가|을|를|에|의|로|와|과|도|만)$"
)

# Endings of nouns, adjectives and verbs, longest first; what is left keeps at least three letters, the first with a vowel.
_UKRAINIAN_ENDING = re.compile(
    r"(?<=...)(?:"
    r"ування|юваннями|юванням|ювання|уванням|уваннями|уванню|уванні|ювань|увань|"
    r"ення|енням|еннями|енню|енні|ень|ання|анням|аннями|анню|анні|ань|іння|інням|"
    r"остями|остям|остях|істю|ості|ість|остей|"
    r"увати|ювати|ується|юється|ують|юють|ував|увала|ували|ує|ює|"
    r"ими|іми|ого|його|ому|йому|ої|ьої|ій|ою|ьою|ими|их|іх|им|ім|ий|"
    r"ами|ями|ові|еві|єві|ам|ям|ах|ях|ів|їв|ом|ем|єм|ею|єю|ей|"
    r"ться|тися|лися|лась|ися|ати|ити|іти|яти|ють|уть|ать|ять|ить|іть|ала|или|ила|али|"
    r"а|я|о|е|є|и|і|ї|у|ю|ь|й"
    r")$"
)


def _marks() -> str:
    """The combining marks of the living scripts, inside a character class: Python's word class leaves them out."""
    codes = (*range(0x300, 0x3100), *range(0xA66F, 0xAC00), *range(0xFE00, 0xFE30))
    return "".join(map(chr, filter(lambda code: unicodedata.category(chr(code)) in ("Mn", "Mc", "Me"), codes)))


_LETTERS: Final = rf"[^\W{_HAN}{_HIRAGANA}{_KATAKANA}{_SPACELESS}]+"
_RUN: Final = rf"{_LETTERS}(?:[{_marks()}{_INVISIBLE}]+(?:{_LETTERS})?)*"
_SPECIAL = re.compile(rf"[{_HAN}{_HIRAGANA}{_KATAKANA}{_SPACELESS}{_marks()}{_INVISIBLE}]")


def _pattern(run: str) -> str:
    return rf"(?P<word>{run}(?:(?:['’ʼ](?!\d)|(?<=\d)[.,](?=\d)){run})*(?:\+\+|\#(?!\w))?)"


_TOKEN = re.compile(
    _pattern(_RUN)
    + rf"|(?P<pairs>[{_HAN}]+|[{_HIRAGANA}]+)|(?P<katakana>[{_KATAKANA}]+)|(?P<triples>[{_SPACELESS}{_INVISIBLE}]+)"
)
_SIMPLE_TOKEN = re.compile(_pattern(r"\w+"))  # the same, much faster, for a text without special characters
_CLUSTER = re.compile(rf"[\u0e40-\u0e44\u0ec0-\u0ec4]?.[\u0e30-\u0e33\u0e45\u0eb0-\u0eb3{_marks()}{_INVISIBLE}]*", re.DOTALL)
_UNSTEMMED = re.compile(r"[\d_+#]")
_LATIN = re.compile(r"[a-z]")
_HIRAGANA_ONLY = re.compile(rf"[{_HIRAGANA}]+")
_IDEOGRAPHIC = re.compile(rf"[{_HAN}{_HIRAGANA}{_KATAKANA}{_SPACELESS}]")
_LATIN_SCRIPT_FREE: Final = frozenset(
    {"ar", "be", "bg", "el", "fa", "he", "hi", "hy", "ja", "ka", "ko", "ne", "ru", "sr", "ta", "th", "uk", "yi", "zh"}
)


class Token(NamedTuple):
    """A word: ``text[start:end] == token.text`` of the text it was found in."""

    start: int
    end: int
    text: str


def tokenize(text: str) -> list[Token]:
    """The words of a text in order; those of a script without spaces overlap (see the module)."""
    return [Token(start, end, text[start:end]) for start, end in spans(text)]


def texts(text: str) -> list[str]:
    """The words of a text in order, without their places."""
    return [text[start:end] for start, end in spans(text)]


def spans(text: str) -> list[tuple[int, int]]:
    """The places of the words of a text in order."""
    if _SPECIAL.search(text) or _ELISION.search(text):
        return list(_special_spans(text))
    return [match.span() for match in _SIMPLE_TOKEN.finditer(text)]


def _special_spans(text: str) -> Iterator[tuple[int, int]]:
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        kind = match.lastgroup
        if kind == "pairs":
            yield from _windows(list(range(start, end + 1)), 2)
        elif kind == "triples":
            if match[0].strip(_INVISIBLE):
                yield from _windows([start, *(start + cluster.end() for cluster in _CLUSTER.finditer(match[0]))], 3)
        elif elided := _ELISION.match(match[0]):
            yield start, start + elided.end(1)
            yield start + elided.end(), end
        else:
            yield start, end


def _windows(edges: list[int], size: int) -> Iterator[tuple[int, int]]:
    """Overlapping windows of ``size`` characters, given the edges of all characters."""
    for i in range(max(1, len(edges) - size)):
        yield edges[i], edges[min(i + size, len(edges) - 1)]


def normalize(word: str) -> str:
    """A word without its dress: compatibility forms, case, invisible characters, the kind of apostrophe, ё."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word).casefold().translate(_UNDRESS)


_UNDRESS: Final = str.maketrans({**dict.fromkeys(_INVISIBLE), "’": "'", "ʼ": "'", "ё": "е"})


@lru_cache(maxsize=1 << 18)
def stem(word: str, language: str) -> str:
    """The stem of a word: Snowball's algorithm where the language has one; light suffix rules for Ukrainian and Korean; the word
    itself in a script without spaces; else the first five letters. A name with digits or signs ("h2", "C++") is its own stem.
    A Latin word in a text of another script is taken as English.
    """
    bare = normalize(word)
    language = _language_of(bare, language)
    if len(bare) < 3 or _UNSTEMMED.search(bare) or _IDEOGRAPHIC.match(bare):
        return bare
    if language in _SNOWBALL:
        return str(_stemmer(_SNOWBALL[language]).stemWord(bare))
    if language == "uk":
        return _UKRAINIAN_ENDING.sub("", bare)
    if language == "ko":
        return _HANGUL_PARTICLES.sub("", bare)
    return bare[:PREFIX]


@cache
def _stemmer(algorithm: str) -> Any:
    return snowballstemmer.stemmer(algorithm)


def _language_of(bare: str, language: str) -> str:
    language = lexicon.base_language(language)
    return "en" if language in _LATIN_SCRIPT_FREE and _LATIN.match(bare) else language


@lru_cache(maxsize=1 << 18)
def has_meaning(word: str, language: str) -> bool:
    """Whether a word is more than grammar: no stop word of its language, no single letter, no run of Hiragana.

    A Latin word in a text of another script has meaning, whatever it is: there ``for`` is a name.
    """
    bare = normalize(word)
    if _language_of(bare, language) != lexicon.base_language(language):
        return len(bare) > 1  # a name or a quotation
    stop = _stop_words(lexicon.base_language(language))
    if _IDEOGRAPHIC.match(bare):
        return not (_HIRAGANA_ONLY.fullmatch(bare) or all(char in stop for char in bare))
    return bare not in stop and (len(bare) > 1 or bare.isdigit())


@cache
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(map(normalize, lexicon.read("stop_words").get(language, ())))


def stems(text: str, language: str) -> list[str]:
    """The stems of the words of meaning, in order, with repetitions."""
    return [stem(word, language) for word in texts(text) if has_meaning(word, language)]
