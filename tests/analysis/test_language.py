"""The language of a page: what it claims against what is written on it."""

from __future__ import annotations

import pytest

from analysis.language import Language, detect_language, normalize_language, page_language

TEXTS = {
    "en": (
        "The garden is a place where people grow plants for food and for pleasure. Most of them need water, light and "
        "good soil, and those who care for them learn with every year which tree likes the shade and which flower wants "
        "the sun."
    ),
    "de": (
        "Der Garten ist ein Ort, an dem Menschen Pflanzen ziehen, zum Essen und zur Freude. Die meisten brauchen Wasser, "
        "Licht und guten Boden, und wer sie pflegt, lernt jedes Jahr, welcher Baum den Schatten mag und welche Blume die "
        "Sonne."
    ),
    "es": (
        "El jardín es un lugar donde la gente cultiva plantas para comer y para disfrutar. La mayoría necesita agua, luz "
        "y buena tierra, y quien las cuida aprende cada año qué árbol prefiere la sombra y qué flor quiere el sol."
    ),
    "pt": (
        "O jardim é um lugar onde as pessoas cultivam plantas para comer e para se alegrar. A maioria precisa de água, "
        "luz e boa terra, e quem cuida delas aprende a cada ano qual árvore gosta da sombra e qual flor quer o sol."
    ),
    "ru": (
        "Сад — это место, где люди выращивают растения для еды и для радости. Большинству из них нужны вода, свет и "
        "хорошая почва, и тот, кто о них заботится, каждый год узнаёт, какое дерево любит тень, а какой цветок — солнце."
    ),
    "uk": (
        "Сад — це місце, де люди вирощують рослини для їжі та для радості. Більшості з них потрібні вода, світло і "
        "добрий ґрунт, і той, хто про них дбає, щороку дізнається, яке дерево любить тінь, а яка квітка — сонце."
    ),
    "bg": (
        "Градината е място, където хората отглеждат растения за храна и за удоволствие. Повечето от тях имат нужда от "
        "вода, светлина и добра почва, а който се грижи за тях, всяка година научава кое дърво обича сянката и кое цвете "
        "— слънцето."
    ),
    "zh": (
        "花园是人们为了食物和乐趣而种植植物的地方。大多数植物需要水、光和肥沃的土壤，照顾它们的人每年都会学到哪些树喜欢阴"
        "凉，哪些花喜欢阳光。"
    ),
    "zh-hant": (
        "花園是人們為了食物和樂趣而種植植物的地方。大多數植物需要水、光和肥沃的土壤，照顧它們的人每年都會學到哪些樹喜歡陰涼。"
    ),
    "ja": (
        "庭は、人々が食べるためや楽しむために植物を育てる場所です。ほとんどの植物には水と光と良い土が必要で、世話をする人"
        "は毎年学びます。"
    ),
    "ar": (
        "الحديقة مكان يزرع فيه الناس النباتات من أجل الطعام والمتعة. يحتاج معظمها إلى الماء والضوء والتربة الجيدة، ومن "
        "يعتني بها يتعلم كل عام أي شجرة تحب الظل وأي زهرة تريد الشمس."
    ),
    "fa": (
        "باغ جایی است که مردم در آن گیاهان را برای خوراک و شادی پرورش می‌دهند. بیشتر آنها به آب و نور و خاک خوب نیاز "
        "دارند و کسی که از آنها مراقبت می‌کند هر سال یاد می‌گیرد کدام درخت سایه را دوست دارد."
    ),
    "el": ("Ο κήπος είναι ένα μέρος όπου οι άνθρωποι καλλιεργούν φυτά για τροφή και για χαρά."),
}


@pytest.mark.parametrize("code", TEXTS)
def test_detection(code: str) -> None:
    detected = detect_language(TEXTS[code])
    assert detected is not None
    assert (detected.code, detected.sure) == (code, True)


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("en-US", "en"), ("en_GB", "en"), ("EN", "en"), ("pt-BR", "pt"), ("nb", "no"), ("nn-NO", "no"), ("iw", "he"),
        ("zh", "zh"), ("zh-CN", "zh"), ("zh-Hans-HK", "zh"), ("zh-TW", "zh-hant"), ("zh-Hant", "zh-hant"), ("zh_HK", "zh-hant"),
        ("rus", "ru"), ("ua", "uk"), ("cz", "cs"), (" de ", "de"), ("en, de", "en"), ("x-default", ""), ("und", ""), ("", ""),
        ("english", ""), ("{{ lang }}", ""),
    ],
)  # fmt: skip
def test_normalize(tag: str, code: str) -> None:
    assert normalize_language(tag) == code


URL = "https://a.test/post/"


@pytest.mark.parametrize(
    ("lang", "alternates", "url", "text", "expected"),
    [
        pytest.param("en", (), URL, TEXTS["en"], Language("en", "lang"), id="agreement"),
        pytest.param("en-us", (), URL, TEXTS["ru"], Language("ru", "text"), id="template-says-en"),
        pytest.param(
            "de",
            (("de", "https://a.test/de/x"),),
            "https://a.test/de/x",
            TEXTS["en"],
            Language("en", "text"),
            id="not-yet-translated",
        ),
        pytest.param("", (), URL, TEXTS["uk"], Language("uk", "text"), id="nothing-claimed"),
        pytest.param(
            "", (("de", URL), ("en", "https://a.test/en/")), URL, "", Language("de", "hreflang"), id="hreflang-of-itself"
        ),
        pytest.param("", (), "https://a.test/fr/post", "", Language("fr", "url"), id="address"),
        pytest.param("", (), "https://de.a.test/post", "", Language("de", "url"), id="host"),
        pytest.param("", (), "https://a.test/it/post", "", Language("und", "none"), id="it-may-be-a-subject"),
        pytest.param(
            "", (("it", "https://a.test/x"),), "https://a.test/it/post", "", Language("it", "url"), id="it-with-a-witness"
        ),
        pytest.param("en", (("ru", URL),), "https://a.test/ru/", "", Language("en", "lang"), id="lang-before-one-other"),
        pytest.param(
            "en", (("ru", "https://a.test/ru/"),), "https://a.test/ru/", "", Language("ru", "hreflang"), id="two-against-lang"
        ),
        pytest.param(
            "en", (), URL, "Короткая строка о саде и огороде", Language("ru", "text"), id="another-script-however-short"
        ),
        pytest.param("en", (), URL, "Kurze Zeile über den Garten", Language("en", "lang"), id="same-script-too-short"),
        pytest.param("sr", (), URL, TEXTS["en"][:60], Language("sr", "lang"), id="serbian-has-two-scripts"),
        pytest.param(
            "ru", (), URL, f"{TEXTS['ru']} Kubernetes Docker Prometheus Elasticsearch", Language("ru", "lang"), id="latin-names"
        ),
        pytest.param("zh-TW", (), URL, TEXTS["zh"], Language("zh", "text"), id="simplified-whatever-the-tag"),
        pytest.param("", (), URL, "404", Language("und", "none"), id="no-letters"),
    ],
)
def test_page_language(lang: str, alternates: tuple[tuple[str, str], ...], url: str, text: str, expected: Language) -> None:
    assert page_language(lang, alternates, url, text) == expected


def test_known_languages_are_a_witness_for_the_address() -> None:
    assert page_language("", (), "https://a.test/it/post", "", site_languages={"it"}) == Language("it", "url")


def test_a_long_half_translated_page_is_what_most_of_it_is() -> None:
    text = TEXTS["de"][:200] + "\n" + TEXTS["en"] * 10
    assert page_language("de", (), URL, text).code == "en"


@pytest.mark.parametrize("translated", ["zh", "de", "ru"])
def test_a_translated_introduction_and_end_make_no_translation(translated: str) -> None:
    text = TEXTS[translated] * 2 + "\n" + TEXTS["en"] * 20 + "\n" + TEXTS[translated] * 2
    assert page_language(translated, (), URL, text).code == "en"


@pytest.mark.parametrize("rest", ["zh", "ru"])
def test_an_english_passage_in_the_middle_makes_no_english_page(rest: str) -> None:
    text = TEXTS[rest] * 20 + "\n" + TEXTS["en"] * 3 + "\n" + TEXTS[rest] * 20
    assert page_language(rest, (), URL, text).code == rest
