"""Negative sizes that outputs and values declare.

Runtimes ignore them; onnx's inference (full_check, 1.23.2) refuses those that it knows better.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from irlint.codes import R, Severity
from irlint.dryrun.infer import Inference
from irlint.dryrun.mapping import Mapping
from irlint.findings import Problem
from irlint.graph import Graph, Node
from irlint.text.base import Path, Place

_DEPTH = 8  # graph, output, number, type, tensor_type, shape, dim, number


def regrade(problems: Iterable[Problem], graph: Graph, types: Inference, mapping: Mapping) -> None:
    """Make an error of each warning of such a size in the model's graph, if the size is inferred without computed values."""
    values: dict[str, tuple[Node, int]] = {}
    for problem in problems:
        path = _path(problem)
        if path is None or problem.severity is not Severity.WARNING:
            continue
        values = values or {
            value.name: (node, k) for node in graph.nodes if node.kind != "var" for k, value in enumerate(node.outputs) if value.name
        }  # fmt: skip
        if problem.node is None or problem.node not in values:
            continue
        node, k = values[problem.node]
        outputs, axis = types.outputs(graph, node), int(path[-1])
        shape: Any = outputs[k].shape if k < len(outputs) else None
        if shape is None or axis >= len(shape) or type(shape[axis]) is not int:
            continue
        if mapping.declared_severity(graph, node, "sizes") is Severity.ERROR:
            problem.message = f"{problem.message}; its inferred size is {shape[axis]}"
            problem.severity = Severity.ERROR


def _path(problem: Problem) -> Path | None:
    """Return where a problem of a negative size is, if it is about an output or a value of the model's graph."""
    if problem.rule is not R.value_out_of_range or not isinstance(problem.at, Place):
        return None
    path = problem.at.path
    return path if len(path) == _DEPTH and path[1] in ("output", "value_info") and path[-2] == "dim" else None


def has_any(problems: Iterable[Problem]) -> bool:
    return any(_path(problem) is not None for problem in problems)
