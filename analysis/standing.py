"""Whether the last plan still stands: nothing that a plan depends on has changed since it was written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from importlib import resources
from typing import TYPE_CHECKING

from analysis.decisions import FILES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from analysis.config import PlanConfig
    from analysis.store import CrawlStore

_META = "plan_of"
_READ = (
    "SELECT key, url, raw_title, h1, language, published, alternates, body_digest FROM page"
    " WHERE key IN (SELECT key FROM url WHERE kind = 'page' AND state = 'done') ORDER BY key",
    "SELECT kind, key, state, reason, detail FROM url ORDER BY kind, key",
    "SELECT key, target, kind FROM alias ORDER BY key",
    "SELECT source, target, status FROM decision ORDER BY source, target",
    "SELECT * FROM search_console ORDER BY key, query",
)


def note_plan(store: CrawlStore, config: PlanConfig) -> None:
    """Remember what the plan that was just written depends on."""
    store.set_meta(_META, _digest(store, config))


def still_stands(store: CrawlStore, config: PlanConfig) -> bool:
    """Whether a plan made now would be the last one again: the same pages, settings, decisions and program."""
    noted = store.get_meta(_META)
    return bool(noted) and noted == _digest(store, config)


def _digest(store: CrawlStore, config: PlanConfig) -> str:
    digest = hashlib.sha256(json.dumps([asdict(config), *store.last_run()], default=str, sort_keys=True).encode())
    for query in _READ:
        for row in store.connection.execute(query):
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
    for name in FILES:
        path = store.folder / name
        digest.update(path.read_bytes() if path.is_file() else b"none")
    for file in _program(resources.files("analysis")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _program(folder: Traversable) -> Iterator[Traversable]:
    """Our code and data, in a fixed order; also out of a zipped egg."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _program(entry)
        elif not entry.name.endswith(".pyc"):
            yield entry
