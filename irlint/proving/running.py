"""The runs of both models: all values of the first are kept, and those of the second led back to them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Feed, Mapping, State
from irlint.dryrun.running.feeds import tensors_of
from irlint.dryrun.running.memory import TooMuch
from irlint.dryrun.running.packed import whole
from irlint.dryrun.running.run import Run, Unsupported, abstract
from irlint.formats.runtime import NamedArray
from irlint.graph import Graph, Node, Source
from irlint.inspection.coarseness import LEAST_WEIGHT, accumulated, codes
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.form import Form
from irlint.inspection.review.layers.gate_weights import gate_arrays
from irlint.inspection.review.reduced import Body, ReducedGraph
from irlint.inspection.rounding import EQUAL, EXACT, Rounding, coarser
from irlint.proving.nearness import FEW
from irlint.proving.traces import Partner, Traces
from irlint.records import NamedTuple, dataclass, field
from irlint.rules.base import Model

_OF_GATES = ("input weights", "recurrent weights", "biases")
NUMBERS = "iufb"  # kinds of arrays
_SAMPLE = 32  # elements of a result
_MOST_READERS = 16  # of a value, that may do the same with it
Change = Callable[[Node, list[Any], list[Any]], Any]
Partners = dict[tuple[int, int], Partner]  # by node, and which of its results


class RuntimeRun(NamedTuple):
    """How a model is run by its runtime: the runtime's name and version, and a function that returns the outputs."""

    title: str
    outputs: Callable[[list[NamedArray]], list[NamedArray]]


class OpenState(NamedTuple):
    """A state that is compared as the other model has it: as an input, and as an output."""

    state: State
    feed: Feed
    output: tuple[str, ...]  # its names


@dataclass
class Side:
    """One of the models, with what a run of it has shown of its outermost graph."""

    model: Model
    mapping: Mapping
    outputs: list[Any] = field(default_factory=list)
    order: list[int] = field(default_factory=list)  # nodes that depend on an input, as they were computed
    data: set[int] = field(default_factory=set)  # the same, and the inputs
    layers: set[int] = field(default_factory=set)  # those of these nodes that have weights
    own_roundings: list[Rounding] = field(default_factory=list)  # what each node adds
    roundings: list[Rounding] = field(
        default_factory=list
    )  # of what nodes output; of the second model since it was last led back
    results: int = 0  # of the second model: arrays of numbers
    kept: int = 0  # bytes of results that are kept
    own: dict[int, Any] = field(default_factory=dict)  # of the second model: first results that are in no other place
    read: dict[int, list[Any]] = field(default_factory=dict)  # the operands of these
    runtime: RuntimeRun | None = None  # its outputs come from there
    opened: list[OpenState] = field(default_factory=list)

    @property
    def graph(self) -> Graph:
        return self.model.graph

    @cached_property
    def form(self) -> Form:
        return Form(self.model, True, self.mapping)

    def look(self, codes: set[bytes]) -> Rounding:
        """Forget an earlier run, and set how coarsely the nodes compute; return the coarsest. `codes`: the quantized weights of the other
        model. What has the same ones differs by less than what another tool has quantized."""
        self.results, self.kept, self.own, self.read = 0, 0, {}, {}
        self.own_roundings = self.form.roundings(self.graph)
        if codes and codes == self.codes:
            self.own_roundings = [EQUAL if one.is_coarse else one for one in self.own_roundings]
        self.roundings = accumulated(self.graph, self.own_roundings)
        return coarser(*self.roundings)

    @cached_property
    def codes(self) -> set[bytes]:
        """Hashes of the quantized weights."""
        is_exact = coarser(*self.form.roundings(self.graph)) == EXACT
        return set() if is_exact else codes(self.graph, self.mapping)

    def feeds(self) -> list[Feed]:
        needed = [feed for feed in self.mapping.feeds(self.graph) if feed.needed]
        return needed + [one.feed for one in self.opened]

    def output_names(self) -> list[tuple[str, ...]]:
        """Return all names of each output."""
        names = zip(self.mapping.unique_names(self.graph), self.mapping.aliases(self.graph), strict=True)
        return [tuple(dict.fromkeys((own, *others))) for own, others in names] + [one.output for one in self.opened]

    def output_sources(self) -> list[tuple[int, int]]:
        """Return which node makes each output, and as which of its own."""
        sources = [*self.mapping.outputs(self.graph)]
        for state, _, _ in self.opened:
            writer = None if state.writer is None else self.graph.nodes[state.writer]
            sources.append(writer.inputs[0] if writer is not None and writer.inputs else Source(state.reader, 0))
        return [(source[0], source[1]) for source in sources]

    def named_outputs(self) -> list[tuple[tuple[str, ...], Any]]:
        """Return the outputs, each with all its names."""
        return list(zip(self.output_names(), self.outputs, strict=True))


def run(side: Side, values: dict[int, Any], seed: int, memory: int | None, change: Change) -> None:
    """Run a model; `change` gets the operands and results of each operator of the outermost graph that depends on an input, and may
    return other results to continue with."""
    graph = side.graph
    known = side.model.types
    types = infer(
        graph,
        side.mapping,
        tensors_of(side.feeds(), values),
        earlier=known if isinstance(known, Inference) else None,
    )
    if types.unknown:
        unknown = next(node for each in graph.walk() for node in each.nodes if node.op in types.unknown)
        raise Unsupported(unknown, "not implemented")
    drawn = set(side.mapping.random(graph))
    side.order, side.data, side.layers = list(values), set(values), set()
    data = side.data
    held: dict[int, list[int]] = {}
    for one in side.mapping.held(graph):
        held.setdefault(one.node.index, []).append(one.place)

    def watch(where: Graph, node: Node, operands: list[Any], outputs: tuple[Any, ...], seconds: float) -> Any:
        if where is not graph:
            return None
        if node.index not in drawn and data.isdisjoint([source[0] for source in node.inputs]):
            return None
        side.order.append(node.index)
        data.add(node.index)
        for source, operand in zip(node.inputs, operands, strict=False):
            if source[0] not in data and is_weight(operand):
                side.layers.add(node.index)
        for place in held.get(node.index, ()):
            if is_weight(side.mapping.added(node, place)[1]):
                side.layers.add(node.index)
        return change(node, operands, [whole(array) for array in outputs])

    sources = side.output_sources()
    written = sources[len(sources) - len(side.opened) :]
    job = Run(side.mapping, types, watch, seed, memory, {node for node, _ in written}, keeps_operands=True)
    side.outputs = job.outputs(graph, values)
    side.outputs += [job.found[node][output] for node, output in written]


def is_weight(array: Any) -> bool:
    """Return whether a constant operand is large enough to be a weight."""
    return array is not None and array.dtype.kind == "f" and array.size >= LEAST_WEIGHT


def weights_of(side: Side, node: Node) -> list[tuple[str, Any]]:
    """Return the weights of a node of the outermost graph, which a run does not keep, and what they are. Those of gates are in one
    order, whatever that of the format."""
    reduced = ReducedGraph(side.model, Body(side.graph), side.form.names, side.mapping)
    constants = ConstantValues(side.model, reduced, side.mapping)
    held = [one.place for one in side.mapping.held(side.graph) if one.node is node]
    gates = gate_arrays(reduced, constants, side.mapping, held, node)
    if gates is not None:
        return list(zip(_OF_GATES, gates, strict=True))
    sources = [Source(*source) for source in node.inputs if source[0] >= 0 and source[0] not in side.data]
    known: dict[Source, Any] = {}
    constants.show(set(sources), known.__setitem__)
    added = (side.mapping.added(node, place)[1] for place in held)
    return [("weights", array) for array in (*map(known.get, sources), *added) if is_weight(array)]


def _moves(array: Any, operands: list[Any]) -> bool:
    """Return whether a result consists of elements of an operand: there may be another that selects the same by another way."""
    some = array.reshape(-1)[:: max(1, array.size // _SAMPLE)][:_SAMPLE]
    return any(
        operand is not None
        and operand.size > 1
        and operand.dtype == array.dtype
        and bool(not some.size or (operand == some[0]).any())
        and bool(np.isin(some, operand).all())
        for operand in map(whole, operands)
    )


def _keep(side: Side, node: Node, array: Any, memory: int | None) -> None:
    """Count a result that is kept; raise TooMuch if they take more than the limit."""
    side.kept += array.nbytes
    if memory is not None and side.kept > memory:
        raise TooMuch(node, abstract(array), side.kept, memory)


def kept(side: Side, values: dict[int, Any], seed: int, memory: int | None) -> Traces:
    """Run the first model and return all its values."""
    traces = Traces({node.name: node.index for node in side.graph.nodes if node.name})
    for node, array in values.items():
        if array.dtype.kind in NUMBERS:
            traces.add(node, 0, array, EXACT)

    def keep(node: Node, operands: list[Any], outputs: list[Any]) -> None:
        for k, array in enumerate(outputs):
            if array.dtype.kind in NUMBERS:
                _keep(side, node, array, memory)
                traces.add(node.index, k, array, side.roundings[node.index])

    run(side, values, seed, memory, keep)
    return traces


class _Likely:
    """Which nodes of the first model do with the same values what a node of the second does."""

    def __init__(self, a: Side, b: Side, partners: Partners) -> None:
        self._nodes, self._readers = a.graph.nodes, a.graph.consumers()
        self._op, self._partners = (a.form.names.of, b.form.names.of), partners

    def of(self, node: Node) -> list[int]:
        known = (self._partners.get((source[0], source[1])) for source in node.inputs)
        makers = {partner.trace.node for partner in known if partner is not None}
        if not makers:
            return []
        op, fewest = self._op[1](node), min(makers, key=lambda maker: len(self._readers[maker]))
        readers = (self._nodes[index] for index in self._readers[fewest][:_MOST_READERS])
        return [
            reader.index
            for reader in readers
            if self._op[0](reader) == op and makers.issubset(source[0] for source in reader.inputs)
        ]


def led(a: Side, side: Side, values: dict[int, Any], seed: int, memory: int | None, traces: Traces) -> Partners:
    """Run the second model. A result that is a value of the first but for rounding is replaced by it, so that rounding does not add up;
    return for each such result which value that is."""
    partners: Partners = {}
    likely = _Likely(a, side, partners)
    settled = {(node, 0) for node in values}  # results that are exactly the first model's from here on

    def lead(node: Node, operands: list[Any], outputs: list[Any]) -> Any:
        is_changed = False
        known = (side.roundings[s[0]] for s in node.inputs if s[0] in side.data and (s[0], s[1]) not in settled)
        rounding = side.roundings[node.index] = coarser(side.own_roundings[node.index], *known)
        for k, array in enumerate(outputs):
            if array.dtype.kind not in NUMBERS:
                continue
            side.results += 1
            partner = traces.nearest(array, rounding, node.name, likely.of(node) if array.dtype.kind == "f" else ())
            if partner is not None:
                partners[node.index, k] = partner
                if (
                    array.size > FEW and partner.distance <= EXACT.limit
                ):  # neither by chance nor another value that is near, too
                    settled.add((node.index, k))
                if partner.distance:
                    outputs[k] = partner.array.astype(array.dtype, copy=False)
                    is_changed = True
            elif k == 0 and array.dtype.kind == "f" and not _moves(array, operands):
                _keep(side, node, array, memory)
                side.own[node.index] = array
                side.read[node.index] = list(operands)
        return tuple(outputs) if is_changed else None

    run(side, values, seed, memory, lead)
    return partners
