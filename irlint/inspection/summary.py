"""Summary of a model: operators, parameters, inputs and outputs, depth, widest cut."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from math import prod
from typing import Any

from irlint.dryrun.costs import Costs
from irlint.dryrun.dtypes import size
from irlint.dryrun.known import DeclaredType
from irlint.dryrun.mapping import State
from irlint.formats import by_name
from irlint.graph import Graph, Node, Shape, Type
from irlint.inspection import markers
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.types import type_lookup
from irlint.order import post_order
from irlint.records import NamedTuple, dataclass
from irlint.rules.base import Model

NO_COSTS = Costs()
_PARAMETER_PORTS = {"weight", "bias", "gamma", "beta", "alpha", "moving_mean", "moving_var", "parameters"}


class Amount(NamedTuple):
    """A sum over tensors of which some may have no known size."""

    tensors: int
    unknown: int
    total: int


class ModelPort(NamedTuple):
    """An input or output of the model."""

    name: str
    type: Type


class ModelState(NamedTuple):
    """A state of the model; `per_token`: the bytes that one more token takes in each sequence, in a KV cache."""

    name: str
    type: Type
    per_token: int | None


class PeakMemory(NamedTuple):
    """The greatest number of results that are alive at once, and the call during which that is."""

    width: int
    at: str


@dataclass(frozen=True)
class Summary:
    calls: int
    nested_graphs: int
    operators: dict[str, int]  # the most frequent first
    parameters: Amount  # elements of constants and weights
    parameter_bytes: Amount
    parameter_types: dict[str, Amount]  # elements by element type, the most first
    inputs: list[ModelPort]
    outputs: list[ModelPort]
    depth: int
    cut: PeakMemory
    costs: Costs = NO_COSTS
    states: Sequence[ModelState] = ()
    options: str = ""  # that set open shapes of inputs, as an example

    def json(self) -> dict[str, Any]:
        return {
            "calls": self.calls,
            "nested_graphs": self.nested_graphs,
            "operators": self.operators,
            "parameters": self.parameters._asdict(),
            "parameter_bytes": self.parameter_bytes._asdict(),
            "parameter_types": {name: amount._asdict() for name, amount in self.parameter_types.items()},
            "inputs": [_port(port) for port in self.inputs],
            "outputs": [_port(port) for port in self.outputs],
            "states": [{**_port(ModelPort(*state[:2])), "bytes_per_token": state.per_token} for state in self.states],
            "depth": self.depth,
            "widest_cut": self.cut._asdict(),
            **self.costs._asdict(),
        }


def _port(port: ModelPort) -> dict[str, Any]:
    told = {"name": port.name, "dtype": port.type.dtype, "shape": port.type.shape}
    return {**told, "declared": True} if isinstance(port.type, DeclaredType) else told


def summarize(
    model: Model,
    costs: Costs = NO_COSTS,
    states: Sequence[ModelState] = (),
    apart: Sequence[Type] = (),
    packed: Mapping[int, Type | None] | None = None,
) -> Summary:
    """Return the summary of a model; costs come from the dry run. Nested graphs count for operators and parameters only.
    `apart` are the types of weights for which the graph has no nodes, `packed` what nodes of it hold in fewer bytes than numbers.
    """
    graph, type_of, names = model.graph, type_lookup(model), CanonicalNames(model)
    graphs = graph.walk()
    operators = Counter(node.op for each in graphs for node in _calls(each))
    calls = {node.index for node in _calls(graph)}
    order = [index for index in post_order(graph, strict=False) if index in calls]
    weights = [(each, each.nodes[index]) for each in graphs for index in parameters(each, names)]
    stored = [*(type_of(each, node, 0) for each, node in weights), *apart]
    types = [*_unpacked(graph, weights, stored, packed or {}), *apart]
    return Summary(
        calls=sum(operators.values()),
        nested_graphs=len(graphs) - 1,
        operators=dict(sorted(operators.items(), key=lambda item: (-item[1], item[0]))),
        parameters=_amount([_elements(type_.shape) for type_ in types]),
        parameter_bytes=_amount([size(*type_) for type_ in stored]),
        parameter_types=_by_type(types),
        inputs=_inputs(model, {node.index for each, node in weights if each is graph}),
        outputs=_outputs(model),
        depth=_depth(graph, order),
        cut=_widest_cut(graph, order),
        costs=costs,
        states=states,
    )


def _unpacked(
    graph: Graph, weights: Sequence[tuple[Graph, Node]], stored: Sequence[Type], packed: Mapping[int, Type | None]
) -> list[Type]:
    """Return the types of weights as numbers; those that only help others to be numbers are left out."""
    known = (
        packed.get(node.index, type_) if each is graph else type_
        for (each, node), type_ in zip(weights, stored, strict=False)
    )
    return [type_ for type_ in known if type_ is not None]


def _calls(graph: Graph) -> list[Node]:
    unseen = markers(graph)
    return [node for node in graph.nodes if node.kind == "call" and node.index not in unseen]


def _inputs(model: Model, weights: Set[int]) -> list[ModelPort]:
    """Return the inputs that are not weights."""
    graph, type_of = model.graph, type_lookup(model)
    nodes = [graph.nodes[index] for index in graph.inputs if index not in weights]
    return [ModelPort(input_name(model, node), type_of(graph, node, 0)) for node in nodes]


def _outputs(model: Model) -> list[ModelPort]:
    graph, type_of = model.graph, type_lookup(model)
    sources = [(graph.nodes[index], output) for index, output in graph.outputs if index >= 0]
    return [ModelPort(_output_name(node, output), type_of(graph, node, output)) for node, output in sources]


def kept(model: Model, states: Sequence[State]) -> list[ModelState]:
    """Return the states with the types that they have in every run, by name: layers in the order of their numbers."""
    type_of, graph, found = type_lookup(model), model.graph, []
    for state in sorted(states, key=lambda state: _by_number(state.name)):
        kind = type_of(graph, graph.nodes[state.reader], 0)
        found.append(ModelState(state.name, kind, _per_token(kind) if state.grows else None))
    return found


def _by_number(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts names by the numbers in them: `layer.2` before `layer.10`. Digits are compared as text, by length first."""
    return [(len(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", name)]


def _by_type(types: Sequence[Type]) -> dict[str, Amount]:
    sizes: dict[str, list[int | None]] = {}
    for dtype, shape in types:
        sizes.setdefault(dtype or "unknown", []).append(_elements(shape))
    amounts = {name: _amount(found) for name, found in sizes.items()}
    return dict(sorted(amounts.items(), key=lambda item: -item[1].total))


def _per_token(kind: Type) -> int | None:
    """Return the bytes of one token in a cache whose first dimension is the batch and of which one other is open."""
    shape = kind.shape or ()
    if sum(not isinstance(dim, int) for dim in shape[1:]) != 1:
        return None
    return size(kind.dtype, tuple(dim if isinstance(dim, int) else 1 for dim in shape[1:]))


def parameters(graph: Graph, names: CanonicalNames) -> list[int]:
    """Return constants, including calls that only hold data, and variables that are not inputs or are used as parameters
    only. Those of a nested graph stand for values of the graph around it.
    """
    kinds = [names.kind_of(node) for node in graph.nodes]
    if graph.parent is not None:
        return [index for index, kind in enumerate(kinds) if kind == "const"]
    ports = _ports_of_inputs(graph, names.model)
    data = set(graph.inputs) - {index for index, read in ports.items() if read <= _PARAMETER_PORTS}
    return [index for index, kind in enumerate(kinds) if kind == "const" or (kind == "var" and index not in data)]


def _ports_of_inputs(graph: Graph, model: Model) -> dict[int, set[str]]:
    """Return the ports of operators that inputs of a graph go to, by the index of the input."""
    given, found = set(graph.inputs), dict[int, set[str]]()
    for node in graph.nodes:
        operator = model.operator(node) if node.kind == "call" else None
        ports = [port.name for port in operator.inputs] if operator else []
        for position, (index, _) in enumerate(node.inputs):
            if index in given:
                found.setdefault(index, set()).add(ports[position] if position < len(ports) else "")
    return found


def _elements(shape: Shape | None) -> int | None:
    dims = [dim for dim in shape or () if isinstance(dim, int)]
    return None if shape is None or len(dims) < len(shape) else prod(dims)


def _amount(sizes: list[int | None]) -> Amount:
    known = [number for number in sizes if number is not None]
    return Amount(len(sizes), len(sizes) - len(known), sum(known))


def input_name(model: Model, node: Node) -> str:
    """Return the name by which a program gives an input its value."""
    format_ = by_name(model.format)
    by_value = format_ is not None and format_.names_inputs_by_value and node.outputs
    return (node.outputs[0].name if by_value else None) or node.name


def _output_name(node: Node, output: int) -> str:
    names = (node.outputs[output].name if output < len(node.outputs) else None) or node.name
    return ", ".join(sorted(names.split(","), key=str.isdecimal)) if node.path and "," in names else names


def _depth(graph: Graph, order: list[int]) -> int:
    """Return the number of calls on the longest path from an input to a result."""
    depths = [0] * len(graph.nodes)
    for index in order:
        depths[index] = 1 + max((depths[s[0]] for s in graph.nodes[index].inputs if s[0] >= 0), default=0)
    return max(depths, default=0)


def _widest_cut(graph: Graph, order: list[int]) -> PeakMemory:
    """Return the maximum number of live results while the calls run in this order, including the call's own: computed, and
    still needed by a call or as an output.
    """
    last: dict[int, int] = {}  # call -> when it is read for the last time
    for time, index in enumerate(order):
        last[index] = time
        for source in graph.nodes[index].inputs:
            if source[0] in last:
                last[source[0]] = time
    for source in graph.outputs:
        if source[0] in last:
            last[source[0]] = len(order)
    ends = Counter(last.values())
    alive, widest, at = 0, 0, ""
    for time, index in enumerate(order):
        alive += 1
        if alive > widest:
            widest, at = alive, graph.nodes[index].name or graph.nodes[index].op
        alive -= ends[time]
    return PeakMemory(widest, at)
