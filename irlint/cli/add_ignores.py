"""Suppressions of all findings, for --add-ignore: written to a file if it can have them and nothing else changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Set
from pathlib import Path

from irlint import engine
from irlint.cli.status import FOUND, OK
from irlint.files.read import Unreadable, read
from irlint.files.replace import replace
from irlint.findings import Finding, Severity
from irlint.formats.base import Format, by_name
from irlint.jobs import FileOutcome, Job
from irlint.records import NamedTuple
from irlint.settings.ignores import Ignores, ignoring
from irlint.text.base import Span
from irlint.text.safe import visible
from irlint.text.words import count

IDLE = "unused-suppression"  # nothing that another suppression should hide


class NotSuppressible(Exception):
    """Why no suppression can be written to a file."""


class Suppressed(NamedTuple):
    """The file as it would be, and which findings it would suppress, and which not."""

    data: bytes
    done: list[Finding]
    left: list[Finding]


Key = tuple[str, str, Span]


def key(finding: Finding) -> Key:
    return finding.code, finding.message, finding.span


def suppressed(data: bytes, wanted: Set[Key], lint: Callable[[bytes], engine.Result], reason: str) -> Suppressed:
    """Return a file with suppressions of these findings; raise NotSuppressible if it cannot have them."""
    before = lint(data)
    document, format_ = before.document, by_name(before.format or "")
    findings = [finding for finding in before.findings if key(finding) in wanted and finding.name != IDLE]
    if not findings:
        return Suppressed(data, [], [])
    if document is None or format_ is None:
        raise NotSuppressible("the file cannot be read as a model")
    how = _way(before, format_)
    text = ignoring(document, findings, format_.suppressions(document), how, reason)
    try:
        new = document.encoded(text)
    except ValueError as error:
        raise NotSuppressible(str(error)) from error
    now = Counter(map(_words, lint(new).findings))  # without spans, which have moved
    if others := now - Counter(map(_words, before.findings)):
        code, message = next(iter(others))
        raise NotSuppressible(f"with them the file would have another finding: {code} {visible(message)}")
    found = Suppressed(new, [], [])
    for finding in findings:
        (found.left if _words(finding) in now else found.done).append(finding)
    return found


def _way(before: engine.Result, format_: Format) -> Ignores:
    """Return how suppressions are written to a file; raise NotSuppressible if nobody may write any."""
    if not before.certain:
        raise NotSuppressible(f"the format {before.format} is not certain; use --as {before.format} if it is right")
    if any(finding.code[0] == "S" and finding.severity == Severity.ERROR for finding in before.findings):
        raise NotSuppressible("the file has syntax errors; fix them first")
    how = format_.ignores(before.dialect or "")
    if how is None:
        raise NotSuppressible(f"{format_.title} has no suppressions ({before.dialect}); use a baseline")
    return how


def _words(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.message


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
        except (NotSuppressible, Unreadable) as error:
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
