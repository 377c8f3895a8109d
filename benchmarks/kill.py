"""kill -9 at random moments of the crawl and of the plan: what is run again afterwards comes out as if nothing had happened.

    python -m benchmarks.kill [--crawls 20] [--plans 20] [--seed 1]

The demo blog is served on loopback, with a delay so that several pages are always under way. A crawl (with its plan) is killed
after a random number of requests, the plan after a random share of the time that an undisturbed one takes; then the same command
is run to its end. Checked: the plan and the table of orphans have the bytes of the undisturbed run, the killed crawl's store
still opens, and no page whose row the store had settled was asked for again. The exit code is 1 if any of it fails.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.store import CrawlStore, UrlKind, UrlState
from analysis.urls import page_key
from demo.serve import SITE, Folder, LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demo.serve import Request, Response

ROOT = Path(__file__).resolve().parents[1]
COMPARED = ("interlink_plan.csv", "orphans.csv")
DELAY = 0.05  # seconds of each answer
_HURRY = {"DOWNLOAD_DELAY": "0", "AUTOTHROTTLE_ENABLED": "False", "LOG_LEVEL": "WARNING"}


class SlowBlog:
    """The demo blog on loopback; ``asked`` lists what was asked for since the last :meth:`forget`."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._folder = Folder(SITE)
        self._server = LoopbackServer(self._respond)
        self._more = threading.Condition()

    def __enter__(self) -> SlowBlog:
        self._server.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.__exit__(*error)

    @property
    def origin(self) -> str:
        """``http://127.0.0.1:<port>``."""
        return self._server.origin

    def forget(self) -> None:
        """Begin a new list of requests."""
        self.asked = []

    def wait_for(self, requests: int, process: subprocess.Popen[bytes]) -> None:
        """Until so many requests have come, or the process has ended."""
        with self._more:
            while len(self.asked) < requests and process.poll() is None:
                self._more.wait(0.1)

    def _respond(self, request: Request) -> Response:
        with self._more:
            self.asked.append(request.path)
            self._more.notify_all()
        return replace(self._folder(request), delay=DELAY)


@dataclass(frozen=True)
class Outcome:
    """One kill: where it struck, and what was wrong afterwards (nothing, if all is well)."""

    moment: str
    again: int  # pages asked for a second time
    wrong: tuple[str, ...]


def start(*arguments: str, **settings: str) -> subprocess.Popen[bytes]:
    """The real ``scrapy``, in a process of its own."""
    given = [part for name, value in (_HURRY | settings).items() for part in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", *arguments, *given]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def start_crawl(blog: SlowBlog, output: Path, *, plan: bool = True) -> subprocess.Popen[bytes]:
    sitemap = f"sitemap={blog.origin}/robots.txt"
    settings = {"INTERLINK_OUTPUT_DIR": str(output), "INTERLINK_PLAN_AT_CLOSE": str(plan)}
    return start("crawl", "interlink", "-a", sitemap, **settings)


def undisturbed(blog: SlowBlog, output: Path) -> tuple[dict[str, bytes], int]:
    """The outputs of a crawl that nothing happens to, and how many requests it takes."""
    blog.forget()
    code = start_crawl(blog, output).wait()
    if code:
        raise SystemExit(f"The undisturbed crawl failed with exit code {code}.")
    return outputs(output), len(blog.asked)


def outputs(output: Path) -> dict[str, bytes]:
    folder = site_folder(output)
    return {name: (folder / name).read_bytes() for name in COMPARED}


def site_folder(output: Path) -> Path:
    return next(path for path in sorted(output.iterdir()) if path.is_dir())


def kill_crawl(blog: SlowBlog, output: Path, expected: Mapping[str, bytes], requests: int, seconds: float) -> Outcome:
    """Kill a crawl ``seconds`` after its ``requests``-th request, then run it to its end."""
    blog.forget()
    process = start_crawl(blog, output)
    blog.wait_for(requests, process)
    time.sleep(seconds)
    process.kill()
    process.wait()
    before = Counter(blog.asked)
    settled = _settled(output)
    code = start_crawl(blog, output).wait()
    wrong = _differences(output, expected, code)
    twice = {path for path, times in Counter(blog.asked).items() if times > 1 and before[path] and path != "/robots.txt"}
    needless = sorted(path for path in twice if page_key(blog.origin + path) in settled)
    if needless:
        wrong.append(f"asked for again although the store had settled them: {', '.join(needless)}")
    return Outcome(f"request {requests} + {seconds * 1000:.0f} ms", len(twice), tuple(wrong))


def _settled(output: Path) -> set[str]:
    """The keys of all pages that a killed crawl has an answer for."""
    if not output.is_dir():
        return set()
    with CrawlStore.open(site_folder(output)) as store:
        rows = store.urls.in_states(UrlState.DONE, UrlState.SKIPPED, UrlState.FAILED)
        return {row.key for row in rows if row.kind is not UrlKind.SITEMAP}


def kill_plan(crawled: Path, output: Path, expected: Mapping[str, bytes], seconds: float) -> Outcome:
    """Kill the plan of a copy of ``crawled`` after ``seconds`` (earlier, if it has ended by then), then make it again."""
    while True:
        shutil.copytree(crawled, output)
        process = start("plan", str(site_folder(output)))
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            break
        shutil.rmtree(output)
        seconds *= 0.7
    process.kill()
    process.wait()
    code = start("plan", str(site_folder(output))).wait()
    return Outcome(f"{seconds:.2f} s", 0, tuple(_differences(output, expected, code)))


def _differences(output: Path, expected: Mapping[str, bytes], code: int) -> list[str]:
    if code:
        return [f"the second run failed with exit code {code}"]
    found = outputs(output)
    wrong = [f"{name} differs" for name in COMPARED if found[name] != expected[name]]
    return wrong + [f"{path.name} was left behind" for path in site_folder(output).glob("*.part")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crawls", type=int, default=20)
    parser.add_argument("--plans", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    outcomes = []
    with tempfile.TemporaryDirectory() as scratch, SlowBlog() as blog:
        work = Path(scratch)
        expected, requests = undisturbed(blog, work / "undisturbed")
        print(f"undisturbed: {requests} requests, plan of {len(expected[COMPARED[0]])} bytes")
        for number in range(options.crawls):
            # One in five after the last request: in the plan that the crawl makes at its end.
            at, later = draw.randint(1, requests * 5 // 4), draw.uniform(0, 2 * DELAY)
            late = draw.uniform(0, 2) if at > requests else 0.0
            outcomes.append(kill_crawl(blog, work / f"crawl{number}", expected, min(at, requests), later + late))
            _tell("crawl", outcomes[-1])
        start_crawl(blog, work / "crawled", plan=False).wait()
        began = time.perf_counter()
        shutil.copytree(work / "crawled", work / "timed")
        start("plan", str(site_folder(work / "timed"))).wait()
        took = time.perf_counter() - began
        for number in range(options.plans):
            outcomes.append(kill_plan(work / "crawled", work / f"plan{number}", expected, draw.uniform(0, took)))
            _tell("plan", outcomes[-1])
    failed = sum(bool(outcome.wrong) for outcome in outcomes)
    print(f"{len(outcomes)} kills, {failed} with a difference; at most {max(o.again for o in outcomes)} pages asked for again")
    return 1 if failed else 0


def _tell(what: str, outcome: Outcome) -> None:
    print(f"{what:6} {outcome.moment:24} {outcome.again} again  {'; '.join(outcome.wrong) or 'the same'}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
