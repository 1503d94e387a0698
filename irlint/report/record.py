"""A finding as the JSON object of the stable output format."""

from __future__ import annotations

from typing import Any

from irlint.report.base import FileReport, LineRange, ReportedFinding
from irlint.text.safe import has_surrogates, unicode_only


def record(file: FileReport, entry: ReportedFinding) -> dict[str, Any]:
    return {"file": unicode_only(file.name), "format": file.format, "dialect": file.dialect, **finding_record(entry)}


def finding_record(entry: ReportedFinding) -> dict[str, Any]:
    """Return the finding without its file."""
    finding = entry.finding
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "message": unicode_only(finding.message),
        **_range(entry.at),
        "pointer": None if finding.pointer is None else unicode_only(finding.pointer),
        "node": None if finding.node is None else unicode_only(finding.node),
        "fix": _fix(entry),
        "related": [
            {"message": unicode_only(related.message), **_range(at)}
            for related, (at, _) in zip(finding.related, entry.related, strict=True)
        ],
        "url": entry.url,
    }


def _fix(entry: ReportedFinding) -> dict[str, Any] | None:
    fix = entry.finding.fix
    if fix is None or any(has_surrogates(edit.text) for edit in fix.edits):
        return None  # bytes that are no UTF-8 cannot be said in JSON, and another text would be another fix
    edits = [{**_range(at), "text": edit.text} for edit, at in zip(fix.edits, entry.edits, strict=True)]
    return {"safety": fix.safety, "title": unicode_only(fix.title), "edits": edits}


def _range(at: LineRange) -> dict[str, int]:
    return {"line": at.line, "column": at.column, "end_line": at.end_line, "end_column": at.end_column}
