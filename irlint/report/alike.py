"""Similar findings of a file, shown once with the lines of the others, and long names cut to fit a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from irlint.codes import R
from irlint.findings import Finding
from irlint.records import NamedTuple
from irlint.report.base import ROOM, FileReport, Options, ReportedFinding
from irlint.text.words import count
from irlint.tools import later

AT_LEAST = 3  # line numbers, however narrow the terminal is

# Names in single quotes are the author's and differ from node to node; words in backticks are the format's, but for values after `got`.
_QUOTED = r"""(?:'[^']*'|"[^"]*")(?!\w)"""
_NUMBER = r"-?\d[\d.]*(?:e[+-]?\d+)?"
_PIECE = later(
    rf"""
      (?P<got>\bgot\ `[^`]*`)
    | `[^`]*` | did\ you\ mean\ '[^']*'
    | (?P<quoted>(?<!\w){_QUOTED}(?:(?:,\ (?:and\ )?|\ and\ |\ or\ |\ <-\ |\ ->\ ){_QUOTED})*)
    | (?P<list>[\[(][-+\d.,\ ?*]*[\])])
    | (?P<number>(?<![\w.]){_NUMBER}(?:(?:,\ ?|x){_NUMBER})*(?!\w))(?P<noun>\ [a-z]+?(?=s?\b))?s?
    """,
    re.VERBOSE,
)
_IDLE = "'' does not reach an output"
_DIGITS = later(r"U\+[0-9A-F]+|(?<!\w)\d+")


class Group(NamedTuple):
    """A finding, and the lines of similar ones after it."""

    entry: ReportedFinding
    lines: list[int]


class Repeats:
    """Findings of other files that say what has been said: one line of the configuration declares an operator for all of them."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._told: dict[str, str] = {}  # message -> the file that it is shown for
        self.number = 0

    def fresh(self, file: FileReport) -> Sequence[ReportedFinding]:
        """Return the findings of a file that are shown for it."""
        if self.options.show_all:
            return file.entries
        found = [entry for entry in file.entries if not self._is_told(entry.finding, file.name)]
        self.number += len(file.entries) - len(found)
        return found

    def _is_told(self, finding: Finding, name: str) -> bool:
        is_one = finding.code == R.unknown_operator.code and finding.fix is None
        return is_one and self._told.setdefault(finding.message, name) != name

    @property
    def line(self) -> str:
        """Return what is said of those that are not shown; empty if all are."""
        if not self.number or self.options.quiet:
            return ""
        are, them = ("is", "it") if self.number == 1 else ("are", "them")
        return f"{count(self.number, 'finding')} of operators that are reported above {are} not shown (--show-all lists {them})."


def grouped(entries: Sequence[ReportedFinding], show_all: bool = False) -> Iterable[Group]:
    """Return one file's findings in order, each with those that differ from it in names and numbers only.

    Findings that --fix treats differently are not alike, so that none which it repairs is hidden behind one which it does not.
    """
    if show_all or len(entries) < 2:
        return [Group(entry, []) for entry in entries]
    groups: dict[tuple[str, int, str | None, str], Group] = {}
    sentence = Sentences().of
    for entry in entries:
        finding = entry.finding
        fix = finding.fix
        # the severity as a number, as the hash of an enum's member is slow
        key = finding.code, +finding.severity, None if fix is None else fix.safety, sentence(finding)
        if (group := groups.get(key)) is None:
            groups[key] = Group(entry, [])
        else:
            group.lines.append(entry.at.line)
    return groups.values()


class Sentences:
    """Messages without names and numbers. Most differ only in their node's name or a number: those are parsed once."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.parsed: dict[str, str] = {}

    def of(self, finding: Finding) -> str:
        text, node = finding.message, finding.node
        if node:
            text = text.replace(f"'{node}'", "''")
            if "`" in text:
                text = text.replace(f"`{node}`", "''")
            if text.endswith(_IDLE):
                text = _IDLE  # of whatever operator
        known = self.known.get(text)
        if known is None:
            known = self.known[text] = self._parse(_DIGITS.sub("0", text))
        return known

    def _parse(self, text: str) -> str:
        if text not in self.parsed:
            self.parsed[text] = _PIECE.sub(_replacement, text)
        return self.parsed[text]


def _replacement(piece: re.Match[str]) -> str:
    if piece["quoted"] is not None:
        return "'"
    if piece["got"] is not None:
        return "got"
    if piece["list"] is not None:
        return "["
    return piece[0] if piece["number"] is None else f"0{piece['noun'] or ''}"


def more(group: Group, room: int = ROOM) -> str:
    """Return a line about the findings that a group does not show, of about `room` characters; empty if there are none."""
    if not group.lines:
        return ""
    number = len(group.lines)
    start = f"and {number:,} more like this"
    end = f" (--show-all lists {'it' if number == 1 else 'them'})"
    lines = [f"{line}" for line in dict.fromkeys(group.lines) if line != group.entry.at.line]
    if not lines:
        return f"{start} on the same line{end}"
    start += ": lines " if len(lines) > 1 else ": line "
    left = room - len(start) - len(end)
    shown = 0
    for line in lines:
        left -= len(line) + 2
        if left < (3 if shown < len(lines) - 1 else -2) and shown >= AT_LEAST:
            break
        shown += 1
    rest = ["..."] if shown < len(lines) else []
    return f"{start}{', '.join(lines[:shown] + rest)}{end}"


_NAME = later(r"(?<!\w)'([^'\n]*)'(?!\w)")
MARGIN = 8  # cells of a line that are not for a name


def shortened(text: str, columns: int) -> str:
    """Return a message in which names that are longer than a line are cut in their middle, as an exporter's names differ at their
    ends."""
    names = {match[1] for match in _NAME.finditer(text) if len(match[1]) > columns - MARGIN}
    head, size = columns // 8, columns // 2
    short = {name: f"{name[:head]}...{name[head + 3 - size :]}" for name in names}
    if len({*short.values()}) < len(names):
        return text  # the difference may be what it is about
    return _NAME.sub(lambda match: f"'{short.get(match[1], match[1])}'", text)
