"""For people: each finding with the source around it, or a line (FILE:LINE:COLUMN: CODE[name] [*] MESSAGE) for similar findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from irlint.report.base import FileReport, Options, ReportedFinding
from irlint.report.terminal import INDENT, MANY, LineHead, Terminal, label, summary
from irlint.text.safe import visible, width

if TYPE_CHECKING:
    from irlint.report.alike import Repeats

BLOCK = 100  # findings that are written at once


def write_full(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    terminal, repeats = Terminal(stream, options.color, options.columns), None
    for file in files:
        if file.entries:
            repeats = repeats or _repeats(options)
            _full_of(file, repeats.fresh(file), terminal, options)
    _tell(repeats, terminal)
    for text in summary(options.totals, options):
        terminal.line(text)


def _repeats(options: Options) -> Repeats:
    from irlint.report.alike import Repeats  # clean files do without

    return Repeats(options)


def _tell(repeats: Repeats | None, terminal: Terminal) -> None:
    if repeats is not None and repeats.line:
        from irlint.text.wrap import wrap

        terminal.line("\n".join(wrap(repeats.line, terminal.columns, indent=INDENT)))


def _full_of(file: FileReport, entries: Sequence[ReportedFinding], terminal: Terminal, options: Options) -> None:
    from irlint.report.alike import grouped
    from irlint.report.drawing import Drawing  # clean files do without

    draw = Drawing(terminal, visible(file.name), options).draw
    lines: list[str] = []
    for number, group in enumerate(grouped(entries, options.show_all), 1):
        draw(group, lines)
        if number % BLOCK == 0:
            terminal.line("\n".join(lines))
            lines.clear()
    if lines:
        terminal.line("\n".join(lines))


def write_concise(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    terminal, repeats = Terminal(stream, options.color, options.columns), None
    for file in files:
        if file.entries:
            repeats = repeats or _repeats(options)
            _concise_of(file, repeats.fresh(file), terminal, options)
    _tell(repeats, terminal)
    if options.totals.findings > MANY and not options.quiet:
        terminal.line()
    for text in summary(options.totals, options):
        terminal.line(text)


def _concise_of(file: FileReport, entries: Sequence[ReportedFinding], terminal: Terminal, options: Options) -> None:
    from irlint.report.alike import grouped, more  # clean files do without

    for group in grouped(entries, options.show_all):
        at, finding = group.entry.at, group.entry.finding
        kind = label(terminal, finding, options)
        where = place(terminal, file.name, at.line, at.column)
        head = LineHead(f"{where.text} {kind.text}", where.size + 1 + kind.size)
        terminal.line(terminal.wrapped(head, terminal.words(finding.message)))
        if group.lines:
            terminal.line(f"{INDENT}{more(group, terminal.room - len(INDENT))}")


def place(terminal: Terminal, name: str, line: int, column: int) -> LineHead:
    """Return FILE:LINE:COLUMN: as the beginning of a line."""
    shown, colon = path(name), terminal.style("cyan", ":")
    text = f"{terminal.style('bold', shown)}{colon}{line}{colon}{column}{colon}"
    return LineHead(text, width(shown) + len(f":{line}:{column}:"))


def path(name: str) -> str:
    """Return a file's name, safe at the beginning of a line, where CI systems take `::` for a command."""
    shown = visible(name)
    return f"./{shown}" if f"{shown}:".lstrip().startswith("::") else shown
