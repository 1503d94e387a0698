"""Where a difference begins: the first operators of both models that output different values for the same operands."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.packed import whole
from irlint.graph import Graph, Node
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.rounding import Rounding, coarser
from irlint.proving.layers import is_weight
from irlint.proving.nearness import apart, arranged, as_numbers, tells
from irlint.proving.running import Partners, Side
from irlint.proving.traces import Traces
from irlint.records import NamedTuple

EVEN = Rounding(1e-3)  # how far a result may be from another one with a factor and an offset for each channel
_EXACT = 1e-6  # how far numbers of files may be apart that two tools have written
# What only scales or shifts is a part of another layer in other models.
_SCALING = ("add", "subtract", "multiply", "divide")
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
        self.a, self.b, self.partners = a, b, partners
        self.op = CanonicalNames(a.model).of, CanonicalNames(b.model).of
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
        return {node for (node, _), value in self.values.items() if value in self._shared & self._telling}

    def is_own(self, a: Node, b: Node) -> bool:
        """Return whether the result of one node is that of the other."""
        partner = self.partners.get((b.index, 0))
        return partner is not None and self._traces.alike(partner.trace.array) == self.values.get((a.index, 0))

    def may_be(self, a: Node, b: Node) -> bool:
        """Return whether nodes that read the same values are the same: what nearly is one number all over does not tell."""
        return self.read_by_b(b) <= self._telling or a.name == b.name

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
        numbers = as_numbers(theirs)
        return min(
            (apart(as_numbers(other), numbers, EVEN) for other in arranged(ours, theirs.shape)), default=math.inf
        )


def suspect(
    known: Correspondence,
    others: Sequence[tuple[list[Node], Node]],
    wrong_a: Collection[str],
    wrong_b: Collection[str],
) -> FirstDifference | None:
    """Return where a difference begins; `others` are `rewritten` nodes, `wrong_a` and `wrong_b` the names of outputs that differ."""
    first = _beginnings(known.a, {place for place in known.values if place[0] in known.found}, wrong_a)
    second = _beginnings(known.b, known.partners, wrong_b)
    places = {node.index for node in second}
    pairs = [*_changed(known), *((alike[0], node) for alike, node in others)]
    pairs = [pair for pair in pairs if not second or pair[1].index in places] or pairs
    if pairs:
        return known.suspect(*pairs[0], len({pair[1].index for pair in pairs}) - 1)
    found = next(
        ((other, node) for node in second[:_MOST_ALIKE] if (other := _counterpart(known, node)) is not None), None
    )
    if found is not None:
        return known.suspect(*found, len(second) - 1)
    count = max(len(first), len(second))
    return FirstDifference(next(iter(first), None), next(iter(second), None), count - 1, None) if count else None


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
            rounding = known.rounding(other, node)
            if other.index in known.results and _differ(known.results[other.index], known.b.own[index], rounding):
                pairs.append((other, node))
                break
    return pairs


def rewritten(known: Correspondence) -> list[tuple[list[Node], Node]]:
    """Return the same operators of the same values of which the files say something else, though these outputs may not show it: weights,
    or numbers of attributes. Of the first model it is one of several if none of them is like that of the second."""
    a, b = known.a, known.b
    is_one_format = a.model.format == b.model.format
    here: dict[Any, list[Node]] = {}
    for index in a.weights:
        node = a.graph.nodes[index]
        here.setdefault((known.op[0](node), known.read_by_a(node)), []).append(node)
    found = []
    for index in b.weights:
        node = b.graph.nodes[index]
        op = known.op[1](node)
        alike = here.get((op, known.read_by_b(node)), []) if op not in _SCALING else []
        alike = [other for other in alike[:_MOST_ALIKE] if known.may_be(other, node)]
        if alike and all(
            _other_weights(known, other, node) or (is_one_format and other_numbers(other, node)) for other in alike
        ):
            found.append((alike, node))
    return found


def other_numbers(a: Node, b: Node) -> list[str]:
    """Return the attributes that are numbers with a fraction, and differ."""
    both = [key for key, value in a.attrs.items() if isinstance(value, float) and isinstance(b.attrs.get(key), float)]
    return [key for key in both if not math.isclose(a.attrs[key], b.attrs[key], rel_tol=_EXACT)]


def _other_weights(known: Correspondence, a: Node, b: Node) -> bool:
    """Return whether the weights of two layers differ; where their results do, too, other than by a factor for each channel, which
    the next layer may take back."""
    rounding = known.rounding(a, b)
    if rounding.is_coarse:  # quantizers may change weights that have no effect
        return False
    arrays = known.a.weights[a.index], known.b.weights[b.index]
    ours, theirs = ([array for array in map(whole, each) if is_weight(array) and array.ndim > 1] for each in arrays)
    if len(ours) != 1 or len(theirs) != 1 or ours[0].size != theirs[0].size:
        return False
    numbers = as_numbers(theirs[0])
    return all(
        apart(as_numbers(other), numbers, rounding) > rounding.limit
        if known.is_own(a, b)
        else _differ(other, theirs[0], rounding)
        for other in arranged(ours[0], theirs[0].shape)
    )


def _differ(a: Any, b: Any, rounding: Rounding) -> bool:
    """Return whether arrays differ other than by a factor and an offset for each channel, which another layer may add."""
    if a.shape != b.shape or a.ndim < 2 or a.dtype.kind != "f":
        return True
    ours, theirs = as_numbers(a), as_numbers(b)
    for axis in {0, 1, a.ndim - 1}:
        over = tuple(k for k in range(a.ndim) if k != axis)
        x, y = ours - ours.mean(axis=over, keepdims=True), theirs - theirs.mean(axis=over, keepdims=True)
        square = (x * x).sum(axis=over, keepdims=True)
        factor = (x * y).sum(axis=over, keepdims=True) / np.where(square == 0, 1, square)
        if apart(y, x * factor, rounding) <= max(rounding.limit, EVEN.limit):
            return False
    return True
