"""Names of layers and tensors: empty and duplicate ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.reader import Section
from irlint.text.base import Document, Place
from irlint.text.safe import brief
from irlint.tools.names import FreeNames

_BREAK = re.compile(r"\\.|,", re.DOTALL)

Tensors = dict[str, tuple[int, int]]  # by name: node, output


def name_problems(section: Section, version: int) -> Iterator[Problem]:
    nodes = section.graph.nodes
    first: Tensors = {}
    doubles = list(_tensors(section, first))
    told: set[int] = set()
    names = {node.name for node in nodes}
    unique = len(names) == len(nodes) and "" not in names
    if version == 10 and section.graph.parent is None and (first or not unique):
        from irlint.formats.openvino.passes.collisions import collisions

        for index, problem in collisions(section, first):
            told.add(index)
            yield problem
    if not unique:
        yield from _layers(section, FreeNames(names), told)
    yield from doubles


def _layers(section: Section, free_names: FreeNames, told: set[int]) -> Iterator[Problem]:
    graph = section.graph
    first: dict[str, int] = {}
    broken = {second for _, second in section.double}
    for node in graph.nodes:
        at = graph.place(node, "name") if node.name == "" or node.name in first else None
        if at is None:
            first[node.name] = node.index
            continue
        if node.name == "":
            element = section.layers[node.index].element
            if element is None or element.get("name") is not None:
                yield Problem(R.empty_name, at, f"{node.op} has an empty name", node.name)
            continue
        if node.index in broken or node.index in told:
            continue
        free = free_names.like(node.name)

        def fix(document: Document, at: Place = at, free: str = free) -> Fix:
            return Fix(f"Rename to {free!r}", document.write(at, free), "unsafe")

        # OpenVINO 2026.4.1 takes layers of one name, also two Parameters; of two tensors of one name it renames the second, `img_1`
        other = graph.nodes[first[node.name]]
        message = f"duplicate layer name {node.name!r}"
        related = [("first defined here", graph.place(other, "name"))]
        yield Problem(R.duplicate_name, at, message, node.name, fix, related)


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


def _tensors(section: Section, first: Tensors) -> Iterator[Problem]:
    """Report duplicate names of outputs, by which readers look tensors up. Fills `first`."""
    graph = section.graph
    for index, layer in enumerate(section.layers):
        if layer.names is None:
            continue
        for k, text in enumerate(layer.names):
            if not text:
                continue
            empty = False
            for name in split_names(text) if "," in text else (text,):
                if name.strip() == "":
                    empty = True
                elif (other := first.setdefault(name, (index, k))) != (index, k):
                    at = Place(graph.place(index, f"output:{k}").path, "@names")
                    yield Problem(
                        R.duplicate_name,
                        at,
                        f"duplicate tensor name {name!r}; OpenVINO renames one of the tensors",
                        graph.nodes[index].name,
                        related=[
                            (
                                "first defined here",
                                Place(graph.place(other[0], f"output:{other[1]}").path, "@names"),
                            )
                        ],
                        severity=Severity.PEDANTIC,  # Model Optimizer wrote them
                    )
            if empty:
                at = Place(graph.place(index, f"output:{k}").path, "@names")
                message = f"empty tensor name in `{brief(text)}`"
                yield Problem(R.empty_name, at, message, graph.nodes[index].name)
