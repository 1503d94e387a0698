"""A finding with message, source, related notes, fix, and the number of similar ones."""

from __future__ import annotations

from irlint.findings import PROVEN, Fix, Severity
from irlint.report.alike import Group, more
from irlint.report.base import SHOWN_RELATED, Options, ReportedFinding
from irlint.report.snippet import Pen, fixed, snippet
from irlint.report.terminal import SEVERITY_COLORS, LineHead, Terminal, is_applicable, label


class Drawing:
    """A drawing of the findings of one file."""

    def __init__(self, terminal: Terminal, name: str, options: Options) -> None:
        self.terminal, self.name, self.options = terminal, name, options
        self.pens = [Pen(terminal, "^", SEVERITY_COLORS[severity]) for severity in sorted(Severity)]
        self.pen = Pen(terminal, "-", "blue")  # for what is related
        self.note = LineHead(terminal.style("bold", "note:"), len("note:"))
        self.help = LineHead(terminal.style("help", "help:"), len("help:"))
        self.labels: dict[tuple[str, str, int, str | None], LineHead] = {}

    def draw(self, group: Group, lines: list[str]) -> None:
        """Add the lines that show a finding and the number of similar ones, an empty one last."""
        entry = group.entry
        finding, at = entry.finding, entry.at
        fix, severity = finding.fix, +finding.severity  # a number, as the hash of an enum's member is slow
        kind = finding.code, finding.name, severity, fix.safety if fix is not None else None
        if kind not in self.labels:
            self.labels[kind] = label(self.terminal, finding, self.options)
        lines.append(self.terminal.wrapped(self.labels[kind], self.terminal.words(finding.message), "bold"))
        lines += snippet(self.pens[severity], f"{self.name}:{at.line}:{at.column}", entry.excerpt)
        if finding.related:
            self._draw_related(entry, lines)
        if fix is not None:
            lines.append(self.terminal.wrapped(self.help, self._help(fix)))
            if (change := entry.fix_lines) is not None and change.lines:
                lines += fixed(self.pens[severity], change)
        if group.lines:
            lines.append(more(group, self.terminal.room))
        lines.append("")

    def _draw_related(self, entry: ReportedFinding, lines: list[str]) -> None:
        related = entry.finding.related
        most = len(related) if self.options.show_all else SHOWN_RELATED
        for place, (at, excerpt) in zip(related[:most], entry.related, strict=False):
            lines.append(self.terminal.wrapped(self.note, self.terminal.words(place.message)))
            if at != entry.at or place.file:  # else it is a remark on the finding itself, whose place is shown already
                lines += snippet(self.pen, f"{place.file or self.name}:{at.line}:{at.column}", excerpt)
        if (left := len(related) - most) > 0:
            lines.append(f"{self.note.text} and {left:,} more (--show-all lists {'it' if left == 1 else 'them'})")

    def _help(self, fix: Fix) -> str:
        title = self.terminal.words(fix.title) or "Apply the fix"
        if not self.options.can_fix or fix.safety == "safe":
            return title
        if fix.safety == "proven":
            return f"{title} (proven: {PROVEN})"
        return title if is_applicable(fix, self.options) else f"{title} (unsafe: only with --unsafe-fixes)"
