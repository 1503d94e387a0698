"""Map OpenVINO's operations to the dry run: names, versions, constants, and attributes as the reader parses them."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Collection
from math import prod
from typing import Any

from irlint.dryrun.entries import Entry, whole
from irlint.dryrun.errors import UNFORESEEN, Undecided
from irlint.dryrun.mapping import Call, Feed, Mapping, State
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Entries, Tensor, small
from irlint.formats.openvino.dryrun.table import FOLDED, OPERATORS
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.reading.dimensions import dimension
from irlint.formats.openvino.reading.extensions import Extensions
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES, MOST_AXES, IrLayer
from irlint.formats.openvino.reading.opsets import meaning
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.state import state_of
from irlint.graph import Dim, Graph, Node, Shape, Type
from irlint.operators import Attribute, Operator
from irlint.operators import table as operator_table
from irlint.rules.base import Model
from irlint.text.base import Path
from irlint.text.numbers import integer

_INTEGER = re.compile(r"\s*(-?\d+)")
_FLOAT = re.compile(r"\s*([+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf(?:inity)?|nan))", re.IGNORECASE)
_LONG = 1 << 63


def _integer(text: str) -> int:
    match = _INTEGER.match(text)
    if match is None or not -_LONG <= (number := integer(match[1])) < 2 * _LONG:
        raise Undecided
    return number


def _float(text: str) -> float:
    match = _FLOAT.match(text)
    if match is None:
        raise Undecided
    return float(match[1])


def _items(text: str) -> list[str]:
    pieces = text.split(",") if text.strip() else []
    return pieces[:-1] if pieces and not pieces[-1] else pieces  # OpenVINO 2026.4.1 takes '1,1,', but not '1,1,,'


def _dtype(text: str) -> str | None:
    word = text.strip().lower()
    if word not in ELEMENT_TYPES:
        raise Undecided
    return ELEMENT_TYPES[word]


def partial_shape(text: str) -> Shape | None:
    """Return a shape that may have ?, -1 and ranges; None for "..."."""
    # OpenVINO 2026.4.1 takes '[1,3]' as the shape of a Parameter, but in no other list
    text = text.strip().removeprefix("[").removesuffix("]").strip()
    if text == "...":
        return None
    if text.count(",") > MOST_AXES:
        raise Undecided
    return tuple(map(_dim, _items(text)))


def _dims(text: str) -> Shape:
    """Return the shape of a constant, which the reader parses like any list of numbers."""
    if text.count(",") > MOST_AXES:
        raise Undecided
    return tuple([max(_integer(item), 0) for item in _items(text)])


def _dim(text: str) -> Dim:
    if (found := dimension(text)) is None:
        raise Undecided
    return found.dim


_PARSERS: dict[str, Callable[[str], Any]] = {
    "int": _integer,
    "float": _float,
    "int[]": lambda text: tuple(map(_integer, _items(text))),
    "float[]": lambda text: tuple(map(_float, _items(text))),
    "string": str,
    "string[]": lambda text: tuple(word.strip() for word in _items(text)),
    "element_type": _dtype,
    "partial_shape": partial_shape,
    "shape": partial_shape,
}
_SYNONYMS = {"none": "explicit", "explicit": "none"}  # how shapes are broadcast: not at all
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def _absent(attribute: Attribute) -> Any:
    """Return what the reader uses for a missing attribute."""
    if "absent" in attribute.facts:
        raise Undecided
    if attribute.kind.endswith("[]"):
        return ()  # lists come into being empty; operators fill them by the number of axes
    # OpenVINO 2026.4.1 does not always take the specification's default: Softmax-1 without axis takes 0, not 1
    taken = attribute.facts.get("fallback", attribute.default)
    if taken is None:
        return None
    if attribute.kind == "boolean":
        return _BOOLEANS[str(taken).lower()]
    return str(taken).lower() if attribute.kind == "enum" else _PARSERS[attribute.kind](str(taken))


def _value(attribute: Attribute, text: str) -> Any:
    """Return an attribute as the reader parses it; unknown booleans leave the default."""
    if attribute.kind == "boolean":
        # OpenVINO 2026.4.1: transpose_b='yes', 'on' or '' is the default
        known = _BOOLEANS.get(text.lower())
        return _absent(attribute) if known is None else known
    if attribute.kind == "enum":
        word, values = text.lower(), [value.lower() for value in attribute.values]
        if word in attribute.facts.get("also", ()) and word not in values:
            return _SYNONYMS.get(word, word)
        if not attribute.facts.get("open") and word not in values:
            raise Undecided
        return word
    return _PARSERS[attribute.kind](text)


class IrValues:
    """The attributes of a layer as its operation reads them."""

    def __init__(self, operation: Operator, texts: dict[str, str]) -> None:
        self.operation, self.texts = operation, texts

    def __getitem__(self, name: str) -> Any:
        attribute, text = self.operation.attributes[name], self.texts.get(name)
        return _absent(attribute) if text is None else _value(attribute, text)

    def all(self) -> dict[str, Any]:
        """Return all of them by keywords."""
        return {name.replace("-", "_"): self[name] for name in self.operation.attributes}


_FORMATS = {
    "float64": "d", "float32": "f", "float16": "e", "int64": "q", "int32": "i", "int16": "h", "int8": "b",
    "uint64": "Q", "uint32": "I", "uint16": "H", "uint8": "B", "bool": "?",
}  # fmt: skip


def elements(data: bytes, dtype: str, count: int) -> Entries | None:
    """Return a constant's values; None for types that are not tracked by value."""
    if (code := _FORMATS.get(dtype)) is not None:
        layout = struct.Struct(f"<{count}{code}")
        return layout.unpack_from(data) if len(data) >= layout.size else None
    if dtype == "bfloat16" and len(data) >= 2 * count:
        return struct.unpack(f"<{count}f", b"".join(b"\0\0" + data[2 * k : 2 * k + 2] for k in range(count)))
    return None


class OpenVinoMapping(Mapping):
    """The mapping of one file; without the .bin, the values of constants are unknown."""

    unforeseen = UNFORESEEN

    def __init__(
        self,
        sections: list[IrSection],
        binary: BinFile | None,
        counts_outputs: bool = True,
        extensions: Extensions | None = None,
    ) -> None:
        self.sections = {id(section.graph): section for section in sections}
        self.binary = binary
        self.counts_outputs = counts_outputs
        self.extensions = extensions if extensions is not None and extensions.strangers else None
        self.leaves: dict[tuple[str, str, str], Type | None] = {}

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        attrs = node.attrs
        try:
            shape_ = attrs["shape"] if node.kind == "const" else attrs.get("shape", "")
            key = attrs["element_type"], shape_, node.kind
        except KeyError:
            return (Tensor(),)
        try:
            kind = self.leaves[key]
        except KeyError:
            kind = self.leaves[key] = self._type(*key)
        if kind is None:
            return (Tensor(),)
        if node.kind != "const" or not small(kind.shape):
            return (Tensor(*kind),)
        dtype, shape = kind
        return (Tensor(dtype, shape, None, (lambda: self._elements(node, dtype, shape), ()), True),)

    @staticmethod
    def _type(element_type: str, shape: str, kind: str) -> Type | None:
        try:
            return Type(_dtype(element_type), _dims(shape) if kind == "const" else partial_shape(shape))
        except Undecided:
            return None

    def _elements(self, node: Node, dtype: str | None, shape: Shape | None) -> Entries | None:
        data = self.binary.value(node.attrs) if self.binary else None
        if data is None or dtype is None:
            return None
        return elements(data, dtype, prod(shape or ()))  # type: ignore[arg-type]

    def contextual(self, node: Node) -> bool:
        return bool(node.graphs) or self.extensions is not None

    def _extension(self, graph: Graph, node: Node) -> Call | None:
        assert self.extensions is not None
        layer, domain = self.sections[id(graph)].layers[node.index], node.version or ""
        if (known := self.extensions.operator(node.op, domain)) is not None:
            return _extension_call(known, layer, len(node.inputs))
        return _as_declared(layer) if self.extensions.is_foreign(node.op, domain) else None

    def call(self, graph: Graph, node: Node) -> Call | None:
        if self.extensions is not None and (found := self._extension(graph, node)) is not None:
            return found
        key = meaning(node.op, node.version).operation
        if key is None:
            return None
        if (entry := OPERATORS.get(key)) is None:  # a constant or an input in other letters
            return _as_declared(self.sections[id(graph)].layers[node.index])
        known = operator_table("openvino").get(key)
        assert known is not None
        call = (entry if isinstance(entry, Entry) else whole(entry)).call(IrValues(known, node.attrs))
        call.keys = {name.replace("-", "_"): name for name in known.attributes if "-" in name}
        if node.graphs:
            from irlint.formats.openvino.dryrun.bodies import bodies_of

            call.attrs["bodies"] = bodies_of(self.sections[id(graph)].layers[node.index], node, self.sections)
            call.attrs["count"] = len(node.outputs)
            call.attrs["lists"] = [k for k, value in enumerate(node.outputs) if value.type.shape == (None,)]
        call.folds = key in FOLDED
        if known.facts.get("no_strings"):
            call.demands = (("_/!string", call.operator.names),)
        return call

    def array(self, node: Node) -> Any:
        from irlint.dryrun.running.arrays import from_bytes

        return from_bytes(*self._data(node))

    def stored(self, node: Node) -> bytes:
        return self._data(node)[0]

    def packed(self, node: Node) -> Any:
        from irlint.dryrun.running.packed import SHORT, packed

        if ELEMENT_TYPES.get(node.attrs.get("element_type", "").strip().lower()) not in SHORT:
            return None
        return packed(*self._data(node))

    def _data(self, node: Node) -> tuple[bytes, str, tuple[int, ...]]:
        """Return the bytes, type and shape of a constant."""
        key = node.attrs.get("element_type", ""), node.attrs.get("shape", ""), node.kind
        kind = self.leaves[key] if key in self.leaves else self._type(*key)
        if node.kind != "const" or kind is None or kind.dtype is None or kind.shape is None:
            raise LookupError(node.name)
        data = self.binary.read(int(node.attrs["offset"]), int(node.attrs["size"])) if self.binary else None
        if data is None:
            raise LookupError(node.name)
        return data, kind.dtype, kind.shape  # type: ignore[return-value]

    def sound(self, model: Model, broken: Collection[Path]) -> bool:
        """Return whether every port declares the inferred type; skips bodies and files with other problems."""
        if broken or len(self.sections) != 1:
            return False
        from irlint.formats.openvino.dryrun.shape_gate import sound

        (section,) = self.sections.values()
        return sound(self, section)

    def counts(self, graph: Graph, node: Node, outputs: int) -> bool:
        read = self.sections[id(graph)].read_outputs
        return self.counts_outputs or any((node.index, k) in read for k in range(outputs, len(node.outputs)))

    def dead(self, graph: Graph) -> list[int]:
        live = self.sections[id(graph)].live
        return [] if all(live) else [k for k, looked_at in enumerate(live) if not looked_at]

    def names(self, node: Node) -> tuple[str, ...]:
        return (*_tensor_names(node.outputs[0].name if node.outputs else None), node.name)

    def feeds(self, graph: Graph) -> list[Feed]:
        """Return the inputs. OpenVINO names tensors after nodes only in IR version 10."""
        named = {node.index for node in graph.nodes if not self.counts_outputs or len(self.names(node)) > 1}
        return [feed._replace(is_named=feed.node in named) for feed in super().feeds(graph)]

    def output_names(self, graph: Graph) -> list[str]:
        return [names[0] for names in self.aliases(graph)]

    def aliases(self, graph: Graph) -> list[tuple[str, ...]]:
        found, section = [], self.sections[id(graph)]
        results = [node.index for node in graph.nodes if node.op == "Result" and node.index not in section.shadowed]
        for (node, output), result in zip(graph.outputs, results, strict=True):
            maker, own = graph.nodes[node], section.layers[result].result
            names = _tensor_names(own or (maker.outputs[output].name if output < len(maker.outputs) else None))
            found.append(names or (maker.name,))
        return found

    def states(self, graph: Graph) -> list[State]:
        nodes = [node for node in graph.nodes if "variable_id" in node.attrs]
        writers = {node.attrs["variable_id"]: node.index for node in nodes if node.op == "Assign"}
        readers = {node.attrs["variable_id"]: node.index for node in nodes if node.op.lower() == "readvalue"}
        return [State(name, k, writers.get(name), _appends(graph, writers.get(name))) for name, k in readers.items()]


def _appends(graph: Graph, writer: int | None) -> bool:
    """Return whether an Assign writes a Concat."""
    sources = graph.nodes[writer].inputs if writer is not None else ()
    return bool(sources) and sources[0][0] >= 0 and graph.nodes[sources[0][0]].op.lower() == "concat"


def _tensor_names(text: str | None) -> tuple[str, ...]:
    """Return the names of a tensor; those that converters number come last."""
    return tuple(sorted(text.split(","), key=str.isdecimal)) if text else ()


def mapping_of(model: Model) -> OpenVinoMapping | None:
    """Return the mapping of a model that has been read; None if there is nothing to infer."""
    state = state_of(model)
    mapping = OpenVinoMapping(state.sections, state.weights, model.dialect != "ir10", state.extensions)
    return mapping if state.sections else None


def _extension_call(known: Operator, layer: IrLayer, count: int) -> Call:
    """Return the operator of a library's operation for a number of inputs, by its signature in the table, else by what the file
    declares; raise Undecided if the operation does not accept that many."""
    facts = known.facts
    if (word := facts.get("shapes")) is not None:
        return Call(operator(word))
    if (variants := facts.get("signatures")) is not None:
        if (signature := variants.get(str(count))) is None:
            raise Undecided
        return Call(operator("shared/signed.Signed"), {"signature": signature})
    if (signature := facts.get("signature")) is None:
        return _as_declared(layer)
    names = tuple(port.name or f"input {k}" for k, port in enumerate(known.inputs))
    return Call(operator("shared/signed.Signed"), {"signature": signature, "names": names})


def _as_declared(layer: IrLayer) -> Call:
    taken, made = ([value.type for value in ports.values] for ports in (layer.inputs, layer.outputs))
    return Call(operator("shared/signed.AsDeclared"), {"taken": taken, "made": made})
