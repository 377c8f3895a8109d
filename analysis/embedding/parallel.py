"""Embedding on every core: one worker process each, with one BLAS thread each.

The workers are plain ``python -c`` processes that read chunks of texts from their standard input and answer on their standard
output. ``multiprocessing`` is not used: its spawned children run the program's main module again (a script that calls Scrapy's
CrawlerProcess without a guard would crawl again in each of them), and outlive a parent that was killed; these end when their
input does. ``sys.path`` is passed on, so they also work out of a zipped egg.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import queue
import signal
import subprocess
import sys
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO

from analysis.embedding.protocol import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    import numpy as np
    from numpy.typing import NDArray

    from analysis.embedding.protocol import Embedder

_START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from analysis.embedding.parallel import serve_worker
serve_worker()
"""
_THREAD_COUNTS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_ONE_THREAD = dict.fromkeys(_THREAD_COUNTS, "1")
_QUIET = {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
_SMALL = 3  # chunks; starting workers costs more than it saves below


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class EmbeddingPool:
    """Runs an embedder in worker processes, started by the first job that is worth it; a context manager."""

    def __init__(self, embedder: Embedder, workers: int = 0) -> None:
        """``workers``: processes; 0 is one a core, 1 embeds in this process."""
        self.embedder = embedder
        self.size = workers or cores()
        self._workers: list[_Worker] = []
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._threads: ThreadPoolExecutor | None = None

    def encode_chunks(self, chunks: Iterable[Sequence[str]]) -> Iterator[NDArray[np.float32]]:
        """The vectors of each chunk, in order, as they are done; only a few chunks are taken ahead.

        :raises EmbedderError: if the model cannot be loaded, or a worker dies (most often for want of memory).
        """
        pending = iter(chunks)
        if self.size > 1 and not self._workers:
            first = list(islice(pending, _SMALL + 1))
            if len(first) <= _SMALL:
                yield from map(self.embedder.encode, first)
                return
            pending = chain(first, pending)
        if self.size == 1:
            yield from map(self.embedder.encode, pending)
            return

        threads = self._start()
        running: deque[Future[NDArray[np.float32]]] = deque()
        try:
            for chunk in pending:
                running.append(threads.submit(self._encode, chunk))
                if len(running) > 2 * self.size:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            for future in running:
                future.cancel()

    def close(self) -> None:
        """End the workers; what they were doing is lost."""
        for worker in self._workers:
            worker.kill()
        if self._threads:
            self._threads.shutdown(cancel_futures=True)
        self._workers, self._threads = [], None

    def __enter__(self) -> EmbeddingPool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _start(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._workers = [_Worker(self.embedder) for _ in range(self.size)]
            self._idle = queue.SimpleQueue()
            for worker in self._workers:
                self._idle.put(worker)
            self._threads = ThreadPoolExecutor(self.size, thread_name_prefix="embedding")
        return self._threads

    def _encode(self, chunk: Sequence[str]) -> NDArray[np.float32]:
        worker = self._idle.get()
        try:
            return worker.encode(chunk)
        finally:
            self._idle.put(worker)


class _Worker:
    """The parent's end of one worker process."""

    def __init__(self, embedder: Embedder) -> None:
        command = [sys.executable, "-c", _START, json.dumps(sys.path)]
        env = os.environ | _QUIET | _ONE_THREAD
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self._embedder: Embedder | None = embedder

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            if self._embedder is not None:
                self._send(self._embedder)
                self._embedder = None
            self._send(list(texts))
            assert self._process.stdout is not None
            answer: NDArray[np.float32] | str = pickle.load(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError, ValueError) as error:
            code = self._process.wait()
            raise EmbedderError(
                f"An embedding process ended by itself (exit code {code}); if memory was short, lower INTERLINK_WORKERS."
            ) from error
        if isinstance(answer, str):
            raise EmbedderError(answer)
        return answer

    def _send(self, value: object) -> None:
        assert self._process.stdin is not None
        pickle.dump(value, self._process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()


def serve_worker() -> None:
    """The worker's end: an embedder, then chunks of texts, on standard input; vectors, or a message, on standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides what it means
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not end up among the answers
    with contextlib.suppress(EOFError, BrokenPipeError):
        embedder: Embedder = pickle.load(requests)
        while True:
            _answer(answers, embedder, pickle.load(requests))


def _answer(answers: BinaryIO, embedder: Embedder, texts: list[str]) -> None:
    answer: Any
    try:
        answer = embedder.encode(texts)
    except EmbedderError as error:
        answer = str(error)
    except Exception as error:  # the parent must hear of it, whatever it is
        answer = f"Embedding failed: {type(error).__name__}: {error}."
    pickle.dump(answer, answers, protocol=pickle.HIGHEST_PROTOCOL)
    answers.flush()
