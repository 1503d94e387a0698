"""Output on terminals, with colors."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TextIO

from irlint.findings import Finding, Fix, Severity
from irlint.records import NamedTuple
from irlint.report.base import ROOM, Options, Totals
from irlint.text.safe import put, visible
from irlint.text.words import count, more_than

_CODES = {"red": "1;31", "yellow": "1;33", "blue": "1;34", "cyan": "36", "help": "1;36", "bold": "1"}
_CODES |= {"removed": "31", "added": "32"}  # of lines that a fix changes
SEVERITY_COLORS = {
    Severity.ERROR: "red",
    Severity.WARNING: "yellow",
    Severity.INFO: "blue",
    Severity.PEDANTIC: "cyan",
}

INDENT = "    "  # of lines that continue the one above
_FILES = 20  # that were changed and are named
MANY = 20  # findings: more are counted by rule


class LineHead(NamedTuple):
    """The head of a line, and its number of cells without colors."""

    text: str
    size: int


class Terminal:
    """A stream with styles."""

    def __init__(self, stream: TextIO, color: bool, columns: int | None = None) -> None:
        self.stream, self.color, self.columns = stream, color, columns
        self._codes = {style: (f"\x1b[{code}m", "\x1b[0m") if color else ("", "") for style, code in _CODES.items()}
        self._codes["plain"] = "", ""
        self.room = ROOM if columns is None else columns  # for lines that can be made shorter

    def style(self, style: str, text: str) -> str:
        on, off = self._codes[style]
        return f"{on}{text}{off}" if text else text

    def codes(self, style: str) -> tuple[str, str]:
        """Return the escape sequences before and after a text of a style."""
        return self._codes[style]

    def words(self, text: str) -> str:
        """Return a message as it can be shown here: names that are longer than a line are cut."""
        if self.columns is not None and len(text) > self.columns:
            from irlint.report.alike import shortened

            text = shortened(text, self.columns)
        return visible(text)

    def wrapped(self, head: LineHead, text: str, style: str = "plain") -> str:
        """Return a text after a head, wrapped to the terminal with indentation."""
        if self.columns is None:
            return f"{head.text} {self.style(style, text)}"
        from irlint.text.wrap import wrap

        first, *others = wrap(text, self.columns, head.size + 1, INDENT)
        line = f"{head.text} {self.style(style, first)}" if first else head.text
        return "".join((line, *(f"\n{INDENT}{self.style(style, other[len(INDENT) :])}" for other in others)))

    def line(self, text: str = "") -> None:
        put(self.stream, text + "\n", self.color)


def label(terminal: Terminal, finding: Finding, options: Options) -> LineHead:
    """Return CODE[name], a star if --fix would fix the finding, and the severity unless it is an error."""
    star = " [*]" if is_applicable(finding.fix, options) else ""
    rest = f" {finding.severity}:" if finding.severity != Severity.ERROR else ""
    size = len(f"{finding.code}[{finding.name}]{star}{rest}")
    code = terminal.style(SEVERITY_COLORS[finding.severity], finding.code)
    return LineHead(f"{code}[{finding.name}]{star.replace('*', terminal.style('cyan', '*'))}{rest}", size)


def is_applicable(fix: Fix | None, options: Options) -> bool:
    return options.can_fix and fix is not None and (options.unsafe_fixes or not fix.needs_flag)


def summary(totals: Totals, options: Options, by_rule: bool = True) -> list[str]:
    """Return the last lines of a report: findings by rule, totals, and the number of fixable findings."""
    if options.quiet:
        return []
    lines = [line for text in _fixed(totals) for line in _wrapped(text, options)]
    if not totals.files:
        return [
            *lines,
            f"No files checked: {_others(totals, 'unsupported formats') or 'no model files found'}.",
        ]
    rest = list(_left_out(totals))
    if not totals.findings:
        return [*lines, f"All checks passed: {count(totals.files, 'file')}.", *rest]
    kinds = [(totals.errors, "error"), (totals.warnings, "warning"), (totals.infos, "info")]
    found = ", ".join(count(number, kind) for number, kind in kinds if number)
    if totals.pedantic:
        found += f"{found and ', '}{count(totals.pedantic, 'pedantic finding')}"
    fixable = _fixable(totals, options)
    found = f"Found {found} in {count(totals.files_with_findings, 'file')}{fixable and f' ({fixable})'}."
    numbers = [*lines, *_wrapped(found, options), *rest]
    return [*(_by_rule(totals) if by_rule else ()), *numbers, *_hints(totals, options)]


def left_out(totals: Totals) -> list[str]:
    """Return the lines of a summary about what is not among the findings of a report."""
    return [*_fixed(totals), *_left_out(totals)]


def _fixed(totals: Totals) -> Iterator[str]:
    some = f"{totals.fixed_proven} of them " if totals.fixed_proven < totals.fixed else ""
    proven = f" ({some}proven)" if totals.fixed_proven else ""
    if totals.fixed and totals.files == 1:
        yield f"Fixed {count(totals.fixed, 'finding')}{proven}."
    elif totals.fixed:
        names = [*map(visible, islice(totals.fixed_in, _FILES)), *more_than(_FILES, totals.fixed_in)]
        files = count(len(totals.fixed_in), "file")
        yield f"Fixed {count(totals.fixed, 'finding')}{proven} in {files}: {', '.join(names)}."


def _left_out(totals: Totals) -> Iterator[str]:
    if totals.known:
        yield f"Not reported: {count(totals.known, 'known finding')} in the baseline."
    if others := _others(totals, "other formats"):
        yield f"Not checked: {others}."


def _hints(totals: Totals, options: Options) -> list[str]:
    """Return what helps to read the findings: which lines they name, and in a terminal the command that explains the first."""
    said = list(totals.said_of_lines)
    if options.columns is not None and totals.first is not None:
        _, code, format_name = totals.first
        said.append(f"For more about {code}, run `irlint rule {code} --format {format_name}`.")
    return [line for text in said for line in _wrapped(text, options)]


def _wrapped(text: str, options: Options) -> list[str]:
    from irlint.text.wrap import wrap

    return wrap(text, options.columns, indent=INDENT)


def _by_rule(totals: Totals) -> list[str]:
    """Return a row per rule, the most frequent first, and an empty line, if there are many findings."""
    if totals.findings <= MANY:
        return []
    from irlint.text.wrap import table

    rules = sorted(totals.rules.items(), key=lambda item: (-item[1], item[0]))
    return [*table([(f"{number:,}", code, name) for (code, name), number in rules], right=(0,)), ""]


def _others(totals: Totals, formats: str) -> str:
    """Return the numbers of models of unsupported formats, the most frequent format first."""
    kinds = sorted(totals.others.items(), key=lambda item: (-item[1], item[0]))
    names = ", ".join(f"{name} {number}" for name, number in kinds)
    return f"{count(sum(totals.others.values()), 'model')} of {formats} ({names})" if names else ""


def _fixable(totals: Totals, options: Options) -> str:
    if not options.can_fix:
        return ""
    if options.unsafe_fixes:
        number = totals.safe_fixes + totals.proven_fixes + totals.unsafe_fixes
        return f"{number} fixable with --fix --unsafe-fixes" if number else ""
    made = totals.safe_fixes + totals.proven_fixes
    parts = [f"{made} fixable with --fix"] if made else []
    if totals.proven_fixes:
        parts.append(f"{totals.proven_fixes} of them proven" if totals.safe_fixes else "proven")
    if totals.unsafe_fixes:
        parts.append(f"{totals.unsafe_fixes}{'' if parts else ' fixable'} with --unsafe-fixes")
    return ", ".join(parts)
