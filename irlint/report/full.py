"""Each finding with the source around it, what it relates to, and what would help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from irlint.findings import Fix
from irlint.report.base import SHOWN_RELATED, Entry, FileReport, Options, Range
from irlint.report.snippet import Pen, snippet
from irlint.report.terminal import SEVERITY_COLORS, Terminal, is_applicable, label, summary
from irlint.text.safe import visible

BLOCK = 100  # findings that are written at once


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    terminal = Terminal(stream, options.color)
    for file in files:
        draw = Drawing(terminal, visible(file.name), options).draw
        for at in range(0, len(file.entries), BLOCK):
            lines: list[str] = []
            for entry in file.entries[at : at + BLOCK]:
                draw(entry, lines)
            terminal.line("\n".join(lines))
    for text in summary(options.totals, options):
        terminal.line(text)


class Drawing:
    """Draws the findings of one file."""

    def __init__(self, terminal: Terminal, name: str, options: Options) -> None:
        self.terminal, self.name, self.options = terminal, name, options
        self.pens = {severity: Pen(terminal, "^", color) for severity, color in SEVERITY_COLORS.items()}
        self.note = terminal.style("bold", "note:")
        self.help = terminal.style("help", "help:")

    def draw(self, entry: Entry, lines: list[str]) -> None:
        """Adds the lines that show a finding, an empty one last."""
        finding, terminal = entry.finding, self.terminal
        lines.append(f"{label(terminal, finding, self.options)} {terminal.style('bold', visible(finding.message))}")
        lines += snippet(self.pens[finding.severity], self._address(entry.at), entry.excerpt)
        if finding.related:
            self._draw_related(entry, lines)
        if finding.fix is not None:
            lines.append(f"{self.help} {_help(finding.fix, self.options)}")
        lines.append("")

    def _draw_related(self, entry: Entry, lines: list[str]) -> None:
        related = entry.finding.related
        for place, (at, excerpt) in zip(related[:SHOWN_RELATED], entry.related, strict=False):
            lines.append(f"{self.note} {visible(place.message)}")
            lines += snippet(Pen(self.terminal, "-", "blue"), self._address(at), excerpt)
        if len(related) > SHOWN_RELATED:
            lines.append(f"{self.note} and {len(related) - SHOWN_RELATED} more")

    def _address(self, at: Range) -> str:
        return f"{self.name}:{at.line}:{at.column}"


def _help(fix: Fix, options: Options) -> str:
    title = visible(fix.title) or "Apply the fix"
    return title if is_applicable(fix, options) else f"{title} (unsafe: only with --unsafe-fixes)"
