"""The order in which a file is checked: its structure, its layers, then what needs inferred types."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.dryrun.check import LazyInference
from irlint.findings import Problem, Severity
from irlint.formats.openvino.passes import sections as of_sections
from irlint.formats.openvino.passes.names import name_problems
from irlint.formats.openvino.passes.operations import operation_problems
from irlint.formats.openvino.passes.root import TARGET, root_problems, target_problems
from irlint.formats.openvino.passes.runtime_info import runtime_problems
from irlint.formats.openvino.passes.structure import structure
from irlint.formats.openvino.passes.weights import weight_problems
from irlint.formats.openvino.reading import legacy
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.reading.extensions import Extensions
from irlint.formats.openvino.reading.layers import edge_of
from irlint.formats.openvino.reading.reader import BODIES, COMPUTED, LOOPS, VARIABLES, IrSection
from irlint.formats.openvino.reading.reader import read as read_sections
from irlint.formats.openvino.rules import R
from irlint.formats.openvino.state import LayerIndex, OpenVinoState, StructureProblems, state_of
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.xml.document import XmlDocument


def read(model: Model) -> Iterator[Problem]:
    document = model.document
    assert isinstance(document, XmlDocument)
    root = document.root
    if root is None:
        return
    if legacy.is_legacy(root):
        model.dialect = "ir7"
        yield from legacy.legacy_problems(model, document)
    elif legacy.is_execution_graph(root):
        yield from legacy.execution_problems(model, document)
    else:
        yield from root_problems(root)
        yield from _read(model, document)


def _version(model: Model) -> int:
    return 10 if model.dialect == "ir10" else 11


def _read(model: Model, document: XmlDocument) -> Iterator[Problem]:
    state, version = state_of(model), _version(model)
    sections = state.sections = read_sections(document)
    model.graph = sections[0].graph
    model.settled.add(R.empty_name)
    state.marks = {id(section): StructureProblems() for section in sections}
    layers = LayerIndex(sections)

    def weigh(meant: str, path: Path) -> Severity | None:
        from irlint.formats.openvino.passes.unfed_inputs import severity_of_misspelt

        return severity_of_misspelt(document, layers, meant, path, version)

    for problem in structure(document, f"openvino-ir-{version}.xsd", weigh):
        if isinstance(problem.at, Place) and _is_unread(problem.at.path, layers):
            continue
        _mark(problem, document, layers, model)
        yield problem
    if document.broken:
        for at in layers.around(document.place_at(_break(document)).path):
            state.marks[id(at.section)].layers.add(at.index)


def _is_unread(path: Path, layers: LayerIndex) -> bool:
    """Return whether a path leads into a body of an operation that takes none."""
    at = layers.find(path)
    if at is None or at.node.graphs:
        return False
    inside = path[len(at.node.path) :]
    return len(inside) > 1 and inside[0] in [k for k, _ in at.layer.parts.steps(*BODIES)]


def _break(document: XmlDocument) -> int:
    """Return where a broken text breaks: of a truncated one, where its last element begins."""
    rules = (R.syntax_error, R.truncated_file)
    found = next((trouble for trouble in document.troubles if trouble.rule in rules), None)
    if found is None:
        return len(document.text)
    opened = found.related if found.rule == R.truncated_file else ()
    return opened[0][1].start if opened else found.span.start


def _mark(problem: Problem, document: XmlDocument, layers: LayerIndex, model: Model) -> None:
    """Mark the layer of a structural problem, so that consequences in it are not reported."""
    if not isinstance(problem.at, Place):
        return
    marks, path = state_of(model).marks, problem.at.path
    if (edge := layers.edge(path)) is not None:
        marks[id(layers.edges[edge[:-1]])].edges.append(edge_of(document.element(edge)))
    elif (at := layers.find(path)) is None:
        section = layers.sections.get(path[:-1])
        if section is not None:
            marks[id(section)].strangers += 1
    elif problem.severity != Severity.WARNING:
        marks[id(at.section)].layers.add(at.index)
        model.silent.add(id(at.node))


def checks(model: Model) -> Iterator[Problem]:
    state, version, document = state_of(model), _version(model), model.document
    sections = state.sections
    if not sections:
        return
    assert isinstance(document, XmlDocument)
    extensions = state.extensions = Extensions(model.options)
    extensions.survey(sections)
    for section in sections:
        yield from _of_section(model, section, extensions)
    if extensions.strangers:
        from irlint.formats.openvino.passes.unknown_operations import needed_libraries

        yield from needed_libraries(sections, extensions)
    binary = state.weights = BinFile(model.path, model.weights) if model.path is not None else None
    yield from weight_problems(sections, binary, model, extensions)  # says whether its values mean anything
    yield from _of_types(model, state, sections, binary)
    yield from runtime_problems(document, sections, version)
    yield from target_problems(sections, version, model.targets)


def _of_section(model: Model, section: IrSection, extensions: Extensions) -> Iterator[Problem]:
    document, version = model.document, _version(model)
    assert isinstance(document, XmlDocument)
    broken, marks = document.broken, state_of(model).marks[id(section)]
    odd = marks.layers
    yield from of_sections.section_problems(section, broken)
    yield from of_sections.repeated_parts(section)
    yield from of_sections.port_problems(section)
    if section.layers and (broken or marks.edges or section.tangled or not section.edges):
        from irlint.formats.openvino.passes.connections import connection_problems

        yield from connection_problems(section, version, broken, odd, marks.edges, marks.strangers)
    nodes = section.graph.nodes
    model.silent |= {id(nodes[k]) for k in odd | section.starved | section.shadowed}
    yield from operation_problems(section, version, extensions, odd)
    yield from name_problems(section, version)
    yield from of_sections.reach_problems(section, broken)


def _of_types(
    model: Model, state: OpenVinoState, sections: list[IrSection], binary: BinFile | None
) -> Iterator[Problem]:
    """Report problems of layers of some types: with bodies, with variables, with inputs that must be constant."""
    document = model.document
    assert isinstance(document, XmlDocument)
    types = set().union(*(section.types for section in sections))
    if not types.isdisjoint(LOOPS):
        from irlint.formats.openvino.bodies.entries import body_problems

        yield from body_problems(sections, binary, model.silent)
    if not types.isdisjoint(VARIABLES):
        from irlint.formats.openvino.bodies.variables import variable_problems

        yield from variable_problems(sections, document.broken)
    if not types.isdisjoint(COMPUTED) and not document.broken:
        from irlint.formats.openvino.passes.constant_inputs import computed_inputs

        state.computed = computed_inputs(sections[0])


def late_checks(model: Model) -> Iterator[Problem]:
    """Report what inferred types show: of bodies and what feeds them, of states, of ranks, of what ports declare."""
    state, types = state_of(model), model.types
    sections, computed = state.sections, state.computed
    if types is None or not sections:
        return
    from irlint.formats.openvino.bodies.entries import fed_problems, sliced_problems
    from irlint.formats.openvino.bodies.variable_types import narrow_problems, unlike_problems
    from irlint.formats.openvino.declared import input_problems
    from irlint.formats.openvino.inferred import InferredTypes
    from irlint.formats.openvino.passes.constant_inputs import computed_problems, emptied_problems, rank_problems
    from irlint.formats.openvino.passes.plugin_types import type_problems

    inferred, binary, first = InferredTypes(types, sections), state.weights, sections[0]
    are_declared = isinstance(types, LazyInference)  # each port declares the real type
    assert isinstance(model.document, XmlDocument)
    yield from sliced_problems(sections, inferred)
    yield from fed_problems(sections, inferred)
    yield from unlike_problems(sections, inferred)
    yield from narrow_problems(first, inferred, binary)
    yield from type_problems(first, inferred)
    yield from computed_problems(first, computed, inferred, binary)
    if not are_declared:
        yield from rank_problems(first, inferred, binary, computed)
    yield from emptied_problems(first, inferred)
    for section in () if are_declared else sections:
        yield from input_problems(model.document, section, inferred)
    if TARGET in model.targets:
        from irlint.formats.openvino.kernels.problems import kernel_problems

        yield from kernel_problems(model, (model.targets[TARGET],))


def needs_late_checks(model: Model, problems: list[Problem]) -> bool:
    """Return whether inferred types may show anything: most files declare them, and have no states."""
    state = state_of(model)
    if problems or state.computed or TARGET in model.targets or not isinstance(model.types, LazyInference):
        return True
    return any(not section.types.isdisjoint(VARIABLES) for section in state.sections)
