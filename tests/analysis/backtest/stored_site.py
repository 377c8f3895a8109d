"""A small garden blog whose editors link on the names of articles; enough links for a backtest to say something."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from analysis.store import CrawlStore
from benchmarks.editorial_links import store_corpus

_PLANTS = ("Tomatoes", "Courgettes", "Runner beans", "Blueberries", "Rhubarb", "Garlic")
_TASKS = ("Sowing {}", "Watering {}", "Storing {}")
_SAID = {
    "Sowing {}": "Choose a mild day in spring, draw a shallow drill with the corner of a hoe and cover the seed of {} with fine earth.",
    "Watering {}": "A full can in the evening does {} more good than a sprinkle at noon, when half of it is lost to the sun.",
    "Storing {}": "Lay {} side by side on slatted shelves in a cool cellar and look through them every week until the winter ends.",
}


def rows() -> list[dict[str, str]]:
    """18 articles; each links to the other two about its plant, on their titles."""
    return [
        {"url": _url(task, plant), "lang": "en", "title": task.format(plant), "html": _html(task, plant)}
        for task, plant in _pages()
    ]


def store(folder: Path) -> CrawlStore:
    return store_corpus(rows(), folder)


def _pages() -> list[tuple[str, str]]:
    return list(product(_TASKS, _PLANTS))


def _url(task: str, plant: str) -> str:
    return "/" + task.format(plant).lower().replace(" ", "-") + "/"


def _html(task: str, plant: str) -> str:
    others = [other for other in _TASKS if other != task]
    links = "".join(
        f'<p>There is more to a good year in the garden, so we wrote about <a href="{_url(other, plant)}">{other.format(plant.lower())}</a>'
        f" when the beds behind the shed were new and the hedge was low.</p>"
        for other in others
    )
    return f"<h1>{task.format(plant)}</h1><p>{_SAID[task].format(plant.lower())}</p>{links}"
