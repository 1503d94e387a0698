"""Sound LightNet models of one operator each, written from its description, with what it computes in the words of NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

F = "TL_FLOAT"
WINDOW = {"size": [2, 2], "stride": [2, 2], "padding": [0, 0, 0, 0], "autopad": "NOTSET"}
CONV = {"group": 1, "size": [3, 3], "stride": [1, 1], "dilation": [1, 1], "padding": [0, 0, 0, 0], "autopad": "NOTSET"}
BOXES = {"width": 3, "height": 3, "img_width": 64, "img_height": 48, "x_shift": 0, "y_shift": 0}


class Case(NamedTuple):
    """`inputs` and `outputs` by argument: dimensions and element type. `wanted` makes the outputs of the inputs."""

    optype: str
    inputs: dict[str, tuple[Sequence[int], str]]
    outputs: dict[str, tuple[Sequence[int], str]]
    params: dict[str, Any] = {}
    wanted: Callable[..., Any] | None = None
    cpu: bool = True  # whether LightNet compiles it for the cpu


def one(
    optype: str, given: list[int], made: list[int], wanted: Any = None, kind: str = F, cpu: bool = True, **params: Any
) -> Case:
    return Case(optype, {"src": (given, kind)}, {"dst": (made, kind)}, params, wanted, cpu)


def elew(word: str, wanted: Callable[..., Any], kind: str = F) -> Case:
    both = ([2, 3], kind)
    return Case("elew", {"src1": both, "src2": both}, {"dst": both}, {"elew_op": f"TL_{word}"}, wanted)


def conv(channels: int, made: list[int], weight: list[int], wanted: Any = None, **params: Any) -> Case:
    inputs = {"src": ([1, channels, 6, 6], F), "weight": (weight, F), "bias": ([weight[0]], F)}
    return Case("conv2d", inputs, {"dst": (made, F)}, {**CONV, **params}, wanted)


def convolved(x: Any, w: Any, b: Any) -> Any:
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))
    return np.einsum("ncijhw,ochw->noij", windows, w) + b[None, :, None, None]


def pooled(x: Any) -> Any:
    """Windows of two by two, side by side."""
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, h // 2, w // 2, 4)


def softmax(x: Any, axis: int) -> Any:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def normalized(x: Any, scale: Any, offset: Any, mean: Any, var: Any) -> Any:
    by = (None, slice(None), None, None)
    return scale[by] * (x - mean[by]) / np.sqrt(var[by] + 1e-5) + offset[by]


NORM = {"src": ([1, 2, 2, 2], F), **dict.fromkeys(("scale", "offset", "mean", "var"), ([2], F))}
CASES = [
    one("slice", [2, 4], [2, 3], lambda x: x[:, 1:4], axis=1, start=1, len=3),
    one("slice", [5], [2], lambda x: x[3:], axis=0, start=3, len=2),
    one("slice", [2, 3, 4], [2, 1, 4], lambda x: x[:, 2:], "TL_INT32", axis=1, start=2, len=1),
    one("reshape", [2, 6], [3, 4], lambda x: x.reshape(3, 4), dims=[3, 4]),
    one("reshape", [2, 3], [6], lambda x: x.reshape(6), "TL_INT8", dims=[6]),
    one("reshape", [4], [1, 1, 2, 2], lambda x: x.reshape(1, 1, 2, 2), dims=[1, 1, 2, 2]),
    one("transpose", [2, 3], [3, 2], lambda x: x.T, axes=[1, 0]),
    one("transpose", [2, 3, 4], [4, 2, 3], lambda x: x.transpose(2, 0, 1), axes=[2, 0, 1]),
    one("transpose", [1, 2, 3, 4], [1, 3, 4, 2], lambda x: x.transpose(0, 2, 3, 1), "TL_UINT8", axes=[0, 2, 3, 1]),
    one("maxreduce", [2, 4], [2, 1], lambda x: x.max(1, keepdims=True), "TL_INT32", axis=1),
    one("maxreduce", [2, 4], [1, 4], lambda x: x.max(0, keepdims=True), "TL_INT32", axis=0),
    one("maxreduce", [2, 3, 2], [2, 1, 2], lambda x: x.max(1, keepdims=True), axis=1),
    Case(
        "maxreduce_arg", {"src": ([2, 4], "TL_INT32")}, {"dst": ([2, 1], "TL_INT32"), "arg": ([2, 1], "TL_INT32")}, {"axis": 1},
        lambda x: (x.max(1, keepdims=True), x.argmax(1)[:, None]),
    ),
    Case("maxreduce_arg", {"src": ([3, 2], F)}, {"dst": ([1, 2], F), "arg": ([1, 2], "TL_INT32")}, {"axis": 0}, lambda x: (x.max(0)[None], x.argmax(0)[None])),
    elew("SUM", np.add), elew("SUB", np.subtract), elew("MUL", np.multiply), elew("DIV", np.divide), elew("MAX", np.maximum), elew("MIN", np.minimum),
    elew("SUM", np.add, "TL_INT32"), elew("MUL", np.multiply, "TL_INT32"), elew("SUB", np.subtract, "TL_DOUBLE"), elew("MAX", np.maximum, "TL_INT8"),
    elew("MIN", np.minimum, "TL_INT16"), elew("SUM", np.add, "TL_INT64"), elew("POW", lambda x, y: x**np.abs(y) if (y < 0).any() else x**y, "TL_UINT8"),
    Case("zeros", {}, {"dst": ([2, 3], F)}, {"dtype": F, "dims": [2, 3]}, lambda: np.zeros((2, 3))),
    Case("zeros", {}, {"dst": ([4], "TL_INT16")}, {"dtype": "TL_INT16", "dims": [4]}, lambda: np.zeros(4)),
    Case("arange", {}, {"dst": ([3], "TL_INT32")}, {"dtype": "TL_INT32", "start": 0, "stop": 5, "step": 2}, lambda: np.arange(0, 5, 2)),
    Case("arange", {}, {"dst": ([4], F)}, {"dtype": F, "start": -1, "stop": 1, "step": 0.5}, lambda: np.arange(-1, 1, 0.5)),
    one("rearange", [4], [4], lambda x: np.arange(4.0), start=0, stop=4, step=1),
    one("relu", [2, 3], [2, 3], lambda x: np.maximum(x, 0)), one("relu", [1, 2, 3, 4], [1, 2, 3, 4], lambda x: np.maximum(x, 0)),
    one("sigmoid", [2, 3], [2, 3], lambda x: 1 / (1 + np.exp(-x))), one("lrelu", [2, 3], [2, 3], lambda x: np.where(x >= 0, x, x * 0.25), negslope=0.25),
    one("softmax", [2, 3], [2, 3], lambda x: softmax(x, 1), axis=1), one("softmax", [2, 3], [2, 3], lambda x: softmax(x, 0), axis=0),
    one("forward", [2, 3], [2, 3], lambda x: x), one("forward", [5], [5], lambda x: x, "TL_BOOL"), one("forward", [5], [5], lambda x: x, "TL_UINT32"),
    Case("concat", {"src1": ([2, 3], F), "src2": ([2, 1], F)}, {"dst": ([2, 4], F)}, {"axis": 1}, lambda x, y: np.hstack([x, y])),
    Case("concat", {"src1": ([2, 3], "TL_INT8"), "src2": ([1, 3], "TL_INT8")}, {"dst": ([3, 3], "TL_INT8")}, {"axis": 0}, lambda x, y: np.vstack([x, y])),
    Case("batchnorm", NORM, {"dst": ([1, 2, 2, 2], F)}, {"epsilon": 1e-5}, None), Case("dot_product", {"src1": ([4], F), "src2": ([4], F)}, {"dst": ([1], F)}, {}, lambda x, y: [x @ y]),
    Case("dot_product", {"src1": ([2, 2], "TL_INT32"), "src2": ([2, 2], "TL_INT32")}, {"dst": ([1], "TL_INT32")}, {}, lambda x, y: [(x * y).sum()]),
    one("upsample", [1, 2], [2, 4], lambda x: x.repeat(2, 0).repeat(2, 1), mode="TL_NEAREST", scales=[2, 2]),
    one("upsample", [1, 1, 2, 2], [1, 1, 6, 4], lambda x: x.repeat(3, 2).repeat(2, 3), mode="TL_NEAREST", scales=[1, 1, 3, 2]),
    one("resize", [2, 2], [4, 6], lambda x: x.repeat(2, 0).repeat(3, 1), mode="TL_NEAREST", dims=[4, 6]),
    one("resize", [4], [2], lambda x: x[[1, 3]], mode="TL_NEAREST", dims=[2]),
    one("maxpool2d", [1, 2, 4, 4], [1, 2, 2, 2], lambda x: pooled(x).max(-1), **WINDOW), one("avgpool2d", [1, 2, 4, 4], [1, 2, 2, 2], lambda x: pooled(x).mean(-1), **WINDOW),
    one("maxpool2d", [1, 2, 5, 5], [1, 2, 3, 3], **{**WINDOW, "padding": [1, 1, 0, 0]}), one("avgpool2d", [2, 3, 4, 6], [2, 3, 1, 1], **{**WINDOW, "size": [4, 6]}),
    conv(2, [1, 3, 4, 4], [3, 2, 3, 3], convolved), conv(2, [1, 4, 6, 6], [4, 2, 3, 3], padding=[1, 1, 1, 1]), conv(2, [1, 4, 3, 3], [4, 1, 3, 3], group=2, stride=[2, 2], autopad="SAME_UPPER"),
    conv(2, [1, 4, 2, 2], [4, 2, 3, 3], dilation=[2, 2]), conv(3, [1, 2, 6, 6], [2, 3, 1, 1], convolved, size=[1, 1]), conv(2, [1, 4, 4, 4], [4, 2, 3, 3], convolved, autopad="VALID"),
    Case("sort1d_by_key", {"src_key": ([4], F), "src_val": ([4], "TL_INT32")}, {"dst_key": ([4], F), "dst_val": ([4], "TL_INT32")}, {"dir": "TL_SORT_DIR_ASCENDING"},
         lambda k, v: (np.sort(k), v[np.argsort(k)])),
    Case("sort1d", {"src_key": ([4], F)}, {"dst_key": ([4], F)}, {"dir": "TL_SORT_DIR_DESCENDING"}, lambda k: np.sort(k)[::-1], False),
    Case("pick1d", {"src": ([8], F), "src_index": ([3], "TL_INT32")}, {"dst": ([4], F)}, {"len": 2, "stride": 2}, lambda x, i: x.reshape(4, 2)[i[:2]].ravel()),
    Case("transform_bboxSQD", dict.fromkeys(("src_delta", "src_anchor"), ([1, 2, 3, 3, 4], F)), {"dst": ([1, 2, 3, 3, 4], F)}, BOXES),
    Case("submean", {"src": ([4, 5, 3], "TL_UINT8")}, {"dst": ([3, 4, 5], F)}, {"mean": [1, 2, 3.5], "dtype": F}, lambda x: (x - [1, 2, 3.5]).transpose(2, 0, 1)),
    Case("detect_yolov3", {"feature": ([1, 21, 4, 4], F), "anchors": ([3, 2], F)},
         {name: ([1, 3, size, 4, 4], F) for name, size in (("box_centers", 2), ("box_sizes", 2), ("boxes", 4), ("confs", 1), ("probs", 2))}, {"img_width": 64, "img_height": 64}),
    Case("gather", {"src1": ([2, 3], F), "src2": ([2, 3], F)}, {"dst": ([2, 2, 3], F)}, {}, lambda x, y: np.stack([x, y]), False),
    Case("scatter", {"src": ([2, 3], F)}, {"dst1": ([3], F), "dst2": ([3], F)}, {}, lambda x: (x[0], x[1]), False),
    one("svmr", [2, 8], [2, 8], cpu=False), one("ldmr", [2, 8], [2, 8], cpu=False), one("ldmr", [2, 5], [2, 8], cpu=False),
    Case("deconv2d", {"src": ([1, 4, 5, 5], F), "weight": ([4, 3, 3, 3], F), "bias": ([6], F)}, {"dst": ([1, 6, 10, 10], F)},
         {**CONV, "group": 2, "stride": [2, 2], "output_dims": [0, 0, 0, 0], "padding": [1, 1, 0, 0], "output_padding": [0, 0]}, None, False),
]  # fmt: skip
