"""The final severity of problems: lower in layers that the reader ignores, and at the edge if a connection is the cause."""

from __future__ import annotations

from irlint.codes import RuleRow
from irlint.findings import Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.layer_index import LayerIndex
from irlint.formats.openvino.reader import VARIABLES, Section
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.xml import XmlDocument


def _is_quiet(model: Model, sections: list[Section], problems: list[Problem]) -> bool:
    """Return whether there are no problems, and no types that could cause one."""
    from irlint.dryrun.check import LazyInference

    quiet = not problems and isinstance(model.extra["types"], LazyInference) and not model.extra.get("computed")
    return quiet and all(section.types.isdisjoint(VARIABLES) for section in sections)


def settle(model: Model, problems: list[Problem]) -> list[Problem]:
    sections: list[Section] | None = model.extra.get("sections")
    if sections is None:
        return problems
    layers = LayerIndex(sections)
    if any(problem.rule == R.duplicate_xml_attribute for problem in problems):
        from irlint.formats.openvino.duplicate_attributes import merge_duplicate_with_missing

        assert isinstance(model.document, XmlDocument)
        problems = merge_duplicate_with_missing(model.document, problems)
    if "types" in model.extra and not _is_quiet(model, sections, problems):
        from irlint.formats.openvino.verdict import with_types

        problems = with_types(model, sections, layers, problems)
    return [_settled(problem, layers) for problem in _causes(problems, layers)]


# Rules whose findings only follow from a finding of another rule at a certain part of the layer.
_FOLLOWS = (
    (
        (R.undefined_reference,),
        "@id",
        (R.declared_shape_differs, R.declared_dtype_differs, R.duplicate_definition, R.wrong_type),
    ),  # a port with another number
    ((R.weights_mismatch,), "@size", (R.declared_shape_differs,)),  # a shape that neither the bytes nor the port fit
    ((R.unknown_operator,), "@type", (R.runtime_info,)),
    (
        (R.wrong_attribute_type, R.bool_string, R.value_not_in_enum, R.value_out_of_range, R.lossy_number),
        "@",
        (R.declared_shape_differs, R.declared_dtype_differs, R.weights_mismatch),
    ),  # an attribute read as something else
)


_ASTRAY = (
    R.unreachable_node,
    R.declared_shape_differs,
    R.declared_dtype_differs,
)  # what an edge to or from another layer than was meant leaves behind


def _causes(problems: list[Problem], layers: LayerIndex) -> list[Problem]:
    """Drop problems that only follow from another one in the same layer, unless that one is less severe."""
    explained: dict[tuple[Path, int, RuleRow], Severity] = {}
    for problem in problems:
        for roots, part, others in _FOLLOWS if len(problems) > 1 else ():
            if problem.rule in roots and isinstance(problem.at, Place) and problem.at.part.startswith(part):
                if (found := layers.find(problem.at.path)) is None:
                    continue
                for other in others:
                    key = (found[0].layers_path, found[1], other)
                    explained[key] = max(problem.actual_severity, explained.get(key, Severity.INFO))
    if any(p.is_error and isinstance(p.at, Place) and layers.edge(p.at.path) is not None for p in problems):
        problems = [p for p in problems if p.rule not in _ASTRAY or p.is_error]
    follow = {rule for _, _, rule in explained}
    return [p for p in problems if p.rule not in follow or not _is_explained(p, layers, explained)]


def _is_explained(problem: Problem, layers: LayerIndex, explained: dict[tuple[Path, int, RuleRow], Severity]) -> bool:
    if not isinstance(problem.at, Place):
        return False
    found = layers.find(problem.at.path)
    key = (found[0].layers_path, found[1], problem.rule) if found is not None else None
    return key in explained and problem.actual_severity <= explained[key]


def _settled(problem: Problem, layers: LayerIndex) -> Problem:
    if not isinstance(problem.at, Place):
        return problem
    found = layers.find(problem.at.path)
    if found is None:
        return problem
    section, index = found
    if problem.rule in (R.self_reference, R.cycle):
        problem = _at_edge(problem, section, index)
    if problem.rule in (R.wrong_input_count, R.wrong_output_count) and problem.is_error:
        from irlint.formats.openvino.leads import counted

        problem = replace(problem, related=[*problem.related, *counted(section, index)])
    if problem.is_error and not _looked_at(layers, section, index) and not _read_anyway(problem.rule):
        return replace(problem, severity=Severity.WARNING)
    return problem


def _read_anyway(rule: RuleRow) -> bool:
    """Return whether a problem counts in any layer: syntax, structure and ids are read even of unused ones."""
    return rule.code[0] in "STX" or rule == R.duplicate_definition


def _looked_at(layers: LayerIndex, section: Section, index: int) -> bool:
    """Return whether the reader reaches a layer and those around it."""
    while section.live[index]:
        parent = section.graph.parent
        if parent is None:
            return True
        found = layers.find(parent.path)
        if found is None:
            return True
        section, index = found
    return False


def _at_edge(problem: Problem, section: Section, index: int) -> Problem:
    """Move the problem of a reference from the port to the edge that contains it."""
    at = problem.at
    assert isinstance(at, Place)
    if at.path[-1:] and len(at.path) > 2:
        for place, port in enumerate(section.layers[index].inputs.ports):
            edge = section.edge_into.get((section.layers[index].id, port.id))
            if edge is not None and section.graph.place(index, f"input:{place}").path == at.path:
                return replace(problem, at=Place(section.edge_path(edge), "tag"))
    return problem
