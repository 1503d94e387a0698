"""What rows of ONNX's table of causes look up."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from irlint.causes.relations import Lookup
from irlint.dryrun.infer import Inference
from irlint.dryrun.mapping import Mapping
from irlint.findings import Problem, Severity
from irlint.formats.onnx.trees import graphs_of
from irlint.graph import Node
from irlint.rules.base import Model
from irlint.text.base import Path, Place


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

    def has_graphs(self, path: Path) -> bool:
        """Return whether a node has graphs of its own."""
        call = self.document.value_at(path)
        return isinstance(call, dict) and next(graphs_of(call), None) is not None


def call_path(path: Path) -> Path | None:
    """Return the path of the innermost node that a path is in."""
    sizes = (size for size in range(len(path), 1, -1) if path[size - 2] == "node" and isinstance(path[size - 1], int))
    return next((path[:size] for size in sizes), None)
