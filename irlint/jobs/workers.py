"""Many tasks on many processors: worker processes, each at the end of a pipe of its own.

Nothing is shared between workers, so nothing can be left locked: if a worker dies, by itself or because the user has had
enough, it takes only its current task with it.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any, NoReturn, Protocol, TypeVar, cast

from irlint.files.read import size_of
from irlint.jobs import FileOutcome, Job, JobOptions, describe
from irlint.jobs.one_file import check
from irlint.records import NamedTuple

MAX_CHUNK = 32  # small files are sent together: a message costs more than a file
PER_FILE = 4096  # bytes whose check takes as long as opening a file
PATIENCE = 2.0  # seconds that a worker has to clean up when it is asked to end

_ours: set[Connection] = set()  # this process' ends of its workers' pipes

T = TypeVar("T")
R = TypeVar("R")
_Task = TypeVar("_Task", contravariant=True)
_Result = TypeVar("_Result", covariant=True)


class BatchWork(Protocol[_Task, _Result]):
    """What workers do with each batch; it is sent to them once."""

    def __call__(self, batch: Sequence[_Task], /) -> Sequence[_Result]:
        """Return the result of each task, in order."""

    def failed(self, task: _Task, why: str, /) -> _Result:
        """Return the result of a task that could not be done."""


class Worker(NamedTuple):
    process: BaseProcess
    pipe: Connection


def in_workers(
    batches: Iterable[Sequence[T]], work: BatchWork[T, R], processes: int, method: str | None = None
) -> Iterator[tuple[Sequence[T], Sequence[R]]]:
    """Yield batches with their results as they come. A batch is taken when a worker is free for it.

    If a worker dies, its tasks are done in batches of one. `method` is how processes start: spawned ones have no threads of
    their parent's to miss.
    """
    context = multiprocessing.get_context(method)
    coming, again = iter(batches), deque[Sequence[T]]()
    busy: dict[Connection, tuple[Worker, Sequence[T]]] = {}
    workers: list[Worker] = []
    idle: list[Worker] = []
    try:
        while True:
            while len(busy) < processes and (batch := again.popleft() if again else next(coming, None)) is not None:
                worker = idle.pop() if idle else _start(work, workers, context)
                busy[worker.pipe] = worker, batch
                with suppress(OSError):  # it has died: the pipe's end tells
                    worker.pipe.send(batch)
            if not busy:
                return
            for pipe in wait(list(busy)):
                worker, batch = busy.pop(cast(Connection, pipe))
                try:
                    results = worker.pipe.recv()
                    idle.append(worker)
                except (EOFError, OSError):
                    workers.remove(worker)
                    _end([worker])
                    if len(batch) > 1:
                        again.extend([task] for task in batch)
                        continue
                    results = [work.failed(batch[0], "the process that checked it was killed")]
                yield batch, results
    finally:
        _end(workers)


class _Checks(NamedTuple):
    """The check of files, numbered in the order of their jobs."""

    how: JobOptions

    def __call__(self, batch: Sequence[tuple[int, Job]]) -> list[FileOutcome]:
        return [check(job, self.how) for _, job in batch]

    def failed(self, task: tuple[int, Job], why: str) -> FileOutcome:
        return FileOutcome(task[1], failure=why)


def in_processes(jobs: list[Job], how: JobOptions, processes: int) -> Iterator[FileOutcome]:
    """Outcomes in the order of the jobs."""
    outcomes: list[FileOutcome | None] = [None] * len(jobs)
    batches = ([(k, jobs[k]) for k in chunk] for chunk in chunks([_weight(job) for job in jobs], processes))
    told = 0
    for batch, found in in_workers(batches, _Checks(how), processes):
        for (k, _), outcome in zip(batch, found, strict=True):
            outcomes[k] = outcome
        while told < len(jobs) and (ready := outcomes[told]) is not None:
            outcomes[told] = None
            told += 1
            yield ready


def chunks(weights: list[int], processes: int) -> Iterator[range]:
    """Return batches of files in starting order: files that keep a process busy for long, the heaviest first, then the
    others as they come, ever fewer at a time, so that all processes end at the same time.
    """
    left = sum(weights)
    heavy = left // (processes * 8)
    for at in sorted((at for at, weight in enumerate(weights) if weight > heavy), key=lambda at: -weights[at]):
        left -= weights[at]
        yield range(at, at + 1)
    begin = held = 0
    for at, weight in enumerate(weights):
        is_heavy = weight > heavy
        if begin < at and (is_heavy or at - begin == MAX_CHUNK or held + weight > left // (processes * 4)):
            yield range(begin, at)
            begin, held, left = at, 0, left - held
        if is_heavy:
            begin = at + 1
        else:
            held += weight
    if begin < len(weights):
        yield range(begin, len(weights))


def _weight(job: Job) -> int:
    """How long a file will take, by its size."""
    return PER_FILE + (size_of(job.name) if job.data is None else len(job.data))


def _start(work: BatchWork[Any, Any], workers: list[Worker], context: BaseContext) -> Worker:
    ours, theirs = context.Pipe()
    _ours.add(ours)
    process: BaseProcess = context.Process(target=_work, args=(theirs, work), daemon=True)  # type: ignore[attr-defined]
    worker = Worker(process, ours)
    with _no_ctrl_c():
        worker.process.start()
        workers.append(worker)
    theirs.close()
    return worker


@contextmanager
def _no_ctrl_c() -> Iterator[None]:
    """Ctrl-C goes to the whole group; a worker must not hear of it before it has learnt to leave that to its parent."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(workers: list[Worker]) -> None:
    for worker in workers:
        _ours.discard(worker.pipe)
        worker.pipe.close()
        worker.process.terminate()
    for worker in workers:
        worker.process.join(PATIENCE)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _work(pipe: Connection, work: BatchWork[Any, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for end in _ours:  # a fork inherits them; while any is open, no worker notices that the parent was killed
        end.close()
    gc.disable()
    with suppress(EOFError, OSError):
        while True:
            batch = pipe.recv()
            results = work(batch)
            try:
                pipe.send(results)
            except OSError:
                raise
            except Exception as error:  # what a plug-in found cannot be sent
                pipe.send([work.failed(task, describe(error)) for task in batch])


def _leave(*_: object) -> NoReturn:
    """Half-written files are removed on the way out."""
    sys.exit(143)
