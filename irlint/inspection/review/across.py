"""Differences between two forms of a network, in two formats: what is left of both without what converters change."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence

from irlint.graph import Graph, Node, Shape, Source
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.coarseness import roundings
from irlint.inspection.review.difference import (
    Difference,
    Network,
    NodeChange,
    NodePair,
    Rewritten,
    entries,
    held_graphs,
)
from irlint.inspection.review.layer_weights import LayerWeights, layer_weights
from irlint.inspection.review.matching import GraphSide, match_reduced
from irlint.inspection.review.reduced import ReducedGraph
from irlint.inspection.review.rewritten import rewritten
from irlint.inspection.review.weight_marks import pairs as alike_pairs
from irlint.inspection.rounding import EXACT, Rounding, coarser
from irlint.inspection.types import mapping_of, type_lookup, type_text
from irlint.rules.base import Model


class _Form:
    """One of the two models."""

    def __init__(self, model: Model, weights: bool) -> None:
        self.model = model
        self.names = CanonicalNames(model)
        self.mapping = mapping_of(model)
        self.type_of = type_lookup(model)
        self.weights = weights and self.mapping is not None

    def part(self, graph: Graph) -> _Part:
        return _Part(self, graph)


class _Part:
    """One graph of a model."""

    def __init__(self, form: _Form, graph: Graph) -> None:
        self.form, self.graph = form, graph
        self.reduced = ReducedGraph(form.model, graph, form.names, form.mapping)
        self.layers: dict[int, LayerWeights] = {}
        self.rounding: Sequence[Rounding] = ()
        if form.weights and form.mapping is not None:
            self.layers = layer_weights(form.model, self.reduced, form.mapping)
            self.rounding = roundings(graph, form.mapping)
            idle = {index for index in self.reduced.affine if self.layers[index].changes_nothing}
            self.reduced.skip(idle)
        self.side = GraphSide(graph, self.alike, self.alike, lambda node: node.name, self.reduced.sources)

    def alike(self, node: Node) -> tuple[str, ...]:
        if node.index in self.reduced.inputs:
            return ("var",)
        layer = self.layers.get(node.index)
        size = str(layer.weight.elements) if layer is not None and layer.weight is not None else ""
        return "call", self.reduced.what(node), size

    def counts(self, index: int) -> bool:
        """Return whether a node is a layer that a verdict counts."""
        return index in self.reduced.layers and not self.reduced.is_normalization(index)

    def marks(self) -> dict[int, object]:
        return {index: layer.weight for index, layer in self.layers.items() if layer.weight is not None}

    def named(self, source: Source | None) -> str | None:
        if source is None or source[0] < 0:
            return None
        node = self.graph.nodes[source[0]]
        name = node.name or node.op
        return f"{name}:{source[1]}" if source[1] else name


def compare(old: Model, new: Model, weights: bool) -> Difference:
    a, b = _Form(old, weights), _Form(new, weights)
    found = _Comparison(a, b)
    graphs = deque([(old.graph, new.graph)])
    while graphs:
        for pair in found.graphs(*graphs.popleft()):
            if pair.old is not None and pair.new is not None:
                before, after = held_graphs(pair.old[1]), held_graphs(pair.new[1])
                graphs.extend((graph, after[key]) for key, graph in before.items() if key in after)
    return found.result()


class _Comparison:
    def __init__(self, a: _Form, b: _Form) -> None:
        self.a, self.b = a, b
        self.pairs: list[NodePair] = []
        self.rewritten: list[Rewritten] = []
        self.outputs: list[NodeChange] = []
        self.layers: dict[str, list[int]] = {}  # by operator: of the first model, of the second one, and of both
        self.rounding = EXACT
        self.unknown = 0  # layers of both whose weights are not compared

    def graphs(self, before: Graph, after: Graph) -> list[NodePair]:
        """Compare two graphs, and return the pairs of their nodes."""
        a, b = self.a.part(before), self.b.part(after)
        layers = alike_pairs(a.marks(), b.marks())
        pairs = match_reduced(a.side, b.side, layers)
        told = rewritten(a.reduced, b.reduced, pairs)
        again: set[int] = set()
        for group in told:
            if len(group.old) == len(group.new) == 1:
                pairs[group.old[0].index] = group.new[0].index
            else:
                self.rewritten.append(group)
                again.update(id(node) for node in (*group.old, *group.new))
        self._count(a, b, pairs)
        if before is self.a.model.graph:
            self.outputs += _outputs(a, b, pairs)
        found = list(self._pairs(a, b, pairs, layers, again))
        self.pairs += found
        return found

    def _pairs(
        self, a: _Part, b: _Part, pairs: dict[int, int], layers: dict[int, int], told: set[int]
    ) -> Iterator[NodePair]:
        staying = set(pairs.values())
        for i in a.side.names:
            if i not in pairs and id(a.graph.nodes[i]) not in told:
                yield NodePair((a.graph, a.graph.nodes[i]), None, "removed")
        for j in b.side.names:
            if j not in staying and id(b.graph.nodes[j]) not in told:
                yield NodePair(None, (b.graph, b.graph.nodes[j]), "added")
        for i, j in sorted(pairs.items(), key=lambda pair: pair[1]):
            changes = tuple(self._changes(a, b, i, j, pairs, layers))
            ours, theirs = a.graph.nodes[i], b.graph.nodes[j]
            yield NodePair((a.graph, ours), (b.graph, theirs), "changed" if changes else "same", changes)

    def _changes(
        self, a: _Part, b: _Part, i: int, j: int, pairs: dict[int, int], layers: dict[int, int]
    ) -> Iterator[NodeChange]:
        ours, theirs = a.graph.nodes[i], b.graph.nodes[j]
        if i not in layers and a.alike(ours) != b.alike(theirs):
            yield NodeChange("operator", "", a.reduced.what(ours), b.reduced.what(theirs))
        if i in a.layers and j in b.layers:
            rounding = coarser(a.rounding[i], b.rounding[j])
            gap = a.layers[i].distance(b.layers[j])
            self.unknown += gap is None
            if gap is not None and gap > rounding.limit:
                yield NodeChange("weights", "", None, None)
            elif gap is not None:
                self.rounding = coarser(self.rounding, rounding)
        yield from _moved(a, b, i, j, pairs)
        if i in a.reduced.inputs and j in b.reduced.inputs:
            was, is_ = self.a.type_of(a.graph, ours, 0), self.b.type_of(b.graph, theirs, 0)
            if None not in (was[0], is_[0]) and was[0] != is_[0] or not _fit(was[1], is_[1]):
                yield NodeChange("type", "", type_text(was), type_text(is_))

    def _count(self, a: _Part, b: _Part, pairs: dict[int, int]) -> None:
        for part, place in ((a, 0), (b, 1)):
            for index in filter(part.counts, part.reduced.layers):
                self.layers.setdefault(part.reduced.what(part.graph.nodes[index]), [0, 0, 0])[place] += 1
        for i, j in pairs.items():
            if a.counts(i) and b.counts(j):
                self.layers[a.reduced.what(a.graph.nodes[i])][2] += 1

    def result(self) -> Difference:
        lists = [
            entries(self.pairs, status, form.names.of)
            for status, form in (("added", self.b), ("removed", self.a), ("changed", self.b))
        ]
        same = sum(pair.status == "same" for pair in self.pairs)
        weights = self.a.weights and self.b.weights
        network = Network(self.layers, self.rounding if weights else None, self.unknown, self.rewritten)
        return Difference(*lists, [], self.outputs, [], [], {}, same, self.pairs, network)


def _fit(old: Shape | None, new: Shape | None) -> bool:
    """Return whether two shapes may be the same: symbols have other names in other formats."""
    if old is None or new is None:
        return True
    pairs = list(zip(old, new, strict=False))
    return len(old) == len(new) and not any(isinstance(p, int) and isinstance(q, int) and p != q for p, q in pairs)


def _moved(a: _Part, b: _Part, i: int, j: int, pairs: dict[int, int]) -> Iterator[NodeChange]:
    """Yield what a node reads in one form only, of what both have."""
    known = set(pairs.values())
    ours, theirs = a.reduced.sources[i], b.reduced.sources[j]
    meant = Counter(pairs[source[0]] for source in ours if source[0] in pairs)
    read = Counter(source[0] for source in theirs if source[0] in known)
    gone, added = [*(meant - read).elements()], [*(read - meant).elements()]
    if (gone and (added or len(meant) == len(ours))) or (added and len(read) == len(theirs)):
        back = {j: i for i, j in pairs.items()}
        for k in range(max(len(gone), len(added))):
            was = a.named(Source(back[gone[k]])) if k < len(gone) else None
            is_ = b.named(Source(added[k])) if k < len(added) else None
            yield NodeChange("input", "", was, is_)


def _outputs(a: _Part, b: _Part, pairs: dict[int, int]) -> Iterator[NodeChange]:
    """Yield outputs that come from other nodes; they are in the same order in all formats."""
    old, new = a.reduced.outputs(), b.reduced.outputs()
    known = set(pairs.values())
    for k in range(max(len(old), len(new))):
        was, is_ = old[k] if k < len(old) else None, new[k] if k < len(new) else None
        there = was is not None and is_ is not None
        if there and (pairs.get(was[0]) == is_[0] or (was[0] not in pairs and is_[0] not in known)):
            continue
        yield NodeChange("output", str(k), a.named(was), b.named(is_))
