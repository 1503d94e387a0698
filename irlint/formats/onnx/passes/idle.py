"""What a graph has and does not need: nodes and initializers that no output depends on. Runtimes drop them."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import Repair
from irlint.codes import R, Severity
from irlint.findings import Fix, Problem
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.graph import Graph, label
from irlint.text.base import Document, Path


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
    """Return a fix that removes a node or an initializer. Unsafe: a program may ask for it by name."""

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, OnnxDocument)
        edits = document.removed(path)
        return Fix(f"Remove {what}", edits, "unsafe") if edits else None

    return fix
