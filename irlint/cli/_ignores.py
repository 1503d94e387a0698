"""Suppressions of all findings, for --add-ignore."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from irlint import engine
from irlint.cli._status import FOUND, OK
from irlint.files.read import Unreadable, read
from irlint.files.replace import replace
from irlint.findings import Finding
from irlint.formats.base import by_name
from irlint.ignores import ignoring
from irlint.jobs import Job
from irlint.text.base import decode, encode
from irlint.text.safe import visible
from irlint.text.words import count


class _Refused(Exception):
    """Why no suppression is written to a file."""


def add_ignores(jobs: Iterable[Job], as_format: str | None, reason: str) -> tuple[list[str], int]:
    """Write a suppression for every finding of these files; return what to report, and the exit status."""
    done = files = 0
    said = []
    status = OK
    for job in jobs:
        try:
            number, left = _suppress(job, as_format, reason)
        except (_Refused, Unreadable) as error:
            said.append(f"{visible(job.name)}: no suppressions added: {error}")
            status = FOUND
            continue
        done += number
        files += bool(number)
        for code, rest in sorted(Counter(finding.code for finding in left).items()):
            said.append(f"{visible(job.name)}: cannot suppress {count(rest, 'finding')} of {code}; use a baseline")
            status = FOUND
    return [*said, f"suppressed {count(done, 'finding')} in {count(files, 'file')}"], status


def _suppress(job: Job, as_format: str | None, reason: str) -> tuple[int, list[Finding]]:
    """Return how many findings of a file are suppressed now, and those that are not."""
    data = read(job.name)

    def lint(data: bytes) -> engine.Result:
        return engine.lint_bytes(data, job.name, job.settings, as_format, Path(job.name))

    before = lint(data)
    document, format_ = before.document, by_name(before.format or "")
    if not before.findings:
        return 0, []
    if document is None or format_ is None:
        raise _Refused("the file cannot be read as a model")
    if not before.certain:
        raise _Refused(f"the format {before.format} is not certain; use --as {before.format} if it is right")
    how = format_.ignores(before.dialect or "")
    if how is None:
        raise _Refused(f"{format_.title} has no suppressions ({before.dialect}); use a baseline")
    text = ignoring(document, before.findings, format_.suppressions(document), how, reason)
    new = encode(text, document.encoding)
    if decode(new) != (text, document.encoding):
        raise _Refused(f"the text cannot be encoded in {document.encoding.upper()}")
    after = lint(new).findings
    if Counter(map(_key, after)) - Counter(map(_key, before.findings)):
        raise _Refused("the file would have other findings with them")
    if len(after) < len(before.findings):
        replace(job.name, new, expected=data)
    return len(before.findings) - len(after), after


def _key(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.message
