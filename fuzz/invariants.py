"""What holds for every input, whatever it is."""

from __future__ import annotations

import io
import resource
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from irlint import engine, fixes, report
from irlint.findings import Finding, Severity
from irlint.formats.base import all_formats
from irlint.text.base import apply, decode, encode

SECONDS, MEGABYTES = 2.0, 512  # for an input of 100 kB
SIZE = 100_000
slowness = 1.0  # how much longer everything takes where coverage is measured


class Broken(AssertionError):
    """An invariant does not hold."""


def demand(holds: object, words: str) -> None:
    if not holds:
        raise Broken(words)


@contextmanager
def bounded(data: bytes) -> Iterator[None]:
    """CPU time and memory stay within what an input of this size may cost."""
    share = max(1.0, len(data) / SIZE)
    memory, began = _peak(), time.process_time()
    yield
    took, more = time.process_time() - began, _peak() - memory
    demand(took <= SECONDS * share * slowness, f"{took:.1f} s of CPU time for {len(data)} bytes")
    demand(more <= MEGABYTES * share, f"{more:.0f} MB more memory for {len(data)} bytes")


def _peak() -> float:
    """The most memory that this process ever had, in MB."""
    found = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return found / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def forms(name: str) -> tuple[str, ...]:
    """What --as may say for files of a format."""
    return (name, *(f"{name}:{dialect.name}" for dialect in all_formats()[name].dialects))


def one_of(choices: Sequence[str], data: bytes) -> str:
    """Always the same for the same input."""
    return choices[zlib.crc32(data) % len(choices)]


def linted(data: bytes, name: str, forms: Sequence[str], path: Path | None = None) -> engine.Result:
    """An input read as what it is said to be: answered in time, with findings that lie inside its text and can be written."""
    with bounded(data):
        result = engine.lint_bytes(data, name, as_format=one_of(forms, data), path=path)
        lies_inside(result.findings, result.lines.text)
        format_ = one_of([*report.FORMATS], data)
        report.write([report.locate(result)], format_, io.StringIO(newline=""))
    return result


def lies_inside(findings: list[Finding], text: str) -> None:
    for finding in findings:
        demand(finding.name != "internal-error", finding.message)
        spans = [finding.span, *(related.span for related in finding.related)]
        spans += [edit.span for edit in finding.fix.edits] if finding.fix else []
        for start, end in spans:
            demand(
                0 <= start <= end <= len(text), f"{finding.code} at {start} to {end} of {len(text)}: {finding.message}"
            )


def repaired(data: bytes, name: str, forms: Sequence[str]) -> None:
    """What --fix makes of an input can be read, has no new errors, and is left alone by another --fix."""
    text, encoding = decode(data)
    form = one_of(forms, data)

    def lint(text: str) -> list[Finding]:
        return engine.linted(text, engine.Request(name, as_format=form, encoding=encoding)).findings

    before = lint(text)
    for unsafe in (False, True):
        with bounded(data * 20):  # a round is a lint
            fixed = fixes.fix(text, lint, unsafe)
        demand(apply(text, fixed.edits) == fixed.text, "the edits do not lead to the text")
        lies_inside(fixed.findings, fixed.text)
        if not fixed.applied:
            demand(fixed.text == text, "nothing was applied, but the text is another")
            continue
        demand(decode(encode(fixed.text, encoding))[0] == fixed.text, "written and read again it is another text")
        demand(fixed.findings == lint(fixed.text), "the findings are not those of the repaired text")
        _is_readable_and_no_worse(before, fixed.findings)
        again = fixes.fix(fixed.text, lint, unsafe)
        if unsafe and again.text != fixed.text:  # what a guess revealed is fixed by the next --fix
            fixed, again = again, fixes.fix(again.text, lint, unsafe)
        demand(again.text == fixed.text, "fixing it again changes it again")


def _is_readable_and_no_worse(before: list[Finding], after: list[Finding]) -> None:
    """A file that could not be read may show, repaired, what nobody could see before."""
    unreadable = fixes._unreadable(before)
    demand(fixes._unreadable(after) == 0, "it was repaired, but cannot be read")
    if unreadable:
        return
    old, new = (Counter(f.node for f in found if f.severity == Severity.ERROR) for found in (before, after))
    worse = [node for node, number in new.items() if number > old[node]]
    demand(not worse, f"--fix brought errors to {worse}")
