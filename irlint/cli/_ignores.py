"""Suppressions of all findings, for --add-ignore."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from irlint import engine
from irlint.cli._status import FOUND, OK
from irlint.files.read import Unreadable, read
from irlint.files.replace import replace
from irlint.jobs import FileOutcome, Job
from irlint.suppressing import Key, Refused, Suppressed, key, suppressed
from irlint.text.safe import visible
from irlint.text.words import count


def add_ignores(
    outcomes: Iterable[FileOutcome], as_format: str | None, reason: str, say: Callable[[str], None]
) -> tuple[str, int]:
    """Write a suppression for every finding reported, and `say` what is left. Return a summary, and the exit status."""
    done = files = 0
    status = OK
    for outcome in outcomes:
        name = visible(outcome.job.name)
        wanted = {key(entry.finding) for entry in outcome.report.entries} if outcome.report is not None else set()
        if not wanted:
            continue
        try:
            found = _write(outcome.job, wanted, as_format, reason)
        except (Refused, Unreadable) as error:
            say(f"{name}: no suppressions added: {error}")
            status = FOUND
            continue
        done += len(found.done)
        files += bool(found.done)
        for code, rest in sorted(Counter(finding.code for finding in found.left).items()):
            say(f"{name}: cannot suppress {count(rest, 'finding')} of {code}; use a baseline")
            status = FOUND
    return f"suppressed {count(done, 'finding')} in {count(files, 'file')}", status


def _write(job: Job, wanted: set[Key], as_format: str | None, reason: str) -> Suppressed:
    data = read(job.name)

    def lint(data: bytes) -> engine.Result:
        return engine.lint_bytes(data, job.name, job.settings, as_format, Path(job.name))

    found = suppressed(data, wanted, lint, reason)
    if found.done:
        replace(job.name, found.data, expected=data)
    return found
