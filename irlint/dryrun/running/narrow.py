"""Numbers rounded to a narrower type, and kept in their own."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import cast, widened
from irlint.records import NamedTuple

_PIECE = 1 << 20  # elements that are rounded at a time
WIDE = ("float32", "float64")  # types that a conversion to a narrower type changes


def narrow(array: Any, dtype: str) -> Any:
    """Return an array rounded to an element type; numbers beyond its range are infinite, and those too small for it are 0."""
    with np.errstate(over="ignore"):
        found = widened(cast(array.astype(np.float32, copy=False), dtype))
    return found.astype(array.dtype, copy=False)


class Narrowed(NamedTuple):
    """What becomes of the numbers of an array in a narrower type."""

    low: float  # the lowest number that becomes infinite; 0 if none does
    high: float  # the highest one
    infinite: int  # how many numbers became infinite
    vanished: int  # how many became 0
    lost: float  # the distance of what is left of the finite numbers from these, as a share of their norm


def narrowed_numbers(array: Any, dtype: str) -> Narrowed:
    """Return what becomes of an array of floats."""
    low = high = 0.0
    infinite = vanished = 0
    apart = norm = 0.0
    for piece in pieces(array):
        found = narrow(piece, dtype)
        beyond = np.isinf(found) & np.isfinite(piece)
        if beyond.any():
            infinite += int(beyond.sum())
            low, high = min(low, float(piece[beyond].min())), max(high, float(piece[beyond].max()))
        vanished += int(np.count_nonzero(piece)) - int(np.count_nonzero(found))
        inside = np.isfinite(found)
        before, after = (part[inside].astype(np.float64) for part in (piece, found))
        norm += float(np.dot(before, before))
        apart += float(np.square(before - after).sum())
    return Narrowed(low, high, infinite, vanished, math.sqrt(apart / norm) if norm else 0.0)


def pieces(array: Any) -> Iterator[Any]:
    """Yield the numbers of an array, a part at a time."""
    flat = array.reshape(-1)
    for start in range(0, flat.size, _PIECE):
        yield flat[start : start + _PIECE]
