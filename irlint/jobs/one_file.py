"""Reading, linting and fixing of single files, independent of each other."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from time import perf_counter, time
from typing import TYPE_CHECKING

from irlint import engine
from irlint.files.read import Unreadable, read_if
from irlint.files.side_files import is_pointer
from irlint.findings import PROVEN, Severity
from irlint.formats.base import HEAD_SIZE, is_claimed
from irlint.jobs import STDIN_NAME, FileOutcome, Job, JobOptions, RefusedFix
from irlint.records import replace
from irlint.report.base import FileReport, locate
from irlint.text.base import Document, Lines

if TYPE_CHECKING:
    from irlint.fixes import Fixed

GARBAGE = 500_000  # objects made and not freed since the last search


def check(job: Job, how: JobOptions) -> FileOutcome:
    """Return one file's outcome. An internal error affects this file only: it is its finding."""
    tidy()
    began = perf_counter()
    try:
        outcome = _left_alone(job, how) if job.is_beside else _check(job, how)
        outcome.seconds = perf_counter() - began
    except Unreadable as error:
        vanished = job.found and not os.path.lexists(job.name)
        outcome = FileOutcome(job, trouble=None if vanished else str(error))
    except Exception as error:
        outcome = FileOutcome(job, locate(engine.failed(job.name, error), job.fail_on))
    if outcome.data is None and how.fix:
        outcome.data = job.data
    return outcome


def tidy() -> None:
    """Collect garbage before the next file if the process does not do so itself and there may be much of it."""
    if not gc.isenabled() and gc.get_count()[0] > GARBAGE:
        gc.collect()


def _check(job: Job, how: JobOptions) -> FileOutcome:
    named = not job.found and not how.skip_unrecognized
    heads: list[bytes] = []
    data = job.data
    if data is None:
        data = read_if(job.name, lambda head: named or _is_candidate(head, job, how, heads), HEAD_SIZE, how.mapped)
    if data is None:
        return FileOutcome(job, is_pointer=is_pointer(heads[0]))
    began = time()
    handed = [data]
    if not how.fix and how.cache is None:
        data = b""  # large files need not be held twice, as bytes and as text
    times: dict[str, float] | None = {} if how.timed else None
    request = engine.Request(job.name, job.settings, how.as_format, _path(job), times=times)
    result = engine.linted_bytes(handed.pop(), request)
    if not (result.format or result.failed or named or is_claimed(job.name)):
        return FileOutcome(job)
    if how.fix and result.document is not None:
        return _repair(job, how, data, result, result.document)
    confirm(result)
    report = locate(result, job.fail_on)
    _remember(report, job, how, data, result, began)
    return FileOutcome(job, report, times=times, incomplete=result.incomplete)


def _left_alone(job: Job, how: JobOptions) -> FileOutcome:
    """Return the outcome of a file that is not to be changed, without fixes."""
    outcome = _check(job, how._replace(fix=False))
    if outcome.report is not None:
        entries, fixes = outcome.report.entries, [entry.finding.fix for entry in outcome.report.entries]
        bare = [replace(e, finding=replace(e.finding, fix=None), edits=(), change=None) for e in entries]
        outcome.report = replace(outcome.report, entries=tuple(bare))
        if how.fix and any(fix is not None and (how.unsafe or not fix.needs_flag) for fix in fixes):
            outcome.note = "not fixed: only files that you name are changed; name it, too"
    return outcome


def _remember(report: FileReport, job: Job, how: JobOptions, data: bytes, result: engine.Result, began: float) -> None:
    """Store the report of a file on disk in the cache, if the file has been checked as far as it ever is."""
    is_whole = result.format is not None and not (result.incomplete or result.failed)
    if how.cache is not None and job.data is None and is_whole:
        how.cache.store(report, data, job.settings, how.as_format, began)


def confirm(result: engine.Result) -> None:
    """Leave only the fixes that --fix would make, and add the repairs that a search finds."""
    if any(finding.fix or finding.severity == Severity.ERROR for finding in result.findings):
        from irlint import offers

        offers.confirm(result)


def _path(job: Job) -> Path | None:
    return None if job.name == STDIN_NAME and job.data is not None else Path(job.name)


def _is_candidate(head: bytes, job: Job, how: JobOptions, heads: list[bytes]) -> bool:
    """Return whether to read the whole of a file that begins like this, which is added to `heads`."""
    heads.append(head)
    if is_pointer(head):
        return False
    if is_claimed(job.name) or job.settings.describes_files:
        return True
    only = (how.as_format or "").partition(":")[0] or None
    return engine.deserves_reading(head, job.name, only)


def _why_withheld(result: engine.Result) -> str:
    return f"not fixed: the format {result.format} is not certain; use --as {result.format} if it is right"


def _repair(job: Job, how: JobOptions, data: bytes, result: engine.Result, document: Document) -> FileOutcome:
    from irlint import fixes, offers

    if not result.certain:
        withheld = result.withheld if how.unsafe else result.withheld - {"unsafe"}
        return FileOutcome(job, locate(result, job.fail_on), note=_why_withheld(result) if withheld else None)
    bench = offers.TrialLinter(result)
    fixed = fixes.fix(document.text, bench.lint, how.unsafe, bench.search, budget=bench.budget)
    bench.renew()
    offers.confirm(result, bench)
    before = locate(result, job.fail_on)
    refused = _refused(fixed, result.lines if not (fixed.applied and how.write) else None)
    if not fixed.applied:
        return FileOutcome(job, before, note=fixed.why_not and f"not fixed: {fixed.why_not}", refused=refused)
    try:
        new = document.encoded(fixed.text)
    except ValueError as error:
        return FileOutcome(job, before, note=f"not fixed: {error}")
    if not how.write:
        from irlint.files.unified import unified

        diff = unified(document.text, fixed.edits, job.name, _reasons(fixed))
        return FileOutcome(
            job, before, fixed=len(fixed.applied), proven=len(_proven(fixed)), diff=diff, refused=refused
        )
    if job.data is None:
        from irlint.files.replace import replace

        try:
            replace(job.name, new, expected=data)
        except Unreadable as error:
            return FileOutcome(job, before, trouble=f"cannot write fixes: {error}")
    bench.renew()
    left = fixes.offered(fixed.text, fixed.findings, bench.lint, bench.search, bench.budget)
    after = engine.Result(result.name, left, None, result.format, result.dialect, text=fixed.text)
    data_now = None if job.data is None else new
    report, number, proven = locate(after, job.fail_on), len(fixed.applied), len(_proven(fixed))
    return FileOutcome(job, report, fixed=number, proven=proven, data=data_now, refused=refused)


def _reasons(fixed: Fixed) -> list[str]:
    """Return what a diff says of the fixes that are not safe by themselves: why they are made all the same."""
    return [f"proven: {title} ({PROVEN})" for title in dict.fromkeys(_proven(fixed))]


def _proven(fixed: Fixed) -> list[str]:
    """Return the titles of the proven fixes that were made."""
    return [f.fix.title for f in fixed.applied if f.fix is not None and f.fix.safety == "proven"]


def _refused(fixed: Fixed, lines: Lines | None) -> tuple[RefusedFix, ...]:
    """Return fixes that would do harm, at their places in the original text, or in the fixed one if no lines are given."""
    refusals = list(fixed.refusals())
    if not refusals:
        return ()
    now = lines or Lines(fixed.text)
    return tuple(
        RefusedFix(*now.position(at if lines else finding.span.start), finding.code, finding.fix.title, str(harm))
        for finding, at, harm in refusals
        if finding.fix is not None
    )
