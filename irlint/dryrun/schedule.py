"""What a run does with the nodes of a graph, prepared once for all runs, and the values that are the same in all of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from irlint.dryrun.dims import is_known
from irlint.dryrun.infer import Inference, order_of
from irlint.dryrun.mapping import Call, Mapping
from irlint.dryrun.packed import Packed, whole
from irlint.graph import Graph

BUDGET = 256 << 20  # bytes of values that are kept for later runs


class Schedule:
    """The nodes of a graph in the order of execution, without those that the loader never reads."""

    def __init__(self, graph: Graph, mapping: Mapping, types: Inference) -> None:
        self.graph, self.types = graph, types
        self.runs = 0
        nodes, dead = graph.nodes, set(mapping.dead(graph))
        self.order = [index for index in order_of(graph) if index not in dead]
        outputs = mapping.outputs(graph)
        self.outputs = {source[0] for source in outputs}
        self.several = {source[0] for source in outputs if source[1]}  # more than the first output is used
        self.used = [False] * len(nodes)
        last: dict[int, int] = {}
        for place, index in enumerate(self.order):
            for maker, output in nodes[index].inputs:
                if maker >= 0:
                    self.used[maker] = True
                    last[maker] = place
                    if output:
                        self.several.add(maker)
        self.frees: list[list[int]] = [[] for _ in self.order]  # the values that each place is the last to use
        for maker, place in last.items():
            if maker not in self.outputs:
                self.frees[place].append(maker)
        self.kinds = types.types.get(id(graph)) or [()] * len(nodes)
        self.settled = [bool(kinds) and all(is_known(tensor.shape) for tensor in kinds) for kinds in self.kinds]
        self.calls: list[Call | None] = [None] * len(nodes)

    @cached_property
    def fixed(self) -> set[int]:
        """Return the nodes whose values follow from constants, and that others or nobody uses."""
        nodes = self.graph.nodes
        fixed = [False] * len(nodes)
        for index in self.order:
            fixed[index] = nodes[index].kind == "const" or (nodes[index].kind == "call" and self._follows(index, fixed))
        kept = {index for index in self.order if fixed[index] and (index in self.outputs or not self.used[index])}
        for index in self.order:
            if not fixed[index]:
                kept.update(maker for maker, _ in nodes[index].inputs if maker >= 0 and fixed[maker])
        return kept

    @cached_property
    def kept(self) -> Kept:
        return Kept(self)

    def _follows(self, index: int, fixed: list[bool]) -> bool:
        node, call = self.graph.nodes[index], self.calls[index]
        if call is None or call.operator.nested or call.operator.remembers or not node.inputs:
            return False
        return all(maker >= 0 and fixed[maker] for maker, _ in node.inputs)


class Kept:
    """Values of one graph that later runs need not compute again, as long as there is room for them."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.values: dict[int, tuple[Any, ...]] = {}
        self.idle: set[int] = set()  # nodes that nothing uses but what is kept
        self.left = BUDGET
        self._seen = 0

    def add(self, index: int, arrays: tuple[Any, ...]) -> None:
        if index not in self.schedule.fixed or index in self.values:
            return
        size = sum(array.codes.nbytes if _stays(array) else array.nbytes for array in arrays)
        if size <= self.left:
            self.left -= size
            self.values[index] = tuple([array if _stays(array) else whole(array) for array in arrays])

    def begin(self) -> None:
        """Find out which nodes need not be computed, as a run begins."""
        if self._seen == len(self.values):
            return
        self._seen = len(self.values)
        nodes, needed = self.schedule.graph.nodes, set(self.schedule.outputs)
        for index in reversed(self.schedule.order):
            if index not in self.values and (index in needed or not self.schedule.used[index]):
                needed.update(maker for maker, _ in nodes[index].inputs)
        self.idle = {index for index in self.schedule.order if index not in needed and self.schedule.used[index]}


def _stays(array: Any) -> bool:
    """Return whether a constant is kept without being unpacked."""
    return type(array) is Packed and array.is_dense
