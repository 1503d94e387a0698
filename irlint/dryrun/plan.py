"""What the run of a graph needs to know of it beforehand, found once: bodies of loops run thousands of times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.dims import is_known
from irlint.dryrun.infer import order_of
from irlint.dryrun.mapping import Call, Mapping
from irlint.dryrun.tensor import Tensor
from irlint.graph import Graph, Node, Source

Types = Sequence[tuple[Tensor, ...]]


class Step:
    """One node in the order of the run.

    `freed` are the nodes whose values no later step uses. `is_typed`: the types of the outputs are known. `is_fixed`: the
    result depends on constants only. `several`: more than the first output is used. `key` and `settled` are the types of the
    last operands, and those of the outputs that followed from them.
    """

    __slots__ = (
        "call", "freed", "index", "is_fixed", "is_typed", "is_used", "key", "kinds", "node", "settled", "several", "sources",
    )  # fmt: skip

    def __init__(self, index: int, node: Node, kinds: tuple[Tensor, ...]) -> None:
        self.index, self.node, self.kinds = index, node, kinds
        self.sources: Sequence[Source] = node.inputs
        self.is_typed = bool(kinds) and all(is_known(tensor.shape) for tensor in kinds)
        self.call: Call | None = None
        self.freed: list[int] = []
        self.is_used = self.several = self.is_fixed = False
        self.key: Any = None
        self.settled: tuple[Tensor, ...] = ()


def steps_of(graph: Graph, mapping: Mapping, types: Types | None) -> list[Step]:
    """Return the steps of a graph, producers before users; without the nodes that its loader never reads."""
    nodes, dead = graph.nodes, set(mapping.dead(graph))
    steps = [Step(k, nodes[k], types[k] if types else ()) for k in order_of(graph) if k not in dead]
    by_index = {step.index: step for step in steps}
    last: dict[int, Step] = {}
    for step in steps:
        calls = step.node.kind == "call"
        step.is_fixed = calls and bool(step.sources) and not step.node.graphs
        for maker, output in step.sources:
            if maker < 0 or (source := by_index.get(maker)) is None:
                continue
            last[maker], source.is_used = step, True
            source.several = source.several or output > 0
            step.is_fixed = step.is_fixed and (source.is_fixed or source.node.kind == "const")
    for maker, output in mapping.outputs(graph):
        if (source := by_index.get(maker)) is not None:
            source.several = source.several or output > 0
    for maker, step in last.items():
        step.freed.append(maker)
    return steps
