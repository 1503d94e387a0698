"""What tables of kernels ask of a node of ONNX: types go by the parameters of its operator."""

from __future__ import annotations

from typing import Any

from irlint.formats.onnx.opsets import port_at
from irlint.formats.onnx.tensors import TensorData
from irlint.graph import Graph, Node, Type
from irlint.operators import Operator
from irlint.targets.facts import NodeFacts


class OnnxFacts(NodeFacts):
    """The facts of one node."""

    def __init__(self, graph: Graph, node: Node, operator: Operator, type_of: Any) -> None:
        super().__init__(graph, node, operator)
        self._type_of = type_of

    def of_attribute(self, name: str) -> Any:
        value = self.node.attrs.get(name)
        return value.dtype if isinstance(value, TensorData) else value

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
        return found
