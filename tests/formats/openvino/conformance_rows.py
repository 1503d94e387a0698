"""Sound IRs, written from the specifications of the opsets, with what each computes in the words of NumPy."""

from __future__ import annotations

from collections.abc import Callable
from math import erf
from typing import Any, NamedTuple

import numpy as np

F = np.float32
A = np.array


class Case(NamedTuple):
    """`wanted` makes the outputs of the inputs, in the order of the Results; `given` are inputs other than the usual ones."""

    text: str
    wanted: Callable[..., Any] | None = None
    given: dict[str, Any] = {}
    version: int = 11


def unary(name: str, wanted: Callable[..., Any], opset: int = 1, words: str = "") -> Case:
    return Case(f"x: f32[2,3]\ny: f32[2,3] = opset{opset}.{name}(x) {words}", lambda x: wanted(x.astype(np.float64)))


def binary(name: str, wanted: Callable[..., Any], kind: str = "f32", made: str = "", opset: int = 1) -> Case:
    words = f"opset{opset}.{name}(x, y) auto_broadcast=numpy"
    return Case(f"x: {kind}[2,1,3]\ny: {kind}[2,3]\nz: {made or kind}[2,2,3] = {words}", wanted)


def reduced(name: str, wanted: Callable[..., Any], kind: str = "f32", opset: int = 1) -> list[Case]:
    return [
        Case(
            f"x: {kind}[2,3,4]\na: i64[1] = {axis}\ny: {kind}[{shape}] = opset{opset}.{name}(x, a) keep_dims={str(keep).lower()}",
            lambda x, axis=axis, keep=keep: wanted(x, axis=axis, keepdims=keep),
        )
        for axis, keep, shape in ((1, True, "2,1,4"), (-1, False, "2,3"))
    ]


def softmax(x: Any, axis: int) -> Any:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def windows(x: Any, size: int) -> Any:
    """The windows of an image, a stride apart, as (rows, columns, ..., window)."""
    return np.lib.stride_tricks.sliding_window_view(x, (size, size), (2, 3))


def quantized(x: Any, low: float, high: float, levels: int) -> Any:
    inner = np.round((x - low) / (high - low) * (levels - 1)) / (levels - 1) * (high - low) + low
    return np.where(x <= low, low, np.where(x > high, high, inner))


WINDOW = "strides=1,1 pads_begin=0,0 pads_end=0,0"
GELU = 0.7978845608028654  # the root of 2 / pi

UNARY = [
    unary("Abs", np.abs), unary("Sin", np.sin), unary("Cos", np.cos), unary("Tan", np.tan), unary("Exp", np.exp), unary("Floor", np.floor),
    unary("Ceiling", np.ceil), unary("Negative", np.negative), unary("Sign", np.sign), unary("Tanh", np.tanh), unary("Sinh", np.sinh),
    unary("Cosh", np.cosh), unary("Atan", np.arctan), unary("Asinh", np.arcsinh, 4), unary("Erf", np.vectorize(erf)),
    unary("ReLU", lambda x: np.maximum(x, 0)), unary("Sigmoid", sigmoid), unary("Elu", lambda x: np.where(x < 0, np.exp(x) - 1, x), 1, "alpha=1"),
    unary("Clamp", lambda x: np.clip(x, -1, 0.5), 1, "min=-1 max=0.5"), unary("SoftPlus", lambda x: np.log1p(np.exp(x)), 4),
    unary("Swish", lambda x: x * sigmoid(x), 4), unary("HSwish", lambda x: x * np.clip(x + 3, 0, 6) / 6, 4),
    unary("HSigmoid", lambda x: np.clip(x + 3, 0, 6) / 6, 5), unary("Mish", lambda x: x * np.tanh(np.log1p(np.exp(x))), 4),
    unary("SoftSign", lambda x: x / (1 + np.abs(x)), 9), unary("Gelu", lambda x: x * (1 + np.vectorize(erf)(x / 2**0.5)) / 2, 7, "approximation_mode=ERF"),
    unary("Gelu", lambda x: x / 2 * (1 + np.tanh(GELU * (x + 0.044715 * x**3))), 7, "approximation_mode=TANH"),
    unary("Round", np.round, 5, "mode=half_to_even"), unary("SoftMax", lambda x: softmax(x, 1), 8, "axis=1"), unary("SoftMax", lambda x: softmax(x, 0), 1, "axis=0"),
    unary("LogSoftmax", lambda x: np.log(softmax(x, -1)), 5, "axis=-1"),
    Case("x: boolean[4]\ny: boolean[4] = opset1.LogicalNot(x)", np.logical_not), Case("x: i32[4]\ny: i32[4] = opset13.BitwiseNot(x)", np.invert),
    Case("x: f32[4]\ny: boolean[4] = opset10.IsNaN(x)", np.isnan), Case("x: f32[4]\ny: boolean[4] = opset10.IsFinite(x)", np.isfinite),
]  # fmt: skip

BINARY = [
    binary("Add", np.add), binary("Subtract", np.subtract), binary("Multiply", np.multiply), binary("Divide", lambda x, y: x / y), binary("Maximum", np.maximum),
    binary("Minimum", np.minimum), binary("SquaredDifference", lambda x, y: (x - y) ** 2), binary("FloorMod", np.mod, "i32"), binary("Mod", np.fmod, "i32"),
    binary("Power", np.power, "i32")._replace(given={"x": A([[[1, 2, 3]], [[-1, -2, 0]]], np.int32), "y": A([[0, 1, 2], [3, 4, 5]], np.int32)}), binary("Less", np.less, made="boolean"), binary("LessEqual", np.less_equal, made="boolean"),
    binary("Greater", np.greater, made="boolean"), binary("GreaterEqual", np.greater_equal, made="boolean"), binary("Equal", np.equal, "i64", "boolean"),
    binary("NotEqual", np.not_equal, "i32", "boolean"), binary("LogicalAnd", np.logical_and, "boolean"), binary("LogicalOr", np.logical_or, "boolean"),
    binary("LogicalXor", np.logical_xor, "boolean"), binary("BitwiseAnd", np.bitwise_and, "i32", opset=13), binary("BitwiseOr", np.bitwise_or, "u8", opset=13),
    binary("BitwiseXor", np.bitwise_xor, "i64", opset=13), binary("BitwiseLeftShift", np.left_shift, "u8", opset=15), binary("Add", np.add, "f16"),
    binary("Add", np.add, "i8"), binary("Multiply", np.multiply, "u8"), binary("Subtract", np.subtract, "f64"),
    Case("x: f32[3,4]\ns: f32[4] = 0.5 1 2 -1\ny: f32[3,4] = opset1.PReLU(x, s)", lambda x: np.where(x < 0, x * A([0.5, 1, 2, -1]), x)),
    Case("x: f32[2,3]\ny: i32[2,3] = opset1.Convert(x) destination_type=i32", lambda x: x.astype(np.int32)),
    Case("x: i32[2,3]\nl: f32[1]\ny: f32[2,3] = opset1.ConvertLike(x, l)", lambda x, l: x.astype(F)),  # noqa: E741
    Case("c: boolean[2,1]\nx: f32[2,3]\ny: f32[3]\nz: f32[2,3] = opset1.Select(c, x, y) auto_broadcast=numpy", np.where),
]  # fmt: skip

REDUCED = [
    *reduced("ReduceSum", np.sum), *reduced("ReduceMean", np.mean), *reduced("ReduceMax", np.max), *reduced("ReduceMin", np.min), *reduced("ReduceProd", np.prod, "i32"),
    *reduced("ReduceLogicalAnd", np.all, "boolean"), *reduced("ReduceLogicalOr", np.any, "boolean"),
    *reduced("ReduceL1", lambda x, **how: np.abs(x).sum(**how), opset=4), *reduced("ReduceL2", lambda x, **how: np.sqrt((x * x).sum(**how)), opset=4),
    Case("x: f32[2,3]\na: i64[] = 1\ny: f32[2,3] = opset3.CumSum(x, a) exclusive=false reverse=false", lambda x: np.cumsum(x, 1)),
    Case("x: f32[2,3]\na: i64[] = 0\ny: f32[2,3] = opset3.CumSum(x, a) exclusive=true reverse=true", lambda x: np.stack([x[1], x[1] * 0])),
]  # fmt: skip

MOVED = [
    Case("x: f32[2,3,4]\np: i64[2] = 0 -1\ny: f32[2,12] = opset1.Reshape(x, p) special_zero=true", lambda x: x.reshape(2, 12)),
    Case("x: f32[2,3]\np: i64[3] = 3 1 2\ny: f32[3,1,2] = opset1.Reshape(x, p) special_zero=false", lambda x: x.reshape(3, 1, 2)),
    Case("x: f32[2,3,4]\np: i64[3] = 2 0 1\ny: f32[4,2,3] = opset1.Transpose(x, p)", lambda x: x.transpose(2, 0, 1)),
    Case("x: f32[1,3,1]\na: i64[2] = 0 -1\ny: f32[3] = opset1.Squeeze(x, a)", lambda x: x.reshape(3)),
    Case("x: f32[1,3,1]\ny: f32[3] = opset1.Squeeze(x)", lambda x: x.reshape(3)),
    Case("x: f32[3]\na: i64[2] = 0 2\ny: f32[1,3,1] = opset1.Unsqueeze(x, a)", lambda x: x.reshape(1, 3, 1)),
    Case("x: f32[2,3]\nc: f32[2,1] = 7 8\ny: f32[2,4] = opset1.Concat(x, c) axis=-1", lambda x: np.hstack([x, A([[7], [8]])])),
    Case("x: f32[2,6]\na: i64[] = 1\np: f32[2,3] | q: f32[2,3] = opset1.Split(x, a) num_splits=2", lambda x: np.split(x, 2, 1)),
    Case("x: f32[5,2]\na: i64[] = 0\nl: i64[2] = 2 -1\np: f32[2,2] | q: f32[3,2] = opset1.VariadicSplit(x, a, l)", lambda x: (x[:2], x[2:])),
    Case("x: f32[4,3]\ni: i64[2] = 3 -1\na: i64[] = 0\ny: f32[2,3] = opset8.Gather(x, i, a) batch_dims=0", lambda x: x[[3, -1]]),
    Case("x: f32[2,3]\ni: i32[2,2] = 0 2 1 1\na: i64[] = 1\ny: f32[2,2] = opset8.Gather(x, i, a) batch_dims=1", lambda x: np.take_along_axis(x, A([[0, 2], [1, 1]]), 1)),
    Case("x: f32[3,2]\ni: i32[2,2] = 0 2 1 0\ny: f32[2,2] = opset6.GatherElements(x, i) axis=0", lambda x: np.take_along_axis(x, A([[0, 2], [1, 0]]), 0)),
    Case("x: f32[2,3]\ni: i64[2,2] = 0 2 1 0\ny: f32[2] = opset8.GatherND(x, i) batch_dims=0", lambda x: x[[0, 1], [2, 0]]),
    Case("x: f32[4,4]\nb: i64[2] = 0 -1\ne: i64[2] = 3 -5\ns: i64[2] = 2 -1\ny: f32[2,4] = opset8.Slice(x, b, e, s)", lambda x: x[0:3:2, ::-1]),
    Case("x: f32[4,4]\nb: i64[1] = 1\ne: i64[1] = 3\ns: i64[1] = 1\na: i64[1] = -1\ny: f32[4,2] = opset8.Slice(x, b, e, s, a)", lambda x: x[:, 1:3]),
    Case(
        "x: f32[4,3]\nb: i64[2] = 1 0\ne: i64[2] = 9 9\ns: i64[2] = 1 1\n"
        "y: f32[3] = opset1.StridedSlice(x, b, e, s) begin_mask=0,1 end_mask=0,1 new_axis_mask=0,0 shrink_axis_mask=1,0 ellipsis_mask=0,0",
        lambda x: x[1],
    ),
    Case("x: f32[2,3]\nr: i64[2] = 2 1\ny: f32[4,3] = opset1.Tile(x, r)", lambda x: np.tile(x, (2, 1))),
    Case("x: f32[2,3]\nb: i64[2] = 0 1\ne: i64[2] = 1 0\nv: f32[] = 9\ny: f32[3,4] = opset1.Pad(x, b, e, v) pad_mode=constant", lambda x: np.pad(x, ((0, 1), (1, 0)), constant_values=9)),
    Case("x: f32[2,3]\nb: i64[2] = 1 1\ne: i64[2] = 0 1\ny: f32[3,5] = opset1.Pad(x, b, e) pad_mode=reflect", lambda x: np.pad(x, ((1, 0), (1, 1)), "reflect")),
    Case("x: f32[2,3]\nb: i64[2] = 1 1\ne: i64[2] = 0 1\ny: f32[3,5] = opset12.Pad(x, b, e) pad_mode=edge", lambda x: np.pad(x, ((1, 0), (1, 1)), "edge")),
    Case("x: f32[1,3]\nt: i64[2] = 2 3\ny: f32[2,3] = opset3.Broadcast(x, t) mode=numpy", lambda x: np.broadcast_to(x, (2, 3))),
    Case("x: f32[2,3]\ns: i64[1] = 1\na: i64[1] = 1\ny: f32[2,3] = opset7.Roll(x, s, a)", lambda x: np.roll(x, 1, 1)),
    Case("x: f32[1,4,2,2]\ny: f32[1,1,4,4] = opset1.DepthToSpace(x) mode=blocks_first block_size=2", lambda x: x.reshape(1, 2, 2, 1, 2, 2).transpose(0, 3, 4, 1, 5, 2).reshape(1, 1, 4, 4)),
    Case("x: f32[1,1,4,4]\ny: f32[1,4,2,2] = opset1.SpaceToDepth(x) mode=blocks_first block_size=2", lambda x: x.reshape(1, 1, 2, 2, 2, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 4, 2, 2)),
    Case("x: f32[1,4,1,2]\ny: f32[1,4,1,2] = opset1.ShuffleChannels(x) axis=1 group=2", lambda x: x[:, [0, 2, 1, 3]]),
    Case("x: f32[2,3]\ny: i64[2] = opset3.ShapeOf(x) output_type=i64", lambda x: [2, 3]),
    Case("a: i64[] = 1\nb: i64[] = 7\ns: i64[] = 2\nx: i64[3]\nr: i64[3] = opset4.Range(a, b, s) output_type=i64\ny: i64[3] = opset1.Add(r, x) auto_broadcast=numpy", lambda x: x + A([1, 3, 5])),
    Case("i: i64[3] = 0 2 1\nd: i64[] = 3\no: f32[] = 1\nf: f32[] = 0\nh: f32[3,3] = opset1.OneHot(i, d, o, f) axis=-1\nx: f32[3,3]\ny: f32[3,3] = opset1.Multiply(h, x) auto_broadcast=numpy", lambda x: x * np.eye(3)[[0, 2, 1]]),
    Case("r: i64[] = 2\nc: i64[] = 3\nd: i64[] = 1\ne: f32[2,3] = opset9.Eye(r, c, d) output_type=f32\nx: f32[2,3]\ny: f32[2,3] = opset1.Add(e, x) auto_broadcast=numpy", lambda x: x + np.eye(2, 3, 1)),
    Case("x: f32[2,3]\nk: i64[] = 2\nv: f32[2,2] | i: i64[2,2] = opset11.TopK(x, k) axis=1 mode=max sort=value stable=false index_element_type=i64", lambda x: (np.sort(x)[:, :0:-1], np.argsort(x)[:, :0:-1])),
    Case("x: f32[3,2]\ni: i64[1] = 1\nu: f32[1,2]\na: i64[] = 0\ny: f32[3,2] = opset3.ScatterUpdate(x, i, u, a)", lambda x, u: np.concatenate([x[:1], u, x[2:]])),
    Case("x: f32[3]\ni: i64[2] = 0 2\nu: f32[2] = 7 8\na: i64[] = 0\ny: f32[3] = opset12.ScatterElementsUpdate(x, i, u, a) reduction=sum use_init_val=true", lambda x: x + A([7, 0, 8])),
    Case("x: f32[3]\ni: i64[1,1] = 1\nu: f32[1] = 9\ny: f32[3] = opset4.ScatterNDUpdate(x, i, u)", lambda x: A([x[0], 9, x[2]])),
    Case("x: f32[2,3]\nl: i32[2] = 2 3\ny: f32[2,3] = opset1.ReverseSequence(x, l) batch_axis=0 seq_axis=1", lambda x: np.stack([x[0, [1, 0, 2]], x[1, ::-1]])),
    Case("x: i64[2,2]\ny: i64[2,?] = opset3.NonZero(x) output_type=i64", lambda x: np.nonzero(x)),
    Case("x: f32[2]\nb: f32[3] = -1 0 1\ny: i64[2] = opset3.Bucketize(x, b) output_type=i64 with_right_bound=true", lambda x: np.searchsorted(A([-1, 0, 1]), x)),
    Case("x: f32[2,3]\ny: f32[2,3] = opset16.Identity(x)", lambda x: x),
]  # fmt: skip

MULTIPLIED = [
    Case("x: f32[2,3]\nw: f32[4,3]\ny: f32[2,4] = opset1.MatMul(x, w) transpose_a=false transpose_b=true", lambda x, w: x @ w.T),
    Case("x: f32[2,3,4]\nw: f32[4,5]\ny: f32[2,3,5] = opset1.MatMul(x, w) transpose_a=false transpose_b=false", lambda x, w: x @ w),
    Case("x: f32[4]\nw: f32[4]\ny: f32[] = opset1.MatMul(x, w) transpose_a=false transpose_b=false", lambda x, w: x @ w),
    Case("x: f32[2,3]\nw: f32[3,4]\ny: f32[2,4] = opset7.Einsum(x, w) equation=ij,jk->ik", lambda x, w: x @ w),
    Case(
        f"x: f32[1,2,4,4]\nw: f32[3,2,3,3]\ny: f32[1,3,2,2] = opset1.Convolution(x, w) {WINDOW} dilations=1,1 auto_pad=explicit",
        lambda x, w: np.einsum("ncijhw,ochw->noij", windows(x, 3), w),
    ),
    Case(
        f"x: f32[1,2,3,3]\nw: f32[2,1,1,2,2]\ny: f32[1,2,2,2] = opset1.GroupConvolution(x, w) {WINDOW} dilations=1,1 auto_pad=explicit",
        lambda x, w: np.einsum("ncijhw,chw->ncij", windows(x, 2), w[:, 0, 0]),
    ),
    Case(
        "x: f32[1,1,3,3]\nw: f32[1,1,1,1]\ny: f32[1,1,5,5] = opset1.ConvolutionBackpropData(x, w) strides=2,2 pads_begin=0,0 pads_end=0,0 dilations=1,1 auto_pad=explicit output_padding=0,0",
        lambda x, w: np.kron(x[0, 0] * w[0, 0, 0, 0], A([[1, 0], [0, 0]]))[None, None, :5, :5],
    ),
    Case(f"x: f32[1,2,4,4]\ny: f32[1,2,3,3] = opset1.MaxPool(x) kernel=2,2 {WINDOW} rounding_type=floor auto_pad=explicit", lambda x: windows(x, 2).max((4, 5))),
    Case(f"x: f32[1,2,4,4]\ny: f32[1,2,3,3] = opset1.AvgPool(x) kernel=2,2 {WINDOW} exclude-pad=true rounding_type=floor auto_pad=explicit", lambda x: windows(x, 2).mean((4, 5))),
    Case(
        "x: f32[1,1,4,4]\nv: f32[1,1,2,2] | i: i64[1,1,2,2] = opset8.MaxPool(x) kernel=2,2 strides=2,2 dilations=1,1 pads_begin=0,0 pads_end=0,0 rounding_type=floor "
        "auto_pad=explicit index_element_type=i64 axis=0",
        lambda x: (windows(x, 2)[:, :, ::2, ::2].max((4, 5)), [[[[5, 7], [13, 15]]]]),
    ),
    Case("x: f32[1,2,3,3]\no: i64[2] = 1 1\ny: f32[1,2,1,1] = opset8.AdaptiveAvgPool(x, o)", lambda x: x.mean((2, 3), keepdims=True)),
    Case("x: f32[1,2,4]\na: i64[1] = -1\ny: f32[1,2,4] = opset6.MVN(x, a) normalize_variance=true eps=0.001 eps_mode=inside_sqrt", lambda x: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 0.001)),
    Case("x: f32[2,4]\na: i64[1] = 1\ny: f32[2,4] = opset1.NormalizeL2(x, a) eps=0.001 eps_mode=add", lambda x: x / np.sqrt((x * x).sum(1, keepdims=True) + 0.001)),
    Case(
        "x: f32[1,2,2]\ng: f32[2] = 1 2\nb: f32[2] = 0 1\nm: f32[2] = 0 1\nv: f32[2] = 1 4\ny: f32[1,2,2] = opset5.BatchNormInference(x, g, b, m, v) epsilon=0",
        lambda x: np.stack([x[:, 0], (x[:, 1] - 1) / 2 * 2 + 1], 1),
    ),
    Case("x: f32[1,2,4]\ns: f32[2] = 1 1\nb: f32[2] = 0 0\ny: f32[1,2,4] = opset12.GroupNormalization(x, s, b) num_groups=1 epsilon=0.001", lambda x: (x - x.mean()) / np.sqrt(x.var() + 0.001)),
    Case("q: f32[1,2,4]\nk: f32[1,3,4]\nv: f32[1,3,2]\ny: f32[1,2,2] = opset13.ScaledDotProductAttention(q, k, v) causal=false", lambda q, k, v: softmax(q @ k.transpose(0, 2, 1) / 2, -1) @ v),
    Case(
        "x: f32[1,1,2,2]\ns: i64[2] = 4 4\nf: f32[2] = 2 2\na: i64[2] = 2 3\n"
        "y: f32[1,1,4,4] = opset4.Interpolate(x, s, f, a) mode=nearest shape_calculation_mode=sizes coordinate_transformation_mode=asymmetric "
        "nearest_mode=floor antialias=false pads_begin=0,0,0,0 pads_end=0,0,0,0 cube_coeff=-0.75",
        lambda x: x.repeat(2, 2).repeat(2, 3),
    ),
    Case("x: f32[2,3]\nh: f32[2,2]\nw: f32[2,3]\nr: f32[2,2]\nb: f32[2]\ny: f32[2,2] = opset1.RNNCell(x, h, w, r, b) hidden_size=2", lambda x, h, w, r, b: np.tanh(x @ w.T + h @ r.T + b)),
]  # fmt: skip

LOOP = """
n: i64[] = 3
go: boolean[] = 1
x: f32[2]
r: f32[2] | all: f32[3,2] = opset5.Loop(n, go, x) {
  s: f32[2]
  t: i64[]
  true: boolean[] = 1
  f: f32[] = opset1.Convert(t) destination_type=f32
  y: f32[2] = opset1.Add(s, f) auto_broadcast=numpy
  shape: i64[2] = 1 -1
  row: f32[1,2] = opset1.Reshape(y, shape) special_zero=false
  in 2 s
  count t
  cond true
  out r y
  out all row axis=0 start=0 end=-1 stride=1 part_size=1
  back y s
}"""
ITERATOR = """
x: f32[3,2]
h: f32[1,2]
y: f32[3,2] | last: f32[1,2] = opset1.TensorIterator(x, h) {
  part: f32[1,2]
  state: f32[1,2]
  sum: f32[1,2] = opset1.Add(part, state) auto_broadcast=numpy
  in 0 part axis=0 start=0 end=-1 stride=1 part_size=1
  in 1 state
  out y sum axis=0 start=0 end=-1 stride=1 part_size=1
  out last sum
  back sum state
}"""
CHOICE = """
c: boolean[]
x: f32[2]
y: f32[2] = opset8.If(c, x) {
  a: f32[2]
  p: f32[2] = opset1.ReLU(a)
  in 1 a
  out y p
} else {
  a: f32[2]
  p: f32[2] = opset1.Negative(a)
  in 1 a
  out y p
}"""
NESTED = [
    Case(LOOP, lambda x: (x + 3, np.stack([x, x + 1, x + 3]))), Case(ITERATOR, lambda x, h: (h + np.cumsum(x, 0), h + x.sum(0, keepdims=True))),
    Case(CHOICE, lambda c, x: np.maximum(x, 0), {"c": A(True)}), Case(CHOICE, lambda c, x: -x, {"c": A(False)}),
]  # fmt: skip

OPEN = [
    Case("x: f32[?,3]\ny: f32[?,3] = opset1.ReLU(x)", lambda x: np.maximum(x, 0), {"x": A([[1, -2, 3]], F)}),
    Case("x: f32[?,?]\ny: f32[?,?] = opset1.ReLU(x)", lambda x: np.maximum(x, 0), {"x": A([[1, -2]], F)}),
    Case("x: f32[1..8,4]\np: i64[2] = 0 -1\ny: f32[?,4] = opset1.Reshape(x, p) special_zero=true", lambda x: x, {"x": np.ones((5, 4), F)}),
    Case("x: f32[?,3]\ny: f32[?,3]\nz: f32[?,6] = opset1.Concat(x, y) axis=1", lambda x, y: np.hstack([x, y]), {"x": np.ones((2, 3), F), "y": np.ones((2, 3), F)}),
    Case(
        "x: f32[?,?,8]\ns: i64[3] = opset3.ShapeOf(x) output_type=i64\ni: i64[2] = 0 1\na: i64[] = 0\ng: i64[2] = opset8.Gather(s, i, a) batch_dims=0\n"
        "t: i64[2] = 2 4\np: i64[4] = opset1.Concat(g, t) axis=0\ny: f32[?,?,2,4] = opset1.Reshape(x, p) special_zero=false",
        lambda x: x.reshape(1, 3, 2, 4), {"x": np.arange(24, dtype=F).reshape(1, 3, 8)},
    ),
    Case("b: f32[?,3,?]\na: i64[1] = 1\ny: f32[?,?] = opset1.ReduceSum(b, a) keep_dims=false", lambda b: b.sum(1), {"b": np.ones((2, 3, 4), F)}),
    Case("x: i64[?]\nw: f32[5,2] = 0 1 2 3 4 5 6 7 8 9\na: i64[] = 0\ny: f32[?,2] = opset8.Gather(w, x, a) batch_dims=0", lambda x: np.arange(10).reshape(5, 2)[x], {"x": A([4, 0])}),
]  # fmt: skip

SMALL = [
    Case("x: f32[4]\nw: u4[4] = hex:3412\ns: f32[] = 0.5\nf: f32[4] = opset1.Convert(w) destination_type=f32\nd: f32[4] = opset1.Multiply(f, s) auto_broadcast=numpy\n"
         "y: f32[4] = opset1.Add(x, d) auto_broadcast=numpy", lambda x: x + A([4, 3, 2, 1]) / 2),
    Case("x: f32[4]\nw: i4[4] = hex:f18e\nf: f32[4] = opset1.Convert(w) destination_type=f32\ny: f32[4] = opset1.Add(x, f) auto_broadcast=numpy", lambda x: x + A([1, -1, -2, -8])),
    Case("x: f32[3]\nw: i8[3] = -128 0 127\nz: i8[] = 1\nf: f32[3] = opset1.Convert(w) destination_type=f32\ng: f32[] = opset1.Convert(z) destination_type=f32\n"
         "d: f32[3] = opset1.Subtract(f, g) auto_broadcast=numpy\ny: f32[3] = opset1.Multiply(x, d) auto_broadcast=numpy", lambda x: x * A([-129, -1, 126])),
    Case("x: f32[2]\nw: f16[2] = 0.5 -2\nf: f32[2] = opset1.Convert(w) destination_type=f32\ny: f32[2] = opset1.Multiply(x, f) auto_broadcast=numpy", lambda x: x * A([0.5, -2])),
    Case("x: f32[2]\nw: bf16[2] = 0.5 -2\nf: f32[2] = opset1.Convert(w) destination_type=f32\ny: f32[2] = opset1.Multiply(x, f) auto_broadcast=numpy", lambda x: x * A([0.5, -2])),
    Case("x: f32[2]\nw: f8e4m3[2] = hex:38c0\nf: f32[2] = opset1.Convert(w) destination_type=f32\ny: f32[2] = opset1.Multiply(x, f) auto_broadcast=numpy", lambda x: x * A([1, -2])),
    Case("x: f32[2]\nw: nf4[2] = hex:f0\nf: f32[2] = opset1.Convert(w) destination_type=f32\ny: f32[2] = opset1.Multiply(x, f) auto_broadcast=numpy", lambda x: x * A([-1, 1])),
    Case("x: f32[2,3]\na: f32[] = -1\nb: f32[] = 1\ny: f32[2,3] = opset1.FakeQuantize(x, a, b, a, b) levels=5 auto_broadcast=numpy", lambda x: quantized(x, -1, 1, 5)),
    Case("x: f32[2,3]\na: f32[] = 0\nb: f32[] = 2\ny: f32[2,3] = opset1.FakeQuantize(x, a, b, a, b) levels=256 auto_broadcast=numpy", lambda x: quantized(x, 0, 2, 256)),
]  # fmt: skip

STRINGS = [
    Case("s: string[2] = open vino\nb: i32[2] | e: i32[2] | c: u8[?] = opset15.StringTensorUnpack(s)", lambda: ([0, 4], [4, 8], A([*b"openvino"]))),
    Case("s: string[2]\nb: i32[2] | e: i32[2] | c: u8[?] = opset15.StringTensorUnpack(s)"),
    Case("s: string[2,2]\nb: i32[2,2] | e: i32[2,2] | c: u8[?] = opset15.StringTensorUnpack(s)"),
    Case("b: i32[2]\ne: i32[2]\nc: u8[4]\ns: string[2] = opset15.StringTensorPack(b, e, c)"),
]  # fmt: skip

STATES = [
    Case("x: f32[1,2]\ni: f32[1,2] = 1 2\nr: f32[1,2] = opset6.ReadValue(i) variable_id=v variable_type=f32 variable_shape=1,2\ny: f32[1,2] = opset1.Add(x, r) auto_broadcast=numpy\n"
         "w: f32[1,2] = opset6.Assign(y) variable_id=v", lambda x: x + A([[1, 2]])),
    Case("x: f32[1,2]\ni: f32[1,2] = 1 2\nr: f32[1,2] = opset3.ReadValue(i) variable_id=v\ny: f32[1,2] = opset1.Multiply(x, r) auto_broadcast=numpy\n"
         "w: f32[1,2] = opset3.Assign(y) variable_id=v", lambda x: x * A([[1, 2]])),
    Case("x: f32[?,2]\ni: f32[1,2] = 1 2\nr: f32[?,2] = opset6.ReadValue(i) variable_id=v variable_type=f32 variable_shape=?,2\ny: f32[?,2] = opset1.Concat(x, r) axis=0\n"
         "w: f32[?,2] = opset6.Assign(y) variable_id=v", lambda x: np.vstack([x, A([[1, 2]])]), {"x": np.ones((1, 2), F)}),
    Case("x: f32[1,2]\ni: f32[1,2] = 1 2\nr: f32[1,2] = opset6.ReadValue(i) variable_id=v variable_type=dynamic variable_shape=...\ny: f32[1,2] = opset1.Add(x, r) auto_broadcast=numpy\n"
         "w: f32[1,2] = opset6.Assign(y) variable_id=v", lambda x: x + A([[1, 2]])),
]  # fmt: skip

NEW = {
    "unary": UNARY, "binary": BINARY, "reduced": REDUCED, "moved": MOVED, "multiplied": MULTIPLIED, "nested": NESTED, "open": OPEN, "small": SMALL,
    "strings": STRINGS, "states": STATES,
}  # fmt: skip
OLD = [
    case._replace(version=10)
    for case in (*UNARY[:8], *BINARY[:8], *REDUCED[:4], *MOVED[:8], *MULTIPLIED[:3], *NESTED, *SMALL[-2:])
]
CASES = {**NEW, "ir10": OLD}
