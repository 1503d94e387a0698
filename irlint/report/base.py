"""What a report is told of each file: findings with lines and columns, and the text around each."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from irlint.engine import Result
from irlint.findings import Finding, Severity
from irlint.records import NamedTuple, dataclass, replace
from irlint.report.excerpt import Excerpt, cut
from irlint.rules import links
from irlint.text.base import Lines, Span
from irlint.text.safe import brief

TOKEN_SIZE = 200
NAME_SIZE = 1000
POINTER_SIZE = 10_000
SHOWN_RELATED = 4  # a duplicate of a thousand others is shown with the first few; the JSON report has them all


class Range(NamedTuple):
    """1-based lines and columns in code points, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(slots=True, frozen=True)
class Entry:
    """A finding with all that was a place in it given as lines and columns."""

    finding: Finding
    url: str | None  # of the rule's page, if irlint's own documentation has one
    at: Range
    token: str  # the text at the span, or its beginning
    excerpt: Excerpt
    edits: tuple[Range, ...] = ()  # one for each edit of the fix
    related: tuple[tuple[Range, Excerpt], ...] = ()  # one for each related place


@dataclass(slots=True, frozen=True)
class FileReport:
    """One file's findings as plain data: small, picklable, the same for every output format."""

    name: str
    format: str | None
    dialect: str | None
    entries: tuple[Entry, ...]
    fail_on: Severity = Severity.ERROR  # from which severity on a finding makes the run fail


@dataclass
class Totals:
    """What was counted while a report was written."""

    files: int = 0
    files_with_findings: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    safe_fixes: int = 0
    unsafe_fixes: int = 0
    fixed: int = 0

    @property
    def findings(self) -> int:
        return self.errors + self.warnings + self.infos

    def add(self, report: FileReport) -> None:
        self.files += 1
        self.files_with_findings += bool(report.entries)
        for entry in report.entries:
            severity, fix = entry.finding.severity, entry.finding.fix
            self.errors += severity == Severity.ERROR
            self.warnings += severity == Severity.WARNING
            self.infos += severity == Severity.INFO
            self.safe_fixes += fix is not None and fix.safety == "safe"
            self.unsafe_fixes += fix is not None and fix.safety == "unsafe"


class Options(NamedTuple):
    """What a format may want to know besides the findings."""

    color: bool
    unsafe_fixes: bool
    root: Path
    totals: Totals  # complete once every file has been drawn


def locate(result: Result, fail_on: Severity = Severity.ERROR) -> FileReport:
    """The report of one linted file."""
    documented = links.documented(result.format) if result.findings else frozenset()
    entries = (_entry(result.lines, finding, documented) for finding in result.findings)
    return FileReport(result.name, result.format, result.dialect, tuple(entries), fail_on)


def _entry(lines: Lines, finding: Finding, documented: Collection[str]) -> Entry:
    start, end = finding.span
    if len(finding.node or "") > NAME_SIZE or len(finding.pointer or "") > POINTER_SIZE:
        finding = _named_briefly(finding)
    place = _range(lines, finding.span)
    edits = finding.fix.edits if finding.fix else ()
    return Entry(
        finding,
        links.url(finding.name) if finding.name in documented else None,
        place,
        lines.text[start : min(end, start + TOKEN_SIZE)],
        cut(lines, finding.span),
        tuple([place if edit.span == finding.span else _range(lines, edit.span) for edit in edits]) if edits else (),
        tuple(
            (_range(lines, r.span), cut(lines, r.span, context=0) if at < SHOWN_RELATED else ())
            for at, r in enumerate(finding.related)
        )
        if finding.related
        else (),
    )


def _named_briefly(finding: Finding) -> Finding:
    """Where a file has keys and names of megabytes, a report would have them once per finding."""
    node = None if finding.node is None else brief(finding.node, NAME_SIZE)
    pointer = finding.pointer if len(finding.pointer or "") <= POINTER_SIZE else None
    return replace(finding, node=node, pointer=pointer)


def _range(lines: Lines, span: Span) -> Range:
    first, last = lines.positions(span.start, span.end)
    return Range(*first, *last)
