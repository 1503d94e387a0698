"""What tables of kernels ask of a node of ONNX: types go by the parameters of its operator."""

from __future__ import annotations

from typing import Any

from irlint.formats.onnx.opsets import port_at, types_of
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.wire import ELEMENT_NAMES
from irlint.graph import Graph, Node, Type
from irlint.operators import Operator
from irlint.targets.facts import UNKNOWN, NodeFacts
from irlint.text.prototext.messages import Tree

_MOST = 1 << 14  # numbers of a constant
_CONTAINERS = ("sequence", "optional", "map")


class OnnxFacts(NodeFacts):
    """The facts of one node."""

    def __init__(self, graph: Graph, node: Node, operator: Operator, type_of: Any, tree_at: Any) -> None:
        super().__init__(graph, node, operator)
        self._type_of, self._tree_at = type_of, tree_at
        self.opset: Any = UNKNOWN

    def of_attribute(self, name: str) -> Any:
        value = self.node.attrs.get(name)
        if isinstance(value, TensorData):
            return value.dtype
        return list(value) if isinstance(value, tuple) else value  # tables are JSON

    def of_opset(self, _name: str) -> Any:
        return self.opset

    def of_groups(self, _name: str) -> Any:
        """Return whether a group of channels has one of them, or several."""
        type_, count = self.type_at("input", 0), self.node.attrs.get("num_groups")
        channels = type_.shape[1] if type_ is not None and type_.shape is not None and len(type_.shape) > 1 else None
        return UNKNOWN if type(channels) is not int or count is None else "single" if channels == count else "several"

    def of_passed(self, _name: str) -> Any:
        """Return whether a body outputs one of its inputs as it is."""
        bodies = self.node.graphs
        return (
            any(body.nodes[output[0]].kind == "var" for body in bodies for output in body.outputs if output[0] >= 0)
            or UNKNOWN
        )

    def of_zero(self, name: str) -> Any:
        source = self.source(int(name))
        data = None if source is None else self.graph.nodes[source[0]].attrs.get("value")
        numbers = data.entries_up_to(_MOST) if isinstance(data, TensorData) else None
        return UNKNOWN if numbers is None else "other" if any(numbers) else "zero"

    def of_type(self, name: str) -> Any:
        found = super().of_type(name)
        if found is not UNKNOWN or self.graph.parent is not None:  # OpenVINO 2026.4 makes tensors of lists in loops
            return found
        texts = (
            _of_list(self._input_of_graph(k) if side == "input" else self._output_of_graph(k))
            for side, k in self.ports_of(name)
        )
        return next(filter(None, texts), UNKNOWN)

    def _input_of_graph(self, k: int) -> Any:
        """Return what the file says of an input of the graph that the node reads."""
        source = self.source(k)
        return None if source is None else self._tree_at(self.graph.nodes[source[0]].path)

    def _output_of_graph(self, k: int) -> Any:
        """Return what the file says of an output of the graph that the node makes."""
        declared = self._tree_at(("graph", "output")) if self.node.path[:-1] == ("graph", "node") else None
        return next((one for one in declared or () if one.get("name") == self.node.outputs[k].name), None)

    def may_be(self, fact: str, value: Any) -> bool:
        types = types_of(self.operator.name, fact.partition(" ")[2])
        return not types or value in types

    def ports_of(self, name: str) -> list[tuple[str, int]]:
        if " " in name:
            return super().ports_of(name)
        both = (
            ("input", self.operator.inputs, self.node.inputs),
            ("output", self.operator.outputs, self.node.outputs),
        )
        return [
            (side, k)
            for side, ports, own in both
            for k in range(len(own) if ports else 0)
            if port_at(ports, k).facts.get("type") == name
        ]

    def type_at(self, side: str, k: int) -> Type | None:
        source = self.source(k) if side == "input" else (self.node.index, k)
        found: Type | None = None
        if source is not None:
            found = self._type_of(self.graph, self.graph.nodes[source[0]], source[1])
        return None if found is None or found.dtype in _CONTAINERS else found


def _of_list(value: Any) -> str:
    """Return the type of a value that holds tensors; empty if it is a tensor itself, or nothing is said of it."""
    type_ = value.get("type", {}) if isinstance(value, dict) else {}
    return "" if "tensor_type" in type_ else _text(type_)


def _text(type_: Tree) -> str:
    """Return a type as tables have it, such as seq(tensor(float)); empty for other values."""
    if "tensor_type" in type_:
        return f"tensor({ELEMENT_NAMES.get(type_['tensor_type'].get('elem_type', 0), '')})"
    for kind, word in (("sequence_type", "seq"), ("optional_type", "optional")):
        if kind in type_:
            inner = _text(type_[kind].get("elem_type", {}))
            return inner and f"{word}({inner})"
    return ""
