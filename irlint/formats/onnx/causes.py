"""ONNX models: what becomes of problems once types are known."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from irlint.causes.relations import Lookup
from irlint.causes.rows import Each, Once, Row, Which
from irlint.codes import R
from irlint.dryrun.infer import Inference
from irlint.dryrun.mapping import Mapping
from irlint.findings import Problem, Severity
from irlint.graph import Node
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Place

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

    def size_at(self, problem: Problem) -> int | None:
        """Return the inferred size where a value declares a negative one, if inference needs no computed values for it."""
        types, mapping = self.types, self.mapping
        if types is None or mapping is None or problem.node not in self.values or not isinstance(problem.at, Place):
            return None
        node, k = self.values[problem.node]
        outputs, axis = types.outputs(self.graph, node), int(problem.at.path[-1])
        shape = outputs[k].shape if k < len(outputs) else None
        size = shape[axis] if shape is not None and axis < len(shape) else None
        is_sure = type(size) is int and mapping.declared_severity(self.graph, node, k, "sizes") is Severity.ERROR
        return size if is_sure and isinstance(size, int) else None


def _is_declared_size(_: OnnxLookup, problem: Problem) -> bool:
    """Return whether a problem is about a size that an output or a value of the model's graph declares."""
    path = problem.at.path if isinstance(problem.at, Place) else ()
    return len(path) == _DEPTH and path[1] in ("output", "value_info") and path[-2] == "dim"


def _with_size(lookup: OnnxLookup, problem: Problem) -> Problem:
    size = lookup.size_at(problem)
    if size is None:
        return problem
    return replace(problem, addition=f"; its inferred size is {size}", severity=Severity.ERROR)


def _undeclared(_: OnnxLookup, problem: Problem) -> str | None:
    """Return what is said of an operator that the configuration may declare; None of one that is misspelt."""
    return None if problem.meant or problem.hint else problem.message


_NEGATIVE = Which((R.value_out_of_range,), most=Severity.WARNING, when=_is_declared_size)
ROWS: tuple[Row, ...] = (
    # runtimes ignore negative sizes; onnx's inference (full_check, 1.23.2) refuses those that it knows better
    Each(_NEGATIVE, _with_size),
    # a program registers an operator once
    Once(Which((R.unknown_operator,)), _undeclared),
)
