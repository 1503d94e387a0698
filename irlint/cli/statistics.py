"""Numbers of findings by rule."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from irlint.findings import Severity
from irlint.report.base import FileReport
from irlint.text.safe import put, put_json

SLOWEST = 10


def write_statistics(reports: Iterable[FileReport], format: str, stream: TextIO) -> None:
    """Write a table, or JSON with an object per rule, the most frequent first."""
    rows = count(reports)
    if format == "json":
        put_json(stream, json.dumps(rows, indent=2) + "\n")
    elif format == "jsonl":
        put_json(stream, "".join(json.dumps(row) + "\n" for row in rows))
    else:
        size = max((len(str(row["count"])) for row in rows), default=0)
        for row in rows:
            mark = "[*]" if row["fixable"] else "[ ]"
            put(stream, f"{row['count']:>{size}}  {row['code']}  {row['severity']:8}  {mark}  {row['name']}\n")


def count(reports: Iterable[FileReport]) -> list[dict[str, Any]]:
    """Return one row per rule; `fixable` is the number of findings that --fix fixes, `severity` the worst one."""
    found: dict[str, dict[str, Any]] = {}
    for report in reports:
        for finding in (entry.finding for entry in report.entries):
            row = found.setdefault(
                finding.code,
                {
                    "code": finding.code,
                    "name": finding.name,
                    "severity": "pedantic",
                    "count": 0,
                    "files": 0,
                    "fixable": 0,
                },
            )
            row["count"] += 1
            row["fixable"] += finding.fix is not None and not finding.fix.needs_flag
            row["severity"] = str(max(Severity.parse(row["severity"]), finding.severity))
        for code in {entry.finding.code for entry in report.entries}:
            found[code]["files"] += 1
    return sorted(found.values(), key=lambda row: (-row["count"], row["code"]))


def rule_times(seconds: Mapping[str, float]) -> list[str]:
    """Return a table of the slowest rules and steps. Rules of a shared step have no time of their own."""
    from irlint.rules import registry

    slowest = sorted(seconds.items(), key=lambda item: (-item[1], item[0]))[:SLOWEST]
    lines = [f"{sum(seconds.values()) * 1000:8.1f} ms in rules and shared checks; the slowest:"]
    for what, taken in slowest:
        rule = registry.find(what)
        lines.append(f"{taken * 1000:8.1f} ms  {what}{f' {rule.name}' if rule else ''}")
    return lines
