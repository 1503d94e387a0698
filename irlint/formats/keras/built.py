"""Shapes with which layers were built, next to those of their inputs: Keras makes weights for the former and refuses the latter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.dryrun.dims import compatible, show
from irlint.dryrun.infer import Inference
from irlint.findings import Problem, Severity
from irlint.formats.keras.rules import R
from irlint.graph import NOWHERE, Graph, Node, Shape, label
from irlint.rules.base import Model
from irlint.text.base import Place

_WEIGHTS = (
    "kernel_initializer",
    "gamma_initializer",
    "depthwise_initializer",
    "alpha_initializer",
)  # arguments of layers that have some
_LATE = ("recurrent_initializer", "equation")  # of layers that Keras loads even so, and that fail when they are run


def built_problems(model: Model) -> Iterator[Problem]:
    """Report the first layer of each graph that was built for another shape: those after it may only follow from that."""
    for graph in model.graph.walk():
        found = (problem for node in graph.nodes if (problem := _differs(model, graph, node)) is not None)
        yield from [one for one in [next(found, None)] if one is not None]


def _differs(model: Model, graph: Graph, node: Node) -> Problem | None:
    operator = model.operator(node)
    if operator is None or not (node.graphs or any(key in operator.attributes for key in _WEIGHTS)):
        return None
    path, shape = graph.place(node, "op").path[:-1], _input(model, graph, node)
    value = model.document.value_at(path).get("build_config")
    built: Any = value.get("input_shape") if isinstance(value, dict) else None
    if node.graphs:
        return _differs_inside(graph, node, shape)
    if shape is None or not _is_shape(built) or _fits(node, shape, built):
        return None
    is_late = any(key in operator.attributes for key in _LATE) and len(shape) == len(built)
    at = Place((*path, "build_config", "input_shape"))
    message = f"{label(node)} was built for the shape {show(built)}, but its input has {show(shape)}"
    related = [("used here", graph.place(node, "input:0"))]
    severity = Severity.WARNING if is_late else Severity.ERROR
    return Problem(R.declared_shape_differs, at, message, node.name, None, related, severity)


def _differs_inside(graph: Graph, node: Node, shape: Shape | None) -> Problem | None:
    """Return the problem of a model that is called with another shape than its input declares."""
    inner = node.graphs[0]
    declared = (
        inner.nodes[inner.inputs[0]].outputs[0].type.shape if len(inner.inputs) == len(node.inputs) == 1 else None
    )
    if shape is None or declared is None or (len(shape) == len(declared) and all(map(compatible, shape, declared))):
        return None
    message = f"input of {label(node)} has the shape {show(shape)}, but the model declares {show(declared)}"
    related = [("declared here", inner.place(inner.inputs[0], "name"))]
    return Problem(
        R.declared_shape_differs, graph.place(node, "input:0"), message, node.name, None, related, Severity.ERROR
    )


def _input(model: Model, graph: Graph, node: Node) -> Shape | None:
    """Return the inferred shape of the first input of a node."""
    source = node.inputs[0] if len(node.inputs) else NOWHERE
    if source.node < 0 or not isinstance(model.types, Inference):
        return None
    listed = model.types.outputs(graph, graph.nodes[source.node])
    return listed[source.output].shape if source.output < len(listed) else None


def _is_shape(value: Any) -> bool:
    return isinstance(value, list) and all(one is None or type(one) is int for one in value)


def _fits(node: Node, shape: Shape, built: Any) -> bool:
    """Return whether weights that were made for one shape fit another: the channels are the same, or for PReLU all lengths."""
    if len(shape) != len(built):
        return False
    axis = 1 if node.attrs.get("data_format") == "channels_first" else len(shape) - 1
    shared = node.attrs.get("shared_axes")
    axes = (
        [axis]
        if node.op != "PReLU"
        else [k for k in range(1, len(shape)) if not isinstance(shared, list) or k not in shared]
    )
    pairs = [(shape[k], built[k]) for k in axes]
    return all(one == other or not isinstance(one, int) or other is None for one, other in pairs)
