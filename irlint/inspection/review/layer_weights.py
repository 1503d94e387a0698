"""The weights of the layers of a graph, as its file has them or as its constants are computed, with the scales and offsets that follow."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.memory import TooMuch, free
from irlint.dryrun.running.packed import whole
from irlint.dryrun.running.run import Failed, Run, Unsupported, abstract
from irlint.dryrun.running.schedule import Schedule
from irlint.dryrun.running.weights import UNREADABLE
from irlint.graph import Graph, Node, Source
from irlint.inspection.review.reduced import ReducedGraph
from irlint.inspection.review.weight_marks import HUGE, Mark, distance, mark, scaled, vectors_apart
from irlint.inspection.rounding import Rounding
from irlint.records import NamedTuple
from irlint.rules.base import Model

_MOST_FAILURES = 16  # operators that cannot be computed, after which no constant is
_LEAST_MEMORY = 1 << 28  # bytes that a computed constant may take
_LONGEST = 1 << 20  # elements of vectors: scales and offsets
_MATTERS = 10  # times the rounding: how large an offset is next to the weights of a channel to be seen in its result


class LayerWeights(NamedTuple):
    """What a layer multiplies with, and adds; None where it is not known."""

    weight: Mark | None  # as it is
    folded: list[Mark]  # with the scales that follow: for each axis that may be that of the channels; none if not known
    scale: Any  # of a layer without a weight
    offset: Any
    factors: tuple[Mark, Mark] | None = None  # a factor and an offset that are more than a number for each channel
    others: tuple[Mark, ...] = ()  # further weights of a layer that computes several products

    @property
    def is_unread(self) -> bool:
        """Whether nothing is known, as of weights that are not there."""
        return self.weight is None and self.scale is None and self.factors is None

    def flipped(self, first: int) -> LayerWeights:
        """Return the same of weights of which two axes are in the other order than is usual, as matrices and kernels without lengths of
        one have them; a negative `first` counts from the end."""
        marks = [one for one in (self.weight, *self.folded) if one is not None]
        turned = [one._replace(flip=first if first >= 0 else max(0, one.rank + first)) for one in marks]
        return self if self.weight is None else self._replace(weight=turned[0], folded=turned[1:])

    @property
    def changes_nothing(self) -> bool:
        """Whether all that is known is a factor of one and an offset of zero."""
        known = self.scale is not None and self.offset is not None and self.weight is None
        return known and bool(np.all(self.scale == 1) and np.all(self.offset == 0))

    def distance(self, other: LayerWeights, rounding: Rounding) -> float | None:
        """Return how far the weights of two layers are apart; None if that is not known."""
        if self.factors is not None and other.factors is not None:
            both = zip(self.factors, other.factors, strict=True)
            if rounding.is_coarse:  # nothing is known of what several roundings do to computed numbers
                return None
            return _largest(*(distance(one, two, rounding.least) for one, two in both))
        if self.weight is not None and other.weight is not None:
            return self._of_weights(self.weight, other, other.weight, rounding)
        if self.weight is not other.weight or self.scale is None or other.scale is None:
            return None
        size = float(np.abs(self.scale).max(initial=0.0))
        return self._with_offset(vectors_apart(self.scale, other.scale), other, size)

    def _of_weights(self, own: Mark, other: LayerWeights, its: Mark, rounding: Rounding) -> float | None:
        if not self.folded or not other.folded:
            gap = distance(own, its, rounding.least)
            return gap if gap is not None and gap <= rounding.limit else None
        known = (distance(one, two, rounding.least) for one in self.folded for two in other.folded)
        gap = min((gap for gap in known if gap is not None), default=None)
        return self._with_offset(gap, other, min(1.0, _MATTERS * rounding.limit) * _size(self.folded[0]))

    def _with_offset(self, gap: float | None, other: LayerWeights, least: float) -> float | None:
        if self.offset is None or other.offset is None:
            return gap
        return _largest(gap, vectors_apart(self.offset, other.offset, least))


def _largest(*gaps: float | None) -> float | None:
    return None if None in gaps else max(gap for gap in gaps if gap is not None)


def _size(one: Mark) -> float:
    """Return the size of a usual slice."""
    return max(float(each.norm.mean()) for axes in one.axes.values() for each in axes)


class ConstantValues:
    """Values of constants of one graph, also of computed ones; each is shown once and not kept."""

    def __init__(self, model: Model, reduced: ReducedGraph, mapping: Mapping) -> None:
        self.graph, self.mapping, self.outer, self.inputs = reduced.graph, mapping, reduced.outer, reduced.inputs
        known = model.types
        self.types = known if isinstance(known, Inference) else infer(model.graph, mapping)

    def show(self, wanted: Collection[Source], visit: Callable[[Source, Any], None]) -> None:
        nodes = self.graph.nodes
        computed: set[Source] = set()
        for source in wanted:
            if nodes[source[0]].kind == "call":
                computed.add(source)
                continue
            try:
                visit(source, self.mapping.array(self.outer.get(source[0], nodes[source[0]])))
            except UNREADABLE:
                continue
        if computed:
            self.run(computed, {}, visit)

    def run(self, wanted: Collection[Source], feeds: dict[int, Any], visit: Callable[[Source, Any], None]) -> None:
        """Compute values that depend on constants and on what is given; what cannot be computed is left out."""
        left, failed = self._without(wanted, self.inputs, feeds), set[int]()
        while left and len(failed) < _MOST_FAILURES:
            by_node: dict[int, list[Source]] = {}
            for source in left:
                by_node.setdefault(source[0], []).append(source)
            try:
                self._computed(by_node, self._above(left, feeds), feeds, visit)
                return
            except UNREADABLE:
                return
            except (Unsupported, Failed, TooMuch) as error:
                failed.add(error.node.index)
                left = self._without(left, [error.node.index], feeds)

    def _computed(
        self,
        wanted: dict[int, list[Source]],
        within: set[int],
        feeds: dict[int, Any],
        visit: Callable[[Source, Any], None],
    ) -> None:
        most = max(_LEAST_MEMORY, free() // 4)

        def watch(graph: Graph, node: Node, operands: list[Any], outputs: tuple[Any, ...], seconds: float) -> None:
            for array in outputs:  # one number that is repeated takes no memory, but all that follows takes time
                if array.nbytes > most:
                    raise TooMuch(node, abstract(array), array.nbytes, most)
            for source in wanted.get(node.index, ()) if graph is self.graph else ():
                if source[1] < len(outputs) and not run.drawn:  # else it may be computed from random numbers
                    visit(source, whole(outputs[source[1]]))

        outer = {index: self.mapping.array(node) for index, node in self.outer.items() if index in within}
        run = Run(self.mapping, self.types, watch, limit=most, within=Schedule(self.graph, self.mapping, within))
        run.outputs(self.graph, {**outer, **feeds})

    def _without(self, wanted: Collection[Source], unknown: Collection[int], feeds: Collection[int]) -> set[Source]:
        """Return the values that need nothing of what is unknown."""
        users = self.graph.consumers()
        stack = [index for index in unknown if index not in feeds]
        seen = set(stack)
        while stack:
            for user in users[stack.pop()]:
                if user not in seen and user not in feeds:
                    seen.add(user)
                    stack.append(user)
        return {source for source in wanted if source[0] not in seen}

    def _above(self, wanted: Collection[Source], feeds: Collection[int]) -> set[int]:
        seen: set[int] = set()
        stack = [source[0] for source in wanted]
        while stack:
            index = stack.pop()
            if index >= 0 and index not in seen:
                seen.add(index)
                if index not in feeds:
                    stack += [source[0] for source in self.graph.nodes[index].inputs]
        return seen


def layer_weights(model: Model, reduced: ReducedGraph, mapping: Mapping) -> dict[int, LayerWeights]:
    """Return the weights of all layers of a graph, and of what only scales."""
    constants = ConstantValues(model, reduced, mapping)
    affine = _affine(reduced, constants)
    readers: dict[Source, list[tuple[int, int]]] = {}
    for index in sorted(reduced.layers):
        for place, source in enumerate(reduced.constants[index]):
            readers.setdefault(source, []).append((index, place))
    found: dict[int, dict[tuple[bool, int], _Constant]] = {index: {} for index in sorted(reduced.layers)}

    def visit(source: Source, array: Any) -> None:
        plain: _Constant | None = None
        for index, place in readers[source]:
            scale = affine.get(index, _NEUTRAL).scale
            if scale is not None and np.size(scale) == 1 and np.all(scale == 1) and plain is not None:
                found[index][False, place] = plain
            elif (constant := _constant(array, scale)) is not None:
                found[index][False, place] = plain = constant

    constants.show(readers, visit)
    for held in mapping.held(reduced.graph):
        index = held.node.index
        if index in found:
            try:
                constant = _constant(mapping.added(held.node, held.place)[1], affine.get(index, _NEUTRAL).scale)
            except UNREADABLE:
                continue
            if constant is not None:
                found[index][True, held.place] = constant
    layers: dict[int, LayerWeights] = {}
    for index in (*sorted(reduced.layers), *sorted(reduced.affine)):
        attrs = reduced.attributes(index)
        is_scaled = any(
            attrs.get(key, 1) not in (1, None) for key in ("alpha", "beta")
        )  # a product has a factor of its own
        is_unread = index in found and not found[index] and reduced.has_large(index)
        layer = _layer(found.get(index, {}), _UNKNOWN if is_scaled or is_unread else affine.get(index, _NEUTRAL))
        first = reduced.flipped_axis(index)
        layers[index] = layer if first is None else layer.flipped(first)
    return layers


class _Constant(NamedTuple):
    mark: Mark
    vector: Any  # None if it has more than one axis
    folded: list[Mark]  # with the scales that follow


def _constant(array: Any, scale: Any) -> _Constant | None:
    if array is None or array.dtype.kind not in "fiu" or not array.size:
        return None
    is_code = array.dtype.kind != "f"  # numbers that another operator scales
    if array.size <= _LONGEST and sum(length != 1 for length in array.shape) <= 1:
        return None if is_code else _Constant(mark(array), array.reshape(-1).astype(np.float64), [])
    own = mark(array)
    if scale is None or is_code:
        return _Constant(own, None, [])
    return _Constant(own, None, [own] if np.all(scale == 1) else scaled(array, scale))


class _Affine(NamedTuple):
    """What a result is multiplied by, and what is added: None where that is not known, or more than a number for each channel."""

    scale: Any
    offset: Any
    factors: tuple[Mark, Mark] | None = None


_NEUTRAL, _UNKNOWN = _Affine(1.0, 0.0), _Affine(None, None)


def _layer(found: dict[tuple[bool, int], _Constant], affine: _Affine) -> LayerWeights:
    if affine.factors is not None and not found:
        return LayerWeights(None, [], None, None, affine.factors)
    constants = [found[place] for place in sorted(found)]
    matrices = sorted((one for one in constants if one.vector is None), key=lambda one: -one.mark.elements)
    vectors = [one.vector for one in constants if one.vector is not None]
    if not matrices:
        factor, shift = [*vectors[:2], *(1.0, 0.0)[len(vectors) :]][:2]
        return LayerWeights(None, [], *_through(affine, factor, shift))
    weight, *others = matrices
    shift = 0.0 if not vectors else vectors[0] if len(vectors) == 1 else None
    offset = _through(affine, 1.0, shift)[1]
    return LayerWeights(weight.mark, weight.folded, None, offset, None, tuple(one.mark for one in others))


def _through(affine: _Affine, factor: Any, shift: Any) -> tuple[Any, Any]:
    """Return a factor and an offset after what follows; None for each that is not known."""
    scale, offset, _ = affine
    if scale is None or not _fit(factor, scale, offset):
        return None, None
    return factor * scale, shift * scale + offset if shift is not None and _fit(shift, scale, offset) else None


def _fit(*vectors: Any) -> bool:
    return len({np.size(one) for one in vectors} - {1}) <= 1


class _Probe(NamedTuple):
    """A chain that is computed for given values: which node's, in which shape, and the last node of the chain."""

    start: int
    shape: tuple[int, ...]
    end: Source


def _affine(reduced: ReducedGraph, constants: ConstantValues) -> dict[int, _Affine]:
    """Return what the chains of nodes do, as two runs of them show: for zeros and for ones."""
    found = dict.fromkeys(reduced.chains, _UNKNOWN)
    for probes in _probes(reduced):
        zeros, ones = (_results(probes, constants, number) for number in (0, 1))
        for index in zeros.keys() & ones.keys():
            zero, one = (each[index].astype(np.float64) for each in (zeros, ones))
            if zero.size > _LONGEST:
                continue
            factor = np.where(np.abs(zero) < HUGE, one - zero, 1)  # next to the numbers of masks a one is nothing
            if sum(length != 1 for length in zero.shape) <= 1:
                found[index] = _Affine(factor.reshape(-1), zero.reshape(-1))
            else:
                found[index] = _Affine(None, None, (mark(factor), mark(zero)))
    return found


def _probes(reduced: ReducedGraph) -> tuple[dict[int, _Probe], dict[int, _Probe]]:
    """Return probes of the chains, by their nodes. What is given for one chain may be what another computes: these are apart."""
    found: tuple[dict[int, _Probe], dict[int, _Probe]] = ({}, {})
    sides: dict[int, int] = {}
    shapes: dict[int, tuple[int, ...]] = {}
    for index, chain in reduced.chains.items():
        start = reduced.data_of(index) if index in reduced.affine else index
        shape = None if index in reduced.moved or start is None else reduced.probe_shape(start, chain)
        if start is None or shape is None or shapes.setdefault(start, shape) != shape:
            continue
        side = sides[index] = 0 if start == index else 1 - sides.get(reduced.maker_of(index), 1)
        found[side][index] = _Probe(start, shape, Source(chain[-1]))
    return found


def _results(probes: dict[int, _Probe], constants: ConstantValues, number: int) -> dict[int, Any]:
    ends = {probe.end: index for index, probe in probes.items()}
    feeds = {probe.start: np.full(probe.shape, number, np.float32) for probe in probes.values()}
    found: dict[int, Any] = {}

    def visit(source: Source, array: Any) -> None:
        found[ends[source]] = array

    constants.run(ends, feeds, visit)
    return found
