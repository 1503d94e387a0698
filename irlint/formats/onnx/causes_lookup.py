"""What rows of ONNX's table of causes look up."""

from __future__ import annotations

from collections import Counter
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

    def is_shared_cut(self, problem: Problem) -> bool:
        """Return whether a scalar is the start or end of one of several slices of a value of the model's graph."""
        path = self.path(problem)
        if len(path) != 5 or path[-2:] not in (("input", 1), ("input", 2)):
            return False
        call = self.document.value_at(path[:3])
        inputs = call.get("input", ())
        node, k = self.values.get(inputs[path[-1]], (None, 0)) if call.get("op_type") == "Slice" else (None, 0)
        return node is not None and node.outputs[k].type.shape == () and self._cuts[inputs[0]] > 1

    @cached_property
    def _cuts(self) -> Counter[str]:
        """Return how many slices of the model's graph each value has."""
        nodes = self.document.value_at(("graph", "node"))
        return Counter(node["input"][0] for node in nodes if node.get("op_type") == "Slice" and node.get("input"))

    def has_graphs(self, path: Path) -> bool:
        """Return whether a node has graphs of its own."""
        call = self.document.value_at(path)
        return isinstance(call, dict) and next(graphs_of(call), None) is not None


def call_path(path: Path) -> Path | None:
    """Return the path of the innermost node that a path is in."""
    sizes = (size for size in range(len(path), 1, -1) if path[size - 2] == "node" and isinstance(path[size - 1], int))
    return next((path[:size] for size in sizes), None)
