"""``scrapy index FOLDER``: put a crawl's article vectors into an index (local, pgvector or Pinecone), only what has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis import indexing
from analysis.plan import PlanError
from interlink_spider.folder_command import FolderCommand

if TYPE_CHECKING:
    import argparse
    from pathlib import Path


class Command(FolderCommand):
    """Exit code 0 when the index is up to date, 1 with one sentence when it is not."""

    summary = "Put a crawl's article vectors into an index (INTERLINK_INDEX), only what is new or has changed"
    example = "scrapy index output/example.com"
    errors = (PlanError,)

    def work(self, folder: Path, opts: argparse.Namespace) -> None:  # noqa: ARG002
        """Bring the index up to date and tell what was done."""
        counts = indexing.run(folder, self.config())
        for language, count in counts.items():
            print(f"{language}: {count.upserted} upserted, {count.unchanged} unchanged, {count.deleted} deleted")
