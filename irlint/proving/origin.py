"""Where a difference begins: the first operators of both models that output different values for the same operands."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.graph import Graph, Node
from irlint.inspection.rounding import EXACT, Rounding, coarser
from irlint.proving.nearness import FEW, apart, arranged, as_numbers, tells
from irlint.proving.running import Partners, Side
from irlint.proving.traces import Traces
from irlint.records import NamedTuple

EVEN = Rounding(1e-3)  # how far a result may be from another one with a factor and an offset for each channel
_EXACT = 1e-6  # how far numbers of files may be apart that two tools have written
# What only scales or shifts is a part of another layer in other models.
_SCALING = ("add", "subtract", "multiply", "divide")
_EVIDENT = 3  # times the limit: results that are further apart have more than an unlucky rounding
_MOST_ALIKE = 16  # operators of the same values that are compared with one
_Pair = tuple[Node, Node]


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
        self.values = {(trace.node, trace.output): traces.alike(trace.array) for trace in traces.all}
        self.results = {trace.node: trace.array for trace in traces.all if not trace.output}
        self._shared = {traces.alike(partner.trace.array) for partner in partners.values()}
        self._fed = {node: traces.alike(array) for node, array in fed.items()}
        self._traces = traces
        self._telling = {self.values[trace.node, trace.output] for trace in traces.all if tells(trace.array, rounding)}
        self.found = {node for (node, _), value in self.values.items() if value in self._shared}
        self.lost = [
            node
            for node in (a.graph.nodes[index] for index in a.order)
            if node.kind == "call" and node.outputs and node.index not in self.found
        ]

    def told(self) -> set[int]:
        """Return the nodes of the first model with results that the second has, and that another model is unlikely to have by chance."""
        telling = self._shared & self._telling
        return {node for (node, _), value in self.values.items() if value in telling}

    def computes_another(self, a: Node, b: Node) -> bool:
        """Return whether a node of the second model computes, of what the first has, something else than a node of the first: as many
        numbers, which the first has not."""
        if (b.index, 0) in self.partners or None in self.read_by_b(b):
            return False
        return math.isfinite(self.distance(a, b) or math.inf)

    def counterparts(self, pairs: Sequence[_Pair]) -> list[_Pair]:
        """Return those of some pairs of nodes whose first results are in the second model nowhere else: other pairs are none."""
        theirs = {place: self._traces.alike(partner.trace.array) for place, partner in self.partners.items()}
        held = {value for value in theirs.values() if value in self._telling}
        return [
            (a, b)
            for a, b in pairs
            if self.values.get((a.index, 0)) not in held or theirs.get((b.index, 0)) == self.values.get((a.index, 0))
        ]

    def computing_others(self, pairs: Sequence[_Pair]) -> list[_Pair]:
        return [pair for pair in pairs if self.computes_another(*pair)]

    def has_unknown(self, replaced: Sequence[_Pair], alone: tuple[Collection[int], Collection[int]]) -> bool:
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

    def are_equal(self, a: Node, b: Node) -> bool:
        """Return whether a node of the first model and one of the second have the very same result."""
        partner = self.partners.get((b.index, 0))
        same = None if partner is None or partner.distance else self._traces.alike(partner.trace.array)
        return same is not None and same == self.values.get((a.index, 0))

    def read_by_a(self, node: Node) -> frozenset[Any]:
        """Return which values a node of the first model reads."""
        return frozenset(self.values.get((s[0], s[1])) for s in node.inputs if s[0] in self.a.data)

    def read_by_b(self, node: Node) -> frozenset[Any]:
        """Return which values of the first model a node of the second reads; with None, others, too."""
        return frozenset(
            self._traces.alike(self.partners[s[0], s[1]].trace.array)
            if (s[0], s[1]) in self.partners
            else self._fed.get(s[0])
            for s in node.inputs
            if s[0] in self.b.data
        )

    def rounding(self, a: Node, b: Node) -> Rounding:
        return coarser(self.a.roundings[a.index], self.b.roundings[b.index])

    def suspect(self, a: Node, b: Node, others: int) -> FirstDifference:
        is_same = self.read_by_a(a) == self.read_by_b(b)
        return FirstDifference(a, b, others, self.distance(a, b), is_same, self.results.get(a.index))

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


def suspect(
    known: Correspondence,
    others: Sequence[tuple[Node, Node]],
    wrong_a: Collection[str],
    wrong_b: Collection[str],
) -> FirstDifference | None:
    """Return where a difference begins; `others` are nodes that differ in the files, `wrong_a` and `wrong_b` are the names of outputs that
    differ."""
    first = _beginnings(known.a, {place for place in known.values if place[0] in known.found}, wrong_a)
    second = _beginnings(known.b, known.partners, wrong_b)
    if second:  # a node whose result is right may be the first of several that scale, which are compared as one
        others = [pair for pair in others if not known.are_equal(*pair)]
    if pairs := _where(second, _likely(_changed(known), others)):
        return known.suspect(*pairs[0], len({pair[1].index for pair in pairs}) - 1)
    for node in second[:_MOST_ALIKE]:
        if (other := _counterpart(known, node)) is not None:
            return known.suspect(other, node, len(second) - 1)
    count = max(len(first), len(second))
    return FirstDifference(next(iter(first), None), next(iter(second), None), count - 1, None) if count else None


def _likely(computed: list[_Pair], others: Sequence[_Pair]) -> list[_Pair]:
    """Return the nodes that differ in the files; those that output something else if the first of these is one of them, or follows one."""
    return computed if not others or (computed and _is_near(computed[0][1], others)) else [*others]


def _where(beginnings: Sequence[Node], pairs: list[_Pair]) -> list[_Pair]:
    """Return the pairs at which an output begins to differ; all if that is not known of any."""
    places = {node.index for node in beginnings}
    return [pair for pair in pairs if pair[1].index in places] or pairs


def _is_near(node: Node, others: Sequence[_Pair]) -> bool:
    """Return whether a node is one of those that differ in the files, or reads one, as what scales a layer does."""
    indices = {other.index for _, other in others}
    return node.index in indices or any(source[0] in indices for source in node.inputs)


def _beginnings(side: Side, matched: Collection[tuple[int, int]], wrong: Collection[str]) -> list[Node]:
    """Return the nodes above an output that differs whose results are in one model only, and whose operands are in both."""
    graph: Graph = side.graph
    stack = [
        source[0]
        for (names, _), source in zip(side.named_outputs(), side.mapping.outputs(graph), strict=True)
        if names[0] in wrong
    ]
    region: set[int] = set()
    while stack:
        index = stack.pop()
        node = graph.nodes[index]
        if index in region or index not in side.data or node.kind != "call":
            continue
        region.add(index)
        stack += [source[0] for source in node.inputs if source[0] >= 0 and (source[0], source[1]) not in matched]
    return [
        graph.nodes[index]
        for index in side.order
        if index in region and not any(source[0] in region for source in graph.nodes[index].inputs)
    ]


def _counterpart(known: Correspondence, node: Node) -> Node | None:
    """Return the node of the first model that reads what a node of the second reads, or has its name: best the same operator of the same
    name, or else one whose result the second model does not have."""
    op, read = known.op[1](node), known.read_by_b(node) - {None}
    ranks: dict[int, tuple[bool, bool, bool]] = {}
    for index in known.a.order:
        other = known.a.graph.nodes[index]
        is_named = bool(node.name) and other.name == node.name
        if other.kind == "call" and (is_named or read & known.read_by_a(other)):
            ranks[index] = known.op[0](other) == op, is_named, index not in known.found
    best = max(ranks, key=lambda index: ranks[index], default=None)
    return None if best is None else known.a.graph.nodes[best]


def _changed(known: Correspondence) -> list[_Pair]:
    """Return the same operators of the same values, or of the same name, that output different ones."""
    here: dict[Any, list[Node]] = {}
    named: dict[Any, list[Node]] = {}
    for node in known.lost:
        here.setdefault((known.op[0](node), known.read_by_a(node)), []).append(node)
        named.setdefault((known.op[0](node), node.name), []).append(node)
    pairs = []
    for index in known.b.order:
        node = known.b.graph.nodes[index]
        if index not in known.b.own or None in (read := known.read_by_b(node)):
            continue
        op = known.op[1](node)
        alike = named.get((op, node.name), ()) if node.name else ()
        same = here.get((op, read), [])[:_MOST_ALIKE]
        for other in (*same, *(alike if len(alike) == 1 else ())):
            if other.index in known.results and _is_other(known, other, node):
                pairs.append((other, node))
                break
    return pairs


def _is_other(known: Correspondence, a: Node, b: Node) -> bool:
    """Return whether the results of two nodes differ other than by what the next layer takes back."""
    rounding, distance = known.rounding(a, b), known.distance(a, b) or 0.0
    if math.isinf(distance) and known.results[a.index].size != known.b.own[b.index].size:
        return False  # several layers in one, or one in several
    is_evident = distance > _EVIDENT * rounding.limit
    if _differ(known.results[a.index], known.b.own[b.index], rounding):
        return is_evident or rounding.is_coarse or rounding.limit <= EXACT.limit
    return is_evident and not rounding.is_coarse and _reaches_layers(known, b)


def _reaches_layers(known: Correspondence, start: Node) -> bool:
    """Return whether a layer of the second model that the first does not have is computed from a node by way of others that it does not
    have: what differs by a factor would be taken back there at the latest."""
    reached, later = {start.index}, known.b.layers
    for index in known.b.order:
        node = known.b.graph.nodes[index]
        if (index, 0) in known.partners or not any(source[0] in reached for source in node.inputs):
            continue
        if index in later and known.op[1](node) not in _SCALING:
            return True
        reached.add(index)
    return False


def _differ(a: Any, b: Any, rounding: Rounding) -> bool:
    """Return whether arrays differ other than by a factor and an offset for each channel, which another layer may add."""
    if a.shape != b.shape or a.ndim < 2 or a.dtype.kind != "f":
        return True
    ours, theirs = as_numbers(a, rounding), as_numbers(b, rounding)
    for axis in {0, 1, a.ndim - 1}:
        over = tuple(k for k in range(a.ndim) if k != axis)
        x, y = ours - ours.mean(axis=over, keepdims=True), theirs - theirs.mean(axis=over, keepdims=True)
        square = (x * x).sum(axis=over, keepdims=True)
        factor = (x * y).sum(axis=over, keepdims=True) / np.where(square == 0, 1, square)
        if apart(y, x * factor, rounding) <= max(rounding.limit, EVEN.limit):
            return False
    return True
