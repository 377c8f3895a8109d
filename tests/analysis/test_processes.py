"""Work shared by forks: the same results in the same order, and an end of a fork that is told."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from analysis.processes import ProcessError, in_forks

COUNT = 1000

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux only")


def where(task: int) -> tuple[int, int]:
    return task, os.getpid()


def test_results_come_in_order_from_as_many_processes_as_wanted() -> None:
    found = list(in_forks(where, COUNT, 3))
    assert [task for task, _ in found] == list(range(COUNT))
    assert len({process for _, process in found} - {os.getpid()}) == 3


@pytest.mark.parametrize(("count", "processes"), [(COUNT, 1), (10, 3), (0, 3)])
def test_little_work_is_done_here(count: int, processes: int) -> None:
    assert list(in_forks(where, count, processes)) == [(task, os.getpid()) for task in range(count)]


def test_each_fork_is_prepared_once() -> None:
    prepared: list[int] = []
    found = list(in_forks(lambda task: tuple(prepared), COUNT, 2, lambda: prepared.append(os.getpid())))
    assert {len(seen) for seen in found} == {1} and len(set(found)) == 2 and not prepared


def test_an_error_in_a_fork_is_raised_here() -> None:
    def fails(task: int) -> int:
        if task == 700:
            raise ValueError("task 700")
        return task

    with pytest.raises(ValueError, match="task 700"):
        list(in_forks(fails, COUNT, 2))


def test_a_fork_that_is_killed_is_told() -> None:
    def dies(task: int) -> int:
        if task == 500:
            os.kill(os.getpid(), signal.SIGKILL)
        return task

    with pytest.raises(ProcessError, match="ended by itself"):
        list(in_forks(dies, COUNT, 2))


def test_forks_end_with_whoever_stops_asking() -> None:
    found = in_forks(lambda task: (time.sleep(0.01), os.getpid())[1], COUNT, 2)
    process = next(found)
    found.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
