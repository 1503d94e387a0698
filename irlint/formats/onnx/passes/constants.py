"""Values of constants that no network means: scales of zero, negative variances, weights that are NaN or overflowed.

Only what operators compute with is looked at, and only so much of it that a lint stays fast; W006 selected by name reads all.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping

from irlint.codes import R, Severity
from irlint.dryrun.dtypes import INTEGERS
from irlint.findings import Problem
from irlint.formats.onnx.opsets import DEFAULT, domain_of, opset_of
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.wire.reader import Tree
from irlint.graph import Graph, Node, label
from irlint.rules.base import Model
from irlint.text.words import count

_MOST = 1 << 27  # bytes of one file that are read for it
_SCALES = {
    "QuantizeLinear": (1,), "DequantizeLinear": (1,), "QLinearConv": (1, 4, 6), "QLinearMatMul": (1, 4, 6),
}  # fmt: skip
_OUTPUT_SCALE = 6
_WEIGHTS = {
    "Conv": (1, 2), "ConvTranspose": (1, 2), "Gemm": (1, 2), "MatMul": (0, 1), "BatchNormalization": (1, 2, 3, 4),
    "InstanceNormalization": (1, 2), "LayerNormalization": (1, 2), "LSTM": (1, 2, 3), "GRU": (1, 2, 3), "RNN": (1, 2, 3),
}  # fmt: skip

_SCALARS = {"Range": {0: "start", 1: "limit", 2: "delta"}, "DFT": {1: "dft_length", 2: "axis"}}
_DIVISORS = ("Div", "Mod")
_OVERRIDDEN = 4  # the IR version since which callers may replace initializers that are inputs, too
_INDEXED = 11  # the opset since which indices of OneHot may be negative

_READ = {**_WEIGHTS, **_SCALES}  # operators are in one of them


def constant_problems(model: Model, tree: Tree, known: Mapping[str, int]) -> Iterator[Problem]:
    """Yield problems of constants; `known` are the opsets that the model imports."""
    opset = opset_of(DEFAULT, known) or _INDEXED
    callers = (value.get("name") for value in tree.get("graph", {}).get("input", ()))  # who may pass other values
    open_names = frozenset(callers) if tree.get("ir_version", 0) >= _OVERRIDDEN else frozenset()
    left, seen = _MOST, set[tuple[int, int]]()
    for graph in model.graph.walk():
        for node in graph.nodes:
            if node.op in _SCALARS and domain_of(node.version or "") == DEFAULT:
                yield from _scalars(graph, node)
            if node.op in _DIVISORS and domain_of(node.version or "") == DEFAULT:
                yield from _divisor(graph, node, open_names)
            elif node.op == "OneHot" and opset < _INDEXED and domain_of(node.version or "") == DEFAULT:
                yield from _indices(graph, node)
            if node.op not in _READ or domain_of(node.version or "") != DEFAULT:
                continue
            scales = _SCALES.get(node.op, ())
            for k in _READ[node.op]:
                source = node.inputs[k][0] if k < len(node.inputs) else -1
                data = _data(graph.nodes[source]) if source >= 0 else None
                if data is None or (id(graph), source) in seen:
                    continue
                seen.add((id(graph), source))
                size = data.raw_size
                if size is None or size > left:
                    continue
                left -= size
                yield from _of(graph, node, k, graph.nodes[source], data, k in scales)


def _scalars(graph: Graph, node: Node) -> Iterator[Problem]:
    """Report constants that are lists of one number, where onnx's inference and onnxruntime 1.32 want scalars: of a Range if all three
    operands are constants, of a DFT each."""
    names = _SCALARS[node.op]
    known = [k for k in names if k < len(node.inputs) and _is_constant(graph, node.inputs[k][0])]
    if node.op == "Range" and len(known) != len(names):
        return
    from irlint.formats.onnx.dryrun.constant import constant_type

    for k in known:
        if constant_type(graph.nodes[node.inputs[k][0]]).shape == (1,):
            message = f"{label(node)}: expected a scalar for `{names[k]}`, got [1]"
            yield Problem(R.wrong_rank, graph.place(node, f"input:{k}"), message, node.name)
            return


def _is_constant(graph: Graph, index: int) -> bool:
    return index >= 0 and graph.nodes[index].kind == "const"


def _divisor(graph: Graph, node: Node, open_names: Collection[str | None]) -> Iterator[Problem]:
    """Report integer divisors with a 0: onnxruntime 1.32 refuses to load them, even of a node that nothing uses."""
    source = node.inputs[1][0] if len(node.inputs) > 1 else -1
    constant = graph.nodes[source] if source >= 0 else None
    if constant is None or constant.kind != "const" or constant.name in open_names:
        return
    from irlint.formats.onnx.dryrun.constant import constant_entries, constant_type

    if constant_type(constant).dtype in INTEGERS and 0 in (constant_entries(constant) or ()):
        message = f"{label(node)}: expected no zeros in an integer divisor"
        related = [("defined here", graph.place(constant))]
        yield Problem(R.value_out_of_range, graph.place(node, "input:1"), message, node.name, None, related)


def _indices(graph: Graph, node: Node) -> Iterator[Problem]:
    """Report indices below 0, which onnx's inference refuses before opset 11."""
    source = node.inputs[0][0] if node.inputs else -1
    if source < 0 or graph.nodes[source].kind != "const":
        return
    from irlint.formats.onnx.dryrun.constant import constant_entries

    low = next((number for number in constant_entries(graph.nodes[source]) or () if number < 0), None)
    if low is not None:
        message = f"{label(node)}: expected `indices` of at least 0 before opset {_INDEXED}, got {low}"
        related = [("defined here", graph.place(graph.nodes[source]))]
        yield Problem(R.value_out_of_range, graph.place(node, "input:0"), message, node.name, None, related)


def _data(node: Node) -> TensorData | None:
    found = node.attrs.get("value") if node.kind == "const" else None
    return found if isinstance(found, TensorData) else None


def _of(graph: Graph, user: Node, k: int, constant: Node, data: TensorData, is_scale: bool) -> Iterator[Problem]:
    is_variance = user.op == "BatchNormalization" and k == 4
    if not (is_scale or is_variance) and data.is_finite():
        return
    if (numbers := data.floats()) is None:
        return
    is_finite = math.isfinite(sum(numbers))
    if is_finite and not (is_scale or is_variance):
        return
    at, what = graph.place(constant, "name"), _called(constant)
    related = [(f"used here by {label(user)}", graph.place(user, f"input:{k}"))]
    if not is_finite:
        nan = sum(1 for number in numbers if number != number)
        infinite = sum(1 for number in numbers if math.isinf(number))
        if nan or infinite:
            parts = [f"{number:,} {word}" for number, word in ((nan, "NaN"), (infinite, "infinite")) if number]
            message = f"{what} has {' and '.join(parts)} of {count(len(numbers), 'value')}"
            if infinite and data.dtype == "float16":
                message += "; numbers past 65504 overflow in float16"
            yield Problem(R.nan_weights, at, message, constant.name, None, related, Severity.WARNING)
            return
    if is_scale and (wrong := next((number for number in numbers if number <= 0), None)) is not None:
        message = f"expected scales above 0 in {what}, got {wrong:g}"
        severity = Severity.ERROR if k == _OUTPUT_SCALE and wrong == 0 else Severity.WARNING
        yield Problem(R.value_out_of_range, at, message, constant.name, None, related, severity)
    elif is_variance and min(numbers, default=0.0) < 0:
        message = f"expected variances of at least 0 in {what}, got {min(numbers):g}"
        yield Problem(R.value_out_of_range, at, message, constant.name, None, related, Severity.WARNING)


def _called(node: Node) -> str:
    return f"initializer {node.name!r}" if node.op == "Initializer" else label(node)
