"""What tables of kernels ask of a node: its types, attributes, inputs and ranks, by the names that the tables have for them."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.dims import is_known
from irlint.formats.onnx.opsets import port_at
from irlint.formats.onnx.tensors import TensorData
from irlint.graph import Graph, Node, Source, Type
from irlint.operators import Operator
from irlint.targets.kernels import UNKNOWN

_MOST = 1 << 14  # numbers of a constant


class NodeFacts:
    """The facts of one node."""

    def __init__(self, graph: Graph, node: Node, operator: Operator, type_of: Any) -> None:
        self._graph, self._node, self._operator, self._type_of = graph, node, operator, type_of

    def __call__(self, fact: str) -> Any:
        kind, _, name = fact.partition(" ")
        found: Any = getattr(self, f"_{kind}")(name)
        return found

    def place_of(self, fact: str) -> str:
        """Return the part of the node that a fact is about, as graph.place takes it."""
        kind, _, name = fact.partition(" ")
        if kind == "attribute":
            return f"attr:{name}" if name in self._node.attrs else "op"
        if kind in ("input", "rank", "zero"):
            return f"input:{name}"
        if kind == "type" and name.startswith("in "):
            return f"input:{name.removeprefix('in ')}"
        if kind == "type":
            places = [f"{side}:{k}" for side, k in self._ports(name) if side == "input"]
            return places[0] if places else "op"
        return "op"

    def _attribute(self, name: str) -> Any:
        value = self._node.attrs.get(name)
        if isinstance(value, TensorData):
            return value.dtype
        return value

    def _input(self, name: str) -> Any:
        source = self._source(int(name))
        if source is None:
            return "absent"
        return "constant" if self._graph.nodes[source[0]].kind == "const" else "given"

    def _zero(self, name: str) -> Any:
        source = self._source(int(name))
        data = None if source is None else self._graph.nodes[source[0]].attrs.get("value")
        numbers = data.entries_up_to(_MOST) if isinstance(data, TensorData) else None
        return UNKNOWN if numbers is None else "other" if any(numbers) else "zero"

    def _rank(self, name: str) -> Any:
        type_ = self._type_in(int(name))
        return UNKNOWN if type_ is None or type_.shape is None else len(type_.shape)

    def _outputs(self, _name: str) -> Any:
        return "".join("01"[bool(value.name)] for value in self._node.outputs).rstrip("0")

    def _lengths(self, _name: str) -> Any:
        types = [self._type_in(k) for k in range(len(self._node.inputs))]
        is_open = any(not is_known(one.shape) for one in types if one is not None)
        return "open" if is_open else "fixed"

    def _type(self, name: str) -> Any:
        side, _, number = name.partition(" ")
        if number:
            return self._dtype(("input" if side == "in" else "output"), int(number))
        known = (self._dtype(*port) for port in self._ports(name))
        return next((one for one in known if one is not UNKNOWN), UNKNOWN)

    def _ports(self, parameter: str) -> list[tuple[str, int]]:
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
        return UNKNOWN if type_ is None or type_.dtype is None else type_.dtype

    def _type_in(self, k: int) -> Type | None:
        source = self._source(k)
        return None if source is None else self._type_of(self._graph, self._graph.nodes[source[0]], source[1])

    def _source(self, k: int) -> Source | None:
        inputs = self._node.inputs
        return Source(*inputs[k]) if k < len(inputs) and inputs[k][0] >= 0 else None
