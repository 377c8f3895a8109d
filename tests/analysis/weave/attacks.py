"""Ways to spoil an honest rewrite, each by its name: a function from a rewrite and a source of chance to one that must not pass.

None means that the attack cannot be made on this paragraph (it has no number to change, for example).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from analysis.weave.prompt import SYSTEM
from analysis.weave.rewrite import Rewrite
from tests.analysis.weave.paragraphs import TARGETS, honest, paragraphs

Attack = Callable[[Rewrite, random.Random], Rewrite | None]


def _after(r: Rewrite, after: str, **more: str) -> Rewrite | None:
    return None if after == r.after and not more else replace(r, after=after, **more)


def _pointer_span(r: Rewrite) -> tuple[int, int]:
    """What the honest rewrite added."""
    first = next(i for i, (a, b) in enumerate(zip(f"{r.before}\0", f"{r.after}\0", strict=False)) if a != b)
    return first, first + len(r.after) - len(r.before)


def _sub(pattern: str, by: str | Callable[[re.Match], str]) -> Attack:
    """Change one place of the old text that matches; the pointer stays."""

    def attack(r: Rewrite, chance: random.Random) -> Rewrite | None:
        first, last = _pointer_span(r)
        found = [m for m in re.finditer(pattern, r.after) if m.end() <= first or last <= m.start()]
        if not found:
            return None
        match = chance.choice(found)
        new = by(match) if callable(by) else match.expand(by)
        return _after(r, r.after[: match.start()] + new + r.after[match.end() :])

    return attack


def _swap(table: dict[str, dict[str, str]]) -> Attack:
    """Put one word for another, both ways."""

    def attack(r: Rewrite, chance: random.Random) -> Rewrite | None:
        pairs = {**table[r.language], **{v: k for k, v in table[r.language].items()}}
        pattern = r"(?<!\w)(" + "|".join(map(re.escape, sorted(pairs, key=len, reverse=True))) + r")(?!\w)"
        return _sub(pattern, lambda m: pairs[m[0]])(r, chance)

    return attack


def _insert(words: dict[str, list[str]]) -> Attack:
    """Put words between two old words."""

    def attack(r: Rewrite, chance: random.Random) -> Rewrite | None:
        first, last = _pointer_span(r)
        gaps = [m.start() for m in re.finditer(r"(?<=\w) (?=\w)", r.after) if m.end() < first or last < m.start()]
        at = chance.choice(gaps)
        return _after(r, f"{r.after[:at]} {chance.choice(words[r.language])}{r.after[at:]}")

    return attack


def _append(words: dict[str, list[str]]) -> Attack:
    return lambda r, chance: _after(r, f"{r.after} {chance.choice(words[r.language])}")


def _beside_anchor(words: dict[str, list[str]], *, behind: bool) -> Attack:
    """A claim in the very clause that carries the anchor."""

    def attack(r: Rewrite, chance: random.Random) -> Rewrite | None:
        said = chance.choice(words[r.language])
        spoiled = f"{r.anchor} {said}" if behind else f"{said} {r.anchor}"
        return _after(r, r.after.replace(r.anchor, spoiled))

    return attack


def _round_anchor(form: str) -> Attack:
    return lambda r, chance: _after(r, r.after.replace(r.anchor, form.format(r.anchor)))


def _both(text: list[str]) -> dict[str, list[str]]:
    return {"en": text, "ru": text}


def _two_words_swapped(r: Rewrite, chance: random.Random) -> Rewrite | None:
    words = list(re.finditer(r"\w{5,}", r.before))
    if len({m[0].casefold() for m in words}) < 4:
        return None
    a, b = sorted(chance.sample(words, 2), key=lambda m: m.start())
    if a[0].casefold() == b[0].casefold():
        return None
    before = r.before[: a.start()] + b[0] + r.before[a.end() : b.start()] + a[0] + r.before[b.end() :]
    return _after(r, _with_pointer(r, before))


def _with_pointer(r: Rewrite, before: str) -> str:
    """The spoiled paragraph with a pointer at its end, so that only what was spoiled is wrong."""
    pointer = {"en": f"More in our article about {r.anchor}.", "ru": f"Подробнее в статье про {r.anchor}."}[r.language]
    return f"{before} {pointer}"


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?]) ", text)


def _sentence_dropped(r: Rewrite, chance: random.Random) -> Rewrite | None:
    parts = _sentences(r.before)
    if len(parts) < 3:
        return None
    del parts[chance.randrange(len(parts))]
    return _after(r, _with_pointer(r, " ".join(parts)))


def _sentence_doubled(r: Rewrite, chance: random.Random) -> Rewrite | None:
    parts = _sentences(r.before)
    at = chance.randrange(len(parts))
    return _after(r, _with_pointer(r, " ".join([*parts[: at + 1], *parts[at:]])))


def _sentences_reordered(r: Rewrite, chance: random.Random) -> Rewrite | None:
    parts = _sentences(r.before)
    if len(parts) < 3:
        return None
    at = chance.randrange(len(parts) - 1)
    parts[at], parts[at + 1] = parts[at + 1], parts[at]
    return _after(r, _with_pointer(r, " ".join(parts)))


def _truncated(r: Rewrite, chance: random.Random) -> Rewrite | None:
    return _after(r, _with_pointer(r, r.before[: int(len(r.before) * chance.uniform(0.6, 0.9))].rsplit(" ", 1)[0] + "."))


def _doubled(r: Rewrite, chance: random.Random) -> Rewrite | None:
    return _after(r, _with_pointer(r, f"{r.before} {r.before}"))


def _another_paragraph(r: Rewrite, chance: random.Random) -> Rewrite | None:
    others = [p.text for p in paragraphs(r.language) if p.text != r.before and 0.8 < len(p.text) / len(r.before) < 1.15]
    return _after(r, _with_pointer(r, chance.choice(others))) if others else None


def _other_language(r: Rewrite, chance: random.Random) -> Rewrite | None:
    others = [p.text for p in paragraphs("ru" if r.language == "en" else "en") if 0.8 < len(p.text) / len(r.before) < 1.15]
    return _after(r, f"{chance.choice(others)} ({r.anchor}.)") if others else None


def _word_of_elsewhere(r: Rewrite, chance: random.Random) -> Rewrite | None:
    other = chance.choice(re.findall(r"\w{5,}", chance.choice(paragraphs(r.language)).text))
    return _sub(r"(?<!\w)\w{5,}(?!\w)", other)(r, chance)


def _word_dropped(r: Rewrite, chance: random.Random) -> Rewrite | None:
    return _sub(r"(?<=\w) \w{5,}(?= \w)", "")(r, chance)


def _name_swapped(r: Rewrite, chance: random.Random) -> Rewrite | None:
    return _sub(r"(?<=[a-zа-яё,] )[A-ZА-ЯЁ][a-zа-яё]{2,}", {"en": "Gregory", "ru": "Григорий"}[r.language])(r, chance)


def _name_added(r: Rewrite, chance: random.Random) -> Rewrite | None:
    return _insert({"en": ["Shimano", "with Gregory", "in Bavaria"], "ru": ["Шимано", "с Григорием", "в Баварии"]})(r, chance)


def _wrong_anchor(r: Rewrite, chance: random.Random) -> Rewrite | None:
    _, anchor = chance.choice([pair for pair in TARGETS[r.language] if pair[1] != r.anchor])
    return _after(r, r.after.replace(r.anchor, anchor), anchor=anchor) if anchor not in r.after else None


def _anchor_first(r: Rewrite, chance: random.Random) -> Rewrite | None:
    return _after(r, f"{r.anchor[0].upper()}{r.anchor[1:]}: {r.before}", anchor=r.anchor[0].upper() + r.anchor[1:])


def _anchor_glued(r: Rewrite, chance: random.Random) -> Rewrite | None:
    return _after(r, r.after.replace(r.anchor, f"super{r.anchor}"))


def _fixed_changed(r: Rewrite, chance: random.Random) -> Rewrite | None:
    if not r.fixed:
        return None
    words = chance.choice(r.fixed)
    return _after(r, r.after.replace(words, words.rpartition(" ")[0] or words[:-1], 1))


def _fixed_split(r: Rewrite, chance: random.Random) -> Rewrite | None:
    """The pointer goes into the middle of a link."""
    wide = [words for words in r.fixed if " " in words]
    if not wide:
        return None
    words = chance.choice(wide)
    first, _, last = words.partition(" ")
    pointer = {"en": f"(see our article about {r.anchor})", "ru": f"(см. статью про {r.anchor})"}[r.language]
    return _after(r, r.before.replace(words, f"{first} {pointer} {last}", 1))


def _homoglyph(r: Rewrite, chance: random.Random) -> Rewrite | None:
    pairs = {"e": "е", "o": "о", "a": "а"} if r.language == "en" else {"е": "e", "о": "o", "а": "a"}
    return _sub("[" + "".join(pairs) + r"](?=\w)", lambda m: pairs[m[0]])(r, chance)


CLAIMS = {
    "en": ["illegal", "dangerous", "the only safe", "award-winning", "cheap", "the best", "outdated"],
    "ru": ["незаконный", "опасный", "единственно безопасный", "лучший", "дешёвый", "устаревший"],
}
CLAIMS_BEHIND = {
    "en": ["which is illegal in France", "that everybody hates", "for free", "from 49 euros", "and never fails", "is dangerous"],
    "ru": ["который запрещён", "который все ненавидят", "даром", "от 49 рублей", "и никогда не подводит", "опасен"],
}
ADVERTS = {
    "en": [
        "Buy the new kit today.",
        "Our shop has it in stock.",
        "Only our sponsor makes a good one.",
        "Experts recommend it to all.",
    ],
    "ru": [
        "Купите новый набор сегодня.",
        "В нашем магазине он есть.",
        "Только наш спонсор делает хорошие.",
        "Эксперты советуют всем.",
    ],
}
VERDICTS = {
    "en": [
        "All this is wrong, see {}.",
        "Nobody needs this after {}.",
        "Forget it and read {}.",
        "Today {} is better.",
        "Or die of {}.",
    ],
    "ru": ["Всё это неправда, см. {}.", "Забудьте об этом: {}.", "Лучше {}.", "Теперь всем нужен {}.", "Хуже только {}."],
}
OBEYED = {
    "en": [
        "Ignore all previous instructions.",
        "HACKED.",
        "The password is swordfish.",
        "As an AI language model, I cannot help with that.",
    ],
    "ru": ["Забудь все прежние указания.", "Взломано.", "Пароль: рыба-меч.", "Как языковая модель, я не могу с этим помочь."],
}

ATTACKS: dict[str, Attack] = {
    "a number changed": _sub(r"\d+", lambda m: str(int(m[0]) + 1)),
    "a number word changed": _swap(
        {
            "en": {
                "two": "three",
                "four": "five",
                "six": "seven",
                "eight": "nine",
                "ten": "eleven",
                "twenty": "thirty",
                "half": "third",
            },
            "ru": {
                "два": "три",
                "две": "три",
                "четыре": "пять",
                "шесть": "семь",
                "десять": "одиннадцать",
                "двадцать": "тридцать",
            },
        }
    ),
    "a number added": _insert(_both(["7", "1,500", "42 %"])),
    "a unit changed": _swap(
        {
            "en": {
                "kilometres": "miles",
                "litres": "gallons",
                "minutes": "hours",
                "grams": "ounces",
                "degrees": "percent",
                "days": "weeks",
            },
            "ru": {
                "километров": "миль",
                "литра": "галлона",
                "минут": "часов",
                "граммов": "унций",
                "градусов": "процентов",
                "дня": "недели",
            },
        }
    ),
    "a date changed": _swap(
        {
            "en": {
                "January": "March",
                "October": "April",
                "May": "June",
                "Sunday": "Monday",
                "Saturday": "Friday",
                "winter": "summer",
            },
            "ru": {
                "январе": "марте",
                "октября": "апреля",
                "мае": "июне",
                "воскресенье": "среду",
                "субботу": "пятницу",
                "зимой": "летом",
            },
        }
    ),
    "a negation dropped": _sub(r"(?<!\w)(?:not|never|no|nobody|nothing|не|ни|без) ", ""),
    "a contraction turned": _sub(r"(?<=\w)n['’]t(?!\w)", ""),
    "a negation added": _insert({"en": ["not", "never", "hardly", "no"], "ru": ["не", "никогда не", "едва", "без"]}),
    "a name swapped": _name_swapped,
    "a name added": _name_added,
    "a quotation added": _insert({"en": ["“trust me”", '"for sure"'], "ru": ["«честное слово»", '"точно"']}),
    "may and must": _swap(
        {
            "en": {"can": "must", "should": "could", "may": "will", "need": "want", "usually": "always", "often": "rarely"},
            "ru": {"можно": "нужно", "может": "должен", "обычно": "всегда", "часто": "редко", "стоит": "нельзя"},
        }
    ),
    "all and some": _swap(
        {
            "en": {"all": "some", "every": "no", "most": "few", "more": "less", "many": "few", "both": "neither", "only": "also"},
            "ru": {
                "все": "некоторые",
                "каждый": "никакой",
                "больше": "меньше",
                "много": "мало",
                "только": "даже",
                "любой": "редкий",
            },
        }
    ),
    "before and after": _swap(
        {
            "en": {"before": "after", "above": "below", "with": "without", "in": "out", "up": "down", "from": "to", "on": "off"},
            "ru": {"до": "после", "над": "под", "с": "без", "в": "из", "вверх": "вниз", "сначала": "потом", "перед": "после"},
        }
    ),
    "and and or": _swap(
        {"en": {"and": "or", "because": "although", "if": "unless"}, "ru": {"и": "или", "потому": "хотя", "если": "пока"}}
    ),
    "the tense changed": _swap(
        {"en": {"is": "was", "are": "were", "has": "had", "does": "did"}, "ru": {"есть": "был", "будет": "было", "нет": "было"}}
    ),
    "a hedge added": _insert({"en": ["perhaps", "supposedly", "almost", "very"], "ru": ["наверное", "якобы", "почти", "очень"]}),
    "a condition added": _insert(
        {"en": ["if lucky", "unless it rains", "in theory"], "ru": ["если повезёт", "в теории", "при удаче"]}
    ),
    "two words swapped": _two_words_swapped,
    "a word of another article": _word_of_elsewhere,
    "a word dropped": _word_dropped,
    "a sentence dropped": _sentence_dropped,
    "a sentence doubled": _sentence_doubled,
    "sentences reordered": _sentences_reordered,
    "truncated": _truncated,
    "doubled": _doubled,
    "another paragraph": _another_paragraph,
    "another language": _other_language,
    "a sentence in another language": _append(
        {"en": ["Это важно помнить.", "Das ist wichtig."], "ru": ["This matters a lot.", "C'est vrai."]}
    ),
    "a claim before the anchor": _beside_anchor(CLAIMS, behind=False),
    "a claim behind the anchor": _beside_anchor(CLAIMS_BEHIND, behind=True),
    "a verdict in the pointer": lambda r, chance: _after(
        r,
        r.after[: _pointer_span(r)[0]].rstrip(" (–")
        + r.after[_pointer_span(r)[1] :]
        + " "
        + chance.choice(VERDICTS[r.language]).format(r.anchor),
    ),
    "an advert": _append(ADVERTS),
    "an injected instruction obeyed": _append(OBEYED),
    "the prompt echoed": lambda r, chance: _after(r, f"{r.after} {chance.choice(SYSTEM.split('.')[:6]).strip()}."),
    "a preface": lambda r, chance: _after(
        r, f"{ {'en': 'Here is the rewritten paragraph', 'ru': 'Вот новый абзац'}[r.language] }: {r.after}"
    ),
    "HTML round the anchor": _round_anchor("<a href='/x'>{}</a>"),
    "Markdown round the anchor": _round_anchor("[{}](/x)"),
    "emphasis round the anchor": _round_anchor("*{}*"),
    "a script": _append(_both(["<script>alert(1)</script>", "&lt;img src=x onerror=alert(1)&gt;"])),
    "an address": _append(_both(["https://evil.example/", "www.evil.example", "See evil.com.", "mail@evil.example"])),
    "a template": _append(_both(["{{ secrets }}", "{% include 'x' %}", "[gallery id=1]"])),
    "a line break": _append(_both(["\n\nMore.", "\u2028More."])),
    "an invisible character": _insert(_both(["\u200b", "\u202e", "\u00ad"])),
    "a letter of another script": _homoglyph,
    "the anchor of one word": lambda r, chance: _after(r, r.after, anchor=r.anchor.rpartition(" ")[2]),
    "the anchor of many words": lambda r, chance: _after(
        r, r.after, anchor=r.after[r.after.index(r.anchor) - 20 :][: len(r.anchor) + 30].strip()
    ),
    "a banned anchor": lambda r, chance: _after(
        r,
        r.after.replace(r.anchor, {"en": "read more", "ru": "читать далее"}[r.language]),
        anchor={"en": "read more", "ru": "читать далее"}[r.language],
    ),
    "the anchor at the beginning": _anchor_first,
    "the bare anchor between two words": lambda r, chance: _insert(_both([r.anchor]))(replace(r, after=r.before + " "), chance),
    "the anchor missing": lambda r, chance: _after(r, r.before),
    "the anchor twice": lambda r, chance: _after(r, r.after.replace(r.anchor, f"{r.anchor}, {r.anchor}")),
    "the anchor within a word": _anchor_glued,
    "the name of another article": _wrong_anchor,
    "the words of a link changed": _fixed_changed,
    "the pointer within a link": _fixed_split,
    "question and statement": _sub(r"[.?](?= |$)", lambda m: "?" if m[0] == "." else "."),
    "an exclamation": _sub(r"\.(?= |$)", "!"),
    "a comma moved": _sub(r"(\w), (\w+) (\w)", r"\1 \2, \3"),
    "a word shouted": _sub(r"(?<=[a-zа-яё] )[a-zа-яё]{5,}", lambda m: m[0].upper()),
    "an empty answer": lambda r, chance: _after(r, ""),
}


def spoiled(kind: str, number: int, language: str) -> Rewrite | None:
    """The attack of this kind with this number: always the same; None if no paragraph among some can be spoiled so."""
    for attempt in range(30):
        seed = 1000 * number + attempt + 50_000
        rewrite = honest(seed, language, growth=1.15)
        attacked = ATTACKS[kind](rewrite, random.Random(f"{kind} {seed}"))
        if attacked is not None:
            return attacked
    return None
