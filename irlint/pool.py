"""Many files on many processors. A worker that dies takes only the file with it that killed it."""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from irlint.runner import How, Job, Outcome, check

MAX_CHUNK = 32  # small files are handed out together: a message costs more than a file


def run_in_pool(jobs: list[Job], how: How, processes: int) -> Iterator[Outcome]:
    """Outcomes in the order of the jobs."""
    size = max(1, min(MAX_CHUNK, len(jobs) // (processes * 4)))
    chunks = [jobs[at : at + size] for at in range(0, len(jobs), size)]
    pool = ProcessPoolExecutor(max(1, min(processes, len(chunks))), initializer=_start)
    try:
        for chunk, future in [(chunk, _submit(pool, chunk, how)) for chunk in chunks]:
            yield from _outcomes(chunk, how, future)
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _start() -> None:
    """Ctrl-C goes to the whole group; the parent alone acts on it, by ending its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()


def _check_all(jobs: list[Job], how: How) -> list[Outcome]:
    return [check(job, how) for job in jobs]


def _submit(pool: ProcessPoolExecutor, jobs: list[Job], how: How) -> Future[list[Outcome]] | None:
    try:
        return pool.submit(_check_all, jobs, how)
    except BrokenProcessPool:
        return None


def _outcomes(jobs: list[Job], how: How, future: Future[list[Outcome]] | None) -> list[Outcome]:
    try:
        if future is not None:
            return future.result()
    except BrokenProcessPool:
        pass
    return [_alone(job, how) for job in jobs]


def _alone(job: Job, how: How) -> Outcome:
    """Once a worker has died, every file that was still to come gets a process of its own."""
    with ProcessPoolExecutor(1, initializer=_start) as pool:
        try:
            return pool.submit(check, job, how).result()
        except BrokenProcessPool:
            return Outcome(job, failure="the process that checked it was killed")
