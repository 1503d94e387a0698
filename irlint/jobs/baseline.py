"""Baselines: known findings, counted by file, rule and node (or key, where there are no nodes), so that they survive edits elsewhere."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from typing import TYPE_CHECKING

from irlint.codes import R
from irlint.files.read import Unreadable, read
from irlint.records import replace
from irlint.report.base import FileReport, ReportedFinding
from irlint.tools import UserError

if TYPE_CHECKING:
    from irlint.settings import Settings

VERSION = 1
ANEW = "; delete it and write a new one with --write-baseline"

Kinds = Counter[tuple[str, str]]  # by code, and node or place


_NUMBER = re.compile(r"\d+")


class BaselineError(UserError):
    """The reason why a file is not a valid baseline."""


class Baseline:
    """The numbers of known findings of each kind in each file, named relative to the baseline's own folder."""

    def __init__(self, path: str) -> None:
        self.folder = os.path.dirname(os.path.abspath(path))
        self.known: dict[str, Kinds] = {}
        self.stale: dict[str, Kinds] = {}  # known, but no longer found

    @classmethod
    def load(cls, path: str) -> Baseline:
        baseline = cls(path)
        try:
            content = json.loads(read(path))
            if content["version"] != VERSION:
                raise BaselineError(f"{path} is a baseline of an incompatible version of irlint{ANEW}")
            for file, rules in content["findings"].items():
                kinds = baseline.known[file] = Counter()
                for code, nodes in rules.items():
                    for node, number in nodes.items():
                        kinds[code, _lasting(node)] += _count(number)
        except Unreadable as error:
            raise BaselineError(f"{path}: {error}") from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BaselineError(f"{path} is not a baseline{ANEW}") from error
        return baseline

    def new(self, report: FileReport, settings: Settings) -> FileReport:
        """Return the report without known findings: of each kind the first ones, as many as the baseline has.

        What is left over of the known ones is stale, if the settings have its rule checked.
        """
        file = self._file(report.name)
        left = Counter(self.known.get(file, {}))
        entries = []
        for entry in report.entries:
            kind = _kind(entry)
            if left[kind] > 0:
                left[kind] -= 1
            else:
                entries.append(entry)
        self.stale[file] = +Counter({kind: n for kind, n in left.items() if _is_checked(kind[0], settings)})
        return replace(report, entries=tuple(entries), known=len(report.entries) - len(entries))

    def no_model(self, name: str) -> None:
        """Mark the entries of a file that is no longer a model as stale."""
        if (file := self._file(name)) in self.known:
            self.stale[file] = self.known[file]

    def finish(self) -> None:
        """Mark the entries of removed files as stale, after all files were checked."""
        for file, kinds in self.known.items():
            if file not in self.stale and not os.path.exists(os.path.join(self.folder, file)):
                self.stale[file] = kinds

    def shrink(self) -> None:
        """Remove stale entries."""
        for file, kinds in self.stale.items():
            self.known[file] = self.known.get(file, Counter()) - kinds
        self.known = {file: kinds for file, kinds in self.known.items() if kinds}
        self.stale = {}

    def add(self, report: FileReport) -> None:
        entries = [entry for entry in report.entries if entry.finding.code != R.internal_error.code]
        if entries:
            self.known.setdefault(self._file(report.name), Counter()).update(map(_kind, entries))

    @property
    def size(self) -> int:
        return sum(kinds.total() for kinds in self.known.values())

    def stale_entries(self) -> list[str]:
        """Return one line for each kind of finding that is no longer found, in the order of the file."""
        return [
            f"{file}: {code}{f' at {node}' if node else ''}{f', {number} times' if number > 1 else ''}"
            for file, kinds in sorted(self.stale.items())
            for (code, node), number in sorted(kinds.items())
        ]

    def dump(self) -> str:
        """Return the file's text, sorted, so that it changes only where findings do."""
        findings: dict[str, dict[str, dict[str, int]]] = {}
        for file, kinds in sorted(self.known.items()):
            rules = findings[file] = {}
            for (code, node), number in sorted(kinds.items()):
                rules.setdefault(code, {})[node] = number
        return json.dumps({"version": VERSION, "findings": findings}, indent=1) + "\n"

    def _file(self, name: str) -> str:
        return os.path.relpath(os.path.abspath(name), self.folder).replace(os.sep, "/")


def _is_checked(code: str, settings: Settings) -> bool:
    from irlint.rules import registry

    rule = registry.find(code)
    return settings.wants(code, rule.name if rule else "")


def _kind(entry: ReportedFinding) -> tuple[str, str]:
    found = entry.finding
    return found.code, _lasting(found.node) if found.node else _named(found.pointer or "")


def _named(pointer: str) -> str:
    """Return a place if it consists of names alone, such as a key of a configuration; that of an item of a list changes with others."""
    return pointer if not any(map(_NUMBER.fullmatch, pointer.split("/"))) else ""


def _lasting(node: str) -> str:
    """Return the lasting name of a node; empty if it only has a number, which changes when nodes are inserted."""
    return "" if _NUMBER.fullmatch(node) else node


def _count(number: object) -> int:
    if type(number) is not int or number < 1:
        raise ValueError("not a number of findings")
    return number
