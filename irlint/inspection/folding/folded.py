"""Which changes between two versions of a model are those of an optimizer: constants that were computed before, nodes that do nothing,
scales that became a part of the weights in front of them. The nodes around them compute what they did."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import zip_longest
from typing import Any

from irlint.dryrun.lazy import np
from irlint.graph import Node, Source
from irlint.inspection.folding.folded_graph import FoldedGraph
from irlint.inspection.folding.value_numbers import value_numbers
from irlint.inspection.review.difference import NodePair
from irlint.inspection.review.roles import SHAPED
from irlint.inspection.review.weight_marks import HUGE, same_weights
from irlint.inspection.rounding import EXACT, coarser
from irlint.records import NamedTuple
from irlint.rules.base import Model


class _Both(NamedTuple):
    """A node that both versions have, in their outermost graphs."""

    pair: NodePair
    old: Node
    new: Node


class Folding:
    """The outermost graphs of two versions, and which of their nodes are the same."""

    def __init__(self, old: Model, new: Model, pairs: Sequence[NodePair]) -> None:
        with np.errstate(all="ignore"):
            self.old, self.new = FoldedGraph(old), FoldedGraph(new)
        self.both = list(self._in_both(pairs))
        self.matched = {one.old.index: one.new.index for one in self.both}
        self.layers = {i: j for i, j in self._same_layers() if self.matched.get(i) == j}
        self.old.absorb(self.layers)
        self.new.absorb(self.layers.values())

    def _in_both(self, pairs: Sequence[NodePair]) -> Iterator[_Both]:
        for pair in pairs:
            if pair.old is not None and pair.new is not None and self._is_outer(pair) and not is_folded(pair):
                yield _Both(pair, pair.old[1], pair.new[1])

    def _same_layers(self) -> Iterator[tuple[int, int]]:
        """Yield layers that are the same with what scales and shifts their results."""
        a, b = self.old, self.new
        for i, j in same_weights(a.marked(), b.marked()).items():
            one, other = a.layers[i], b.layers[j]
            is_known = bool(one.folded and other.folded) and one.offset is not None and other.offset is not None
            gap = one.distance(other, coarser(a.rounding[i], b.rounding[j])) if is_known else None
            if gap is not None and gap <= EXACT.limit and not (one.others or other.others):
                yield i, j

    def unexplained(self, found: Sequence[NodePair]) -> list[NodePair]:
        """Return those of the nodes that changed, or are new or gone, that an optimizer does not explain."""
        kept, moved = self._kept({id(pair) for pair in found})
        inner = [pair for pair in found if not self._is_outer(pair)]
        known = {*(id(one.pair) for one in self.both), *map(id, inner)}
        alone = [*(pair for pair in found if id(pair) not in known), *(one.pair for one in moved)]
        return [*inner, *(one.pair for one in kept), *self._alone(alone, kept)]

    def _kept(self, found: Set[int]) -> tuple[list[_Both], list[_Both]]:
        """Return the nodes of both versions that compute something else, and pairs of nodes of which one is another node in the other
        version, so that their names mean nothing. `found`: id() of the pairs that changed."""
        if not any(id(one.pair) in found or self._reads_other(one) for one in self.both):
            return [], []
        self.old.read_all()
        self.new.read_all()
        self._number()
        moved = [one for one in self.both if one.old.kind == "call" and self._is_moved(one)]
        for one in moved:
            del self.matched[one.old.index]
        staying = [one for one in self.both if one.old.index in self.matched]
        asked = [one for one in staying if id(one.pair) in found or self._reads_other(one)]
        return [one for one in asked if not self._is_same(one)], moved

    def _is_moved(self, one: _Both) -> bool:
        numbers = self.old.numbers[one.old.index], self.new.numbers[one.new.index]
        is_known = self.old.has(self.new, one.new.index) or self.new.has(self.old, one.old.index)
        return numbers[0] != numbers[1] and is_known

    def _number(self) -> None:
        """Number the values of both versions."""
        known: dict[Hashable, int] = {}
        both = {i: (i, j) for i, j in self.matched.items()}
        back = {j: (i, j) for i, j in self.matched.items()}
        layers = {i: (i, j) for i, j in self.layers.items()}
        self.old.numbers = value_numbers(self.old, both, layers, known)
        self.new.numbers = value_numbers(self.new, back, {j: pair for pair in layers.values() for j in pair[1:]}, known)

    def _reads_other(self, one: _Both) -> bool:
        """Return whether a node reads what only one version computes."""
        old, new = one.old.inputs, one.new.inputs
        if len(old) != len(new):
            return True
        return any(i >= 0 and self.matched.get(i) != j for (i, _), (j, _) in zip(old, new, strict=True))

    def _alone(self, alone: Sequence[NodePair], kept: Sequence[_Both]) -> list[NodePair]:
        """Return the nodes that only one version has and whose results are other values, or go into nodes that compute others."""
        ends = zip(self.old.graph.outputs, self.new.graph.outputs, strict=False)
        moved = [(one[0], other[0]) for one, other in ends if not self._meet(Source(*one), Source(*other))]
        moved += [(a[0], b[0]) for one in kept for a, b in self._apart(one)]
        lost, added = [i for i, _ in moved], [j for _, j in moved]
        gone = {
            k: pair for pair in alone if pair.old is not None and not self.new.has(self.old, k := pair.old[1].index)
        }
        new = {k: pair for pair in alone if pair.new is not None and not self.old.has(self.new, k := pair.new[1].index)}
        found = {id(pair): pair for pair in (*_above(self.old, lost, gone), *_above(self.new, added, new))}
        return list(found.values())

    def _is_outer(self, pair: NodePair) -> bool:
        sides = ((pair.old, self.old), (pair.new, self.new))
        return all(one is None or one[0] is version.graph for one, version in sides)

    def _places(self, one: _Both) -> list[tuple[Source, Source]]:
        """Return what two nodes read; of layers that are the same without their weights."""
        is_layer = self.layers.get(one.old.index) == one.new.index
        old, new = self.old.sources(one.old, is_layer), self.new.sources(one.new, is_layer)
        return list(zip_longest(old, new, fillvalue=Source(-1)))

    def _is_same(self, one: _Both) -> bool:
        """Return whether a node computes what it did."""
        if self.old.numbers[one.old.index] == self.new.numbers[one.new.index]:
            return True
        whats = {change.what for change in one.pair.changes}
        if "operator" in whats or ("attribute" in whats and not self._is_shaped(one)):
            return False
        return not self._apart(one)

    def _is_shaped(self, one: _Both) -> bool:
        """Return whether all that a node does to its data is to give them a shape, which is the same."""
        return self.new.form.names.of(one.new) in SHAPED and self._same_type(one.old.index, one.new.index)

    def _apart(self, one: _Both) -> list[tuple[Source, Source]]:
        """Return what two nodes read that is not the same, and counts."""
        places = self._places(one)
        return [place for place in (places[:1] if self._is_shaped(one) else places) if not self._meet(*place)]

    def _same_type(self, i: int, j: int) -> bool:
        """Return whether two nodes are known to have the same type, so that what says it may be said in another way."""
        (dtype, shape), other = self.old.type(Source(i)), self.new.type(Source(j))
        return (dtype, shape) == other and shape is not None and all(isinstance(dim, (int, str)) for dim in shape)

    def _meet(self, one: Source, other: Source) -> bool:
        """Return whether two values are the same: of the same nodes, or of the same numbers."""
        one, other = self.old.origin(one), self.new.origin(other)
        if one[0] < 0 or other[0] < 0:
            return one[0] < 0 and other[0] < 0
        is_one = self.matched.get(one[0]) == other[0] or self.old.numbers.get(one[0]) == self.new.numbers.get(
            other[0], -1
        )
        if is_one and one[1] == other[1]:
            return True
        return _equal(self.old.values.get(one), self.new.values.get(other))


def _equal(was: Any, now: Any) -> bool:
    """Return whether two constants are equal but for rounding."""
    if was is None or now is None or isinstance(was, tuple) or isinstance(now, tuple):
        return isinstance(was, tuple) and isinstance(now, tuple) and was == now
    if was.shape != now.shape or was.dtype.kind != "f" or now.dtype.kind != "f":
        return bool(np.array_equal(was, now))
    sizes = np.abs(was[(was != 0) & (np.abs(was) < HUGE)])
    usual = float(np.median(sizes)) if sizes.size else 0.0  # others are masks
    return bool(np.isclose(was, now, rtol=EXACT.limit, atol=EXACT.limit * usual, equal_nan=True).all())


def is_folded(pair: NodePair) -> bool:
    """Return whether a constant has the name of what a node computed, or the other way around."""
    return pair.old is not None and pair.new is not None and {pair.old[1].kind, pair.new[1].kind} == {"call", "const"}


def _above(version: FoldedGraph, ends: Iterable[int], alone: Mapping[int, NodePair]) -> Iterator[NodePair]:
    """Yield the nodes that only this version has, from some on upwards to what both have."""
    stack, seen = list(ends), set[int]()
    while stack:
        index = stack.pop()
        if index in alone and index not in seen:
            seen.add(index)
            stack += [source[0] for source in version.graph.nodes[index].inputs]
            if not version.is_idle(index):
                yield alone[index]
