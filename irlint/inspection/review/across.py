"""Differences between two forms of a network, in two formats: what is left of both without what converters change."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from math import isclose
from typing import Any

from irlint.dryrun.lazy import np
from irlint.graph import Node, Shape, Source
from irlint.inspection.review.difference import Difference, Network, NodeChange, NodePair, Rewritten, entries
from irlint.inspection.review.form import RECURRENT, Form, Part
from irlint.inspection.review.matching import match_reduced
from irlint.inspection.review.reduced import Body
from irlint.inspection.review.rewritten import rewritten
from irlint.inspection.review.weight_marks import Marked
from irlint.inspection.review.weight_marks import pairs as same_weights
from irlint.inspection.rounding import EXACT, coarser
from irlint.inspection.types import type_text
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.floats import spelled


def compare(old: Model, new: Model, weights: bool) -> Difference:
    """Return what two forms of a network have in common, and what not; `weights`: whether the values of weights count."""
    with np.errstate(all="ignore") if weights else nullcontext():
        return _compared(Form(old, weights), Form(new, weights))


def _compared(old: Form, new: Form) -> Difference:
    found = _Comparison(old, new)
    graphs = deque([(Body(old.model.graph), Body(new.model.graph))])
    while graphs:
        before, after = graphs.popleft()
        for pair in found.graphs(before, after):
            if pair.old is not None and pair.new is not None:
                inner = found.a.bodies(before, pair.old[1]), found.b.bodies(after, pair.new[1])
                graphs.extend(zip(*inner, strict=False))
    return found.result()


# Operators whose operands may be in any order
_ANY_ORDER = frozenset(
    ("add", "add_n", "multiply", "maximum", "minimum", "equal", "not_equal", "logical_and", "logical_or", "logical_xor")
)


class _Pairing(NamedTuple):
    """Two graphs, and which of their nodes are the same: from the old one to the new one, and back."""

    a: Part
    b: Part
    pairs: dict[int, int]
    back: dict[int, int]


class _Comparison:
    def __init__(self, a: Form, b: Form) -> None:
        self.a, self.b = a, b
        self.pairs: list[NodePair] = []
        self.rewritten: list[Rewritten] = []
        self.outputs: list[NodeChange] = []
        self.layers: dict[str, list[int]] = {}  # see Network
        self.rounding = EXACT
        self.unknown = 0  # layers of both whose weights are not compared

    def graphs(self, before: Body, after: Body) -> list[NodePair]:
        """Compare two graphs, and return the pairs of their nodes."""
        a, b = Part(self.a, before), Part(self.b, after)
        layers = same_weights(a.marked(), b.marked())
        pairs = match_reduced(a.side, b.side, layers)
        told = rewritten(a.reduced, b.reduced, pairs)
        if inner := _layers_within(a, b, told):
            pairs = match_reduced(a.side, b.side, pairs | inner)
            told = rewritten(a.reduced, b.reduced, pairs)
        parts: list[Rewritten] = []
        for group in told:
            if len(group.old) == len(group.new) == 1 and not a.counts(group.old[0].index):
                pairs[group.old[0].index] = group.new[0].index
            else:
                parts.append(group)
        self.rewritten += parts
        self._count(a, b, pairs, parts)
        pairing = _Pairing(a, b, pairs, {j: i for i, j in pairs.items()})
        if before.graph is self.a.model.graph:
            self.outputs += _outputs(pairing, parts)
        found = [*_alone(pairing, parts), *self._both(pairing, layers)]
        self.pairs += found
        return found

    def _both(self, pairing: _Pairing, layers: Mapping[int, int]) -> Iterator[NodePair]:
        """Yield the nodes that both forms have, in the order of the new one."""
        a, b = pairing.a, pairing.b
        apart = _scaled_apart(a, pairing.pairs), _scaled_apart(b, pairing.back)
        for j, i in sorted(pairing.back.items()):
            ours, theirs = a.graph.nodes[i], b.graph.nodes[j]
            known = i not in apart[0] and j not in apart[1]
            changes = [*(self._weights(a, b, i, j) if known else ()), *_settings(pairing, i, j)]
            if i in a.reduced.inputs and j in b.reduced.inputs:
                changes += _types(ours, theirs)
            elif i not in layers and a.reduced.what(ours) != b.reduced.what(theirs):
                changes.insert(0, NodeChange("operator", "", a.reduced.what(ours), b.reduced.what(theirs)))
            if not ours.graphs:  # in some formats bodies read values of the graph around them without an input
                changes += _moved(pairing, i, j)
            status = "changed" if changes else "same"
            yield NodePair((a.graph, ours), (b.graph, theirs), status, tuple(changes))  # type: ignore[arg-type]

    def _weights(self, a: Part, b: Part, i: int, j: int) -> list[NodeChange]:
        if i not in a.layers or j not in b.layers:
            return []
        rounding = coarser(a.rounding[i], b.rounding[j])
        is_recurrent = a.reduced.what(a.graph.nodes[i]) in RECURRENT
        gap = None if is_recurrent else a.layers[i].distance(b.layers[j], rounding)
        if gap is None:
            self.unknown += a.counts(i)
        elif gap > (rounding.limit if a.layers[i].factors is None else rounding.added_up.limit):  # these are computed
            return [NodeChange("weights", "", None, None)]
        else:
            self.rounding = coarser(self.rounding, rounding)
        return []

    def _count(self, a: Part, b: Part, pairs: dict[int, int], told: Sequence[Rewritten]) -> None:
        """Count layers. Those of a part with other operators are the same if both parts hold the same weights."""
        found = set(pairs), set(pairs.values())
        for group in told:
            ours, theirs = a.weights(group.old), b.weights(group.new)
            known = same_weights(
                {k: Marked(mark) for k, (_, mark) in enumerate(ours)},
                {k: Marked(mark) for k, (_, mark) in enumerate(theirs)},
            )
            if len(known) == len(ours) == len(theirs):
                found[0].update(index for index, _ in ours)
                found[1].update(index for index, _ in theirs)
        for part, place in ((a, 0), (b, 1)):
            for index in filter(part.counts, sorted(part.reduced.layers)):
                row = self.layers.setdefault(part.reduced.what(part.graph.nodes[index]), [0, 0, 0, 0])
                row[place] += 1
                row[place + 2] += index in found[place]

    def result(self) -> Difference:
        removed = entries(self.pairs, "removed", self.a.names.of)
        added = entries(self.pairs, "added", self.b.names.of)
        changed = entries(self.pairs, "changed", self.b.names.of)
        same = sum(pair.status == "same" for pair in self.pairs)
        wrong = sum(any(change.what == "weights" for change in entry.changes) for entry in changed)
        network = Network(
            self.layers,
            self.rounding if self.a.weights and self.b.weights else None,
            self.unknown,
            wrong,
            len(changed) - wrong + len(self.outputs),
            (len(removed), len(added)),
            same + len(changed),
            self.rewritten,
        )
        return Difference(added, removed, changed, [], self.outputs, [], [], {}, same, self.pairs, network, True)


def _layers_within(a: Part, b: Part, told: Sequence[Rewritten]) -> dict[int, int]:
    """Return the layers of rewritten parts that are alike: both parts have as many of them."""
    found: dict[int, int] = {}
    for group in told:
        ours, theirs = (_by_kind(part, nodes) for part, nodes in ((a, group.old), (b, group.new)))
        for kind, indices in ours.items():
            if len(indices) == len(theirs.get(kind, ())):
                found.update(zip(indices, theirs[kind], strict=True))
    return found


def _by_kind(part: Part, nodes: Sequence[Node]) -> dict[tuple[str, ...], list[int]]:
    found: dict[tuple[str, ...], list[int]] = {}
    for node in nodes:
        if part.counts(node.index):
            found.setdefault(part.alike(node), []).append(node.index)
    return found


def _scaled_apart(part: Part, known: Mapping[int, int]) -> set[int]:
    """Return the nodes that others without a partner scale or shift: in the other form these may be a part of them."""
    others = (index for index in part.reduced.affine if index not in known)
    return {source[0] for index in others for source in part.reduced.sources[index]}


def _alone(pairing: _Pairing, parts: Sequence[Rewritten]) -> Iterator[NodePair]:
    """Yield the nodes that one form has alone, but for those of parts that are another way to compute the same."""
    a, b, told = pairing.a, pairing.b, _places(parts)
    for i in a.side.names:
        if i not in pairing.pairs and id(a.graph.nodes[i]) not in told:
            yield NodePair((a.graph, a.graph.nodes[i]), None, "removed")
    for j in b.side.names:
        if j not in pairing.back and id(b.graph.nodes[j]) not in told:
            yield NodePair(None, (b.graph, b.graph.nodes[j]), "added")


def _settings(pairing: _Pairing, i: int, j: int) -> Iterator[NodeChange]:
    """Yield attributes with other values, of those that mean the same in all formats."""
    a, b = pairing.a.reduced, pairing.b.reduced
    ours, theirs = pairing.a.settings(i), pairing.b.settings(j)
    if a.has_batch != b.has_batch or not _fit(
        a.input_shape(i), b.input_shape(j)
    ):  # in another layout, or of samples instead of batches
        ours.pop("axis", None)
    if any(source[0] not in pairing.pairs for source in a.sources[i]):  # perhaps a node that pads
        ours = {key: value for key, value in ours.items() if not key.startswith("pads")}
    for key, value in ours.items():
        if key in theirs and not _is_close(value, theirs[key]):
            yield NodeChange("attribute", key, spelled(value), spelled(theirs[key]))


def _types(ours: Node, theirs: Node) -> Iterator[NodeChange]:
    """Yield whether two inputs are declared with other types."""
    for was, is_ in zip((one.type for one in ours.outputs), (one.type for one in theirs.outputs), strict=False):
        if (None not in (was[0], is_[0]) and was[0] != is_[0]) or not _fit(was[1], is_[1]):
            yield NodeChange("type", "", type_text(was), type_text(is_))


def _fit(old: Shape | None, new: Shape | None) -> bool:
    """Return whether two shapes may be the same: symbols have other names in other formats."""
    if old is None or new is None:
        return True
    pairs = list(zip(old, new, strict=False))
    return len(old) == len(new) and not any(isinstance(p, int) and isinstance(q, int) and p != q for p, q in pairs)


def _moved(pairing: _Pairing, i: int, j: int) -> Iterator[NodeChange]:
    """Yield what a node reads in one form only, of what both have."""
    a, b, pairs, back = pairing
    ours, theirs = a.reduced.sources[i], b.reduced.sources[j]
    meant = {(pairs[one[0]], _port(a, b, one, pairs[one[0]])) for one in ours if one[0] in pairs}
    read = {(one[0], _port(b, a, one, back[one[0]])) for one in theirs if one[0] in back}
    gone, added = sorted(meant - read), sorted(read - meant)
    if not gone and not added:
        yield from _order(pairing, i, ours, theirs)
    elif _is_moved(pairing, ours, theirs, gone, added):
        for k in range(max(len(gone), len(added))):
            was = a.named(Source(back[gone[k][0]], gone[k][1])) if k < len(gone) else None
            yield NodeChange("input", "", was, b.named(Source(*added[k])) if k < len(added) else None)


def _is_moved(
    pairing: _Pairing, ours: Sequence[Source], theirs: Sequence[Source], gone: Sequence[Any], added: Sequence[Any]
) -> bool:
    """Return whether what a node reads has changed: it may also come from a node that only one form has."""
    if not added:
        return all(one[0] in pairing.back for one in theirs)
    return bool(gone) or all(one[0] in pairing.pairs for one in ours)


def _order(pairing: _Pairing, index: int, ours: Sequence[Source], theirs: Sequence[Source]) -> Iterator[NodeChange]:
    """Yield operands that are in another order, where that counts."""
    a, b, pairs, _ = pairing
    if a.reduced.what(a.graph.nodes[index]) in _ANY_ORDER:
        return
    if len(ours) == len(theirs) and all(one[0] in pairs for one in ours):
        for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            meant = pairs[one[0]], _port(a, b, one, pairs[one[0]])
            if meant != (other[0], _port(b, a, other, pairing.back[other[0]])):
                yield NodeChange("input", str(k), a.named(one), b.named(other))


def _is_close(a: Any, b: Any) -> bool:
    """Return whether two settings are the same but for how files write them."""
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(_is_close, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return isclose(a, b, rel_tol=1e-3)
    return bool(a == b)


def _port(part: Part, other: Part, source: Source, meant: int) -> int:
    """Return which output of a node is read, if the node of the other form has as many."""
    counts = (len(one.graph.nodes[k].outputs) for one, k in ((part, source[0]), (other, meant)))
    return source[1] if len(set(counts)) == 1 else 0


def _outputs(pairing: _Pairing, told: Sequence[Rewritten]) -> Iterator[NodeChange]:
    """Yield outputs that come from other nodes; they are in the same order in all formats. One form may output what comes out of a part
    and the other what goes in, where that part only hands it on."""
    a, b, parts = pairing.a, pairing.b, _places(told)
    old, new = a.reduced.outputs(), b.reduced.outputs()
    for k in range(max(len(old), len(new))):
        was, is_ = old[k] if k < len(old) else None, new[k] if k < len(new) else None
        if was is not None and is_ is not None:
            inside = id(a.graph.nodes[was[0]]) in parts or id(b.graph.nodes[is_[0]]) in parts
            if inside or pairing.pairs.get(was[0], -1) == is_[0]:
                continue
        yield NodeChange("output", str(k), a.named(was), b.named(is_))


def _places(told: Sequence[Rewritten]) -> set[int]:
    return {id(node) for group in told for node in (*group.old, *group.new)}
