"""The costs of a model: floating-point operations, and the memory of activations by their lifetimes."""

from __future__ import annotations

from collections import Counter

from irlint.dryrun.counts import flops, is_heavy
from irlint.dryrun.dims import is_known
from irlint.dryrun.infer import Inference
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.memory import plan
from irlint.dryrun.tensor import Tensor, taken
from irlint.graph import Graph, Node
from irlint.records import NamedTuple


class Costs(NamedTuple):
    """The costs; None where most are unknown. `unknown` counts operators with unknown costs, and `unknown_operators` these by their names,
    the most frequent first."""

    flops: int | None = None
    peak_bytes: int | None = None
    unknown: int = 0
    unknown_operators: dict[str, int] = {}


class CostCoverage:
    """How many operators have known costs, and how many of the kinds that take most of the time of nearly every network."""

    def __init__(self) -> None:
        self.known, self.unknown, self.heavy, self.heavy_unknown = 0, 0, 0, 0

    def add(self, is_known: bool, is_heavy: bool) -> None:
        self.known += is_known
        self.unknown += not is_known
        self.heavy += is_heavy
        self.heavy_unknown += is_heavy and not is_known

    def join(self, other: CostCoverage) -> None:
        self.known += other.known
        self.unknown += other.unknown
        self.heavy += other.heavy
        self.heavy_unknown += other.heavy_unknown

    @property
    def is_representative(self) -> bool:
        """Return whether the sum of the known costs is near that of all; if most are unknown, it would only pass for that."""
        return 0 < self.known >= self.unknown and 2 * self.heavy_unknown <= self.heavy


def costs(graph: Graph, mapping: Mapping, types: Inference) -> Costs:
    """Return the costs of one run; a multiplication and an addition are two operations. Loops count as one iteration."""
    types = completed(graph, types)
    flops, coverage, unknown = 0, CostCoverage(), Counter[str]()
    for each in graph.walk():
        dead = set(mapping.dead(each))
        for node in each.nodes:
            if node.kind != "call" or node.graphs or not node.outputs or node.index in dead:
                continue
            found = flops_of(each, node, mapping, types)
            coverage.add(found is not None, is_heavy_node(each, node, mapping))
            if found is None:
                unknown[node.op] += 1
            else:
                flops += found
    peak = plan(graph, mapping, types)
    live = peak.live if coverage.is_representative and not peak.unknown else None
    return Costs(flops if coverage.is_representative else None, live, coverage.unknown, dict(unknown.most_common()))


def completed(graph: Graph, types: Inference) -> Inference:
    """Return the types, with the declared ones where they are unknown (because weights that determine them are missing)."""
    found = Inference(graph)
    for each in graph.walk():
        known = types.types.get(id(each)) or [()] * len(each.nodes)
        found.types[id(each)] = [_said(node, outputs) for node, outputs in zip(each.nodes, known, strict=True)]
    return found


def _said(node: Node, outputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    if outputs and all(is_known(tensor.shape) for tensor in outputs):
        return outputs
    declared = tuple([Tensor(*value.type) for value in node.outputs])
    return declared if declared and all(is_known(tensor.shape) for tensor in declared) else outputs


def is_heavy_node(graph: Graph, node: Node, mapping: Mapping) -> bool:
    """Return whether a node is of the kinds that take most of the time of nearly every network."""
    call = mapping.sound_call(graph, node)
    return call is not None and is_heavy(call)


def flops_of(graph: Graph, node: Node, mapping: Mapping, types: Inference) -> int | None:
    """Return the operations of a node; None if they are unknown. The types are completed with the declared ones."""
    call, outputs = mapping.sound_call(graph, node), types.outputs(graph, node)
    if call is None or not outputs or not all(is_known(tensor.shape) for tensor in outputs):
        return None
    return flops(call, taken(types.types[id(graph)], node.inputs), outputs)
