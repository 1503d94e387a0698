"""Small models for operators and versions of which onnx has no node tests, in ONNX's textual form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx

# Opset imports, inputs, outputs, initializers and nodes. Inputs are drawn.
TEXTS = (
    # Versions that read as attributes what are inputs today
    ('["":9]', "float[1,2,3,3] x, float[4] s", "float[N,C,H,W] y", "y = Upsample <mode=\"nearest\"> (x, s)"),
    ('["":7]', "float[1,2,3,3] x", "float[N,C,H,W] y", "y = Upsample <mode=\"nearest\", scales=[1.0,1.0,2.0,2.0]> (x)"),
    ('["":2]', "float[1,2,3,3] x", "float[N,C,H,W] y", "y = Pad <pads=[0,0,1,1,0,0,1,1]> (x)"),
    ('["":10]', "float[1,2,3,3] x", "float[N,C,H,W] y", "y = Pad <pads=[0,0,1,1,0,0,1,1]> (x)"),
    ('["":18]', "float[1,2,3,3] x", "float[N,C,H,W] y", "p = Constant <value = int64[8] {0,0,1,1,0,0,1,1}> () y = Pad (x, p)"),
    ('["":10]', "float[1,2,3,3] x", "float[N,C,H,W] y", "s = Constant <value = float[4] {1.0,1.0,2.0,2.0}> () y = Resize (x, s)"),
    ('["":11]', "float[1,2,3,3] x", "float[N,C,H,W] y",
     "r = Constant <value = float[8] {0.0,0.0,0.0,0.0,1.0,1.0,1.0,1.0}> () s = Constant <value = float[4] {1.0,1.0,2.0,2.0}> () y = Resize (x, r, s)"),
    ('["":13]', "float[1,2,3,3] x", "float[N,C,H,W] y",
     "r = Constant <value = float[8] {0.0,0.0,0.0,0.0,1.0,1.0,1.0,1.0}> () s = Constant <value = float[4] {1.0,1.0,2.0,2.0}> () y = Resize (x, r, s)"),
    ('["":19]', "float[1,2,3,3] x", "float[N,C,H,W] y",
     "r = Constant <value = float[8] {0.0,0.0,0.0,0.0,1.0,1.0,1.0,1.0}> () s = Constant <value = float[4] {1.0,1.0,2.0,2.0}> () y = Resize (x, r, s)"),
    ('["":16]', "float[1,1,3,3] x, float[1,2,2,2] g", "float[N,C,H,W] y", "y = GridSample (x, g)"),
    ('["":16]', "float[3,3] x, int64[2,3] i, float[2,3] u", "float[3,3] y", "y = ScatterElements (x, i, u)"),
    ('["":16]', "float[3,3] x, int64[2,1] i, float[2,3] u", "float[3,3] y", "y = ScatterND (x, i, u)"),
    ('["":9]', "float[2,5] x", "float[N,K] y, int64[N,K] i", "y, i = TopK <k=2, axis=1> (x)"),
    ('["":10]', "float[2,4] x", "float[N,A] y, float[N,B] z", "y, z = Split <axis=1, split=[2,2]> (x)"),
    ('["":10]', "float[2,4] x", "float[A,B] y", "y = ReduceSum <axes=[1]> (x)"),
    ('["":17]', "float[2,4] x", "float[A,B] y", "y = ReduceMean <axes=[1]> (x)"),
    *((f'["":{v}]', "float[2,4] x", "float[A,B] y", f"y = {op} <axes=[1]> (x)") for v in (10, 12)
      for op in ("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare")),
    ('["":10]', "float[2,1,4] x", "float[A,B] y", "y = Squeeze <axes=[1]> (x)"),
    ('["":12]', "float[2,1,4] x", "float[A,B] y", "y = Squeeze <axes=[1]> (x)"),
    ('["":10]', "float[2,4] x", "float[A,B,C] y", "y = Unsqueeze <axes=[1]> (x)"),
    *((f'["":{v}]', "float[2,3,4] x", "float y", f"y = {op} <axis=1> (x)") for v in (10, 12)
      for op in ("Softmax", "LogSoftmax", "Hardmax", "Flatten", "LpNormalization")),
    ('["":9]', "float[2,3,4] x", "float[A,B] y", "y = Flatten <axis=1> (x)"),
    *((f'["":{v}]', "float[2,3,4] x", "int64 y", f"y = {op} <axis=1> (x)") for v in (10, 12) for op in ("ArgMax", "ArgMin")),
    *((f'["":{v}]', "float[4,3,4] x, int64[2] i", "float y", "y = Gather <axis=1> (x, i)") for v in (10, 12)),
    *((f'["":{v}]', "float[2,3,4] x, bool[2] c", "float y", "y = Compress <axis=1> (x, c)") for v in (10, 12)),
    ('["":10]', "float[3,3] x, int64[2,3] i, float[2,3] u", "float[3,3] y", "y = Scatter <axis=0> (x, i, u)"),
    *((f'["":{v}]', "float[2,3] a, float[2,3] b", "float y", "y = Concat <axis=1> (a, b)") for v in (4, 10, 12)),
    ('["":6]', "float[2,3,4,4] x, float[3] s, float[3] b, float[3] m, float[3] v", "float[2,3,4,4] y", "y = BatchNormalization <is_test=1> (x, s, b, m, v)"),
    ('["":8]', "float[2,3,4,4] x, float[3] s, float[3] b, float[3] m, float[3] v", "float[2,3,4,4] y", "y = BatchNormalization <spatial=1> (x, s, b, m, v)"),
    ('["":9]', "float[2,3,4,4] x", "float[2,3,4,4] y", "y = Dropout <ratio=0.5> (x)"),
    # Operators without node tests
    ('["":16]', "float[1,2,6,6] x", "float y", "y = LpPool <kernel_shape=[2,2], strides=[2,2], pads=[0,0,0,0], p=2> (x)"),
    ('["":16]', "float[1,2,6,6] x", "float y", "y = GlobalLpPool <p=2> (x)"),
    ('["":16]', "float[1,2,6,6] x, float[1,5] r", "float y", "y = MaxRoiPool <pooled_shape=[2,2]> (x, r)"),
    ('["":16]', "float[1,4,6,6] x, float[4,2,3,3] w", "float y", "y = Conv <kernel_shape=[3,3], strides=[1,1], dilations=[1,1], pads=[0,0,0,0], group=2> (x, w)"),
    ('["":16]', "float[1,4,6,6] x, float[4,2,3,3] w", "float y",
     "y = ConvTranspose <kernel_shape=[3,3], strides=[2,2], dilations=[1,1], pads=[0,0,0,0], output_padding=[1,1], group=2> (x, w)"),
    ('["":16]', "float[1,4,6,6] x, float[4,2,3,3] w", "float y", "y = ConvTranspose <strides=[2,2], output_shape=[13,13]> (x, w)"),
    ('["":16]', "uint8[1,4,6,6] x, uint8[4,4,3,3] w", "int32 y", "y = ConvInteger <kernel_shape=[3,3], strides=[1,1], dilations=[1,1], pads=[0,0,0,0]> (x, w)"),
    ('["":16]', "float[1,4,6,6] x", "float y", "y = AveragePool <kernel_shape=[2,2], strides=[1,1], pads=[0,0,0,0]> (x)"),
    ('["":22]', "float[1,4,6,6] x", "float y", "y = AveragePool <kernel_shape=[2,2], strides=[1,1], dilations=[1,1], pads=[0,0,0,0]> (x)"),
    ('["":16]', "float[1,4,6,6] x", "float y", "y = MaxPool <kernel_shape=[2,2], strides=[1,1], dilations=[1,1], pads=[0,0,0,0]> (x)"),
    ('["":16]', "float[1,2,3,3] x", "float y", "y = LpNormalization <axis=1, p=2> (x)"),
    ('["":16]', "float[2,3] p", "int32 y", "y = Multinomial <sample_size=2, dtype=6> (p)"),
    ('["":16]', "float[3,1,4] x, float[1,8,4] w, float[1,8,8] r", "float y", "y = RNN <hidden_size=8, activations=[\"Tanh\"], clip=1.0, direction=\"forward\"> (x, w, r)"),
    ('["":16]', "float[3,1,4] x, float[1,32,4] w, float[1,32,8] r", "float y",
     "y = LSTM <hidden_size=8, activations=[\"Sigmoid\",\"Tanh\",\"Tanh\"], clip=1.0, direction=\"forward\"> (x, w, r)"),
    ('["":16]', "float[3,1,4] x, float[1,24,4] w, float[1,24,8] r", "float y",
     "y = GRU <hidden_size=8, activations=[\"Sigmoid\",\"Tanh\"], clip=1.0, direction=\"forward\"> (x, w, r)"),
    ('["":16]', "string[3] x", "string[N] y", "y = StringNormalizer <case_change_action=\"NONE\", is_case_sensitive=1, stopwords=[\"a\"]> (x)"),
    ('["":8]', "float[1,3,2] x", "float[1,3,2] y",
     "y = Scan <num_scan_inputs=1, directions=[0], body = b (float[2] i) => (float[2] o) { o = Relu(i) }> (, x)"),
    ('["":16]', "float[3,2] x", "float[3,2] y",
     "y = Scan <num_scan_inputs=1, scan_input_directions=[0], scan_output_directions=[0], body = b (float[2] i) => (float[2] o) { o = Relu(i) }> (x)"),
    ('["":16]', "float[1,2,6,6] x, float[1,4] r, int64[1] b", "float y", "y = RoiAlign <output_height=2, output_width=2, spatial_scale=1.0> (x, r, b)"),
    ('["":16]', "uint8[1,4,6,6] x, uint8[4,4,3,3] w", "uint8 y",
     "s = Constant <value = float {1.0}> () z = Constant <value = uint8 {0}> ()"
     " y = QLinearConv <kernel_shape=[3,3], strides=[1,1], dilations=[1,1], pads=[0,0,0,0], group=1, auto_pad=\"NOTSET\"> (x, s, z, w, s, z, s, z)"),
    ('["":19]', "float[1,4,6,6] x, float[4,4,3,3] w, float[1,18,4,4] o", "float y",
     "y = DeformConv <kernel_shape=[3,3], strides=[1,1], dilations=[1,1], pads=[0,0,0,0]> (x, w, o)"),
    ('["":16]', "float[1,1,2,2] x, int64[1,1,2,2] i", "float y", "y = MaxUnpool <kernel_shape=[2,2], strides=[2,2], pads=[0,0,0,0]> (x, i)"),
    ('["":16]', "float[3,3] x, int64[2,3] i", "float y", "y = GatherElements <axis=0> (x, i)"),
    ('["":18]', "float[4,3] x", "float[A,B] y, float[C,D] z", "y, z = Split <axis=0, num_outputs=2> (x)"),
    ('["":18]', "float[4,3] x", "float[A,B] y", "y = Split <axis=0, num_outputs=1> (x)"),
    ('["":16]', "float[4,3] x", "float[A] y", "i = Constant <value = int64[2] {0,1}> () d = Constant <value = int64 {3}> () v = Constant <value = float[2] {0.0,1.0}> () y = OneHot <axis=-1> (i, d, v)"),
    # ai.onnx.ml
    ('["":16,"ai.onnx.ml":3]', "float[2,3] x", "float[2,3] y", "y = ai.onnx.ml.Normalizer <norm=\"MAX\"> (x)"),
    ('["":16,"ai.onnx.ml":3]', "float[2,3] x", "float[N,M] y", "y = ai.onnx.ml.LinearRegressor <coefficients=[1.0,2.0,3.0], targets=1, post_transform=\"NONE\"> (x)"),
    ('["":16,"ai.onnx.ml":3]', "float[2,3] x", "int64[N] y, float[N,M] z",
     "y, z = ai.onnx.ml.LinearClassifier <coefficients=[1.0,2.0,3.0,1.0,1.0,1.0], intercepts=[0.0,0.0], classlabels_ints=[0,1], post_transform=\"NONE\"> (x)"),
    ('["":16,"ai.onnx.ml":3]', "float[2,3] x", "float[N,M] y",
     "y = ai.onnx.ml.SVMRegressor <kernel_type=\"LINEAR\", coefficients=[1.0], rho=[0.0], support_vectors=[1.0,2.0,3.0], n_supports=1, kernel_params=[1.0,0.0,3.0], post_transform=\"NONE\"> (x)"),
    ('["":16,"ai.onnx.ml":3]', "float[2,3] x", "int64[N] y, float[N,M] z",
     "y, z = ai.onnx.ml.SVMClassifier <kernel_type=\"LINEAR\", coefficients=[1.0,-1.0], rho=[0.0], support_vectors=[1.0,2.0,3.0,1.0,1.0,1.0], vectors_per_class=[1,1],"
     " kernel_params=[1.0,0.0,3.0], classlabels_ints=[0,1], post_transform=\"NONE\"> (x)"),
    ('["":16,"ai.onnx.ml":3]', "int64[3] x", "float[N,M] y", "y = ai.onnx.ml.OneHotEncoder <cats_int64s=[0,1,2], zeros=1> (x)"),
    ('["":16,"ai.onnx.ml":3]', "float[2,3] x", "float[N,M] y",
     "y = ai.onnx.ml.TreeEnsembleRegressor <n_targets=1, nodes_treeids=[0,0,0], nodes_nodeids=[0,1,2], nodes_featureids=[0,0,0], nodes_modes=[\"BRANCH_LEQ\",\"LEAF\",\"LEAF\"],"
     " nodes_values=[0.5,0.0,0.0], nodes_truenodeids=[1,0,0], nodes_falsenodeids=[2,0,0], target_treeids=[0,0], target_nodeids=[1,2], target_ids=[0,0], target_weights=[1.0,2.0],"
     " aggregate_function=\"SUM\", post_transform=\"NONE\"> (x)"),
    ('["":16,"ai.onnx.ml":3]', "float[2,3] x", "int64[N] y, float[N,M] z",
     "y, z = ai.onnx.ml.TreeEnsembleClassifier <nodes_treeids=[0,0,0], nodes_nodeids=[0,1,2], nodes_featureids=[0,0,0], nodes_modes=[\"BRANCH_LEQ\",\"LEAF\",\"LEAF\"],"
     " nodes_values=[0.5,0.0,0.0], nodes_truenodeids=[1,0,0], nodes_falsenodeids=[2,0,0], class_treeids=[0,0], class_nodeids=[1,2], class_ids=[0,1], class_weights=[1.0,2.0],"
     " classlabels_int64s=[0,1], post_transform=\"NONE\"> (x)"),
    # com.microsoft
    ('["":16,"com.microsoft":1]', "float[1,2,6,6] x, float[2,2,3,3] w", "float y",
     "y = com.microsoft.FusedConv <kernel_shape=[3,3], strides=[1,1], dilations=[1,1], pads=[0,0,0,0], activation=\"Relu\"> (x, w)"),
    ('["":16,"com.microsoft":1]', "float[1,6,6,2] x, float[2,3,3,2] w", "float y",
     "y = com.microsoft.NhwcConv <kernel_shape=[3,3], strides=[1,1], dilations=[1,1], pads=[0,0,0,0]> (x, w)"),
    ('["":16,"com.microsoft":1]', "float[1,16,6,6] x, float[16,16,3,3] w", "float y",
     "v = com.microsoft.nchwc.ReorderInput (x) z = com.microsoft.nchwc.Conv <kernel_shape=[3,3], strides=[1,1], dilations=[1,1], pads=[0,0,0,0], activation=\"Relu\"> (v, w)"
     " y = com.microsoft.nchwc.ReorderOutput <channels=16> (z)"),
    ('["":16,"com.microsoft":1]', "uint8[1,6,6,4] x", "uint8 y",
     "y = com.microsoft.NhwcMaxPool <kernel_shape=[2,2], strides=[1,1], dilations=[1,1], pads=[0,0,0,0], ceil_mode=0> (x)"),
    ('["":16,"com.microsoft":1]', "uint8[1,4,6,6] x", "uint8 y",
     "s = Constant <value = float {1.0}> () z = Constant <value = uint8 {0}> ()"
     " y = com.microsoft.QLinearAveragePool <kernel_shape=[2,2], strides=[1,1], pads=[0,0,0,0]> (x, s, z, s, z)"),
    ('["":16,"com.microsoft":1]', "uint8[1,6,6,4] x, uint8[4,4,3,3] w", "uint8 y",
     "s = Constant <value = float {1.0}> () z = Constant <value = uint8 {0}> ()"
     " y = com.microsoft.QLinearConv <channels_last=1, kernel_shape=[3,3], strides=[1,1], dilations=[1,1], pads=[0,0,0,0], group=1> (x, s, z, w, s, z, s, z)"),
    ('["":16,"com.microsoft":1]', "float[1,2,6,6] x, float[2,2,3,3] w, int64[4] p", "float y",
     "y = com.microsoft.ConvTransposeWithDynamicPads <kernel_shape=[3,3], strides=[2,2], dilations=[1,1], output_padding=[1,1]> (x, w, p)"),
    *(('["":16,"com.microsoft":1]', "float[1,16,6,6] x", "float y",
       f"v = com.microsoft.nchwc.ReorderInput (x) z = com.microsoft.nchwc.{op} <kernel_shape=[2,2], strides=[1,1], dilations=[1,1], pads=[0,0,0,0]> (v)"
       " y = com.microsoft.nchwc.ReorderOutput <channels=16> (z)") for op in ("AveragePool", "MaxPool")),
    ('["":16,"com.microsoft":1]', "float[3,3] a, float[3,3] b", "float y", "y = com.microsoft.FusedMatMul <transA=0, transB=0> (a, b)"),
    ('["":16,"com.microsoft":1]', "float[3,3] a, float[3,3] b, float[3] c", "float y", "y = com.microsoft.FusedGemm <activation=\"Relu\"> (a, b, c)"),
    ('["":16,"com.microsoft":1]', "float[2,3] a, float[4,3] b", "float y", "y = com.microsoft.CDist <metric=\"euclidean\"> (a, b)"),
    ('["":16,"com.microsoft":1]', "float[1,1,3,3] x, float[1,2,2,2] g", "float y", "y = com.microsoft.GridSample (x, g)"),
    ('["":16,"com.microsoft":1]', "float[3,3] x", "float y", "y = com.microsoft.Trilu (x)"),
    ('["":16,"com.microsoft":1]', "float[1,2,6,6] x", "float y", "p = Constant <value = int64[8] {0,0,1,1,0,0,1,1}> () y = com.microsoft.Pad <mode=\"constant\"> (x, p)"),
    ('["":16,"com.microsoft":1]', "float[1,2,8] q, float[1,2,8] k, float[1,2,8] v", "float y", "y = com.microsoft.MultiHeadAttention <num_heads=2> (q, k, v)"),
    ('["":16,"com.microsoft":1]', "float[1,2,8] x, float[8,24] w, float[24] b", "float y", "y = com.microsoft.Attention <num_heads=2> (x, w, b)"),
    ('["":16,"com.microsoft":1]', "float[1,2,8] q, float[1,2,8] k, float[1,2,8] v, float[1,2,0,4] pk, float[1,2,0,4] pv", "float y, float ok, float ov",
     "s = Constant <value = int32[1] {1}> () t = Constant <value = int32[1] {2}> () y, ok, ov = com.microsoft.GroupQueryAttention <num_heads=2, kv_num_heads=2> (q, k, v, pk, pv, s, t)"),
    ('["":16,"com.microsoft":1]', "float[2,32] a, uint8[4,2,8] b, float[8] s", "float y", "y = com.microsoft.MatMulNBits <K=32, N=4, bits=4, block_size=16> (a, b, s)"),
    ('["":16,"com.microsoft":1]', "float[1,2,2,4] x, int64[1,2] p, float[4,2] c, float[4,2] s", "float y", "y = com.microsoft.RotaryEmbedding <interleaved=0> (x, p, c, s)"),
)  # fmt: skip
TYPES = {
    "float": np.float32,
    "int64": np.int64,
    "uint8": np.uint8,
    "bool": np.bool_,
    "string": np.object_,
    "int32": np.int32,
}


def samples() -> Iterator[tuple[onnx.ModelProto, list[Any]]]:
    """Yield each model with data for its inputs."""
    for imports, inputs, outputs, nodes in TEXTS:
        if "com.microsoft.nchwc" in nodes:
            imports = imports.replace("}", "").replace("]", ',"com.microsoft.nchwc":1]')
        text = f"<ir_version: 8, opset_import: {imports}> g ({inputs}) => ({outputs}) {{ {nodes} }}"
        yield onnx.parser.parse_model(text), [drawn(word) for word in inputs.replace(", ", ";").split(";")]


def drawn(declared: str) -> Any:
    """Return data for an input: `float[2,3] x`."""
    kind, _, rest = declared.partition("[")
    shape = [int(n) for n in rest.partition("]")[0].split(",") if n]
    if kind == "float":
        return np.random.default_rng(7).random(shape, np.float32)
    if kind == "string":
        return np.full(shape, "a", object)
    return (
        np.ones(shape, TYPES[kind])
        if kind == "bool"
        else np.arange(np.prod(shape)).reshape(shape).astype(TYPES[kind]) % 2
    )
