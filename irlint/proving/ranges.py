"""The ranges of inputs that a quantized model represents: it clamps all other numbers, however right it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irlint.dryrun.lazy import np
from irlint.proving.running import Side

Ranges = Mapping[int, tuple[float, float]]  # by the node of an input
ALL: Ranges = {}  # of all inputs, all numbers
_MOST_STEPS = 6  # from an input to its clamped values: quantize, convert, subtract a zero point, multiply by a scale
_MOST_READERS = 16
_STEP = (
    1 / 100
)  # of the range, by which clamped values may be apart from those that are given: 8 bits have steps of 1/255


def clamped(side: Side, results: Mapping[int, Any], inputs: Mapping[int, Any]) -> dict[int, tuple[float, float]]:
    """Return the ranges to which a model clamps what inputs are fed with. `results`: those of its nodes that are known."""
    readers = side.graph.consumers()
    found = {}
    for node, array in inputs.items():
        if array.dtype.kind != "f" or array.size < 2:
            continue
        reached = {node}
        for _ in range(_MOST_STEPS):
            reached = {reader for one in reached for reader in readers[one][:_MOST_READERS]}
            ends = (_ends(array, results[one]) for one in reached if one in results)
            if (known := next(filter(None, ends), None)) is not None:
                found[node] = known
                break
            if len(reached) > _MOST_READERS:
                break
    return found


def _ends(array: Any, result: Any) -> tuple[float, float] | None:
    """Return the smallest and the largest number of a result that is an array with all other numbers clamped to these."""
    if result.dtype.kind != "f" or result.shape != array.shape:
        return None
    low, high = float(result.min()), float(result.max())
    reach = _STEP * (high - low)
    if not 0 < reach < np.inf or (array.min() >= low - reach and array.max() <= high + reach):
        return None
    return (low, high) if np.abs(result - array.clip(low, high)).max() <= reach else None


def within(low: float, high: float, array: Any, seed: list[int]) -> Any:
    """Return numbers of a range in the place of others."""
    return np.random.default_rng(seed).uniform(low, high, array.shape).astype(array.dtype)
