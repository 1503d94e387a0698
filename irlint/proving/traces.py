"""The values of one run, found again by what is in them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from irlint.dryrun.lazy import np
from irlint.inspection.rounding import EXACT, Rounding, coarser
from irlint.proving.nearness import apart, are_far, arranged, as_numbers, bare, some_apart, sums
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
    likeness: Any  # what all values with the same elements in the same order have in common


class Partner(NamedTuple):
    """A trace, how far away an array is from it, and the trace's elements in the shape of the array."""

    trace: ResultTrace
    distance: float
    array: Any

    @property
    def is_in_place(self) -> bool:
        """Whether the elements are in the order of the trace."""
        own = self.trace.array
        return bool(own.shape == self.array.shape and np.array_equal(own, self.array, equal_nan=own.dtype.kind == "f"))


class _Figures(NamedTuple):
    """Values of one size in the order of their sums."""

    traces: list[ResultTrace]
    sums: Any
    norms: list[float]

    @staticmethod
    def of(traces: list[ResultTrace]) -> _Figures:
        figures = [sums(as_numbers(trace.array)) for trace in traces]
        order = sorted(range(len(traces)), key=figures.__getitem__)
        ordered = np.array([figures[k] for k in order]).reshape(-1, 3)
        return _Figures([traces[k] for k in order], ordered, [figures[k][0] for k in order])

    def near(self, own: tuple[float, float, float], reach: float) -> Iterator[ResultTrace]:
        """Yield the values whose sums are within reach, the nearest first."""
        at = bisect_left(self.norms, own[0])
        first = max(0, at - _MOST_SEEN)
        gaps = np.abs(self.sums[first : at + _MOST_SEEN] - own)
        within = np.flatnonzero(gaps.max(axis=1) <= reach)
        nearest = np.argsort(gaps[within].sum(axis=1), kind="stable")[:_MOST_TRIED]
        return (self.traces[first + int(k)] for k in within[nearest])


class Traces:
    """All values of a run that are arrays of numbers."""

    def __init__(self, names: Mapping[str, int] | None = None) -> None:
        self._names = names or {}  # of nodes
        self.all: list[ResultTrace] = []
        self.coarsest = EXACT
        self._of: dict[int | None, list[ResultTrace]] = {}  # by node
        self._alike: dict[Any, list[ResultTrace]] = {}
        self._sizes: dict[int, list[ResultTrace]] = {}
        self._sorted: dict[int, _Figures] = {}

    def add(self, node: int, output: int, array: Any, rounding: Rounding) -> None:
        trace = ResultTrace(node, output, array, rounding, likeness(array))
        self.all.append(trace)
        self._of.setdefault(node, []).append(trace)
        self.coarsest = coarser(self.coarsest, rounding)
        self._alike.setdefault(_key(array, trace.likeness), []).append(trace)
        self._sizes.setdefault(array.size, []).append(trace)

    def nearest(self, array: Any, rounding: Rounding, name: str = "", likely: Iterable[int] = ()) -> Partner | None:
        """Return the value that is nearest to an array, if rounding explains the distance; rather that of a node with this name, and of
        one of those that are `likely`."""
        alike = self._alike.get(_key(array, likeness(array)), [])[:_MOST_TRIED]
        equal = next((trace for trace in alike if _equal(trace, array)), None)
        if equal is not None or array.dtype.kind != "f":
            return None if equal is None else Partner(equal, 0.0, equal.array.reshape(array.shape))
        numbers, named = as_numbers(array), self._names.get(name, -1)
        places = (self._of_nodes(nodes, array.size) for nodes in ((named,), likely))
        for traces in chain(places, (self._near(numbers, rounding),)):
            if found := list(_within(array, numbers, traces, rounding)):
                reach = _AS_NEAR * min(one.distance for one in found)
                return min((one for one in found if one.distance <= reach), key=lambda one: one.trace.node)
        return None

    def _of_nodes(self, nodes: Iterable[int], elements: int) -> Iterator[tuple[ResultTrace, float]]:
        traces = chain.from_iterable(self._of.get(node, ()) for node in nodes)
        return ((one, math.inf) for one in traces if one.array.size == elements and one.array.dtype.kind == "f")

    def _near(self, numbers: Any, rounding: Rounding) -> Iterator[tuple[ResultTrace, float]]:
        """Yield the values whose sums allow them to be within the limit, the nearest first, and how far such a one may be in all."""
        known = self._sorted.get(numbers.size)
        if known is None:
            same = [trace for trace in self._sizes.get(numbers.size, []) if trace.array.dtype.kind == "f"]
            known = self._sorted[numbers.size] = _Figures.of(same)
        own, widest = sums(numbers), coarser(rounding, self.coarsest)
        # `apart` is at least the distance of the whole arrays
        reach = widest.limit * (own[0] * 1.01 + widest.least * math.sqrt(numbers.size))
        yield from ((trace, reach) for trace in known.near(own, reach))


def _equal(trace: ResultTrace, array: Any) -> bool:
    other = trace.array.reshape(array.shape)
    return bool(np.array_equal(other, array) or np.array_equal(other, array, equal_nan=True))


def _within(
    array: Any, numbers: Any, traces: Iterable[tuple[ResultTrace, float]], rounding: Rounding
) -> Iterator[Partner]:
    """Yield the values whose distance from an array rounding explains; none after one that is the same but for its last digits."""
    for trace, reach in traces:
        limit, partner = _partner(array, numbers, trace, rounding, reach)
        if partner.distance <= limit:
            yield partner
            if partner.distance < EXACT.limit / 100:
                return


def _partner(array: Any, numbers: Any, trace: ResultTrace, rounding: Rounding, reach: float) -> tuple[float, Partner]:
    """Return how far a value may be from an array, and how far it is, with its axes in the best order; infinity if some elements alone
    are out of `reach`."""
    both = coarser(rounding, trace.rounding)
    best = Partner(trace, math.inf, None)
    for other in arranged(trace.array, array.shape):
        if reach < math.inf and some_apart(numbers, other) > reach:
            continue
        others = as_numbers(other)
        if are_far(numbers, others, both):
            continue
        distance = apart(numbers, others, both)
        if distance < best.distance:
            best = Partner(trace, distance, other)
        if distance <= both.limit:  # in the order of memory if that will do
            break
    return both.limit, best


def _key(array: Any, alike: Any) -> Any:
    """Return what equal arrays have in common, whatever their lengths of one."""
    return bare(array.shape), alike, array.dtype.char


def likeness(array: Any) -> tuple[int, bytes]:
    """Return what arrays with the same elements in the same order have in common."""
    flat = array.reshape(-1)
    return flat.size, flat[:: max(1, flat.size // _SAMPLE)][:_SAMPLE].tobytes()
