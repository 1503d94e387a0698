"""Suppressions of all findings, for --add-ignore."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from irlint import engine
from irlint.cli._status import FOUND, OK
from irlint.files.read import Unreadable, read
from irlint.files.replace import replace
from irlint.findings import Finding, Severity
from irlint.formats.base import by_name
from irlint.ignores import ignoring
from irlint.jobs import FileOutcome, Job
from irlint.text.base import Span, decode, encode
from irlint.text.safe import visible
from irlint.text.words import count

IDLE = "unused-suppression"  # nothing that another suppression should hide


class _Refused(Exception):
    """Why no suppression is written to a file."""


def add_ignores(
    outcomes: Iterable[FileOutcome], as_format: str | None, reason: str, say: Callable[[str], None]
) -> tuple[str, int]:
    """Write a suppression for every finding reported; `say` hears of what is left. Return a summary, and the exit status."""
    done = files = 0
    status = OK
    for outcome in outcomes:
        job = outcome.job
        wanted = {_key(entry.finding) for entry in outcome.report.entries} if outcome.report is not None else set()
        if not wanted:
            continue
        try:
            number, left = _suppress(job, wanted, as_format, reason)
        except (_Refused, Unreadable) as error:
            say(f"{visible(job.name)}: no suppressions added: {error}")
            status = FOUND
            continue
        done += number
        files += bool(number)
        for code, rest in sorted(Counter(finding.code for finding in left).items()):
            say(f"{visible(job.name)}: cannot suppress {count(rest, 'finding')} of {code}; use a baseline")
            status = FOUND
    return f"suppressed {count(done, 'finding')} in {count(files, 'file')}", status


def _suppress(job: Job, wanted: set[_Key], as_format: str | None, reason: str) -> tuple[int, list[Finding]]:
    """Return how many findings of a file are suppressed now, and those that are not."""
    data = read(job.name)

    def lint(data: bytes) -> engine.Result:
        return engine.lint_bytes(data, job.name, job.settings, as_format, Path(job.name))

    before = lint(data)
    document, format_ = before.document, by_name(before.format or "")
    findings = [finding for finding in before.findings if _key(finding) in wanted and finding.name != IDLE]
    if not findings:
        return 0, []
    if document is None or format_ is None:
        raise _Refused("the file cannot be read as a model")
    if not before.certain:
        raise _Refused(f"the format {before.format} is not certain; use --as {before.format} if it is right")
    if any(finding.code[0] == "S" and finding.severity == Severity.ERROR for finding in before.findings):
        raise _Refused("the file has syntax errors; fix them first")
    how = format_.ignores(before.dialect or "")
    if how is None:
        raise _Refused(f"{format_.title} has no suppressions ({before.dialect}); use a baseline")
    text = ignoring(document, findings, format_.suppressions(document), how, reason)
    try:
        new = encode(text, document.encoding)
    except UnicodeEncodeError:
        new = b""
    if decode(new) != (text, document.encoding):
        raise _Refused(f"the text cannot be encoded in {document.encoding.upper()}")
    after = lint(new).findings
    now = Counter((finding.code, finding.message) for finding in after)
    if others := now - Counter((finding.code, finding.message) for finding in before.findings):
        code, message = next(iter(others))
        raise _Refused(f"with them the file would have another finding: {code} {visible(message)}")
    if len(after) < len(before.findings):
        replace(job.name, new, expected=data)
    # the spans have moved
    left = Counter((finding.code, finding.message) for finding in findings) & now
    return len(findings) - left.total(), [finding for finding in findings if (finding.code, finding.message) in left]


_Key = tuple[str, str, Span]


def _key(finding: Finding) -> _Key:
    return finding.code, finding.message, finding.span
