"""What two models of one format say of operators that compute the same for the inputs of a run: attributes, and constants of fractions. For
other inputs they compute something else, as with a row of a table that nothing read, or a bound that nothing reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.weights import values
from irlint.formats.base import all_formats
from irlint.graph import Node, Source
from irlint.inspection.review.computation import computation
from irlint.inspection.review.layers.weight_marks import vectors_apart
from irlint.inspection.rounding import EXACT
from irlint.inspection.types import type_lookup
from irlint.proving.correspondence import Correspondence
from irlint.proving.running import Side

NodeCouple = tuple[Node, Node]


def unseen(known: Correspondence, pairs: Iterable[NodeCouple]) -> Iterator[NodeCouple]:
    """Yield those of some pairs of nodes with the same operands and results that read other constants, or have other attributes."""
    a, b = known.a, known.b
    if a.model.format != b.model.format:
        return
    versions = all_formats()[a.model.format].versions
    is_one_version = versions(a.model) == versions(b.model)  # else an attribute may be written in another way
    for ours, theirs in pairs:
        is_one = ours.kind == theirs.kind == "call" and ours.op == theirs.op and known.are_equal(ours, theirs)
        if is_one and known.read_by_a(ours) == known.read_by_b(theirs):
            if (is_one_version and _what(a, ours) != _what(b, theirs)) or _reads_others(a, b, ours, theirs):
                yield ours, theirs


def _what(side: Side, node: Node) -> Any:
    type_of = type_lookup(side.model)
    read = [source for source in node.inputs[:1] if source[0] >= 0]
    types = [type_of(side.graph, side.graph.nodes[source[0]], source[1]) for source in (*read, Source(node.index))]
    found = computation(side.mapping, side.graph, node, types)
    return None if found is None else found.what


def _reads_others(a: Side, b: Side, ours: Node, theirs: Node) -> bool:
    """Return whether two nodes read constants of other values in one place."""
    for one, other in zip(ours.inputs, theirs.inputs, strict=False):
        if one[0] >= 0 and other[0] >= 0 and a.graph.nodes[one[0]].kind == b.graph.nodes[other[0]].kind == "const":
            was, now = values(a.mapping, a.graph.nodes[one[0]]), values(b.mapping, b.graph.nodes[other[0]])
            if _differ(was, now):
                return True
    return False


def _differ(was: Any, now: Any) -> bool:
    """Return whether two arrays of fractions of one type differ by more than rounding."""
    if was is None or now is None or was.dtype != now.dtype or was.shape != now.shape or was.dtype.kind != "f":
        return False
    if np.array_equal(was, now, equal_nan=True):
        return False
    gap = vectors_apart(was, now)
    return gap is None or not gap <= EXACT.limit
