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
    known: dict[tuple[str, str | None, int], list[str]] = {}  # what the nodes of an operator output
    held = {node.index: kinds for node in graph.nodes if any(kinds := _kinds(node, opsets, known))}
    for node in graph.nodes if held else ():
        if node.kind == "call" and any(source in held for source, _ in node.inputs):
            yield from _refused(graph, node, resolve(node.op, node.version or "", opsets), held)


def _refused(
    graph: Graph, node: Node, operator: Operator | None, held: Mapping[int, Sequence[str]]
) -> Iterator[Problem]:
    if operator is None or not operator.inputs:
        return
    for k, (source, output) in enumerate(node.inputs[: bounds(operator.inputs)[1]]):
        kind, port = "".join(held.get(source, ())[output : output + 1]), port_at(operator.inputs, k)
        if kind and not any(_are(operator, port, kind)):
            message = f"{label(node)}: `{port.name}` cannot be {'an' if kind == 'optional' else 'a'} {kind}"
            related = [("defined here", graph.place(source))]
            yield Problem(R.dtype_mismatch, graph.place(node, f"input:{k}"), message, node.name, None, related)
            return


def _kinds(node: Node, opsets: Mapping[str, int], known: dict[tuple[str, str | None, int], list[str]]) -> Sequence[str]:
    """Return which container each output of a node is; empty for tensors and what is not known."""
    if node.kind == "var":
        return [value.type.dtype if value.type.dtype in _WORDS else "" for value in node.outputs]
    if node.kind == "const":
        return ()
    key = (node.op, node.version, len(node.outputs))
    if key not in known:
        known[key] = _kinds_of_calls(node, resolve(node.op, node.version or "", opsets))
    return known[key]


def _kinds_of_calls(node: Node, operator: Operator | None) -> list[str]:
    if operator is None or not operator.outputs:
        return []
    ports = [port_at(operator.outputs, k) for k in range(len(node.outputs))]
    return [next((kind for kind in _WORDS if all(_are(operator, port, kind))), "") for port in ports]


def _are(operator: Operator, port: Port, kind: str) -> list[bool]:
    """Return of each type that a port may have whether it is such a container."""
    return [name.startswith(_WORDS[kind]) for name in types_of_port(operator, port)]
