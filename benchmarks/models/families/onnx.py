"""ONNX models, written with its helper: what exporters other than PyTorch's make."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import openvino as ov
from cases import Built, Case
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT


def cases() -> Iterator[Case]:
    yield Case("zfnet", zfnet)
    yield Case("tiny_yolo_head", yolo_head)
    yield Case("super_resolution", super_resolution)
    yield Case("style_transfer", style_transfer)
    yield Case("detector_nms", detector_nms)
    yield Case("quantised_conv", quantised_conv)
    yield Case("dynamic_quantised", dynamic_quantised)
    yield Case("bilstm_tagger", tagger)
    yield Case("scan_cumulative", scan)
    yield Case("roi_head", roi_head)
    yield Case("grid_warp", grid_warp)
    yield Case("einsum_attention", einsum_attention)
    yield Case("scatter_topk", scatter_topk)
    yield Case("mel_spectrum", spectrum)


class Net:
    """A graph in the making; each operator returns the name of its output."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.random = np.random.default_rng(0)

    def op(self, kind: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        names = [f"{kind}_{len(self.nodes)}_{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, value: Any, dtype: Any = np.float32) -> str:
        self.weights.append(numpy_helper.from_array(np.asarray(value, dtype), f"w{len(self.weights)}"))
        return self.weights[-1].name

    def weight(self, *shape: int, scale: float | None = None) -> str:
        scale = (2 / np.prod(shape[1:])) ** 0.5 if scale is None else scale
        return self.constant(self.random.standard_normal(shape) * scale)

    def conv(self, x: str, inner: int, outer: int, kernel: int, stride: int = 1, **attributes: Any) -> str:
        pads = [kernel // 2] * 4
        weight = self.weight(outer, inner // attributes.get("group", 1), kernel, kernel)
        return self.op("Conv", x, weight, self.weight(outer), strides=[stride] * 2, pads=pads, **attributes)

    def built(self, inputs: dict[str, Sequence[int]], outputs: Sequence[str], opset: int = 17) -> Built:
        takes = [helper.make_tensor_value_info(name, FLOAT, list(shape)) for name, shape in inputs.items()]
        gives = [helper.make_value_info(name, onnx.TypeProto()) for name in outputs]
        graph = helper.make_graph(self.nodes, "net", takes, gives, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.onnx"
            onnx.save(model, path)
            return Built(ov.convert_model(path), list(inputs.values()))


def zfnet() -> Built:
    net = Net()
    x = net.op("Relu", net.op("Conv", "x", net.weight(96, 3, 7, 7), net.weight(96), strides=[2, 2], pads=[1] * 4))
    x = net.op("LRN", x, size=5, alpha=1e-4, beta=0.75, bias=2.0)
    x = net.op("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2])
    x = net.op("Relu", net.op("Conv", x, net.weight(256, 96, 5, 5), net.weight(256), strides=[2, 2]))
    x = net.op("MaxPool", net.op("LRN", x, size=5), kernel_shape=[3, 3], strides=[2, 2])
    for inner, outer in ((256, 384), (384, 384), (384, 256)):
        x = net.op("Relu", net.conv(x, inner, outer, 3, group=2))
    x = net.op("Flatten", net.op("GlobalAveragePool", x))
    return net.built({"x": [1, 3, 224, 224]}, [net.op("Softmax", net.op("Gemm", x, net.weight(256, 100)))])


def yolo_head() -> Built:
    net = Net()
    x = net.op("LeakyRelu", net.conv("x", 3, 16, 3, 2), alpha=0.1)
    x = net.op("LeakyRelu", net.conv(x, 16, 32, 3, 2), alpha=0.1)
    up = net.op("Resize", x, "", net.constant([1, 1, 2, 2]), mode="nearest")
    down = net.op("Concat", up, net.conv("x", 3, 8, 3, 2), axis=1)
    return net.built({"x": [1, 3, 128, 128]}, [net.op("Sigmoid", net.conv(down, 40, 18, 1))])


def super_resolution() -> Built:
    net = Net()
    x = net.op("PRelu", net.conv("x", 1, 32, 5), net.constant(np.full((32, 1, 1), 0.1)))
    x = net.op("Relu", net.conv(x, 32, 16, 3))
    return net.built({"x": [1, 1, 96, 96]}, [net.op("DepthToSpace", net.conv(x, 16, 9, 3), blocksize=3, mode="CRD")])


def style_transfer() -> Built:
    net = Net()
    x = net.op("Pad", "x", net.constant([0, 0, 4, 4, 0, 0, 4, 4], np.int64), mode="reflect")
    for inner, outer in ((3, 16), (16, 32)):
        x = net.op("Conv", x, net.weight(outer, inner, 3, 3), strides=[2, 2])
        x = net.op("Relu", net.op("InstanceNormalization", x, net.constant(np.ones(outer)), net.weight(outer)))
    x = net.op("ConvTranspose", x, net.weight(32, 16, 3, 3), strides=[2, 2], pads=[1] * 4, output_padding=[1, 1])
    return net.built({"x": [1, 3, 100, 100]}, [net.op("Tanh", net.conv(x, 16, 3, 9))])


def detector_nms() -> Built:
    net = Net()
    maximum, iou, least = net.constant([50], np.int64), net.constant([0.5]), net.constant([0.6])
    chosen = net.op("NonMaxSuppression", "boxes", "scores", maximum, iou, least)
    rows = net.op("Gather", chosen, net.constant([0, 2], np.int64), axis=1)
    return net.built({"boxes": [1, 500, 4], "scores": [1, 3, 500]}, [chosen, net.op("GatherND", "boxes", rows)])


def quantised_conv() -> Built:
    net = Net()
    scale, zero = net.constant(0.02), net.constant(120, np.uint8)
    x = net.op("DequantizeLinear", net.op("QuantizeLinear", "x", scale, zero), scale, zero)
    weight = net.constant(net.random.integers(-128, 127, (16, 3, 3, 3)), np.int8)
    scales, zeros = net.constant(net.random.random(16) * 0.01), net.constant(np.zeros(16), np.int8)
    x = net.op("Conv", x, net.op("DequantizeLinear", weight, scales, zeros, axis=0), pads=[1] * 4)
    last = net.constant(0.05)
    return net.built(
        {"x": [1, 3, 48, 48]}, [net.op("DequantizeLinear", net.op("QuantizeLinear", x, last, zero), last, zero)]
    )


def dynamic_quantised() -> Built:
    net = Net()
    data, scale, zero = net.op("DynamicQuantizeLinear", "x", outputs=3)
    weight = net.constant(net.random.integers(-128, 127, (64, 32)), np.int8)
    product = net.op("Cast", net.op("MatMulInteger", data, weight, zero), to=FLOAT)
    return net.built({"x": [4, 64]}, [net.op("Mul", product, scale)])


def tagger() -> Built:
    net = Net()
    hidden, width = 32, 16
    y, *_ = net.op(
        "LSTM", "x", net.weight(2, 4 * hidden, width), net.weight(2, 4 * hidden, hidden), net.weight(2, 8 * hidden),
        outputs=3, hidden_size=hidden, direction="bidirectional",
    )  # fmt: skip
    flat = net.op("Reshape", net.op("Transpose", y, perm=[0, 2, 1, 3]), net.constant([0, 0, -1], np.int64))
    scores = net.op("MatMul", flat, net.weight(2 * hidden, 9))
    return net.built({"x": [15, 2, width]}, [net.op("ArgMax", scores, axis=-1), scores])


def scan() -> Built:
    net = Net()
    value = [helper.make_tensor_value_info(name, FLOAT, [4]) for name in ("state", "row", "next", "out")]
    body = helper.make_graph(
        [helper.make_node("Add", ["state", "row"], ["next"]), helper.make_node("Tanh", ["next"], ["out"])],
        "body", value[:2], value[2:],
    )  # fmt: skip
    found = net.op("Scan", net.constant(np.zeros(4)), "x", outputs=2, body=body, num_scan_inputs=1)
    return net.built({"x": [12, 4]}, found)


def roi_head() -> Built:
    net = Net()
    boxes = net.constant([[0, 0, 20, 20], [4, 8, 30, 25], [10, 10, 31, 31]])
    rows = net.constant(np.zeros(3), np.int64)
    x = net.op("RoiAlign", net.conv("x", 3, 8, 3), boxes, rows, output_height=7, output_width=7, sampling_ratio=2)
    pooled = net.op("MaxRoiPool", net.conv("x", 3, 8, 3), net.constant([[0, 0, 0, 20, 20]]), pooled_shape=[3, 3])
    return net.built({"x": [1, 3, 32, 32]}, [x, pooled])


def grid_warp() -> Built:
    net = Net()
    theta = net.constant([[[0.9, 0.1, 0.0], [-0.1, 1.1, 0.2]]])
    ones = net.constant(net.random.random((1, 24, 24, 2)) * 2 - 1)
    warped = net.op("GridSample", "x", ones, mode="bilinear", padding_mode="border")
    product = net.op("MatMul", theta, net.op("Reshape", warped, net.constant([1, 3, -1], np.int64)))
    return net.built({"x": [1, 3, 32, 32]}, [warped, product], opset=16)


def einsum_attention() -> Built:
    net = Net()
    q, k, v = (net.op("Einsum", "x", net.weight(32, 4, 8, scale=0.2), equation="bse,ehd->bshd") for _ in range(3))
    weights = net.op("Softmax", net.op("Einsum", q, k, equation="bqhd,bkhd->bhqk"), axis=-1)
    found = net.op("Einsum", weights, v, equation="bhqk,bkhd->bqhd")
    return net.built({"x": [2, 20, 32]}, [net.op("LayerNormalization", found, net.constant(np.ones(8)), axis=-1)])


def scatter_topk() -> Built:
    net = Net()
    values, indices = net.op("TopK", "x", net.constant([5], np.int64), outputs=2, axis=1)
    zeros = net.op("ConstantOfShape", net.op("Shape", "x"))
    spread = net.op("ScatterElements", zeros, indices, values, axis=1)
    found = net.op("ScatterND", spread, net.constant([[0, 1], [2, 3]], np.int64), net.constant([7, 8]))
    return net.built(
        {"x": [4, 40]}, [found, net.op("CumSum", found, net.constant(1, np.int64)), net.op("Trilu", found)]
    )


def spectrum() -> Built:
    net = Net()
    window = net.op("HannWindow", net.constant(64, np.int64))
    found = net.op("STFT", "x", net.constant(32, np.int64), window, net.constant(64, np.int64))
    power = net.op("ReduceSum", net.op("Mul", found, found), net.constant([3], np.int64), keepdims=0)
    return net.built({"x": [1, 512]}, [net.op("Log", net.op("Add", power, net.constant(1e-3)))])
