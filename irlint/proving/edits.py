"""Where outputs begin to differ if both files have the same operators: at the first that one of them writes in another way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irlint.dryrun.lazy import np
from irlint.graph import Graph, Node
from irlint.inspection.review.changes import differences
from irlint.inspection.review.difference import NodePair
from irlint.inspection.review.layers.weight_marks import HUGE
from irlint.inspection.review.roles import SAME
from irlint.inspection.rounding import EXACT
from irlint.proving.correspondence import Correspondence, FirstDifference, NodeCouple
from irlint.proving.files import outermost_pairs
from irlint.proving.nearness import apart


def edited(known: Correspondence) -> FirstDifference | None:
    """Return the first operator that the files write in another way and whose result is another one, or is in another order; None if one
    model has operators that do something and that the other lacks."""
    a, b = known.a, known.b
    if a.model.format != b.model.format:
        return None
    pairs = differences(a.model, b.model, weights=True).pairs
    if any(_is_alone(pair.old, known.op[0]) or _is_alone(pair.new, known.op[1]) for pair in pairs if None in pair[:2]):
        return None
    found = [couple for couple in _couples(known, pairs) if _is_other(known, *couple)]
    begin = [couple for couple in found if _begins(known, *couple, is_alone=len(found) == 1)]
    return known.suspect(*begin[0], len(begin) - 1) if begin else None


def _begins(known: Correspondence, ours: Node, theirs: Node, is_alone: bool) -> bool:
    """Return whether a difference may begin at two nodes: they read the same, or the second reads other values of the first model and makes
    a new one of them. One that the first model has is only made in another place."""
    read = known.read_by_b(theirs)
    return read == known.read_by_a(ours) or (None not in read and (is_alone or (theirs.index, 0) not in known.partners))


def _is_alone(one: tuple[Graph, Node] | None, op: Callable[[Node], str]) -> bool:
    """Return whether a node that only one model has does something."""
    return one is not None and one[1].kind == "call" and op(one[1]) not in SAME


def _is_other(known: Correspondence, ours: Node, theirs: Node) -> bool:
    """Return whether results differ, or are in another order. What a converter to a narrow type makes of masks is as good as they were."""
    if (theirs.index, 0) in known.partners:
        return not known.are_in_place(ours, theirs)
    was, now = known.results.get(ours.index), known.b.own.get(theirs.index)
    if was is None or now is None or was.shape != now.shape:
        return True
    rounding = known.rounding(ours, theirs)
    is_mask = np.abs(was) >= (HUGE if rounding.limit > EXACT.limit else np.inf)
    return apart(np.where(is_mask, 0, was), np.where(is_mask, 0, now), rounding) > rounding.limit


def _couples(known: Correspondence, pairs: list[NodePair]) -> Iterator[NodeCouple]:
    """Yield the operators of the outermost graphs that differ, or read constants that do, in the order of the second model's run."""
    nodes, partners, changed = known.b.graph.nodes, dict[int, Node](), set[int]()
    for pair, ours, theirs in outermost_pairs(known.a, known.b, pairs):
        partners.setdefault(theirs.index, ours)
        if pair.status == "changed":
            changed.add(theirs.index)
    constants = {index for index in changed if nodes[index].kind == "const"}
    for index in known.b.order:
        node = nodes[index]
        is_other = index in changed or any(source[0] in constants for source in node.inputs)
        if is_other and node.kind == "call" and index in partners:
            yield partners[index], node
