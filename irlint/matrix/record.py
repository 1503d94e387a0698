"""Verdicts as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.engine import Result
from irlint.findings import Finding
from irlint.matrix.verdicts import TargetVerdict


def record(result: Result, verdicts: Sequence[TargetVerdict]) -> dict[str, Any]:
    """Return all verdicts for programs."""
    return {
        "file": result.name,
        "format": result.format,
        "targets": [
            {
                "target": one.target.name,
                "release": one.release,
                **({"provider": one.target.provider.partition("=")[2]} if one.target.provider else {}),
                "known": one.target.known,
                "verdict": one.outcome,
                "reasons": [_reason(result, reason) for reason in one.reasons],
                "more": one.more,
                "fixable": one.has_fix,
                "unasked": dict(one.unasked),
            }
            for one in verdicts
        ],
    }


def _reason(result: Result, one: Finding) -> dict[str, Any]:
    at = result.lines.position(one.span.start)
    found = {"code": one.code, "message": one.message, "line": at.line, "column": at.column}
    return {**found, "node": one.node} if one.node else found
