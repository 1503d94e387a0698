"""From the operators where a difference shows up to those where it begins: a result may by chance be another value of the first model, as
where the operands of a subtraction are swapped that two others add to and take from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from irlint.graph import Node, Source
from irlint.proving.correspondence import Correspondence, NodeCouple
from irlint.proving.running import Side


def above(known: Correspondence, ours: Node, theirs: Node) -> NodeCouple:
    """Return the first operators that output something else of two nodes, or of those that they are computed from."""
    seen = set[int]()
    while theirs.index not in seen:
        seen.add(theirs.index)
        for one, other in _makers(known, ours, theirs):
            if not _is_right(known, one, other):
                ours, theirs = one, other
                break
    return ours, theirs


def _makers(known: Correspondence, ours: Node, theirs: Node) -> Iterator[NodeCouple]:
    """Yield the operators that make the operands of two nodes with which these differ. What computes coarsely differs everywhere."""
    if known.rounding(ours, theirs).is_coarse:
        return
    for one, other in _other_operands(known, ours, theirs):
        pair = one, other
        if not _is_one(known, one, other):
            pair = _maker(known.a, known.value_of_a, one), _maker(known.b, known.value_of_b, other)
        is_new = (pair[1].index, 0) not in known.partners and None not in known.read_by_b(pair[1])
        if pair[0].kind == pair[1].kind == "call" and (_is_one(known, *pair) or is_new):
            yield pair


def _other_operands(known: Correspondence, ours: Node, theirs: Node) -> Iterator[NodeCouple]:
    """Yield the nodes that make the operands that only one of two nodes has."""
    here = {known.value_of_a(source): source[0] for source in ours.inputs if source[0] in known.a.data}
    there = {known.value_of_b(source): source[0] for source in theirs.inputs if source[0] in known.b.data}
    if len(here) == len(there) and _is_one(known, ours, theirs):
        left = [known.a.graph.nodes[here[value]] for value in here if value not in there]
        right = [known.b.graph.nodes[there[value]] for value in there if value not in here]
        yield from zip(left, right, strict=False)


def _is_one(known: Correspondence, ours: Node, theirs: Node) -> bool:
    return known.op[0](ours) == known.op[1](theirs)


def _maker(side: Side, value_of: Callable[[Source], Any], node: Node) -> Node:
    """Return the node that makes the elements of a node's result: those that only write them in another shape are left out."""
    value = value_of(Source(node.index))
    while value is not None and node.kind == "call":
        same = [source[0] for source in node.inputs if source[0] in side.data and value_of(source) == value]
        if not same:
            break
        node = side.graph.nodes[same[0]]
    return node


def _is_right(known: Correspondence, ours: Node, theirs: Node) -> bool:
    """Return whether an operator of the second model does what another one than its counterpart does in the first: it is read in the wrong
    place."""
    partner = known.partners.get((theirs.index, 0))
    names = {*known.a.mapping.names(ours)} - {""}
    if partner is None or not names.isdisjoint(known.b.mapping.names(theirs)):
        return False
    other = known.a.graph.nodes[partner.trace.node]
    return _is_one(known, other, theirs) and known.do_the_same(other, theirs)
