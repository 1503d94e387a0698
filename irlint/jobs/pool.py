"""Outcomes of many files: from the cache, in this process, or in several."""

from __future__ import annotations

import os
from collections.abc import Iterator

from irlint.jobs import FileOutcome, Job, JobOptions
from irlint.jobs.one_file import check
from irlint.records import replace

PARALLEL_FROM = 64  # files: fewer are done before processes have started


def run_all(jobs: list[Job], how: JobOptions, processes: int = 0) -> Iterator[FileOutcome]:
    """Yield outcomes in the order of the jobs, for any number of processes; 0: by the number of files."""
    known = {at: outcome for at, job in enumerate(jobs) if (outcome := _recall(job, how)) is not None}
    rest = [job for at, job in enumerate(jobs) if at not in known] if known else jobs
    fresh = _run(rest, how, processes)
    return (known.pop(at) if at in known else next(fresh) for at in range(len(jobs)))


def _run(jobs: list[Job], how: JobOptions, processes: int) -> Iterator[FileOutcome]:
    processes = processes or (processors() if len(jobs) >= PARALLEL_FROM else 1)
    if processes <= 1 or not jobs:
        return (check(job, how) for job in jobs)
    from irlint.jobs.workers import in_processes

    return in_processes(jobs, how, processes)


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _recall(job: Job, how: JobOptions) -> FileOutcome | None:
    """Return the cached outcome of an unchanged file without fixes to apply."""
    if how.cache is None or job.data is not None:
        return None
    report = how.cache.recall(job.name, job.settings, how.as_format)
    if report is None or (how.fix and any(e.finding.fix for e in report.entries)):
        return None
    return FileOutcome(job, replace(report, fail_on=job.fail_on))
