"""What changed since an earlier report, object by object."""

from __future__ import annotations

from collections import Counter

from irlint.records import dataclass
from irlint.report.objects import Record, is_readable
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
        was_readable = then is None or is_readable(then)
        if was_readable and is_readable(now):
            self._compare(now, then)
        elif was_readable:
            self.lost.add(0, lambda: (now["url"], now["failure"] or now["trouble"]))

    def _compare(self, now: Record, then: Record | None) -> None:
        left = Counter(map(_key, then["findings"])) if then is not None else Counter()
        fresh = []
        for finding in now["findings"]:
            key = _key(finding)
            if left[key] > 0:
                left[key] -= 1
            else:
                fresh.append(finding)
                rule = self.rules[key[:2]]
                rule.new += 1
                rule.severity, rule.url = finding["severity"], finding["url"]
        fixed = 0
        for key, number in left.items():
            if number > 0:
                rule = self.rules[key[:2]]
                rule.fixed += number
                rule.severity = key[4]
                fixed += number
        self.new += len(fresh)
        self.fixed += fixed
        if then is None:
            self.new_in_new += len(fresh)
        elif fresh:
            rank = sum(finding["severity"] == "error" for finding in fresh), len(fresh)
            self.worse.add(rank, lambda: (ModelEntry({**now, "findings": fresh}, {}), len(fresh)))
        if fixed:
            self.better.add(fixed, lambda: (now["url"], fixed))


def _key(finding: Record) -> tuple[str, str, str, str | None, str]:
    """Return what a finding is but for its place in the file, which moves with every edit before it."""
    return finding["code"], finding["name"], finding["message"], finding["node"], finding["severity"]
