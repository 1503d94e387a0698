"""Words that agree with numbers."""

from __future__ import annotations

from collections.abc import Iterable


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: 1 input, 2 inputs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def joined(parts: Iterable[str]) -> str:
    """Return an enumeration: a, b and c."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last
