"""ReadValue and Assign: variables that are written must be read, by operations of the same kind."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.openvino.attributes import label
from irlint.formats.openvino.open_variables import open_problems
from irlint.formats.openvino.opsets import meaning
from irlint.formats.openvino.reader import Section
from irlint.formats.openvino.rules.variable_mismatch import VariableMismatch
from irlint.graph import Graph, Node
from irlint.operators import nearest

Use = tuple[Graph, Node, str]  # the operation's key says which kind of variable it is


def variable_problems(sections: list[Section]) -> Iterator[Problem]:
    reads: dict[str, list[Use]] = {}
    writes: dict[str, list[Use]] = {}
    for section in sections:
        for node in section.graph.nodes:
            reading = node.op.lower() == "readvalue"  # the reader ignores case, but starts from what is spelt Assign
            if not reading and node.op != "Assign":
                continue
            operation = meaning(node.op, node.version or "").operation
            if operation == "opset6.ReadValue":
                yield from open_problems(section.graph, node)
            if operation is not None and "variable_id" in node.attrs:
                table = reads if reading else writes
                table.setdefault(node.attrs["variable_id"], []).append((section.graph, node, operation))
    for name, uses in reads.items():
        for graph, node, _ in uses if name not in writes else ():
            message = f"{label(node)} reads variable {name!r}, which no Assign writes: it never changes, and plug-ins may refuse to run it"
            at = graph.place(node, "attr:variable_id")
            yield Problem(VariableMismatch, at, message, node.name, severity=Severity.WARNING)
    for name, uses in writes.items():
        readers = reads.get(name, [])
        for graph, node, operation in uses:
            if not readers:
                idle = {n: uses[0] for n, uses in reads.items() if n not in writes}
                yield _unread(graph, node, name, idle or {n: uses[0] for n, uses in reads.items()})
            elif not any(r[2].partition(".")[0] == operation.partition(".")[0] for r in readers):
                yield _mixed(graph, node, operation, readers[0])
        for graph, node, _ in uses[1:]:
            message = f"{label(node)} writes variable {name!r}, which {label(uses[0][1])} writes already"
            yield Problem(VariableMismatch, graph.place(node, "attr:variable_id"), message, node.name,
                          related=[("the first one", uses[0][0].place(uses[0][1], "attr:variable_id"))],
                          severity=Severity.WARNING)  # fmt: skip


def _unread(graph: Graph, node: Node, name: str, others: dict[str, Use]) -> Problem:
    meant = nearest(name, list(others)) or (next(iter(others)) if len(others) == 1 else None)
    message = f"{label(node)} writes variable {name!r}, which no ReadValue reads" + (
        f"; did you mean {meant!r}?" if meant else ""
    )
    related = []
    if meant is not None:
        other, reader, _ = others[meant]
        related = [("read here", other.place(reader, "attr:variable_id"))]
    return Problem(VariableMismatch, graph.place(node, "attr:variable_id"), message, node.name, related=related)


def _mixed(graph: Graph, node: Node, operation: str, reader: Use) -> Problem:
    other, by, kind = reader
    message = f"{label(node)} is of {operation.partition('.')[0]}, but {label(by)}, reading its variable, is of {kind.partition('.')[0]}"
    severity = None if operation == "opset3.Assign" else Severity.WARNING
    return Problem(VariableMismatch, graph.place(node, "version"), message, node.name,
                   related=[("read here", other.place(by, "version"))], severity=severity)  # fmt: skip
