"""Differences between two forms of a network, in two formats: what is left of both without what converters change."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from math import isclose
from typing import Any

from irlint.graph import Node, Shape, Source
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.coarseness import LEAST_WEIGHT, roundings
from irlint.inspection.review.difference import (
    Difference,
    Network,
    NodeChange,
    NodePair,
    Rewritten,
    entries,
)
from irlint.inspection.review.layer_weights import LayerWeights, layer_weights
from irlint.inspection.review.matching import GraphSide, match_reduced
from irlint.inspection.review.reduced import PRODUCTS, Body, ReducedGraph
from irlint.inspection.review.rewritten import rewritten
from irlint.inspection.review.weight_marks import Mark, Marked
from irlint.inspection.review.weight_marks import pairs as same_weights
from irlint.inspection.rounding import EXACT, Rounding, coarser
from irlint.inspection.types import mapping_of, type_text
from irlint.rules.base import Model
from irlint.text.floats import spelled

# What has weights; large constants of other operators are masks, positions and the like.
_COUNTED = PRODUCTS | {"take", "lstm", "gru", "rnn"}


# What shape functions and kernels call settings that mean the same in all formats.
_SETTINGS = {
    "strides": "strides", "dilations": "dilations", "pads_begin": "pads_begin", "pads_end": "pads_end", "axis": "axis",
    "epsilon": "epsilon", "eps": "epsilon", "direction": "direction", "reverse": "reverse", "exclusive": "exclusive",
    "hidden_size": "hidden_size", "batch_dims": "batch_dims", "keep_dims": "keep_dims",
}  # fmt: skip


class _Form:
    """One of the two models."""

    def __init__(self, model: Model, weights: bool) -> None:
        self.model = model
        self.names = CanonicalNames(model)
        self.mapping = mapping_of(model)
        self.weights = weights and self.mapping is not None

    def bodies(self, body: Body, node: Node) -> list[Body]:
        """Return the graphs of a node in the order of its operator, as files have them in any order."""
        call = self.mapping.sound_call(body.graph, node) if self.mapping is not None and node.graphs else None
        parts = [] if call is None else [part for part in call.attrs.get("parts", ()) if part is not None]
        return [body.inner(node, part.graph, part.filled(node.inputs)) for part in parts] or [
            Body(graph, {}) for graph in node.graphs
        ]


class _Part:
    """One graph of a model."""

    def __init__(self, form: _Form, body: Body) -> None:
        graph = body.graph
        self.form, self.graph = form, graph
        self.reduced = ReducedGraph(form.model, body, form.names, form.mapping)
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
        layer = self.layers.get(index)
        if layer is not None and (layer.weight is None or layer.weight.elements < LEAST_WEIGHT):
            return False
        what = self.reduced.what(self.graph.nodes[index])
        is_held = index in self.reduced.holding and what != "normalization"
        return index in self.reduced.layers and (what in _COUNTED or is_held)

    def marked(self) -> dict[int, Marked]:
        """Return the weights of layers."""
        nodes, what = self.graph.nodes, self.reduced.what
        return {
            k: Marked(layer.weight, what(nodes[k]), nodes[k].name, bool(layer.others))
            for k, layer in self.layers.items()
            if layer.weight is not None
        }

    def weights(self, nodes: Iterable[Node]) -> list[tuple[int, Mark]]:
        """Return all weights of some nodes, each with the node that has it."""
        layers = [(node.index, self.layers[node.index]) for node in nodes if node.index in self.layers]
        return [(k, mark) for k, layer in layers if layer.weight is not None for mark in (layer.weight, *layer.others)]

    def settings(self, index: int) -> dict[str, Any]:
        """Return the attributes of a call that mean the same in all formats, by the names that shape functions have for them."""
        mapping, node = self.form.mapping, self.graph.nodes[index]
        call = mapping.sound_call(self.graph, node) if mapping is not None and node.kind == "call" else None
        if call is None or mapping is None:
            return {}
        found = {_SETTINGS[key]: value for key, value in call.attrs.items() if key in _SETTINGS and value != ()}
        rank = len(self.reduced.input_shape(index) or ())
        if isinstance(found.get("axis"), int) and rank:
            found["axis"] %= rank
        if call.attrs.get("auto_pad", "explicit") not in ("explicit", None):
            found = {key: value for key, value in found.items() if not key.startswith("pads")}
        return found

    def named(self, source: Source | None) -> str | None:
        if source is None or source[0] < 0:
            return None
        node = self.graph.nodes[source[0]]
        name = node.name or node.op
        return f"{name}:{source[1]}" if source[1] else name


def compare(old: Model, new: Model, weights: bool) -> Difference:
    found = _Comparison(_Form(old, weights), _Form(new, weights))
    graphs = deque([(Body(old.graph), Body(new.graph))])
    while graphs:
        before, after = graphs.popleft()
        for pair in found.graphs(before, after):
            if pair.old is not None and pair.new is not None:
                inner = found.a.bodies(before, pair.old[1]), found.b.bodies(after, pair.new[1])
                graphs.extend(zip(*inner, strict=False))
    return found.result()


class _Comparison:
    def __init__(self, a: _Form, b: _Form) -> None:
        self.a, self.b = a, b
        self.pairs: list[NodePair] = []
        self.rewritten: list[Rewritten] = []
        self.outputs: list[NodeChange] = []
        self.layers: dict[str, list[int]] = {}  # see Network
        self.rounding = EXACT
        self.unknown = 0  # layers of both whose weights are not compared

    def graphs(self, before: Body, after: Body) -> list[NodePair]:
        """Compare two graphs, and return the pairs of their nodes."""
        a, b = _Part(self.a, before), _Part(self.b, after)
        layers = same_weights(a.marked(), b.marked())
        pairs = match_reduced(a.side, b.side, layers)
        told = rewritten(a.reduced, b.reduced, pairs)
        if inner := _layers_within(a, b, told):
            pairs = match_reduced(a.side, b.side, pairs | inner)
            told = rewritten(a.reduced, b.reduced, pairs)
        again: set[int] = set()
        for group in told:
            if len(group.old) == len(group.new) == 1 and not a.counts(group.old[0].index):
                pairs[group.old[0].index] = group.new[0].index
            else:
                self.rewritten.append(group)
                again.update(id(node) for node in (*group.old, *group.new))
        self._count(a, b, pairs, told)
        if before.graph is self.a.model.graph:
            self.outputs += _outputs(a, b, pairs, told)
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
        if i not in layers and i not in a.reduced.inputs and a.reduced.what(ours) != b.reduced.what(theirs):
            yield NodeChange("operator", "", a.reduced.what(ours), b.reduced.what(theirs))
        if i in a.layers and j in b.layers:
            rounding = coarser(a.rounding[i], b.rounding[j])
            gap = a.layers[i].distance(b.layers[j], rounding)
            self.unknown += gap is None and a.counts(i)
            if gap is not None and gap > rounding.limit:
                yield NodeChange("weights", "", None, None)
            elif gap is not None:
                self.rounding = coarser(self.rounding, rounding)
        yield from self._settings(a, b, i, j, pairs)
        if not ours.graphs:  # in some formats bodies read values of the graph around them without an input
            yield from _moved(a, b, i, j, pairs)
        if i in a.reduced.inputs and j in b.reduced.inputs and ours.outputs and theirs.outputs:
            was, is_ = ours.outputs[0].type, theirs.outputs[0].type
            if (None not in (was[0], is_[0]) and was[0] != is_[0]) or not _fit(was[1], is_[1]):
                yield NodeChange("type", "", type_text(was), type_text(is_))

    def _settings(self, a: _Part, b: _Part, i: int, j: int, pairs: dict[int, int]) -> Iterator[NodeChange]:
        """Yield attributes with other values, of those that mean the same in all formats."""
        ours, theirs = a.settings(i), b.settings(j)
        if a.reduced.input_shape(i) != b.reduced.input_shape(j):  # in another layout, or of samples instead of batches
            ours.pop("axis", None)
        is_padded = any(
            source[0] not in pairs for source in a.reduced.sources[i]
        )  # by a node that the other form has not
        for key in ours.keys() & theirs.keys():
            if not _is_close(ours[key], theirs[key]) and not (is_padded and key in ("pads_begin", "pads_end")):
                yield NodeChange("attribute", key, spelled(ours[key]), spelled(theirs[key]))

    def _count(self, a: _Part, b: _Part, pairs: dict[int, int], told: Sequence[Rewritten]) -> None:
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


def _layers_within(a: _Part, b: _Part, told: Sequence[Rewritten]) -> dict[int, int]:
    """Return the layers of rewritten parts that are alike: both parts have as many of them."""
    found: dict[int, int] = {}
    for group in told:
        ours, theirs = (_by_kind(part, nodes) for part, nodes in ((a, group.old), (b, group.new)))
        for kind, indices in ours.items():
            if len(indices) == len(theirs.get(kind, ())):
                found.update(zip(indices, theirs[kind], strict=True))
    return found


def _by_kind(part: _Part, nodes: Sequence[Node]) -> dict[tuple[str, ...], list[int]]:
    found: dict[tuple[str, ...], list[int]] = {}
    for node in nodes:
        if part.counts(node.index):
            found.setdefault(part.alike(node), []).append(node.index)
    return found


def _fit(old: Shape | None, new: Shape | None) -> bool:
    """Return whether two shapes may be the same: symbols have other names in other formats."""
    if old is None or new is None:
        return True
    pairs = list(zip(old, new, strict=False))
    return len(old) == len(new) and not any(isinstance(p, int) and isinstance(q, int) and p != q for p, q in pairs)


def _moved(a: _Part, b: _Part, i: int, j: int, pairs: dict[int, int]) -> Iterator[NodeChange]:
    """Yield what a node reads in one form only, of what both have."""
    back = {j: i for i, j in pairs.items()}
    ours, theirs = a.reduced.sources[i], b.reduced.sources[j]
    meant = {(pairs[one[0]], _port(a, b, one, pairs[one[0]])) for one in ours if one[0] in pairs}
    read = {(one[0], _port(b, a, one, back[one[0]])) for one in theirs if one[0] in back}
    gone, added = sorted(meant - read), sorted(read - meant)
    is_known = all(one[0] in pairs for one in ours), all(one[0] in back for one in theirs)
    if (gone and added) or (gone and is_known[1]) or (added and is_known[0]):
        for k in range(max(len(gone), len(added))):
            was = a.named(Source(back[gone[k][0]], gone[k][1])) if k < len(gone) else None
            is_ = b.named(Source(*added[k])) if k < len(added) else None
            yield NodeChange("input", "", was, is_)


def _is_close(a: Any, b: Any) -> bool:
    """Return whether two settings are the same but for how files write them."""
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(_is_close, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return isclose(a, b, rel_tol=1e-3)
    return bool(a == b)


def _port(part: _Part, other: _Part, source: Source, meant: int) -> int:
    """Return which output of a node is read, if the node of the other form has as many."""
    counts = (len(one.graph.nodes[k].outputs) for one, k in ((part, source[0]), (other, meant)))
    return source[1] if len(set(counts)) == 1 else 0


def _outputs(a: _Part, b: _Part, pairs: dict[int, int], told: Sequence[Rewritten]) -> Iterator[NodeChange]:
    """Yield outputs that come from other nodes; they are in the same order in all formats. One form may output what comes out of a part
    and the other what goes in, where that part only hands it on."""
    old, new = a.reduced.outputs(), b.reduced.outputs()
    parts = _places(told)
    for k in range(max(len(old), len(new))):
        was, is_ = old[k] if k < len(old) else None, new[k] if k < len(new) else None
        if was is not None and is_ is not None:
            meant = parts.get(id(a.graph.nodes[was[0]])), parts.get(id(b.graph.nodes[is_[0]]))
            if pairs.get(was[0], -1) == is_[0] or meant != (None, None):
                continue
        yield NodeChange("output", str(k), a.named(was), b.named(is_))


def _places(told: Sequence[Rewritten]) -> dict[int, int]:
    return {id(node): k for k, group in enumerate(told) for node in (*group.old, *group.new)}
