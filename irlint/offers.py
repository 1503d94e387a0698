"""Offer only fixes that would be made: whatever a rule proposes is tried out before anybody sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from irlint import engine
from irlint.findings import Finding


def linter(
    result: engine.Result, settings: engine.Settings, as_format: str | None, path: Path | None
) -> Callable[[str], list[Finding]]:
    """Return what finds the mistakes of a result's file after edits."""
    document = result.document
    encoding = document.encoding if document is not None else "utf-8"

    def lint(text: str) -> list[Finding]:
        if document is not None and text is document.text:
            return result.findings
        found = engine.lint(text, result.name, settings, as_format, path, encoding)
        if found.model is not None:
            found.model.take_apart()
        return found.findings

    return lint


def confirm(result: engine.Result, settings: engine.Settings, as_format: str | None, path: Path | None) -> None:
    """Leave fixes only to the findings whose fixes --fix, or --fix --unsafe-fixes, would make."""
    if result.document is None or not any(finding.fix for finding in result.findings):
        return
    from irlint.fixes import offered

    lint = linter(result, settings, as_format, path)
    result.findings = offered(result.document.text, result.findings, lint)
