"""Which nodes of two versions of a graph are the same, and which of the values that they read."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence, Set
from itertools import zip_longest
from typing import Any

from irlint.dryrun.dims import is_settled
from irlint.dryrun.infer import order_of
from irlint.dryrun.lazy import np
from irlint.graph import Node, Source
from irlint.inspection.folding.folded_graph import FoldedGraph
from irlint.inspection.folding.value_numbers import value_numbers
from irlint.inspection.review.difference import NodePair
from irlint.inspection.review.layers.weight_marks import HUGE, same_weights
from irlint.inspection.review.roles import PRODUCTS, RECURRENT, SHAPED
from irlint.inspection.rounding import EXACT, coarser
from irlint.records import NamedTuple

_DEEPEST = 8  # nodes one behind the other that are paired with others
_OF_RESULTS = 10  # times that results may be further apart than a constant that one version has in a coarser type


class Both(NamedTuple):
    """A node that both versions have, in one pair of graphs."""

    pair: NodePair
    old: Node
    new: Node


class SameValues:
    """A graph of both versions."""

    def __init__(
        self,
        old: FoldedGraph,
        new: FoldedGraph,
        pairs: Sequence[NodePair],
        others: Set[int],
        calling: Set[int],
        is_one_version: bool,
    ) -> None:
        self.is_one_version = is_one_version
        self.old, self.new, self.others, self.calling = old, new, others, calling
        self.pairs = pairs
        self.doubtful: set[int] = set()
        self.tested: set[tuple[int, int]] = set()  # new nodes that output the same, each with a constant that it reads
        self.both = list(self._in_both(pairs))
        self.matched = {one.old.index: one.new.index for one in self.both}
        self.layers = {i: j for i, j in self._same_layers() if self.matched.get(i) == j}
        self.old.absorb(self.layers)
        self.new.absorb(self.layers.values())

    def _in_both(self, pairs: Sequence[NodePair]) -> Iterator[Both]:
        both = [Both(pair, pair.old[1], pair.new[1]) for pair in pairs if pair.old is not None and pair.new is not None]
        ours = _unpaired_values(self.old, {one.old.index for one in both})
        theirs = _unpaired_values(self.new, {one.new.index for one in both})
        for pair, old, new in both:
            if is_folded(pair) or id(pair) in self.others:
                continue
            if any(change.what == "operator" for change in pair.changes):
                old, new = ours.get(_value(new), old), theirs.get(_value(old), new)
            if self.old.outside.get(old.index) == self.new.outside.get(new.index):
                yield Both(pair, old, new)

    def _same_layers(self) -> Iterator[tuple[int, int]]:
        """Yield layers that are the same with what scales and shifts their results."""
        a, b = self.old, self.new
        for i, j in same_weights(a.marked(), b.marked()).items():
            if a.reduced.what(a.graph.nodes[i]) not in PRODUCTS | RECURRENT:
                continue  # whose operands are not those of a layer, and may be transposed
            one, other = a.layers[i], b.layers[j]
            is_known = bool(one.folded and other.folded) and one.offset is not None and other.offset is not None
            gap = one.distance(other, coarser(a.rounding[i], b.rounding[j])) if is_known else None
            if gap is not None and gap <= EXACT.limit and not (one.others or other.others):
                yield i, j

    def unpaired(self, is_new: bool) -> Iterator[int]:
        """Yield the calls of one version in whose place the other has none, or another operator."""
        for pair in self.pairs:
            one = pair.new if is_new else pair.old
            is_other = None in (pair.old, pair.new) or any(change.what == "operator" for change in pair.changes)
            if is_other and one is not None and one[1].kind == "call":
                yield one[1].index

    def is_moved(self, one: Both) -> bool:
        numbers = self.old.numbers[one.old.index], self.new.numbers[one.new.index]
        is_known = self.old.has(self.new, one.new.index) or self.new.has(self.old, one.old.index)
        return numbers[0] != numbers[1] and is_known

    def number_values(self) -> None:
        """Number the values of both versions."""
        self.old.numbers, self.new.numbers = self._numbered(set())

    def _numbered(self, read: Set[int]) -> tuple[dict[int, int], dict[int, int]]:
        """Return numbers of the values of both versions; `read`: old nodes whose values are those of their pairs for what reads them."""
        known: dict[Hashable, int] = {}
        both = {i: (i, j) for i, j in self.matched.items()}
        back = {j: (i, j) for i, j in self.matched.items()}
        layers = {i: (i, j) for i, j in self.layers.items()}
        there = {j: pair for pair in layers.values() for j in pair[1:]}
        ours = {i: pair for i, pair in both.items() if i in read}
        theirs = {j: pair for j, pair in back.items() if pair[0] in read}
        return (
            value_numbers(self.old, {**both, **self.old.outside}, layers, known, ours),
            value_numbers(self.new, {**back, **self.new.outside}, there, known, theirs),
        )

    def unpair_moved(self) -> list[Both]:
        """Unpair nodes of which one is another node in the other version, so that their names mean nothing, and return them."""
        calls = [one for one in self.both if one.old.kind == "call"]
        moved = [one for one in calls if self.is_moved(one)]
        self._unpair(moved)
        for _ in range(_DEEPEST):
            found = list(self._misnamed(calls))
            self._unpair(found)
            moved += found
            if not found:
                break
        return moved

    def _unpair(self, moved: Sequence[Both]) -> None:
        for one in moved:
            del self.matched[one.old.index]

    def _misnamed(self, calls: Sequence[Both]) -> Iterator[Both]:
        """Yield pairs of nodes with two names if another node of the other version computes what one of them does of the same values, as
        far as these are paired."""
        asked = [one for one in calls if self.matched.get(one.old.index) == one.new.index and self._has_two_names(one)]
        if not asked:
            return
        ours, theirs = self._numbered({*self.matched})
        there, here = {*theirs.values()}, {*ours.values()}
        for one in asked:
            own, other = ours[one.old.index], theirs[one.new.index]
            if own != other and (own in there or other in here):
                yield one

    def _has_two_names(self, one: Both) -> bool:
        is_named = bool(one.old.name and one.new.name) and one.old.name != one.new.name
        return is_named and self.old.numbers[one.old.index] != self.new.numbers[one.new.index]

    def reads_other(self, one: Both) -> bool:
        """Return whether a node reads what only one version computes."""
        old, new = one.old.inputs, one.new.inputs
        if len(old) != len(new):
            return True
        pairs = zip(old, new, strict=True)
        return any(i >= 0 and (self.matched.get(i) != j or i in self.doubtful) for (i, _), (j, _) in pairs)

    def find_doubtful(self, found: Set[int]) -> None:
        """Find the calls that depend on no input, and may have other values."""
        pairs = {one.old.index: id(one.pair) for one in self.both}
        for index in order_of(self.old.graph):
            node = self.old.graph.nodes[index]
            if node.kind == "call" and index not in self.old.fed:
                is_changed = index not in self.matched or pairs.get(index) in found
                others = (k for k, _ in node.inputs if k >= 0 and k not in self.matched)
                if is_changed or any(True for _ in others) or any(k in self.doubtful for k, _ in node.inputs):
                    self.doubtful.add(index)

    def places(self, one: Both) -> list[tuple[Source, Source]]:
        """Return what two nodes read; of layers that are the same without their weights."""
        is_layer = self.layers.get(one.old.index) == one.new.index
        old, new = self.old.sources(one.old, is_layer), self.new.sources(one.new, is_layer)
        return list(zip_longest(old, new, fillvalue=Source(-1)))

    def is_same(self, one: Both) -> bool:
        """Return whether a node computes what it did."""
        is_one = self.old.numbers[one.old.index] == self.new.numbers[one.new.index]
        return is_one or (not self.is_other(one) and not self.apart(one))

    def is_other(self, one: Both) -> bool:
        """Return whether a node computes something else, whatever it reads."""
        known = self.old.computation(one.old), self.new.computation(one.new)
        if known[0] is not None and known[1] is not None and known[0].what == known[1].what:
            return False
        whats = {change.what for change in one.pair.changes}
        is_reshaped = self.new.form.names.of(one.new) == "reshape" and self._same_type(one)
        is_other = "operator" in whats or id(one.pair) in self.calling
        return is_other or ("attribute" in whats and not is_reshaped)

    def is_shaping(self, one: Both) -> bool:
        """Return whether all that the second operand of a node does is to say the shape of the result."""
        return self.new.form.names.of(one.new) in SHAPED

    def apart(self, one: Both) -> list[tuple[Source, Source]]:
        """Return what two nodes read that is not the same, and counts."""
        places = self.places(one)
        if self.is_shaping(one) and self._same_type(one):
            places = [*places[:1], *places[2:]]
        return [place for place in places if not self.meet(*place)]

    def _same_type(self, one: Both) -> bool:
        """Return whether two nodes are known to have the same type, so that what says it may be said in another way. One length that
        became any is what it was for what was read before."""
        (dtype, shape), (new_dtype, new_shape) = (
            self.old.type(Source(one.old.index)),
            self.new.type(Source(one.new.index)),
        )
        if dtype != new_dtype or shape is None or new_shape is None or len(shape) != len(new_shape):
            return False
        others = [pair for pair in zip(shape, new_shape, strict=True) if pair[0] != pair[1]]
        if not is_settled(shape) or len(others) > 1:
            return False
        return all(isinstance(p, int) and not isinstance(q, int) for p, q in others)

    def meet(self, one: Source, other: Source) -> bool:
        """Return whether two values are the same: of the same nodes, or of the same numbers."""
        if self._is_pair(one, other):
            return True
        one, other = self.old.place(one), self.new.place(other)
        if one[0] < 0 or other[0] < 0:
            return one[0] < 0 and other[0] < 0
        if self._is_pair(one, other):
            return True
        ours, theirs = self.old.rounding_of(one[0]), self.new.rounding_of(other[0])
        limit = EXACT.limit if ours == theirs else coarser(ours, theirs).limit / _OF_RESULTS
        return _equal(self.old.values.get(one), self.new.values.get(other), limit)

    def _is_pair(self, one: Source, other: Source) -> bool:
        """Return whether two values are that of nodes that are the same, or of nodes with one number."""
        if one[0] < 0 or one[1] != other[1] or one[1] < 0:
            return False
        if self.matched.get(one[0]) == other[0] and one[0] not in self.doubtful:
            return True
        return self.old.numbers.get(one[0]) == self.new.numbers.get(other[0], -1)


def _value(node: Node) -> str | None:
    return node.outputs[0].name if node.outputs else None


def _unpaired_values(version: FoldedGraph, paired: Set[int]) -> dict[str | None, Node]:
    """Return the calls that only one version has, by the names of their values: what fuses operators has the name of the first of them, and
    the value of the last."""
    calls = (node for node in version.graph.nodes if node.kind == "call" and node.index not in paired)
    return {name: node for node in calls if (name := _value(node)) is not None}


def _equal(was: Any, now: Any, limit: float) -> bool:
    """Return whether two constants are equal but for rounding."""
    if was is None or now is None or isinstance(was, tuple) or isinstance(now, tuple):
        return isinstance(was, tuple) and isinstance(now, tuple) and was == now
    if was.shape != now.shape or was.dtype.kind != "f" or now.dtype.kind != "f":
        return bool(np.array_equal(was, now))
    sizes = np.abs(was[(was != 0) & (np.abs(was) < HUGE)])
    usual = float(np.median(sizes)) if sizes.size else 0.0  # others are masks
    return bool(np.isclose(was, now, rtol=limit, atol=limit * usual, equal_nan=True).all())


def is_folded(pair: NodePair) -> bool:
    """Return whether a constant has the name of what a node computed, or the other way around."""
    return pair.old is not None and pair.new is not None and {pair.old[1].kind, pair.new[1].kind} == {"call", "const"}
