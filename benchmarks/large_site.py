"""A plan for a large site: seconds by stage, pages a second, peak memory of all processes, and how many times embedding it takes.

    python -m benchmarks.large_site CORPUS.jsonl.gz … --folder FOLDER [--pages 10000] [--workers 2] [--profile FILE]

The site is made of real text: each article has the paragraphs of one page of the corpora (one page a line: {"url", "lang",
"title", "html"}) and of a few that stand near it, its title says of which, and a link to a page leads to one of the articles made
of it. The same corpora and number give the same site. It is written into a crawl store in FOLDER as a crawl would have left it,
or found there; vectors are forgotten, so that embedding is measured too.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import random
import re
import resource
import sys
import threading
import time
from collections import defaultdict
from contextlib import contextmanager
from functools import wraps
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import lxml.html

from analysis import outputs, plan
from analysis.config import PlanConfig
from analysis.methods import learned
from analysis.placement.rows import Placer
from analysis.site import Site
from analysis.store import FILE_NAME, CrawlStore, NewUrl, UrlKind
from benchmarks.editorial_links import BASE, read_page, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SEED = 1
NEARBY = 12  # pages on either side from which an article takes paragraphs
OWN_SHARE = 0.5  # of an article's paragraphs come from its own page
_HREF = re.compile(r'href="([^"#]*)')
_BATCH = 1000


class Source(NamedTuple):
    """A page of a corpus, cut into its outermost elements."""

    path: str
    language: str
    title: str
    parts: tuple[str, ...]


def read_sources(corpora: Sequence[Path]) -> list[Source]:
    """All pages of the corpora in their order."""
    sources = []
    for row in (row for corpus in corpora for row in read_rows(corpus)):
        root = lxml.html.fragment_fromstring(row["html"], create_parent="div")
        parts = tuple(
            lxml.html.tostring(part, encoding="unicode") for part in root.iter("h2", "h3", "p", "ul", "ol") if _stands_alone(part)
        )
        if len(parts) > 2:
            sources.append(Source(row["url"].rstrip("/"), row["lang"], row["title"], parts))
    return sources


def _stands_alone(part: lxml.html.HtmlElement) -> bool:
    return not any(above.tag in ("p", "ul", "ol") for above in part.iterancestors())


def articles(sources: Sequence[Source], count: int) -> Iterator[dict[str, str]]:
    """Rows as a corpus has them, each made of one source and its neighbours."""
    number_of = {source.path: number for number, source in enumerate(sources)}
    rounds = -(-count // len(sources))
    order = random.Random(SEED).sample(range(len(sources)), len(sources))
    made = [order[at % len(sources)] for at in range(count)]
    exists = {(number, at // len(sources)) for at, number in enumerate(made)}
    for at, number in enumerate(made):
        draw = random.Random(f"{SEED} {at}")
        own = sources[number]
        near = [other for other in sources[max(0, number - NEARBY) : number + NEARBY + 1] if other.language == own.language]
        other = draw.choice(near)

        def readdress(match: re.Match[str], draw: random.Random = draw) -> str:
            to = number_of.get(match[1].removeprefix(BASE).rstrip("/"))
            round_ = draw.randrange(rounds)
            return f'href="{_path(sources[to], round_)}' if to is not None and (to, round_) in exists else match[0]

        parts = [part if draw.random() < OWN_SHARE else draw.choice(draw.choice(near).parts) for part in own.parts]
        title = own.title if at < len(sources) else f"{own.title}: {other.title}"
        html = _HREF.sub(readdress, "".join(parts))
        yield {
            "url": _path(own, at // len(sources)),
            "lang": own.language,
            "title": title,
            "html": f"<h1>{title}</h1>{html}",
        }


def _path(source: Source, round_: int) -> str:
    return f"{source.path}-{round_}/" if round_ else f"{source.path}/"


def fill(corpora: Sequence[Path], count: int, folder: Path) -> None:
    """Write the site into a crawl store in ``folder``, as a crawl that finished would have left it."""
    with CrawlStore.create(folder) as store:
        run = store.start_run({})
        rows = articles(read_sources(corpora), count)
        done = False
        while not done:
            with store.transaction():
                for _ in range(_BATCH):
                    row = next(rows, None)
                    if row is None:
                        done = True
                        break
                    page = read_page(row)
                    store.urls.add([NewUrl(UrlKind.PAGE, page.key, page.url)])
                    listed = store.urls.find(UrlKind.PAGE, page.key)
                    assert listed is not None
                    store.pages.put(page, listed.id, run)
        store.finish_run(run, "finished")


class Stopwatch:
    """Seconds by stage; a stage within another is taken out of the outer one.

    ``processor`` is the processor time of this process and of the forks that ended in a stage: it grows less than the seconds
    where others use the machine as well.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.processor: dict[str, float] = defaultdict(float)
        self._open: list[str] = []
        self._since = self._since_processor = 0.0

    @property
    def current(self) -> str:
        """The stage that runs."""
        return self._open[-1] if self._open else ""

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time of the block for this stage."""
        self._turn()
        self._open.append(name)
        yield
        self._turn()
        self._open.pop()

    def _turn(self) -> None:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        now, processor = time.perf_counter(), sum(one.ru_utime + one.ru_stime for one in used)
        if self._open:
            self.seconds[self._open[-1]] += now - self._since
            self.processor[self._open[-1]] += processor - self._since_processor
        self._since, self._since_processor = now, processor

    def watch(self, owner: Any, name: str, stage: str) -> None:
        """Time every call of a function of a module or class."""
        function: Callable[..., Any] = getattr(owner, name)

        @wraps(function)
        def timed(*arguments: Any, **named: Any) -> Any:
            with self.stage(stage):
                return function(*arguments, **named)

        setattr(owner, name, timed)


STAGES: tuple[tuple[Any, str, str], ...] = (
    (plan, "read_corpus", "site as a whole"),
    (plan, "read_graph", "graph"),
    (Site, "page_vectors", "embedding"),
    (Site, "title_vectors", "embedding"),
    (learned, "page_threshold", "threshold"),
    (learned, "propose", "evidence and ranking"),
    (learned, "build_site_index", "index"),
    (Site, "neighbours", "neighbours"),
    (learned, "_lessons", "lessons"),
    (learned, "read_names", "names"),
    (Placer, "all_by_evidence", "placement"),
    (learned, "read_corpus_sites", "reading"),
    (plan, "audit", "audit"),
    (plan, "_find", "decisions and budget"),
    (outputs, "write_all", "outputs"),
    (outputs, "write_report", "report"),
)


class Memory(threading.Thread):
    """The most memory (bytes) that this process and its children had together, looked at four times a second.

    Proportional set size: a page of memory that a fork shares with its parent counts once.
    """

    def __init__(self, stopwatch: Stopwatch) -> None:
        super().__init__(daemon=True)
        self.peak_of: dict[str, int] = defaultdict(int)  # by stage
        self._stopwatch = stopwatch

    def run(self) -> None:
        """Until the process ends."""
        while True:
            children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            sizes = [_memory(process) for process in (os.getpid(), *map(int, children))]
            stage = self._stopwatch.current
            self.peak_of[stage] = max(self.peak_of[stage], sum(sizes))
            time.sleep(0.25)


def _memory(process: int) -> int:
    try:
        found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{process}/smaps_rollup").read_text(), re.MULTILINE)
    except OSError:
        return 0  # it has just ended
    return int(found[1]) * 1024 if found else 0


def measure(folder: Path, workers: int, profile: Path | None) -> None:
    """Plan and print."""
    with CrawlStore.open(folder) as store:
        store.connection.execute("DELETE FROM vector")
        pages = store.pages.count()
    stopwatch = Stopwatch()
    for owner, name, stage in STAGES:
        stopwatch.watch(owner, name, stage)
    memory = Memory(stopwatch)
    memory.start()
    profiler = cProfile.Profile() if profile else None
    began = time.perf_counter()
    with stopwatch.stage("the rest"):
        if profiler:
            profiler.enable()
        summary = plan.run(folder, PlanConfig(workers=workers))
        if profiler and profile:
            profiler.disable()
            profiler.dump_stats(profile)
    total = time.perf_counter() - began
    embedding = stopwatch.seconds["embedding"]
    print(f"{pages} pages ({summary.pages} articles), {summary.links_proposed} rows, {summary.links_placed} placed")
    for stage, seconds in sorted(stopwatch.seconds.items(), key=lambda pair: -pair[1]):
        own = stopwatch.processor[stage]
        each = 1000 * seconds / pages
        peak = memory.peak_of[stage] / 2**20
        print(
            f"  {stage:22} {seconds:8.1f} s {seconds / total:7.1%} {each:8.2f} ms a page, {own:8.1f} s processor, {peak:6.0f} MB"
        )
    used = sum(stopwatch.processor.values())
    print(f"  {'all':22} {total:8.1f} s, {1000 * total / pages:.2f} ms a page, {pages / total:.1f} pages a second")
    print(f"  processor: {used:.1f} s, {1000 * used / pages:.2f} ms a page; embedding's workers end with the audit")
    print(f"  {total / embedding:.2f} times embedding alone ({workers} workers)")
    print(f"  peak memory {max(memory.peak_of.values()) / 2**20:.0f} MB with all processes")
    print(f"  store {sum(f.stat().st_size for f in folder.glob(FILE_NAME + '*')) / pages / 1024:.1f} KB a page", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--profile", type=Path, help="write cProfile's figures of the parent process here")
    options = parser.parse_args()
    if not (options.folder / FILE_NAME).exists():
        # In a process of its own, so that the corpora are no part of the memory that is measured.
        filling = get_context("spawn").Process(target=fill, args=(options.corpora, options.pages, options.folder))
        began = time.perf_counter()
        filling.start()
        filling.join()
        if filling.exitcode:
            return 1
        print(f"filled in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    measure(options.folder, options.workers, options.profile)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
