"""Values of the constants of a graph, also of those that its nodes compute from others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

from irlint.dryrun.counts import flops
from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.mapping import Mapping as DryRun
from irlint.dryrun.running.memory import TooMuch, free
from irlint.dryrun.running.packed import whole
from irlint.dryrun.running.run import Failed, Run, Unsupported, abstract
from irlint.dryrun.running.schedule import Schedule
from irlint.dryrun.running.weights import UNREADABLE
from irlint.graph import Graph, Node, Source
from irlint.inspection.review.reduced import ReducedGraph
from irlint.inspection.review.roles import PRODUCTS
from irlint.rules.base import Model

_MOST_FAILURES = 16  # operators that cannot be computed, after which no constant is
_LEAST_MEMORY = 1 << 28  # bytes
_MOST_WORK = 2_000_000_000  # products of numbers
_MOST_REPEATED = 20_000  # operators of nested graphs
Visit = Callable[[Source, Any], None]


class _Spent(Exception):
    """Constants take too long to compute."""


def most_bytes() -> int:
    """Return how much memory a computed constant may take."""
    return max(_LEAST_MEMORY, free() // 4)


class ConstantValues:
    """Values of constants of one graph, also of computed ones; each is shown once and not kept."""

    def __init__(self, model: Model, reduced: ReducedGraph, mapping: DryRun) -> None:
        self.graph, self.mapping, self.outer = reduced.graph, mapping, reduced.outer
        self._what: Callable[[Node], str] = reduced.what
        self.unknown = {*reduced.inputs, *mapping.random(reduced.graph)}
        known = model.types
        self.types = known if isinstance(known, Inference) else infer(model.graph, mapping)

    def show(self, wanted: Collection[Source], visit: Visit, feeds: Mapping[int, Any] = MappingProxyType({})) -> None:
        nodes = self.graph.nodes
        computed: set[Source] = set()
        for source in wanted:
            if source[0] in feeds:
                visit(source, feeds[source[0]])
                continue
            if nodes[source[0]].kind == "call":
                computed.add(source)
                continue
            try:
                visit(source, self.mapping.array(self.outer.get(source[0], nodes[source[0]])))
            except UNREADABLE:
                continue
        if computed:
            self.run(computed, feeds, visit)

    def run(self, wanted: Collection[Source], feeds: Mapping[int, Any], visit: Visit, rounds: bool = True) -> None:
        """Compute values that depend on constants and on what is given; what cannot be computed is left out. `rounds`: to the types that
        the model computes with."""
        left, failed = self._without(wanted, self.unknown, feeds), set[int]()
        while left and len(failed) < _MOST_FAILURES:
            by_node: dict[int, list[Source]] = {}
            for source in left:
                by_node.setdefault(source[0], []).append(source)
            try:
                self._computed(by_node, self._above(left, feeds), feeds, visit, rounds)
                return
            except (*UNREADABLE, _Spent):
                return
            except (Unsupported, Failed, TooMuch) as error:
                failed.add(error.node.index)
                left = self._without(left, [error.node.index], feeds)

    def _computed(
        self,
        wanted: dict[int, list[Source]],
        within: set[int],
        feeds: Mapping[int, Any],
        visit: Visit,
        rounds: bool,
    ) -> None:
        most = most_bytes()
        work = repeated = 0

        def watch(graph: Graph, node: Node, operands: list[Any], outputs: tuple[Any, ...], seconds: float) -> None:
            nonlocal work, repeated
            if graph is not self.graph:
                repeated += 1
            elif outputs and self._what(node) in PRODUCTS:
                work += self._products(node, operands, outputs)
            if work > _MOST_WORK or repeated > _MOST_REPEATED:
                raise _Spent
            for array in outputs:  # one number that is repeated takes no memory, but all that follows takes time
                if array.nbytes > most:
                    raise TooMuch(node, abstract(array), array.nbytes, most)
            for source in wanted.get(node.index, ()) if graph is self.graph else ():
                if source[1] < len(outputs) and not run.drawn:  # else it may be computed from random numbers
                    visit(source, whole(outputs[source[1]]))

        outer = {index: self.mapping.array(node) for index, node in self.outer.items() if index in within}
        schedule = Schedule(self.graph, self.mapping, within)
        run = Run(self.mapping, self.types, watch, limit=most, within=schedule, rounds=rounds)
        run.outputs(self.graph, {**outer, **feeds})

    def _products(self, node: Node, operands: Sequence[Any], outputs: Sequence[Any]) -> int:
        """Return at most how many products of numbers a product of matrices or a convolution took: of its depth or less."""
        most: int = outputs[0].size * (operands[0].shape[-1] if operands[0].ndim else 1)
        call = self.mapping.sound_call(self.graph, node)
        counted = None if call is None else flops(call, [*map(abstract, operands)], [*map(abstract, outputs)])
        return most if counted is None else min(most, counted)

    def _without(self, wanted: Collection[Source], unknown: Collection[int], feeds: Collection[int]) -> set[Source]:
        """Return the values that need nothing of what is unknown."""
        users = self._users
        stack = [index for index in unknown if index not in feeds]
        seen = set(stack)
        while stack:
            for user in users[stack.pop()]:
                if user not in seen and user not in feeds:
                    seen.add(user)
                    stack.append(user)
        return {source for source in wanted if source[0] not in seen}

    @cached_property
    def _users(self) -> list[list[int]]:
        return self.graph.consumers()

    def _above(self, wanted: Collection[Source], feeds: Collection[int]) -> set[int]:
        seen: set[int] = set()
        stack = [source[0] for source in wanted]
        while stack:
            index = stack.pop()
            if index >= 0 and index not in seen:
                seen.add(index)
                if index not in feeds:
                    stack += [source[0] for source in self.graph.nodes[index].inputs]
        return seen
