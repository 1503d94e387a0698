"""How layers map to the dry run: their operators, what their parameters mean to them, and the weights that they read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from typing import Any

from irlint.dryrun.entries import Written
from irlint.dryrun.errors import UNFORESEEN
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Call, FromAttr, Held, Mapping
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.files.side_files import StoredBytes
from irlint.formats.layers_graph import weights_file
from irlint.formats.ncnn.arguments import HINTS, signature, values_of
from irlint.formats.ncnn.dryrun_table import OPERATORS
from irlint.formats.ncnn.weights import StoredWeight, bytes_of, weights_of
from irlint.graph import Graph, Node, Shape
from irlint.rules.base import Model
from irlint.text.layers.document import LayerDocument

_SHAPELESS = frozenset(op for op, entry in OPERATORS.items() if entry.operator == "sample/common.SampleFormula")
_OF_ELEMENTS = Call(operator("sample/common.SampleFormula"))
_NOWHERE = (0, None, 0)
# What tags before weights mean
_STORED = {0x01306B47: "float16", 0x01348B83: "bfloat16", 0x000D4B38: "int8", 1: "uint8"}
# Layers that keep numbers as they are
_MOVING = {"Embed", "Split", "Reshape", "Flatten", "Squeeze", "ExpandDims", "Permute", "Slice", "Crop"}


class NcnnMapping(Mapping):
    """The mapping of one file; without the .bin, weights are drawn."""

    unforeseen = UNFORESEEN
    usual = "float32"
    example = "3,224,224"
    has_batch = False

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
            return self.calls.setdefault(key, self.call(graph, node))

    def call(self, graph: Graph, node: Node) -> Call | None:
        if node.op not in OPERATORS:
            return None
        params = self.document.rows[node.index].params
        values = {**values_of(node.op, params), "inputs": len(node.inputs), "outputs": len(node.outputs)}
        read = {weight.name: weight.size for weight in weights_of(node.op, params) or ()}
        return OPERATORS[node.op].call(values, Written(_keys(node.op), read, len(node.inputs), node.attrs))

    def array(self, node: Node) -> Any:
        found = self._read(node, "data")
        shape = _declared(node.op, self.document.rows[node.index].params)
        if node.kind != "const" or found is None or shape is None:
            raise LookupError(node.name)
        return found.astype(np.float32).reshape(shape)

    def held(self, graph: Graph) -> Iterator[Held]:
        for node in graph.nodes:
            call = self.sound_call(graph, node)
            for place, origin in enumerate(call.inputs or ()) if call is not None else ():
                if isinstance(origin, FromAttr) and origin.name:
                    dtype = _STORED.get(self._offsets.get((node.index, origin.name), _NOWHERE)[2], "float32")
                    yield Held(node, place, origin._replace(tensor=Tensor(dtype, origin.tensor.shape)))

    def added(self, node: Node, place: int) -> tuple[str, Any]:
        call = self.call_of(self.model.graph, node)
        assert call is not None
        assert call.inputs is not None
        origin = call.inputs[place]
        assert isinstance(origin, FromAttr)
        name, found, shape = origin.name, self._read(node, origin.name), origin.tensor.shape
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
    def _offsets(self) -> dict[tuple[int, str], tuple[int, StoredWeight, int]]:
        """Return where each array of weights is in the .bin, and its tag."""
        found: dict[tuple[int, str], tuple[int, StoredWeight, int]] = {}
        offset = 0
        for node, row in zip(self.model.graph.nodes, self.document.rows, strict=True):
            weights = weights_of(node.op, row.params)
            if weights is None:
                break
            for weight in weights:
                tag = int.from_bytes(self._data[offset : offset + 4], "little") if weight.storage == "flag" else 0
                found[node.index, weight.name] = offset, weight, tag
                offset += bytes_of(weight, tag)
        return found

    @cached_property
    def _data(self) -> StoredBytes | bytes:
        file = weights_file(self.model)
        return file.data if file is not None and file.state == "open" else b""

    def _read(self, node: Node, name: str) -> Any:
        """Return an array of weights as it is stored; None if there is none."""
        offset, weight, tag = self._offsets.get((node.index, name), _NOWHERE)
        if weight is None or not len(self._data):
            return None
        end = offset + bytes_of(weight, tag)
        if end > len(self._data):
            raise ValueError(f"the .bin ends before {name}")
        return _decoded(self._data[offset + 4 * (weight.storage == "flag") : end], tag, weight)

    def output_names(self, graph: Graph) -> list[str]:
        return [graph.nodes[source[0]].outputs[source[1]].name or "" for source in graph.outputs]


@cache
def _keys(op: str) -> dict[str, str]:
    """Return the ids of parameters by label."""
    return {label: attribute.name for label, attribute in signature(op).by_label.items()}


@lru_cache(maxsize=1 << 12)
def _declared(op: str, params: str) -> Shape | None:
    """Return the shape that an Input or MemoryData declares; None if it does not."""
    values = values_of(op, params)
    lengths = [values.get(label) or 0 for label in "cdhw"]
    if not lengths[1]:
        del lengths[1]
    shape = tuple(lengths[next((k for k, n in enumerate(lengths) if n), len(lengths)) :])
    if not shape and op == "MemoryData":
        return (1,)
    return shape if shape and min(shape) > 0 else None


def _decoded(data: bytes, tag: int, weight: StoredWeight) -> Any:
    """Return numbers of the .bin: of 32, 16 or 8 bits, or places in a table of 256."""
    stored = "int8" if weight.storage == "bytes" else _STORED.get(tag, "float32")
    if stored == "bfloat16":
        return (np.frombuffer(data, np.uint16, weight.size).astype(np.uint32) << 16).view(np.float32)
    if stored == "uint8":
        return np.frombuffer(data, np.float32, 256)[np.frombuffer(data, np.uint8, weight.size, 1024)]
    return np.frombuffer(data, stored, weight.size)


def mapping_of(model: Model) -> Mapping | None:
    """Return the mapping of a .param that has been read."""
    document = model.document
    assert isinstance(document, LayerDocument)
    return NcnnMapping(model, document)
