"""Where outputs begin to differ if both files have the same operators: at the first that one of them writes in another way."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.graph import Graph, Node
from irlint.inspection.review.changes import differences
from irlint.inspection.review.difference import NodePair
from irlint.proving.correspondence import Correspondence, FirstDifference, NodeCouple
from irlint.proving.files import outermost


def edited(known: Correspondence) -> FirstDifference | None:
    """Return the first operator that the files write in another way and that outputs something else, also what was there in another
    order; None if only one model has some operator, so that this is no matter of what is written."""
    a, b = known.a, known.b
    if a.model.format != b.model.format:
        return None
    pairs = differences(a.model, b.model, weights=True).pairs
    if any(_is_alone(pair) for pair in pairs):
        return None
    found = [couple for couple in _couples(known, pairs) if not known.are_in_place(*couple)]
    begin = [(ours, theirs) for ours, theirs in found if known.read_by_a(ours) == known.read_by_b(theirs)]
    if len(found) == 1 and None not in known.read_by_b(found[0][1]):  # what it reads may be what was changed
        begin = found
    return known.suspect(*begin[0], len(begin) - 1) if begin and begin[0] == found[0] else None


def _is_alone(pair: NodePair) -> bool:
    return any(one is not None and one[1].kind == "call" for one in (pair.old, pair.new)) and None in (
        pair.old,
        pair.new,
    )


def _couples(known: Correspondence, pairs: list[NodePair]) -> Iterator[NodeCouple]:
    """Yield the operators of the outermost graphs that differ, or read constants that do, in the order of the second model's run."""
    a, b = known.a, known.b
    partners, changed = dict[int, Node](), set[int]()
    for pair in pairs:
        if pair.old is not None and pair.new is not None:
            ours, theirs = outermost(a, *pair.old), outermost(b, *pair.new)
            if ours is not None and theirs is not None:
                partners.setdefault(theirs.index, ours)
                if pair.status == "changed":
                    changed.add(theirs.index)
    graph: Graph = b.graph
    for index in b.order:
        node = graph.nodes[index]
        if node.kind == "call" and index in partners:
            if index in changed or any(
                source[0] in changed and graph.nodes[source[0]].kind == "const" for source in node.inputs
            ):
                yield partners[index], node
