"""Layers with weights of one model that the other has, too."""

from __future__ import annotations

from collections.abc import Collection
from math import prod
from typing import Any

from irlint.inspection.coarseness import LEAST_WEIGHT
from irlint.proving.running import Side
from irlint.records import NamedTuple


class Layers(NamedTuple):
    """How many layers with weights one model has, and how many of them the other has."""

    all: int
    matched: int


def layers(side: Side, found: Collection[int], agrees: bool) -> Layers:
    """Count the layers whose result is in the other model, or becomes a part of one that is: `found` are the nodes with such results.
    Unless the outputs agree, that result has to be there before the next layer: later ones may be alike by chance."""
    weighted = {index for index, operands in side.weights.items() if any(map(is_weight, operands))}
    known = _reaching(side, found, set() if agrees else weighted)
    return Layers(len(weighted), sum(known[index] for index in weighted))


def _reaching(side: Side, found: Collection[int], ends: Collection[int]) -> dict[int, bool]:
    """Return for each node that depends on an input whether all that is computed from it goes through a result that is found, and through
    none of `ends` before."""
    readers: dict[int, list[int]] = {index: [] for index in side.data}
    known: dict[int, bool] = {}
    for index in side.data:
        for maker in {source[0] for source in side.graph.nodes[index].inputs}:
            if maker in readers:
                readers[maker].append(index)
    for index in reversed(side.order):
        after = readers[index]
        known[index] = index in found or (bool(after) and all(known[reader] and reader not in ends for reader in after))
    return known


def is_weight(array: Any) -> bool:
    """Return whether a constant operand is large enough to be a weight."""
    return array is not None and array.dtype.kind == "f" and prod(array.shape) >= LEAST_WEIGHT
