"""Name collisions of inputs and outputs in version 10 files, whose reader uses the names as unique tensor names."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import label
from irlint.text.base import Place

Output = tuple[int, int]  # (node, which of its outputs)


def collisions(section: Section, names: dict[str, Output]) -> Iterator[tuple[int, Problem]]:
    """Yield problems with the indices of their nodes.

    `names`: tensor names, each with the first output that has it.
    """
    graph = section.graph
    of: dict[Output, list[str]] = {}
    for name, output in names.items():
        of.setdefault(output, []).append(name)
    parameters = [node for node in graph.nodes if node.kind == "var"]
    taken = {name: (node.index, 0) for node in parameters for name in of.get((node.index, 0), ())}
    for node in graph.nodes:
        if node.op != "Result" or not node.inputs or node.inputs[0][0] < 0:
            continue
        source = (node.inputs[0][0], node.inputs[0][1])
        maker = graph.nodes[source[0]]
        for name in of.get(source, ()):
            if name in taken:
                what = "an input" if maker.kind == "var" else "another output"
                message = (
                    f"{label(node)} outputs the tensor {name!r} of {label(maker)}, which is already {what} of the model;"
                    " the version 10 reader refuses it"
                )
                yield node.index, _problem(section, node.index, "name", message, taken[name])
                break
            taken[name] = source
        own = maker.name if len(maker.outputs) == 1 else f"{maker.name}.{source[1]}"
        if taken.setdefault(own, source) != source:
            yield maker.index, _named(section, maker.index, "an output", taken[own])
    for node in parameters:
        if taken.setdefault(node.name, (node.index, 0)) != (node.index, 0):
            yield node.index, _named(section, node.index, "an input", taken[node.name])


def _named(section: Section, index: int, what: str, other: Output) -> Problem:
    node = section.graph.nodes[index]
    message = f"duplicate name {node.name!r} for {what} of the model; the version 10 reader refuses it"
    return _problem(section, index, "name", message, other)


def _problem(section: Section, index: int, part: str, message: str, other: Output) -> Problem:
    graph = section.graph
    related = [("also defined here", Place(graph.place(other[0], "node").path, "tag"))]
    return Problem(
        R.duplicate_name,
        graph.place(index, part),
        message,
        graph.nodes[index].name,
        related=related,
        severity=Severity.ERROR,
    )
