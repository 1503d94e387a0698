"""What two models of one format say of operators with the same operands: attributes and constants. Where the results are the same, these
inputs do not show it, as with a row of a table that nothing read, or a bound that nothing reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.weights import values
from irlint.graph import Node, Source
from irlint.inspection.review.computation import computation
from irlint.inspection.review.layers.weight_marks import vectors_apart
from irlint.inspection.review.roles import STRICT
from irlint.inspection.rounding import EXACT
from irlint.inspection.types import type_lookup
from irlint.proving.correspondence import Correspondence, NodeCouple
from irlint.proving.running import Side


def unseen(known: Correspondence, pairs: Iterable[NodeCouple]) -> Iterator[NodeCouple]:
    """Yield those of some pairs of nodes with the same operands and results that read other constants of fractions, have other
    attributes, or differ for numbers that are equal. Integers are often lengths, which can be said in several ways."""
    for ours, theirs in _alike(known, pairs):
        if known.are_equal(ours, theirs) and (ours.op != theirs.op or _says_another(known, ours, theirs, "f")):
            yield ours, theirs


def seen(known: Correspondence, pairs: Iterable[NodeCouple]) -> Iterator[NodeCouple]:
    """Yield those of some pairs of nodes with the same operands and other results that read other constants, or have other attributes."""
    for ours, theirs in _alike(known, pairs):
        if (theirs.index, 0) not in known.partners and _says_another(known, ours, theirs, "fiub"):
            yield ours, theirs


def _alike(known: Correspondence, pairs: Iterable[NodeCouple]) -> Iterator[NodeCouple]:
    """Yield pairs of one operator, or of two comparisons alike, with the same operands, but for constants."""
    if known.a.model.format == known.b.model.format:
        for ours, theirs in pairs:
            is_one = ours.op == theirs.op or {known.op[0](ours), known.op[1](theirs)} in STRICT
            if ours.kind == theirs.kind == "call" and is_one:
                if known.read_by_a(ours) == known.read_by_b(theirs):
                    yield ours, theirs


def _says_another(known: Correspondence, ours: Node, theirs: Node, kinds: str) -> bool:
    a, b = known.a, known.b
    is_written_alike = ours.op == theirs.op and ours.attrs == theirs.attrs and len(ours.inputs) == len(theirs.inputs)
    if not is_written_alike and known.are_of_one_version and _what(a, ours) != _what(b, theirs):
        return True
    return _reads_others(a, b, ours, theirs, kinds)


def _what(side: Side, node: Node) -> Any:
    type_of = type_lookup(side.model)
    read = [source for source in node.inputs[:1] if source[0] >= 0]
    types = [type_of(side.graph, side.graph.nodes[source[0]], source[1]) for source in (*read, Source(node.index))]
    found = computation(side.mapping, side.graph, node, types)
    return None if found is None else found.what


def _reads_others(a: Side, b: Side, ours: Node, theirs: Node, kinds: str) -> bool:
    """Return whether two nodes read constants of other values in one place."""
    for one, other in zip(ours.inputs, theirs.inputs, strict=False):
        if one[0] >= 0 and other[0] >= 0 and a.graph.nodes[one[0]].kind == b.graph.nodes[other[0]].kind == "const":
            was, now = values(a.mapping, a.graph.nodes[one[0]]), values(b.mapping, b.graph.nodes[other[0]])
            if was is not None and now is not None and was.dtype.kind in kinds and _differ(was, now):
                return True
    return False


def _differ(was: Any, now: Any) -> bool:
    """Return whether two arrays of one type differ by more than rounding."""
    if was.dtype != now.dtype or was.shape != now.shape or np.array_equal(was, now, equal_nan=was.dtype.kind == "f"):
        return False
    gap = vectors_apart(was, now) if was.dtype.kind == "f" else None
    return gap is None or not gap <= EXACT.limit
