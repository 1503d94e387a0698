"""Builds networks as ONNX and OpenVINO IR: `large BLOCKS STEM` a deep one, `small STEM` ResNet-18 or MobileNetV2 by its name."""

from __future__ import annotations

import sys

import numpy as np
import onnx
import openvino as ov
from onnx import TensorProto, helper, numpy_helper
from openvino import opset13 as op


class Net:
    def __init__(self):
        self.nodes, self.weights, self.random = [], [], np.random.default_rng(0)

    def op(self, kind, *inputs, **attrs):
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attrs))
        return name

    def constant(self, array, dtype=np.float32):
        self.weights.append(numpy_helper.from_array(np.asarray(array, dtype), f"w{len(self.weights)}"))
        return self.weights[-1].name

    def conv(self, data, inner, outer, kernel, stride=1, groups=1, end=None):
        fan = inner // groups * kernel * kernel
        weight = self.random.standard_normal((outer, inner // groups, kernel, kernel)) * (2 / fan) ** 0.5
        data = self.op(
            "Conv",
            data,
            self.constant(weight),
            self.constant(self.random.standard_normal(outer) * 0.1),
            kernel_shape=[kernel] * 2,
            strides=[stride] * 2,
            pads=[kernel // 2] * 4,
            group=groups,
        )
        if end == "Clip":
            return self.op("Clip", data, self.constant(0.0), self.constant(6.0))
        return self.op(end, data) if end else data

    def head(self, data, width):
        data = self.op("Flatten", self.op("GlobalAveragePool", data))
        weight = self.constant(self.random.standard_normal((1000, width)) * 0.05)
        return self.op("Gemm", data, weight, self.constant(np.zeros(1000)), transB=1)

    def model(self, out, taken, given, name="image"):
        image = helper.make_tensor_value_info(name, TensorProto.FLOAT, taken)
        result = helper.make_tensor_value_info(out, TensorProto.FLOAT, given)
        graph = helper.make_graph(self.nodes, "net", [image], [result], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)

    def save(self, out, stem):
        onnx.save(self.model(out, [1, 3, 224, 224], [1, 1000]), stem + ".onnx")
        ov.save_model(ov.convert_model(stem + ".onnx"), stem + ".xml", compress_to_fp16=False)


def resnet18(stem):
    net = Net()
    at = net.conv("image", 3, 64, 7, 2, end="Relu")
    at = net.op("MaxPool", at, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    width = 64
    for outer in (64, 128, 256, 512):
        for _ in range(2):
            stride = 2 if outer != width else 1
            inner = net.conv(net.conv(at, width, outer, 3, stride, end="Relu"), outer, outer, 3)
            side = net.conv(at, width, outer, 1, stride) if outer != width else at
            at, width = net.op("Relu", net.op("Add", inner, side)), outer
    net.save(net.head(at, 512), stem)


def mobilenet(stem):
    net = Net()
    at, width = net.conv("image", 3, 32, 3, 2, end="Clip"), 32
    for grow, outer, count, stride in (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    ):
        for k in range(count):
            step = stride if k == 0 else 1
            inner = at if grow == 1 else net.conv(at, width, width * grow, 1, end="Clip")
            inner = net.conv(inner, width * grow, width * grow, 3, step, width * grow, "Clip")
            inner = net.conv(inner, width * grow, outer, 1)
            at, width = (net.op("Add", at, inner) if step == 1 and outer == width else inner), outer
    net.save(net.head(net.conv(at, 320, 1280, 1, end="Clip"), 1280), stem)


def large_ir(blocks: int, path: str) -> None:
    numbers = np.random.default_rng(0)
    image = op.parameter([1, 16, 8, 8], np.float32, name="input")
    current = image
    for k in range(blocks):

        def constant(name: str, *shape: int) -> ov.Node:
            return op.constant(numbers.random(shape, dtype=np.float32) * 0.01, name=f"block{k}/{name}")

        weights = constant("weights", 16, 16, 1, 1)
        x = op.convolution(current, weights, [1, 1], [0, 0], [0, 0], [1, 1], name=f"block{k}/conv")
        x = op.relu(op.add(x, constant("bias", 1, 16, 1, 1), name=f"block{k}/add"), name=f"block{k}/relu")
        x = op.multiply(x, constant("scale", 1, 16, 1, 1), name=f"block{k}/multiply")
        current = op.add(x, current, name=f"block{k}/residual")
    ov.save_model(ov.Model([op.result(current, name="output")], [image], "large"), path, compress_to_fp16=False)


def large_onnx(blocks: int, path: str) -> None:
    net, current = Net(), "image"
    for _ in range(blocks):
        x = net.op("Conv", current, net.constant(np.full((16, 16, 1, 1), 0.01)), kernel_shape=[1, 1])
        x = net.op("Relu", net.op("Add", x, net.constant(np.full((1, 16, 1, 1), 0.01))))
        x = net.op("Mul", x, net.constant(np.full((1, 16, 1, 1), 0.01)))
        current = net.op("Add", x, current)
    onnx.save(net.model(current, [1, 16, 8, 8], [1, 16, 8, 8]), path)


def main() -> None:
    kind, *arguments = sys.argv[1:]
    if kind == "large":
        blocks, stem = int(arguments[0]), arguments[1]
        large_onnx(blocks, stem + ".onnx")
        large_ir(blocks, stem + ".xml")
    else:
        {"resnet18": resnet18, "mobilenetv2": mobilenet}[arguments[0].rpartition("/")[2]](arguments[0])


if __name__ == "__main__":
    main()
