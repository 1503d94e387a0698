"""Map ONNX's operators to the dry run: types of inputs and initializers, and which operator each node is at its opset."""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from functools import cached_property
from importlib import import_module
from typing import Any

from irlint.dryrun.errors import UNFORESEEN
from irlint.dryrun.mapping import Call, Feed, Mapping
from irlint.dryrun.tensor import Tensor, small
from irlint.formats.onnx.dryrun_calls import Attrs, Make
from irlint.formats.onnx.dryrun_constant import constant_array, constant_entries, constant_type
from irlint.graph import Graph, Node

_DOMAINS = {
    "": ("table", "windows", "numbers", "layers", "lists"),
    "ai.onnx.ml": ("ml",),
    "com.microsoft": ("contrib",),
    "ai.onnx.preview": ("layers",),
}


class OnnxMapping(Mapping):
    """The mapping of one model; `opsets` are the versions of its domains."""

    unforeseen = UNFORESEEN
    local = True
    counts_outputs = True

    def __init__(self, graph: Graph, opsets: Dictionary[str, int]) -> None:
        self.graph, self.opsets = graph, opsets

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        if node.kind == "var":
            return (Tensor(*node.outputs[0].type) if node.outputs else Tensor(),)
        kind = constant_type(node)
        if not small(kind.shape):
            return (Tensor(*kind),)
        return (Tensor(*kind, None, (lambda: constant_entries(node), ()), True),)

    def contextual(self, node: Node) -> bool:
        return bool(node.graphs)

    def call_of(self, graph: Graph, node: Node) -> Call | None:
        """Return `call(...)`, cached for nodes that are alike, also in the inputs that they leave out."""
        if node.graphs:
            return self.call(graph, node)
        left_out = tuple([k for k, source in enumerate(node.inputs) if source[0] < 0])
        count = (len(node.inputs), len(node.outputs), left_out)
        like = self._alike.get((node.op, node.version))
        if like is not None and like[1] == count and (like[0] is node.attrs or like[0] == node.attrs):
            return like[2]
        key = (node.op, node.version, count, *node.attrs.items())
        try:
            found = self._known[key]
        except KeyError:
            found = self._known[key] = self.call(graph, node)
        self._alike[node.op, node.version] = node.attrs, count, found
        return found

    @cached_property
    def _alike(self) -> dict[tuple[str, str | None], tuple[dict[str, Any], Any, Call | None]]:
        """Return the attributes, the inputs left out and the call of the last node of each operator."""
        return {}

    def call(self, graph: Graph, node: Node) -> Call | None:
        domain = node.version or ""
        domain = "" if domain == "ai.onnx" else domain
        if node.graphs:
            from irlint.formats.onnx.dryrun_bodies import call_of_bodies

            return call_of_bodies(node, self.opsets.get("", 1)) if not domain else None
        make = self._maker(domain, node.op)
        if make is None:
            return None
        attrs = Attrs(node, self.opsets.get(domain, 1))
        return _without_left_out(make(attrs), attrs.given)

    @staticmethod
    def _maker(domain: str, name: str) -> Make | None:
        """Return how calls of an operator are put together; the tables of rare operators are read only for these."""
        for module in _DOMAINS.get(domain, ()):
            calls: dict[str, Make] = import_module(f"irlint.formats.onnx.dryrun_{module}").CALLS
            if name in calls:
                return calls[name]
        return None

    def array(self, node: Node) -> Any:
        if node.kind != "const":
            raise LookupError(node.name)
        return constant_array(node)

    def feeds(self, graph: Graph) -> list[Feed]:
        return [
            Feed(k, (graph.nodes[k].outputs[0].name or graph.nodes[k].name,), graph.nodes[k].outputs[0].type)
            for k in graph.inputs
        ]

    def output_names(self, graph: Graph) -> list[str]:
        found = []
        for node, output in graph.outputs:
            values = graph.nodes[node].outputs if node >= 0 else ()
            found.append((values[output].name if output < len(values) else None) or f"output{len(found)}")
        return found


def _without_left_out(call: Call, given: tuple[bool, ...]) -> Call:
    """Say which optional operands are absent."""
    if call.inputs is None and not all(given):
        words = call.operator.inputs.split()
        optional = [word.endswith("?") for word in words]
        call.inputs = [k if there or k >= len(optional) or not optional[k] else None for k, there in enumerate(given)]
        while call.inputs and call.inputs[-1] is None:
            call.inputs.pop()
    return call
