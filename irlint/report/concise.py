"""One line per finding: FILE:LINE:COLUMN: CODE[name] [*] MESSAGE."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from irlint.report.base import FileReport, Options
from irlint.report.terminal import Terminal, label, summary
from irlint.text.safe import visible


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    terminal = Terminal(stream, options.color)
    colon = terminal.style("cyan", ":")
    for file in files:
        name = terminal.style("bold", path(file.name))
        for entry in file.entries:
            at, finding = entry.at, entry.finding
            place = f"{name}{colon}{at.line}{colon}{at.column}{colon}"
            terminal.line(f"{place} {label(terminal, finding, options)} {visible(finding.message)}")
    for text in summary(options.totals, options):
        terminal.line(text)


def path(name: str) -> str:
    """A file's name, safe to stand at the beginning of a line: CI systems take `::` there for a command of theirs."""
    shown = visible(name)
    return f"./{shown}" if f"{shown}:".lstrip().startswith("::") else shown
