"""How a node that two forms of a network have has changed: its attributes, what it reads."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import isclose
from typing import Any

from irlint.graph import Shape, Source
from irlint.inspection.review.difference import NodeChange, source_name
from irlint.inspection.review.form import FormGraph
from irlint.inspection.rounding import coarser
from irlint.records import NamedTuple
from irlint.text.floats import spelled

# Operators whose operands may be in any order
_ANY_ORDER = frozenset(
    ("add", "add_n", "multiply", "maximum", "minimum", "equal", "not_equal", "logical_and", "logical_or", "logical_xor")
)


class Pairing(NamedTuple):
    """Two graphs, and which of their nodes are the same: from the old one to the new one, and back."""

    a: FormGraph
    b: FormGraph
    pairs: dict[int, int]
    back: dict[int, int]


def gap(pairing: Pairing, i: int) -> float | None:
    """Return how far the weights of a node that both forms have are apart, 0 if rounding explains it; None if that is not known."""
    a, b, j = pairing.a, pairing.b, pairing.pairs[i]
    rounding = coarser(a.rounding[i], b.rounding[j])
    gap = a.layers[i].distance(b.layers[j], rounding) if i in a.layers and j in b.layers else None
    return 0.0 if gap is not None and gap <= rounding.limit else gap


def settings(pairing: Pairing, i: int, j: int) -> Iterator[NodeChange]:
    """Yield attributes with other values, of those that mean the same in all formats."""
    a, b = pairing.a.reduced, pairing.b.reduced
    if pairing.a.written(i) == pairing.b.written(j):
        return
    ours, theirs = pairing.a.settings(i), pairing.b.settings(j)
    is_other = a.has_batch != b.has_batch or not _fit(a.input_shape(i), b.input_shape(j))
    if is_other:  # in another layout, or of samples instead of batches
        ours.pop("axis", None)
    if any(source[0] not in pairing.pairs for source in a.sources[i]):  # perhaps a node that pads
        ours = {key: value for key, value in ours.items() if not key.startswith("pads")}
    for key, value in ours.items():
        if key in theirs and not is_close(value, theirs[key]):
            yield NodeChange("attribute", key, spelled(value), spelled(theirs[key]))


def _fit(old: Shape | None, new: Shape | None) -> bool:
    """Return whether two shapes may be the same: symbols have other names in other formats."""
    if old is None or new is None:
        return True
    pairs = list(zip(old, new, strict=False))
    return len(old) == len(new) and not any(isinstance(p, int) and isinstance(q, int) and p != q for p, q in pairs)


def moved(pairing: Pairing, i: int, j: int) -> Iterator[NodeChange]:
    """Yield what a node reads in one form only, of what both have."""
    a, b, pairs, back = pairing
    ours, theirs = a.reduced.sources[i], b.reduced.sources[j]
    if [(pairs.get(index), output) for index, output in ours] == theirs:
        return
    meant = {(pairs[one[0]], _port(a, b, one, pairs[one[0]])) for one in ours if one[0] in pairs}
    read = {(one[0], _port(b, a, one, back[one[0]])) for one in theirs if one[0] in back}
    gone, added = sorted(meant - read), sorted(read - meant)
    if not gone and not added:
        yield from _order(pairing, i, ours, theirs)
    elif _is_moved(pairing, ours, theirs, gone, added):
        for k in range(max(len(gone), len(added))):
            was = source_name(a.graph, Source(back[gone[k][0]], gone[k][1])) if k < len(gone) else None
            yield NodeChange("input", "", was, source_name(b.graph, Source(*added[k])) if k < len(added) else None)


def _is_moved(
    pairing: Pairing, ours: Sequence[Source], theirs: Sequence[Source], gone: Sequence[Any], added: Sequence[Any]
) -> bool:
    """Return whether what a node reads has changed: it may also come from a node that only one form has."""
    if not added:
        return all(one[0] in pairing.back for one in theirs)
    return bool(gone) or all(one[0] in pairing.pairs for one in ours)


def _order(pairing: Pairing, index: int, ours: Sequence[Source], theirs: Sequence[Source]) -> Iterator[NodeChange]:
    """Yield operands that are in another order, where that counts."""
    a, b, pairs, back = pairing
    if a.reduced.what(a.graph.nodes[index]) in _ANY_ORDER:
        return
    if len(ours) == len(theirs) and all(i in pairs and j in back for (i, _), (j, _) in zip(ours, theirs, strict=True)):
        for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            meant = pairs[one[0]], _port(a, b, one, pairs[one[0]])
            if meant != (other[0], _port(b, a, other, back[other[0]])):
                yield NodeChange("input", str(k), source_name(a.graph, one), source_name(b.graph, other))


def is_close(a: Any, b: Any) -> bool:
    """Return whether two settings are the same but for how files write them."""
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(is_close, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return isclose(a, b, rel_tol=1e-3)
    return bool(a == b)


def _port(part: FormGraph, other: FormGraph, source: Source, meant: int) -> int:
    """Return which output of a node is read, if the node of the other form has as many."""
    counts = (len(one.graph.nodes[k].outputs) for one, k in ((part, source[0]), (other, meant)))
    return source[1] if len(set(counts)) == 1 else 0


def outputs(pairing: Pairing, inside: Collection[int]) -> Iterator[NodeChange]:
    """Yield outputs that come from other nodes; they are in the same order in all formats. One form may output what comes out of a part
    and the other what goes in, where that part only hands it on; `inside`: id() of the nodes of such parts."""
    a, b = pairing.a, pairing.b
    old, new = a.reduced.outputs(), b.reduced.outputs()
    for k in range(max(len(old), len(new))):
        was, is_ = old[k] if k < len(old) else None, new[k] if k < len(new) else None
        if was is not None and is_ is not None:
            is_inside = id(a.graph.nodes[was[0]]) in inside or id(b.graph.nodes[is_[0]]) in inside
            if is_inside or pairing.pairs.get(was[0], -1) == is_[0]:
                continue
        yield NodeChange("output", str(k), source_name(a.graph, was), source_name(b.graph, is_))
