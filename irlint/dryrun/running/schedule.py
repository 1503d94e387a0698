"""What a run does with the nodes of a graph, prepared once for all runs, and the values that are the same in all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from irlint.dryrun.dims import is_known
from irlint.dryrun.infer import Inference, Outputs, order_of
from irlint.dryrun.mapping import Call, Mapping
from irlint.dryrun.running.packed import Packed
from irlint.graph import Graph

BUDGET = 256 << 20  # bytes of values that are kept for later runs


class Schedule:
    """The nodes of a graph in the order of execution, without those that the loader never reads; `within`: only some of them."""

    def __init__(self, graph: Graph, mapping: Mapping, within: Collection[int] | None = None) -> None:
        self.graph = graph
        self.types: Inference | None = None  # of the run that goes on
        self.runs = 0
        nodes, dead = graph.nodes, set(mapping.dead(graph))
        self.order = [i for i in order_of(graph) if i not in dead and (within is None or i in within)]
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
        self.kinds: list[Outputs] = [()] * len(nodes)
        self.settled = [False] * len(nodes)
        self.calls: list[Call | None] = [None] * len(nodes)
        self._kept: Kept | None = None

    def begin(self, types: Inference) -> None:
        """Take the types of a run; the order, the calls and the values that are kept stay the same."""
        if types is self.types:
            return
        before, self.types = self.kinds, types
        self.kinds = types.types.get(id(self.graph)) or [()] * len(before)
        for index in self.order:
            if (kinds := self.kinds[index]) is not before[index]:
                self.settled[index] = bool(kinds) and all(is_known(tensor.shape) for tensor in kinds)

    def kept(self, fed: frozenset[int], limit: int | None = None) -> Kept:
        """Return the values that are the same in every run to which these constants are given; they take half of the bytes of `limit`
        at most."""
        room = BUDGET if limit is None else min(BUDGET, limit // 2)
        if self._kept is None or self._kept.fed != fed or self._kept.room > room:
            self._kept = Kept(self, fed, room)
        return self._kept

    def fixed(self, fed: frozenset[int]) -> set[int]:
        """Return the nodes whose values follow from constants that are not given, and that others or nobody uses."""
        nodes = self.graph.nodes
        fixed = [False] * len(nodes)
        for index in self.order:
            if index not in fed:
                kind = nodes[index].kind
                fixed[index] = kind == "const" or (kind == "call" and self._follows(index, fixed))
        kept = {index for index in self.order if fixed[index] and (index in self.outputs or not self.used[index])}
        for index in self.order:
            if not fixed[index]:
                kept.update(maker for maker, _ in nodes[index].inputs if maker >= 0 and fixed[maker])
        return kept

    def taken(self) -> set[int]:
        """Return the nodes of whose values some operator takes only a few rows."""
        return {
            node.inputs[0][0]
            for node, call in zip(self.graph.nodes, self.calls, strict=True)
            if call is not None and call.operator.takes_rows and node.inputs
        }

    def _follows(self, index: int, fixed: list[bool]) -> bool:
        node, call = self.graph.nodes[index], self.calls[index]
        if call is None or call.operator.nested or call.operator.remembers or not node.inputs:
            return False
        return all(maker >= 0 and fixed[maker] for maker, _ in node.inputs)


class Kept:
    """Values of one graph that later runs need not compute again, as long as there is room for them."""

    def __init__(self, schedule: Schedule, fed: frozenset[int], room: int) -> None:
        self.schedule, self.fed, self.room = schedule, fed, room
        self.fixed = schedule.fixed(fed)
        self.taken = schedule.taken()
        self.values: dict[int, tuple[Any, ...]] = {}
        self.idle: set[int] = set()  # nodes that nothing uses but what is kept
        self.left = room
        self._prepared: dict[int, dict[str, Any]] = {}
        self._seen = 0

    def add(self, index: int, arrays: tuple[Any, ...]) -> None:
        if index not in self.fixed or index in self.values or any(map(self._is_too_large, arrays)):
            return
        kept = tuple([self._form(index, array) for array in arrays])
        size = _size(kept)
        if size <= self.left:
            self.left -= size
            self.values[index] = kept

    def _is_too_large(self, array: Any) -> bool:
        """Return whether there is no room for a constant that is kept as numbers or not at all."""
        return type(array) is Packed and not array.is_dense and array.nbytes > self.left

    def _form(self, index: int, array: Any) -> Any:
        """Return what is kept of a value: of a constant of few bits all numbers while half of the room lasts, then its codes as
        bytes, which are quicker than shorter ones, and in the end the constant as it is."""
        if type(array) is not Packed:
            return array
        if not array.is_dense:
            return array.array()
        if index in self.taken or array.dtype.name != "float32":  # others would be rounded
            return array
        if array.nbytes <= self._spare:
            return array.array()
        wide = array.in_bytes()
        return wide if wide is not None and wide.codes.nbytes <= self.left else array

    def prepared(self, index: int, call: Call, operands: list[Any]) -> dict[str, Any]:
        """Return what an operator makes of its constants, as long as half of the room lasts; all of it for codes of few bits."""
        found = self._prepared.get(index)
        if found is None:
            found, inputs = {}, self.schedule.graph.nodes[index].inputs
            places = [inputs[place][0] for place in call.operator.prepares if place < len(inputs)]
            if (
                call.inputs is None
                and all(k < 0 or k in self.values for k in places)
                and Packed not in map(type, operands)
            ):
                found = call.operator.prepare(*operands, **call.attrs)
                found = {name: self._form(index, array) for name, array in found.items()}
                size, room = _size(found.values()), self.left if Packed in map(type, found.values()) else self._spare
                if size > room:
                    found, size = {}, 0
                self.left -= size
            self._prepared[index] = found
        return found

    @property
    def _spare(self) -> int:
        """Return the room that is left for what could be kept in a shorter form, or made again."""
        return self.left - self.room // 2

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


def _size(kept: Iterable[Any]) -> int:
    return sum(array.codes.nbytes if type(array) is Packed else array.nbytes for array in kept)
