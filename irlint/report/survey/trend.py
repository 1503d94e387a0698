"""What changed since an earlier report, object by object, and the section about it."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.records import dataclass, field
from irlint.report.objects import Record, is_readable, may_be_model
from irlint.report.objects.files import are_comparable, changes
from irlint.report.survey.markup import (
    SEVERITY_HEADS,
    Paths,
    Row,
    TableCell,
    figures,
    left_out,
    number,
    rule,
    section,
    table,
    text,
)
from irlint.report.survey.models_section import listed
from irlint.report.survey.rows import TableRows, Top
from irlint.report.survey.sections import MOST_SHOWN
from irlint.report.survey.tally import MOST_ROWS, SEVERITIES, STATE_OF, ModelEntry

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
        for key, times in gone.items():
            state = STATE_OF[key[4]]
            self.rules[key[:2]].fixed[state] += times
            self.fixed[state] += times
        fixed = gone.total()
        if then is None:
            self.new_in_new += len(fresh)
        elif fresh:
            rank = sum(finding["severity"] == "error" for finding in fresh), len(fresh)
            self.worse.add(rank, lambda: (ModelEntry({**now, "findings": fresh}, {}), len(fresh)))
        if fixed:
            self.better.add(fixed, lambda: (now["url"], fixed))


_MINUS = "\N{MINUS SIGN}"


def changes_since(found: Trend, name: str, paths: Paths) -> str:
    body = figures(
        (
            *_findings(found),
            (f"{found.added.total:,}", "new models", ""),
            (f"{found.changed:,}", "changed models", ""),
            (f"{found.removed.total:,}", "removed models", ""),
            (f"{found.same:,}", "unchanged models", ""),
        ),
        "small",
    )
    if found.new_in_new:
        body += f'<p class="note">{found.new_in_new:,} of the new findings are in new models.</p>'
    return section(
        "since", "Changes", body + _rules(found) + _models(found, paths), f"Since <code>{text(name)}</code>."
    )


def _findings(found: Trend) -> Iterator[tuple[str, str, str]]:
    """Yield figures of new and fixed findings; those of infos only if there are any."""
    for state in SEVERITIES:
        new, fixed = found.new[state], found.fixed[state]
        if state != "info" or new:
            yield f"+{new:,}", f"new {state}s", state if new else ""
        if state != "info" or fixed:
            yield f"{_MINUS}{fixed:,}", f"fixed {state}s", "good" if fixed else ""


def _rules(found: Trend) -> str:
    changed = [(key, row) for key, row in found.rules.items() if any(row.new.values()) or any(row.fixed.values())]
    changed.sort(key=lambda item: (_weight(item[1]), item[0]))
    rows: list[Row] = [
        (rule(*key, row.url), *(_change(row.new[state], row.fixed[state]) for state in SEVERITIES))
        for key, row in changed[:MOST_SHOWN]
    ]
    more = max(len(changed) - MOST_SHOWN, 0)
    heads = ("Rule", *(f"{head} change" for head in SEVERITY_HEADS))
    return table("Changes by rule", heads, rows, more, "rules") if rows else ""


def _weight(row: RuleChange) -> list[int]:
    """Return by what rules are sorted: first what became worse, of the highest severity."""
    return [figure for state in SEVERITIES for figure in (row.fixed[state] - row.new[state], -row.new[state])]


def _change(new: int, fixed: int) -> TableCell:
    if not (new or fixed):
        return number(0)
    parts = [f'<span class="bad">+{new:,}</span>'] if new else []
    parts += [f'<span class="good">{_MINUS}{fixed:,}</span>'] if fixed else []
    return TableCell(" ".join(parts), new - fixed, "num change")


def _models(found: Trend, paths: Paths) -> str:
    body = ""
    if len(found.worse):
        body += f"<h3>New findings in models that were there before</h3>{listed(found.worse, paths)}"
        body += left_out(found.worse.more, "models")
    if len(found.better):
        rows = [(paths.of(url), number(fixed)) for url, fixed in found.better]
        inner = table("Fixed findings", ("Model", "Fixed|num"), rows, found.better.more, "models")
        body += f"<details><summary>Models with fixed findings: {found.better.total:,}</summary>{inner}</details>"
    if len(found.lost):
        lost = [(paths.of(url), text(why)) for url, why in found.lost]
        inner = table("No longer checked", ("Model", "Reason"), lost, found.lost.more, "models")
        body += f"<details><summary>No longer checked: {found.lost.total:,}</summary>{inner}</details>"
    return body + _names("New models", found.added, paths) + _names("Removed models", found.removed, paths)


def _names(title: str, found: Top[str], paths: Paths) -> str:
    if not len(found):
        return ""
    names = "".join(f"<li>{paths.of(url)}</li>" for url in found)
    return f"<details><summary>{title}: {found.total:,}</summary><ul>{names}</ul>{left_out(found.more, 'models')}</details>"
