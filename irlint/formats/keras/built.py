"""Shapes with which layers were built, next to those of their inputs: Keras makes weights for the former and refuses the latter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.dryrun.dims import compatible, show
from irlint.dryrun.infer import Inference
from irlint.findings import Problem, Severity
from irlint.formats.keras.read import layer_path
from irlint.formats.keras.rules import R
from irlint.graph import NOWHERE, Graph, Node, Shape, label
from irlint.operators import Operator
from irlint.rules.base import Model
from irlint.text.base import Path, Place

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
        first: dict[Path, Node] = {}
        found = (problem for node in graph.nodes if (problem := _differs(model, graph, node, first)) is not None)
        yield from [one for one in [next(found, None)] if one is not None]


def _differs(model: Model, graph: Graph, node: Node, first: dict[Path, Node]) -> Problem | None:
    """Return the problem of a call of a layer whose input has another shape than that for which it was built."""
    path, shape = layer_path(node), _input(model, graph, node)
    if shape is None:
        return None
    if (inner := model.state.get(path)) is not None:
        return _differs_inside(model, graph, node, inner, shape)
    operator = model.operator(node)
    if not _has_weights(operator):
        return None
    before = first.setdefault(path, node)
    # tf-keras 2.21 does not read `build_config` of a configuration without weights
    built = _built(model, path) if model.dialect == "keras-3" else None
    if built is not None:
        at = Place((*path, "build_config", "input_shape"))
        related = [("used here", graph.place(node, "input:0"))]
    else:
        built, at = _input(model, graph, before), graph.place(node, "input:0")
        related = [("first used here", graph.place(before, "input:0"))]
    if built is None or _fits(node, shape, built):
        return None
    is_late = operator is not None and any(key in operator.attributes for key in _LATE) and len(shape) == len(built)
    message = f"{label(node)} was built for the shape {show(built)}, but its input has {show(shape)}"
    severity = Severity.WARNING if is_late else Severity.ERROR
    return Problem(R.declared_shape_differs, at, message, node.name, None, related, severity)


def _differs_inside(model: Model, graph: Graph, node: Node, inner: Graph, shape: Shape) -> Problem | None:
    """Return the problem of a model that is called with another shape than its input declares; tf-keras 2.21 compares only weights."""
    if len(inner.inputs) != 1 or len(node.inputs) != 1:
        return None
    declared = inner.nodes[inner.inputs[0]].outputs[0].type.shape
    if declared is None or (len(shape) == len(declared) and all(map(compatible, shape, declared))):
        return None
    if model.dialect == "keras-2" and all(_fits(one, shape, declared) for one in _readers(model, inner)):
        return None
    message = f"input of {label(node)} has the shape {show(shape)}, but the model declares {show(declared)}"
    related, at = [("declared here", inner.place(inner.inputs[0], "name"))], graph.place(node, "input:0")
    return Problem(R.declared_shape_differs, at, message, node.name, None, related, Severity.ERROR)


def _built(model: Model, path: Path) -> Any:
    """Return the shape in the `build_config` of a layer; None if it is not there, or not valid."""
    value = model.document.value_at(path).get("build_config")
    shape = value.get("input_shape") if isinstance(value, dict) else None
    is_shape = isinstance(shape, list) and all(one is None or type(one) is int for one in shape)
    return shape if is_shape else None


def _has_weights(operator: Operator | None) -> bool:
    return operator is not None and any(key in operator.attributes for key in _WEIGHTS)


def _readers(model: Model, graph: Graph) -> list[Node]:
    """Return the layers with weights that read the input of a graph."""
    reading = (node for node in graph.nodes if any(source.node == graph.inputs[0] for source in node.inputs))
    return [node for node in reading if _has_weights(model.operator(node))]


def _input(model: Model, graph: Graph, node: Node) -> Shape | None:
    """Return the inferred shape of the first input of a node."""
    source = node.inputs[0] if len(node.inputs) else NOWHERE
    if source.node < 0 or not isinstance(model.types, Inference):
        return None
    listed = model.types.outputs(graph, graph.nodes[source.node])
    return listed[source.output].shape if source.output < len(listed) else None


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
