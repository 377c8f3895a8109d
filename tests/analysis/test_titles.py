"""The brand in page titles, learnt from the whole site."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.titles import Brand, find_brand


def learn(*titles: str, language: str = "en") -> Brand:
    return find_brand((language, title) for title in titles)


def strip(brand: Brand, title: str, h1: str = "", language: str = "en") -> str:
    return brand.strip(title, h1, language)


def strip_all(*titles: str) -> list[str]:
    brand = learn(*titles)
    return [strip(brand, title) for title in titles]


def test_d9_hyphens_inside_words_part_nothing() -> None:
    titles = [f"{name} - rothauer-it.test - Matomo" for name in ("Report", "Goal-setting", "Visits", "E-mail")]
    assert strip_all(*titles) == ["Report", "Goal-setting", "Visits", "E-mail"]
    assert strip(learn("Re-do", "Re-try", "Re-start", "Re-load"), "Re-do") == "Re-do"


def test_d10_parts_by_position_and_the_brand_side_learnt_from_the_site() -> None:
    brand = learn("Acme – Tools for makers | Blog", "Saws – A guide | Blog", "Drills | Blog", "Why – because | Blog")
    assert strip(brand, "Acme – Tools for makers | Blog") == "Acme – Tools for makers"
    brand = learn(*(f"{name} – Acme – Tools for makers" for name in ("Saws", "Drills", "Nails")))
    assert strip(brand, "Nails – Acme – Tools for makers") == "Nails"


def test_d11_brand_first_or_alone() -> None:
    brand = learn("deco.test - AI-Powered Shop Builder", "deco.test", "deco.test - Prices", "deco.test - About us")
    assert strip(brand, "deco.test - AI-Powered Shop Builder") == "AI-Powered Shop Builder"
    assert strip(brand, "deco.test", h1="Welcome") == "Welcome"
    assert strip(brand, "deco.test") == "deco.test"


@pytest.mark.parametrize(
    "separator",
    [
        " | ",
        "|",
        " ➣ ",
        " — ",
        " – ",
        " - ",
        " · ",
        " » ",
        " » ",
        ": ",
        " :: ",
        "::",
        " • ",
        " / ",
        " ~ ",
        " ｜ ",
        "｜",
        "\u00a0— ",
    ],
)
def test_separators(separator: str) -> None:
    assert strip_all(*(f"{name}{separator}Brand" for name in ("One", "Two two", "Three"))) == ["One", "Two two", "Three"]
    assert strip_all(*(f"Brand{separator}{name}" for name in ("One", "Two two", "Three"))) == ["One", "Two two", "Three"]


def test_chinese_titles_are_parted_without_spaces() -> None:
    assert strip_all("园艺指南_花园网", "种树的方法-花园网", "工具 - 花园网") == ["园艺指南", "种树的方法", "工具"]


def test_not_below_three_pages_nor_thirty_per_cent() -> None:
    assert strip_all("A one | Brand", "B two | Brand", "C") == ["A one | Brand", "B two | Brand", "C"]
    titles = ["A | Brand", "B | Brand", "C | Brand", *(f"Page {n}" for n in range(8))]
    assert strip_all(*titles) == titles  # 3 of 11
    assert strip_all(*titles[:-1])[0] == "A"  # 3 of 10


def test_many_pages_of_one_title_have_no_brand_in_it() -> None:
    titles = ["Not found - Error 404"] * 5 + ["Garden", "Trees"]
    assert strip_all(*titles) == titles


def test_each_language_has_its_brand() -> None:
    english = [
        ("en", f"{name} | Garden Journal")
        for name in ("Trees", "Tools", "Soil", "Water", "Seeds", "Bees", "Ants", "Moss", "Oaks")
    ]
    russian = [("ru", f"{name} | Журнал о саде") for name in ("Деревья", "Почва", "Вода")]
    brand = find_brand([*english, *russian])
    assert strip(brand, "Trees | Garden Journal", language="en") == "Trees"
    assert strip(brand, "Вода | Журнал о саде", language="ru") == "Вода"
    assert strip(brand, "Книга | Журнал о саде", language="en") == "Книга | Журнал о саде"


def test_case_does_not_matter_and_the_rest_is_left_alone() -> None:
    brand = learn("One | BRAND", "Two | Brand", "Three | brand")
    assert strip(brand, "What – is: this / it | Brand") == "What – is: this / it"


def test_empty_titles() -> None:
    brand = learn("A | Brand", "B | Brand", "C | Brand")
    assert strip(brand, "", h1="Heading") == "Heading"
    assert strip(brand, " | Brand", h1="Heading") == "Heading"
    assert strip(brand, "") == ""
    assert find_brand([]) == Brand()


TITLES = st.lists(st.text(alphabet="ab |-—:_文 ", max_size=12), max_size=12)


@given(TITLES)
def test_never_empty_and_never_invented(titles: list[str]) -> None:
    brand = learn(*titles)
    for title in titles:
        stripped = strip(brand, title)
        assert bool(stripped) == bool(title.strip())
        assert stripped in " ".join(title.split())
