"""Sequences, maps and optional values where an operator takes none: onnx's inference and onnxruntime 1.32 refuse them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.opsets import resolve, types_of
from irlint.graph import Graph, Node, label
from irlint.operators import Operator, Port, bounds

_WORDS = {"sequence": "seq(", "map": "map(", "optional": "optional("}  # how tables begin the names of such types


def container_problems(graph: Graph, opsets: Mapping[str, int]) -> Iterator[Problem]:
    """Yield the inputs of nodes that are containers by their declaration, or by the operator that outputs them."""
    known: dict[tuple[str, str | None, int], list[str]] = {}  # what the nodes of an operator output
    held = {node.index: kinds for node in graph.nodes if any(kinds := _kinds(node, opsets, known))}
    if not held:
        return
    for node in graph.nodes:
        if node.kind != "call" or not any(source in held for source, _ in node.inputs):
            continue
        operator = resolve(node.op, node.version or "", opsets)
        if operator is None or not operator.inputs:
            continue
        most = bounds(operator.inputs)[1] or len(node.inputs)
        for k, (source, output) in enumerate(node.inputs[:most]):
            kinds = held.get(source, [])
            kind = kinds[output] if output < len(kinds) else ""
            port = operator.inputs[min(k, len(operator.inputs) - 1)]
            if kind and not _takes(operator, port, kind):
                message = f"{label(node)}: `{port.name}` cannot be {'an' if kind == 'optional' else 'a'} {kind}"
                related = [("defined here", graph.place(source))]
                yield Problem(R.dtype_mismatch, graph.place(node, f"input:{k}"), message, node.name, None, related)
                break


def _kinds(node: Node, opsets: Mapping[str, int], known: dict[tuple[str, str | None, int], list[str]]) -> Sequence[str]:
    """Return which container each output of a node is; empty for tensors and what is not known."""
    if node.kind == "call":
        key = (node.op, node.version, len(node.outputs))
        if (kinds := known.get(key)) is None:
            kinds = known[key] = _kinds_of_calls(node, opsets)
        return kinds
    return (
        [value.type.dtype if value.type.dtype in _WORDS else "" for value in node.outputs] if node.kind == "var" else ()
    )


def _kinds_of_calls(node: Node, opsets: Mapping[str, int]) -> list[str]:
    operator = resolve(node.op, node.version or "", opsets)
    if operator is None or not operator.outputs:
        return []
    ports = [operator.outputs[min(k, len(operator.outputs) - 1)] for k in range(len(node.outputs))]
    return [next((kind for kind in _WORDS if _is_only(operator, port, kind)), "") for port in ports]


def _is_only(operator: Operator, port: Port, kind: str) -> bool:
    return all(name.startswith(_WORDS[kind]) for name in types_of(operator.name, str(port.facts.get("type", ""))))


def _takes(operator: Operator, port: Port, kind: str) -> bool:
    return any(name.startswith(_WORDS[kind]) for name in types_of(operator.name, str(port.facts.get("type", ""))))
