"""The language of a page: what the page claims, checked against what is written on it.

Claims (``lang``, hreflang, the address) come from templates and are often wrong for a page; the text is not, if it is long
enough. So the text decides where its language is clear, claims decide where it is too short or near another language.
Scripts come first: Greek or Japanese needs no statistics. For the rest there is py3langid's model, on a sample of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from analysis.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

UNKNOWN: Final = "und"  # ISO 639-2 for undetermined

# Detection looks at the middle of each ninth of the text: a translated introduction to a text in another language is one of them.
_WINDOWS: Final = 9
_WINDOW_CHARS: Final = 100
# Below this many letters (of an alphabet; a Chinese character counts as two) only the script of a text is believed.
_ENOUGH_LETTERS: Final = 120
_FEW_LETTERS: Final = 20
# py3langid's probability from which a detected language overrules claims.
_SURE: Final = 0.9
# Technical texts mix in Latin words; from this share of letters on the other script is the text's own.
_SCRIPT_SHARE: Final = 0.25
_KANA_SHARE: Final = 0.05
# ...and from this share on a language that is not written so is refuted, however short the text.
_OWN_SCRIPT: Final = 0.6

_NOT_LETTERS = re.compile(r"[\W\d_]+")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_SCRIPTS: Final = {
    "cyrillic": r"\u0400-\u052f", "arabic": r"\u0600-\u06ff\u0750-\u077f", "han": r"\u3400-\u9fff", "kana": r"\u3041-\u30ff",
    "hangul": r"\u1100-\u11ff\uac00-\ud7af", "greek": r"\u0370-\u03ff\u1f00-\u1fff", "hebrew": r"\u0590-\u05ff",
    "devanagari": r"\u0900-\u097f", "thai": r"\u0e00-\u0e7f", "bengali": r"\u0980-\u09ff", "tamil": r"\u0b80-\u0bff",
    "telugu": r"\u0c00-\u0c7f", "gujarati": r"\u0a80-\u0aff", "gurmukhi": r"\u0a00-\u0a7f", "kannada": r"\u0c80-\u0cff",
    "malayalam": r"\u0d00-\u0d7f", "sinhala": r"\u0d80-\u0dff", "georgian": r"\u10a0-\u10ff", "armenian": r"\u0530-\u058f",
    "khmer": r"\u1780-\u17ff", "lao": r"\u0e80-\u0eff", "burmese": r"\u1000-\u109f",
}  # fmt: skip
_SCRIPT_PATTERNS = {script: re.compile(f"[{ranges}]") for script, ranges in _SCRIPTS.items()}
_LANGUAGES_OF: Final = {
    "cyrillic": "ru uk bg be sr mk kk ky mn", "arabic": "ar fa ur ps ku ug", "devanagari": "hi mr ne", "bengali": "bn as",
    "hebrew": "he", "han": "zh", "kana": "ja", "hangul": "ko", "greek": "el", "thai": "th", "tamil": "ta", "telugu": "te",
    "gujarati": "gu", "gurmukhi": "pa", "kannada": "kn", "malayalam": "ml", "sinhala": "si", "georgian": "ka", "armenian": "hy",
    "khmer": "km", "lao": "lo", "burmese": "my",
    "latin": "af az bs ca cs cy da de en es et eu fi fr ga gl hr hu id is it lt lv ms nl no pl pt ro sk sl sq sr sv sw tl tr uz "
    "vi",
}  # fmt: skip
# Languages that the model does not tell apart well on a page: a claim for one of them stands against another of the same set.
_NEAR: Final = tuple(
    map(frozenset, ({"bs", "hr", "sr", "sl"}, {"id", "ms"}, {"da", "no"}, {"gl", "pt"}, {"cs", "sk"}, {"af", "nl"}))
)

# Characters that only one of the two ways to write Chinese has, from the most frequent ones.
_SIMPLIFIED = re.compile("[们这国说时会对为来个么发经过还没样现问开关动实让从点长东车门见马书电话语读写认识请谁难进远边头买卖]")
_TRADITIONAL = re.compile("[們這國說時會對為來個麼發經過還沒樣現問開關動實讓從點長東車門見馬書電話語讀寫認識請誰難進遠邊頭買賣]")

_ALIASES: Final = {
    "nb": "no", "nn": "no", "iw": "he", "in": "id", "ji": "yi", "mo": "ro", "fil": "tl", "cmn": "zh", "yue": "zh-hant",
    "eng": "en", "rus": "ru", "ukr": "uk", "deu": "de", "ger": "de", "fra": "fr", "fre": "fr", "spa": "es", "por": "pt",
    "ita": "it", "zho": "zh", "chi": "zh", "jpn": "ja", "kor": "ko", "ara": "ar", "tur": "tr", "pol": "pl", "nld": "nl",
    # codes of countries taken for codes of languages
    "ua": "uk", "cn": "zh", "jp": "ja", "kr": "ko", "cz": "cs", "gr": "el", "dk": "da", "by": "be", "tw": "zh-hant",
}  # fmt: skip
_NO_LANGUAGE: Final = frozenset({"x", "und", "mul", "zxx", "mis"})
_TAG = re.compile(r"\s*([a-z]{2,3})(?:[-_.]([a-z0-9-_]+))?\s*(?:$|[,;])", re.IGNORECASE)
_URL_TAG = re.compile(r"[a-z]{2}(?:[-_](?:[a-z]{2}|hans|hant))?", re.IGNORECASE)
# Codes that are words or subjects more often than languages in an address ("/it/", "/id/"): these need a second witness.
_WORDS: Final = frozenset("am as at be by he hi id in is it me my no of or pa so to tv uk us".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Language:
    """``code`` as :func:`normalize_language` gives it, or "und"; ``source`` is "lang", "hreflang", "url", "text" or "none"."""

    code: str
    source: str


@dataclass(frozen=True, slots=True)
class Detection:
    """What a text is written in; ``sure`` if that may overrule a claim of any other language."""

    code: str
    sure: bool
    script: str  # of most letters; "" if none has most


def normalize_language(tag: str) -> str:
    """The language of a BCP 47 tag: ``en-US`` is "en", ``pt_BR`` "pt", ``nb`` and ``nn`` "no"; "" if the tag names none.

    Chinese is "zh" when simplified or unspecified and "zh-hant" when traditional: a reader of one is no reader of the other. It
    depends on nothing but the page, so that sites with one kind and with both are treated alike.
    """
    match = _TAG.match(tag)
    if match is None:
        return ""
    code, rest = match[1].lower(), (match[2] or "").lower().replace("_", "-").split("-")
    code = _ALIASES.get(code, code)
    if code == "zh" and not {"hant", "tw", "hk", "mo"}.isdisjoint(rest) and "hans" not in rest:
        return "zh-hant"
    return "" if code in _NO_LANGUAGE else code


def page_language(
    html_lang: str, alternates: Iterable[tuple[str, str]], url: str, text: str, site_languages: Collection[str] = ()
) -> Language:
    """The language of a page.

    :param html_lang: the html element's ``lang``, as written.
    :param alternates: (hreflang, absolute address) of the page's translations, itself among them or not.
    :param text: the article's prose, without code; the longer the surer, more than a few thousand characters change nothing.
    :param site_languages: normalised codes known of the site: a second witness for codes in addresses.
    """
    claims = dict(_claims(html_lang, tuple(alternates), url, frozenset(site_languages)))
    detected = detect_language(text)
    if detected is None:
        return _most_claimed(claims)
    for source, code in claims.items():
        if code == detected.code:
            return Language(code, source)
    claimed = _most_claimed(claims)
    overruled = (detected.sure and not _are_near(claimed.code, detected.code)) or _is_foreign(claimed.code, detected.script)
    return Language(detected.code, "text") if overruled or claimed.source == "none" else claimed


def detect_language(text: str) -> Detection | None:
    """What the text is written in; None if it has too few letters to say."""
    sample = _sample(text)
    letters = len(_NOT_LETTERS.sub("", sample))
    script, share = _script(sample, letters)
    if letters < _FEW_LETTERS / (2 if script in ("han", "kana", "hangul") else 1):
        return None
    languages = _LANGUAGES_OF[script].split()
    seen = script if share >= _OWN_SCRIPT else ""
    if len(languages) == 1:
        return Detection(_chinese(sample) if script == "han" else languages[0], sure=True, script=seen)
    if script != "latin":
        sample = _LATIN_WORD.sub(" ", sample)
    code, probability = _most_probable(sample, languages)
    return Detection(code, probability >= _SURE and letters * share >= _ENOUGH_LETTERS, seen)


def _claims(
    html_lang: str, alternates: tuple[tuple[str, str], ...], url: str, site_languages: frozenset[str]
) -> Iterator[tuple[str, str]]:
    lang = normalize_language(html_lang)
    if lang:
        yield "lang", lang
    key = page_key(url)
    itself = next((normalize_language(tag) for tag, address in alternates if page_key(address) == key), "")
    if itself:
        yield "hreflang", itself
    known = site_languages | {normalize_language(tag) for tag, _ in alternates} | ({lang} if lang else set())
    host, *segments = key.split("?")[0].split("/")
    for segment in [*segments[:2], host.split(".")[0]]:
        code = normalize_language(segment) if _URL_TAG.fullmatch(segment) else ""
        if code and (code in known or (segment not in _WORDS and any(code in codes.split() for codes in _LANGUAGES_OF.values()))):
            yield "url", code
            return


def _most_claimed(claims: dict[str, str]) -> Language:
    """The code that most claims name; of equals the first, in the order lang, hreflang, address."""
    if not claims:
        return Language(UNKNOWN, "none")
    code, _ = Counter(claims.values()).most_common(1)[0]
    return Language(code, next(source for source, claimed in claims.items() if claimed == code))


def _is_foreign(code: str, script: str) -> bool:
    """Whether a language is never written in a script, as far as we know the language."""
    code = code.removesuffix("-hant")
    scripts = {name for name, codes in _LANGUAGES_OF.items() if code in codes.split()}
    if code in ("ja", "zh"):
        scripts |= {"han", "kana"}
    return bool(script and scripts) and script not in scripts and code != "sr"  # Serbian has two


def _are_near(a: str, b: str) -> bool:
    return any(a in languages and b in languages for languages in _NEAR)


def _sample(text: str) -> str:
    if len(text) <= _WINDOWS * _WINDOW_CHARS:
        return text
    starts = ((2 * index + 1) * len(text) // (2 * _WINDOWS) - _WINDOW_CHARS // 2 for index in range(_WINDOWS))
    return " ".join(text[start : start + _WINDOW_CHARS] for start in starts)


def _script(sample: str, letters: int) -> tuple[str, float]:
    """The script that the text is written in, and its share of the letters."""
    if sample.isascii() or not letters:
        return "latin", 1.0
    counts = {script: len(found) for script, pattern in _SCRIPT_PATTERNS.items() if (found := pattern.findall(sample))}
    if counts.get("kana", 0) >= _KANA_SHARE * (counts.get("kana", 0) + counts.get("han", 0)):
        counts["kana"] = counts.get("kana", 0) + counts.pop("han", 0)
    script = max(counts, key=lambda name: counts[name], default="latin")
    share = counts.get(script, 0) * (2 if script in ("han", "kana", "hangul") else 1) / letters
    return (script, min(1.0, share)) if share >= _SCRIPT_SHARE else ("latin", 1.0)


def _chinese(sample: str) -> str:
    return "zh-hant" if len(_TRADITIONAL.findall(sample)) > len(_SIMPLIFIED.findall(sample)) else "zh"


@cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages({code for codes in _LANGUAGES_OF.values() for code in codes.split()} & set(identifier.labels))
    return identifier


def _most_probable(sample: str, languages: list[str]) -> tuple[str, float]:
    ranked = [(code, probability) for code, probability in _identifier().rank(sample) if code in languages]
    return ranked[0][0], ranked[0][1] / sum(probability for _, probability in ranked)
