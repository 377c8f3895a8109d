"""Runs the real ``scrapy`` command, as a user would, and reads what it left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from analysis.outputs.tables import read_rows

ROOT = Path(__file__).resolve().parents[1]
# Loopback needs no patience.
HURRY = {"DOWNLOAD_DELAY": "0", "AUTOTHROTTLE_ENABLED": "False", "RETRY_TIMES": "1", "LOG_LEVEL": "INFO"}


@dataclass(frozen=True)
class Finished:
    """A command that has ended, and the folder that it wrote to."""

    code: int
    output: str
    folder: Path

    def table(self, name: str) -> list[dict[str, str]]:
        return read_rows(self.folder / name)

    def summary(self) -> dict:
        return json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))

    def skipped(self) -> dict[str, str]:
        """Path of each address that was not used, with the reason."""
        return {
            row["url"].split("/", 3)[3] if row["url"].count("/") > 2 else "": row["reason"] for row in self.table("skipped.csv")
        }


def scrapy(*arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "scrapy", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=timeout, check=False)


def crawl(output: Path, sitemap: str, settings: dict[str, str] | None = None, **arguments: str) -> Finished:
    """Run ``scrapy crawl interlink`` with everything below ``output``."""
    given = {"sitemap": sitemap, **arguments}
    chosen = {**HURRY, "INTERLINK_OUTPUT_DIR": str(output), **(settings or {})}
    done = scrapy(
        "crawl",
        "interlink",
        *(part for name, value in given.items() for part in ("-a", f"{name}={value}")),
        *(part for name, value in chosen.items() for part in ("-s", f"{name}={value}")),
    )
    folders = sorted(path for path in output.iterdir() if path.is_dir()) if output.is_dir() else []
    return Finished(done.returncode, done.stdout + done.stderr, folders[0] if folders else output)
