"""The engine of a Dask cluster: batches go to its workers, a bounded number at a time, and outcomes come back as they are done."""

from __future__ import annotations

import gc
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, TypeVar, cast

import dask
from distributed import Client, KilledWorker, LocalCluster

from irlint.cache.fingerprint import fingerprint
from irlint.jobs import describe
from irlint.records import NamedTuple
from irlint.zoo.stores import redacted
from irlint.zoo.tasks import Batch, Done
from irlint.zoo.work import EngineError, ZooWork

T = TypeVar("T")

LOCAL = "local"
CONNECT = 5.0  # seconds
ANSWER = 30.0  # seconds that a scheduler or a worker has for a small question
AHEAD = 2  # batches of each thread of the cluster, one of which waits
_COUNT_SECONDS = 5.0  # between two looks at how many threads there are: clusters grow and shrink

_QUIET = {
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.worker.profile.enabled": False,
    # Ctrl-C goes to the whole group; the driver ends its workers
    "distributed.worker.preload": ["import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"],
}

_one_at_a_time = Lock()


class Lint(NamedTuple):
    """What a worker does with a batch, if it has the rules of the run."""

    work: ZooWork
    rules: str

    def __call__(self, batch: Batch) -> list[Done]:
        if _rules() != self.rules:
            raise EngineError(f"a Dask worker has irlint {_rules()}, this is {self.rules}; they must be the same")
        with _one_at_a_time:  # a worker may have several threads, a lint the memory of one
            gc.disable()  # as in a pool: the runner looks for garbage between files
            try:
                return self.work(batch)
            finally:
                gc.enable()


@lru_cache(maxsize=1)
def _rules() -> str:
    try:
        return fingerprint()
    except Exception as error:  # of an installation that is not whole
        return f"not working ({describe(error)})"


def _local(processes: int) -> Any:
    """Return a cluster of this machine, without what costs time here: Dask's profiler, monitors and limits of memory."""
    with dask.config.set(_QUIET):
        return LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=processes,
            threads_per_worker=1,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )


def _connected(scheduler: Any) -> Any:
    return Client(scheduler, timeout=CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]


def _within(seconds: float, ask: Callable[[], T]) -> T:
    """Return what a cluster answers; raise TimeoutError if it does not: processes that are stopped keep their connections."""
    answer: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            answer.put((ask(), None))
        except BaseException as error:
            answer.put((None, error))

    Thread(target=run, daemon=True).start()
    try:
        found, error = answer.get(timeout=seconds)
    except Empty:
        raise TimeoutError("no answer") from None
    if error is not None:
        raise error
    return cast("T", found)


class _Left:
    """The batches that are left to do. If workers die, Dask suspects whatever waited there, too: who is guilty is found out by
    doing objects one by one, and at last with nothing else in the cluster.
    """

    def __init__(self, coming: Iterator[Batch]) -> None:
        self._coming = coming
        self._single: deque[Batch] = deque()
        self._suspects: deque[Batch] = deque()
        self._alone: Batch | None = None

    def next(self, is_idle: bool) -> Batch | None:
        """Return the next batch, if there is one that may be done now."""
        if self._alone is not None and not is_idle:
            return None
        self._alone = None
        if self._single:
            return self._single.popleft()
        if (batch := next(self._coming, None)) is None and self._suspects and is_idle:
            batch = self._alone = self._suspects.popleft()
        return batch

    def again(self, batch: Batch) -> bool:
        """Take a batch back after workers have died; return False if it was alone with them."""
        if len(batch) > 1:
            self._single.extend((task,) for task in batch)
        elif batch is self._alone:
            return False
        else:
            self._suspects.append(batch)
        return True


class DaskEngine:
    """An engine that has its batches linted by the workers of a scheduler, or of a cluster of its own on this machine."""

    def __init__(self, scheduler: str, work: ZooWork, processes: int) -> None:
        self._lint = Lint(work, _rules())
        self._cluster: Any = None
        self._client: Any = None
        self._name = redacted(scheduler)
        self.flying: dict[str, tuple[Any, Batch]] = {}  # what is with the cluster
        self._threads, self._counted = 0, -_COUNT_SECONDS
        # It reports lost workers, whose batches are done again
        for name in ("distributed", "tornado", "asyncio", *logging.root.manager.loggerDict):
            if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            if scheduler == LOCAL:
                self._cluster = _local(processes)
            self._client = _within(ANSWER, lambda: _connected(self._cluster or scheduler))
        except (OSError, ValueError, TypeError) as error:
            self.close()
            raise EngineError(f"cannot reach the Dask scheduler at {self._name}") from error

    def close(self) -> None:
        """Leave the cluster; end it if it is our own."""
        for one in (self._client, self._cluster):
            if one is not None:
                with suppress(OSError, TimeoutError):
                    _within(CONNECT, one.close)

    def verify(self) -> int:
        """Return how many workers there are; raise EngineError if one of them cannot do what this irlint does."""
        try:
            found = _within(ANSWER, lambda: self._client.run(_rules))
        except TimeoutError as error:
            raise EngineError(f"a worker of the Dask scheduler at {self._name} does not answer") from error
        except Exception as error:
            raise self._failure(error) from error
        for address, rules in found.items():
            if rules != self._lint.rules:
                words = (
                    f"the Dask worker {address} has irlint {rules}, this is {self._lint.rules}; they must be the same"
                )
                raise EngineError(words)
        return len(found)

    def __call__(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Sequence[Done]]]:
        left = _Left(iter(batches))
        done: SimpleQueue[Any] = SimpleQueue()
        try:
            while True:
                while len(self.flying) < self._room() and (batch := left.next(not self.flying)) is not None:
                    future = self._client.submit(self._lint, batch, pure=False)
                    self.flying[future.key] = future, batch
                    future.add_done_callback(done.put)
                if not self.flying:
                    return
                future = self._next(done)
                batch = self.flying.pop(future.key)[1]
                results = self._results(future, batch)
                del future  # the cluster forgets a result that nobody holds
                if results is not None:
                    yield batch, results
                elif not left.again(batch):
                    yield batch, [self._lint.work.failed(batch[0], "the process that checked it was killed")]
        finally:
            if self.flying:
                with suppress(Exception):  # the scheduler may be what is gone
                    _within(CONNECT, lambda: self._client.cancel([future for future, _ in self.flying.values()]))
                self.flying.clear()

    def _next(self, done: SimpleQueue[Any]) -> Any:
        """Return the next future that is done. The scheduler may stop answering, too."""
        while True:
            try:
                return done.get(timeout=ANSWER)
            except Empty:
                try:
                    _within(ANSWER, self._client.nthreads)
                except Exception as error:
                    raise self._failure(error) from error

    def _room(self) -> int:
        """Return how many batches may be with the cluster: what it has done waits there until it is stored here."""
        now = monotonic()
        if now - self._counted >= _COUNT_SECONDS:
            self._counted = now
            with suppress(Exception):  # of a scheduler that has gone, which the futures tell
                self._threads = sum(_within(ANSWER, self._client.nthreads).values())
        return AHEAD * max(self._threads, 1)

    def _results(self, future: Any, batch: Batch) -> Sequence[Done] | None:
        """Return a batch's outcomes; None if it has to be done again: workers died that had it, or the connection broke, after which
        Dask has forgotten what was asked for.
        """
        if future.status in ("finished", "error"):
            try:
                found: Sequence[Done] = future.result()  # done again, if it was lost with its worker
                return found
            except KilledWorker:
                return None
            except (EngineError, ImportError) as error:
                raise self._failure(error) from error
            except Exception as error:
                if future.status == "error":
                    return [self._lint.work.failed(task, describe(error)) for task in batch]
        with suppress(Exception):
            _within(ANSWER, self._client.nthreads)
            return None
        raise EngineError(f"the Dask scheduler at {self._name} has gone")

    def _failure(self, error: Exception) -> EngineError:
        if isinstance(error, EngineError):
            return error
        if isinstance(error, ImportError):
            return EngineError(f"a Dask worker cannot import {error.name}; install the same packages there as here")
        return EngineError(f"the Dask scheduler at {self._name} does not answer")
