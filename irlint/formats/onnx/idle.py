"""What a graph has and does not need: nodes and initializers that no output depends on. Runtimes drop them."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R, Severity
from irlint.findings import Fix, Problem
from irlint.formats.onnx.document import OnnxDocument
from irlint.formats.onnx.sort import lines_of
from irlint.graph import Graph, label
from irlint.rules.attributes._check import Repair
from irlint.text.base import Document, Edit, Path, Span


def idle_problems(graph: Graph) -> Iterator[Problem]:
    read = {source for node in graph.nodes for source in node.inputs}
    read.update(graph.outputs)
    for node in graph.nodes:
        index = node.index
        if (index, 0) in read or any((index, k) in read for k in range(1, len(node.outputs))):
            continue
        if node.kind == "call" or node.op == "Constant":
            if node.outputs:
                at, what = graph.place(node, "op"), label(node)
                message = f"{what} does not reach an output"
                fix = _removing(node.path, what)
                yield Problem(R.unreachable_node, at, message, node.name, fix)
        elif node.op == "Initializer" and node.name:
            at, what = graph.place(node, "name"), f"initializer {node.name!r}"
            yield Problem(
                R.unused_weights, at, f"unused {what}", node.name, _removing(node.path, what), severity=Severity.WARNING
            )
    for nesting in graph.nesting():
        for body in nesting.graphs:
            yield from idle_problems(body)


def _removing(path: Path, what: str) -> Repair:
    """Return a fix that removes the lines of a node or an initializer. Unsafe: a program may ask for it by name."""

    def fix(document: Document) -> Fix | None:
        if not isinstance(document, OnnxDocument):
            return None
        span = lines_of(document, path) if path[-2] == "node" else _item(document, path)
        return Fix(f"Remove {what}", (Edit(span, ""),), "unsafe") if span else None

    return fix


def _item(document: OnnxDocument, path: Path) -> Span | None:
    """Return an item of a list with its comma; None for the only one."""
    start, end = document.whole(path)
    text = document.text
    if text[end : end + 1] == ",":
        begin = text.rfind("\n", 0, start) + 1
        return Span(begin if not text[begin:start].strip() else start, end + 2)
    before = text.rfind(",", 0, start)
    return Span(before, end) if before >= 0 and not text[before + 1 : start].strip() else None
