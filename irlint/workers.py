"""Many files on many processors: worker processes, each at the end of a pipe of its own.

Nothing is shared between workers, so nothing can be left locked: whoever dies, by itself or because the user has had
enough, takes only the file with it that it was checking.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import NoReturn, cast

from irlint.jobs import FileOutcome, Job, JobOptions, describe
from irlint.records import NamedTuple
from irlint.runner import check

MAX_CHUNK = 32  # small files are sent together: a message costs more than a file
PER_FILE = 4096  # bytes whose check takes as long as opening a file
PATIENCE = 2.0  # seconds that a worker has to clean up when it is asked to end

_ours: set[Connection] = set()  # this process' ends of its workers' pipes


class Worker(NamedTuple):
    process: BaseProcess
    pipe: Connection


def in_processes(jobs: list[Job], how: JobOptions, processes: int) -> Iterator[FileOutcome]:
    """Outcomes in the order of the jobs."""
    waiting = deque(chunks([_weight(job) for job in jobs], processes))
    outcomes: list[FileOutcome | None] = [None] * len(jobs)
    busy: dict[Connection, tuple[Worker, range]] = {}
    workers: list[Worker] = []
    idle: list[Worker] = []
    told = 0
    try:
        while told < len(jobs):
            while waiting and len(busy) < processes:
                worker = idle.pop() if idle else _start(how, workers)
                chunk = waiting.popleft()
                busy[worker.pipe] = worker, chunk
                with suppress(OSError):  # it has died: the pipe's end tells
                    worker.pipe.send([jobs[k] for k in chunk])
            for pipe in wait(list(busy)):
                worker, chunk = busy.pop(cast(Connection, pipe))
                try:
                    outcomes[chunk.start : chunk.stop] = worker.pipe.recv()
                    idle.append(worker)
                except (EOFError, OSError):
                    workers.remove(worker)
                    _end([worker])
                    if len(chunk) == 1:
                        outcomes[chunk.start] = FileOutcome(
                            jobs[chunk.start], failure="the process that checked it was killed"
                        )
                    else:
                        waiting.extendleft(range(k, k + 1) for k in reversed(chunk))
            while told < len(jobs) and (outcome := outcomes[told]) is not None:
                outcomes[told] = None
                told += 1
                yield outcome
    finally:
        _end(workers)


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
    if job.data is not None:
        return PER_FILE + len(job.data)
    try:
        return PER_FILE + os.path.getsize(job.name)
    except OSError:
        return PER_FILE


def _start(how: JobOptions, workers: list[Worker]) -> Worker:
    ours, theirs = multiprocessing.Pipe()
    _ours.add(ours)
    worker = Worker(multiprocessing.Process(target=_work, args=(theirs, how), daemon=True), ours)
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


def _work(pipe: Connection, how: JobOptions) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for end in _ours:  # a fork has them all; while anybody holds one, nobody hears of it that the parent was killed
        end.close()
    gc.disable()
    with suppress(EOFError, OSError):
        while True:
            jobs: list[Job] = pipe.recv()
            outcomes = [check(job, how) for job in jobs]
            try:
                pipe.send(outcomes)
            except OSError:
                raise
            except Exception as error:  # what a plug-in found cannot be sent
                pipe.send([FileOutcome(job, failure=describe(error)) for job in jobs])


def _leave(*_: object) -> NoReturn:
    """Half-written files are removed on the way out."""
    sys.exit(143)
