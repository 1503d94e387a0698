"""Which changes between two versions of a model are those of an optimizer: constants that were computed before, nodes that do nothing,
scales that became a part of the weights in front of them. The nodes around them compute what they did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from itertools import zip_longest
from typing import Any

from irlint.dryrun.infer import Inference
from irlint.dryrun.lazy import np
from irlint.graph import Node, Source
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.difference import NodePair
from irlint.inspection.review.form import Form, FormGraph
from irlint.inspection.review.reduced import Body
from irlint.inspection.review.roles import SAME, SHAPED
from irlint.inspection.review.weight_marks import same_weights, vectors_apart
from irlint.inspection.rounding import EXACT, coarser
from irlint.inspection.types import type_lookup
from irlint.records import NamedTuple
from irlint.rules.base import Model

_LARGE = 1 << 16  # elements of constants of which only a digest is kept
_CASTS = ("cast", "cast_like")


class _Version(FormGraph):
    """The outermost graph of one version."""

    def __init__(self, model: Model) -> None:
        super().__init__(Form(model, weights=True), Body(model.graph))
        self.model, self.type_of = model, type_lookup(model)
        self.parts: dict[
            int, int
        ] = {}  # nodes that scale the result of a layer, and are a part of it in the other version
        self.values: dict[Source, Any] = {}

    def origin(self, source: Source) -> Source:
        """Return where a value comes from, before nodes that do not change it."""
        while source[0] >= 0:
            if (layer := self.parts.get(source[0])) is not None:
                source = Source(layer)
            elif self.is_idle(source[0]) and not source[1]:
                source = Source(*self.graph.nodes[source[0]].inputs[0])
            else:
                break
        return source

    def is_idle(self, index: int) -> bool:
        """Return whether a node outputs what it reads."""
        node = self.graph.nodes[index]
        op = self.form.names.of(node) if node.kind == "call" else ""
        if op not in SAME or not node.inputs or node.inputs[0][0] < 0 or len(node.inputs) > 2:
            return False
        return (
            op not in _CASTS or self.type(Source(*node.inputs[0])).dtype == self.type(Source(index)).dtype is not None
        )

    def type(self, source: Source) -> Any:
        return self.type_of(self.graph, self.graph.nodes[source[0]], source[1])

    @cached_property
    def fed(self) -> set[int]:
        """The nodes that depend on an input."""
        users, stack = self.graph.consumers(), list(self.reduced.inputs)
        found = set(stack)
        while stack:
            new = [user for user in users[stack.pop()] if user not in found]
            found.update(new)
            stack += new
        return found

    def absorb(self, layers: Iterable[int]) -> None:
        """Take what scales the results of layers for a part of them."""
        self.parts = {node: layer for layer in layers for node in self.reduced.chains.get(layer, ())}

    def sources(self, node: Node, is_layer: bool) -> list[Source]:
        """Return where what a node reads comes from; `is_layer`: without its weights."""
        found = [self.origin(Source(*source)) for source in node.inputs]
        return [source for source in found if source[0] in self.fed] if is_layer else found

    def read(self, wanted: Iterable[Source]) -> None:
        """Compute constants, and take what inference knows of values that depend on inputs."""
        types = self.model.types
        constants = set()
        for source in wanted:
            if source[0] not in self.fed:
                constants.add(source)
            elif isinstance(types, Inference):
                outputs = types.outputs(self.graph, self.graph.nodes[source[0]])
                value = outputs[source[1]].value if source[1] < len(outputs) else None
                if value is not None and all(isinstance(one, int) for one in value):
                    self.values[source] = np.asarray(value, np.int64).reshape(-1)
        if constants and self.form.mapping is not None:
            with suppress(RecursionError):
                ConstantValues(self.model, self.reduced, self.form.mapping).show(constants, self._keep)

    def _keep(self, source: Source, array: Any) -> None:
        known = array.dtype.kind in "biuf" and array.size <= _LARGE
        self.values[source] = array.reshape(-1) if known else (array.shape, blake2b(array.tobytes()).digest())


class _Both(NamedTuple):
    """A node that both versions have, in their outermost graphs."""

    pair: NodePair
    old: Node
    new: Node


class Folding:
    """The outermost graphs of two versions, and which of their nodes are the same."""

    def __init__(self, old: Model, new: Model, pairs: Sequence[NodePair]) -> None:
        with np.errstate(all="ignore"):
            self.old, self.new = _Version(old), _Version(new)
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
        kept = self._kept({id(pair) for pair in found})
        inner = [pair for pair in found if not self._is_outer(pair)]
        known = {*(id(one.pair) for one in self.both), *map(id, inner)}
        alone = [pair for pair in found if id(pair) not in known]
        return [*inner, *(one.pair for one in kept), *self._alone(alone, kept)]

    def _kept(self, found: Set[int]) -> list[_Both]:
        """Return the nodes of both versions that compute something else. `found`: id() of the pairs that changed."""
        asked = [one for one in self.both if id(one.pair) in found or self._reads_folded(one.old)]
        places = [place for one in asked for place in self._places(one)]
        self.old.read({one for one, _ in places if one[0] >= 0})
        self.new.read({other for _, other in places if other[0] >= 0})
        return [one for one in asked if not self._is_same(one)]

    def _reads_folded(self, node: Node) -> bool:
        """Return whether a node reads what the new version does not compute."""
        return any(source[0] >= 0 and source[0] not in self.matched for source in node.inputs)

    def _alone(self, alone: Sequence[NodePair], kept: Sequence[_Both]) -> list[NodePair]:
        """Return the nodes that only one version has and whose results are other values, or go into nodes that compute others."""
        ends = zip(self.old.graph.outputs, self.new.graph.outputs, strict=False)
        moved = [(one[0], other[0]) for one, other in ends if not self._meet(Source(*one), Source(*other))]
        lost = [*(i for i, _ in moved), *(source[0] for one in kept for source in one.old.inputs)]
        added = [*(j for _, j in moved), *(source[0] for one in kept for source in one.new.inputs)]
        gone = {pair.old[1].index: pair for pair in alone if pair.old is not None}
        new = {pair.new[1].index: pair for pair in alone if pair.new is not None}
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
        whats = {change.what for change in one.pair.changes}
        is_shaped = self.new.form.names.of(one.new) in SHAPED
        of_shape = is_shaped and self._same_type(one.old.index, one.new.index)
        if "operator" in whats or ("attribute" in whats and not of_shape):
            return False
        return all(self._meet(*place) or (of_shape and k > 0) for k, place in enumerate(self._places(one)))

    def _same_type(self, i: int, j: int) -> bool:
        """Return whether two nodes are known to have the same type, so that what says it may be said in another way."""
        (dtype, shape), other = self.old.type(Source(i)), self.new.type(Source(j))
        return (dtype, shape) == other and shape is not None and all(isinstance(dim, (int, str)) for dim in shape)

    def _meet(self, one: Source, other: Source) -> bool:
        """Return whether two values are the same: of the same nodes, or of the same numbers."""
        one, other = self.old.origin(one), self.new.origin(other)
        if one[0] < 0 or other[0] < 0:
            return one[0] < 0 and other[0] < 0
        if self.matched.get(one[0]) == other[0] and one[1] == other[1]:
            return True
        return _equal(self.old.values.get(one), self.new.values.get(other))


def _equal(was: Any, now: Any) -> bool:
    """Return whether two constants are equal but for rounding."""
    if was is None or now is None or isinstance(was, tuple) or isinstance(now, tuple):
        return isinstance(was, tuple) and was == now
    gap = vectors_apart(was, now) if was.size == now.size else None
    return gap is not None and gap <= (EXACT.limit if was.dtype.kind == "f" else 0)


def is_folded(pair: NodePair) -> bool:
    """Return whether a constant has the name of what a node computed, or the other way around."""
    return pair.old is not None and pair.new is not None and {pair.old[1].kind, pair.new[1].kind} == {"call", "const"}


def _above(version: _Version, ends: Iterable[int], alone: Mapping[int, NodePair]) -> Iterator[NodePair]:
    """Yield the nodes that only this version has, from some on upwards to what both have."""
    stack, seen = list(ends), set[int]()
    while stack:
        index = stack.pop()
        if index in alone and index not in seen:
            seen.add(index)
            stack += [source[0] for source in version.graph.nodes[index].inputs]
            if not version.is_idle(index):
                yield alone[index]
