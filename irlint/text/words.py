"""Words that agree with numbers."""

from __future__ import annotations


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: 1 input, 2 inputs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"
