"""Real sentences of several lengths and scripts, shared by the embedding tests."""

from __future__ import annotations

SENTENCES = [
    "Internal links help a reader find the next article.",
    "An orphan page is one to which no other page links.",
    "Внутренние ссылки помогают читателю найти следующую статью.",
    "Сирота — это страница, на которую не ведёт ни одна ссылка.",
    "内部链接帮助读者找到下一篇文章。",
    "Ein Sitemap listet alle Seiten auf, die eine Suchmaschine kennen soll.",
    "The sitemap lists every page.",
    "Bread needs flour, water, salt and time.",
    "PageRank spreads along links.",
    "Yes.",
]


def many(count: int) -> list[str]:
    """Texts of many lengths, all different."""
    return [" ".join(SENTENCES[(i + j) % 10] for j in range(1 + i % 7)) + f" Number {i}." for i in range(count)]
