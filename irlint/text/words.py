"""Words that agree with numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sized


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: 1 input, 2 inputs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def more_than(most: int, found: Sized, before: str = "") -> list[str]:
    """Return a line that says how many are not among the first; none if all are."""
    return [f"{before}and {len(found) - most:,} more"] if len(found) > most else []


def joined(parts: Iterable[str]) -> str:
    """Return an enumeration: a, b and c."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last
