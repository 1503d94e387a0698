"""Shapes of outputs that converters write down."""

from __future__ import annotations

from typing import Any

from irlint.graph import UNKNOWN, Type

HINTS = "30"  # the parameter, which any layer may have


def hinted(numbers: Any, count: int) -> list[Type]:
    """Return the shapes that a converter wrote down for the outputs of a layer: of each the rank, then w, h, perhaps d, and c."""
    step = len(numbers) // count if isinstance(numbers, list) and count else 0
    found = [UNKNOWN] * count
    if step in (4, 5) and all(isinstance(number, int) for number in numbers):
        for k in range(count):
            rank, *sizes = numbers[k * step : (k + 1) * step]
            if 0 < rank < step:
                inner = [*sizes[: min(rank, 2)], *sizes[2 : rank - 1], *sizes[-1:] * (rank > 2)]
                found[k] = Type(None, tuple(reversed(inner)))
    return found
