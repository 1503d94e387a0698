"""Each finding with the source around it, what it relates to, and what would help."""

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

<<<<<<< HEAD
    def __init__(self, terminal: Terminal, name: str, options: Options) -> None:
        self.terminal, self.name, self.options = terminal, name, options
        self.pens = [Pen(terminal, "^", SEVERITY_COLORS[severity]) for severity in sorted(Severity)]
        self.pen = Pen(terminal, "-", "blue")  # for what is related
        self.note = Head(terminal.style("bold", "note:"), len("note:"))
        self.help = Head(terminal.style("help", "help:"), len("help:"))
        self.labels: dict[tuple[str, str, int, str | None], Head] = {}

    def draw(self, group: Group, lines: list[str]) -> None:
        """Adds the lines that show a finding and how many say the same, an empty one last."""
        entry = group.entry
        finding, at = entry.finding, entry.at
        fix, severity = finding.fix, +finding.severity  # a number, as the hash of an enum's member is slow
        kind = finding.code, finding.name, severity, fix.safety if fix is not None else None
        if kind not in self.labels:
            self.labels[kind] = label(self.terminal, finding, self.options)
        lines.append(self.terminal.wrapped(self.labels[kind], visible(finding.message), "bold"))
        lines += snippet(self.pens[severity], f"{self.name}:{at.line}:{at.column}", entry.excerpt)
        if finding.related:
            self._draw_related(entry, lines)
        if fix is not None:
            lines.append(self.terminal.wrapped(self.help, _help(fix, self.options)))
        if group.lines:
            lines.append(more(group, self.terminal.room))
        lines.append("")

    def _draw_related(self, entry: Entry, lines: list[str]) -> None:
        related = entry.finding.related
        for place, (at, excerpt) in zip(related[:SHOWN_RELATED], entry.related, strict=False):
            lines.append(self.terminal.wrapped(self.note, visible(place.message)))
            if at != entry.at:  # else it is a remark on the finding itself, whose place is shown already
                lines += snippet(self.pen, f"{self.name}:{at.line}:{at.column}", excerpt)
        if len(related) > SHOWN_RELATED:
            lines.append(f"{self.note.text} and {len(related) - SHOWN_RELATED} more")


def _help(fix: Fix, options: Options) -> str:
    title = visible(fix.title) or "Apply the fix"
    return title if is_applicable(fix, options) else f"{title} (unsafe: only with --unsafe-fixes)"
=======
    draw = Drawing(terminal, visible(file.name), options).draw
    lines: list[str] = []
    for number, group in enumerate(grouped(file.entries, options.show_all), 1):
        draw(group, lines)
        if number % BLOCK == 0:
            terminal.line("\n".join(lines))
            lines.clear()
    if lines:
        terminal.line("\n".join(lines))
>>>>>>> 7d8e9cf3c96849fcd51ed1d432a96f3873b4bc54
