"""GitLab's code quality report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TextIO

from irlint.findings import Severity
from irlint.report.base import FileReport, Options, ReportedFinding
from irlint.report.outputs.json import array
from irlint.report.paths import Fingerprints, relative
from irlint.text.safe import unicode_only, visible

_SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFO: "info",
    Severity.PEDANTIC: "info",
}


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    fingerprints = Fingerprints(options)
    array((_issue(file, entry, fingerprints, options) for file in files for entry in file.entries), stream)


def _issue(file: FileReport, entry: ReportedFinding, fingerprints: Fingerprints, options: Options) -> dict[str, Any]:
    finding, at = entry.finding, entry.at
    return {
        "description": visible(f"{finding.code}[{finding.name}]: {finding.message}"),
        "check_name": finding.name,
        "fingerprint": fingerprints.of(file, entry),
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": unicode_only(relative(file.name, options.root) or file.name),
            "positions": {
                "begin": {"line": at.line, "column": at.column},
                "end": {"line": at.end_line, "column": at.end_column},
            },
        },
    }
