"""The costs of a model: floating-point operations, and the memory of activations by their lifetimes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from irlint.dryrun.dims import is_known
from irlint.dryrun.infer import Inference
from irlint.dryrun.mapping import Call, FromAttr, Mapping
from irlint.dryrun.running.memory import plan
from irlint.dryrun.tensor import Tensor, taken
from irlint.graph import Graph, Node
from irlint.records import NamedTuple

# Families of operators, by their modules in irlint/dryrun/ops/
_FREE = {
    "moving.blocks", "moving.creation", "moving.diagonals", "moving.flipping", "moving.gathering",
    "moving.joining", "moving.padding", "moving.reshaping", "moving.slicing", "moving.splitting",
    "moving.tiling", "mxnet.cropping", "mxnet.indexing", "mxnet.layout", "mxnet.stacking",
    "openvino.control", "sample.layout", "shared.broadcasting",
}  # fmt: skip
_MATRIX = {"shared.attention", "shared.dense", "openvino.recurrent"}
_SAMPLES = {"sample.attention", "sample.linear", "sample.recurrent", "sample.windows"}
_HEAVY = _MATRIX | _SAMPLES | {"openvino.convolution", "mxnet.biased", "onnx.filters", "shared.matrix"}


class Costs(NamedTuple):
    """The costs; `unknown` counts operators with unknown costs; None where most are unknown."""

    flops: int | None = None
    peak_bytes: int | None = None
    unknown: int = 0


def costs(graph: Graph, mapping: Mapping, types: Inference) -> Costs:
    """Return the costs of one run; a multiplication and an addition are two operations. Loops count as one iteration."""
    types = _completed(graph, types)
    flops, told, unknown = 0, 0, 0
    heavy, heavy_unknown = 0, 0
    for each in graph.walk():
        dead = set(mapping.dead(each))
        for node in each.nodes:
            if node.kind != "call" or node.graphs or not node.outputs or node.index in dead:
                continue
            found = _of_node(each, node, mapping, types)
            is_heavy = _is_heavy(each, node, mapping)
            heavy += is_heavy
            if found is None:
                unknown += 1
                heavy_unknown += is_heavy
            else:
                told += 1
                flops += found
    if unknown > told or 2 * heavy_unknown > heavy:  # what is left would pass for the whole
        told = 0
    peak = plan(graph, mapping, types)
    return Costs(flops if told else None, peak.live if told and not peak.unknown else None, unknown)


def _completed(graph: Graph, types: Inference) -> Inference:
    """Return the types, with the declared ones where they are unknown (because weights that determine them are missing)."""
    found = Inference(graph)
    for each in graph.walk():
        known = types.types.get(id(each)) or [()] * len(each.nodes)
        found.types[id(each)] = [_said(node, outputs) for node, outputs in zip(each.nodes, known, strict=True)]
    return found


def _said(node: Node, outputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    if outputs and all(is_known(tensor.shape) for tensor in outputs):
        return outputs
    declared = tuple([Tensor(*value.type) for value in node.outputs])
    return declared if declared and all(is_known(tensor.shape) for tensor in declared) else outputs


def _is_heavy(graph: Graph, node: Node, mapping: Mapping) -> bool:
    """Return whether a node is of the kinds that take most of the time of nearly every network."""
    call = mapping.sound_call(graph, node)
    return call is not None and call.operator.family in _HEAVY


def _of_node(graph: Graph, node: Node, mapping: Mapping, types: Inference) -> int | None:
    call, outputs = mapping.sound_call(graph, node), types.outputs(graph, node)
    if call is None or not outputs or not all(is_known(tensor.shape) for tensor in outputs):
        return None
    return flops(call, taken(types.types[id(graph)], node.inputs), outputs)


def flops(call: Call, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> int | None:
    """Return the number of operations of one call whose output shapes are known."""
    family = call.operator.family
    if family in _FREE:
        return 0
    made = prod(outputs[0].shape or ())  # type: ignore[arg-type]
    special = _SPECIAL.get(family)
    if special is not None:
        return special(call, inputs, outputs, made)
    if family in _SAMPLES:
        return _of_sample(call, inputs, outputs, made)
    if family in _MATRIX:
        return _by_weights(call, inputs, outputs, made)
    return max(made, _count(inputs[0])) if inputs and family in ("shared.reduction", "openvino.normalisation") else made


def _count(tensor: Tensor) -> int:
    return prod(tensor.shape) if is_known(tensor.shape) else 0  # type: ignore[arg-type]


def _convolution(call: Call, inputs: Sequence[Tensor], outputs: Sequence[Tensor], made: int) -> int | None:
    """Return the operations of a convolution: every output element uses one filter; transposed, every input element does."""
    filters = next((t.shape for t in inputs[1:] if t.shape is not None and len(t.shape) >= 3), None)
    if filters is None or not is_known(filters) or outputs[0].shape is None:
        return None
    rank = len(outputs[0].shape)
    grouped = filters[1:] if len(filters) > rank else filters
    if "Back" in type(call.operator).__name__ or "Transpose" in type(call.operator).__name__:
        return 2 * _count(inputs[0]) * prod(grouped[1:])  # type: ignore[arg-type]
    return 2 * made * prod(grouped[1:])  # type: ignore[arg-type]


def _matrix(call: Call, inputs: Sequence[Tensor], outputs: Sequence[Tensor], made: int) -> int | None:
    shape = inputs[0].shape
    if not shape or not is_known(shape):
        return None
    turned = call.attrs.get("transpose_a") and len(shape) > 1
    inner: Any = shape[-2] if turned else shape[-1]
    return 2 * made * int(inner)


def _by_weights(call: Call, inputs: Sequence[Tensor], outputs: Sequence[Tensor], made: int) -> int | None:
    """Return an upper bound for operators that are mostly matrix products: every weight is used once per row of data."""
    data = inputs[0].shape if inputs else None
    weights = [_count(t) for t in inputs[1:] if t.shape is not None and len(t.shape) >= 2]
    if not data or not is_known(data) or not weights:
        return made
    rows: Any = prod(data[:-1])
    return 2 * int(rows) * max(weights)


def _of_sample(call: Call, inputs: Sequence[Tensor], outputs: Sequence[Tensor], made: int) -> int | None:
    """Return the operations of one sample: its own weights are all used once per place; transposed, of the input."""
    kind = type(call.operator).__name__
    operands = [k.tensor for k in call.inputs or () if isinstance(k, FromAttr)]
    weights = sum(_count(tensor) for tensor in operands if len(tensor.shape or ()) > 1)
    if not weights or not inputs or outputs[0].shape is None:
        return _matrix(call, inputs, outputs, made) if len(inputs) > 1 else _pooling(call, inputs, outputs, made)
    shape = inputs[0].shape if kind == "Deconvolution" else outputs[0].shape
    if not is_known(shape):
        return None
    assert shape is not None
    places = shape[1:] if "onvolution" in kind else shape[:-1]
    return 2 * weights * prod(places)  # type: ignore[arg-type]


def _pooling(call: Call, inputs: Sequence[Tensor], outputs: Sequence[Tensor], made: int) -> int | None:
    kernel = call.attrs.get("kernel")
    return made * prod(kernel) if kernel else max(made, _count(inputs[0]))


_SPECIAL: dict[str, Callable[[Call, Sequence[Tensor], Sequence[Tensor], int], int | None]] = {
    "openvino.convolution": _convolution,
    "mxnet.biased": _convolution,
    "onnx.filters": _convolution,
    "shared.matrix": _matrix,
    "shared.pooling": _pooling,
}
