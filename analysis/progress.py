"""Progress of long work: a bar on a terminal, a log line a minute elsewhere (a bar would fill Scrapyd's log with garbage)."""

from __future__ import annotations

import logging
import sys
import time
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

_LOG_EVERY = 60.0  # seconds


def progress(what: str) -> Callable[[int, int], None]:
    """A function to be told ``(done, total)``; it shows the time left."""
    if sys.stderr.isatty():
        bar: tqdm[Any] = tqdm(desc=what, unit="page", leave=False, delay=1.0)

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)
            if done >= total:
                bar.close()

        return show
    started = last = time.monotonic()

    def log(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _LOG_EVERY and done:
            last = now
            left = (now - started) / done * (total - done)
            logger.info("%s: %d of %d, about %.0f s left", what, done, total, left)

    return log
