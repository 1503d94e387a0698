"""How layers map to the dry run: their operators, what their parameters mean to them, and the weights that they read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from math import prod
from typing import Any

from irlint.dryrun.errors import UNFORESEEN
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Call, Feed, FromAttr, Held, Mapping
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.formats.ncnn.arguments import arguments
from irlint.formats.ncnn.dryrun_table import OPERATORS, Entry, Spec
from irlint.formats.ncnn.hints import HINTS
from irlint.formats.ncnn.weights import Weight, bytes_of, weights_of
from irlint.graph import Graph, Node, Shape
from irlint.operators import table
from irlint.rules.base import Model
from irlint.side_file import SideFile
from irlint.text.layers import LayerDocument
from irlint.text.layers_values import parameters

Values = dict[str, Any]
_SHAPELESS = frozenset(op for op, entry in OPERATORS.items() if entry.operator == "samples.Formula")
_OF_ELEMENTS = Call(operator("samples.Formula"))
_STORED = {
    0x01306B47: "float16",
    0x01348B83: "bfloat16",
    0x000D4B38: "int8",
    1: "uint8",
}  # what tags before weights mean
_MOVING = (
    "Embed",
    "Split",
    "Reshape",
    "Flatten",
    "Squeeze",
    "ExpandDims",
    "Permute",
    "Slice",
    "Crop",
)  # keep numbers as they are


class NcnnMapping(Mapping):
    """The mapping of one file; without the .bin, weights are drawn."""

    unforeseen = UNFORESEEN
    usual = "float32"
    local = True

    def __init__(self, model: Model, document: LayerDocument) -> None:
        self.model, self.document = model, document
        self.calls: dict[tuple[str, int, int, int], Call | None] = {}
        self.declares = any(HINTS in node.attrs for node in model.graph.nodes)

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        dtype = "int32" if node.index in self._indices else "float32"
        return (Tensor(dtype, _declared(node.op, self.document.rows[node.index].params)),)

    def shaping(self, graph: Graph, node: Node) -> Call | None:
        return _OF_ELEMENTS if node.op in _SHAPELESS else self.call_of(graph, node)

    def call_of(self, graph: Graph, node: Node) -> Call | None:
        # layers that are written alike share their parameters, which the nodes hold
        key = node.op, len(node.inputs), len(node.outputs), id(node.attrs)
        try:
            return self.calls[key]
        except KeyError:
            found = self.calls[key] = self.call(graph, node)
            return found

    def call(self, graph: Graph, node: Node) -> Call | None:
        entry, known = OPERATORS.get(node.op), table("ncnn").get(node.op)
        if entry is None or known is None:
            return None
        values: Values = {**arguments(known, node.attrs), "inputs": len(node.inputs), "outputs": len(node.outputs)}
        ids = {attribute.facts["label"]: attribute.name for attribute in known.attributes.values()}
        attrs = {keyword: _value(spec, values) for keyword, spec in entry.attrs.items()}
        keys = {keyword: _blamed(keyword, entry, ids, node) for keyword in attrs}
        word = entry.operator if isinstance(entry.operator, str) else entry.operator(values)
        params = self.document.rows[node.index].params
        return Call(operator(word), attrs, _operands(node, params, entry, values, ids), keys)

    def array(self, node: Node) -> Any:
        found = self._read(node, "data")
        shape = _declared(node.op, self.document.rows[node.index].params)
        if node.kind != "const" or found is None or shape is None:
            raise LookupError(node.name)
        return found.astype(np.float32).reshape(shape)

    def held(self, graph: Graph) -> Iterator[Held]:
        for node in graph.nodes:
            try:
                call = self.call_of(graph, node) if node.kind == "call" else None
            except UNFORESEEN:
                continue
            for place, origin in enumerate(call.inputs or ()) if call is not None else ():
                if isinstance(origin, FromAttr) and origin.name:
                    tensor = Tensor(self._stored_as(node, origin.name), origin.tensor.shape)
                    yield Held(node, place, origin._replace(tensor=tensor))

    def _stored_as(self, node: Node, name: str) -> str:
        offset, weight = self._offsets.get((node.index, name), (0, None))
        tag = int.from_bytes(self._data[offset : offset + 4], "little") if weight and weight.storage == "flag" else 0
        return _STORED.get(tag, "float32")

    def added(self, node: Node, place: int) -> tuple[str, Any]:
        call = self.call_of(self.model.graph, node)
        origin = call.inputs[place] if call is not None and call.inputs is not None else None
        name = origin.name if isinstance(origin, FromAttr) else ""
        found = self._read(node, name)
        shape: Any = origin.tensor.shape if isinstance(origin, FromAttr) else None
        return f"{node.name}.{name}", found if found is None or shape is None else found.reshape(shape)

    @cached_property
    def _indices(self) -> set[int]:
        """Return the inputs whose numbers are read as integers: by Embed, whatever only moves them before."""
        nodes, found = self.model.graph.nodes, set[int]()
        for node in [node for node in nodes if node.op == "Embed"]:
            at = node
            while at.op in _MOVING and len(at.inputs) and 0 <= at.inputs[0][0] < at.index:
                at = nodes[at.inputs[0][0]]
            if at.kind == "var":
                found.add(at.index)
        return found

    @cached_property
    def _offsets(self) -> dict[tuple[int, str], tuple[int, Weight]]:
        """Return where each array of weights is in the .bin."""
        found: dict[tuple[int, str], tuple[int, Weight]] = {}
        offset, data = 0, self._data
        for node, row in zip(self.model.graph.nodes, self.document.rows, strict=True):
            weights = weights_of(node.op, row.params)
            if weights is None:
                break
            for weight in weights:
                found[node.index, weight.name] = offset, weight
                tag = int.from_bytes(data[offset : offset + 4], "little") if weight.storage == "flag" else 0
                offset += bytes_of(weight, tag)
        return found

    @cached_property
    def _data(self) -> bytes:
        if self.model.path is None:
            return b""
        path = self.model.weights or self.model.path.with_suffix(".bin")
        file = SideFile(path, None if self.model.weights else self.model.path)
        return bytes(file.data[:]) if file.state == "open" else b""

    def _read(self, node: Node, name: str) -> Any:
        """Return an array of weights as it is stored; None if there is none."""
        offset, weight = self._offsets.get((node.index, name), (0, None))
        if weight is None or not self._data:
            return None
        tag = int.from_bytes(self._data[offset : offset + 4], "little") if weight.storage == "flag" else 0
        end = offset + bytes_of(weight, tag)
        if end > len(self._data):
            raise ValueError(f"the .bin ends before {name}")
        return _decoded(self._data[offset + 4 * (weight.storage == "flag") : end], tag, weight)

    def feeds(self, graph: Graph) -> list[Feed]:
        found = []
        for k in graph.inputs:
            node = graph.nodes[k]
            names = tuple(value.name for value in node.outputs if value.name)
            found.append(Feed(k, (*names, node.name), self.leaf(graph, node)[0].type, example="3,224,224"))
        return found

    def output_names(self, graph: Graph) -> list[str]:
        return [graph.nodes[source[0]].outputs[source[1]].name or "" for source in graph.outputs]


def _value(spec: Spec, values: Values) -> Any:
    if isinstance(spec, str):
        return values[spec]
    return tuple(values[label] for label in spec) if isinstance(spec, tuple) else spec(values)


def _blamed(keyword: str, entry: Entry, ids: dict[str, str], node: Node) -> str:
    """Return the id of the parameter that an error in an attribute of the operator is about: one that is written, if any is."""
    spec = entry.attrs[keyword]
    labels = entry.blame.get(keyword, (spec,) if isinstance(spec, str) else spec if isinstance(spec, tuple) else ())
    keys = [ids[label] for label in labels if label in ids]
    return next((key for key in keys if key in node.attrs), keys[0] if keys else keyword)


def _operands(node: Node, params: str, entry: Entry, values: Values, ids: dict[str, str]) -> Any:
    """Return the inputs, and behind those that every such layer has, the weights; inputs may take their places."""
    if not entry.weights:
        return None
    read = {weight.name: weight.size for weight in weights_of(node.op, params) or ()}
    count = len(node.inputs)
    operands: list[Any] = [k if k < count else None for k in range(entry.inputs)]
    key = next((ids[label] for label in ("weight_data_size", *ids) if ids.get(label) in node.attrs), "")
    rest = iter(range(entry.inputs, count))
    for name, dims in entry.weights.items():
        size = read.get(name)
        if size is None:
            operands.append(next(rest, None))
            continue
        own = next((ids[label] for label in (f"{name}_size",) if ids.get(label) in node.attrs), key)
        operands.append(FromAttr(own, Tensor("float32", _filled(dims, size, values)), name))
    operands += rest
    while operands and operands[-1] is None:
        operands.pop()
    return operands


def _filled(dims: Any, size: int, values: Values) -> Shape | None:
    """Return the shape of weights; -1 is what is left of their size."""
    dims = dims(values) if callable(dims) else dims
    found = [dim(values) if callable(dim) else values[dim] if isinstance(dim, str) else dim for dim in dims]
    rest = prod(dim for dim in found if dim != -1)
    found = [(size // rest if rest and size % rest == 0 else 0) if dim == -1 else dim for dim in found]
    return tuple(found) if prod(found) == size else None


@lru_cache(maxsize=1 << 12)
def _declared(op: str, params: str) -> Shape | None:
    """Return the shape that an Input or MemoryData declares; None if it does not."""
    known = table("ncnn").get(op)
    if known is None:
        return None
    values = arguments(known, parameters(params))
    lengths = [values.get(label) or 0 for label in "cdhw"]
    if not lengths[1]:
        del lengths[1]
    shape = tuple(lengths[next((k for k, n in enumerate(lengths) if n), len(lengths)) :])
    if not shape and op == "MemoryData":
        return (1,)
    return shape if shape and min(shape) > 0 else None


def _decoded(data: bytes, tag: int, weight: Weight) -> Any:
    """Return numbers of the .bin: of 32, 16 or 8 bits, or places in a table of 256."""
    if weight.storage == "bytes" or tag == 0x000D4B38:
        return np.frombuffer(data, np.int8, weight.size)
    if tag == 0x01306B47:
        return np.frombuffer(data, np.float16, weight.size)
    if tag == 0x01348B83:
        return (np.frombuffer(data, np.uint16, weight.size).astype(np.uint32) << 16).view(np.float32)
    if tag in (0, 0x0002C056):
        return np.frombuffer(data, np.float32, weight.size)
    places = np.frombuffer(data, np.uint8, weight.size, 1024)
    return np.frombuffer(data, np.float32, 256)[places]


def mapping_of(model: Model) -> Mapping | None:
    """Return the mapping of a .param that has been read."""
    document = model.document
    if not isinstance(document, LayerDocument) or model.dialect != "param":
        return None
    return NcnnMapping(model, document)
