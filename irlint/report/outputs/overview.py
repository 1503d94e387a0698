"""Many findings by rule, with a few examples of each: what a person reads first of a whole store. A few findings are shown in full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TextIO

from irlint.findings import Severity
from irlint.records import dataclass, field
from irlint.report.base import FileReport, Options, ReportedFinding
from irlint.report.outputs.text import place, write_full
from irlint.report.terminal import INDENT, MANY, SEVERITY_COLORS, LineHead, Terminal, summary
from irlint.text.safe import brief
from irlint.text.words import count

EXAMPLES = 3  # of errors; of others one
_LONGEST = 2000  # characters of a message that is kept


@dataclass(slots=True)
class _Row:
    """The findings of one rule with one severity."""

    name: str
    findings: int = 0
    files: int = 0
    examples: list[tuple[str, int, int, str]] = field(default_factory=list)  # file, line, column, message


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    first, rest = _few(files)
    if rest is None:
        write_full(first, stream, options)
        return
    rows: dict[tuple[int, str], _Row] = {}
    for file in chain(first, rest):
        _add(file, rows)
    terminal = Terminal(stream, options.color, options.columns)
    for (severity, code), row in sorted(rows.items(), key=lambda item: (-item[0][0], -item[1].files, item[0][1])):
        _write(Severity(severity), code, row, terminal)
    for text in summary(options.totals, options, by_rule=False):
        terminal.line(text)


def _few(files: Iterable[FileReport]) -> tuple[list[FileReport], Iterator[FileReport] | None]:
    """Return all files with findings, if those are few; else the first ones, and the rest."""
    found, number, rest = [], 0, iter(files)
    for file in rest:
        if file.entries:
            found.append(file)
            number += len(file.entries)
            if number > MANY:
                return found, rest
    return found, None


def _add(file: FileReport, rows: dict[tuple[int, str], _Row]) -> None:
    seen: dict[tuple[int, str], ReportedFinding] = {}
    for entry in file.entries:
        finding = entry.finding
        key = int(finding.severity), finding.code
        row = rows.setdefault(key, _Row(finding.name))
        row.findings += 1
        seen.setdefault(key, entry)
    for key, entry in seen.items():
        row = rows[key]
        row.files += 1
        if len(row.examples) < (EXAMPLES if key[0] == Severity.ERROR else 1):
            row.examples.append((file.name, entry.at.line, entry.at.column, brief(entry.finding.message, _LONGEST)))


def _write(severity: Severity, code: str, row: _Row, terminal: Terminal) -> None:
    label = f"{terminal.style(SEVERITY_COLORS[severity], code)}[{row.name}]"
    times = count(row.findings, str(severity) if severity != Severity.PEDANTIC else "pedantic finding")
    terminal.line(f"{label} {times} in {count(row.files, 'file')}")
    for name, line, column, message in row.examples:
        where = place(terminal, name, line, column)
        head = LineHead(f"{INDENT}{where.text}", len(INDENT) + where.size)
        terminal.line(terminal.wrapped(head, terminal.words(message)))
    if row.files > len(row.examples):
        terminal.line(f"{INDENT}and {count(row.files - len(row.examples), 'more file')}")
