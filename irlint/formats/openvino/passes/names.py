"""Names of layers and tensors: empty and duplicate ones, and those that the reader of version 10 takes for unique."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from irlint.checks.fault import writing
from irlint.findings import Problem, Severity
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import Node, label
from irlint.text.base import Place
from irlint.text.safe import brief
from irlint.tools.names import FreeNames

_BREAK = re.compile(r"\\.|,", re.DOTALL)

Output = tuple[int, int]  # (node, which of its outputs)
Tensors = dict[str, Output]  # by name


def name_problems(section: IrSection, version: int) -> Iterator[Problem]:
    nodes = section.graph.nodes
    first: Tensors = {}
    doubles = list(_tensors(section, first))
    reported: set[int] = set()
    names = {node.name for node in nodes}
    unique = len(names) == len(nodes) and "" not in names
    if version == 10 and section.graph.parent is None and (first or not unique):
        for index, problem in _collisions(section, first):
            reported.add(index)
            yield problem
    if not unique:
        yield from _layers(section, FreeNames(names), reported | {second for _, second in section.double})
    yield from doubles


def _layers(section: IrSection, free_names: FreeNames, reported: set[int]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for node in section.graph.nodes:
        if node.name == "":
            yield from _nameless(section, node)
        elif first.setdefault(node.name, node.index) != node.index and node.index not in reported:
            at, free = section.graph.place(node, "name"), free_names.like(node.name)
            # OpenVINO 2026.4.1 takes layers of one name, also two Parameters; of two tensors of one name it renames the second, `img_1`
            message, fix = f"duplicate layer name {node.name!r}", writing(at, free, f"Rename to {free!r}")
            related = [("first defined here", section.graph.place(first[node.name], "name"))]
            yield Problem(R.duplicate_name, at, message, node.name, fix, related)


def _nameless(section: IrSection, node: Node) -> Iterator[Problem]:
    element = section.layers[node.index].element
    if element is None or element.get("name") is not None:
        yield Problem(R.empty_name, section.graph.place(node, "name"), f"{node.op} has an empty name", node.name)


def split_names(text: str) -> list[str]:
    """Split a comma-separated list of tensor names; a backslash escapes a comma in a name."""
    if "\\" not in text:
        return text.split(",")
    names, pieces, at = [], [""], 0
    for found in _BREAK.finditer(text):
        if found[0] == ",":
            names.append("".join([*pieces, text[at : found.start()]]))
            pieces, at = [], found.end()
        elif found[0] == "\\,":
            pieces += [text[at : found.start()], ","]
            at = found.end()
    return [*names, "".join([*pieces, text[at:]])]


def _tensors(section: IrSection, first: Tensors) -> Iterator[Problem]:
    """Report duplicate names of outputs, by which readers look tensors up. Fills `first`."""
    for index, layer in enumerate(section.layers):
        for k, text in enumerate(layer.names or ()):
            if text:
                yield from _of_output(section, (index, k), text, first)


def _of_output(section: IrSection, output: Output, text: str, first: Tensors) -> Iterator[Problem]:
    is_empty, node = False, section.graph.nodes[output[0]]
    for name in split_names(text) if "," in text else (text,):
        if name.strip() == "":
            is_empty = True
        elif (other := first.setdefault(name, output)) != output:
            message = f"duplicate tensor name {name!r}; OpenVINO renames one of the tensors"
            related = [("first defined here", _names_at(section, other))]
            yield Problem(R.duplicate_name, _names_at(section, output), message, node.name, related=related,
                          severity=Severity.PEDANTIC)  # fmt: skip  # Model Optimizer wrote them
    if is_empty:
        message = f"empty tensor name in `{brief(text)}`"
        yield Problem(R.empty_name, _names_at(section, output), message, node.name)


def _names_at(section: IrSection, output: Output) -> Place:
    return Place(section.graph.place(output[0], f"output:{output[1]}").path, "@names")


def _collisions(section: IrSection, names: Tensors) -> Iterator[tuple[int, Problem]]:
    """Yield collisions of inputs and outputs, with the indices of their nodes: version 10 uses the names as unique tensor names.

    `names`: tensor names, each with the first output that has it.
    """
    nodes = section.graph.nodes
    of: dict[Output, list[str]] = {}
    for name, output in names.items():
        of.setdefault(output, []).append(name)
    parameters = [node for node in nodes if node.kind == "var"]
    taken = {name: (node.index, 0) for node in parameters for name in of.get((node.index, 0), ())}
    for node, source in _results(section):
        maker = nodes[source[0]]
        double = _take(of.get(source, ()), source, taken)
        if double is not None:
            what = "an input" if maker.kind == "var" else "another output"
            message = (
                f"{label(node)} outputs the tensor {double!r} of {label(maker)}, which is already {what} of the model;"
                " the version 10 reader refuses it"
            )
            yield node.index, _collision(section, node, message, taken[double])
        own = maker.name if len(maker.outputs) == 1 else f"{maker.name}.{source[1]}"
        if taken.setdefault(own, source) != source:
            yield maker.index, _doubly_named(section, maker, "an output", taken[own])
    for node in parameters:
        if taken.setdefault(node.name, (node.index, 0)) != (node.index, 0):
            yield node.index, _doubly_named(section, node, "an input", taken[node.name])


def _results(section: IrSection) -> Iterator[tuple[Node, Output]]:
    """Yield each Result with the output that it uses."""
    for node in section.graph.nodes:
        if node.op == "Result" and node.inputs and node.inputs[0][0] >= 0:
            yield node, (node.inputs[0][0], node.inputs[0][1])


def _take(names: Iterable[str], output: Output, taken: Tensors) -> str | None:
    """Record the names of an output; return the first that is taken already, and leave those after it."""
    for name in names:
        if name in taken:
            return name
        taken[name] = output
    return None


def _doubly_named(section: IrSection, node: Node, what: str, other: Output) -> Problem:
    message = f"duplicate name {node.name!r} for {what} of the model; the version 10 reader refuses it"
    return _collision(section, node, message, other)


def _collision(section: IrSection, node: Node, message: str, other: Output) -> Problem:
    at = section.graph.place(node, "name")
    related = [("also defined here", Place(section.graph.place(other[0], "node").path, "tag"))]
    return Problem(R.duplicate_name, at, message, node.name, related=related, severity=Severity.ERROR)
