"""Numbers as people read them, and words that agree with them."""

from __future__ import annotations

from collections.abc import Iterable, Sized

_LARGE = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
_TIME = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: 1 input, 2 inputs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def more_than(most: int, found: Sized, before: str = "") -> list[str]:
    """Return a line that says how many are not among the first; none if all are."""
    return [f"{before}and {len(found) - most:,} more"] if len(found) > most else []


def joined(parts: Iterable[str], word: str = "and") -> str:
    """Return an enumeration: a, b and c."""
    *others, last = parts
    return f"{', '.join(others)} {word} {last}" if others else last


def times(seconds: Iterable[float]) -> list[str]:
    """Return durations in the unit of the longest one."""
    values = list(seconds)
    scale, unit = next((step for step in _TIME if max(values, default=0) >= step[0]), _TIME[-1 if any(values) else 0])
    return [f"{value / scale:.{2 if unit != 'ns' else 0}f} {unit}" for value in values]


def counts(values: Iterable[float]) -> list[str]:
    return [f"{round(value):,}" for value in values]


def share(value: float, total: float) -> str:
    return f"{100 * value / total:.1f} %" if total else "-"


def amount(number: int) -> str:
    """Return a number with its magnitude: 1,209,010 (1.21 million)."""
    unit = next(((step, word) for step, word in _LARGE if number >= step), None)
    return f"{number:,}" if unit is None else f"{number:,} ({number / unit[0]:,.3g} {unit[1]})"


def exact_size(number: int) -> str:
    """Return bytes in the largest fitting unit, and exactly: 1.2 MiB (1,258,291 bytes)."""
    return size(number) if number < 1024 or number >> 80 else f"{size(number)} ({number:,} bytes)"


def size(number: int) -> str:
    """Return bytes in the largest fitting unit of 1024."""
    if number >> 80:
        return f"more than 2^{number.bit_length() - 1} B"
    value, unit = float(number), "B"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if value < 1024 or unit == "TiB":
            break
        value /= 1024
    return f"{number} B" if unit == "B" else f"{value:.1f} {unit}"
