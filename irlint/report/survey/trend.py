"""What changed since an earlier report, object by object."""

from __future__ import annotations

from irlint.records import dataclass, field
from irlint.report.objects.files import are_comparable, changes
from irlint.report.objects.record import Record, is_readable, may_be_model
from irlint.report.survey.entries import ModelEntry
from irlint.report.survey.rows import TableRows, Top
from irlint.report.survey.tally import MOST_ROWS, SEVERITIES, STATE_OF

SHOWN = 20


def _zeros() -> dict[str, int]:
    return dict.fromkeys(SEVERITIES, 0)


@dataclass(slots=True)
class RuleChange:
    """New and fixed findings by severity."""

    new: dict[str, int] = field(default_factory=_zeros)
    fixed: dict[str, int] = field(default_factory=_zeros)
    url: str | None = None


class Trend:
    def __init__(self) -> None:
        self.same = self.changed = 0  # models
        self.new, self.fixed = _zeros(), _zeros()  # findings
        self.new_in_new = 0  # of the new ones those in new models
        self.rules: TableRows[tuple[str, str], RuleChange] = TableRows(RuleChange, MOST_ROWS)
        self.worse: Top[tuple[ModelEntry, int]] = Top(SHOWN)  # models with new findings, and how many
        self.better: Top[tuple[str, int]] = Top(SHOWN)
        self.added: Top[str] = Top(SHOWN)
        self.removed: Top[str] = Top(SHOWN)
        self.lost: Top[tuple[str, str]] = Top(SHOWN)  # that could be read before

    def add(self, now: Record | None, then: Record | None) -> None:
        """Add an object as it is and as it was. One that is not a model is none, and whatever could not be read may be one."""
        now, then = (record if record is not None and may_be_model(record) else None for record in (now, then))
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
        elif then is not None and is_readable(then):
            self.lost.add(0, lambda: (now["url"], now["failure"] or now["trouble"]))

    def _compare(self, now: Record, then: Record | None) -> None:
        numbers, gone = changes(now, then)
        fresh = [now["findings"][number] for number in numbers]
        for finding in fresh:
            rule, state = self.rules[finding["code"], finding["name"]], STATE_OF[finding["severity"]]
            rule.new[state] += 1
            rule.url = finding["url"]
            self.new[state] += 1
        for key, number in gone.items():
            state = STATE_OF[key[4]]
            self.rules[key[:2]].fixed[state] += number
            self.fixed[state] += number
        fixed = gone.total()
        if then is None:
            self.new_in_new += len(fresh)
        elif fresh:
            rank = sum(finding["severity"] == "error" for finding in fresh), len(fresh)
            self.worse.add(rank, lambda: (ModelEntry({**now, "findings": fresh}, {}), len(fresh)))
        if fixed:
            self.better.add(fixed, lambda: (now["url"], fixed))
