"""Baselines: known findings, counted by file, rule and node, so that they survive edits elsewhere."""

from __future__ import annotations

import json
import os
from collections import Counter

from irlint.files.read import Unreadable, read
from irlint.records import replace
from irlint.report.base import Entry, FileReport

VERSION = 1

Kinds = Counter[tuple[str, str]]  # by code and node


class BaselineError(Exception):
    """Why a file is no baseline."""


class Baseline:
    """How many findings of each kind are known in each file, named relative to the baseline's own folder."""

    def __init__(self, path: str) -> None:
        self.folder = os.path.dirname(os.path.abspath(path))
        self.known: dict[str, Kinds] = {}

    @classmethod
    def load(cls, path: str) -> Baseline:
        baseline = cls(path)
        try:
            content = json.loads(read(path))
            if content["version"] != VERSION:
                raise BaselineError(f"{path} is a baseline of another version of irlint")
            for file, rules in content["findings"].items():
                kinds = baseline.known[file] = Counter()
                for code, nodes in rules.items():
                    for node, number in nodes.items():
                        kinds[code, node] = int(number)
        except Unreadable as error:
            raise BaselineError(f"{path}: {error}") from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BaselineError(f"{path} is no baseline; --write-baseline writes one") from error
        return baseline

    def new(self, report: FileReport) -> FileReport:
        """The report without what is known: of each kind the first ones, as many as there were."""
        left = Counter(self.known.get(self._file(report), {}))
        entries = []
        for entry in report.entries:
            kind = _kind(entry)
            if left[kind] > 0:
                left[kind] -= 1
            else:
                entries.append(entry)
        return replace(report, entries=tuple(entries))

    def add(self, report: FileReport) -> None:
        if report.entries:
            self.known.setdefault(self._file(report), Counter()).update(map(_kind, report.entries))

    @property
    def size(self) -> int:
        return sum(kinds.total() for kinds in self.known.values())

    def dump(self) -> str:
        """The file's text, sorted, so that it changes only where findings do."""
        findings: dict[str, dict[str, dict[str, int]]] = {}
        for file, kinds in sorted(self.known.items()):
            rules = findings[file] = {}
            for (code, node), number in sorted(kinds.items()):
                rules.setdefault(code, {})[node] = number
        return json.dumps({"version": VERSION, "findings": findings}, indent=1) + "\n"

    def _file(self, report: FileReport) -> str:
        return os.path.relpath(os.path.abspath(report.name), self.folder).replace(os.sep, "/")


def _kind(entry: Entry) -> tuple[str, str]:
    return entry.finding.code, entry.finding.node or ""
