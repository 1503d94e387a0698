"""For coding agents: a finding a line, its fix as a diff below it, of each rule no more than a few, and totals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from irlint.report import cells
from irlint.report.base import FileReport, Options, ReportedFinding
from irlint.report.outputs.text import path
from irlint.report.terminal import summary
from irlint.text.safe import put, visible

MOST = 10  # findings of a rule; --show-all shows all


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    shown: dict[str, int] = {}
    names: dict[str, str] = {}
    for file in files:
        for entry in file.entries:
            code = entry.finding.code
            shown[code] = shown.get(code, 0) + 1
            names[code] = entry.finding.name
            if options.show_all or shown[code] <= MOST:
                put(stream, "".join(f"{line}\n" for line in _lines(file, entry)))
    for code, number in sorted(shown.items()):
        if number > MOST and not options.show_all:
            more = f"and {number - MOST} more of {code} {names[code]}"
            put(stream, f"{more} (to list them: --select {code} --show-all)\n")
    put(stream, "".join(f"{line}\n" for line in summary(options.totals, options._replace(columns=None), by_rule=False)))


def _lines(file: FileReport, entry: ReportedFinding) -> Iterable[str]:
    finding = entry.finding
    place = f"{path(file.name)}:{entry.at.line}:{entry.at.column}"
    yield f"{place}: {finding.severity} {finding.code} {finding.name}: {visible(finding.message)}"
    for related, (where, _) in list(zip(finding.related, entry.related, strict=False))[:2]:
        at = f"{path(related.file)}:{where.line}" if related.file else f"line {where.line}"
        yield f"  note: {at}: {visible(related.message)}"
    if finding.fix is None:
        return
    yield f"  {finding.fix.safety} fix: {visible(finding.fix.title)}"
    change = entry.fix_lines
    for sign, row in change.lines if change is not None else ():
        yield f"  {sign} {cells.line(row).text}".rstrip()
    if change is not None and change.more:
        yield f"  ... and {change.more} more"
