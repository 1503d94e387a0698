"""The values of one run, found again by what is in them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from irlint.dryrun.lazy import np
from irlint.inspection.rounding import EXACT, Rounding, coarser
from irlint.proving.nearness import apart, arranged, as_numbers, bare, sums
from irlint.records import NamedTuple

_SAMPLE = 64  # elements by which an equal array is looked for
_MOST_SEEN = 128  # arrays of the next smaller and larger norms whose figures are compared
_AS_NEAR = 1.5  # times the least distance: of values that may be meant as well, the first is, as others are made of it
_MOST_TRIED = 12  # arrays that are compared element by element with one


class ResultTrace(NamedTuple):
    """A value: the index of its node in the outermost graph, which of the node's outputs it is, its elements, and their rounding."""

    node: int
    output: int
    array: Any
    rounding: Rounding


class Partner(NamedTuple):
    """A trace, how far away an array is from it, and the trace's elements in the shape of the array."""

    trace: ResultTrace
    distance: float
    array: Any


class Traces:
    """All values of a run that are arrays of numbers."""

    def __init__(self, names: Mapping[str, int] | None = None) -> None:
        self._names = names or {}  # of nodes
        self.all: list[ResultTrace] = []
        self.coarsest = EXACT
        self._of: dict[int | None, list[ResultTrace]] = {}  # by node
        self._alike: dict[Any, list[ResultTrace]] = {}
        self._sizes: dict[int, list[ResultTrace]] = {}
        self._sorted: dict[int, list[tuple[tuple[float, float, float], int]]] = {}

    def add(self, trace: ResultTrace) -> None:
        self.all.append(trace)
        self._of.setdefault(trace.node, []).append(trace)
        self.coarsest = coarser(self.coarsest, trace.rounding)
        self._alike.setdefault(_key(trace.array), []).append(trace)
        self._sizes.setdefault(trace.array.size, []).append(trace)

    def alike(self, array: Any) -> Any:
        """Return what all values with the same elements in the same order have in common."""
        return array.size, _sample(array)

    def nearest(self, array: Any, rounding: Rounding, name: str = "") -> Partner | None:
        """Return the value that is nearest to an array, if rounding explains the distance; rather that of a node with this name."""
        equal = next((trace for trace in self._alike.get(_key(array), [])[:_MOST_TRIED] if _equal(trace, array)), None)
        if equal is not None or array.dtype.kind != "f":
            return None if equal is None else Partner(equal, 0.0, array)
        found: list[Partner] = []
        numbers = as_numbers(array)
        named = self._names.get(name)
        for trace in chain(self._named(named, array.size), self._near(numbers, rounding)):
            limit, partner = _partner(array, numbers, trace, rounding)
            if partner.distance <= limit:
                found.append(partner)
            if partner.distance < EXACT.limit / 100 or (found and trace.node == named):
                break
        reach = _AS_NEAR * min((one.distance for one in found), default=0.0)
        near = (one for one in found if one.distance <= reach)
        return min(near, key=lambda one: (one.trace.node != named, one.trace.node), default=None)

    def _named(self, node: int | None, elements: int) -> Iterator[ResultTrace]:
        return (one for one in self._of.get(node, ()) if one.array.size == elements and one.array.dtype.kind == "f")

    def _near(self, numbers: Any, rounding: Rounding) -> Iterator[ResultTrace]:
        """Yield the values whose sums allow them to be within the limit, the nearest first."""
        same = self._sizes.get(numbers.size, [])
        known = self._sorted.get(numbers.size)
        if known is None:
            known = sorted(
                (sums(as_numbers(trace.array)), k) for k, trace in enumerate(same) if trace.array.dtype.kind == "f"
            )
            self._sorted[numbers.size] = known
        own, widest = sums(numbers), coarser(rounding, self.coarsest)
        # `apart` is at least the distance of the whole arrays
        reach = widest.limit * (own[0] * 1.01 + widest.least * math.sqrt(numbers.size))
        at = bisect_left(known, (own, 0))
        found = []
        for figures, k in known[max(0, at - _MOST_SEEN) : at + _MOST_SEEN]:
            gaps = [abs(x - y) for x, y in zip(figures, own, strict=True)]
            if max(gaps) <= reach:
                found.append((sum(gaps), k))
        for _, k in sorted(found)[:_MOST_TRIED]:
            yield same[k]


def _equal(trace: ResultTrace, array: Any) -> bool:
    other = trace.array.reshape(array.shape)
    return bool(np.array_equal(other, array) or np.array_equal(other, array, equal_nan=True))


def _partner(array: Any, numbers: Any, trace: ResultTrace, rounding: Rounding) -> tuple[float, Partner]:
    """Return how far a value may be from an array, and how far it is, with its axes in the best order."""
    both = coarser(rounding, trace.rounding)
    ways = ((apart(numbers, as_numbers(other), both), other) for other in arranged(trace.array, array.shape))
    distance, other = min(ways, key=lambda way: way[0], default=(math.inf, None))
    return both.limit, Partner(trace, distance, other)


def _key(array: Any) -> Any:
    """Return what equal arrays have in common, whatever their lengths of one."""
    return bare(array.shape), _sample(array), array.dtype.char


def _sample(array: Any) -> bytes:
    flat = array.reshape(-1)
    found: bytes = flat[:: max(1, flat.size // _SAMPLE)][:_SAMPLE].tobytes()
    return found
