from __future__ import annotations

import pytest

from analysis.cannibalization.series import same_list, same_series

SERIES = [
    ("en", "Human-centered design, part 1 - Why we care", "Human-centered design, part 2 - Deciding"),
    ("en", "Upgrade to Astro v5", "Upgrade to Astro v7"),
    ("en", "CRM trends in 2023", "CRM trends in 2024"),
    ("en", "2023 CRM trends", "2024 CRM trends"),
    ("en", "Lesson 3: Variables", "Lesson 4: Loops"),
    ("en", "01. Intro", "02. Setup"),
    ("en", "What's new in Flink 1.14", "What's new in Flink 1.15"),
    ("en", "Apache Flink 1.14.0 Release Announcement", "Apache Flink 1.15.0 Release Announcement"),
    ("en", "Storage", "Storage, part 2"),
    ("en", "Newsletter, January 2024", "Newsletter, March 2024"),
    ("en", "Rust basics (1/3)", "Rust basics (2/3)"),
    ("en", "Sprint notes 12", "Sprint notes 13"),
    ("en", "Weekly digest #12", "Weekly digest #13"),
    ("en", "Star Wars Part II", "Star Wars Part III"),
    ("en", "Catalogue — Page 2", "Catalogue — Page 3"),
    ("de", "Die Reise - Teil 1", "Die Reise - Teil 2"),
    ("ru", "Урок 3. Переменные", "Урок 4. Циклы"),
    ("ru", "Сага о базах данных. Часть первая", "Сага о базах данных. Часть вторая"),
    ("uk", "Подорож, частина 1", "Подорож, частина 2"),
    ("zh", "深入理解缓存 第1部分", "深入理解缓存 第2部分"),
]

NO_SERIES = [
    ("en", "10 best CRM systems", "15 best CRM systems"),
    ("en", "Top 10 CRM systems", "Top 15 CRM systems"),
    ("en", "Best CRM", "Best CRM 2024"),
    ("en", "How to choose a CRM", "Choosing a CRM"),
    ("en", "7 ways to save", "5 ways to save money"),
    ("en", "How to earn 500 dollars", "How to earn 1000 dollars online"),
    ("en", "I like tea", "You like tea"),
    ("en", "Growing mint, part 1: seeds", "Feeding roses, part 2: bone meal"),
    ("en", "", ""),
]


@pytest.mark.parametrize(("language", "a", "b"), SERIES)
def test_parts_of_a_series(language: str, a: str, b: str) -> None:
    assert same_series(a, b, language)
    assert same_series(b, a, language)


@pytest.mark.parametrize(("language", "a", "b"), NO_SERIES)
def test_what_is_no_series(language: str, a: str, b: str) -> None:
    assert not same_series(a, b, language)
    assert not same_series(b, a, language)


@pytest.mark.parametrize(("language", "title", "_"), SERIES)
def test_a_part_is_no_series_with_itself(language: str, title: str, _: str) -> None:
    assert not same_series(title, title, language)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("https://a.test/blog/page/2/", "https://a.test/blog/page/3/", True),
        ("https://a.test/blog/", "https://a.test/blog/page/3/", True),
        ("https://a.test/list?page=2", "https://a.test/list?page=3", True),
        ("https://a.test/guide/", "https://a.test/guide-2/", False),
        ("https://a.test/blog/page/2/", "https://a.test/news/page/2/", False),
    ],
)
def test_pages_of_a_list(a: str, b: str, expected: bool) -> None:
    assert same_list(a, b) is expected
