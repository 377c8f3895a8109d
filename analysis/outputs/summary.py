"""``summary.json`` and the same summary in words for the screen."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from analysis.outputs.tables import write_text

if TYPE_CHECKING:
    from pathlib import Path

NAME = "summary.json"


@dataclass(frozen=True, slots=True)
class Summary:
    """The site in figures; ``orphans`` is None when the crawl is incomplete, for then nobody knows."""

    folder: str
    method: str
    model: str
    pages: int
    languages: dict[str, int]
    links_in_texts: int
    links_per_page: float
    share_of_pages_with_links: float
    links_proposed: int
    links_placed: int
    orphans: int | None
    complete: bool
    gaps: tuple[str, ...]
    skipped: dict[str, int]
    failed: dict[str, int]
    notes: tuple[str, ...]
    best: tuple[tuple[str, str, float], ...]  # title from, title to, score
    effect: dict[str, tuple[float | None, float | None]]  # the site before and after the plan, see pagerank.Effect.figures
    rescues: dict[str, int]  # orphans by the best that the plan has for them
    competing: int  # groups of pages that compete
    search_console: str
    changes: dict[str, int | None] | None  # since the crawl before, see recrawl.Changes.figures; None after a first one

    def write(self, folder: Path) -> None:
        """Write ``summary.json``."""
        write_text(folder / NAME, json.dumps(asdict(self), ensure_ascii=False, indent=2) + "\n")

    @classmethod
    def read(cls, folder: Path) -> Summary:
        """What :meth:`write` wrote.

        :raises OSError, ValueError, TypeError: if there is no summary of this version.
        """
        return cls(**json.loads((folder / NAME).read_text(encoding="utf-8")))

    def when_nothing_changed(self) -> Summary:
        """The same site, crawled again."""
        changes: dict[str, int | None] = dict.fromkeys(("new_pages", "changed_pages", "gone_pages", "links_live"), 0)
        changes["new_orphans"] = None if self.orphans is None else 0
        return replace(self, changes=changes)

    def text(self) -> str:
        """The summary for a terminal, about 30 lines."""
        languages = ", ".join(f"{code} {n}" for code, n in self.languages.items())
        lines = [
            "",
            f"{self.pages} articles ({languages})",
            f"{self.links_in_texts} links stand in their texts: {self.links_per_page:.1f} an article; "
            f"{self.share_of_pages_with_links:.0%} of the articles have at least one",
            f"{self.links_proposed} new links proposed, {self.links_placed} of them with sentence and anchor "
            f"({self.method}, {self.model})",
        ]
        if self.complete:
            lines.append(f"{self.orphans} orphan pages: no other article's text links to them")
            if self.rescues:
                lines.append("  what the plan has for them: " + ", ".join(f"{n} × {name}" for name, n in self.rescues.items()))
        else:
            lines.append(f"The crawl is INCOMPLETE, so orphan pages are not claimed: {'; '.join(self.gaps)}")
        lines += self._effect()
        if self.competing:
            lines.append(f"Groups of pages that compete with one another: {self.competing} (cannibalization.csv)")
        lines.append(f"Search Console: {self.search_console}")
        for name, counts in (("left out", self.skipped), ("failed", self.failed)):
            if counts:
                told = ", ".join(f"{n} × {reason}" for reason, n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
                lines.append(f"{sum(counts.values())} addresses {name}: {told}")
        lines += [*self.notes, *self._changes()]
        if self.best:
            lines += ["", "Place these first:"]
            lines += [f"  {score:.2f}  {_cut(source)} → {_cut(target)}" for source, target, score in self.best]
        lines += ["", f"All of it is in {self.folder}"]
        return "\n".join(lines)

    def _changes(self) -> list[str]:
        if self.changes is None:
            return []
        if not any(self.changes.values()):
            return ["Since the last crawl nothing has changed"]
        names = {
            "new_pages": "new pages",
            "changed_pages": "changed",
            "gone_pages": "gone",
            "links_live": "proposed links are live",
            "new_orphans": "new orphans",
        }
        told = ", ".join(f"{self.changes[kind]} {name}" for kind, name in names.items() if self.changes.get(kind) is not None)
        return [f"Since the last crawl: {told} (changes.csv)"]

    def _effect(self) -> list[str]:
        """What the links do for the site, now and with all rows within the limit."""
        shown = (
            ("links_per_page", "links an article", "{:.1f}"),
            ("share_linking", "articles that link", "{:.0%}"),
            ("median_depth", "median clicks from the menu", "{:.0f}"),
        )
        parts = []
        for key, name, form in shown:
            before, after = self.effect.get(key, (None, None))
            if before is not None and after is not None:
                parts.append(f"{name} {form.format(before)} → {form.format(after)}")
        return ["Now → with all proposals within the limit: " + ", ".join(parts)] if parts else []


def _cut(title: str, width: int = 48) -> str:
    return title if len(title) <= width else title[: width - 1] + "…"
