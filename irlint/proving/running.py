"""The runs of both models: all values of the first are kept, and those of the second led back to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irlint.dryrun.infer import infer
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Feed, Mapping
from irlint.dryrun.running.feeds import tensors_of
from irlint.dryrun.running.memory import TooMuch
from irlint.dryrun.running.packed import whole
from irlint.dryrun.running.run import Run, Unsupported, abstract
from irlint.graph import Graph, Node
from irlint.inspection.coarseness import accumulated, roundings
from irlint.inspection.rounding import EXACT, Rounding, coarser
from irlint.proving.nearness import FEW
from irlint.proving.traces import Partner, ResultTrace, Traces
from irlint.records import dataclass, field
from irlint.rules.base import Model

NUMBERS = "iufb"  # kinds of arrays
_SAMPLE = 32  # elements of a result
Change = Callable[[Node, list[Any], list[Any]], Any]
Partners = dict[tuple[int, int], Partner]  # by node, and which of its results


@dataclass
class Side:
    """One of the models, with what a run of it has shown of its outermost graph."""

    model: Model
    mapping: Mapping
    outputs: list[Any] = field(default_factory=list)
    order: list[int] = field(default_factory=list)  # nodes that depend on an input, as they were computed
    data: set[int] = field(default_factory=set)  # the same, and the inputs
    weights: dict[int, list[Any]] = field(default_factory=dict)  # constant operands of these nodes
    own_roundings: list[Rounding] = field(default_factory=list)  # what each node adds
    roundings: list[Rounding] = field(
        default_factory=list
    )  # of what nodes output; of the second model since it was last led back
    results: int = 0  # of the second model: arrays of numbers
    kept: int = 0  # bytes of results that are kept
    own: dict[int, Any] = field(default_factory=dict)  # of the second model: first results that are in no other place
    read: dict[int, list[Any]] = field(default_factory=dict)  # the operands of these

    @property
    def graph(self) -> Graph:
        return self.model.graph

    def look(self) -> Rounding:
        """Set how coarsely the nodes compute; return the coarsest."""
        self.own_roundings = roundings(self.graph, self.mapping)
        self.roundings = accumulated(self.graph, self.own_roundings)
        return coarser(*self.roundings)

    def feeds(self) -> list[Feed]:
        return [feed for feed in self.mapping.feeds(self.graph) if feed.needed]

    def named_outputs(self) -> list[tuple[tuple[str, ...], Any]]:
        """Return the outputs, each with all its names."""
        names = zip(self.mapping.unique_names(self.graph), self.mapping.aliases(self.graph), strict=True)
        return [
            (tuple(dict.fromkeys((own, *others))), array)
            for (own, others), array in zip(names, self.outputs, strict=True)
        ]


def run(side: Side, values: dict[int, Any], seed: int, memory: int | None, change: Change) -> None:
    """Run a model; `change` gets the operands and results of each operator of the outermost graph that depends on an input, and may
    return other results to continue with."""
    graph = side.graph
    types = infer(graph, side.mapping, tensors_of(values))
    if types.unknown:
        unknown = next(node for each in graph.walk() for node in each.nodes if node.op in types.unknown)
        raise Unsupported(unknown, "not implemented")
    side.order, side.data, side.weights = list(values), set(values), {}

    def watch(where: Graph, node: Node, operands: list[Any], outputs: tuple[Any, ...], seconds: float) -> Any:
        if where is not graph or not any(source[0] in side.data for source in node.inputs):
            return None
        side.order.append(node.index)
        side.data.add(node.index)
        side.weights[node.index] = [
            operand
            for source, operand in zip(node.inputs, operands, strict=False)
            if operand is not None and source[0] not in side.data
        ]
        return change(node, operands, [whole(array) for array in outputs])

    side.outputs = Run(side.mapping, types, watch, seed, memory).outputs(graph, values)


def _moves(array: Any, operands: list[Any]) -> bool:
    """Return whether a result consists of elements of an operand: there may be another that selects the same by another way."""
    some = array.reshape(-1)[:: max(1, array.size // _SAMPLE)][:_SAMPLE]
    return any(
        operand is not None and operand.size > 1 and operand.dtype == array.dtype and bool(np.isin(some, operand).all())
        for operand in map(whole, operands)
    )


def _keep(side: Side, node: Node, array: Any, memory: int | None) -> None:
    """Count a result that is kept; raise TooMuch if they take more than the limit."""
    side.kept += array.nbytes
    if memory is not None and side.kept > memory:
        raise TooMuch(node, abstract(array), side.kept, memory)


def kept(side: Side, values: dict[int, Any], seed: int, memory: int | None) -> Traces:
    """Run the first model and return all its values."""
    traces = Traces()
    for node, array in values.items():
        if array.dtype.kind in NUMBERS:
            traces.add(ResultTrace(node, 0, array, EXACT))

    def keep(node: Node, operands: list[Any], outputs: list[Any]) -> None:
        for k, array in enumerate(outputs):
            if array.dtype.kind in NUMBERS:
                _keep(side, node, array, memory)
                traces.add(ResultTrace(node.index, k, array, side.roundings[node.index]))

    run(side, values, seed, memory, keep)
    return traces


def led(side: Side, values: dict[int, Any], seed: int, memory: int | None, traces: Traces) -> Partners:
    """Run the second model. A result that is a value of the first but for rounding is replaced by it, so that rounding does not add up;
    return for each such result which value that is."""
    partners: Partners = {}
    settled = {(node, 0) for node in values}  # results that are exactly the first model's from here on

    def lead(node: Node, operands: list[Any], outputs: list[Any]) -> Any:
        is_changed = False
        known = (side.roundings[s[0]] for s in node.inputs if s[0] in side.data and (s[0], s[1]) not in settled)
        rounding = side.roundings[node.index] = coarser(side.own_roundings[node.index], *known)
        for k, array in enumerate(outputs):
            if array.dtype.kind not in NUMBERS:
                continue
            side.results += 1
            partner = traces.nearest(array, rounding)
            if partner is not None:
                partners[node.index, k] = partner
                if (
                    array.size > FEW and partner.distance <= EXACT.limit
                ):  # neither by chance nor another value that is near, too
                    settled.add((node.index, k))
                if partner.distance:
                    outputs[k] = partner.array.astype(array.dtype)
                    is_changed = True
            elif k == 0 and array.dtype.kind == "f" and not _moves(array, operands):
                _keep(side, node, array, memory)
                side.own[node.index] = array
                side.read[node.index] = list(operands)
        return tuple(outputs) if is_changed else None

    run(side, values, seed, memory, lead)
    return partners
