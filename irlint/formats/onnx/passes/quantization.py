"""Quantized operators that a target with 8-bit kernels computes in another way, or not in 8 bits: --target precision=int8."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.dryrun.dtypes import INTEGERS, integer_range
from irlint.dryrun.lazy import np
from irlint.dryrun.running.weights import UNREADABLE
from irlint.findings import Problem
from irlint.formats.onnx.constant import constant_array
from irlint.formats.onnx.read import source_of
from irlint.formats.onnx.rules import R
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.wire import ELEMENT_NAMES
from irlint.graph import Graph, Node, label
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.targets.precision import TARGET
from irlint.text.words import count

QUANTIZE, DEQUANTIZE = "QuantizeLinear", "DequantizeLinear"
# Operators with weights and a bias: the axis of output channels in their weights; None: it depends on `transB`.
_CHANNELS: dict[str, int | None] = {"Conv": 0, "ConvTranspose": 1, "Gemm": None, "MatMul": -1}
_BIAS = 2
# Operators that move 8-bit numbers as they are: their QuantizeLinear and DequantizeLinear are further away.
_MOVING = frozenset((
    "Concat", "Flatten", "Gather", "Identity", "MaxPool", "Pad", "Reshape", "Slice", "Split", "Squeeze", "Transpose", "Unsqueeze",
))  # fmt: skip
_INTEGER = (
    "QLinear",
    "QGemm",
    "QAttention",
    "Integer",
    "Dequantize",
    "Cast",
)  # words of operators that take 8-bit numbers
_FLOATS = tuple(code for code, name in ELEMENT_NAMES.items() if name.startswith(("float", "double", "bfloat")))
_FAR = 64  # operators after a QuantizeLinear that are looked at
_NEAR = 1e-3  # relative distance of scales that are the same


class _Dequantized(NamedTuple):
    """A DequantizeLinear, with what it holds that is constant."""

    node: Node
    scale: Any
    zero: Any  # None: there is none, or it is computed
    data: Node | None  # its first input


def quantization_problems(model: Model) -> Iterator[Problem]:
    """Report quantized operators that a target with 8-bit kernels does not take as they are."""
    if model.targets.get(TARGET) != "int8":
        return
    for graph in model.graph.walk():
        checked = _Quantized(graph)
        for node in graph.nodes:
            if node.kind == "call" and id(node) not in model.silent:
                yield from checked.of_layer(node)
                yield from checked.of_pair(node)
                yield from checked.of_zero_point(node)


class _Quantized:
    """The quantized operators of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self._users = graph, graph.consumers()

    def of_layer(self, node: Node) -> Iterator[Problem]:
        """Report the weights and the bias of an operator."""
        if node.op not in _CHANNELS or len(node.inputs) < 2:
            return
        data, weight = self._dequantized(node, 0), self._dequantized(node, 1)
        if weight is None or weight.data is None or weight.data.kind != "const":
            yield from self._plain_weight(node, data)
            return
        yield from self._symmetry(node, weight)
        yield from self._axis(node, weight)
        if data is not None:
            yield from self._bias(node, data, weight)

    def _plain_weight(self, node: Node, data: _Dequantized | None) -> Iterator[Problem]:
        """Report float weights that another operator reads quantized."""
        maker = source_of(self.graph, node, 1)
        if maker is None or maker.kind != "const":
            return
        others = [self.graph.nodes[user] for user in self._users[maker.index]]
        quantizing = next((other for other in others if other.op == QUANTIZE), None)
        if quantizing is not None:
            said = f"{label(node)} uses weights {maker.name!r} in float, which {label(quantizing)} quantizes for other operators"
            yield Problem(R.unpaired_quantization, self.graph.place(node, "input:1"), said, node.name)

    def _symmetry(self, node: Node, weight: _Dequantized) -> Iterator[Problem]:
        if weight.zero is None:
            return
        middle = 128 if weight.zero.dtype.kind == "u" else 0
        wrong = int(np.count_nonzero(weight.zero != middle))
        if wrong:
            of = (
                f"{wrong:,} of {count(weight.zero.size, 'zero point')}"
                if weight.zero.size > 1
                else f"zero point {weight.zero.item()}"
            )
            said = (
                f"weights of {label(node)} are asymmetric: {of} {'are ' if weight.zero.size > 1 else 'is '}not {middle}"
            )
            yield Problem(R.asymmetric_weights, self.graph.place(weight.node, "input:2"), said, weight.node.name)

    def _axis(self, node: Node, weight: _Dequantized) -> Iterator[Problem]:
        assert weight.data is not None
        shape = weight.data.outputs[0].type.shape if weight.data.outputs else None
        if weight.scale is None or weight.scale.size < 2 or weight.scale.ndim != 1 or not shape:
            return
        wanted = _CHANNELS[node.op] if node.op != "Gemm" else 1 - bool(node.attrs.get("transB", 0))
        axis = weight.node.attrs.get("axis", 1)
        if wanted is None or not isinstance(axis, int) or axis % len(shape) == wanted % len(shape):
            return
        part = "attr:axis" if "axis" in weight.node.attrs else "op"
        said = f"weights of {label(node)} have a scale per index of axis {axis}; its output channels are axis {wanted % len(shape)}"
        yield Problem(R.quantized_axis, self.graph.place(weight.node, part), said, weight.node.name)

    def _bias(self, node: Node, data: _Dequantized, weight: _Dequantized) -> Iterator[Problem]:
        bias = self._dequantized(node, _BIAS) if len(node.inputs) > _BIAS else None
        if bias is None or bias.scale is None or data.scale is None or weight.scale is None or data.scale.size != 1:
            return
        place = self.graph.place(bias.node, "input:1")
        wanted = (float(data.scale.reshape(-1)[0]) * weight.scale.astype(float)).reshape(-1)
        given = bias.scale.astype(float).reshape(-1)
        if given.size in (1, wanted.size) or wanted.size == 1:
            apart = ~np.isclose(given, wanted, rtol=_NEAR, atol=0)
            if apart.any():
                first = int(np.argmax(apart))
                got, expected = (float(one[min(first, one.size - 1)]) for one in (given, wanted))
                said = f"bias of {label(node)} has scale {got:.3g}; expected {expected:.3g}, that of the input times that of the weights"
                yield Problem(R.bias_scale, place, said, bias.node.name)
                return
        if bias.zero is not None and bias.zero.any():
            said = f"bias of {label(node)} has a zero point that is not 0"
            yield Problem(R.bias_scale, self.graph.place(bias.node, "input:2"), said, bias.node.name)

    def of_pair(self, node: Node) -> Iterator[Problem]:
        """Report a QuantizeLinear whose result is used as it is, or dequantized with another scale."""
        if node.op != QUANTIZE or len(node.inputs) < 2:
            return
        for other in self._readers(node):
            if other.op == DEQUANTIZE:
                yield from self._other_scale(node, other)
            elif not any(word in other.op for word in _INTEGER) or other.attrs.get("to") in _FLOATS:
                said = f"{label(other)} uses the result of {label(node)} without a DequantizeLinear"
                yield Problem(R.unpaired_quantization, self.graph.place(node, "op"), said, node.name)
                return

    def of_zero_point(self, node: Node) -> Iterator[Problem]:
        """Report a zero point beyond its element type."""
        maker = source_of(self.graph, node, 2) if node.op in (QUANTIZE, DEQUANTIZE) else None
        data = maker.attrs.get("value") if maker is not None and maker.kind == "const" else None
        if not isinstance(data, TensorData) or data.dtype not in INTEGERS:
            return
        low, high = integer_range(data.dtype)
        wrong = next((one for one in data.entries() or () if not low <= one <= high), None)
        if wrong is not None:
            said = f"zero point of {label(node)} is {wrong}; {data.dtype} has {low} to {high}"
            yield Problem(R.zero_point_range, self.graph.place(node, "input:2"), said, node.name)

    def _readers(self, node: Node) -> Iterator[Node]:
        """Yield what reads a node, through operators that only move its elements."""
        seen, stack = {node.index}, [node.index]
        while stack and len(seen) < _FAR:
            for user in self._users[stack.pop()]:
                other = self.graph.nodes[user]
                if user in seen:
                    continue
                seen.add(user)
                if other.op in _MOVING:
                    stack.append(user)
                else:
                    yield other

    def _other_scale(self, node: Node, other: Node) -> Iterator[Problem]:
        given, taken = (self._constant(one, 1) for one in (node, other))
        if given is not None and taken is not None and given.shape == taken.shape:
            if not np.isclose(taken, given, rtol=_NEAR, atol=0).all():
                said = f"{label(other)} has another scale than {label(node)}, whose result it takes"
                yield Problem(R.unpaired_quantization, self.graph.place(other, "input:1"), said, other.name)

    def _dequantized(self, node: Node, place: int) -> _Dequantized | None:
        """Return the DequantizeLinear that makes an input of a node."""
        maker = source_of(self.graph, node, place)
        if maker is None or maker.op != DEQUANTIZE or len(maker.inputs) < 2:
            return None
        return _Dequantized(maker, self._constant(maker, 1), self._constant(maker, 2), source_of(self.graph, maker, 0))

    def _constant(self, node: Node, place: int) -> Any:
        maker = source_of(self.graph, node, place)
        if maker is None or maker.kind != "const":
            return None
        try:
            found = constant_array(maker)
        except UNREADABLE:
            return None
        return found if found.dtype.kind in "iuf" and found.size else None
