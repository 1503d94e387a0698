"""Words of messages that depend on numbers."""

from __future__ import annotations


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number and its noun: 1 input, 2 inputs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"
