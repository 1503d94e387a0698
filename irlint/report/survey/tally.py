"""The figures of a survey, taken object by object, and the models with findings as lists show them."""

from __future__ import annotations

from bisect import bisect_right
from sys import intern
from typing import Any

from irlint.records import dataclass, field
from irlint.report.alike import Group, grouped
from irlint.report.objects import Record, is_model, report_of, total_size
from irlint.report.survey.rows import TableRows, Top

MOST_ROWS = 2000  # of formats, opsets, producers and rules
SHOWN = 100  # folders
WORST = 3000  # models with findings
UNREAD = 100
LARGEST = 20
EXAMPLES = 2
STATES = ("error", "warning", "info", "clean")  # of a model: its most severe finding
SEVERITIES = STATES[:3]
STATE_OF = {"error": "error", "warning": "warning", "info": "info", "pedantic": "info"}

# Bounds of the histogram: powers of two, from 64 bytes on
BOUNDS = [1 << power for power in range(6, 45)]


@dataclass(slots=True)
class RuleGroup:
    """Models with something in common."""

    models: int = 0
    size: int = 0
    findings: int = 0
    states: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATES, 0))

    def add(self, state: str, size: int, findings: int) -> None:
        self.models += 1
        self.size += size
        self.findings += findings
        self.states[state] += 1


@dataclass(slots=True)
class RuleCount:
    """A rule's findings by severity, and the models that have them by the most severe in each."""

    findings: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEVERITIES, 0))
    models: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEVERITIES, 0))
    url: str | None = None
    examples: list[tuple[str, int]] = field(default_factory=list)  # models and lines

    @property
    def total(self) -> int:
        return sum(self.models.values())


class Tally:
    def __init__(self) -> None:
        self.objects = self.others = self.failed = self.size = self.unsized = 0
        self.pedantic = 0  # of the findings that are counted as infos
        self.models = RuleGroup()
        self.counts = dict.fromkeys(SEVERITIES, 0)  # findings
        self.common: str | None = None  # what all URLs begin with
        self.rules: TableRows[tuple[str, str], RuleCount] = TableRows(RuleCount, MOST_ROWS)
        self.formats: TableRows[tuple[str, str], RuleGroup] = TableRows(RuleGroup, MOST_ROWS)
        self.opsets: TableRows[tuple[str, str], RuleGroup] = TableRows(RuleGroup, MOST_ROWS)
        self.producers: TableRows[str, RuleGroup] = TableRows(RuleGroup, MOST_ROWS)
        self.folders = Folders(1), Folders(2)
        self.worst: Top[ModelEntry] = Top(WORST)
        self.largest: Top[tuple[str, str, int]] = Top(LARGEST)  # URL, format and size
        self.unread: Top[tuple[str, str, bool]] = Top(UNREAD)  # in the order of URLs
        self.histogram = [0] * (len(BOUNDS) + 1)

    def add(self, record: Record) -> None:
        url = record["url"]
        self.objects += 1
        if self.common is None or not url.startswith(self.common):
            self.common = url if self.common is None else _common(self.common, url)
        trouble, failure = record["trouble"], record["failure"]
        if trouble is not None or failure is not None:
            self.failed += failure is not None
            self.unread.add(0, lambda: (url, failure or trouble, failure is not None))
        elif is_model(record):
            self._add_model(record)
        else:
            self.others += 1

    def _add_model(self, record: Record) -> None:
        size, findings = total_size(record), record["findings"]
        counts = self._count(record) if findings else dict.fromkeys(self.counts, 0)
        state = next((state for state in STATES if counts.get(state)), "clean")
        self.unsized += record["size"] is None
        self.size += size
        of_format, dialect = record["format"] or "", record["dialect"] or ""
        for group in (
            self.models,
            self.formats[of_format, dialect],
            self.opsets[of_format, record["opset"] or ""],
            self.producers[record["producer"] or ""],
        ):
            group.add(state, size, len(findings))
        for folders in self.folders:
            folders.add(record["url"], record["key"], state, size, len(findings))
        self.histogram[bisect_right(BOUNDS, size)] += 1
        if findings:
            rank = counts["error"], counts["warning"], len(findings)
            self.worst.add(rank, lambda: ModelEntry(record, counts))
        self.largest.add(size, lambda: (record["url"], of_format, size))

    def _count(self, record: Record) -> dict[str, int]:
        """Count a model's findings by rule; return how many there are of each severity."""
        counts = dict.fromkeys(self.counts, 0)
        worst: dict[int, tuple[RuleCount, str]] = {}
        for finding in record["findings"]:
            state = STATE_OF[finding["severity"]]
            counts[state] += 1
            self.pedantic += finding["severity"] == "pedantic"
            rule = self.rules[finding["code"], finding["name"]]
            rule.findings[state] += 1
            if (seen := worst.get(id(rule))) is None:
                worst[id(rule)] = rule, state
                rule.url = rule.url or finding["url"]
                if len(rule.examples) < EXAMPLES:
                    rule.examples.append((record["url"], finding["line"]))
            elif STATES.index(state) < STATES.index(seen[1]):
                worst[id(rule)] = rule, state
        for rule, state in worst.values():
            rule.models[state] += 1
        for state, number in counts.items():
            self.counts[state] += number
        return counts

    def end(self) -> None:
        """Complete the figures once every object has been added."""
        for folders in self.folders:
            folders.end()


def _common(first: str, second: str) -> str:
    size = next((k for k, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), len(second))
    return first[:size]


class Folders:
    """Models by the first segments of their keys. Objects come in order, so that one folder at a time is open."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._name: str | None = None
        self._group = RuleGroup()
        self.top: Top[tuple[str, RuleGroup]] = Top(SHOWN)

    def add(self, url: str, key: str, state: str, size: int, findings: int) -> None:
        root = url[: len(url) - len(key)] if url.endswith(key) else ""
        name = root + "".join(f"{part}/" for part in key.split("/")[:-1][: self._depth])
        if name != self._name:
            self.end()
            self._name = name
        self._group.add(state, size, findings)

    def end(self) -> None:
        name, group = self._name, self._group
        if name is not None:
            rank = group.states["error"], group.states["warning"], group.models
            self.top.add(rank, lambda: (name, group))
        self._name, self._group = None, RuleGroup()


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
