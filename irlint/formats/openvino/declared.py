"""Check declared dimensions and precisions against inferred ones; findings point to the exact token and have a fix."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irlint.dryrun.check import fits
from irlint.dryrun.dims import compatible, show
from irlint.dryrun.infer import Outputs
from irlint.findings import INPUT, Fix, Problem, Severity
from irlint.formats.openvino.blame import Blame, agrees
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.layers import PRECISIONS
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Shape, Type, label
from irlint.records import replace
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

_WRITTEN = {dtype: precision for precision, dtype in reversed(PRECISIONS.items()) if dtype is not None}
Repair = Callable[[Document], "Fix | None"]


def input_problems(document: XmlDocument, section: Section, blame: Blame) -> Iterator[Problem]:
    """Report input ports whose declared type differs from that of their source, which declares the right one."""
    graph, types = section.graph, blame.found.types.get(id(section.graph))
    if types is None:
        return
    nodes = graph.nodes
    for index in _at_odds(section, types):
        node, layer, taken = nodes[index], section.layers[index], section.layers[index].inputs.values
        if not section.live[index]:
            continue
        for place, (maker, output) in enumerate(node.inputs):
            if maker < 0 or output >= len(types[maker]):
                continue
            real = types[maker][output].type
            if agrees(taken[place].type, real) or not agrees(nodes[maker].outputs[output].type, real):
                continue
            path = graph.place(node, f"input:{place}").path
            who = f"input port {layer.inputs.ports[place].id} of {label(node)}"
            for problem in differing(document, path, who, taken[place].type, real, node.name):
                problem.kind = INPUT
                yield problem


def _at_odds(section: Section, types: list[Outputs]) -> list[int]:
    """Return layers with an input port whose declared type differs from the inferred one."""
    found = []
    for index, (node, layer) in enumerate(zip(section.graph.nodes, section.layers, strict=True)):
        for (maker, output), taken in zip(node.inputs, layer.inputs.values, strict=True):
            outputs = types[maker]
            if output >= len(outputs) or (real := outputs[output].type) is taken.type or maker < 0:
                continue
            if real != taken.type and not agrees(taken.type, real):
                found.append(index)
                break
    return found


def differing(document: XmlDocument, path: Path, who: str, declared: Type, real: Type, name: str) -> Iterator[Problem]:
    """Report a port whose declared dimensions or precision differ from the inferred ones."""
    # OpenVINO 2026.4.1 ignores declared dimensions and precisions, and infers its own; it checks only how they are written
    if not fits(declared.shape, real.shape):
        message = f"declared shape {show(declared.shape)} of {who} does not match inferred shape {show(real.shape)}"
        at = _dimension(document, path, declared.shape, real.shape)
        fix = _dims_fix(path, declared.shape, real.shape)
        yield Problem(R.declared_shape_differs, at, message, name, fix, severity=Severity.WARNING)
    if declared.dtype is not None and real.dtype is not None and declared.dtype != real.dtype:
        message = f"declared type {declared.dtype} of {who} does not match inferred type {real.dtype}"
        fix = _precision_fix(path, real.dtype)
        severity = _weight(declared.dtype, real.dtype)
        yield Problem(R.declared_dtype_differs, Place(path, "@precision"), message, name, fix, severity=severity)


def _weight(declared: str, real: str) -> Severity:
    """Return the severity of a wrong precision: FP16 converters write it at every port, and readers infer types."""
    return Severity.PEDANTIC if "float" in declared and "float" in real else Severity.WARNING


def refined(document: XmlDocument, section: Section, index: int, problem: Problem, blame: Blame) -> Problem:
    """Return a problem of a declared output, moved to the exact token and with a fix."""
    at = problem.at
    assert isinstance(at, Place)
    node = section.graph.nodes[index]
    for k, value in enumerate(node.outputs):
        path = section.graph.place(index, f"output:{k}").path
        real = blame.real(section, index, k)
        if path != at.path or real is None:
            continue
        if problem.rule is R.declared_shape_differs:
            where = _dimension(document, path, value.type.shape, real.shape)
            return replace(problem, at=where, fix=_dims_fix(path, value.type.shape, real.shape))
        severity = _weight(value.type.dtype or "", real.dtype or "")
        return replace(problem, at=Place(path, "@precision"), fix=_precision_fix(path, real.dtype), severity=severity)
    return problem


def _dims(element: Element) -> list[int]:
    return [k for k, child in enumerate(element.children) if isinstance(child, Element) and child.tag == "dim"]


def _dimension(document: XmlDocument, path: Path, declared: Shape | None, real: Shape | None) -> Place:
    """Return the first wrong dimension; the port if the ranks differ."""
    if declared is not None and real is not None and len(declared) == len(real):
        steps = _dims(document.element(path))
        for k, (one, other) in enumerate(zip(declared, real, strict=True)):
            if not compatible(one, other) and k < len(steps):
                return Place((*path, steps[k]), "text")
    return Place(path, "tag")


def _dims_fix(path: Path, declared: Shape | None, real: Shape | None) -> Repair | None:
    if real is None:
        return None
    if declared is not None and len(declared) == len(real):  # what may be right stays
        real = tuple(one if compatible(one, other) else other for one, other in zip(declared, real, strict=True))
    numbers = [dim if isinstance(dim, int) else -1 for dim in real]

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, XmlDocument)
        element = document.element(path)
        steps = _dims(element)
        dims = [element.children[k] for k in steps]
        title = f"Set the dimensions to `{show(real)}`"
        if len(dims) == len(numbers):
            edits = []
            for step, number in zip(steps, numbers, strict=True):
                span = document.span(Place((*path, step), "text"))
                if document.text[slice(*span)] != str(number):
                    edits.append(Edit(span, str(number)))
            return Fix(title, tuple(edits), "unsafe")
        if not dims or not numbers:
            return None
        first, last = dims[0], dims[-1]
        assert isinstance(first, Element)
        assert isinstance(last, Element)
        start = first.start
        while start > 0 and document.text[start - 1] in " \t":
            start -= 1
        between = document.text[start : first.start]
        line_end = (
            "\r\n" if document.text[:start].endswith("\r\n") else "\n" if document.text[:start].endswith("\n") else ""
        )
        text = (line_end + between).join(f"<dim>{n}</dim>" for n in numbers)
        return Fix(title, (Edit(Span(first.start, last.end), text),), "unsafe")

    return fix


def _precision_fix(path: Path, dtype: str | None) -> Repair | None:
    word = _WRITTEN.get(dtype or "")
    if word is None:
        return None
    return lambda document: Fix(
        f"Set `precision` to `{word}`", document.write(Place(path, "@precision"), word), "unsafe"
    )
