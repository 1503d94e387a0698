"""The order in which a file is checked, and the final severity of its problems."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.passes import net
from irlint.formats.openvino.passes.names import name_problems
from irlint.formats.openvino.passes.operations import operation_problems
from irlint.formats.openvino.passes.runtime_info import runtime_problems
from irlint.formats.openvino.passes.structure import structure
from irlint.formats.openvino.passes.weights import weight_problems
from irlint.formats.openvino.reading import legacy
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.reading.extensions import Extensions
from irlint.formats.openvino.reading.layer_index import LayerIndex
from irlint.formats.openvino.reading.layers import edge_of
from irlint.formats.openvino.reading.reader import BODIES, COMPUTED, LOOPS, VARIABLES
from irlint.formats.openvino.reading.reader import read as read_sections
from irlint.formats.openvino.state import StructureProblems, state_of
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element


def read(model: Model) -> Iterator[Problem]:
    document = model.document
    assert isinstance(document, XmlDocument)
    root = document.root
    if root is None:
        return
    if legacy.is_legacy(root):
        model.dialect = "ir7"
        yield from legacy.problems(model, document)
        return
    if legacy.is_execution_graph(root):
        from irlint.formats.openvino.reading import execution

        yield from execution.problems(model, document)
        return
    yield from net.root_problems(root)
    version = 10 if model.dialect == "ir10" else 11
    sections = read_sections(document)
    model.graph = sections[0].graph
    state = state_of(model)
    state.sections = sections
    model.settled.add(R.empty_name)
    marks = state.marks = {id(section): StructureProblems() for section in sections}
    layers = LayerIndex(sections)

    def weigh(meant: str, path: Path) -> Severity | None:
        from irlint.formats.openvino.passes.unread import unread

        return unread(document, layers, meant, path, version)

    for problem in structure(document, f"openvino-ir-{version}.xsd", weigh):
        if isinstance(problem.at, Place) and _is_unread(problem.at.path, layers):
            continue
        _mark(problem, document, layers, marks, model)
        yield problem
    if document.broken:
        path = document.place_at(_break(document)).path
        while (found := layers.find(path)) is not None:
            section, index = found
            marks[id(section)].layers.add(index)
            path = section.layers_path


def _is_unread(path: Path, layers: LayerIndex) -> bool:
    """Return whether a path leads into a body of an operation that takes none."""
    found = layers.find(path)
    if found is None:
        return False
    layer, node = found[0].layers[found[1]], found[0].graph.nodes[found[1]]
    inside = path[len(node.path) :]
    if layer.element is None or node.graphs or len(inside) < 2 or not isinstance(inside[0], int):
        return False
    child = layer.element.children[inside[0]]
    return isinstance(child, Element) and child.tag in BODIES


def _break(document: XmlDocument) -> int:
    """Return where a broken text breaks."""
    return next((t.span.start for t in document.troubles if t.rule == R.syntax_error), len(document.text))


def _mark(
    problem: Problem, document: XmlDocument, layers: LayerIndex, marks: dict[int, StructureProblems], model: Model
) -> None:
    """Mark the layer of a structural problem, so that consequences in it are not reported."""
    if not isinstance(problem.at, Place):
        return
    if (path := layers.edge(problem.at.path)) is not None:
        marks[id(layers.edges[path[:-1]])].edges.append(edge_of(document.element(path)))
    elif (section := layers.sections.get(problem.at.path[:-1])) is not None and layers.find(problem.at.path) is None:
        marks[id(section)].strangers += 1
    elif problem.severity != Severity.WARNING and (found := layers.find(problem.at.path)) is not None:
        section, index = found
        marks[id(section)].layers.add(index)
        model.silent.add(id(section.graph.nodes[index]))


def checks(model: Model) -> Iterator[Problem]:
    state = state_of(model)
    sections = state.sections
    if sections is None:
        return
    document = model.document
    assert isinstance(document, XmlDocument)
    broken = document.broken
    version = 10 if model.dialect == "ir10" else 11
    extensions = state.extensions = Extensions(model.options)
    extensions.survey(sections)
    for section in sections:
        marks = state.marks[id(section)]
        odd = marks.layers
        yield from net.section_problems(section, broken)
        yield from net.repeated_parts(section)
        yield from net.port_problems(section)
        if section.layers and (broken or marks.edges or section.tangled or not section.edges):
            from irlint.formats.openvino.passes.connections import connection_problems

            yield from connection_problems(section, version, broken, odd, marks.edges, marks.strangers)
        model.silent |= {id(section.graph.nodes[index]) for index in odd | section.starved}
        model.silent |= {id(section.graph.nodes[first]) for first, _ in section.double}  # replaced by the second
        yield from operation_problems(section, version, extensions, odd)
        yield from name_problems(section, version)
        yield from net.reach_problems(section, broken)
    if extensions.strangers:
        from irlint.formats.openvino.passes.domains import needed_libraries

        yield from needed_libraries(sections, extensions)
    binary = BinFile(model.path, model.weights) if model.path is not None else None
    types = set().union(*(section.types for section in sections))
    if not types.isdisjoint(LOOPS):
        from irlint.formats.openvino.bodies.entries import body_problems

        yield from body_problems(sections, binary, model.silent)
    if not types.isdisjoint(VARIABLES):
        from irlint.formats.openvino.bodies.variables import variable_problems

        yield from variable_problems(sections, broken)
    if not types.isdisjoint(COMPUTED):
        from irlint.formats.openvino.passes.computed import computed_inputs

        state.computed = computed_inputs(sections[0], broken)
    yield from runtime_problems(document, sections, version)
    yield from net.target_problems(sections, version, model.targets)
    state.weights = binary
    yield from weight_problems(sections, binary, model)
