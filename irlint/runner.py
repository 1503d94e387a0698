"""From files to their reports: reads, lints, repairs; each file on its own, so that none can harm another's result."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from irlint import engine
from irlint.files.read import Unreadable, read_if
from irlint.findings import Severity
from irlint.formats.base import HEAD_SIZE
from irlint.records import NamedTuple, dataclass, replace
from irlint.report.base import FileReport, locate
from irlint.text.base import Document, Lines, decode, encode

if TYPE_CHECKING:
    from irlint.cache import Cache
    from irlint.fixes import Fixed

STDIN_NAME = "<stdin>"
PARALLEL_FROM = 64  # files: fewer are done before processes have started
GARBAGE = 500_000  # objects made and not freed since the last search


class Job(NamedTuple):
    """One file to be checked. `name` is its path as the user sees it; `found`: met in a folder, not named."""

    name: str
    settings: engine.Settings
    fail_on: Severity = Severity.ERROR
    found: bool = False
    data: bytes | None = None  # instead of what is on disk
    baseline: str | None = None  # the list of known findings that holds for it


class How(NamedTuple):
    """What is done to every file."""

    as_format: str | None = None
    fix: bool = False
    unsafe: bool = False
    write: bool = True  # what fixing came to; else the outcome only tells
    skip_unrecognized: bool = False
    cache: Cache | None = None
    timed: bool = False  # how long each rule took


class Refused(NamedTuple):
    """A fix that was not made because of what it leads to."""

    line: int
    column: int
    code: str
    title: str
    why: str


@dataclass
class Outcome:
    """What became of one file. A file that was passed over has neither report, nor trouble, nor failure."""

    job: Job
    report: FileReport | None = None
    trouble: str | None = None  # the file could not be read or written
    failure: str | None = None  # irlint's own
    note: str | None = None
    refused: tuple[Refused, ...] = ()
    fixed: int = 0
    diff: str = ""
    data: bytes | None = None  # of standard input, as it is now
    times: dict[str, float] | None = None  # seconds by rule

    @property
    def fails(self) -> bool:
        return self.report is not None and any(e.finding.severity >= self.job.fail_on for e in self.report.entries)


def run_all(jobs: list[Job], how: How, processes: int = 0) -> Iterator[Outcome]:
    """Outcomes in the order of the jobs, whatever the number of processes; 0: as many as the files are worth."""
    known = {at: outcome for at, job in enumerate(jobs) if (outcome := _recall(job, how)) is not None}
    rest = [job for at, job in enumerate(jobs) if at not in known] if known else jobs
    fresh = _run(rest, how, processes)
    return (known.pop(at) if at in known else next(fresh) for at in range(len(jobs)))


def _run(jobs: list[Job], how: How, processes: int) -> Iterator[Outcome]:
    processes = processes or (processors() if len(jobs) >= PARALLEL_FROM else 1)
    if processes <= 1 or not jobs:
        return (check(job, how) for job in jobs)
    from irlint.pool import run_in_pool

    return run_in_pool(jobs, how, processes)


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _recall(job: Job, how: How) -> Outcome | None:
    """What became of a file that has not changed, where nothing would be repaired in it."""
    if how.cache is None or job.data is not None:
        return None
    report = how.cache.recall(job.name, job.settings, how.as_format)
    if report is None or (how.fix and any(e.finding.fix for e in report.entries)):
        return None
    return Outcome(job, replace(report, fail_on=job.fail_on))


def check(job: Job, how: How) -> Outcome:
    """One file's outcome. Whatever goes wrong inside irlint stays with this file."""
    _tidy()
    try:
        outcome = _check(job, how)
    except Unreadable as error:
        vanished = job.found and not os.path.lexists(job.name)
        outcome = Outcome(job, trouble=None if vanished else str(error))
    except Exception as error:
        outcome = Outcome(job, failure=describe(error))
    if outcome.data is None and how.fix:
        outcome.data = job.data
    return outcome


def _tidy() -> None:
    """Garbage is looked for before the next file where the process does not do it by itself, and only when there is much to find."""
    if not gc.isenabled() and gc.get_count()[0] > GARBAGE:
        gc.collect()


def describe(error: BaseException) -> str:
    """An exception in one line; with IRLINT_DEBUG set, all that Python knows of it."""
    if os.environ.get("IRLINT_DEBUG"):
        from traceback import format_exception

        return "".join(format_exception(error))
    words = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}{words and f': {words}'}"


def _check(job: Job, how: How) -> Outcome:
    data = job.data
    if data is None:
        named = not job.found and not how.skip_unrecognized
        data = read_if(job.name, lambda head: named or _is_candidate(head, job.name, how), HEAD_SIZE)
        if data is None:
            return Outcome(job)
    began = time()
    handed = [data]
    if not how.fix and how.cache is None:
        data = b""  # large files need not be held twice, as bytes and as text
    times: dict[str, float] | None = {} if how.timed else None
    result = engine.lint_bytes(handed.pop(), job.name, job.settings, how.as_format, _path(job), times)
    if result.format is None and (job.found or how.skip_unrecognized):
        return Outcome(job)
    if how.fix and result.document is not None:
        return _repair(job, how, data, result, result.document)
    if any(finding.fix or finding.severity == Severity.ERROR for finding in result.findings):
        from irlint import offers

        offers.confirm(result, job.settings, how.as_format, _path(job))
    report = locate(result, job.fail_on)
    if how.cache is not None and job.data is None and result.format is not None:
        how.cache.store(report, data, job.settings, how.as_format, began)
    return Outcome(job, report, times=times)


def _path(job: Job) -> Path | None:
    return None if job.name == STDIN_NAME and job.data is not None else Path(job.name)


def _is_candidate(head: bytes, name: str, how: How) -> bool:
    """Whether a file that begins like this deserves to be read whole."""
    only = (how.as_format or "").partition(":")[0] or None
    return engine.deserves_reading(head, name, only)


def _written(text: str, encoding: str) -> bytes | None:
    """A text as bytes that are read as this very text; None if there are none."""
    try:
        data = encode(text, encoding)
    except UnicodeEncodeError:
        return None
    return data if decode(data) == (text, encoding) else None


def _doubt(result: engine.Result) -> str:
    return f"left as it was: irlint is not certain that this is a file of the format {result.format}; if it is, use --as {result.format}"


def _repair(job: Job, how: How, data: bytes, result: engine.Result, document: Document) -> Outcome:
    from irlint import fixes, offers

    if not result.certain:
        withheld = result.withheld if how.unsafe else result.withheld & {"safe"}
        return Outcome(job, locate(result, job.fail_on), note=_doubt(result) if withheld else None)
    bench = offers.Bench(result, job.settings, how.as_format, _path(job))
    fixed = fixes.fix(document.text, bench.lint, how.unsafe, bench.search)
    offers.confirm(result, job.settings, how.as_format, _path(job), bench)
    before = locate(result, job.fail_on)
    refused = _refused(fixed, result.lines if not (fixed.applied and how.write) else None)
    if not fixed.applied:
        return Outcome(job, before, note=fixed.why_not and f"left as it was: {fixed.why_not}", refused=refused)
    new = _written(fixed.text, document.encoding)
    if new is None:
        return Outcome(
            job, before, note=f"left as it was: repaired, it could not be written as {document.encoding.upper()}"
        )
    if not how.write:
        from irlint.files.unified import unified

        diff = unified(document.text, fixed.edits, job.name)
        return Outcome(job, before, fixed=len(fixed.applied), diff=diff, refused=refused)
    if job.data is None:
        from irlint.files.replace import replace

        try:
            replace(job.name, new, expected=data)
        except Unreadable as error:
            return Outcome(job, before, trouble=f"could not be repaired: {error}")
    left = fixes.offered(fixed.text, fixed.findings, bench.lint, bench.search)
    after = engine.Result(result.name, left, None, result.format, result.dialect, text=fixed.text)
    data_now = None if job.data is None else new
    return Outcome(job, locate(after, job.fail_on), fixed=len(fixed.applied), data=data_now, refused=refused)


def _refused(fixed: Fixed, lines: Lines | None) -> tuple[Refused, ...]:
    """The fixes that would have done harm, at their places in the text before, or in the one after where no lines are given."""
    refusals = list(fixed.refusals())
    if not refusals:
        return ()
    now = lines or Lines(fixed.text)
    return tuple(
        Refused(*now.position(at if lines else finding.span.start), finding.code, finding.fix.title, str(harm))
        for finding, at, harm in refusals
        if finding.fix is not None
    )
