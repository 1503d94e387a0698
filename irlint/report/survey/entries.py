"""A model with findings as lists show it: what is alike is one line, and so many characters that thousands fit into memory."""

from __future__ import annotations

from sys import intern
from typing import Any

from irlint.report.alike import Group, grouped
from irlint.report.objects.record import Record, report_of

FIRST = 3  # groups of findings that are alike
_RULES = 40
_LONGEST = 300  # characters of a message


class ModelEntry:
    """A model: how many findings of each severity, the first groups of them, the most severe first, and the codes of its rules."""

    __slots__ = ("codes", "counts", "groups", "left", "url")

    def __init__(self, record: Record, counts: dict[str, int]) -> None:
        entries = report_of(record).entries
        found = sorted(grouped(entries), key=lambda group: -group.entry.finding.severity)
        self.url, self.counts = record["url"], tuple(counts.items())
        self.groups = tuple(map(_line, found[:FIRST]))
        self.left = len(entries) - sum(alike + 1 for *_, alike in self.groups)
        self.codes = tuple(intern(code) for code in sorted({group.entry.finding.code for group in found})[:_RULES])


def _line(group: Group) -> tuple[Any, ...]:
    """Return severity, code, line and message of a group's first finding, and how many there are like it."""
    finding = group.entry.finding
    return (
        str(finding.severity),
        intern(finding.code),
        group.entry.at.line,
        finding.message[:_LONGEST],
        len(group.lines),
    )
