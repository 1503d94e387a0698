"""Sequences, maps and optional values where an operator takes none: onnx's inference and onnxruntime 1.32 refuse them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.opsets import port_at, resolve, types_of_port
from irlint.graph import Graph, Node, label
from irlint.operators import Operator, Port, bounds

_WORDS = {"sequence": "seq(", "map": "map(", "optional": "optional("}  # how tables begin the names of such types


def container_problems(graph: Graph, opsets: Mapping[str, int]) -> Iterator[Problem]:
    """Yield the first input of each node that is a container by its declaration, or by the operator that outputs it."""
    held = {node.index: kinds for node in graph.nodes if any(kinds := _kinds(node, opsets))}
    for node in graph.nodes if held else ():
        if node.kind == "call" and any(source in held for source, _ in node.inputs):
            yield from _refused(graph, node, resolve(node.op, node.version or "", opsets), held)


def _refused(
    graph: Graph, node: Node, operator: Operator | None, held: Mapping[int, Sequence[str]]
) -> Iterator[Problem]:
    if operator is None or not operator.inputs:
        return
    for k, (source, output) in enumerate(node.inputs[: bounds(operator.inputs)[1]]):
        kinds, port = held.get(source, ("",)), port_at(operator.inputs, k)
        kind = kinds[min(output, len(kinds) - 1)]
        if kind and not any(_are(operator, port, kind)):
            message = f"{label(node)}: `{port.name}` cannot be {'an' if kind == 'optional' else 'a'} {kind}"
            related = [("defined here", graph.place(source))]
            yield Problem(R.dtype_mismatch, graph.place(node, f"input:{k}"), message, node.name, None, related)
            return


def _kinds(node: Node, opsets: Mapping[str, int]) -> Sequence[str]:
    """Return which container each output of a node is, empty for tensors and what is not known; the last is any that follows."""
    if node.kind == "var":
        return [value.type.dtype if value.type.dtype in _WORDS else "" for value in node.outputs]
    if node.kind == "const":
        return ()
    operator = resolve(node.op, node.version or "", opsets)
    if operator is None or not operator.outputs:
        return ()
    if (found := operator.known.get("containers")) is None:
        kinds = [next((kind for kind in _WORDS if all(_are(operator, port, kind))), "") for port in operator.outputs]
        found = operator.known["containers"] = tuple(kinds) if any(kinds) else ()
    return found


def _are(operator: Operator, port: Port, kind: str) -> list[bool]:
    """Return of each type that a port may have whether it is such a container."""
    return [name.startswith(_WORDS[kind]) for name in types_of_port(operator, port)]
