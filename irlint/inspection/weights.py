"""The weights of a model: types, sizes, statistics and hashes, one tensor in memory at a time; and whether those of two differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import zip_longest
from math import inf, isfinite
from typing import Any

from irlint.dryrun.dtypes import size
from irlint.dryrun.mapping import Held, Mapping
from irlint.dryrun.running.weights import UNREADABLE, Statistics, statistics, values
from irlint.graph import Node, Type
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.review.layers.weight_marks import vectors_apart
from irlint.inspection.summary import parameters
from irlint.inspection.types import mapping_of, type_lookup
from irlint.records import NamedTuple
from irlint.rules.base import Model


class WeightRow(NamedTuple):
    """A constant or weight; `statistics` and `sha256` are None if its values are not there, `why` says it."""

    name: str
    type: Type
    bytes: int | None
    statistics: Statistics | None
    sha256: str | None
    why: str = ""


Visit = Callable[[WeightRow, Any], None]  # with the values, which are gone afterwards


def weights(model: Model, visit: Visit = lambda row, array: None) -> Iterator[WeightRow]:
    """Yield the weights in file order, those of nested graphs after those of the graph around them; what has values is visited first."""
    mapping = mapping_of(model)
    names, type_of = CanonicalNames(model), type_lookup(model)
    for graph in model.graph.walk():
        for index in parameters(graph, names):
            node = graph.nodes[index]
            yield _weight(mapping, node, type_of(graph, node, 0), visit)
        if mapping is not None:
            for held in mapping.held(graph):
                yield _held(mapping, held, visit)


def _held(mapping: Mapping, held: Held, visit: Visit) -> WeightRow:
    type_ = held.operand.tensor.type
    try:
        name, array = mapping.added(held.node, held.place)
    except UNREADABLE as error:
        return WeightRow(f"{held.node.name}.{held.operand.name}", type_, size(*type_), None, None, str(error))
    if array is None:
        return WeightRow(name, type_, size(*type_), None, None, "no values")
    data = array.tobytes()
    actual = Type(array.dtype.name, type_.shape)
    row = WeightRow(name, actual, len(data), statistics(array, actual.dtype), sha256(data).hexdigest())
    visit(row, array)
    return row


def _weight(mapping: Mapping | None, node: Node, type_: Type, visit: Visit) -> WeightRow:
    name = (node.outputs[0].name if node.outputs and node.kind == "call" else None) or node.name
    stored = size(*type_)
    try:
        if mapping is None:
            raise LookupError(name)
        array, data = mapping.array(node), mapping.stored(node)
    except LookupError:
        return WeightRow(name, type_, stored, None, None, "no values")
    except UNREADABLE as error:
        return WeightRow(name, type_, stored, None, None, str(error))
    shape = tuple(int(dim) for dim in array.shape) if type_.shape is None else type_.shape
    actual = Type(type_.dtype or array.dtype.name, shape)
    row = WeightRow(name, actual, len(data), statistics(array, actual.dtype), sha256(data).hexdigest())
    visit(row, array)
    return row


class WeightValues:
    """Compares the constants of two models, and the arrays that calls hold, one pair at a time."""

    def __init__(self, old: Model, new: Model) -> None:
        self.unread = 0  # constants, and nodes that hold some, of which one version does not have all values
        self._sides = tuple(_Values(mapping_of(model), model) for model in (old, new))

    def distance(self, old: Node, new: Node) -> float | None:
        """Return how far the weights of two nodes are apart, relative to the largest: 0 if they are equal, infinite if they differ in
        more than their size; None if they cannot be compared, or are none."""
        if (old.kind == "call") != (new.kind == "call"):
            return None
        gaps = [None if a is None or b is None else _distance(a, b) for a, b in zip_longest(*self._both(old, new))]
        self.unread += None in gaps and "var" not in (old.kind, new.kind)
        return max((gap for gap in gaps if gap is not None), default=None)

    def are_transposed(self, old: Node, new: Node) -> bool:
        """Return whether two nodes have one square matrix each, and one is the other with rows as columns."""
        both = [list(arrays) for arrays in self._both(old, new)]
        if any(len(arrays) != 1 or arrays[0] is None or arrays[0].ndim != 2 for arrays in both):
            return False
        (a,), (b,) = both
        return _equal(a, b.T) and a.shape == b.T.shape

    def are_there(self, old: Node, new: Node) -> tuple[bool, ...]:
        """Return which of two nodes have values."""
        return tuple(any(array is not None for array in arrays) for arrays in self._both(old, new))

    def _both(self, old: Node, new: Node) -> tuple[Iterator[Any], ...]:
        return tuple(side.of(node) for side, node in zip(self._sides, (old, new), strict=True))


class _Values:
    """The weights of one model."""

    def __init__(self, mapping: Mapping | None, model: Model) -> None:
        self._mapping = mapping
        self._held: dict[int, list[int]] = {}  # places of the arrays that calls hold, by id() of their nodes
        for one in () if mapping is None else (one for graph in model.graph.walk() for one in mapping.held(graph)):
            self._held.setdefault(id(one.node), []).append(one.place)

    def of(self, node: Node) -> Iterator[Any]:
        """Yield the arrays of a node, None for each that is not there."""
        if node.kind != "call":
            yield values(self._mapping, node)
        for place in self._held.get(id(node), ()):
            assert self._mapping is not None
            try:
                yield self._mapping.added(node, place)[1]
            except UNREADABLE:
                yield None


def _distance(a: Any, b: Any) -> float:
    return 0.0 if _equal(a, b) else _apart(a, b)


def _apart(a: Any, b: Any) -> float:
    """Return how far two arrays that differ are apart."""
    if a.shape != b.shape or {a.dtype.kind, b.dtype.kind} & {*"OSUc"}:
        return inf
    gap = vectors_apart(a, b)
    return gap if gap and isfinite(gap) else inf


def _equal(a: Any, b: Any) -> bool:
    import numpy

    if a.shape != b.shape:  # told by the types
        return True
    if numpy.array_equal(a, b):  # most have no NaN, and looking for those takes longer
        return True
    return a.dtype.kind == b.dtype.kind == "f" and bool(numpy.array_equal(a, b, equal_nan=True))
