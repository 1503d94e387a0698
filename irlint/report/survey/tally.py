"""The figures of a survey, taken object by object."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from irlint.records import dataclass, field
from irlint.report.objects import Record, is_model
from irlint.report.survey.rows import Rows, Top

MOST_ROWS = 2000  # of formats, opsets, producers and rules
SHOWN = 100  # folders
WORST = 50  # models
UNREAD = 100
LARGEST = 20
EXAMPLES = 2
FIRST = 3  # findings of a model that are shown
STATES = ("error", "warning", "info", "clean")  # of a model: its most severe finding
_STATE = {"error": "error", "warning": "warning", "info": "info", "pedantic": "info"}
_RANK = {state: len(STATES) - number for number, state in enumerate(STATES)}

# Bounds of the histogram: 1, 2 and 5 of each power of ten, from 100 bytes on
BOUNDS = [digit * 10**power for power in range(2, 13) for digit in (1, 2, 5)]


@dataclass(slots=True)
class Group:
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
    findings: int = 0
    objects: int = 0
    severity: str = "clean"  # the highest that was seen
    url: str | None = None
    examples: list[tuple[str, int]] = field(default_factory=list)  # objects and lines


class ModelEntry:
    """A model as lists show it."""

    __slots__ = ("counts", "first", "format", "size", "url")

    def __init__(self, record: Record, counts: dict[str, int]) -> None:
        self.url, self.format, self.size = record["url"], record["format"], record["size"]
        self.counts = counts
        found = sorted(record["findings"], key=lambda finding: -_RANK[_STATE[finding["severity"]]])
        self.first: list[Any] = [
            (finding["severity"], finding["code"], finding["name"], finding["line"], finding["message"][:1000])
            for finding in found[:FIRST]
        ]


class Tally:
    def __init__(self) -> None:
        self.objects = self.others = self.failed = self.size = self.unsized = 0
        self.models = Group()
        self.counts = {"error": 0, "warning": 0, "info": 0}  # findings
        self.common: str | None = None  # what all URLs begin with
        self.rules: Rows[tuple[str, str], RuleCount] = Rows(RuleCount, MOST_ROWS)
        self.formats: Rows[tuple[str, str], Group] = Rows(Group, MOST_ROWS)
        self.opsets: Rows[tuple[str, str], Group] = Rows(Group, MOST_ROWS)
        self.producers: Rows[str, Group] = Rows(Group, MOST_ROWS)
        self.folders = Folders(1), Folders(2)
        self.worst: Top[ModelEntry] = Top(WORST)
        self.largest: Top[ModelEntry] = Top(LARGEST)
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
        size, findings = record["size"], record["findings"]
        counts = self._count(record) if findings else dict.fromkeys(self.counts, 0)
        state = next((state for state in STATES if counts.get(state)), "clean")
        self.unsized += size is None
        size = size or 0
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
        self.largest.add(size, lambda: ModelEntry(record, counts))

    def _count(self, record: Record) -> dict[str, int]:
        """Count a model's findings by rule; return how many there are of each severity."""
        counts = dict.fromkeys(self.counts, 0)
        seen: set[int] = set()
        for finding in record["findings"]:
            state = _STATE[finding["severity"]]
            counts[state] += 1
            rule = self.rules[finding["code"], finding["name"]]
            rule.findings += 1
            if _RANK[state] > _RANK[rule.severity]:
                rule.severity = state
            if id(rule) not in seen:
                seen.add(id(rule))
                rule.objects += 1
                rule.url = rule.url or finding["url"]
                if len(rule.examples) < EXAMPLES:
                    rule.examples.append((record["url"], finding["line"]))
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
        self._group = Group()
        self.top: Top[tuple[str, Group]] = Top(SHOWN)

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
        self._name, self._group = None, Group()
