"""Cases of rules about the precision of a target: masks, epsilons, wide integers, and quantized operators, each with a good twin."""

from __future__ import annotations

import struct

from rule_cases.base import Case, Cases

HALF, BRAIN, EIGHT = ({"precision": name} for name in ("fp16", "bf16", "int8"))
_HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'


def net(inputs: str, output: str, constants: str, *nodes: str) -> str:
    return f"{_HEAD}net ({inputs}) => ({output}) <{constants}> {{\n" + "".join(f"   {node}\n" for node in nodes) + "}\n"


def multiplied(far: str) -> str:
    lines = ("left = Sub (one, mask)", "penalty = Mul (left, far)", "sum = Add (x, penalty)", "y = Softmax (sum)")
    return net("float[1,4] x, float[1,4] mask", "float[1,4] y", f"float one = {{1.0}}, float far = {{{far}}}", *lines)


def selected(far: str, last: str = "y = Softmax (sum)") -> str:
    lines = ("penalty = Where (mask, near, far)", "sum = Add (x, penalty)", last)
    return net("float[1,4] x, bool[1,4] mask", "float[1,4] y", f"float near = {{0.0}}, float far = {{{far}}}", *lines)


def guarded(epsilon: str, guard: str = "Add (norm, epsilon)", last: str = "y = Div (x, safe)") -> str:
    lines = ("norm = ReduceL2 <axes: ints = [1]> (x)", f"safe = {guard}", last)
    return net("float[1,4] x", "float[1,4] y", f"float epsilon = {{{epsilon}}}", *lines)


def with_weights(weights: str) -> str:
    return net("float[1,2] x", "float[1,2] y", f"float[2,2] weight = {{{weights}}}", "y = MatMul (x, weight)")


def wide(number: int, node: str = "y = Add (x, number)") -> str:
    constants = f"int64[1] number = {{{number}}}, int64[1] start = {{0}}, int64 one = {{1}}"
    return net("int64[4] x", "int64[N] y", constants, node)


def layers(operator: str, dtype: str, precision: str, size: int) -> str:
    port = f'precision="{precision}"><dim>1</dim><dim>4</dim></port>'
    return f"""\
<?xml version="1.0"?>
<net name="net" version="11">
  <layers>
    <layer id="0" name="data" type="Parameter" version="opset1">
      <data element_type="{dtype}" shape="1,4"/>
      <output><port id="0" {port}</output>
    </layer>
    <layer id="1" name="number" type="Const" version="opset1">
      <data element_type="{dtype}" shape="1,1" offset="0" size="{size}"/>
      <output><port id="0" precision="{precision}"><dim>1</dim><dim>1</dim></port></output>
    </layer>
    <layer id="2" name="changed" type="{operator}" version="opset1">
      <data auto_broadcast="numpy"/>
      <input>
        <port id="0" {port}
        <port id="1" precision="{precision}"><dim>1</dim><dim>1</dim></port>
      </input>
      <output><port id="2" {port}</output>
    </layer>
    <layer id="3" name="result" type="Result" version="opset1">
      <input><port id="0" {port}</input>
    </layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
  </edges>
</net>
"""


_FLOATS, _INTEGERS = layers("Multiply", "f32", "FP32", 4), layers("Add", "i64", "I64", 8)


def _bin(form: str, number: float) -> dict[str, bytes]:
    return {"model.bin": struct.pack(form, number)}


class ConstantOverflows(Cases):
    valid = (
        Case(multiplied("-1e9"), "onnx"),
        Case(multiplied("-10000.0"), "onnx", targets=HALF),
        Case(multiplied("-1e9"), "onnx", targets=BRAIN),
        Case(selected("-10000.0"), "onnx", targets=HALF),
        Case(
            selected("-9.99e11", "y = ArgMax (sum)").replace("(float[1,4] y)", "(int64[1,4] y)"), "onnx", targets=HALF
        ),
        Case(net("float[1,4] x", "float[1,4] y", "float most = {1e30}", "y = Clip (x, , most)"), "onnx", targets=HALF),
        Case(with_weights("65504.0, 1.0, 2.0, 3.0"), "onnx", targets=HALF),
        Case(_FLOATS, "openvino", side_files=_bin("<f", 6e4), targets=HALF),
    )
    invalid = (
        Case(multiplied("-1e9"), "onnx", "far", targets=HALF),
        Case(multiplied("-9.99e11"), "onnx", "far", targets=HALF),
        Case(multiplied("-3.4028235e38"), "onnx", "far", targets=BRAIN),
        Case(selected("-1e9", "y = Mul (x, sum)"), "onnx", "far", targets=HALF),
        Case(selected("-1e9", "y = Neg (sum)"), "onnx", "far", targets=HALF),
        Case(selected("-9.99e11"), "onnx", "far", targets=HALF),  # pedantic: for a row that is masked whole
        Case(selected("-inf"), "onnx", "far", targets=HALF),
        Case(with_weights("1e6, 1.0, 2.0, 3.0"), "onnx", "weight", targets=HALF),
        Case(_FLOATS, "openvino", "number", side_files=_bin("<f", 1e9), targets=HALF),
    )


class ConstantVanishes(Cases):
    valid = (
        Case(guarded("1e-12"), "onnx"),
        Case(guarded("1e-12"), "onnx", targets=BRAIN),
        Case(guarded("1e-6"), "onnx", targets=HALF),
        Case(guarded("1e-12", last="y = Mul (x, safe)"), "onnx", targets=HALF),  # a sum may lose it
        Case(with_weights("1e-9, 1.0, 2.0, 1e-12"), "onnx", targets=HALF),
        Case(_FLOATS, "openvino", side_files=_bin("<f", 1e-3), targets=HALF),
    )
    invalid = (
        Case(guarded("1e-12"), "onnx", "epsilon", targets=HALF),
        Case(guarded("1e-12", "Max (norm, epsilon)"), "onnx", "epsilon", targets=HALF),
        Case(guarded("1e-12", "Clip (norm, epsilon)"), "onnx", "epsilon", targets=HALF),
        Case(guarded("1e-12", last="rate = Log (safe)\n   y = Add (x, rate)"), "onnx", "epsilon", targets=HALF),
        Case(with_weights("1e-9, 2e-9, 3e-9, 4e-9"), "onnx", "weight", targets=HALF),
        Case(_FLOATS, "openvino", "number", side_files=_bin("<f", 1e-9), targets=HALF),
    )


class IntegerClamped(Cases):
    valid = (
        Case(wide(5_000_000_000), "onnx"),
        Case(wide(2_000_000_000), "onnx", targets=HALF),
        Case(wide(2**63 - 1, "y = Slice (x, start, number)"), "onnx", targets=HALF),
        Case(wide(2**63 - 1, "y = Min (x, number)"), "onnx", targets=HALF),
        Case(_INTEGERS, "openvino", side_files=_bin("<q", 5), targets=HALF),
    )
    invalid = (
        Case(wide(5_000_000_000), "onnx", "number", targets=HALF),
        Case(wide(-5_000_000_000), "onnx", "number", targets=EIGHT),
        Case(_INTEGERS, "openvino", "number", side_files=_bin("<q", 5_000_000_000), targets=HALF),
    )


_SCALES = (
    "float s = {0.02}, uint8 z = {128}, int8[2,2,1,1] w = {1, 2, 3, 4}, int32[2] b = {5, 6}, float[2] bs = {0.01, 0.005}, "
    "float[2] ws = {0.5, 0.25}, int8[2] wz = {0, 0}"
)
_LAYER = (
    "xd = DequantizeLinear (x, s, z)",
    "wd = DequantizeLinear <axis: int = 0> (w, ws, wz)",
    "bd = DequantizeLinear <axis: int = 0> (b, bs)",
    "y = Conv (xd, wd, bd)",
)


def quantized(*changes: tuple[str, str]) -> str:
    text = net("uint8[1,2,4,4] x", "float[1,2,4,4] y", _SCALES, *_LAYER)
    for old, new in changes:
        text = text.replace(old, new)
    return text


_QUANTIZED = Case(quantized(), "onnx", targets=EIGHT)


class BiasScale(Cases):
    valid = (_QUANTIZED, Case(quantized(("0.01, 0.005", "0.01, 0.01")), "onnx"))
    invalid = (Case(quantized(("0.01, 0.005", "0.01, 0.01")), "onnx", "bs", targets=EIGHT),)


class QuantizedAxis(Cases):
    valid = (_QUANTIZED,)
    invalid = (Case(quantized(("0> (w", "1> (w")), "onnx", "1", targets=EIGHT),)


class AsymmetricWeights(Cases):
    valid = (_QUANTIZED,)
    invalid = (Case(quantized(("{0, 0}", "{0, 7}")), "onnx", "wz", targets=EIGHT),)


def _pair(reader: str, scale: str = "s") -> str:
    constants = "float s = {0.02}, float t = {0.5}, uint8 z = {128}, float[2] k = {1.0, 2.0}"
    lines = ("q = QuantizeLinear (x, s, z)", f"d = DequantizeLinear (q, {scale}, z)", reader)
    return net("float[1,2] x", "float[1,2] y", constants, *lines)


class UnpairedQuantization(Cases):
    valid = (Case(_pair("y = Relu (d)"), "onnx", targets=EIGHT), Case(_pair("y = Relu (d)", "t"), "onnx"))
    invalid = (
        Case(_pair("y = Relu (d)", "t"), "onnx", "t", targets=EIGHT),
        Case(_pair("y = Cast <to: int = 1> (q)"), "onnx", "QuantizeLinear", targets=EIGHT),
    )


def _rounded(zero: int) -> str:
    return net("float[2] x", "int8[2] y", f"float s = {{0.02}}, int8 z = {{{zero}}}", "y = QuantizeLinear (x, s, z)")


class ZeroPointRange(Cases):
    valid = (Case(_rounded(127), "onnx", targets=EIGHT), Case(_rounded(300), "onnx"))
    invalid = (Case(_rounded(300), "onnx", "z", targets=EIGHT),)
