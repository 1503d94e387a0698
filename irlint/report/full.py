"""Each finding with the source around it, what it relates to, and what would help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from irlint.findings import Fix
from irlint.report.base import SHOWN_RELATED, Entry, FileReport, Options, Range
from irlint.report.snippet import Pen, snippet
from irlint.report.terminal import SEVERITY_COLORS, Terminal, is_applicable, label, summary
from irlint.text.safe import visible


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    terminal = Terminal(stream, options.color)
    for file in files:
        for entry in file.entries:
            terminal.line("\n".join(_finding(terminal, file.name, entry, options)) + "\n")
    for text in summary(options.totals, options):
        terminal.line(text)


def _finding(terminal: Terminal, name: str, entry: Entry, options: Options) -> list[str]:
    finding = entry.finding
    lines = [f"{label(terminal, finding, options)} {terminal.style('bold', visible(finding.message))}"]
    lines += snippet(Pen(terminal, "^", SEVERITY_COLORS[finding.severity]), _address(name, entry.at), entry.excerpt)
    note = terminal.style("bold", "note:")
    for place, (at, excerpt) in zip(finding.related[:SHOWN_RELATED], entry.related, strict=False):
        lines.append(f"{note} {visible(place.message)}")
        lines += snippet(Pen(terminal, "-", "blue"), _address(name, at), excerpt)
    if len(finding.related) > SHOWN_RELATED:
        lines.append(f"{note} and {len(finding.related) - SHOWN_RELATED} more")
    if finding.fix is not None:
        lines.append(f"{terminal.style('help', 'help:')} {_help(finding.fix, options)}")
    return lines


def _address(name: str, at: Range) -> str:
    return f"{name}:{at.line}:{at.column}"


def _help(fix: Fix, options: Options) -> str:
    title = visible(fix.title) or "Apply the fix"
    return title if is_applicable(fix, options) else f"{title} (unsafe: only with --unsafe-fixes)"
