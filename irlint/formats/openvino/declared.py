"""Check declared dimensions and precisions against inferred ones; findings point to the exact token and have a fix."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import Repair, writing
from irlint.dryrun.differing import fits
from irlint.dryrun.dims import compatible, show
from irlint.findings import INPUT, Fix, Problem, Severity
from irlint.formats.openvino.inferred import InferredTypes
from irlint.formats.openvino.passes.sizes import byte_count
from irlint.formats.openvino.reading.layers import PRECISION_OF, TYPE_OF
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.formats.openvino.state import LayerAt
from irlint.graph import Type, label
from irlint.records import NamedTuple, replace
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.xml.document import XmlDocument


class Declaration(NamedTuple):
    """What the port at a path declares, and the type that is inferred."""

    document: XmlDocument
    path: Path
    declared: Type
    real: Type

    def problems(self, who: str, name: str) -> Iterator[Problem]:
        """Report dimensions or a precision that differ from the inferred ones."""
        # OpenVINO 2026.4.1 ignores declared dimensions and precisions, and infers its own; it checks only how they are written
        declared, real = self.declared, self.real
        if not fits(declared.shape, real.shape):
            message = f"declared shape {show(declared.shape)} of {who} does not match inferred shape {show(real.shape)}"
            yield self.as_shape(
                Problem(R.declared_shape_differs, Place(self.path), message, name, severity=Severity.WARNING)
            )
        if declared.dtype is not None and real.dtype is not None and declared.dtype != real.dtype:
            message = f"declared type {declared.dtype} of {who} does not match inferred type {real.dtype}"
            yield self.as_precision(Problem(R.declared_dtype_differs, Place(self.path), message, name))

    def as_shape(self, problem: Problem) -> Problem:
        """Return a problem of the declared shape at its first wrong dimension, with a fix."""
        return replace(problem, at=self._dimension(), fix=self._dims_fix())

    @property
    def place(self) -> Place:
        return Place(self.path, "@precision")

    def as_precision(self, problem: Problem) -> Problem:
        """Return a problem of the declared precision at its exact place, with a fix.

        FP16 converters write a wrong one at every port, and readers infer types.
        """
        at, word = self.place, PRECISION_OF.get(str(self.real.dtype))
        are_floats = all("float" in str(type_.dtype) for type_ in (self.declared, self.real))
        fix = None if word is None else writing(at, word, f"Set `precision` to `{word}`")
        return replace(problem, at=at, fix=fix, severity=Severity.PEDANTIC if are_floats else Severity.WARNING)

    def _steps(self) -> list[int]:
        return [k for k, _ in self.document.element(self.path).steps("dim")]

    def _dimension(self) -> Place:
        """Return the first wrong dimension; the port if the ranks differ."""
        declared, real = self.declared.shape, self.real.shape
        if declared is not None and real is not None and len(declared) == len(real):
            for step, one, other in zip(self._steps(), declared, real, strict=False):
                if not compatible(one, other):
                    return Place((*self.path, step), "text")
        return Place(self.path, "tag")

    def _dims_fix(self) -> Repair | None:
        declared, real = self.declared.shape, self.real.shape
        if real is None:
            return None
        if declared is not None and len(declared) == len(real):  # what may be right stays
            real = tuple(one if compatible(one, other) else other for one, other in zip(declared, real, strict=True))
        numbers = [str(dim) if isinstance(dim, int) else "-1" for dim in real]
        title = f"Set the dimensions to `{show(real)}`"

        def fix(_: Document) -> Fix | None:
            edits = self._dims_edits(numbers)
            return None if edits is None else Fix(title, tuple(edits), "unsafe")

        return fix

    def _dims_edits(self, numbers: list[str]) -> list[Edit] | None:
        document, dims, steps = self.document, self.document.element(self.path).elements("dim"), self._steps()
        if len(dims) == len(numbers):
            spans = [document.span(Place((*self.path, step), "text")) for step in steps]
            pairs = zip(spans, numbers, strict=True)
            return [Edit(span, number) for span, number in pairs if document.text[slice(*span)] != number]
        if not dims or not numbers:
            return None
        head = document.text[: dims[0].start]
        bare = head.rstrip(" \t")
        line_end = next((end for end in ("\r\n", "\n") if bare.endswith(end)), "")
        text = (line_end + head[len(bare) :]).join(f"<dim>{number}</dim>" for number in numbers)
        return [Edit(Span(dims[0].start, dims[-1].end), text)]


def input_problems(document: XmlDocument, section: IrSection, inferred: InferredTypes) -> Iterator[Problem]:
    """Report input ports whose declared type differs from that of their source, which declares the right one."""
    for node, layer in section.pairs:
        if not section.live[node.index]:
            continue
        for one in inferred.connections(section, node.index):
            if one.is_wrong_at_input:
                path = section.graph.place(node, f"input:{one.place}").path
                who = f"input port {layer.inputs.ports[one.place].id} of {label(node)}"
                for problem in Declaration(document, path, one.taken, one.real).problems(who, node.name):
                    problem.kind = INPUT
                    yield problem


def refined(document: XmlDocument, at: LayerAt, problem: Problem, inferred: InferredTypes) -> Problem:
    """Return a problem of a declared output, moved to the exact token and with a fix."""
    assert isinstance(problem.at, Place)
    for k, value in enumerate(at.node.outputs):
        real = inferred.real(*at, k)
        if at.graph.place(at.index, f"output:{k}").path == problem.at.path:
            declaration = Declaration(document, problem.at.path, value.type, real)
            if problem.rule is R.declared_shape_differs:
                return declaration.as_shape(problem)
            if at.node.kind == "const" and _is_as_long(at, value.type):
                return _of_constant(at, declaration, problem)
            return declaration.as_precision(problem)
    return problem


def _is_as_long(at: LayerAt, declared: Type) -> bool:
    """Return whether the bytes of a constant are as many as those of another type."""
    type_, data = TYPE_OF.get(str(declared.dtype), ""), at.node.attrs
    return str(byte_count(type_, data.get("shape", ""))) == data.get("size")


def _of_constant(at: LayerAt, declaration: Declaration, problem: Problem) -> Problem:
    """Return the problem of a constant that is read as another type than its port declares: no reader refuses it, its values are wrong.

    If the inputs that use it declare the type of the port, the element type is the one that differs.
    """
    declared, real = declaration.declared, declaration.real
    layers, here = at.section.layers, at.index
    taken = {
        layers[k].inputs.values[place].type.dtype
        for k in set(at.section.readers[here])
        for place, source in enumerate(at.graph.nodes[k].inputs)
        if source[0] == here
    }
    if taken != {declared.dtype}:
        return replace(declaration.as_precision(problem), severity=Severity.WARNING)
    place, word = at.graph.place(here, "attr:element_type"), TYPE_OF[str(declared.dtype)]
    message = (
        f"element type {real.dtype} of {label(at.node)} does not match {declared.dtype}, which all its ports declare"
    )
    message += f"; OpenVINO reads the bytes as {real.dtype}"
    fix = writing(place, word, f"Set `element_type` to `{word}`")
    related = [("declared here", declaration.place)]
    return replace(problem, at=place, message=message, fix=fix, related=related, severity=Severity.WARNING)
