"""Models written down as textual ONNX or by onnx.helper: what exporters seldom write. Nested graphs, functions, sequences, optionals, sparse and external tensors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper, parser

from oracle.onnx_bases import Builder

HEAD = '<ir_version: 10, opset_import: ["" : %d]>\n'
TEXTS: dict[str, tuple[int, str]] = {
    "if": (17, """g (bool c, float[2,3] x) => (float[2,3] y) {
        y = If (c) <then_branch = t () => (float[2,3] a) { a = Relu (x) }, else_branch = e () => (float[2,3] b) { b = Neg (x) }>
    }"""),
    "if-nested": (18, """g (bool c, bool d, float[N,3] x) => (float[N,3] y) <float one = {1.0}> {
        z = Add (x, one)
        y = If (c) <then_branch = t () => (float[N,3] a) { a = If (d) <then_branch = tt () => (float[N,3] p) { p = Mul (z, one) },
            else_branch = te () => (float[N,3] q) { q = Abs (z) }> }, else_branch = e () => (float[N,3] b) { b = Sub (x, z) }>
    }"""),
    "loop": (17, """g (float[2,3] x) => (float[2,3] y, float[5,2,3] ys) <int64 n = {5}, bool go = {1}> {
        y, ys = Loop (n, go, x) <body = b (int64 i, bool c, float[2,3] s) => (bool k, float[2,3] t, float[2,3] o) {
            k = Identity (c)
            f = Cast <to = 1> (i)
            t = Add (s, f)
            o = Sigmoid (t) }>
    }"""),
    "loop-while": (16, """g (int64 limit) => (int64 total) <bool go = {1}, int64 zero = {0}> {
        total = Loop ("", go, zero) <body = b (int64 i, bool c, int64 s) => (bool k, int64 t) {
            t = Add (s, i)
            k = Less (t, limit) }>
    }"""),
    "scan": (17, """g (float[2] s0, float[4,2] xs) => (float[2] s, float[4,2] ys) {
        s, ys = Scan <num_scan_inputs = 1, body = b (float[2] a, float[2] x) => (float[2] n, float[2] o) {
            n = Add (a, x)
            o = Mul (n, n) }> (s0, xs)
    }"""),
    "sequence": (17, """g (float[4,3] x) => (float[4,3] y, int64 n) <int64[2] parts = {1, 3}, int64 first = {0}> {
        s = SplitToSequence <axis = 0> (x, parts)
        n = SequenceLength (s)
        h = SequenceAt (s, first)
        t = SequenceInsert (s, h, first)
        u = SequenceErase (t, first)
        y = ConcatFromSequence <axis = 0> (u)
    }"""),
    "sequence-empty": (17, """g (float[2] a, float[3] b) => (float[5] y) {
        s = SequenceEmpty <dtype = 1> ()
        t = SequenceInsert (s, a)
        u = SequenceInsert (t, b)
        y = ConcatFromSequence <axis = 0> (u)
    }"""),
    "optional": (18, """g (float[2] x) => (float[2] y, bool h) {
        o = Optional (x)
        h = OptionalHasElement (o)
        y = OptionalGetElement (o)
    }"""),
    "strings": (20, """g (string[3] x) => (bool[3] y, string[3] z) <string[1] word = {"word1"}> {
        y = Equal (x, word)
        z = StringConcat (x, x)
    }"""),
    "constants": (13, """g (float[1,2,4,4] x) => (float[1,2,2,2] y) <float[2] scale = {1.0, 2.0}, float[2] bias = {0.5, 0.25}, float[2] mean = {0.0, 0.1}, float[2] var = {1.0, 2.0}> {
        n = BatchNormalization <epsilon: float = 1e-05> (x, scale, bias, mean, var)
        two = Constant <value_ints = [1, 1, 2, 2]> ()
        p = MaxPool <kernel_shape = [2, 2], strides = [2, 2], auto_pad = "NOTSET"> (n)
        to = Constant <value = int64[4] {1, 2, -1, 2}> ()
        y = Reshape (p, to)
    }"""),
    "shapes": (14, """g (float[N,3,8] x) => (float[N,24] y) <int64 zero = {0}, int64[1] rest = {-1}, int64[1] axes = {0}> {
        s = Shape (x)
        n = Gather <axis = 0> (s, zero)
        m = Unsqueeze (n, axes)
        t = Concat <axis = 0> (m, rest)
        y = Reshape (x, t)
    }"""),
    "shadow": (17, """g (bool c, float[2] x, float[2] w) => (float[2] y) {
        a = Add (x, w)
        r = If (c) <then_branch = t () => (float[2] b) { i = Mul (a, w)  b = Relu (i) }, else_branch = e () => (float[2] d) { j = Sub (a, w)  d = Tanh (j) }>
        y = Sigmoid (r)
    }"""),
    "resize": (19, """g (float[1,2,4,4] x) => (float[1,2,8,8] y, float[1,2,6,6] z) <float[4] by = {1.0, 1.0, 2.0, 2.0}, int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}, float v = {0.5}> {
        y = Resize <mode = "nearest", nearest_mode = "floor", coordinate_transformation_mode = "asymmetric"> (x, , by)
        z = Pad <mode = "constant"> (x, pads, v)
    }"""),
    "slices": (15, """g (float[2,6,8] x) => (float[2,2,4] y, float[2,3,8] a, float[2,3,8] b) <int64[2] starts = {1, 0}, int64[2] ends = {5, 8}, int64[2] axes = {1, 2}, int64[2] steps = {2, 2}, int64[2] parts = {3, 3}> {
        y = Slice (x, starts, ends, axes, steps)
        a, b = Split <axis = 1> (x, parts)
    }"""),
    "quantised": (13, """g (float[1,4] x) => (float[1,3] y) <float xs = {0.02}, uint8 xz = {128}, int8[4,3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, float[3] ws = {0.1, 0.2, 0.3}, int8[3] wz = {0, 0, 0}> {
        q = QuantizeLinear (x, xs, xz)
        d = DequantizeLinear (q, xs, xz)
        v = DequantizeLinear <axis = 1> (w, ws, wz)
        y = MatMul (d, v)
    }"""),
    "attention": (23, """g (float[1,4,6,8] q, float[1,2,6,8] k, float[1,2,6,8] v) => (float[1,4,6,8] y) { y = Attention <is_causal = 1> (q, k, v) }"""),
    "old": (6, """g (float[1,3] x) => (float[1,2] y) <float[3,2] w = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, float[2] b = {0.1, 0.2}> {
        r = Dropout <ratio = 0.5, is_test = 1> (x)
        m = MatMul (r, w)
        y = Add <axis = 1, broadcast = 1> (m, b)
    }"""),
    "einsum": (12, """g (float[2,3,4] x, float[2,4,5] w) => (float[2,3,5] y) { y = Einsum <equation = "bij,bjk->bik"> (x, w) }"""),
    "contrib": (17, """g (float[2,4] x, float[4] b) => (float[2,4] y) { f = BiasGelu (x, b)  y = Relu (f) }"""),
}  # fmt: skip


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    for name, (opset, text) in TEXTS.items():
        yield name, lambda path, row=(opset, text): _parsed(path, *row)
    for make in (
        function,
        function_in_function,
        sparse,
        external,
        external_shared,
        halves,
        int4,
        annotated,
        training_info,
    ):
        yield make.__name__.replace("_", "-"), lambda path, make=make: make(path)


def _parsed(path: Path, opset: int, text: str) -> None:
    model = parser.parse_model(HEAD % opset + text)
    for node in model.graph.node:
        if node.op_type == "BiasGelu":
            node.domain = "com.microsoft"
            model.opset_import.add(domain="com.microsoft", version=1)
    onnx.save(model, path)


def _model(
    nodes: list[Any], inputs: list[Any], outputs: list[Any], weights: dict[str, Any], opset: int = 18, **more: Any
) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes, "g", inputs, outputs, [numpy_helper.from_array(array, name) for name, array in weights.items()]
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset), *more.pop("imports", ())], ir_version=10, **more
    )


def _value(name: str, *shape: int | str, dtype: int = TensorProto.FLOAT) -> Any:
    return helper.make_tensor_value_info(name, dtype, shape)


def function(path: Path) -> None:
    text = """<ir_version: 10, opset_import: ["" : 17, "own" : 1]>
        g (float[2,3] x) => (float[2,3] y) { t = own.twice (x)  y = own.scaled <by: float = 0.5> (t) }
        <domain: "own", opset_import: ["" : 17]> twice (a) => (b) { b = Add (a, a) }
        <domain: "own", opset_import: ["" : 17]> scaled <by> (a) => (b) { c = Constant <value_float: float = @by> ()  b = Mul (a, c) }"""
    onnx.save(parser.parse_model(text), path)


def function_in_function(path: Path) -> None:
    text = """<ir_version: 10, opset_import: ["" : 18, "own" : 1]>
        g (float[2,3] x, bool c) => (float[2,3] y) { y = own.outer (x, c) }
        <domain: "own", opset_import: ["" : 18, "own" : 1]> outer (a, c) => (b) {
            i = own.inner (a)
            b = If (c) <then_branch = t () => (p) { p = Relu (i) }, else_branch = e () => (q) { q = Neg (i) }> }
        <domain: "own", opset_import: ["" : 18]> inner (a) => (b) { s = Sigmoid (a)  b = Mul (a, s) }"""
    onnx.save(parser.parse_model(text), path)


def sparse(path: Path) -> None:
    values = numpy_helper.from_array(np.array([1.0, 2.0, 3.0], np.float32), "w")
    places = numpy_helper.from_array(np.array([0, 5, 11], np.int64), "w_indices")
    model = _model([helper.make_node("MatMul", ["x", "w"], ["y"], "mm")], [_value("x", 2, 3)], [_value("y", 2, 4)], {})
    model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, places, [3, 4]))
    onnx.save(model, path)


def _convolutions() -> onnx.ModelProto:
    rng = np.random.default_rng(5)
    weights = {
        "w1": rng.normal(size=(4, 3, 3, 3)), "b1": rng.normal(size=4), "w2": rng.normal(size=(8, 2, 3, 3)), "b2": rng.normal(size=8), "fc": rng.normal(size=(5, 8)), "fb": rng.normal(size=5),
    }  # fmt: skip
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], "conv1", kernel_shape=[3, 3], pads=[1, 1, 1, 1]), helper.make_node("Relu", ["c1"], ["r1"], "relu1"),
        helper.make_node("Conv", ["r1", "w2", "b2"], ["c2"], "conv2", kernel_shape=[3, 3], strides=[2, 2], group=2), helper.make_node("GlobalAveragePool", ["c2"], ["p"], "pool"),
        helper.make_node("Flatten", ["p"], ["f"], "flatten", axis=1), helper.make_node("Gemm", ["f", "fc", "fb"], ["y"], "gemm", transB=1),
    ]  # fmt: skip
    return _model(
        nodes,
        [_value("x", "N", 3, 8, 8)],
        [_value("y", "N", 5)],
        {name: array.astype(np.float32) for name, array in weights.items()},
    )


def external(path: Path) -> None:
    onnx.save(
        _convolutions(),
        path,
        save_as_external_data=True,
        location=f"{path.stem}.data",
        size_threshold=16,
        convert_attribute=False,
    )


def external_shared(path: Path) -> None:
    """A file for each tensor."""
    model = _convolutions()
    for tensor in model.graph.initializer:
        data = path.with_name(f"{path.stem}-{tensor.name}.data")
        data.write_bytes(tensor.raw_data)
        onnx.external_data_helper.set_external_data(tensor, data.name)
        tensor.ClearField("raw_data")
    path.write_bytes(model.SerializeToString())


def halves(path: Path) -> None:
    weights = {"w": np.arange(12, dtype=np.float16).reshape(3, 4) / 12, "b": np.ones(4, np.float16)}
    nodes = [
        helper.make_node("Cast", ["x"], ["h"], "down", to=TensorProto.FLOAT16), helper.make_node("MatMul", ["h", "w"], ["m"], "mm"),
        helper.make_node("Add", ["m", "b"], ["a"], "add"), helper.make_node("Cast", ["a"], ["y"], "up", to=TensorProto.FLOAT),
    ]  # fmt: skip
    onnx.save(_model(nodes, [_value("x", 2, 3)], [_value("y", 2, 4)], weights), path)


def int4(path: Path) -> None:
    tensor = helper.make_tensor("w", TensorProto.INT4, [4, 4], list(range(-8, 8)))
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s"], ["d"], "dq", axis=0),
        helper.make_node("MatMul", ["x", "d"], ["y"], "mm"),
    ]
    model = _model(nodes, [_value("x", 2, 4)], [_value("y", 2, 4)], {"s": np.full(4, 0.1, np.float32)}, 21)
    model.graph.initializer.append(tensor)
    onnx.save(model, path)


def annotated(path: Path) -> None:
    """Metadata, documentation, value_info, quantisation annotations, an initializer that is an input."""
    model = _convolutions()
    model.graph.value_info.extend([_value("c1", "N", 4, 8, 8), _value("f", "N", 8)])
    model.graph.input.append(_value("w1", 4, 3, 3, 3))
    note = model.graph.quantization_annotation.add(tensor_name="c1")
    note.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="b1")
    helper.set_model_props(model, {"author": "nobody", "stage": "test"})
    model.doc_string, model.producer_name, model.graph.node[0].doc_string = "two lines\nof words", "hand", "the first"
    onnx.save(model, path)


def training_info(path: Path) -> None:
    model = _convolutions()
    info = model.training_info.add()
    info.algorithm.CopyFrom(
        helper.make_graph(
            [helper.make_node("Add", ["b1", "b1"], ["b1_new"], "step")], "algorithm", [], [_value("b1_new", 4)]
        )
    )
    info.update_binding.add(key="b1", value="b1_new")
    onnx.save(model, path)
