"""Shapes of outputs that converters write down."""

from __future__ import annotations

from math import prod
from typing import Any

from irlint.graph import UNKNOWN, Type

_LARGEST = (1 << 62) - 4
HINTS = "30"  # the parameter, which any layer may have


def slip(numbers: Any, count: int) -> str:
    """Return what is wrong with shapes that are written down for the outputs of a layer; the runtime refuses such a layer."""
    if not isinstance(numbers, list) or not numbers or not count or not all(type(number) is int for number in numbers):
        return ""
    step, rest = divmod(len(numbers), count)
    if rest or step not in (4, 5):
        return f"expected 4 or 5 numbers per output, got {len(numbers)}"
    for k in range(0, len(numbers), step):
        rank, *sizes = numbers[k : k + step]
        if not 0 <= rank < step:
            return f"expected a rank of 0 to {step - 1}, got {rank}"
        if any(size < 0 for size in (sizes if rank > 2 else sizes[:rank])):
            return f"expected sizes of 0 or more, got {min(sizes)}"
        if prod(sizes if rank > 2 else sizes[:rank]) >= _LARGEST:
            return f"expected a shape of less than {_LARGEST} elements"
    return ""


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
