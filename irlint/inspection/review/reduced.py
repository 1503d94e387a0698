"""What is left of a graph without what tools add, fold and move as they convert a model: casts, copies, layouts, computed shapes,
constants, and the scales and offsets behind a layer.

Models of one network in two forms have few other nodes in common.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from irlint.dryrun.dims import numel
from irlint.dryrun.infer import order_of
from irlint.dryrun.mapping import Call
from irlint.dryrun.mapping import Mapping as DryRun
from irlint.graph import Dim, Graph, Node, Shape, Source
from irlint.inspection import markers
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.coarseness import LEAST_WEIGHT
from irlint.inspection.review.roles import AFFINE, INDICES, MEANT, NORMS, PASSING, PLAIN, PRODUCTS, SHAPES
from irlint.inspection.summary import parameters
from irlint.inspection.types import type_lookup
from irlint.records import NamedTuple
from irlint.rules.base import Model


class Body(NamedTuple):
    """A graph, and the constants of graphs around it that it reads, by its own nodes for them; None for the outermost graph."""

    graph: Graph
    outer: dict[int, Node] | None = None

    def inner(self, graph: Graph, variables: Mapping[int, Source]) -> Body:
        """Return a graph that a node of this one holds, with the values that its variables stand for."""
        found: dict[int, Node] = {}
        for variable, source in variables.items():
            known = (self.outer or {}).get(source[0])
            maker = known or (self.graph.nodes[source[0]] if source[0] >= 0 else None)
            if maker is not None and maker.kind == "const":
                found[variable] = maker
        return Body(graph, found)


class _Way(NamedTuple):
    """What is between a value and the node that it comes from."""

    is_alone: bool  # nothing else reads what is on the way
    is_moved: bool  # it has another layout, or was rounded


class ReducedGraph:
    """The nodes of one graph that count, and between which of them values flow."""

    def __init__(self, model: Model, body: Body, names: CanonicalNames, mapping: DryRun | None) -> None:
        self.graph, self.mapping, self.outer = body.graph, mapping, body.outer or {}
        self._op, self._type = names.of, type_lookup(model)
        self.holding = _held(body.graph, mapping)
        self._states = _states(body.graph, mapping)
        inputs, held = _leaves(body, names)
        self.inputs = dict.fromkeys(inputs)
        self.sources: dict[int, list[Source]] = {index: [] for index in self.inputs}  # of what counts
        self.constants: dict[int, list[Source]] = {}  # what calls read that depends on no input
        self.chains: dict[int, list[int]] = {}  # what scales or shifts a result, and counts as a part of its node
        self.moved: set[int] = set()  # nodes with a chain that another layout or rounding interrupts
        self.layers: set[int] = set()
        self.affine: set[int] = set()  # nodes that only scale and shift
        self.shaped: set[int] = set()  # nodes that are computed from shapes of what depends on an input
        self.inverse: set[int] = set()  # nodes that divide a constant by what they read
        self._origin: dict[int, Source] = {}
        self._ways: dict[int, _Way] = {}
        marks = markers(body.graph)
        self._readers = self._counted(marks)
        others = held | marks
        for index in order_of(body.graph):
            node = body.graph.nodes[index]
            if index not in self.sources and index not in others and names.kind_of(node) == "call":
                data = [self.end(source) for source in self.data(node)]
                is_shape = bool(data) and self._op(node) in SHAPES
                if data and not is_shape:
                    self._add(node, data)
                elif is_shape or not self.shaped.isdisjoint(source[0] for source in node.inputs):
                    self.shaped.add(index)
        self._drop()

    def what(self, node: Node) -> str:
        """Return what a node computes, in one word for all formats."""
        if node.index in self.affine:
            return "affine"
        if node.index in self.inverse:
            return "reciprocal"
        op = self._op(node)
        return MEANT.get(op, op)

    def outputs(self) -> list[Source]:
        return [self.end(Source(*source)) for source in self.graph.outputs]

    def skip(self, indices: Collection[int]) -> None:
        """Leave out nodes that only scale and shift: they change nothing."""
        for index, sources in self.sources.items():  # in the order of execution
            if index in indices:
                self._origin[index] = self.end(sources[0])
        self.sources = {
            index: [self.end(source) for source in sources]
            for index, sources in self.sources.items()
            if index not in indices
        }
        self.affine -= set(indices)

    def data_of(self, index: int) -> int | None:
        """Return the node whose value a node that only scales reads; None if that is not its first output."""
        source = self.data(self.graph.nodes[index])[0]
        return None if source[1] else source[0]

    @property
    def has_batch(self) -> bool:
        return self.mapping is None or self.mapping.has_batch

    def maker_of(self, index: int) -> int:
        """Return the node that computes what a node that only scales reads."""
        return self.end(self.data(self.graph.nodes[index])[0])[0]

    def attributes(self, index: int) -> dict[str, Any]:
        """Return the attributes of a call by the names that shape functions and kernels have for them."""
        call = self._call(index)
        return {} if call is None else call.attrs

    def _call(self, index: int) -> Call | None:
        node = self.graph.nodes[index]
        return self.mapping.sound_call(self.graph, node) if self.mapping is not None and node.kind == "call" else None

    def flipped_axis(self, index: int) -> int | None:
        """Return the first of two axes of the weights of a layer that have inputs before outputs, which those of a convolution have not;
        None for others."""
        attrs, is_held = self.attributes(index), index in self.holding  # as loaders store them
        what = self.what(self.graph.nodes[index])
        if what != "nn.matmul":
            return 0 if what == "nn.conv2d_transpose" and not is_held else None
        is_first = self.has_weights_first(index)
        is_transposed = bool(attrs.get("transpose_a" if is_first else "transpose_b", attrs.get("transposed", is_held)))
        return -2 if is_transposed == is_first else None

    def has_weights_first(self, index: int) -> bool:
        """Return whether the first factor of a product is a constant."""
        return bool(self.constants.get(index)) and self.graph.nodes[index].inputs[0] == self.constants[index][0]

    def channel_axis(self, index: int) -> int | None:
        """Return the axis of the weights of a layer along which its results have channels; None if that is not known."""
        what, first = self.what(self.graph.nodes[index]), self.flipped_axis(index)
        if what not in PRODUCTS:
            return None
        return first + 1 if first is not None else -2 if what == "nn.matmul" else 0

    def result_axis(self, index: int, rank: int) -> int | None:
        """Return the axis of channels of what a layer with weights computes; None if that is not known."""
        what, shape = self.what(self.graph.nodes[index]), self._type(self.graph, self.graph.nodes[index], 0)[1]
        if what not in PRODUCTS or index not in self.layers or shape is None or len(shape) != rank:
            return None
        if what == "nn.matmul":
            return rank - (2 if self.has_weights_first(index) else 1)
        return 1 if self.has_batch else 0

    def elements(self, index: int) -> int:
        """Return how many numbers the largest weights of a layer are, by what is declared; 0 if that is not known."""
        if (call := self._call(index)) is not None and call.operator.packs:
            return call.operator.unpacked_size(**call.attrs)
        nodes = self.graph.nodes
        shapes = (self._type(self.graph, nodes[one[0]], one[1])[1] for one in self.constants.get(index, ()))
        return max(self.holding.get(index, 0), *(numel(shape) or 0 for shape in shapes), 0)

    def has_large(self, index: int) -> bool:
        """Return whether a node has weights, by what is declared."""
        return index in self.holding or any(self._is_large(one, LEAST_WEIGHT) for one in self.constants[index])

    def input_shape(self, index: int) -> Shape | None:
        """Return the shape of what a call reads first."""
        source = next((source for source in self.graph.nodes[index].inputs if source[0] >= 0), None)
        return None if source is None else self._type(self.graph, self.graph.nodes[source[0]], source[1])[1]

    def result_shape(self, index: int) -> Shape | None:
        """Return the shape of the first output of a node."""
        return self._type(self.graph, self.graph.nodes[index], 0)[1]

    def probe_shape(self, index: int, chain: Sequence[int]) -> tuple[int, ...] | None:
        """Return a shape with the axes of a value, each as short as what scales it allows."""
        shape = self.result_shape(index)
        if shape is None:
            return None
        found: list[Dim] = [1] * len(shape)
        axis = 1 if self.has_batch else 0
        if axis < len(shape) and any(self._op(self.graph.nodes[k]) == "nn.batch_norm" for k in chain):
            found[axis] = shape[axis]
        known = tuple(dim for dim in found if isinstance(dim, int))
        return known if len(known) == len(found) else None

    def _add(self, node: Node, data: list[Source]) -> None:
        index, op = node.index, self._op(node)
        if op in PASSING:
            if self.flows(node.inputs[0][0]):  # else it is a constant in the form of something
                self._pass(index, data[0], self._way(node))
            return
        self.constants[index] = self._constants(node)
        is_inverse = op == "divide" and len(data) == 1 and not self.flows(node.inputs[0][0])
        is_affine = op in AFFINE and len(data) == 1 and not is_inverse
        if is_affine and self._is_part(node, data[0]):
            self._chain(node, data[0])
            return
        self.sources[index] = data
        self.inverse.update([index] if is_inverse else ())
        if is_affine:
            self.affine.add(index)
            self.chains[index] = [index]
        elif index in self.holding or self._has_weights(node):
            self.layers.add(index)

    def _constants(self, node: Node) -> list[Source]:
        return [Source(*one) for one in node.inputs if one[0] >= 0 and not self.flows(one[0])]

    def _chain(self, node: Node, maker: Source) -> None:
        """Let what scales or shifts a value be a part of what computes it."""
        self.chains.setdefault(maker[0], []).append(node.index)
        if maker[0] not in self.affine:
            self.layers.add(maker[0])
        way = self._way(node)
        if way.is_moved:
            self.moved.add(maker[0])
        self._pass(node.index, maker, way)

    def _pass(self, index: int, origin: Source, way: _Way) -> None:
        self._origin[index] = origin
        is_moved = way.is_moved or self._op(self.graph.nodes[index]) not in PLAIN
        self._ways[index] = _Way(way.is_alone, is_moved)

    def _is_part(self, node: Node, maker: Source) -> bool:
        """Return whether what scales or shifts a value belongs to what computes it: nothing else reads that."""
        op = self._op(self.graph.nodes[maker[0]])
        known = maker[0] in self.layers or maker[0] in self.affine or op in NORMS or MEANT.get(op, op) in PRODUCTS
        return known and not maker[1] and self._way(node).is_alone

    def _way(self, node: Node) -> _Way:
        """Return what is between what a node reads and where that comes from."""
        below = self.data(node)[0][0]
        way = self._ways.get(below, _Way(is_alone=True, is_moved=False))
        return way._replace(is_alone=way.is_alone and self._readers[below] == 1)

    def data(self, node: Node) -> list[Source]:
        """Return the values that a node reads and that depend on an input."""
        return [Source(*source) for source in node.inputs if self.flows(source[0])]

    def flows(self, index: int) -> bool:
        """Return whether a value depends on an input."""
        return index in self.sources or index in self._origin

    def end(self, source: Source) -> Source:
        """Return where a value comes from."""
        while source[0] in self._origin:
            source = self._origin[source[0]]
        return source

    def _has_weights(self, node: Node) -> bool:
        op = self._op(node)
        is_product = MEANT.get(op, op) in PRODUCTS  # the factors of products are weights, whatever their size
        return any(self._is_large(source, 1 if is_product else LEAST_WEIGHT) for source in self.constants[node.index])

    def _is_large(self, source: Source, least: int) -> bool:
        dtype, shape = self._type(self.graph, self.graph.nodes[source[0]], source[1])
        elements = numel(shape)
        is_weight = dtype not in INDICES and source[0] not in self._states
        return is_weight and (elements is None or elements >= least)

    def _counted(self, marks: set[int]) -> list[int]:
        """Return how often each node is read: by nodes that do not only look at its shape, and as an output."""
        reading = (node for node in self.graph.nodes if node.index not in marks and self._op(node) not in SHAPES)
        found = [0] * len(self.graph.nodes)
        for source in (*(source for node in reading for source in node.inputs), *self.graph.outputs):
            if source[0] >= 0:
                found[source[0]] += 1
        return found

    def _drop(self) -> None:
        """Leave out calls that nothing of the network reads: they compute shapes."""
        unread = (index for index in self.sources if not self._readers[index])
        stack, needed = [*(source[0] for source in self.outputs()), *unread], set(self.inputs)
        while stack:
            index = stack.pop()
            if index not in needed and index in self.sources:
                needed.add(index)
                stack += [source[0] for source in self.sources[index]]
        self.sources = {index: sources for index, sources in self.sources.items() if index in needed}
        self.layers &= needed
        self.affine &= needed


def _states(graph: Graph, mapping: DryRun | None) -> set[int]:
    """Return the nodes that read what a model keeps from one run to the next."""
    return {one.reader for one in mapping.states(graph)} if mapping is not None else set()


def _held(graph: Graph, mapping: DryRun | None) -> dict[int, int]:
    """Return the nodes that have weights of their own, and how many numbers the largest are."""
    found: dict[int, int] = {}
    for one in mapping.held(graph) if mapping is not None else ():
        size = numel(one.operand.tensor.type.shape) or 0
        found[one.node.index] = max(size, found.get(one.node.index, 0))
    return found


def _leaves(body: Body, names: CanonicalNames) -> tuple[list[int], set[int]]:
    """Return the inputs of a graph, and its other variables and constants."""
    kinds = [names.kind_of(node) for node in body.graph.nodes]
    held = {*parameters(body.graph, names), *(body.outer or ())}
    inputs = [index for index, kind in enumerate(kinds) if kind == "var" and index not in held]
    if not inputs:  # only data, of which nothing is known
        inputs = [index for index, kind in enumerate(kinds) if kind != "call"]
    return inputs, held
