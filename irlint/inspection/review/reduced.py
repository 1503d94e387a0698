"""What is left of a graph without what tools add, fold and move as they convert a model: casts, copies, layouts, computed shapes,
constants, and the scales and offsets behind a layer.

Models of one network in two forms have few other nodes in common.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import prod

from irlint.dryrun.infer import order_of
from irlint.dryrun.mapping import Mapping as DryRun
from irlint.graph import Graph, Node, Shape, Source
from irlint.inspection import markers
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.coarseness import LEAST_WEIGHT
from irlint.inspection.summary import parameters
from irlint.inspection.types import type_lookup
from irlint.records import NamedTuple
from irlint.rules.base import Model

# Operators whose result is their first operand, in other words or another order.
_SAME = frozenset(("copy", "cast", "cast_like", "nn.dropout"))
_ROUNDED = frozenset(("qnn.quantize", "qnn.dequantize", "fake_quantize"))
_MOVED = frozenset(
    ("reshape", "reshape_like", "transpose", "swap_axes", "expand_dims", "squeeze", "nn.batch_flatten", "broadcast_to")
)
_SHAPES = frozenset(("shape_of", "ndarray_size"))
_AFFINE = frozenset(("add", "subtract", "multiply", "divide", "negative", "nn.batch_norm"))
_NORMS = frozenset(("nn.layer_norm", "nn.instance_norm", "nn.group_norm", "nn.rms_norm", "nn.mvn"))
PRODUCTS = frozenset(("nn.conv2d", "nn.conv2d_transpose", "nn.deformable_conv2d", "nn.matmul"))
_INDICES = frozenset(("bool", "int32", "int64", "uint32", "uint64", "string"))  # types that weights do not have
# One word for what formats have several operators for.
_MEANT = {
    **dict.fromkeys(("nn.dense", "nn.batch_matmul", "qnn.dense"), "nn.matmul"),
    **dict.fromkeys(("nn.conv1d", "nn.conv3d", "qnn.conv2d"), "nn.conv2d"),
    **dict.fromkeys(("nn.conv1d_transpose", "nn.conv3d_transpose"), "nn.conv2d_transpose"),
    **dict.fromkeys(_NORMS, "normalization"),
    **dict.fromkeys(("nn.global_avg_pool2d", "nn.adaptive_avg_pool2d"), "mean"),
    **dict.fromkeys(("nn.global_max_pool2d", "nn.adaptive_max_pool2d"), "max"),
    **dict.fromkeys(("mod", "floor_mod"), "mod"),
    **dict.fromkeys(("nn.max_pool1d", "nn.max_pool3d"), "nn.max_pool2d"),
    **dict.fromkeys(("nn.avg_pool1d", "nn.avg_pool3d"), "nn.avg_pool2d"),
    **dict.fromkeys(("argmax", "argmin", "topk"), "topk"),
}


class Body(NamedTuple):
    """A graph, and the constants of graphs around it that it reads, by its own nodes for them; None for the outermost graph."""

    graph: Graph
    outer: dict[int, Node] | None = None

    def inner(self, node: Node, graph: Graph, variables: Mapping[int, Source]) -> Body:
        """Return a graph that a node of this one holds, with the values that its variables stand for."""
        found: dict[int, Node] = {}
        for variable, source in variables.items():
            known = (self.outer or {}).get(source[0])
            maker = known or (self.graph.nodes[source[0]] if source[0] >= 0 else None)
            if maker is not None and maker.kind == "const":
                found[variable] = maker
        return Body(graph, found)


class ReducedGraph:
    """The nodes of one graph that count, and between which of them values flow."""

    def __init__(self, model: Model, body: Body, names: CanonicalNames, mapping: DryRun | None) -> None:
        graph = body.graph
        self.graph, self.mapping, self.outer = graph, mapping, body.outer or {}
        self._op, self._type = names.of, type_lookup(model)
        nodes = graph.nodes
        held = set(parameters(graph, names))
        if body.outer is not None:  # variables of a nested graph are no parameters
            held = {index for index in held if names.kind_of(nodes[index]) != "var"} | body.outer.keys()
        self.holding = {one.node.index for one in mapping.held(graph)} if mapping is not None else set()
        self.inputs = [node.index for node in nodes if names.kind_of(node) == "var" and node.index not in held]
        if not self.inputs:  # only data, of which nothing is known
            self.inputs = [node.index for node in nodes if names.kind_of(node) != "call"]
        self.sources: dict[int, list[Source]] = {index: [] for index in self.inputs}  # of what counts
        self.constants: dict[int, list[Source]] = {}  # what calls read that depends on no input
        self.chains: dict[
            int, list[int]
        ] = {}  # what scales or shifts a result, and counts as a part of what computes it
        self.moved: set[int] = set()  # nodes with a chain that another layout or rounding interrupts
        self.layers: set[int] = set()
        self.affine: set[int] = set()  # nodes that only scale and shift
        self.inverse: set[int] = set()  # nodes that divide a constant by what they read
        self._origin: dict[int, Source] = {}
        self._marks = markers(graph)
        self._readers = self._counted()
        for index in order_of(graph):
            node = nodes[index]
            if index in self.sources or index in held or index in self._marks or names.kind_of(node) != "call":
                continue
            data = [
                self.origin(source) for source in node.inputs if source[0] in self.sources or source[0] in self._origin
            ]
            if data and self._op(node) not in _SHAPES:
                self._add(node, data, index in self.holding)
        self._drop()

    def origin(self, source: Source) -> Source:
        """Return where a value comes from."""
        return self._origin.get(source[0], Source(*source))

    def what(self, node: Node) -> str:
        """Return what a node computes, in one word for all formats."""
        if node.index in self.affine:
            return "affine"
        if node.index in self.inverse:
            return "reciprocal"
        op = self._op(node)
        return _MEANT.get(op, op)

    def outputs(self) -> list[Source]:
        return [self._end(Source(*source)) for source in self.graph.outputs]

    def skip(self, indices: Collection[int]) -> None:
        """Leave out nodes that only scale and shift: they change nothing."""
        for index in self.sources:
            if index in indices:
                self._origin[index] = self.sources[index][0]
        self.sources = {
            index: [self._end(source) for source in sources]
            for index, sources in self.sources.items()
            if index not in indices
        }
        self.affine -= set(indices)

    def _end(self, source: Source) -> Source:
        while source[0] in self._origin:
            source = self._origin[source[0]]
        return source

    def data_of(self, index: int) -> int | None:
        """Return the node whose value a node that only scales reads first; None if it does not read the first output."""
        source = next(source for source in self.graph.nodes[index].inputs if source[0] >= 0 and self._flows(source[0]))
        return None if source[1] else source[0]

    def input_shape(self, index: int) -> Shape | None:
        """Return the shape of what a call reads first."""
        source = next((source for source in self.graph.nodes[index].inputs if source[0] >= 0), None)
        return None if source is None else self._type(self.graph, self.graph.nodes[source[0]], source[1])[1]

    def shape_of(self, index: int, chain: Sequence[int]) -> tuple[int, ...] | None:
        """Return a shape with the axes of a value, each as short as what scales it allows."""
        shape = self._type(self.graph, self.graph.nodes[index], 0)[1]
        batch_norm = next((k for k in chain if self._op(self.graph.nodes[k]) == "nn.batch_norm"), None)
        rank = len(shape) if shape is not None else None
        found = [1] * (rank or 0)
        axis = 1 if self.mapping is None or self.mapping.has_batch else 0
        if batch_norm is not None and axis < len(found):
            length = (shape or ())[axis]
            if not isinstance(length, int):
                return None
            found[axis] = length
        return None if rank is None else tuple(found)

    def _add(self, node: Node, data: list[Source], holds: bool) -> None:
        index, op = node.index, self._op(node)
        constants = [Source(*source) for source in node.inputs if source[0] >= 0 and not self._flows(source[0])]
        if op in _SAME or op in _MOVED or op in _ROUNDED:
            if self._flows(node.inputs[0][0]):  # else it is a constant in the form of something
                self._origin[index] = data[0]
            return
        is_inverse = op == "divide" and len(data) == 1 and not self._flows(node.inputs[0][0])
        is_affine = op in _AFFINE and len(data) == 1 and not is_inverse
        if is_affine and self._is_part(node, data[0]):
            self.chains.setdefault(data[0][0], []).append(index)
            if data[0][0] not in self.affine:
                self.layers.add(data[0][0])
            self._origin[index] = data[0]
            self.constants[index] = constants
            return
        self.sources[index], self.constants[index] = data, constants
        what = _MEANT.get(op, op)
        if is_inverse:
            self.inverse.add(index)
        if is_affine:
            self.affine.add(index)
            self.chains[index] = [index]
        elif holds or any(self._is_large(source, what in PRODUCTS) for source in constants):
            self.layers.add(index)

    def _flows(self, index: int) -> bool:
        return index in self.sources or index in self._origin

    def _is_part(self, node: Node, maker: Source) -> bool:
        """Return whether what scales or shifts a value belongs to what computes it: nothing else reads that."""
        at = maker[0]
        op = self._op(self.graph.nodes[at])
        known = at in self.layers or at in self.affine or op in _NORMS or _MEANT.get(op, op) in PRODUCTS
        if not known or maker[1]:
            return False
        return self._is_alone(node, at)

    def _is_alone(self, node: Node, maker: int) -> bool:
        index = next(source[0] for source in node.inputs if source[0] >= 0 and self._flows(source[0]))
        while index != maker:
            below = self.graph.nodes[index]
            if self._readers[index] != 1:
                return False
            if self._op(below) not in _SAME:
                self.moved.add(maker)
            index = next(source[0] for source in below.inputs if source[0] >= 0 and self._flows(source[0]))
        return self._readers[maker] == 1

    def _is_large(self, source: Source, is_product: bool) -> bool:
        """Return whether a constant is large enough to be a weight; factors of products are, whatever their size."""
        dtype, shape = self._type(self.graph, self.graph.nodes[source[0]], source[1])
        if dtype in _INDICES or is_product:
            return dtype not in _INDICES
        lengths = [length for length in shape or () if isinstance(length, int)]
        return shape is None or len(lengths) < len(shape) or prod(lengths) >= LEAST_WEIGHT

    def _counted(self) -> list[int]:
        """Return how often each node is read: by nodes that do not only look at its shape, and as an output."""
        found = [0] * len(self.graph.nodes)
        for node in self.graph.nodes:
            if node.index not in self._marks and self._op(node) not in _SHAPES:
                for source in node.inputs:
                    if source[0] >= 0:
                        found[source[0]] += 1
        for source in self.graph.outputs:
            if source[0] >= 0:
                found[source[0]] += 1
        return found

    def _drop(self) -> None:
        """Leave out calls that nothing of the network reads: they compute shapes."""
        ends: Iterable[int] = [source[0] for source in self.outputs() if source[0] >= 0]
        unread = (index for index in self.sources if not self._readers[index])
        stack, needed = [*ends, *unread], set(self.inputs)
        while stack:
            index = stack.pop()
            if index not in needed and index in self.sources:
                needed.add(index)
                stack += [source[0] for source in self.sources[index]]
        self.sources = {index: sources for index, sources in self.sources.items() if index in needed}
        self.layers &= needed
        self.affine &= needed
