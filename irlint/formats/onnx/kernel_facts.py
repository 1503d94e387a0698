"""What tables of kernels ask of a node: its types, attributes, inputs and ranks, by the names that the tables have for them."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.dims import is_known
from irlint.formats.onnx.opsets import port_at
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.wire import DTYPES
from irlint.graph import Graph, Node, Source, Type
from irlint.operators import Operator
from irlint.targets.kernels import UNKNOWN
from irlint.text.prototext.messages import Tree

_SPELLED = {"float32": "float", "float64": "double"}  # inside of types that are no tensors, as ONNX has them
_OTHERS = ("sequence", "optional", "map")  # values that are no tensors, and have no lengths


class NodeFacts:
    """The facts of one node."""

    def __init__(self, graph: Graph, node: Node, operator: Operator, type_of: Any, tree_at: Any) -> None:
        self._tree_at = tree_at
        self._graph, self._node, self._operator, self._type_of = graph, node, operator, type_of
        self._known: dict[str, Any] = {}

    def __call__(self, fact: str) -> Any:
        if fact not in self._known:
            kind, _, name = fact.partition(" ")
            self._known[fact] = getattr(self, f"_{kind}")(name)
        return self._known[fact]

    def place_of(self, fact: str) -> str:
        """Return the part of the node that a fact is about, as graph.place takes it."""
        kind, _, name = fact.partition(" ")
        if kind == "attribute":
            return f"attr:{name}" if name in self._node.attrs else "op"
        if kind in ("input", "rank"):
            return f"input:{name}"
        if kind == "type":
            places = [f"{side}:{k}" for side, k in self.ports(name) if side == "input"]
            return places[0] if places else "op"
        return "op"

    def _attribute(self, name: str) -> Any:
        value = self._node.attrs.get(name)
        if isinstance(value, TensorData):
            return value.dtype
        return [] if value == () else value

    def _input(self, name: str) -> Any:
        source = self._source(int(name))
        if source is None:
            return "absent"
        return "constant" if self._graph.nodes[source[0]].kind == "const" else "given"

    def _rank(self, name: str) -> Any:
        type_ = self._type_in(int(name))
        return UNKNOWN if type_ is None or type_.shape is None else len(type_.shape)

    def _outputs(self, _name: str) -> Any:
        return "".join("01"[bool(value.name)] for value in self._node.outputs).rstrip("0")

    def _lengths(self, _name: str) -> Any:
        types = [self._type_in(k) for k in range(len(self._node.inputs))]
        shapes = [one.shape for one in types if one is not None and one.dtype not in _OTHERS]
        if any(shape is not None and not is_known(shape) for shape in shapes):
            return "open"
        return UNKNOWN if None in shapes else "fixed"

    def _type(self, name: str) -> Any:
        side, _, number = name.partition(" ")
        if number:
            return self._dtype(("input" if side == "in" else "output"), int(number))
        known = (self._dtype(*port) for port in self.ports(name))
        return next((one for one in known if one is not UNKNOWN), UNKNOWN)

    def ports(self, parameter: str) -> list[tuple[str, int]]:
        """Return the inputs and outputs that have a type parameter."""
        both = (
            ("input", self._operator.inputs, self._node.inputs),
            ("output", self._operator.outputs, self._node.outputs),
        )
        return [
            (side, k)
            for side, ports, own in both
            for k in range(len(own) if ports else 0)
            if port_at(ports, k).facts.get("type") == parameter
        ]

    def _dtype(self, side: str, k: int) -> Any:
        type_ = self._type_in(k) if side == "input" else self._type_of(self._graph, self._node, k)
        if type_ is None or type_.dtype is None:
            return UNKNOWN
        return type_.dtype if type_.dtype not in _OTHERS else self._declared(k) if side == "input" else UNKNOWN

    def _declared(self, k: int) -> Any:
        """Return the type of an input that is no tensor, if the file declares it."""
        source = self._source(k)
        value = self._tree_at(self._graph.nodes[source[0]].path) if source is not None else None
        text = _text(value.get("type", {})) if isinstance(value, dict) else ""
        return text or UNKNOWN

    def _type_in(self, k: int) -> Type | None:
        source = self._source(k)
        return None if source is None else self._type_of(self._graph, self._graph.nodes[source[0]], source[1])

    def _source(self, k: int) -> Source | None:
        inputs = self._node.inputs
        return Source(*inputs[k]) if k < len(inputs) and inputs[k][0] >= 0 else None


def _text(type_: Tree) -> str:
    """Return a type as tables have it, such as seq(tensor(float32)); empty if it is no list of tensors."""
    if "tensor_type" in type_:
        return f"tensor({_SPELLED.get(dtype := DTYPES.get(type_['tensor_type'].get('elem_type', 0), ''), dtype)})"
    for kind, word in (("sequence_type", "seq"), ("optional_type", "optional")):
        if kind in type_:
            inner = _text(type_[kind].get("elem_type", {}))
            return inner and f"{word}({inner})"
    return ""
