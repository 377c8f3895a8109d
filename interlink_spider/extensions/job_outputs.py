"""What one Scrapyd job left behind, kept apart from the site's newest outputs.

The crawl store belongs to the site, so that a job goes on where the one before it was cancelled; only its outputs are the job's.
"""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_OUTPUTS = ("*.csv", "*.json", "*.html")
_UNSAFE = re.compile(r"[^\w.-]|^\.+")  # whoever may schedule a job may choose its name, but not the folder


def job_name(arguments: dict[str, str]) -> str:
    """The job that this process is: Scrapyd passes ``_job`` to the spider, others set SCRAPY_JOB; "" outside of a job."""
    return _UNSAFE.sub("_", arguments.get("_job") or os.environ.get("SCRAPY_JOB", ""))


def keep_job_outputs(folder: Path, spider: str, job: str) -> Path:
    """Copy the outputs in ``folder`` to ``jobs/<spider>/<job>`` below it, and return that folder."""
    kept = folder / "jobs" / spider / job
    kept.mkdir(parents=True, exist_ok=True)
    for path in sorted(path for pattern in _OUTPUTS for path in folder.glob(pattern)):
        part = kept / f"{path.name}.part"
        shutil.copy2(path, part)
        part.replace(kept / path.name)
    return kept
