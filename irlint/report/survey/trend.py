"""What changed since an earlier report, object by object."""

from __future__ import annotations

from irlint.records import dataclass
from irlint.report.objects import Record, is_readable
from irlint.report.since import are_comparable, changes
from irlint.report.survey.rows import Rows, Top
from irlint.report.survey.tally import MOST_ROWS, ModelEntry

SHOWN = 20


@dataclass(slots=True)
class RuleChange:
    new: int = 0
    fixed: int = 0
    severity: str = "clean"
    url: str | None = None


class Trend:
    def __init__(self) -> None:
        self.same = self.changed = 0  # objects
        self.new_in_new = self.new = self.fixed = 0  # findings; `new` has those in new objects, too
        self.rules: Rows[tuple[str, str], RuleChange] = Rows(RuleChange, MOST_ROWS)
        self.worse: Top[tuple[ModelEntry, int]] = Top(SHOWN)  # objects with new findings, and how many
        self.better: Top[tuple[str, int]] = Top(SHOWN)
        self.added: Top[str] = Top(SHOWN)
        self.removed: Top[str] = Top(SHOWN)
        self.lost: Top[tuple[str, str]] = Top(SHOWN)  # that could be read before

    def add(self, now: Record | None, then: Record | None) -> None:
        if now is None:
            if then is not None:
                self.removed.add(0, lambda: then["url"])
            return
        if then is None:
            self.added.add(0, lambda: now["url"])
        elif (now["size"], now["etag"]) == (then["size"], then["etag"]):
            self.same += 1
        else:
            self.changed += 1
        if are_comparable(now, then):
            self._compare(now, then)
        elif then is None or is_readable(then):
            self.lost.add(0, lambda: (now["url"], now["failure"] or now["trouble"]))

    def _compare(self, now: Record, then: Record | None) -> None:
        numbers, gone = changes(now, then)
        fresh = [now["findings"][number] for number in numbers]
        for finding in fresh:
            rule = self.rules[finding["code"], finding["name"]]
            rule.new += 1
            rule.severity, rule.url = finding["severity"], finding["url"]
        for key, number in gone.items():
            rule = self.rules[key[:2]]
            rule.fixed += number
            rule.severity = key[4]
        fixed = gone.total()
        self.new += len(fresh)
        self.fixed += fixed
        if then is None:
            self.new_in_new += len(fresh)
        elif fresh:
            rank = sum(finding["severity"] == "error" for finding in fresh), len(fresh)
            self.worse.add(rank, lambda: (ModelEntry({**now, "findings": fresh}, {}), len(fresh)))
        if fixed:
            self.better.add(fixed, lambda: (now["url"], fixed))
