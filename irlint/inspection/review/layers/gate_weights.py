"""The weights of recurrent layers with the gates in one order, whatever the order of their format: that of the kernels, which run them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.weights import UNREADABLE
from irlint.graph import Node, Source
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.layers.weight_marks import Mark, distance, mark, vectors_apart
from irlint.inspection.review.reduced import ReducedGraph
from irlint.inspection.rounding import Rounding
from irlint.records import NamedTuple


class GateWeights(NamedTuple):
    """What the gates of a layer multiply with: what they read, and their state; and what they add."""

    into: Mark
    back: Mark
    bias: Any

    def distance(self, other: GateWeights, rounding: Rounding) -> float | None:
        """Return how far the weights of two layers are apart; None if that cannot be seen."""
        gaps = (
            distance(self.into, other.into, rounding.least, rounding.is_coarse),
            distance(self.back, other.back, rounding.least, rounding.is_coarse),
            vectors_apart(self.bias, other.bias, float(np.abs(self.bias).mean()) + self.back.usual_size),
        )
        return None if None in gaps else max(gap for gap in gaps if gap is not None)


class GateArrays(NamedTuple):
    """The same as arrays, for each direction the gates one after the other."""

    into: Any
    back: Any
    bias: Any


def gate_weights(
    reduced: ReducedGraph, constants: ConstantValues, mapping: Mapping, held: Sequence[int], node: Node
) -> GateWeights | None:
    """Return what is known of the weights of a layer; None of a layer without gates."""
    found = gate_arrays(reduced, constants, mapping, held, node)
    if found is None:
        return None
    return GateWeights(mark(found.into), mark(found.back), found.bias.astype(np.float64).reshape(-1))


def gate_arrays(
    reduced: ReducedGraph, constants: ConstantValues, mapping: Mapping, held: Sequence[int], node: Node
) -> GateArrays | None:
    """Return the weights of a layer, of which the file, or the loader at the places `held`, has all; None of a layer without gates."""
    call = mapping.sound_call(reduced.graph, node)
    if call is None or not call.operator.has_gates:
        return None
    arrays: dict[Source, Any] = {}
    constants.show({*reduced.constants[node.index]}, arrays.__setitem__)
    origins = range(len(node.inputs)) if call.inputs is None else call.inputs
    operands = [arrays.get(Source(*node.inputs[one])) if isinstance(one, int) else None for one in origins]
    try:
        for place in held:
            operands[place] = mapping.added(node, place)[1]
        gates = call.operator.gates_of(*operands, **call.attrs)
        if not gates or any(one.projection is not None for one in gates):
            return None
        return GateArrays(*(np.stack([np.asarray(one[k], np.float32) for one in gates]) for k in (1, 2, 3)))
    except (*UNREADABLE, NoKernel, ValueError, IndexError, TypeError):  # operands that do not fit together
        return None
