"""The same work for many pages, done by forks of this process: a fork has all that is in memory, and nothing is copied to it.

Where the system cannot fork safely (anything but Linux) the work is done here, with the same results in the same order. Why not
``multiprocessing``: see analysis/embedding/parallel.py; and an index of a gigabyte would have to be sent to each process.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import warnings
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, TypeVar

from threadpoolctl import threadpool_limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

_BLOCK = 32  # tasks whose results are sent together
_FEW = 256  # tasks; below, forking costs more than it saves


class ProcessError(Exception):
    """A fork ended before its work was done; the message says so in one sentence."""


def in_forks(work: Callable[[int], T], count: int, processes: int, prepare: Callable[[], object] | None = None) -> Iterator[T]:
    """``work(0)``, ``work(1)`` … ``work(count - 1)``, in this order; a result must not depend on the tasks before it.

    :param processes: how many forks; with one, or for few tasks, all is done here.
    :param prepare: is called in each fork before its first task; connections must not be shared with the parent.
    :raises ProcessError: if a fork is killed, most often for want of memory.
    """
    if not _pays(count, processes):
        yield from map(work, range(count))
        return
    for results in by_blocks(lambda block: [work(task) for task in block], count, processes, prepare, _BLOCK):
        yield from results


def by_blocks(
    work: Callable[[range], T], count: int, processes: int, prepare: Callable[[], object] | None = None, size: int = 128
) -> Iterator[T]:
    """The same for work that takes in some tasks at once: ``work(range(0, size))``, ``work(range(size, 2 * size))`` …"""
    blocks = [range(start, min(start + size, count)) for start in range(0, count, size)]
    if not _pays(count, processes):
        yield from map(work, blocks)
        return
    gc.collect()
    gc.freeze()  # else a collection in a fork would touch, and so copy, every object
    forks = [_Fork(work, blocks[number::processes], prepare) for number in range(processes)]
    gc.unfreeze()
    try:
        for number in range(len(blocks)):
            yield forks[number % processes].result()
    finally:
        for fork in forks:
            fork.end()


def _pays(count: int, processes: int) -> bool:
    return processes > 1 and count >= _FEW and sys.platform == "linux"


class _Fork:
    """The parent's end of a fork that works through some blocks of tasks."""

    def __init__(self, work: Callable[[range], Any], blocks: list[range], prepare: Callable[[], object] | None) -> None:
        reading, writing = os.pipe()
        with warnings.catch_warnings():
            # Python 3.12 warns of threads that hold locks: ours wait for work, and the fork takes none of their locks.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process = os.fork()
        if not self._process:
            os.close(reading)
            _serve(os.fdopen(writing, "wb"), work, blocks, prepare)
        os.close(writing)
        self._answers = os.fdopen(reading, "rb")

    def result(self) -> Any:
        try:
            found = pickle.load(self._answers)
        except (EOFError, pickle.UnpicklingError) as error:
            raise ProcessError("A process ended by itself; if memory was short, set INTERLINK_WORKERS to 1.") from error
        if isinstance(found, Exception):
            raise found
        return found

    def end(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        self._answers.close()
        os.waitpid(self._process, 0)


def _serve(answers: IO[bytes], work: Callable[[range], Any], blocks: list[range], prepare: Callable[[], object] | None) -> None:
    """The fork's end; never returns. A parent that was killed is noticed at the next block."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides what it means
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if prepare:
            prepare()
        threadpool_limits(1)  # there is a process a core already
        for block in blocks:
            pickle.dump(work(block), answers, protocol=pickle.HIGHEST_PROTOCOL)
            answers.flush()
    except BrokenPipeError:
        pass
    except Exception as error:  # the parent must hear of it, whatever it is
        with suppress(Exception):
            pickle.dump(error, answers)
            answers.flush()
    finally:
        os._exit(0)
