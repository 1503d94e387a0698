"""Which fixes a run makes: what workers that repair files tell of it. `record()` once, before any file."""

from __future__ import annotations

from typing import Any

from irlint import fixes

_calls: list[list[list[str]]] = []


def record() -> None:
    original = fixes.fix

    def recorded(*given: Any, **named: Any) -> fixes.Fixed:
        fixed = original(*given, **named)
        _calls.append([[f.fix.safety, f.code, f.fix.title] for f in fixed.applied if f.fix])
        return fixed

    fixes.fix = recorded


def taken() -> list[list[str]]:
    """Grade, code and title of the fixes that were made since the last time: the first call makes them, others find out what to offer."""
    made = _calls[0] if _calls else []
    _calls.clear()
    return made
