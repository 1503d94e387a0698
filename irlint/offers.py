"""Offer only fixes that would be made: whatever a rule proposes is tried out before anybody sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from irlint import engine
from irlint.findings import Finding
from irlint.text.base import Change


def linter(
    result: engine.Result,
    settings: engine.Settings,
    as_format: str | None = None,
    path: Path | None = None,
    checkpoint: Callable[[], None] = lambda: None,
) -> Callable[[str], list[Finding]]:
    """Return what finds the mistakes of a result's file after edits; as after an edit in an editor, most is known."""
    document = result.document
    encoding = document.encoding if document is not None else "utf-8"

    def lint(text: str) -> list[Finding]:
        if document is not None and text is document.text:
            return result.findings
        before = engine.Before(result, _change(document.text, text)) if document is not None and result.model else None
        found = engine.lint(text, result.name, settings, as_format, path, encoding, checkpoint, before)
        if found.model is not None:
            found.model.take_apart()
        return found.findings

    return lint


def _change(old: str, new: str) -> Change:
    """Return the smallest change that makes one text of another."""
    shorter = min(len(old), len(new))
    start = _alike(shorter, lambda size: old[:size] == new[:size])
    end = _alike(shorter - start, lambda size: size == 0 or old[-size:] == new[-size:])
    return Change(start, len(old) - end, len(new) - end - start)


def _alike(most: int, are_alike: Callable[[int], bool]) -> int:
    """Return the largest size, up to `most`, at which two ends are alike."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if are_alike(middle) else (low, middle - 1)
    return low


def confirm(
    result: engine.Result, settings: engine.Settings, as_format: str | None = None, path: Path | None = None
) -> None:
    """Leave fixes only to the findings whose fixes --fix, or --fix --unsafe-fixes, would make."""
    if result.document is None or not any(finding.fix for finding in result.findings):
        return
    from irlint.fixes import offered

    lint = linter(result, settings, as_format, path)
    result.findings = offered(result.document.text, result.findings, lint)
