"""What is new since an earlier report, object by object: --since and --new-only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irlint.records import replace
from irlint.text.safe import visible
from irlint.text.words import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irlint.cli._objects import Earlier
    from irlint.report.objects import Record
    from irlint.zoo.outcome import ObjectOutcome


class Since:
    """An earlier report, read along with the outcomes of a run. `is_only`: nothing but new findings stays."""

    def __init__(self, report: Earlier, is_only: bool) -> None:
        self._name, self._is_only = report.name, is_only
        self._then: Iterator[Record] = report.records()
        self._next = next(self._then, None)
        self.new = self.fixed = self.added = self.removed = 0

    def sift(self, outcome: ObjectOutcome) -> ObjectOutcome:
        """Return an outcome, those of a run in order, without the findings that are not shown."""
        from irlint.report.objects import may_be_model
        from irlint.report.since import are_comparable, changes
        from irlint.zoo.outcome import record_of

        now = record_of(outcome)
        then = self._find(now["url"])
        self.added += then is None and may_be_model(now)
        new: list[int] = []
        if are_comparable(now, then):
            new, gone = changes(now, then)
            self.new += len(new)
            self.fixed += gone.total()
        report = outcome.report
        if report is None or not self._is_only:
            return outcome
        return replace(outcome, report=replace(report, entries=tuple(report.entries[number] for number in new)))

    def _find(self, url: str) -> Record | None:
        while self._next is not None and self._next["url"] < url:
            self._pass(self._next)
        if self._next is None or self._next["url"] != url:
            return None
        found, self._next = self._next, next(self._then, None)
        return found

    def _pass(self, gone: Record) -> None:
        from irlint.report.objects import may_be_model

        self.removed += may_be_model(gone)
        self._next = next(self._then, None)

    def summary(self) -> str:
        """Return what has changed, after the last outcome."""
        while self._next is not None:
            self._pass(self._next)
        objects = f"{count(self.added, 'new model')}, {self.removed:,} removed"
        return f"since {visible(self._name)}: {count(self.new, 'new finding')}, {self.fixed:,} fixed; {objects}"
