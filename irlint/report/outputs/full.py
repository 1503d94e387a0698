"""Each finding with the source around it, related notes, and its fix."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from irlint.report.base import FileReport, Options
from irlint.report.terminal import Terminal, summary
from irlint.text.safe import visible

BLOCK = 100  # findings that are written at once


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    terminal = Terminal(stream, options.color, options.columns)
    for file in files:
        if file.entries:
            _write(file, terminal, options)
    for text in summary(options.totals, options):
        terminal.line(text)


def _write(file: FileReport, terminal: Terminal, options: Options) -> None:
    from irlint.report.alike import grouped
    from irlint.report.drawing import Drawing  # clean files do without

    draw = Drawing(terminal, visible(file.name), options).draw
    lines: list[str] = []
    for number, group in enumerate(grouped(file.entries, options.show_all), 1):
        draw(group, lines)
        if number % BLOCK == 0:
            terminal.line("\n".join(lines))
            lines.clear()
    if lines:
        terminal.line("\n".join(lines))
