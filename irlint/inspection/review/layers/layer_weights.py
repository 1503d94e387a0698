"""The weights of the layers of a graph, as its file has them or as its constants are computed, with the scales and offsets that follow."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.weights import UNREADABLE
from irlint.graph import NOWHERE, Source
from irlint.inspection.review.computation import operands_of
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.layers.gate_weights import GateWeights, gate_weights
from irlint.inspection.review.layers.packed_weights import packed, unpacked
from irlint.inspection.review.layers.scalings import LEAST_MASK, LONGEST, NEUTRAL, UNKNOWN, Across, Scaling, scalings
from irlint.inspection.review.layers.weight_marks import HUGE, Mark, distance, mark, scaled, vectors_apart
from irlint.inspection.review.reduced import ReducedGraph
from irlint.inspection.rounding import EXACT, Rounding
from irlint.records import NamedTuple
from irlint.rules.base import Model

_MATTERS = 10  # times the rounding: how large an offset is next to the weights of a channel to be seen in its result


class LayerWeights(NamedTuple):
    """What a layer multiplies with, and adds; None where it is not known."""

    weight: Mark | None  # as it is
    folded: list[Mark]  # with the scales that follow: for each axis that may be that of the channels; none if not known
    scale: Any  # of a layer without a weight
    offset: Any
    factors: tuple[Mark, Mark] | None = None  # a factor and an offset that are more than a number for each channel
    others: tuple[Mark, ...] = ()  # further weights of a layer that computes several products
    gates: GateWeights | None = None  # of a recurrent layer
    across: Across | None = None

    @property
    def is_unread(self) -> bool:
        """Whether nothing is known, as of weights that are not there."""
        return self.weight is None and self.scale is None and self.factors is None

    @property
    def is_complete(self) -> bool:
        """Whether all is known that scales and shifts."""
        return self.offset is not None and (bool(self.folded) or self.scale is not None)

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
        if self.gates is not None and other.gates is not None:
            return self.gates.distance(other.gates, rounding)
        if self.gates is not None or other.gates is not None:
            return None
        if self.weight is not None and other.weight is not None:
            return self._across(other) or self._of_weights(self.weight, other, other.weight, rounding)
        return None if self.weight is not other.weight else self._of_scales(other)

    def _of_scales(self, other: LayerWeights) -> float | None:
        """Return how far two nodes are apart that only scale and shift."""
        if self.scale is None or other.scale is None or self._is_clipped(other):
            return None
        size = float(np.abs(self.scale).max(initial=0.0))
        gap = self._with_offset(vectors_apart(self.scale, other.scale), other, size)
        return None if gap and self._is_multiple(other) else gap

    def _is_clipped(self, other: LayerWeights) -> bool:
        """Return whether two nodes make a mask of one number, which a converter to a narrow type made smaller."""
        numbers = [self.scale, self.offset, other.scale, other.offset]
        if any(one is None or np.size(one) != 1 for one in numbers):
            return False
        a, b, c, d = (abs(float(np.asarray(one).reshape(-1)[0])) for one in numbers)
        small, large = sorted((max(a, b), max(c, d)))
        return large >= HUGE and small >= LEAST_MASK

    def _is_multiple(self, other: LayerWeights) -> bool:
        """Return whether one number is between two nodes that scale and shift by numbers: another node may have it instead."""
        numbers = [self.scale, self.offset, other.scale, other.offset]
        if any(one is None or np.size(one) != 1 for one in numbers):
            return False
        a, b, c, d = (float(np.asarray(one).reshape(-1)[0]) for one in numbers)
        return a * c != 0 and abs(a * d - b * c) <= EXACT.limit * abs(a * c)

    def _across(self, other: LayerWeights) -> float | None:
        """Return how far apart the scales and offsets are along another axis than that of the channels; None if these are not known."""
        if self.across is None and other.across is None:
            return None
        known = (one.across is not None or one.offset is not None for one in (self, other))
        if not all(known):
            return None
        return 1.0 if self.across is None else self.across.distance(other.across)

    def _of_weights(self, own: Mark, other: LayerWeights, its: Mark, rounding: Rounding) -> float | None:
        is_lost = any(
            one.factor < rounding.least for one in (*self.folded, *other.folded)
        )  # scales that a type rounds to few digits
        if not self.folded or not other.folded or is_lost:
            gap = distance(own, its, rounding.least, rounding.is_coarse)
            return gap if gap is not None and gap <= rounding.limit else None
        known = (distance(one, two, rounding.least, rounding.is_coarse) for one in self.folded for two in other.folded)
        gap = min((gap for gap in known if gap is not None), default=None)
        return self._with_offset(gap, other, min(1.0, _MATTERS * rounding.limit) * self.folded[0].usual_size)

    def _with_offset(self, gap: float | None, other: LayerWeights, least: float) -> float | None:
        if self.offset is None or other.offset is None:
            return gap
        return _largest(gap, vectors_apart(self.offset, other.offset, least))


def _largest(*gaps: float | None) -> float | None:
    return None if None in gaps else max(gap for gap in gaps if gap is not None)


def layer_weights(model: Model, reduced: ReducedGraph, mapping: Mapping) -> dict[int, LayerWeights]:
    """Return the weights of all layers of a graph, and of what only scales."""
    constants = ConstantValues(model, reduced, mapping)
    known = scalings(reduced, constants) | {k: UNKNOWN for k in reduced.layers if _has_factor(reduced.attributes(k))}
    found = _constants(reduced, constants, mapping, known)
    layers: dict[int, LayerWeights] = {}
    held: dict[int, list[int]] = {}
    for one in mapping.held(reduced.graph):
        held.setdefault(one.node.index, []).append(one.place)
    for index in (*sorted(reduced.layers), *sorted(reduced.affine)):
        is_unread = index in found and not found[index] and reduced.has_large(index)
        layer = _layer(found.get(index, {}), UNKNOWN if is_unread else known.get(index, NEUTRAL))
        first = reduced.flipped_axis(index)
        gates = gate_weights(reduced, constants, mapping, held.get(index, ()), reduced.graph.nodes[index])
        if gates is not None:
            layer = LayerWeights(gates.into, [], None, None, None, (gates.back,), gates)
        layers[index] = layer if first is None else layer.flipped(first)
    for index in _added_to(reduced, mapping) & layers.keys():
        layers[index] = layers[index]._replace(offset=None)
    return layers


def _added_to(reduced: ReducedGraph, mapping: Mapping) -> set[int]:
    """Return the layers whose offset another operator may add, which does more than that."""
    makers = {[index, *chain][-1]: index for index, chain in reduced.chains.items()}
    found = set[int]()
    for node in reduced.graph.nodes:
        call = mapping.sound_call(reduced.graph, node) if node.kind == "call" and node.inputs else None
        if call is None or not call.operator.adds_bias:
            continue
        place, operands = call.operator.names.index("bias"), operands_of(call, node)
        if place < len(operands) and operands[place] != NOWHERE:
            found.update(makers.get(one[0], one[0]) for one in operands[:place] if isinstance(one, Source))
    return found


def _has_factor(attrs: dict[str, Any]) -> bool:
    """Return whether a product has a factor of its own."""
    return any(attrs.get(key, 1) not in (1, None) for key in ("alpha", "beta"))


_Place = tuple[bool, int]  # of a constant that a layer reads, or of one that its loader adds


class _Constant(NamedTuple):
    matrix: Mark | None
    vector: Any  # of what has at most one axis
    folded: list[Mark]  # with the scales that follow
    is_last: bool = True  # whether a vector lies along the last axis, as offsets of channels do


def _constants(
    reduced: ReducedGraph, constants: ConstantValues, mapping: Mapping, known: dict[int, Scaling]
) -> dict[int, dict[_Place, _Constant]]:
    """Return the constants of layers; each array is in memory once."""
    found: dict[int, dict[_Place, _Constant]] = {index: {} for index in sorted(reduced.layers)}
    readers: dict[Source, list[tuple[int, int]]] = {}
    bound = packed(reduced, mapping)
    for index in found:
        for place, source in enumerate(reduced.constants[index]):
            if source not in bound.get(index, ()):
                readers.setdefault(source, []).append((index, place))

    def visit(source: Source, array: Any) -> None:
        plain: _Constant | None = None
        for index, place in readers[source]:
            scale, axis = known.get(index, NEUTRAL).scale, reduced.channel_axis(index)
            is_plain = _is_one(scale)
            constant = plain if plain is not None and is_plain else _constant(array, scale, axis)
            if constant is not None:
                found[index][False, place] = constant
                plain = constant if is_plain else plain

    constants.show(readers, visit)
    for index, array in unpacked(reduced, mapping, constants, bound):
        constant = _constant(array, known.get(index, NEUTRAL).scale, reduced.channel_axis(index))
        if constant is not None:
            found[index][False, 0] = constant
    for held in mapping.held(reduced.graph):
        index = held.node.index
        if index in found:
            try:
                array, axis = mapping.added(held.node, held.place)[1], reduced.channel_axis(index)
                constant = _constant(array, known.get(index, NEUTRAL).scale, axis)
            except UNREADABLE:
                continue
            if constant is not None:
                found[index][True, held.place] = constant
    return found


def _constant(array: Any, scale: Any, axis: int | None) -> _Constant | None:
    if array is None or array.dtype.kind not in "fiu" or not array.size:
        return None
    is_code = array.dtype.kind != "f"  # numbers that another operator scales
    if array.size <= LONGEST and sum(length != 1 for length in array.shape) <= 1:
        is_last = array.size == 1 or array.shape[-1] != 1
        return None if is_code else _Constant(None, array.reshape(-1).astype(np.float64), [], is_last)
    own = mark(array)
    if scale is None or is_code:
        return _Constant(own, None, [])
    return _Constant(own, None, [own] if _is_one(scale) else scaled(array, scale, axis))


def _is_one(scale: Any) -> bool:
    return scale is NEUTRAL.scale or (scale is not None and bool(np.all(scale == 1)))


def _layer(found: dict[_Place, _Constant], scaling: Scaling) -> LayerWeights:
    if scaling.factors is not None and not found:
        return LayerWeights(None, [], None, None, scaling.factors)
    constants = [found[place] for place in sorted(found)]
    matrices = [(one.matrix, one.folded) for one in constants if one.matrix is not None]
    vectors = [one.vector for one in constants if one.matrix is None]
    if not matrices:
        factor, shift = [*vectors[:2], *(1.0, 0.0)[len(vectors) :]][:2]
        return LayerWeights(None, [], *_through(scaling, factor, shift))
    (weight, folded), *others = sorted(matrices, key=lambda one: -one[0].elements)
    is_offset = len(vectors) == 1 and all(one.is_last for one in constants)
    shift = 0.0 if not vectors else vectors[0] if is_offset else None
    offset = _through(scaling, 1.0, shift)[1]
    return LayerWeights(weight, folded, None, offset, None, tuple(one for one, _ in others), None, scaling.across)


def _through(scaling: Scaling, factor: Any, shift: Any) -> tuple[Any, Any]:
    """Return a factor and an offset after what follows; None for each that is not known."""
    scale, offset = scaling[:2]
    if scaling is NEUTRAL:  # as of most
        return factor, shift
    if scale is None or not _fit(factor, scale, offset):
        return None, None
    return factor * scale, shift * scale + offset if shift is not None and _fit(shift, scale, offset) else None


def _fit(*vectors: Any) -> bool:
    return len({np.size(one) for one in vectors} - {1}) <= 1
