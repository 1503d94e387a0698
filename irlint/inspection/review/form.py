"""One form of a network: its graphs without what converters change, with the weights of their layers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Mapping as Feeds
from contextlib import suppress
from typing import Any

from irlint.dryrun.infer import Inference
from irlint.dryrun.kernels.recurrent import STEPS
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.ops.shared.nesting import Part
from irlint.graph import UNKNOWN, Graph, Node, Shape, Source, Type
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.coarseness import LEAST_WEIGHT, roundings
from irlint.inspection.review.called_functions import CalledFunctions
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.layers.layer_weights import LayerWeights, layer_weights
from irlint.inspection.review.layers.weight_marks import HUGE, Mark, Marked
from irlint.inspection.review.matching import GraphSide
from irlint.inspection.review.reduced import Body, ReducedGraph
from irlint.inspection.review.roles import ADDING_AN_AXIS, PRODUCTS, RECURRENT
from irlint.inspection.rounding import Rounding, coarser
from irlint.inspection.types import mapping_of, type_lookup
from irlint.rules.base import Model

# What has weights; large constants of other operators are masks, positions and the like.
_COUNTED = PRODUCTS | RECURRENT | {"take"}

# What shape functions and kernels call settings that mean the same in all formats.
SETTINGS = {
    "strides": "strides", "dilations": "dilations", "pads_begin": "pads_begin", "pads_end": "pads_end", "axis": "axis",
    "epsilon": "epsilon", "eps": "epsilon", "direction": "direction", "reverse": "reverse", "exclusive": "exclusive",
    "kernel": "kernel", "approximation_mode": "approximation_mode", "linear_before_reset": "linear_before_reset",
    "hidden_size": "hidden_size", "batch_dims": "batch_dims", "keep_dims": "keep_dims",
}  # fmt: skip


FEW = 16  # numbers of a constant or an attribute that may be bounds
_EXACT = {"float16": 2048, "bfloat16": 256}  # up to which all whole numbers are exact


class Form:
    """One of the two models."""

    def __init__(self, model: Model, weights: bool, mapping: Mapping | None = None) -> None:
        self.model = model
        self.names = CanonicalNames(model)
        self.mapping = mapping or mapping_of(model)
        self.weights = weights and self.mapping is not None
        self.functions = CalledFunctions(model, self.mapping)
        self._roundings: dict[tuple[int, bool], list[Rounding]] = {}

    def roundings(self, graph: Graph, of_results: bool = True) -> list[Rounding]:
        """Return how coarsely each node computes, by its constants and, unless they are left out, by the types of its results."""
        if self.mapping is None:
            return []
        key = id(graph), of_results
        if (found := self._roundings.get(key)) is None:
            type_of = type_lookup(self.model) if of_results else lambda graph, node, output: UNKNOWN
            found = self._roundings[key] = roundings(graph, self.mapping, type_of)
        return found

    def bodies(self, body: Body, node: Node) -> list[Body]:
        """Return the graphs of a node in the order of its operator, as files have them in any order."""
        parts = self.parts(body.graph, node)
        return [body.inner(part.graph, part.filled(node.inputs)) for part in parts] or [
            Body(graph, {}) for graph in node.graphs
        ]

    def parts(self, graph: Graph, node: Node) -> list[Part]:
        """Return the graphs of a node in the order of its operator, with what their variables stand for."""
        call = self.mapping.sound_call(graph, node) if self.mapping is not None and node.graphs else None
        return [] if call is None else [part for part in call.attrs.get("parts", ()) if part is not None]


class FormGraph:
    """One graph of a model."""

    def __init__(self, form: Form, body: Body) -> None:
        graph = body.graph
        self.form, self.graph, self.type_of = form, graph, type_lookup(form.model)
        self.reduced = ReducedGraph(form.model, body, form.names, form.mapping)
        self.layers: dict[int, LayerWeights] = {}
        self.rounding: Sequence[Rounding] = ()
        if form.weights and form.mapping is not None:
            self.layers = layer_weights(form.model, self.reduced, form.mapping)
            own = form.roundings(graph)
            self.rounding = [
                coarser(each, *(own[k] for k in self.reduced.chains.get(i, ()))) for i, each in enumerate(own)
            ]
            idle = {index for index in self.reduced.affine if self.layers[index].changes_nothing}
            self.reduced.skip(idle)
        self.side = GraphSide(graph, self.alike, self.alike, lambda node: node.name, self.reduced.sources)

    def alike(self, node: Node) -> tuple[str, ...]:
        if node.index in self.reduced.inputs:
            return ("var",)
        size = self.reduced.elements(node.index) if node.index in self.reduced.layers else 0
        return "call", self.reduced.what(node), str(size)

    def counts(self, index: int) -> bool:
        """Return whether a node is a layer that a verdict counts."""
        what = self.reduced.what(self.graph.nodes[index])
        is_held = index in self.reduced.holding and what != "normalization"
        if index not in self.reduced.layers or not (what in _COUNTED or is_held):
            return False
        layer = self.layers.get(index)
        if layer is None or layer.is_unread:
            return self.reduced.has_large(index)
        return layer.weight is not None and layer.weight.elements >= LEAST_WEIGHT

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

    def type(self, source: Source) -> Type:
        return self.type_of(self.graph, self.graph.nodes[source[0]], source[1])

    def lengths(self, source: Source) -> tuple[Shape, tuple[Any, ...]] | None:
        """Return the shape of a value, and the elements that inference knows, which may be lengths of inputs."""
        types = self.form.model.types
        outputs = types.outputs(self.graph, self.graph.nodes[source[0]]) if isinstance(types, Inference) else ()
        value = outputs[source[1]].value if source[1] < len(outputs) else None
        return None if value is None else (outputs[source[1]].shape or (), value)

    def named(self, nodes: Iterable[int]) -> Iterator[float]:
        """Yield the numbers that some nodes have in their attributes and read from small constants, which may be bounds, and up to which
        types hold whole numbers."""
        for node in (self.graph.nodes[index] for index in nodes):
            dtype = self.type_of(self.graph, node, 0).dtype if "cast" in self.form.names.of(node) else None
            if dtype in _EXACT:
                yield _EXACT[dtype]
            values = [value if isinstance(value, (list, tuple)) else [value] for value in node.attrs.values()]
            for own in (*values, *(self.small(Source(*one)) for one in node.inputs if one[0] >= 0)):
                yield from (one for one in own if len(own) <= FEW and _is_bound(one))

    def small(self, source: Source) -> Sequence[Any]:
        """Return the numbers of a small constant; none of others."""
        known = None if self.reduced.flows(source[0]) else self.lengths(source)
        return () if known is None else known[1]

    def results(self, feeds: Feeds[int, Any], wanted: Collection[Source]) -> dict[Source, Any]:
        """Return the values that are computed from what some nodes are given."""
        found: dict[Source, Any] = {}
        if self.form.mapping is not None:
            with suppress(RecursionError):
                ConstantValues(self.form.model, self.reduced, self.form.mapping).run(wanted, feeds, found.__setitem__)
        return found

    def _axis(self, index: int, what: str, axis: int) -> dict[str, Any]:
        """Return the axis of a call, counted from the start if that is known."""
        shape = self.reduced.result_shape(index) if what in ADDING_AN_AXIS else self.reduced.input_shape(index)
        rank = len(shape or ())
        if rank and not -rank <= axis < rank:  # one of a new axis
            return {}
        return {"axis": axis % rank if rank else axis}

    def settings(self, index: int) -> dict[str, Any]:
        """Return the attributes of a call that mean the same in all formats, axes counted from the start."""
        found = self.written(index)
        if isinstance(axis := found.get("axis"), int):
            del found["axis"]
            found |= self._axis(index, self.reduced.what(self.graph.nodes[index]), axis)
        return found

    def written(self, index: int) -> dict[str, Any]:
        """Return the same with axes as the file counts them, by the names that shape functions have for them."""
        attrs = self.reduced.attributes(index)
        found = {SETTINGS[key]: value for key, value in attrs.items() if key in SETTINGS and value not in ((), None)}
        what = self.reduced.what(self.graph.nodes[index])
        if what in RECURRENT:
            names = STEPS[what.upper()][1]  # those of one direction
            given = tuple(str(name).casefold() for name in attrs.get("activations", ())[: len(names)])
            found |= {"activations": given or names, "clip": float(attrs.get("clip") or 0)}
        if attrs.get("auto_pad", "explicit") not in ("explicit", None):
            found = {key: value for key, value in found.items() if not key.startswith("pads")}
        return found


def _is_bound(number: Any) -> bool:
    return isinstance(number, int) or (isinstance(number, float) and abs(number) < HUGE)
