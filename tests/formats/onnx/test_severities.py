"""What is an error because a checker or runtime refuses it, next to what is only a warning because all take it: onnx 1.23.2, onnxruntime 1.32, OpenVINO 2026.4."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.findings import Severity


def found(opset: int, graph: str, imports: str = "") -> list[str]:
    """Return the errors, and warnings after a `?`, without unused constants."""
    text = f'<\n   ir_version: 9,\n   opset_import: ["" : {opset}{imports}]\n>\n{graph}'
    result = engine.lint(text, "a.onnxtxt", as_format="onnx")
    kept = [one for one in result.findings if one.severity >= Severity.WARNING and one.code != "W004"]
    return [f"{'' if one.severity is Severity.ERROR else '?'}{one.code}" for one in kept]


_IF = (
    "g (float[2,3,1] x, float[2,3] y) => (float z) <bool c = {1}> { z = If (c) <then_branch: graph = t () => (float[2,3,1] a) { a = Relu (x) }, "
    "else_branch: graph = e () =>"
)


@pytest.mark.parametrize(
    ("opset", "graph", "expected"),
    [
        pytest.param(17, "g (float[2,3] x) => (float[2,-5] y) { y = Relu (x) }", ["A006"], id="a size below zero"),
        pytest.param(17, "g (float[n,3] x) => (float[-5,3] y) { y = Relu (x) }", ["?A006"], id="of an unknown one"),
        pytest.param(17, "g (float[2,3] x) => (float[3,2] y) { y = Transpose <perm: ints = []> (x) }", ["A007"], id="no axes"),
        pytest.param(17, "g (float x) => (float y) { y = Transpose <perm: ints = []> (x) }", [], id="no axes of a scalar"),
        pytest.param(17, "g (float[2,3] x) => (float[2,3] y) { y = Softmax <axis: int = 8589934592> (x) }", ["?A006"], id="32 bits of an axis"),
        pytest.param(11, "g (float[2,3] x) => (float[2,3] y) { y = Hardmax <axis: int = 4294967299> (x) }", ["?A006", "D004"], id="32 bits that are no axis"),
        pytest.param(17, "g (float[2,3] x) => (int32[2,3] y) { y = Cast <to: int = 4294967302> (x) }", ["?A006"], id="32 bits of a type"),
        pytest.param(17, "g (float[2,3] x) => (float[2,3] y) { y = Concat <axis: int = 8589934592> (x) }", ["D004"], id="64 bits of an axis"),
        pytest.param(17, "g (float[2,3] x) => (float[2,1] y) { y = GlobalMaxPool (x) }", ["D003"], id="pixels of rank 2"),
        pytest.param(17, "g (float[n,1,2] x, float[1,9,2] w, float[1,9,3] r, int64[3] s) => (float[1,1,4] h) { i = ConstantOfShape (s) y, h = GRU <hidden_size = 3> (x, w, r, , , i) }", ["D006"], id="a state that begins with a computed shape"),
        pytest.param(17, "g (float[2,3] x) => (float[2,3] y) { y = MeanVarianceNormalization (x) }", ["D004"], id="axes"),
        pytest.param(9, "g (float[2,3] x) => (float[2,3] y) { y = MeanVarianceNormalization (x) }", [], id="old axes"),
        pytest.param(17, "g (float[0,2] x) => (float[a,b] y) <int64[2] s = {0,-1}> { y = Reshape (x, s) }", ["D008"], id="0 next to -1"),
        pytest.param(17, "g (float[2,0] x) => (float[a,b] y) <int64[2] s = {0,-1}> { y = Reshape (x, s) }", ["?A006"], id="2 next to -1"),
        pytest.param(8, "g (float[2] x) => (int64[1] y) { y = Constant <value: tensor = int64[1] {1}> () }", ["D002"], id="integers"),
        pytest.param(9, "g (float[2] x) => (int64[1] y) { y = Constant <value: tensor = int64[1] {1}> () }", [], id="since opset 9"),
        pytest.param(17, "g (float[1,4,5,5] x) => (float[1,4,5,5] y) { y = LRN <size: int = 3, beta: float = 0.0> (x) }", ["A006"], id="beta"),
        pytest.param(17, "g (float[2] x) => (float[2] y) { y = LeakyRelu <alpha: float = inf> (x) }", ["?A006"], id="infinite"),
        pytest.param(17, "g (float[2,3] x) => (float[2,3] y) <float[3] s = {1.0,1.0,1.0}> { y = LayerNormalization <epsilno: float = 1.0> (x, s) }", ["?A001"], id="unchecked"),
        pytest.param(13, "g (float[1,1,2,2] x) => (float[1,1,4,4] y) <float[4] s = {1.0,1.0,2.0,2.0}> { y = Resize <nearest_mode: string = \"FLOOR\"> (x, , s) }", ["A005"], id="nearest"),
        pytest.param(13, "g (float[1,1,2,2] x) => (float[1,1,4,4] y) <float[4] s = {1.0,1.0,2.0,2.0}> { y = Resize <mode: string = \"linear\", nearest_mode: string = \"FLOOR\"> (x, , s) }", ["?A005"], id="linear"),
        pytest.param(13, "g (float[1,1,2,2] x) => (float[1,1,4,4] y) <float[4] s = {1.0,1.0,2.0,2.0}> { y = Resize <exclude_outside: int = 1> (x, , s) }", ["T006"], id="outside"),
        pytest.param(13, "g (float[1,1,2,2] x) => (float[1,1,4,4] y) <float[4] s = {1.0,1.0,2.0,2.0}> { y = Resize <coordinate_transformation_mode: string = \"tf_half_pixel_for_nn\"> (x, , s) }", [], id="a word of opset 11"),
        pytest.param(13, "g (float[1,1,2,2] x) => (float[1,1,4,4] y) <float[4] s = {1.0,1.0,2.0,2.0}> { y = Resize <coordinate_transformation_mode: string = \"half\"> (x, , s) }", ["A005"], id="no word"),
        pytest.param(17, "g (float[2,4] x) => (float[2,5] y) <float[4] s = {1.0,1.0,1.0,1.0}> { c = Relu (x) y = LayerNormalization (c, s) }", ["D006"], id="a shape that onnx's inference refuses"),
        pytest.param(17, "g (float[2,4] x) => (float[2,5] y) <float[4] s = {1.0,1.0,1.0,1.0}> { c = Relu (x) y = SimplifiedLayerNormalization (c, s) }", ["?D006"], id="a shape in a model that only onnxruntime takes"),
        pytest.param(17, "g (float[2,4] x) => (float[2,5] r, float[2,4] y) <float[4] s = {1.0,1.0,1.0,1.0}> { r = Relu (x) y = SimplifiedLayerNormalization (x, s) }", ["?D006"], id="a shape before what only onnxruntime takes"),
        pytest.param(17, "g (float[2,4] x) => (float[2,4] y) <float c> { c = Constant <value_floats: floats = [1.0,1.0,1.0,1.0]> () y = LayerNormalization (x, c) }", ["D006"], id="a shape of a constant"),
        pytest.param(17, "g (float[2,4] x) => (float[2,4] y) <float c> { c = Constant <value_floats: floats = [1.0,1.0,1.0,1.0]> () y = SimplifiedLayerNormalization (x, c) }", [], id="a shape of a constant for onnxruntime alone"),
        pytest.param(17, "g (uint8[2,2] x) => (float[2,2] y) <float[2] s = {-0.1,0.5}> { y = DequantizeLinear (x, s) }", [], id="a scale below zero"),
        pytest.param(17, "g (uint8[2,2] x) => (float[2,2] y) <float[2] s = {-0.1,0.0}> { y = DequantizeLinear (x, s) }", ["?A006"], id="a scale of zero"),
        pytest.param(17, "g (float[2,2] x) => (uint8[2,2] y) <float s = {-0.1}> { y = QuantizeLinear (x, s) }", ["?A006"], id="to quantize by a scale below zero"),
        pytest.param(17, "g (uint8[2,2] x) => (float[2,2] y) <float s = {nan}> { y = DequantizeLinear (x, s) }", ["?W006"], id="a scale"),
        pytest.param(17, "g (uint8[2,2] x) => (float[2,2] y) <float s = {nan}> { d = DequantizeLinear (x, s) y = MatMul (d, d) }", ["?W006"], id="a scale of a product"),
        pytest.param(18, "g (float[2,3,4] x, int64[1] a) => (float[2,3] y) { y = ReduceSum (x, a) }", ["?D006"], id="a rank that onnx does not know"),
        pytest.param(18, "g (float[2,3] x, int64[2] a) => (float[2] y) { y = Tile (x, a) }", ["D006"], id="a rank that onnx knows"),
        pytest.param(18, f"{_IF} (float[2,3] b) {{ b = Neg (y) }}> }}", ["?D006"], id="branches of unlike ranks"),
        pytest.param(18, f"{_IF} (float[2,3,1] b) {{ b = Neg (x) }}> }}", ["D006"], id="branches of one rank"),
        pytest.param(13, "g (float[2,3] x, int64[2] s) => (float[a,5] y) <float[4,6] w> { r = Reshape (x, s) y = MatMul (r, w) }".replace("float[4,6] w>", "float[4,6] w = {" + ",".join("1" * 24) + "}>"), ["?D006"], id="a product of unknown rank"),
        pytest.param(17, "g (float[a,b,4] x) => (float[a,b,5] y) <float[4,6] w> { t = Where (c, x, x) y = MatMul (t, w) }".replace("x)", "x, bool[1] c)", 1).replace("float[4,6] w>", "float[4,6] w = {" + ",".join("1" * 24) + "}>"), ["D006"], id="the last size of a product"),
        pytest.param(17, "g (float[2,3] x) => (float[1,3] y, float[1,3] z) <int64 n = {0}, int64 o = {1}, int64 t = {2}, int64[1] a = {0}> { y = Slice (x, n, o, a) z = Slice (x, o, t, a) }", ["?D003", "?D003"], id="slices of one value"),
        pytest.param(17, "g (float[2,3] x) => (float[1,3] y) <int64 n = {0}, int64 o = {1}, int64[1] a = {0}> { y = Slice (x, n, o, a) }", ["D003"], id="a slice alone"),
        pytest.param(17, "g (float[2] x, optional(float[2]) o) => (bool[2] y) { y = Not (o) }", ["D002"], id="an optional value"),
        pytest.param(21, "g (float[3,4,2,2] x, float[4] s) => (float[3,4,2] y) { y = GroupNormalization <num_groups: int = 2> (x, s, s) }", ["?D006"], id="a rank that onnx does not infer"),
        pytest.param(10, "g (float[2,3] x, bool[2] c) => (float[2] y) { y = Compress <axis: int = 0> (x, c) }", ["?D006"], id="nor before opset 11"),
        pytest.param(11, "g (float[2,3] x, bool[2] c) => (float[2] y) { y = Compress <axis: int = 0> (x, c) }", ["D006"], id="since opset 11"),
        pytest.param(11, "g (float[2,3] x, bool[2] c) => (float[2,4] y) { y = Compress <axis: int = 0> (x, c) }", ["D006"], id="an axis that is not counted"),
        pytest.param(13, "g (float[3,3] x) => (float[3,3] y, int64[1,2] z) <float[3] c = {1.0,1.0,1.0}> { z = NonZero (c) y = Relu (x) }", ["?D006"], id="a count"),
        pytest.param(11, "g (float[1,6,4] b, float[1,1,6] s) => (int64[2,3] y) <int64[1] m = {0}> { y = NonMaxSuppression (b, s, m) }", ["?D006"], id="no boxes"),
        pytest.param(11, "g (float[1,6,4] b, float[1,1,6] s) => (int64[2] y) <int64[1] m = {1}> { y = NonMaxSuppression (b, s, m) }", ["D006"], id="the rank of boxes"),
        pytest.param(20, "g (float[2,2,3] x) => (float[2,5,6,2] y) <int64[4] s = {2,-1,5,6}> { y = AffineGrid (x, s) }", [], id="channels of a grid"),
        pytest.param(20, "g (float[2,2,3] x) => (float[2,5,6,2] y) <int64[4] s = {2,3,0,6}> { y = AffineGrid (x, s) }", ["A006"], id="no rows of a grid"),
        pytest.param(12, "g (float[2] x, float[1] r) => (float[2] y) { y = Dropout (x, r) }", ["D003"], id="a list as ratio"),
        pytest.param(12, "g (float[2] x, float r, bool[n] t) => (float[2] y) { y = Dropout (x, r, t) }", ["D003"], id="a list as mode"),
        pytest.param(12, "g (float[2] x, float r, bool t) => (float[2] y) { y = Dropout (x, r, t) }", [], id="scalars"),
        pytest.param(13, "g (float[2,2] x) => (float[a,b] y) <int64[2] r = {2,-1}> { y = Tile (x, r) }", ["A006"], id="repeats below zero"),
        pytest.param(24, "g (float[3,0] x) => (float[a,b] y, int64[a,b] z) <int64[1] k = {3}> { y, z = TopK (x, k) }", ["A006"], id="k of an empty axis"),
        pytest.param(9, "g (float[3,0] x) => (float[a,b] y, int64[a,b] z) { y, z = TopK <k: int = 3> (x) }", [], id="k before opset 10"),
        pytest.param(13, "g (int64[2] x) => (int64[2] y) <int64[2] k = {3,0}> { y = Div (x, k) }", ["A006"], id="an integer divided by 0"),
        pytest.param(13, "g (int64[2] x) => (int64[2] y) { k = Constant <value_ints: ints = [3,0]> () y = Mod (x, k) }", ["A006"], id="modulo 0"),
        pytest.param(13, "g (float[2] x) => (float[2] y) <float[2] k = {3.0,0.0}> { y = Div (x, k) }", [], id="a number divided by 0"),
        pytest.param(13, "g (int64[2] x, int64[2] k) => (int64[2] y) <int64[2] k = {3,0}> { y = Div (x, k) }", [], id="0 as default of an input"),
        pytest.param(9, "g (float[2] v) => (float[a,b] y) <int64[2] i = {5,-6}, float d = {5.0}> { y = OneHot (i, d, v) }", ["A006"], id="indices below zero"),
        pytest.param(11, "g (float[2] v) => (float[a,b] y) <int64[2] i = {5,-6}, float d = {5.0}> { y = OneHot (i, d, v) }", [], id="since opset 11 from the end"),
        pytest.param(20, "g (float[1,9,2] x) => (float[1,9,2] y) <int64[1] a = {1}> { y = DFT (x, , a) }", ["D003"], id="a constant list as axis"),
        pytest.param(20, "g (float[1,9,2] x, int64[1] a) => (float[1,b,2] y) { y = DFT (x, , a) }", [], id="a list as axis"),
        pytest.param(23, "g (float[1,2,3,4] x) => (float[1,2,3,4] y) { y = Attention <scale: float = 0.0> (x, x, x) }", ["A006"], id="attention scaled by 0"),
        pytest.param(23, "g (float[1,2,3,4] x) => (float[1,2,3,4] y) { y = Attention <scale: float = 0.5> (x, x, x) }", [], id="attention scaled"),
        pytest.param(27, "g (float[2,4,32] q, float[2,4,16] k, float[2,4,2] d, float[2,4,1] b) => (float[2,4,32] o, float[2,2,8,8] s) { o, s = LinearAttention <q_num_heads: int = 4, kv_num_heads: int = 2> (q, k, k, , d, b) }", [], id="a recurrence"),
        pytest.param(27, "g (float[2,4,32] q, float[2,4,16] k, float[2,4,2] d) => (float[2,4,32] o, float[2,2,8,8] s) { o, s = LinearAttention <q_num_heads: int = 4, kv_num_heads: int = 2> (q, k, k, , d) }", ["O002"], id="a recurrence without its rate"),
        pytest.param(27, "g (float[2,4,32] q, float[2,4,16] k, float[2,4,2] d) => (float[2,4,32] o, float[2,2,8,8] s) { o, s = LinearAttention <q_num_heads: int = 4, kv_num_heads: int = 2, update_rule: string = \"linear\"> (q, k, k, , d) }", ["O002"], id="a decay that the rule does not know"),
        pytest.param(27, "g (float[2,4,32] q, float[2,3,16] k) => (float[2,4,32] o, float[2,2,8,8] s) { o, s = LinearAttention <q_num_heads: int = 4, kv_num_heads: int = 2, update_rule: string = \"linear\"> (q, k, k) }", ["D001"], id="a recurrence of other lengths"),
        pytest.param(27, "g (float[2,4,32] q, float[2,n,16] k, float[2,4,7] d) => (float[2,4,32] o, float[2,2,8,8] s) { o, s = LinearAttention <q_num_heads: int = 4, kv_num_heads: int = 2, update_rule: string = \"gated\"> (q, k, k, , d) }", ["D001"], id="a decay of another width"),
        pytest.param(27, "g (float[2,3,7] x, float[3,1,2] w, float[n,3,1] p) => (float[2,3,7] y, float[2,3,1] s) { y, s = CausalConvWithState (x, w, , p) }", [], id="a state"),
        pytest.param(27, "g (float[2,3,7] x, float[3,1,2] w, float[2,3,2] p) => (float[2,3,7] y, float[2,3,1] s) { y, s = CausalConvWithState (x, w, , p) }", ["D001"], id="a state of another length"),
        pytest.param(16, "g (float[2,5] x, float[3,2] u) => (float[2,5] y) <int64[3,2] i = {0,-2,1,1,1,0}> { y = ScatterElements (x, i, u) }", [], id="more updates than rows"),
        pytest.param(16, "g (float[2,5] x, float[3,2] u) => (float[2,5] y) <int64[3,2] i = {0,-3,1,1,1,0}> { y = ScatterElements (x, i, u) }", ["A006"], id="an update past the end"),
        pytest.param(16, "g (float[2,5] x, float[2,6] u, int64[2,6] i) => (float[2,5] y) { y = ScatterElements (x, i, u) }", ["D001"], id="updates past the end of another axis"),
        pytest.param(16, "g (float[2,4] x, float[2] u) => (float[2,4] y) { i = Constant <value: tensor = int64[2,2] {0,3,2,1}> () y = ScatterND (x, i, u) }", ["A006"], id="coordinates past the end"),
        pytest.param(16, "g (float[n,4] x, float[2] u) => (float[n,4] y) { i = Constant <value: tensor = int64[2,2] {0,3,2,1}> () y = ScatterND (x, i, u) }", [], id="coordinates of an open size"),
        pytest.param(13, "g (float[2,4] x) => (float[2] y) <int64[2,1] i = {-4,4}> { y = GatherND <batch_dims: int = 1> (x, i) }", ["A006"], id="a place past the end"),
        pytest.param(13, "g (float[2,0] x) => (float[2,0] y) <int64[2,1] i = {0,3}> { y = GatherND (x, i) }", [], id="places of empty slices"),
        pytest.param(13, "g (float[2,2] x) => (float[1,2] y) <int64[1,2] i = {0,2}> { y = GatherElements (x, i) }", ["A006"], id="an element past the end"),
        pytest.param(21, "g (uint8[2,4] a, float s, uint8 z, uint8[4,3] b, float[1,3] t, uint8[3] w) => (uint8[2,3] y) { y = QLinearMatMul (a, s, z, b, t, w, s, z) }", [], id="a scale per column"),
        pytest.param(21, "g (uint8[2,4] a, float s, uint8 z, uint8[4,3] b, float[4] t, uint8 w) => (uint8[2,3] y) { y = QLinearMatMul (a, s, z, b, t, w, s, z) }", ["D001"], id="a scale per row"),
        pytest.param(10, "g (uint8[2,4] a, uint8[4,3] b, uint8[2] z) => (int32[2,3] y) { y = MatMulInteger (a, b, z) }", [], id="a zero point per row"),
        pytest.param(10, "g (uint8[2,4] a, uint8[4,3] b, uint8[3] z) => (int32[2,3] y) { y = MatMulInteger (a, b, z) }", ["D001"], id="more zero points than rows"),
        pytest.param(10, "g (int8[2,n] a, uint8[4,3] b, int8[2,m] z) => (int32[2,3] y) { y = MatMulInteger (a, b, z) }", [], id="a zero point for each number"),
        pytest.param(10, "g (uint8[1,1,3,3] x, uint8[2,1,2,2] w, uint8 z, uint8[2] v) => (int32[1,2,2,2] y) { y = ConvInteger (x, w, z, v) }", [], id="a zero point per channel"),
        pytest.param(10, "g (uint8[1,1,3,3] x, float[1] s, uint8 z, uint8[2,1,2,2] w, float[2] t, uint8[1] v) => (uint8[1,2,2,2] y) { y = QLinearConv (x, s, z, w, t, v, s, z) }", [], id="a scale per channel"),
        pytest.param(10, "g (uint8[1,1,3,3] x, float[1] s, uint8 z, uint8[2,1,2,2] w, float[3] t, uint8[1] v) => (uint8[1,2,2,2] y) { y = QLinearConv (x, s, z, w, t, v, s, z) }", ["D001"], id="more scales than channels"),
        pytest.param(10, "g (uint8[1,1,3,3] x, float[2] s, uint8 z, uint8[2,1,2,2] w, float[2] t, uint8[1] v) => (uint8[1,2,2,2] y) { y = QLinearConv (x, s, z, w, t, v, s, z) }", ["D003"], id="a scale per channel of the input"),
        pytest.param(22, "g (float[1,1,3,3] x, float[1,2,3,3] w) => (float[1,2,8,8] y) { y = ConvTranspose <output_padding: ints = [1, 1], strides: ints = [2, 2]> (x, w) }", [], id="padding of the output"),
        pytest.param(22, "g (float[1,1,3,3] x, float[1,2,3,3] w) => (float[1,2,6,6] y) { y = ConvTranspose <output_padding: ints = [1, 1]> (x, w) }", ["A006"], id="padding of a whole stride"),
        pytest.param(22, "g (float[1,1,3,3] x, float[1,2,3,3] w) => (float[1,2,11,8] y) { y = ConvTranspose <output_shape: ints = [11, 8], strides: ints = [3, 2]> (x, w) }", [], id="an output with a rest"),
        pytest.param(22, "g (float[1,1,3,3] x, float[1,2,3,3] w) => (float[1,2,12,8] y) { y = ConvTranspose <output_shape: ints = [12, 8], strides: ints = [3, 2]> (x, w) }", ["A006"], id="an output out of reach"),
        pytest.param(22, "g (float[1,1,n,3] x, float[1,2,3,3] w) => (float[1,2,12,8] y) { y = ConvTranspose <output_shape: ints = [12, 8], strides: ints = [3, 2]> (x, w) }", [], id="an output of an open size"),
        pytest.param(22, "g (float[1,1,1,1] x, float[1,2,3,3] w) => (float[1,2,a,b] y) { y = ConvTranspose <pads: ints = [2, 2, 1, 1]> (x, w) }", ["D005"], id="an output that is all padding"),
        pytest.param(22, "g (float[1,1,6] x, float[1,1,2] w) => (float[1,1,17] y) { y = ConvTranspose <auto_pad: string = \"SAME_UPPER\", strides: ints = [3]> (x, w) }", [], id="windows apart"),
        pytest.param(22, "g (float[1,1,6] x, float[1,1,2] w) => (float[1,1,18] y) { y = ConvTranspose <auto_pad: string = \"SAME_UPPER\", strides: ints = [3]> (x, w) }", ["D006"], id="windows apart, and more"),
        pytest.param(22, "g (float[1,1,6] x, float[1,1,4] w) => (float[1,1,19] y) { y = ConvTranspose <auto_pad: string = \"SAME_UPPER\", strides: ints = [3], output_padding: ints = [1]> (x, w) }", ["?D006"], id="padding that onnx adds"),
        pytest.param(17, "g (float[1,128,1] x, float[16] w) => (float[1,15,16,2] y) <int64 s = {8}> { y = STFT (x, s, w) }", ["?D006"], id="both sides by inference"),
        pytest.param(17, "g (float[2] x) => (float[2] y, int64[3,1] z) <int64 n = {3}, bool c = {1}> { y, z = Loop (n, c, x) <body: graph = b (int64[1] i, bool k, float[2] s) => (bool k2, float[2] s2, int64[1] j) { k2 = Identity (k) s2 = Add (s, s) j = Neg (i) }> }", [], id="a turn as a list"),
        pytest.param(17, "g (float[2] x) => (float[2] y, int64[3,1] z) <int64 n = {3}, bool c = {1}> { y, z = Loop (n, c, x) <body: graph = b (int64 i, bool k, float[2] s) => (bool k2, float[2] s2, int64 j) { k2 = Identity (k) s2 = Add (s, s) j = Neg (i) }> }", ["D006"], id="a turn as a scalar"),
        pytest.param(14, "g (float[3,2,4] x, float[1,15,4] w, float[1,15,5] r) => (float[3,1,2,5] y) { y = GRU <hidden_size: int = 5, direction: string = \"forward\", activations: strings = [\"Tanh\"]> (x, w, r) }", ["A007"], id="activations of a GRU"),
        pytest.param(14, "g (float[3,2,4] x, float[2,20,4] w, float[2,20,5] r) => (float[3,2,2,5] y) { y = LSTM <hidden_size: int = 5, direction: string = \"bidirectional\", activations: strings = [\"Tanh\", \"Tanh\", \"Tanh\", \"Tanh\", \"Tanh\", \"Tanh\"]> (x, w, r) }", [], id="activations of both directions"),
        pytest.param(14, "g (float[3,2,4] x, float[2,20,4] w, float[2,20,5] r) => (float[3,2,2,5] y) { y = LSTM <hidden_size: int = 5, direction: string = \"bidirectional\", activations: strings = [\"Tanh\", \"Tanh\", \"Tanh\"]> (x, w, r) }", ["A007"], id="activations of one direction"),
        pytest.param(14, "g (float[3,2,4] x, float[1,5,4] w, float[1,5,5] r) => (float[3,1,2,5] y) { y = RNN <hidden_size: int = 5, direction: string = \"reverse\", activations: strings = [\"Tanh\", \"Tanh\"]> (x, w, r) }", [], id="activations of an RNN"),
        pytest.param(22, "g (float[2] x) => (float[2] y) <float r = {1.0}, bool t = {1}> { y = Dropout (x, r, t) }", ["A006", "?O601"], id="a ratio of all"),
        pytest.param(22, "g (float[2] x) => (float[2] y) <float r = {1.0}> { y = Dropout (x, r) }", [], id="a ratio without a mode"),
        pytest.param(13, "g (float[3,5] x) => (float y) <int64[3] t = {1,4,5}> { y = NegativeLogLikelihoodLoss (x, t) }", ["A006"], id="a class past the end"),
        pytest.param(13, "g (float[3,5] x) => (float y) <int64[3] t = {-5,4,9}> { y = SoftmaxCrossEntropyLoss <ignore_index: int = 9> (x, t) }", [], id="an ignored class"),
        pytest.param(20, "g (float[1,1,3,0] x, float[1,2,4,2] s) => (float[1,1,2,4] y) { y = GridSample (x, s) }", ["D001"], id="a grid over no pixels"),
        pytest.param(20, "g (float[0,1,3,2] x, float[0,2,4,2] s) => (float[0,1,2,4] y) { y = GridSample (x, s) }", [], id="a grid of no batches"),
        pytest.param(24, "g (float[2,4,5] c, float[2,2,5] u) => (float[2,4,5] y) <int64[2] i = {1,3}> { y = TensorScatter (c, u, i) }", ["A006"], id="a cache that is full"),
        pytest.param(24, "g (float[2,4,5] c, float[2,2,5] u) => (float[2,4,5] y) <int64[2] i = {1,3}> { y = TensorScatter <mode: string = \"circular\"> (c, u, i) }", [], id="a circular cache"),
        pytest.param(24, "g (float[2,4,5] c, float[2,n,5] u) => (float[2,4,5] y) <int64[2] i = {1,4}> { y = TensorScatter (c, u, i) }", [], id="an open number of rows"),
        pytest.param(24, "g (float[2,4,5] c, float[2,5,5] u) => (float[2,4,5] y) { y = TensorScatter (c, u) }", ["D001"], id="more rows than the cache has"),
        pytest.param(11, "g (float[1,6,4] b, float[1,1,6] s) => (int64[n,3] y) <int64[1] m = {1}, float[1] t = {1.5}> { y = NonMaxSuppression (b, s, m, t) }", ["A006"], id="an overlap above 1"),
        pytest.param(17, "g (float[1,128,1] x) => (float[1,a,b,2] y) <int64 s = {0}, int64 l = {16}> { y = STFT (x, s, , l) }", ["A006"], id="frames without a step"),
        pytest.param(17, "g (float[1,128] x, int64 s, int64 l) => (float[1,a,b,2] y) { y = STFT (x, s, , l) }", [], id="frames of an open length"),
        pytest.param(23, "g (float[2,4,3,8] x, float[50,2] c) => (float[2,4,3,8] y) <int64[2,3] p = {9,47,36,24,11,50}> { y = RotaryEmbedding <rotary_embedding_dim: int = 4> (x, c, c, p) }", ["A006"], id="a position past the cache"),
        pytest.param(23, "g (float[2,4,3,8] x, float[n,2] c) => (float[2,4,3,8] y) <int64[2,3] p = {9,47,36,24,11,50}> { y = RotaryEmbedding <rotary_embedding_dim: int = 4> (x, c, c, p) }", [], id="a cache of an open length"),
        pytest.param(23, "g (float[2,4,3,2] x, float[50,2] c, int64[2,3] p) => (float[2,4,3,2] y) { y = RotaryEmbedding <rotary_embedding_dim: int = 4> (x, c, c, p) }", ["A006"], id="more angles than a head has"),
        pytest.param(10, "g (float[4,2] x) => (float[4,2] y) <int64[2] l = {0,4}> { y = ReverseSequence (x, l) }", [], id="sequences of all lengths"),
        pytest.param(10, "g (float[4,2] x) => (float[4,2] y) <int64[2] l = {0,5}> { y = ReverseSequence (x, l) }", ["A006"], id="a sequence that is too long"),
        pytest.param(14, "g (float x, int32 a) => (float y) { y = CumSum (x, a) }", ["D003"], id="a sum up to a scalar"),
        pytest.param(13, "g (float[0,2] x) => (int64[1,2] y) { y = ArgMax (x) }", ["D001"], id="the largest of none"),
        pytest.param(13, "g (float[0,2] x) => (int64[0,1] y) { y = ArgMax <axis: int = 1> (x) }", [], id="the largest of each of none"),
        pytest.param(22, "g (float[1,1,2,2] x) => (float[1,1,5,5] y) <int64[1,1,2,2] i = {5,7,13,24}, int64[4] s = {1,1,5,5}> { y = MaxUnpool <kernel_shape: ints = [2, 2], strides: ints = [2, 2]> (x, i, s) }", [], id="places in a larger image"),
        pytest.param(22, "g (float[1,1,2,2] x) => (float[1,1,3,3] y) <int64[1,1,2,2] i = {5,7,8,9}> { y = MaxUnpool <kernel_shape: ints = [2, 2]> (x, i) }", ["A006"], id="a place past the image"),
        pytest.param(22, "g (float[1,1,2,2] x, int64[1,1,2,2] i) => (float[1,1,3,3] y) <int64[4] s = {1,1,3,3}> { y = MaxUnpool <kernel_shape: ints = [2, 2], strides: ints = [2, 2]> (x, i, s) }", ["A006"], id="an image that is too small"),
        pytest.param(22, "g (float[0,1,3,0] x) => (float[0,1,1,1] y) { y = GlobalAveragePool (x) }", [], id="the mean of no batches"),
        pytest.param(22, "g (float[1,1,3,0] x) => (float[1,1,1,1] y) { y = GlobalAveragePool (x) }", ["D001"], id="the mean of no pixels"),
        pytest.param(22, "g (float[1,1,5,5] x) => (float[1,1,3,3] y) { y = MaxPool <auto_pad: string = \"\", kernel_shape: ints = [3, 3]> (x) }", ["?A005"], id="padding without a name"),
        pytest.param(23, "g (float16[2,3] x, float[3] w) => (float[2,3] y) { y = RMSNormalization (x, w) }", ["D002"], id="a scale of another type"),
        pytest.param(20, "g (string[2] x) => (bool[2] y) { y = RegexFullMatch (x) }", ["A002"], id="no pattern"),
        pytest.param(13, "g (float[0,3] x) => (float[0,5] y) <int64[4] p = {0,1,0,1}> { y = Pad <mode: string = \"edge\"> (x, p) }", [], id="edges of nothing"),
        pytest.param(13, "g (float[1,3] x) => (float[a,5] y) <int64[4] p = {0,1,-1,1}> { y = Pad <mode: string = \"edge\"> (x, p) }", ["D005"], id="edges that are cut off"),
        pytest.param(11, "g (float[3,2] x) => (float[3,2] y) <bool[2] c = {0,1}> { y = Compress <axis: int = 0> (x, c) }", ["?D006"], id="a count of a constant"),
        pytest.param(23, "g (float[2,3,4,8] x, float[2,3,6,8] k, float[6] m) => (float[2,3,4,8] y) { y = Attention (x, k, k, m) }", ["D001"], id="a mask without rows"),
        pytest.param(25, "g (float[2,3,4,8] x, float[2,3,6,8] k, float[6] m) => (float[2,3,4,8] y) { y = Attention (x, k, k, m) }", [], id="a mask that a function takes"),
        pytest.param(23, "g (float[2,3,4,8] x, float[2,3,6,8] k, float[2,3,6,0] v) => (float[2,3,4,0] y) { y = Attention (x, k, v) }", ["D001"], id="attention to nothing"),
        pytest.param(24, "g (float[2,3,4,8] x, float[2,3,6,8] k) => (float[2,3,4,8] y) <int64[2] n = {0,6}> { y = Attention (x, k, k, , , , n) }", [], id="lengths of all kinds"),
        pytest.param(24, "g (float[2,3,4,8] x, float[2,3,6,8] k) => (float[2,3,4,8] y) <int64[2] n = {0,7}> { y = Attention (x, k, k, , , , n) }", ["A006"], id="a length past the keys"),
        pytest.param(24, "g (float[2,3,4,8] x, float[2,3,6,8] k, int64[2] n) => (float[2,3,4,8] y, float[2,3,12,8] p, float[2,3,12,8] q) { y, p, q = Attention (x, k, k, , k, k, n) }", ["O002"], id="lengths next to a cache"),
        pytest.param(14, "g (float[3,5,2] x, float[1,24,2] w, float[1,24,6] r, float[3,1,6] h) => (float[3,5,1,6] y) { y = LSTM <hidden_size: int = 6, layout: int = 1> (x, w, r, , , h) }", [], id="batches first"),
        pytest.param(14, "g (float[3,5,2] x, float[1,24,2] w, float[1,24,6] r, float[1,3,6] h) => (float[3,5,1,6] y) { y = LSTM <hidden_size: int = 6, layout: int = 1> (x, w, r, , , h) }", ["D001"], id="batches first except in the state"),
        pytest.param(16, "g (float[2,1,4,4] x, float[2,4] r) => (float[2,1,1,1] y) <int64[2] b = {0,2}> { y = RoiAlign (x, r, b) }", ["A006"], id="a region of another image"),
        pytest.param(16, "g (float[n,1,4,4] x, float[2,4] r) => (float[2,1,1,1] y) <int64[2] b = {0,2}> { y = RoiAlign (x, r, b) }", [], id="regions of an open batch"),
        pytest.param(17, "g (float[1] x) => (float[n] y) <int64 s = {0}> { w = HannWindow (s) y = Add (x, w) }", ["A006"], id="a window of nothing"),
        pytest.param(17, "g (float[2] a, float[5,2] x) => (float[2] f, float[5,2] y) { f, y = Scan <body: graph = b (float[2] s, float[2] e) => (float[2] s2, float[2] o) { s2 = Add (s, e) o = Identity (s2) }, num_scan_inputs: int = 1> (a, x) }", [], id="a scan"),
        pytest.param(17, "g (float[2] a, float[5,2] x) => (float[2] f, float[2] y) { f, y = Scan <body: graph = b (float[2] s, float[2] e) => (float[2] s2, float[2] o) { s2 = Add (s, e) o = Identity (s2) }, num_scan_inputs: int = 1> (a, x) }", ["D006"], id="a scan of another rank"),
        pytest.param(17, "g (float[2] a, float[5,2] x) => (float[2] f, float[4,2] y) { f, y = Scan <body: graph = b (float[2] s, float[2] e) => (float[2] s2, float[2] o) { s2 = Add (s, e) o = Identity (s2) }, num_scan_inputs: int = 1> (a, x) }", ["D006"], id="a scan of another length"),
        pytest.param(17, "g (float[2] a, float[5,2] x) => (float[2] f, float[5,3] y) { f, y = Scan <body: graph = b (float[2] s, float[2] e) => (float[2] s2, float[2] o) { s2 = Add (s, e) o = Identity (s2) }, num_scan_inputs: int = 1> (a, x) }", ["D006"], id="a scan of other slices"),
        pytest.param(17, "g (float[2] a, float[5,2] x) => (float[3] f, float[5,2] y) { f, y = Scan <body: graph = b (float[2] s, float[2] e) => (float[2] s2, float[2] o) { s2 = Add (s, e) o = Identity (s2) }, num_scan_inputs: int = 1> (a, x) }", ["D006"], id="a scan with another state"),
        pytest.param(17, "g (int64 n, bool c, float[2] a) => (float[2] f, float[5,2] y) { f, y = Loop <body: graph = b (int64 i, bool k, float[2] s) => (bool k2, float[2] s2, float[2] o) { k2 = Identity (k) s2 = Relu (s) o = Identity (s2) }> (n, c, a) }", [], id="a loop"),
        pytest.param(17, "g (int64 n, bool c, float[2] a) => (float[2] f, float[5,3] y) { f, y = Loop <body: graph = b (int64 i, bool k, float[2] s) => (bool k2, float[2] s2, float[2] o) { k2 = Identity (k) s2 = Relu (s) o = Identity (s2) }> (n, c, a) }", ["D006"], id="a loop of other slices"),
        pytest.param(17, "g (int64 n, bool c, float[2] a) => (float[3] f, float[5,2] y) { f, y = Loop <body: graph = b (int64 i, bool k, float[2] s) => (bool k2, float[2] s2, float[2] o) { k2 = Identity (k) s2 = Relu (s) o = Identity (s2) }> (n, c, a) }", ["?D006"], id="a loop with another state"),
        pytest.param(17, "g (int64 n, bool c, float[2] a) => (float[2] f, float[5,3] y) { f, y = Loop <body: graph = b (int64 i, bool k, float[] s) => (bool k2, float[2] s2, float[2] o) { k2 = Identity (k) s2 = Relu (s) o = Identity (s2) }> (n, c, a) }", ["?D006"], id="a loop whose state may have any shape"),
        pytest.param(17, "g (int64[1] x) => (float[n] y) { y = ConstantOfShape <value: tensor = float[1] v {1.0}> (x) }", [], id="one element"),
        pytest.param(17, "g (int64[1] x) => (float[n] y) { y = ConstantOfShape <value: tensor = float v {1.0}> (x) }", ["A007"], id="a scalar to repeat"),
        pytest.param(17, "g (int64[1] x) => (float[n] y) { y = ConstantOfShape <value: tensor = float[2] v {1.0, 2.0}> (x) }", ["A007"], id="two elements to repeat"),
        pytest.param(17, "g (int64[1] x) => (float[n] y) { y = ConstantOfShape <value: tensor = float[1,1] v {1.0}> (x) }", ["A007"], id="an element in a matrix"),
        pytest.param(12, "g (float[1,2,1,3] x) => (float[1,2,1,3] y) { y = Squeeze <axes: ints = []> (x) }", ["?A007"], id="no axes to remove"),
        pytest.param(12, "g (float[1,2,1,3] x) => (float[2,3] y) { y = Squeeze <axes: ints = []> (x) }", ["A007"], id="no axes, and a shape without them"),
        pytest.param(17, "g (float[1,2,1,3] x) => (float[a,b] y) <int64[0] s = {}> { y = Squeeze (x, s) }", ["A007"], id="a constant without axes"),
        pytest.param(17, "g (float[1,2,1,3] x, int64[0] s) => (float[a,b] y) { y = Squeeze (x, s) }", [], id="an input without axes"),
        pytest.param(17, "g (float[2,3] x) => (float[2,3] y) <int64[0] s = {}> { y = Squeeze (x, s) }", [], id="nothing to remove"),
        pytest.param(12, "g (float[1,2,1,3] x) => (float[a,b] y) { z = Squeeze <axes: ints = []> (x) y = Transpose <perm: ints = [1,0]> (z) }", ["?A007"], id="what follows no axes"),
        pytest.param(13, "g (uint8[2,-1] x) => (float[2,3] y) <float s = {0.1}, uint8 z = {1}> { y = DequantizeLinear (x, s, z) }", ["A006"], id="-1 before a size"),
        pytest.param(13, "g (uint8[2,-1] x) => (float[2,n] y) <float s = {0.1}, uint8 z = {1}> { y = DequantizeLinear (x, s, z) }", [], id="-1 before a symbol"),
        pytest.param(13, "g (uint8[2,-1] x) => (float[2,-1] y) <float s = {0.1}, uint8 z = {1}> { y = DequantizeLinear (x, s, z) }", [], id="-1 before -1"),
        pytest.param(17, "g (float[-1,3] x) => (float[2,3] y) <float[a,3] r> { r = Relu (x) y = Abs (r) }", ["A006"], id="-1 through a symbol"),
        pytest.param(17, "g (float[3,2] x, int64[2] s) => (float[2,3] y) <float[-1,3] z> { z = Reshape (x, s) y = Relu (z) }", ["A006"], id="-1 where nothing is inferred"),
        pytest.param(17, "g (float[-1,3] x) => (float[2,3] y) { s = Shape (x) y = ConstantOfShape (s) }", [], id="-1 as a value"),
        pytest.param(17, "g (float[-1,3] x) => (float[6,3] y) { y = Concat <axis: int = 0> (x, x) }", [], id="-1 twice"),
        pytest.param(17, "g (bool c, float[-1,3] x) => (float[a,b] y) { y = If (c) <then_branch: graph = t () => (float[2,3] z) { z = Relu (x) }, else_branch: graph = e () => (float[a,b] q) { q = Neg (x) }> }", ["A006"], id="-1 before a size in a branch"),
        pytest.param(17, "g (float[1,1,9,1] x) => (float[1,1,9,0] y) { y = MaxPool <kernel_shape: ints = [1, 2]> (x) }", ["?D005"], id="no windows"),
        pytest.param(17, "g (float[1,1,9,1] x) => (float[1,1,9,n] y) { z = AveragePool <kernel_shape: ints = [1, 4], strides: ints = [1, 2]> (x) y = Relu (z) }", ["?D005"], id="no windows in long steps"),
        pytest.param(17, "g (float[1,1,9,1] x) => (float[1,1,9,1] y) { y = LpPool <kernel_shape: ints = [1, 3], strides: ints = [1, 3]> (x) }", [], id="one window"),
        pytest.param(17, "g (float[1,1,9,1] x) => (float[1,1,9,n] y) { y = LpPool <kernel_shape: ints = [1, 3]> (x) }", ["D001"], id="fewer windows than none"),
        pytest.param(17, "g (float[1,1,9,1] x, float[1,1,1,2] w) => (float[1,1,9,n] y) { y = Conv (x, w) }", ["D001"], id="no windows of a convolution"),
        pytest.param(17, "g (float[2] x) => (float[2] y, float[5,2] z) <int64 n = {3}> { y, z = Loop <body: graph = b (int64 i, bool k, float[2] s) => (bool k2, float[2] s2, float[2] o) { k2 = Identity (k) s2 = Relu (s) o = Neg (s) }> (n, , x) }", ["?D006"], id="turns that onnx does not count"),
        pytest.param(17, "g (float[2] x) => (float[2] y, float[3,4] z) <int64 n = {3}> { y, z = Loop <body: graph = b (int64 i, bool k, float[2] s) => (bool k2, float[2] s2, float[2] o) { k2 = Identity (k) s2 = Relu (s) o = Neg (s) }> (n, , x) }", ["D006"], id="what a turn collects"),
        pytest.param(17, "g (float[2] x) => (float[2] y, float[-1,2] z) <int64 n = {3}> { y, z = Loop <body: graph = b (int64 i, bool k, float[2] s) => (bool k2, float[2] s2, float[2] o) { k2 = Identity (k) s2 = Relu (s) o = Neg (s) }> (n, , x) }", [], id="-1 for turns"),
        pytest.param(17, "g (float[2,3] x) => (float[2,3] y) <float[2,4] c> { s = Shape (x) c = ConstantOfShape (s) y = Relu (c) }", ["D006"], id="a declaration that another contradicts"),
        pytest.param(17, "g (float[2,3] x) => (float[a,b] y) <float[2,4] c> { s = Shape (x) c = ConstantOfShape (s) y = Relu (c) }", ["?D006"], id="a declaration that onnx believes"),
        pytest.param(17, "g (float x) => (float y) <float[1] s = {0.1}> { y = PRelu (x, s) }", [], id="a slope in a list"),
        pytest.param(17, "g (float[2,3] x, float[3] s) => (float[2,3] y) { y = LayerNormalization <stash_type: int = 2> (x, s) }", [], id="a type that no mean has"),
        pytest.param(17, "g (float[2,3] x, float[3] s) => (float[2,3] y, float[2,1] m) { y, m = LayerNormalization <stash_type: int = 11> (x, s) }", ["A005"], id="a mean of a type that means do not have"),
        pytest.param(23, "g (float[2,3] x, float[3] s) => (float[2,3] y) { y = RMSNormalization <stash_type: int = 2> (x, s) }", [], id="a type that no root mean square has"),
        pytest.param(17, "g (float[2] x) => (float[2] y, float[2] y) { y = Relu (x) }", ["?R005"], id="an output twice"),
        pytest.param(17, "g (float[2] x, float[2] x) => (float[2] y) { y = Relu (x) }", ["R005"], id="an input twice"),
    ],
)  # fmt: skip
def test_a_node(opset: int, graph: str, expected: list[str]) -> None:
    assert found(opset, graph) == expected


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ("QLinearAdd (x, s, z, x, s, z, s, z)", []),
        ("QLinearAdd (x, l, z, x, s, z, s, z)", ["D003"]),
        ("QLinearMul (x, s, z, x, s, z, s, k)", ["D003"]),
        ("QLinearAveragePool <kernel_shape: ints = [1,1]> (x, l, z, s, z)", ["D003"]),
        ("QLinearSigmoid (x, l, k, s, z)", []),
        ("QLinearSigmoid (x, l, k, s, t)", ["D003"]),
        ("QLinearLeakyRelu (x, u, z, s, z)", ["D003"]),
        ("QLinearGlobalAveragePool (x, s, z, s, t)", ["D003"]),
        ("QLinearSoftmax <opset: int = 13> (x, s, t, u, z)", []),
        ("QLinearSoftmax <opset: int = 13> (x, u, z, s, z)", ["D003"]),
        ("QLinearConcat <axis: int = 1> (s, z, x, u, t)", []),
        ("QLinearWhere (c, x, u, t, x, l, k, s, z)", []),
    ],
)
def test_scales_that_are_lists(node: str, expected: list[str]) -> None:
    data = "<float s = {0.1}, uint8 z = {0}, float[1] l = {0.1}, uint8[1] k = {0}, float[2] u = {0.1,0.1}, uint8[2] t = {0,0}, bool c = {1}>"
    graph = f"g (uint8[1,2,3,3] x) => (uint8[1,2,3,3] y) {data} {{ y = com.microsoft.{node} }}"
    assert found(17, graph, ', "com.microsoft" : 1') == expected


NBITS = "MatMulNBits <K: int = 64, N: int = 32, block_size: int = 32> (x, w, s"


@pytest.mark.parametrize(
    ("inputs", "node", "expected"),
    [
        ("float[n,64] x, uint8[32,2,16] w, float[64] s, uint8[32,1] z", f"{NBITS}, z)", []),
        ("float[n,64] x, uint8[a,b,c] w, float[32,2] s, float[64] z", f"{NBITS}, z)", []),
        ("float[n,64] x, uint8[32,2,15] w, float[64] s", f"{NBITS})", ["D001"]),
        ("float[n,64] x, uint8[32,2,16] w, float[63] s", f"{NBITS})", ["D001"]),
        ("float[n,64] x, uint8[32,2,16] w, float[64] s, uint8[64] z", f"{NBITS}, z)", ["D001"]),
        ("float[n,64] x, uint8[32,2,16] w, float[64] s", f"{NBITS})".replace("= 32>", "= 24>"), ["A006"]),
        ("float[2,3,64] x, float[50,8] c, int64 p", "RotaryEmbedding <num_heads: int = 4> (x, p, c, c)", []),
        ("float[b,n,64] x, float[50,8] c, int64[b,n] p", "RotaryEmbedding <num_heads: int = 4> (x, p, c, c)", []),
        ("float[2,3,64] x, float[50,7] c, int64[1] p", "RotaryEmbedding <num_heads: int = 4> (x, p, c, c)", ["D001"]),
        ("float[2,3,64] x, float[50,8] c, int64[2,4] p", "RotaryEmbedding <num_heads: int = 4> (x, p, c, c)", ["D001"]),
        ("float[2,3,64] q, float[2,5,64] k, float[192] b", "MultiHeadAttention <num_heads: int = 4> (q, k, k, b)", []),
        ("float[2,3,64] q, float[3,5,64] k", "MultiHeadAttention <num_heads: int = 4> (q, k, k)", ["D001"]),
        ("float[2,3,64] q, float[2,5,64] k, float[191] b", "MultiHeadAttention <num_heads: int = 4> (q, k, k, b)", ["D001"]),
        ("float[2,3,64] q, float[2,5,64] k", "MultiHeadAttention <num_heads: int = 4> (q, k)", ["O002"]),
        ("float[2,3,64] q, float[2,4,5,16] k, float[2,5,64] v", "MultiHeadAttention <num_heads: int = 4> (q, k, v)", ["D003"]),
        ("float[2,3,64] q, float[2,5,4,2,16] k", "MultiHeadAttention <num_heads: int = 4> (q, k)", []),
        ("float[2,3,64] q, float[2,5,64] k, int32[2,5] m", "MultiHeadAttention <num_heads: int = 4> (q, k, k, , m)", []),
        ("float[2,3,64] q, float[2,5,64] k, int32[8] m", "MultiHeadAttention <num_heads: int = 4> (q, k, k, , m)", []),
        ("float[2,3,64] q, float[2,5,64] k, int32[2,3,5] m", "MultiHeadAttention <num_heads: int = 4> (q, k, k, , m)", []),
        ("float[2,3,64] q, float[2,5,64] k, int32[2,4] m", "MultiHeadAttention <num_heads: int = 4> (q, k, k, , m)", ["D001"]),
        ("float[2,3,64] q, float[2,5,64] k, float[2,3,1,16] p", "MultiHeadAttention <num_heads: int = 4> (q, k, k, , , , p, p)", ["D001"]),
        ("float[2,3,64] q, float[2,5,64] k, float[2,4,1,16] p", "MultiHeadAttention <num_heads: int = 4> (q, k, k, , , , p)", ["O002"]),
        ("float[1,3,4] x, float[1,1,3,4] k, float[4] g", "SkipLayerNormalization (x, k, g)", ["D003"]),
        ("float[1,1,8] q, float[1,2,5,4] k", "DecoderMaskedMultiHeadAttention <num_heads: int = 2> (q, k, k)", []),
        ("float[1,1,8] q, float[1,3,5,4] p", "DecoderMaskedMultiHeadAttention <num_heads: int = 2> (q, q, q, , , p, p)", ["D001"]),
        ("uint8[1,3,4] x, uint8[4,12] w, float[12] b, float s", "QAttention <num_heads: int = 2> (x, w, b, s, s)", []),
        ("uint8[1,3,4] x, uint8[4,12] w, float[12] b, float s", "QAttention <num_heads: int = 7> (x, w, b, s, s)", ["D001"]),
        ("float[2,8] x, float[2,3] r, float[3,16,8] v, float[3,8,16] w", "MoE <k: int = 1> (x, r, v, , w)", []),
        ("float[2,8] x, float[2,3] r, float[3,16,8] v, float[2,8,16] w", "MoE <k: int = 1> (x, r, v, , w)", ["D001"]),
        ("float[2,8] x, float[2,3] r, float[3,16,8] v, float[3,8,16] w", "MoE <k: int = 0> (x, r, v, , w)", ["A006"]),
        ("float[2,8] x, float[2,3] r, float[3,16,8] v, float[3,8,16] w", "MoE <activation_type: string = \"GELU\"> (x, r, v, , w)", ["A005"]),
        ("int16[2,3] a, int16[4,3] b", "MatMulInteger16 (a, b)", ["D001"]),
        ("float[1,2,5,5] x, float[3,4] r, int32[3] b, int32[2] c", "CropAndResize (x, r, b, c)", []),
        ("float[1,2,5,5] x, float[3,4] r, int32[2] b, int32[2] c", "CropAndResize (x, r, b, c)", ["D001"]),
        ("int64[1,3] i, float[2,5] s", "NGramRepeatBlock <ngram_size: int = 2> (i, s)", ["D001"]),
        ("float[1,1,4,4] x, int32[1,1,4,3] m", "MaxpoolWithMask <kernel_shape: ints = [2,2]> (x, m)", ["D001"]),
        ("uint8[1,4,4,2] x", "NhwcMaxPool <kernel_shape: ints = [2]> (x)", ["D003"]),
        ("uint8[1,4,4,2] x", "NhwcMaxPool (x)", ["A002"]),
        ("float[2,3] a, float[3,4] b", "FusedGemm (a, b)", ["A002"]),
        ("float[2,3] a, float[3,4] b", "FusedGemm <activation: string = \"Selu\", activation_alpha: float = 0.1> (a, b)", ["A002"]),
        ("float[2,3] a, float[3,4] b", "FusedGemm <activation: string = \"Celu\", activation_alpha: float = 0.1> (a, b)", []),
        ("float[1,1,3,3] x, float[1,1,2,2] w", "FusedConv <activation: string = \"LeakyRelu\"> (x, w)", ["A002"]),
        ("float[2,3,8] x, float[8,24] w, int32[8] m", "Attention <num_heads: int = 2> (x, w, , m)", []),
        ("float[2,3,8] x, float[8,24] w, int32[3] m", "Attention <num_heads: int = 2> (x, w, , m)", ["D001"]),
        ("float[2,4] a, uint8[4,3] b, float[1,3] s", "DynamicQuantizeMatMul (a, b, s)", []),
        ("float[2,4] a, uint8[4,3] b, float[4] s", "DynamicQuantizeMatMul (a, b, s)", ["D001"]),
    ],
)  # fmt: skip
def test_fused_nodes(inputs: str, node: str, expected: list[str]) -> None:
    outputs = "y, z" if node.startswith("Attention") else "y"
    kind = {"NhwcMaxPool": "uint8", "MatMulInteger16": "int32"}.get(node.split(" ")[0], "float")
    graph = f"g ({inputs}) => ({kind} y) {{ {outputs} = com.microsoft.{node} }}"
    assert [code for code in found(17, graph, ', "com.microsoft" : 1') if code != "?D006"] == expected


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ("float[2,1,64] q, float[2,1,32] k, float[2,2,8,16] p, int32[2,1] n", []),
        ("float[b,s,64] q, float[b,s,32] k, float[b,2,t,16] p, int32[b,1] n", []),
        ("float[2,1,64] q, float[2,0,32] k, float[2,2,8,16] p, int32[2] n", []),
        ("float[2,1,64] q, float[2,1,48] k, float[2,2,8,16] p, int32[2] n", ["D001"]),
        ("float[2,1,64] q, float[2,1,32] k, float[2,3,8,16] p, int32[2] n", ["D001"]),
        ("float[2,1,64] q, float[2,1,32] k, float[2,2,8,16] p, int32[3,1] n", ["D001"]),
        ("float[1,1,64] q, float[1,1,32] k, float[1,2,8,16] p, int32 n", ["D003"]),
    ],
)
def test_grouped_attention(inputs: str, expected: list[str]) -> None:
    node = "GroupQueryAttention <num_heads: int = 4, kv_num_heads: int = 2> (q, k, k, p, p, n, t)"
    graph = f"g ({inputs}, int32 t) => (float[a,c,d] y) {{ y, kk, vv = com.microsoft.{node} }}"
    assert found(17, graph, ', "com.microsoft" : 1') == expected


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("coefficients: floats = [0.1,0.2,0.3,0.4], intercepts: floats = [0.1,0.2], classlabels_ints: ints = [0,1]", []),
        ("coefficients: floats = [0.1,0.2,0.3,0.4], intercepts: floats = [0.1,0.2], classlabels_ints: ints = []", ["A007"]),
        ("coefficients: floats = [0.1,0.2,0.3,0.4], intercepts: floats = [0.1,0.2], classlabels_ints: ints = [0]", ["A007"]),
        ("coefficients: floats = [0.1,0.2,0.3], intercepts: floats = [0.1,0.2], classlabels_ints: ints = [0,1]", ["A007"]),
        ("coefficients: floats = [0.1,0.2], classlabels_ints: ints = [0,1]", ["A002"]),
    ],
)  # fmt: skip
def test_lists_of_a_classifier(attributes: str, expected: list[str]) -> None:
    graph = (
        f"g (float[2,2] x) => (int64[2] y, float[2,2] z) {{ y, z = ai.onnx.ml.LinearClassifier <{attributes}> (x) }}"
    )
    assert found(17, graph, ', "ai.onnx.ml" : 3') == expected


@pytest.mark.parametrize(
    ("type_", "expected"), [("[n,2]", []), ("[2]", []), ("[n,m]", []), ("[n,3]", ["A007"]), ("[1,n,2]", ["D003"])]
)
def test_labels_of_columns(type_: str, expected: list[str]) -> None:
    node = "y = ai.onnx.ml.ZipMap <classlabels_int64s: ints = [0,1]> (x)"
    graph = f"g (float{type_} x) => (seq(map(int64,float)) y) {{ {node} }}"
    assert found(17, graph, ', "ai.onnx.ml" : 3') == expected


@pytest.mark.parametrize(("indices", "expected"), [("[1]", ["D006"]), ("", ["?D006"])])
def test_columns_that_a_scalar_names(indices: str, expected: list[str]) -> None:
    """onnx counts the columns that a list names; RidgeClassifier of scikit-learn takes a scalar, and declares two columns."""
    graph = f"g (float[n,3] x, int64{indices} i) => (float[n,2] y) {{ y = ai.onnx.ml.ArrayFeatureExtractor (x, i) }}"
    assert found(17, graph, ', "ai.onnx.ml" : 3') == expected


def test_labels_without_a_score() -> None:
    """onnxruntime outputs a score per intercept, and ignores further labels."""
    lists = "coefficients: floats = [0.1,0.2,0.3,0.4,0.5,0.6], intercepts: floats = [0.1,0.2,0.3], classlabels_ints: ints = [0,1,2,2]"
    nodes = f"l, p = ai.onnx.ml.LinearClassifier <{lists}> (x) y = ai.onnx.ml.ZipMap <classlabels_int64s: ints = [0,1,2]> (p)"
    graph = f"g (float[n,2] x) => (int64[n] l, seq(map(int64,float)) y) {{ {nodes} }}"
    assert found(17, graph, ', "ai.onnx.ml" : 3') == []


@pytest.mark.parametrize(("imported", "expected"), [(1, ["?D006"]), (2, ["D006"])])
def test_declared_labels(imported: int, expected: list[str]) -> None:
    """onnx infers no shapes of the first LabelEncoder."""
    lists = ('classes_strings: strings = ["a"]', 'keys_strings: strings = ["a"], values_int64s: ints = [1]')[
        imported - 1
    ]
    graph = f"g (string[3] x) => (int64[4] y) {{ y = ai.onnx.ml.LabelEncoder <{lists}> (x) }}"
    assert found(17, graph, f', "ai.onnx.ml" : {imported}') == expected


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        ("nodes_featureids: ints = [0,0,0]", []),
        ("nodes_featureids: ints = [1,7,7]", []),
        ("nodes_featureids: ints = [2,0,0]", ["A006"]),
        ("nodes_featureids: ints = [0,0]", ["A007"]),
        ("nodes_hitrates: floats = [1.0,1.0,1.0]", ["A002"]),
    ],
)
def test_lists_of_trees(lists: str, expected: list[str]) -> None:
    others = (
        "nodes_treeids: ints = [0,0,0], nodes_nodeids: ints = [0,1,2], nodes_values: floats = [0.5,0.0,0.0], "
        'nodes_modes: strings = ["BRANCH_LEQ","LEAF","LEAF"], nodes_truenodeids: ints = [1,0,0], '
        "nodes_falsenodeids: ints = [2,0,0], target_treeids: ints = [0,0], target_nodeids: ints = [1,2], "
        "target_ids: ints = [0,0], target_weights: floats = [1.0,2.0], n_targets: int = 1"
    )
    graph = f"g (float[2,2] x) => (float[2,1] y) {{ y = ai.onnx.ml.TreeEnsembleRegressor <{others}, {lists}> (x) }}"
    assert found(17, graph, ', "ai.onnx.ml" : 3') == expected


BRANCHES = {
    "nodes_splits": "tensor = double[1] {0.5}", "nodes_featureids": "ints = [0]", "nodes_modes": "tensor = uint8[1] {0}",
    "nodes_truenodeids": "ints = [0]", "nodes_falsenodeids": "ints = [1]", "nodes_trueleafs": "ints = [1]",
    "nodes_falseleafs": "ints = [1]", "leaf_weights": "tensor = double[2] {1.0,2.0}", "leaf_targetids": "ints = [0,0]",
    "tree_roots": "ints = [0]", "n_targets": "int = 1",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("n_targets", "int = 1", []),
        ("n_targets", "", ["A002"]),
        ("nodes_truenodeids", "ints = [0,1]", ["A007"]),
        ("nodes_modes", "tensor = uint8[2] {0,0}", ["A007"]),
        ("leaf_targetids", "ints = [0]", ["A007"]),
        ("leaf_targetids", "ints = [0,1]", ["A007"]),
        ("leaf_targetids", "", ["A002"]),
        ("nodes_featureids", "ints = [2]", ["A006"]),
        ("nodes_falsenodeids", "ints = [2]", ["A006"]),
        ("nodes_trueleafs", "ints = [0]", ["A006"]),
        ("tree_roots", "ints = [0,0]", []),
        ("tree_roots", "ints = [1]", ["A006"]),
        ("leaf_weights", "tensor = float[2] {1.0,2.0}", ["D002"]),
        ("nodes_splits", "tensor = float[1] {0.5}", ["D002"]),
    ],
)
def test_attributes_of_a_tree_ensemble(name: str, value: str, expected: list[str]) -> None:
    given = ", ".join(f"{key}: {text}" for key, text in {**BRANCHES, name: value}.items() if text)
    graph = f"g (double[2,2] x) => (double[2,1] y) {{ y = ai.onnx.ml.TreeEnsemble <{given}> (x) }}"
    assert found(17, graph, ', "ai.onnx.ml" : 5') == expected


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ('LabelEncoder <keys_strings: strings = ["a"], values_int64s: ints = [1]> (w)', []),
        ("LabelEncoder <values_int64s: ints = [1]> (w)", ["A002"]),
        ('LabelEncoder <keys_strings: strings = ["a"]> (w)', ["A002"]),
        ('LabelEncoder <keys_strings: strings = ["a"], keys_int64s: ints = [1], values_int64s: ints = [1]> (w)', ["A007"]),
        ("LabelEncoder <keys_int64s: ints = [1], values_int64s: ints = [1]> (w)", ["D002"]),
        ("Scaler <offset: floats = [0.0], scale: floats = [1.0]> (x)", ["D007"]),
        ("Scaler <offset: floats = [0.0], scale: floats = [1.0,2.0]> (x)", ["A007"]),
    ],
)  # fmt: skip
def test_lists_of_labels_and_scales(node: str, expected: list[str]) -> None:
    graph = f"g (string[2] w, float[2] x) => (int64[2] y) {{ y = ai.onnx.ml.{node} }}"
    assert found(17, graph, ', "ai.onnx.ml" : 4') == expected


@pytest.mark.parametrize(
    ("counts", "shortest", "longest", "pool", "expected"),
    [
        ([0, 4], 1, 2, 10, []),
        ([0, 0], 2, 2, 10, []),
        ([0, 4, 10], 1, 2, 10, []),
        ([0, 4], 1, 3, 10, ["A007"]),
        ([0, 4], 2, 1, 10, ["A006"]),
        ([0, 4, 1], 1, 2, 10, ["A006"]),
        ([0, 12], 1, 2, 10, ["A006"]),
        ([-1, 4], 1, 2, 10, ["A006"]),
        ([0, 5], 1, 2, 10, ["A006"]),
        ([0, 0], 1, 2, 0, ["A002"]),
    ],
)
def test_pools_of_ngrams(counts: list[int], shortest: int, longest: int, pool: int, expected: list[str]) -> None:
    given = f"pool_int64s: ints = {list(range(pool))}, " if pool else ""
    attributes = (
        f'{given}mode: string = "TF", min_gram_length: int = {shortest}, max_gram_length: int = {longest}, '
        f"max_skip_count: int = 0, ngram_counts: ints = {counts}, ngram_indexes: ints = [0,1,2,3,4,5,6]"
    )
    assert found(9, f"g (int64[12] x) => (float[7] y) {{ y = TfIdfVectorizer <{attributes}> (x) }}") == expected


@pytest.mark.parametrize(
    ("shape", "node", "expected"),
    [
        ("[2,4]", "z = com.microsoft.Gelu (x)", ["?D006"]),  # onnx's inference stops there
        ("[2,4]", "z = Abs (x)", ["D006"]),
    ],
)
def test_shapes_behind_operators_that_onnx_does_not_know(shape: str, node: str, expected: list[str]) -> None:
    graph = f"g (float[2,3] x) => (float{shape} y, float[2,3] z) {{\n   {node}\n   y = Relu (x)\n}}"
    assert found(17, graph, ', "com.microsoft" : 1') == expected


@pytest.mark.parametrize(
    ("domain", "value", "expected"),
    [("own", "float = 2.0", []), ("own", "int = 2", ["A003"]), ("", "float = 2.0", ["O001"])],
)
def test_functions(domain: str, value: str, expected: list[str]) -> None:
    call = f"{domain}.F" if domain else "F"
    graph = (
        f"g (float[2] x) => (float[2] y) {{ y = {call} <by: {value}> (x) }}\n"
        f'<\n   domain: "{domain}",\n   opset_import: ["" : 17]\n>\n'
        "F <by> (a) => (b) { b = LeakyRelu <alpha: float = @by> (a) }\n"
    )
    assert found(17, graph, f', "{domain}" : 1' if domain else "") == expected


def test_an_unused_domain_has_any_version_below_its_first() -> None:
    graph = "g (float[2] x) => (float[2] y) { y = Relu (x) }"
    assert found(17, graph, ', "ai.onnx.ml" : 0') == ["?T006"]
    assert found(17, graph, ', "ai.onnx.ml" : 99') == found(17, graph, ', "org.pytorch.aten" : 2') == ["T006"]


@pytest.mark.parametrize(("second", "expected"), [(17, []), (18, ["?R005"]), (999, ["T006"])])
def test_an_opset_that_is_imported_twice(second: int, expected: list[str]) -> None:
    assert found(17, "g (float[2] x) => (float[2] y) { y = Relu (x) }", f', "" : {second}') == expected


_QUANTIZED = (
    "g (float[5,2,3] x, uint8[{d},3,16] w, uint8[{d},4,16] r, float[{s}] a, uint8[{z}] b) => (float[5,{d},2,4] y)"
)


@pytest.mark.parametrize(
    ("ways", "scale", "zero", "is_wrong"),
    [
        (1, "1", "1", False),
        (1, "1,16", "1", False),
        (2, "2", "2,16", False),
        (1, "2", "1", True),
        (1, "1", "16", True),
        (2, "2,4", "2", True),
        (2, "2", "1,16", True),
    ],
)
def test_scales_of_a_quantized_lstm(ways: int, scale: str, zero: str, is_wrong: bool) -> None:
    """onnxruntime 1.32 refuses others than one for each direction, or for each column, wherever they are."""
    direction = "bidirectional" if ways == 2 else "forward"
    head = _QUANTIZED.format(d=ways, s=scale, z=zero)
    for names in ("a, b, c, d", "c, d, a, b"):
        node = f'y = com.microsoft.DynamicQuantizeLSTM <hidden_size: int = 4, direction: string = "{direction}"> (x, w, r, , , , , , {names})'
        ones = ",".join("1" * ways)
        rest = f"float[{ways}] c = {{{ones}}}, uint8[{ways}] d = {{{ones}}}"
        codes = found(17, f"{head} <{rest}> {{ {node} }}", ', "com.microsoft" : 1')
        assert codes == (["D001"] if is_wrong else [])


def test_of_two_imports_the_last_counts() -> None:
    """onnx.checker refuses what the last does not have, even if onnxruntime has it."""
    graph = "g (float[2,3] x, float[3] s) => (float[2,3] y) { y = LayerNormalization (x, s) }"
    assert found(18, graph, ', "" : 14') == ["R005"]
    assert found(18, graph, ', "" : 17') == ["?R005"]
    assert found(18, graph.replace("LayerNormalization (x, s)", "Add (x, s)"), ', "" : 14') == ["?R005"]
