"""Values that a model keeps from one run to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irlint.dryrun import dims
from irlint.dryrun.infer import Inference
from irlint.dryrun.mapping import State
from irlint.dryrun.running.arrays import stored
from irlint.dryrun.running.feeds import BadInput
from irlint.dryrun.running.run import abstract
from irlint.dryrun.tensor import Tensor
from irlint.graph import Graph


def listed(states: Sequence[State]) -> str:
    return f"the states are {', '.join(repr(s.name) for s in states)}" if states else "the model has no states"


def given(arrays: Mapping[str, Any], states: Sequence[State], types: Inference, graph: Graph) -> dict[int, Any]:
    """Return values of states by the index of the node that outputs them; raise BadInput for those that do not fit."""
    by_name = {state.name: state for state in states}
    found: dict[int, Any] = {}
    for name, array in arrays.items():
        if name not in by_name:
            raise BadInput(f"unknown state {name!r}; {listed(states)}")
        node = graph.nodes[by_name[name].reader]
        kind = types.outputs(graph, node)[0]
        fits = kind.shape is None or (
            len(kind.shape) == array.ndim and all(map(dims.compatible, kind.shape, array.shape))
        )
        if not fits:
            raise BadInput(f"expected {dims.show(kind.shape)} for state {name!r}, got {dims.show(array.shape)}")
        wanted = stored(kind.dtype) if kind.dtype else array.dtype
        found[node.index] = array if array.dtype == wanted else array.astype(wanted)
    return found


def tensors(held: Mapping[int, Any], types: Inference | None, graph: Graph) -> dict[int, Tensor]:
    """Return the types of values of states, with the element types that are known from the file: arrays may store wider ones."""
    kinds = {k: types.outputs(graph, graph.nodes[k]) if types is not None else () for k in held}
    return {k: abstract(array, kinds[k][0].dtype if kinds[k] else None) for k, array in held.items()}


def initial(states: Sequence[State], types: Inference, graph: Graph) -> dict[int, Tensor]:
    """Return the types that states have in the first run, where their initial values show them."""
    found = {}
    for state in states:
        node = graph.nodes[state.reader]
        known = types.types[id(graph)]
        made = known[node.inputs[0][0]] if node.inputs and node.inputs[0][0] >= 0 else ()
        if node.inputs and node.inputs[0][1] < len(made) and dims.is_known(made[node.inputs[0][1]].shape):
            found[node.index] = Tensor(*made[node.inputs[0][1]].type)
    return found


class WrittenStates:
    """The values that a run writes to the states of `graph`, which the next run starts with."""

    def __init__(self, states: Sequence[State]) -> None:
        self.states = states
        self.values: dict[str, Any] = {}

    def wanted(self) -> list[int]:
        """Return the nodes whose values have to be kept: those that write a state, or read one that nobody writes."""
        return [_holder(state) for state in self.states]

    def take(self, found: Mapping[int, tuple[Any, ...]]) -> None:
        """Take the values from those that a run has kept."""
        self.values = {s.name: found[_holder(s)][0] for s in self.states if _holder(s) in found}

    def held(self) -> dict[int, Any]:
        """Return the values by the index of the node that outputs them in the next run."""
        return {s.reader: self.values[s.name] for s in self.states if s.name in self.values}


def _holder(state: State) -> int:
    return state.reader if state.writer is None else state.writer
