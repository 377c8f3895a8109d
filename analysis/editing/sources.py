"""From a page's address to the file that it is made from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from analysis.insertion import Markup

# Tried in turn when no pattern is given: what static hosts serve for an address, then what generators build it from.
_USUAL: Final = (
    "{path}",
    "{path}/index.html",
    "{path}.html",
    "{path}.htm",
    "{path}.md",
    "{path}/index.md",
    "{path}.mdx",
    "{path}.markdown",
)
_MARKUP: Final = {
    ".html": Markup.HTML,
    ".htm": Markup.HTML,
    ".md": Markup.MARKDOWN,
    ".markdown": Markup.MARKDOWN,
    ".mdx": Markup.MDX,
}


class SourceError(Exception):
    """A page has no source file here; the message says why."""


@dataclass(frozen=True, slots=True)
class SourceFolder:
    """A folder of HTML or Markdown sources.

    ``pattern`` names a page's file below ``root``: ``{path}`` is the address's path without slashes at its ends, ``{slug}`` its
    last segment, and ``*`` may stand for what the address does not tell (``_posts/*-{slug}.md``).
    """

    root: Path
    pattern: str = ""

    def find(self, url: str) -> tuple[Path, Markup]:
        """The file of a page and its markup.

        :raises SourceError: if there is none, several, or one outside the folder.
        """
        path = unquote(urlsplit(url).path).strip("/") or "index.html"
        names = [self.pattern] if self.pattern else list(_USUAL)
        root = self.root.resolve()
        for name in names:
            wanted = name.replace("{path}", _literal(path)).replace("{slug}", _literal(path.rsplit("/", 1)[-1]))
            if ".." in Path(wanted).parts:
                raise SourceError("its address leads out of the folder")
            found = sorted(file for file in root.glob(wanted) if file.is_file() and file.suffix.lower() in _MARKUP)
            if len(found) > 1:
                raise SourceError(f"{len(found)} files match {wanted}")
            if found and not found[0].resolve().is_relative_to(root):
                raise SourceError("its file lies outside the folder")
            if found:
                return found[0], _MARKUP[found[0].suffix.lower()]
        raise SourceError("no file for it in the folder")


def _literal(text: str) -> str:
    """A path in which nothing is a wildcard."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in text)
