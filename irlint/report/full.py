"""Each finding with the source around it, carets under the very token, what it relates to, and what would help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TextIO

from irlint.findings import Fix
from irlint.report.base import Entry, FileReport, Options, Range
from irlint.report.cells import expand, fit
from irlint.report.excerpt import WIDTH, Excerpt, Row
from irlint.report.terminal import SEVERITY_COLORS, Terminal, is_applicable, label, summary
from irlint.text.base import Span
from irlint.text.safe import visible, width

MAX_RELATED = 4


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    terminal = Terminal(stream, options.color)
    for file in files:
        for entry in file.entries:
            for line in _finding(terminal, file.name, entry, options):
                terminal.line(line)
            terminal.line()
    for text in summary(options.totals, options):
        terminal.line(text)


def _finding(terminal: Terminal, name: str, entry: Entry, options: Options) -> Iterator[str]:
    finding = entry.finding
    yield f"{label(terminal, finding, options)} {terminal.style('bold', visible(finding.message))}"
    yield from _snippet(terminal, name, entry.at, entry.excerpt, "^", SEVERITY_COLORS[finding.severity])
    for related, (at, excerpt) in list(zip(finding.related, entry.related, strict=True))[:MAX_RELATED]:
        yield f"{terminal.style('bold', 'note:')} {visible(related.message)}"
        yield from _snippet(terminal, name, at, excerpt, "-", "blue")
    if (more := len(finding.related) - MAX_RELATED) > 0:
        yield f"{terminal.style('bold', 'note:')} and {more} more"
    if finding.fix is not None:
        yield f"{terminal.style('help', 'help:')} {_help(finding.fix, options)}"


def _help(fix: Fix, options: Options) -> str:
    title = visible(fix.title) or "Apply the fix"
    return title if is_applicable(fix, options) else f"{title} (unsafe: only with --unsafe-fixes)"


def _snippet(terminal: Terminal, name: str, at: Range, excerpt: Excerpt, mark: str, color: str) -> Iterator[str]:
    gutter = len(str(excerpt[-1].number))
    bar = terminal.style("blue", f"{'':{gutter}} |")
    yield f"{'':{gutter}}{terminal.style('blue', '-->')} {visible(name)}:{at.line}:{at.column}"
    yield bar
    marked = [row for row in excerpt if row.start >= 0]
    draw = _one_line if len(marked) == 1 else _many_lines
    for previous, row in pairwise([None, *excerpt]):
        assert row is not None
        if previous is not None and row.number > previous.number + 1:
            yield terminal.style("blue", "..." if gutter < 3 else "." * gutter)
        number = terminal.style("blue", f"{row.number:>{gutter}} |")
        for index, line in enumerate(draw(terminal, row, marked, mark, color)):
            yield f"{bar if index else number}{line}".rstrip()
    yield bar


def _one_line(terminal: Terminal, row: Row, marked: list[Row], mark: str, color: str) -> Iterator[str]:
    shown, start, end = _shown(row)
    yield f" {shown}"
    if row.start >= 0:
        yield f" {'':{start}}{terminal.style(color, mark * max(1, end - start))}"


def _many_lines(terminal: Terminal, row: Row, marked: list[Row], mark: str, color: str) -> Iterator[str]:
    """A line of an excerpt whose mark goes on over several lines: drawn as a rail at the left."""
    shown, start, end = _shown(row)
    rail = terminal.style(color, "|")
    if row.start < 0:
        yield f"   {shown}"
    elif row is marked[0]:
        if shown[:start].isspace() or not start:
            yield f" {terminal.style(color, '/')} {shown}"
        else:
            yield f"   {shown}"
            yield f"  {terminal.style(color, '_' * (start + 1) + mark)}"
    else:
        yield f" {rail} {shown}"
        if row is marked[-1]:
            yield f" {rail}{terminal.style(color, '_' * max(1, end) + mark)}"


def _shown(row: Row) -> tuple[str, int, int]:
    """The line as shown, and the cells at which its mark starts and ends."""
    pieces = expand(row.text)
    widths = [width(piece) for piece in pieces]
    low, high = 0, len(pieces)
    if row.more_before or row.more_after or sum(widths) > WIDTH:
        low, high = fit(widths, Span(max(row.start, 0), max(row.end, 0)), WIDTH)
    before = "..." if row.more_before or low else ""
    after = "..." if row.more_after or high < len(pieces) else ""
    start = len(before) + sum(widths[low : row.start])
    end = start + sum(widths[max(row.start, low) : min(row.end, high)])
    return before + "".join(pieces[low:high]) + after, start, end
