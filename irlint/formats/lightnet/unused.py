"""Operators with unused results."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import Repair
from irlint.findings import Fix, Problem, Severity
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph, Node, label
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.json.document import JsonDocument
from irlint.text.words import count as count_of


def unused_problems(model: Model) -> Iterator[Problem]:
    graph, found = model.graph, state_of(model)
    if found.unsure:
        return
    unread = [graph.nodes[k] for k in _idle(graph.nodes) if graph.nodes[k].outputs]
    if not unread:
        return
    printing = any(op in found.by_op for op in ("print", "fprint", "print_cpu", "fprint_cpu"))
    unread = [node for node in unread if _is_pure(node)]
    if not printing and unread:
        yield _handed_out(graph, unread)
        return
    for node in unread:
        names = ", ".join(repr(value.name) for value in node.outputs)
        message = f"unused {'output' if len(node.outputs) == 1 else 'outputs'} {names} of {label(node)}"
        yield Problem(R.unused_output, graph.place(node, "output:0"), message, node.name, _taking_out(graph, node))


def _idle(nodes: list[Node]) -> list[int]:
    """Return operators whose outputs no operator uses."""
    read = {source[0] for node in nodes for source in node.inputs}
    return [k for k in range(len(nodes)) if k not in read]


def _handed_out(graph: Graph, unread: list[Node]) -> Problem:
    """Report unused tensors of a file that prints nothing: a program may read them, or they were forgotten."""
    *others, last = unread
    also = [("also unused", graph.place(node, "output:0")) for node in others[-8:]]
    message = f"unused output {last.outputs[0].name!r} of {label(last)}; the file has no print operator either"
    message += f" (and {count_of(len(others), 'more tensor')})" if others else ""
    place = graph.place(last, "output:0")
    # the usual way to return results to a program; rarely a mistake
    return Problem(R.unused_output, place, message, last.name, related=also, severity=Severity.PEDANTIC)


def _is_pure(node: Node) -> bool:
    """Return whether the operator is known to do nothing but write its outputs."""
    known = signature(node.op)
    return known is not None and not any(port.facts.get("overwrites") for port in known.operator.outputs)


def _taking_out(graph: Graph, node: Node) -> Repair:
    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Remove {label(node)}", document.remove(node.path), "unsafe")

    return fix
