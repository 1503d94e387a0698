"""Where a difference begins: the first operators of both models that output different values for the same operands."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.graph import Graph, Node
from irlint.inspection.rounding import EXACT, Rounding
from irlint.proving.correspondence import EVEN, Correspondence, FirstDifference, NodeCouple
from irlint.proving.nearness import apart, as_numbers
from irlint.proving.running import Side
from irlint.proving.upstream import above

_EXACT = 1e-6  # how far numbers of files may be apart that two tools have written
# What only scales or shifts is a part of another layer in other models.
_SCALING = ("add", "subtract", "multiply", "divide")
_EVIDENT = 3  # times the limit: results that are further apart have more than an unlucky rounding
_MOST_ALIKE = 16  # operators of the same values that are compared with one


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
    if second:
        others = _with_other_results(known, others)
    computed = _changed(known)
    if not (wrong_a or wrong_b):  # what scales one layer there scales another one here
        computed = [pair for pair in computed if known.op[1](pair[1]) not in _SCALING]
    if pairs := _where(second, _likely(computed, others)):
        first_pair = _moved(known, pairs[0][1]) or above(known, *pairs[0])
        return known.suspect(*first_pair, len({pair[1].index for pair in pairs}) - 1)
    if (pair := _paired(known, second)) is not None:
        return known.suspect(*pair, max(len(second) - 1, 0))
    count = max(len(first), len(second))
    return FirstDifference(next(iter(first), None), next(iter(second), None), count - 1, None) if count else None


def _with_other_results(known: Correspondence, pairs: Sequence[NodeCouple]) -> list[NodeCouple]:
    """Return the pairs whose results are not equal; one whose result is right may be the first of several that scale, which are compared as
    one."""
    unequal = [pair for pair in pairs if not known.are_equal(*pair)]
    return [pair for pair in unequal if not known.are_in_place(*pair)] or unequal


def _likely(computed: list[NodeCouple], others: Sequence[NodeCouple]) -> list[NodeCouple]:
    """Return the nodes that differ in the files; those that output something else if the first of these is one of them, or follows one."""
    return computed if not others or (computed and _is_near(computed[0][1], others)) else [*others]


def _where(beginnings: Sequence[Node], pairs: list[NodeCouple]) -> list[NodeCouple]:
    """Return the pairs at which an output begins to differ; all if that is not known of any."""
    places = {node.index for node in beginnings}
    return [pair for pair in pairs if pair[1].index in places] or pairs


def _is_near(node: Node, others: Sequence[NodeCouple]) -> bool:
    """Return whether a node is one of those that differ in the files, or reads one, as what scales a layer does."""
    indices = {other.index for _, other in others}
    return node.index in indices or any(source[0] in indices for source in node.inputs)


def _beginnings(side: Side, matched: Collection[tuple[int, int]], wrong: Collection[str]) -> list[Node]:
    """Return the nodes above an output that differs whose results are in one model only, and whose operands are in both."""
    graph: Graph = side.graph
    stack = [
        source[0]
        for (names, _), source in zip(side.named_outputs(), side.output_sources(), strict=True)
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


def _paired(known: Correspondence, beginnings: Sequence[Node]) -> NodeCouple | None:
    """Return the nodes at which a difference begins that the files do not tell."""
    if known.rounding_of_all.is_coarse and (pair := _first_layer(known)) is not None:
        return pair
    for node in beginnings[:_MOST_ALIKE]:
        if (pair := _moved(known, node) or _coupled(known, node)) is not None:
            return above(known, *pair)
    return None


def _first_layer(known: Correspondence) -> NodeCouple | None:
    """Return the first layer of a quantized model whose result is not that of the layer of this name: other operators than layers, as
    those that quantize, have no counterpart."""
    named = {
        (known.op[1](node), node.name): node
        for node in map(known.b.graph.nodes.__getitem__, known.b.order)
        if node.name
    }
    for index in known.a.order:
        node = known.a.graph.nodes[index]
        other = named.get((known.op[0](node), node.name)) if index in known.a.layers else None
        if other is not None and other.index in known.b.own:
            return node, other
    return None


def _moved(known: Correspondence, node: Node) -> NodeCouple | None:
    """Return where numbers come into another order that a node of the second model reads: the same operators, which read them in one order.
    What converters add for another layout has no such operator in the first model."""
    graph: Graph = known.b.graph
    seen, stack = set[int](), [node]
    while stack:
        for source in stack.pop().inputs:
            partner = known.partners.get((source[0], source[1]))
            if partner is None or source[0] in seen or partner.is_in_place:
                continue
            seen.add(source[0])
            ours, theirs = known.a.graph.nodes[partner.trace.node], graph.nodes[source[0]]
            if known.op[0](ours) != known.op[1](theirs):
                return None
            if known.read_by_a(ours) == known.read_by_b(theirs) and not known.reads_moved(theirs):
                return ours, theirs
            stack.append(theirs)
    return None


def _coupled(known: Correspondence, node: Node) -> NodeCouple | None:
    other = _counterpart(known, node)
    return None if other is None else (other, node)


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


def _changed(known: Correspondence) -> list[NodeCouple]:
    """Return the same operators of the same values, or of the same name, that output different ones."""
    here: dict[Any, list[Node]] = {}
    named: dict[Any, list[Node]] = {}
    for node in known.lost:
        here.setdefault((known.op[0](node), known.read_by_a(node)), []).append(node)
        named.setdefault((known.op[0](node), node.name), []).append(node)
    pairs, before = [], _before_layers(known)
    for index in known.b.order:
        node = known.b.graph.nodes[index]
        if index not in known.b.own or None in (read := known.read_by_b(node)):
            continue
        op = known.op[1](node)
        alike = named.get((op, node.name), ()) if node.name else ()
        same = here.get((op, read), [])[:_MOST_ALIKE]
        for other in (*same, *(alike if len(alike) == 1 else ())):
            if other.index in known.results and _is_other(known, other, node, before):
                pairs.append((other, node))
                break
    return pairs


def _is_other(known: Correspondence, a: Node, b: Node, before: Collection[int]) -> bool:
    """Return whether the results of two nodes differ other than by what the next layer takes back; `before`: nodes before layers."""
    rounding, distance = known.rounding(a, b), known.distance(a, b) or 0.0
    if math.isinf(distance) and known.results[a.index].size != known.b.own[b.index].size:
        return False  # several layers in one, or one in several
    is_evident = distance > _EVIDENT * rounding.limit
    if _differ(known.results[a.index], known.b.own[b.index], rounding):
        return is_evident or rounding.is_coarse or rounding.limit <= EXACT.limit
    return is_evident and not rounding.is_coarse and b.index in before


def _before_layers(known: Correspondence) -> set[int]:
    """Return the nodes of the second model from which a layer that the first does not have is computed by way of others that it does not
    have: what differs by a factor would be taken back there at the latest."""
    found, layers = set[int](), known.b.layers
    for index in reversed(known.b.order):
        node = known.b.graph.nodes[index]
        is_layer = index in layers and known.op[1](node) not in _SCALING
        if (index, 0) not in known.partners and (is_layer or index in found):
            found.update(source[0] for source in node.inputs)
    return found


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
