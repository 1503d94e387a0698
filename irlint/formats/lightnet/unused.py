"""Operators whose results nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.lightnet.read import reading
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph, Node
from irlint.rules.attributes._check import Repair, label
from irlint.rules.base import Model
from irlint.rules.hygiene.unused_output import UnusedOutput
from irlint.text.base import Document
from irlint.text.json import JsonDocument


def unused_problems(model: Model) -> Iterator[Problem]:
    graph, found = model.graph, reading(model)
    if found.unsure:
        return
    read = {source[0] for node in graph.nodes for source in node.inputs}
    unread = [node for node in graph.nodes if node.outputs and node.index not in read]
    if not unread:
        return
    printing = any(op in found.by_op for op in ("print", "fprint", "print_cpu", "fprint_cpu"))
    for node in unread:
        if not _is_pure(node):
            continue
        names = ", ".join(repr(value.name) for value in node.outputs)
        message = f"nothing reads {names}, which {label(node)} writes"
        severity = Severity.WARNING if printing else Severity.INFO
        place = graph.place(node, "output:0")
        yield Problem(UnusedOutput, place, message, node.name, _taking_out(graph, node), severity=severity)


def _is_pure(node: Node) -> bool:
    """Whether the operator does nothing but write its outputs, as far as is known."""
    known = signature(node.op)
    return known is not None and not any(port.facts.get("overwrites") for port in known.operator.outputs)


def _taking_out(graph: Graph, node: Node) -> Repair:
    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Take {label(node)} out", document.remove(node.path), "unsafe")

    return fix
