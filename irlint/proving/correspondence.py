"""Which results of two runs are the same, and what that tells of the nodes of both models."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

from irlint.dryrun.lazy import np
from irlint.formats.base import all_formats
from irlint.graph import Node
from irlint.inspection.review.roles import JOINING
from irlint.inspection.rounding import Rounding, coarser
from irlint.proving.nearness import FEW, apart, arranged, as_numbers, tells
from irlint.proving.running import Partners, Side
from irlint.proving.traces import Traces, likeness
from irlint.records import NamedTuple

EVEN = Rounding(1e-3)  # how far a result may be from another one with a factor and an offset for each channel
_SOON = 4  # operators: a bias, a cast and the like
_FEW_READERS = 16  # of more, it is not known
NodeCouple = tuple[Node, Node]  # of the first model, and of the second


class FirstDifference(NamedTuple):
    """The first nodes that differ: of each model the one all of whose operands agree; None if a model has no counterpart."""

    a: Node | None
    b: Node | None
    others: int  # further places where a difference begins
    distance: float | None  # of their results
    reads_same: bool = True  # what they read is the same
    ours: Any = None  # the result of the first model


class Correspondence:
    """Which results of the two models are the same, and the nodes of the first whose results the second does not have."""

    def __init__(
        self, a: Side, b: Side, traces: Traces, partners: Partners, fed: dict[int, Any], rounding: Rounding
    ) -> None:
        self.a, self.b, self.partners, self.rounding_of_all = a, b, partners, rounding
        self.op = a.form.names.of, b.form.names.of
        self.values = {(trace.node, trace.output): trace.likeness for trace in traces.all}
        self.results = {trace.node: trace.array for trace in traces.all if not trace.output}
        self._shared = {partner.trace.likeness for partner in partners.values()}
        self._given = fed
        self._fed = {node: likeness(array) for node, array in fed.items()}
        self._traces, self._readers = traces, b.graph.consumers()
        self._telling = {self.values[trace.node, trace.output] for trace in traces.all if tells(trace.array, rounding)}
        self.found = {node for (node, _), value in self.values.items() if value in self._shared}
        self.lost = [
            node
            for node in (a.graph.nodes[index] for index in a.order)
            if node.kind == "call" and node.outputs and node.index not in self.found
        ]

    @cached_property
    def are_of_one_version(self) -> bool:
        """Whether both files are of one version of one format, so that attributes are written in one way."""
        a, b = self.a.model, self.b.model
        versions = all_formats()[a.format].versions
        return a.format == b.format and versions(a) == versions(b)

    def told(self) -> set[int]:
        """Return the nodes of the first model with results that the second has, and that another model is unlikely to have by chance."""
        telling = self._shared & self._telling
        return {node for (node, _), value in self.values.items() if value in telling}

    def computes_another(self, a: Node, b: Node) -> bool:
        """Return whether a node of the second model computes, of what the first has, something else than a node of the first, whose result
        is not there: as many numbers, which the first has not."""
        read = self.read_by_b(b)
        if a.index in self.found or None in read:
            return False
        if (b.index, 0) in self.partners:  # what it computes is another value of the first model
            return read == self.read_by_a(a)
        return math.isfinite(self.distance(a, b) or math.inf)

    def counterparts(self, pairs: Sequence[NodeCouple]) -> list[NodeCouple]:
        """Return those of some pairs of nodes whose first results the second model has nowhere else than behind the second nodes: the
        others do not belong together."""
        places: dict[Any, set[int]] = {}
        for (index, _), partner in self.partners.items() if pairs else ():
            places.setdefault(partner.trace.likeness, set()).add(index)
        return [(a, b) for a, b in pairs if self._is_behind(places.get(self.values.get((a.index, 0)), set()), b)]

    def _is_behind(self, places: Collection[int], node: Node) -> bool:
        """Return whether one of some nodes of the second model, if there are any, is computed soon from a node."""
        if not places or self.b.graph.nodes[node.index] is not node:
            return True
        reached = {node.index}
        for _ in range(_SOON):
            reached |= {reader for index in reached for reader in self._readers[index][:_FEW_READERS]}
        return len(reached) > _FEW_READERS or not reached.isdisjoint(places)

    def computing_others(self, pairs: Sequence[NodeCouple]) -> list[NodeCouple]:
        return [pair for pair in pairs if self.computes_another(*pair)]

    def has_unknown(self, replaced: Sequence[NodeCouple], alone: tuple[Collection[int], Collection[int]]) -> bool:
        """Return whether an operator that only one model has, or that took the place of another, has a result that the other model
        does not have, nor what is computed from it."""
        if any((b.index, 0) not in self.partners for _, b in replaced):
            return True
        readers = self.a.graph.consumers()
        sure = {
            k
            for k in self.found
            if k in self.results and self.results[k].size > FEW and self.results[k].dtype.kind == "f"
        }
        ours = (index for index in alone[0] if index in self.results and sure.isdisjoint(readers[index]))
        theirs = (index for index in alone[1] if index in self.b.own)
        return not self.found.issuperset(ours) or next(theirs, None) is not None

    def do_the_same(self, a: Node, b: Node) -> bool:
        """Return whether a node of the second model makes the first result of one of the first model of the same operands."""
        partner = self.partners.get((b.index, 0))
        made = None if partner is None else partner.trace.likeness
        return made is not None and made == self.values.get((a.index, 0)) and self.read_same(a, b)

    def are_equal(self, a: Node, b: Node) -> bool:
        """Return whether a node of the first model and one of the second have the very same result."""
        partner = self.partners.get((b.index, 0))
        same = None if partner is None or partner.distance else partner.trace.likeness
        return same is not None and same == self.values.get((a.index, 0))

    def makes_it_of_others(self, a: Node, b: Node) -> bool:
        """Return whether a node of the second model has the very result of one of the first and reads other values of the first, as where
        two slices are written as one."""
        read = self.read_by_b(b)
        return None not in read and read != self.read_by_a(a) and self.are_equal(a, b) and self.are_in_place(a, b)

    def shows_all(self, node: Node) -> bool:
        """Return whether a node of the second model has a result of the first that holds all it reads, also constants: another operator
        that holds them in the first, as where two join what one joins here."""
        partner = self.partners.get((node.index, 0))
        return self.op[1](node) in JOINING and partner is not None and partner.is_in_place

    def are_in_place(self, a: Node, b: Node) -> bool:
        """Return whether a node of the second model has the result of one of the first, but for rounding, each number in its place."""
        partner, ours = self.partners.get((b.index, 0)), self.results.get(a.index)
        return (
            partner is not None
            and ours is not None
            and np.array_equal(partner.array, ours, equal_nan=ours.dtype.kind == "f")
        )

    def reads_moved(self, node: Node) -> bool:
        """Return whether a node of the second model reads values in another order than the first has them."""
        known = (self.partners.get((source[0], source[1])) for source in node.inputs)
        return any(partner is not None and not partner.is_in_place for partner in known)

    def read_by_a(self, node: Node) -> frozenset[Any]:
        """Return which values a node of the first model reads."""
        return frozenset(self.value_of_a(source) for source in node.inputs if source[0] in self.a.data)

    def read_by_b(self, node: Node) -> frozenset[Any]:
        """Return which values of the first model a node of the second reads; with None, others, too."""
        return frozenset(self.value_of_b(source) for source in node.inputs if source[0] in self.b.data)

    def value_of_a(self, source: Sequence[int]) -> Any:
        return self.values.get((source[0], source[1]))

    def value_of_b(self, source: Sequence[int]) -> Any:
        """Return the value of the first model that an operand of the second is; None if it is none."""
        partner = self.partners.get((source[0], source[1]))
        return self._fed.get(source[0]) if partner is None else partner.trace.likeness

    def rounding(self, a: Node, b: Node) -> Rounding:
        return coarser(self.a.roundings[a.index], self.b.roundings[b.index])

    def suspect(self, a: Node, b: Node, others: int) -> FirstDifference:
        return FirstDifference(a, b, others, self.distance(a, b), self.read_same(a, b), self.results.get(a.index))

    def read_same(self, a: Node, b: Node) -> bool:
        """Return whether two nodes read the same values, in any layout; of one with more operands, such as the lengths of sequences, among
        others. Of constants that shapes are computed in, nothing is known."""
        arrays = {(trace.node, trace.output): trace.array for trace in self._traces.all}
        ours = {_elements(arrays[s[0], s[1]]) for s in a.inputs if (s[0], s[1]) in arrays and s[0] in self.a.data}
        theirs = set[Any]()
        for s in b.inputs:
            if (partner := self.partners.get((s[0], s[1]))) is not None:
                theirs.add(_elements(partner.trace.array))
            elif s[0] in self._given:
                theirs.add(_elements(self._given[s[0]]))
            elif s[0] in self.b.own:
                return False
        few, many = sorted((ours, theirs), key=len)
        return few <= many if few else few == many

    def distance(self, a: Node, b: Node) -> float | None:
        """Return how far the results of two nodes are apart; None if one is not known."""
        ours, theirs = self.results.get(a.index), self.b.own.get(b.index)
        if ours is None or theirs is None:
            return None
        if ours.size != theirs.size:
            return math.inf
        rounding = self.rounding(a, b)
        numbers = as_numbers(theirs, rounding)
        ways = (apart(as_numbers(other, rounding), numbers, EVEN) for other in arranged(ours, theirs.shape))
        return min(ways, default=math.inf)


def _elements(array: Any) -> tuple[int, bytes]:
    """Return what arrays with the same elements have in common."""
    return array.size, np.sort(array, axis=None).tobytes()
