"""ONNX models: what becomes of problems once types are known."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from irlint.causes.relations import Lookup
from irlint.causes.rows import Each, Row, Which
from irlint.codes import R
from irlint.dryrun.check import fits
from irlint.dryrun.dims import show
from irlint.dryrun.infer import Inference
from irlint.dryrun.mapping import Difference, Mapping
from irlint.findings import INFERRED, Problem, Severity
from irlint.formats.onnx.passes.contradictions import contradicted
from irlint.formats.onnx.passes.negative_sizes import Clash, clashes
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.graph import Graph, Node, label
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Path, Place

_DEPTH = 8  # graph, output, number, type, tensor_type, shape, dim, number


class OnnxLookup(Lookup):
    def __init__(self, model: Model, dryrun: Callable[[Model], Mapping | None]) -> None:
        super().__init__(model.document)
        self.model, self.graph, self._dryrun = model, model.graph, dryrun
        self.types: Inference | None = model.types

    @cached_property
    def mapping(self) -> Mapping | None:
        return None if self.types is None else self._dryrun(self.model)

    @cached_property
    def values(self) -> dict[str, tuple[Node, int]]:
        """Return the node and the output that each value of the graph comes from."""
        nodes = (node for node in self.graph.nodes if node.kind != "var")
        return {value.name: (node, k) for node in nodes for k, value in enumerate(node.outputs) if value.name}

    @cached_property
    def squeezes(self) -> dict[Path, tuple[Graph, Node]]:
        """Return the nodes that are a Squeeze, by their paths."""
        return {node.path: (graph, node) for graph in self.graph.walk() for node in graph.nodes if node.op == "Squeeze"}

    def refused_shape(self, problem: Problem) -> str | None:
        """Return the shape that a Squeeze without axes declares, if onnx's inference refuses it: that removes nothing then."""
        path = problem.at.path if isinstance(problem.at, Place) else ()
        found = next((self.squeezes[path[:k]] for k in range(len(path), 0, -1) if path[:k] in self.squeezes), None)
        if found is None or self.types is None or self.mapping is None:
            return None
        (graph, node), (source, output) = found, found[1].inputs[0]
        declared, before = node.outputs[0].type.shape, self.types.outputs(graph, graph.nodes[source])
        given = before[output].shape if source >= 0 and output < len(before) else None
        is_sure = self.mapping.declared_severity(graph, node, 0, "rank") is Severity.ERROR
        return None if fits(declared, given) or not is_sure else show(declared)

    @cached_property
    def clashes(self) -> dict[Path, Clash]:
        """Return what does not match the negative sizes that values declare."""
        document, types, mapping = self.document, self.types, self.mapping
        assert isinstance(document, OnnxDocument)
        return {} if types is None or mapping is None else clashes(document.tree, mapping, types)

    @cached_property
    def contradicted(self) -> dict[str, Node]:
        """Return the nodes whose declared shapes do not match what others declare, by the names of the values of these."""
        return {} if self.types is None or self.mapping is None else contradicted(self.mapping, self.types)

    def size_at(self, problem: Problem) -> int | None:
        """Return the inferred size where a value declares a negative one, if inference needs no computed values for it."""
        types, mapping = self.types, self.mapping
        if types is None or mapping is None or problem.node not in self.values or not isinstance(problem.at, Place):
            return None
        node, k = self.values[problem.node]
        outputs, axis = types.outputs(self.graph, node), int(problem.at.path[-1])
        shape = outputs[k].shape if k < len(outputs) else None
        size = shape[axis] if shape is not None and axis < len(shape) else None
        differs: Difference = "sizes" if axis else "first"
        is_sure = type(size) is int and mapping.declared_severity(self.graph, node, k, differs) is Severity.ERROR
        return size if is_sure and isinstance(size, int) else None


def _is_declared_size(_: OnnxLookup, problem: Problem) -> bool:
    """Return whether a problem is about a size that a value of the model's graph declares."""
    path = problem.at.path if isinstance(problem.at, Place) else ()
    return len(path) == _DEPTH and path[1] in ("input", "output", "value_info") and path[-2] == "dim"


def _with_size(lookup: OnnxLookup, problem: Problem) -> Problem:
    size = lookup.size_at(problem)
    if size is not None:
        return replace(problem, addition=f"; its inferred size is {size}", severity=Severity.ERROR)
    clash = lookup.clashes.get(lookup.path(problem))
    if clash is None:
        return problem
    addition, related = f"; {clash.name!r}, computed from it, declares {clash.size}", [("declared here", clash.at)]
    return replace(problem, addition=addition, related=[*problem.related, *related], severity=Severity.ERROR)


def _refused(lookup: OnnxLookup, problem: Problem) -> Problem:
    shape = lookup.refused_shape(problem)
    if shape is None:
        return problem
    return replace(problem, addition=f"; onnx.checker removes none and refuses {shape}", severity=Severity.ERROR)


def _contradicted(lookup: OnnxLookup, problem: Problem) -> Problem:
    path = problem.at.path if isinstance(problem.at, Place) else ()
    is_value = path[:1] == ("graph",) and path[1:2] in (("output",), ("value_info",))
    name = lookup.document.value_at(path[:3]).get("name", "") if is_value and len(path) > 2 else ""
    node = lookup.contradicted.get(name) if name else None
    if node is None:
        return problem
    addition, at = f"; the declared shape of {label(node)} contradicts it", lookup.graph.place(node)
    related = [*problem.related, ("contradicted here", at)]
    return replace(problem, addition=addition, related=related, severity=Severity.ERROR)


_NEGATIVE = Which((R.value_out_of_range,), most=Severity.WARNING, when=_is_declared_size)
ROWS: tuple[Row, ...] = (
    # runtimes ignore negative sizes; onnx's inference (full_check, 1.23.2) refuses those that it knows better
    Each(_NEGATIVE, _with_size),
    # a declaration that onnx believes, as it does not know better, must match the others
    Each(Which((R.declared_shape_differs,), kinds=(INFERRED,), most=Severity.WARNING), _contradicted),
    # where runtimes remove dimensions and onnx's inference removes none, it refuses the shape that they output
    Each(Which((R.wrong_value_length,), kinds=(INFERRED,), most=Severity.WARNING), _refused),
)
