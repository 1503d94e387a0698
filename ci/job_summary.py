"""The table of findings in the summary of a GitHub job, from what `irlint --output-format json` writes."""

from __future__ import annotations

import html
import os
import re
from collections import Counter
from typing import Any
from urllib.parse import quote

MOST = 200  # rows; GitHub takes up to 1 MiB
SEVERITIES = ("error", "warning", "info")

Finding = dict[str, Any]


def summary(findings: list[Finding]) -> str:
    """Return HTML without blank lines, so that nothing in it is Markdown: names in it are other people's."""
    lines = ["<h3>irlint</h3>", f"<p>{_totals(findings)}</p>"]
    if findings:
        lines += ["<table>", "<tr><th>Severity</th><th>Rule</th><th>Place</th><th>Finding</th></tr>"]
        lines += map(_row, sorted(findings, key=_rank)[:MOST])
        lines += ["</table>"]
    if len(findings) > MOST:
        lines.append(f"<p>and {len(findings) - MOST} more</p>")
    return "\n".join(lines) + "\n"


def _rank(finding: Finding) -> int:
    severity = finding["severity"]
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)


def _totals(findings: list[Finding]) -> str:
    counts = Counter(finding["severity"] for finding in findings)
    named = [f"{number} {severity}{'s' * (number > 1 and severity != 'info')}" for severity, number in counts.items()]
    fixable = sum(bool(finding["fix"]) for finding in findings)
    return (", ".join(named) + (f" ({fixable} fixable)" if fixable else "")) or "No findings."


def _row(finding: Finding) -> str:
    rule = f"<code>{finding['code']}</code> {_text(finding['name'])}"
    if finding["url"]:
        rule = f'<a href="{html.escape(finding["url"])}">{rule}</a>'
    return f"<tr><td>{finding['severity']}</td><td>{rule}</td><td>{_place(finding)}</td><td>{_text(finding['message'])}</td></tr>"


def _place(finding: Finding) -> str:
    file, line = finding["file"], finding["line"]
    shown = f"{_text(file)}:{line}"
    server, repository, commit = map(os.environ.get, ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA"))
    if not (server and repository and commit) or os.path.isabs(file):
        return shown
    path = quote(file.replace(os.sep, "/"))
    return f'<a href="{server}/{repository}/blob/{commit}/{path}#L{line}">{shown}</a>'


def _text(text: str) -> str:
    """Text on one line, without characters that hide or turn what follows; what is in backticks is code."""
    shown = "".join(char if char.isprintable() else "\ufffd" for char in text)
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(shown))
