"""Equality of large buffers."""

from __future__ import annotations

_WIDTH = 8  # bytes that are compared at once


def same_bytes(a: bytes | memoryview, b: bytes | memoryview) -> bool:
    """Return whether two buffers hold the same bytes. Python compares views element by element, so these are as wide as possible."""
    if len(a) != len(b):
        return False
    whole = len(a) - len(a) % _WIDTH
    one, other = memoryview(a), memoryview(b)
    return one[whole:] == other[whole:] and one[:whole].cast("Q") == other[:whole].cast("Q")
