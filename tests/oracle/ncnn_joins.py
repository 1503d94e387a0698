"""Layers of several inputs, which ncnn_networks.py adds with all that they need: each takes a net, an open blob and its shape."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import prod
from typing import Any, Protocol

from oracle.ncnn_layers import BINARY, SIZES, Shape


class Net(Protocol):
    rng: random.Random

    def add(self, type_: str, inputs: list[str], parameters: dict[int, Any], outputs: int = 1) -> list[str]: ...

    def memory(self, shape: Shape) -> str: ...

    def indices(self, count: int) -> str: ...

    def like(self, blob: str, shape: Shape) -> str: ...

    def end(self, type_: str, inputs: list[str], parameters: dict[int, Any]) -> None: ...


Join = Callable[[Net, str, Shape], bool]


def split(net: Net, blob: str, shape: Shape) -> bool:
    net.add("Split", [blob], {}, net.rng.choice((2, 2, 3)))
    return True


def binary(net: Net, blob: str, shape: Shape) -> bool:
    """The other side: the same shape, ones, or the outer sizes only."""
    way = net.rng.randrange(3)
    other = (
        [net.rng.choice((1, n)) for n in shape]
        if way == 1
        else shape[: net.rng.randint(1, len(shape))]
        if way == 2
        else shape
    )
    sides = [blob, net.like(blob, shape) if other == shape else net.memory(other)]
    net.rng.shuffle(sides)
    net.add("BinaryOp", sides, {0: net.rng.choice(BINARY)})
    return True


def concat(net: Net, blob: str, shape: Shape) -> bool:
    axis = net.rng.randrange(len(shape))
    others = [
        [net.rng.randint(1, 4) if k == axis else n for k, n in enumerate(shape)]
        for _ in range(net.rng.choice((1, 1, 2)))
    ]
    net.add("Concat", [blob, *map(net.memory, others)], {0: net.rng.choice((axis, axis - len(shape)))} if axis else {})
    return True


def eltwise(net: Net, blob: str, shape: Shape) -> bool:
    operation = net.rng.choice((0, 1, 1, 2))
    count = net.rng.choice((2, 2, 3))
    inputs = [blob, net.like(blob, shape), *(net.memory(shape) for _ in range(count - 2))]
    coefficients = {1: [0.5, -1.0, 2.0][:count]} if operation == 1 and net.rng.random() < 0.5 else {}
    net.add("Eltwise", inputs, {0: operation, **coefficients})
    return True


def matmul(net: Net, blob: str, shape: Shape) -> bool:
    if len(shape) not in (2, 3):
        return False
    columns, turned = net.rng.randint(1, 6), net.rng.random() < 0.5
    last = [columns, shape[-1]] if turned else [shape[-1], columns]
    net.add("MatMul", [blob, net.memory([*shape[:-2], *last])], {0: 1} if turned else {})
    return True


def gemm(net: Net, blob: str, shape: Shape) -> bool:
    if len(shape) != 2:
        return False
    n, a, b = net.rng.randint(1, 6), net.rng.randint(0, 1), net.rng.randint(0, 1)
    inner, rows = (shape[0], shape[1]) if a else (shape[1], shape[0])
    third = [net.memory(net.rng.choice(([n], [rows, n], [1])))] if net.rng.random() < 0.5 else []
    net.add(
        "Gemm",
        [blob, net.memory([n, inner] if b else [inner, n]), *third],
        {0: 0.5, 1: 1.0, 2: a, 3: b, 14: net.rng.choice((0, 0, 1))},
    )
    return True


def copy(net: Net, blob: str, shape: Shape) -> bool:
    small = [net.rng.randint(1, n) for n in shape]
    ids = {0: 0, 1: 1, 11: 13, 2: 2}
    offsets = {ids[key]: net.rng.randint(0, n - s) for key, n, s in zip(SIZES[len(shape)], shape, small, strict=True)}
    net.add("CopyTo", [blob, net.memory(small)], offsets)
    return True


def sample(net: Net, blob: str, shape: Shape) -> bool:
    if len(shape) != 3:
        return False
    height, width, fused = net.rng.randint(1, 6), net.rng.randint(1, 6), net.rng.randint(0, 1)
    grid = net.memory([2, height, width] if fused else [height, width, 2])
    net.add(
        "GridSample",
        [blob, grid],
        {0: net.rng.choice((1, 2, 3)), 1: net.rng.choice((1, 2, 3)), 2: net.rng.randint(0, 1), 3: fused},
    )
    return True


def deformable(net: Net, blob: str, shape: Shape) -> bool:
    if len(shape) != 3 or min(shape[1:]) < 3:
        return False
    out, height, width = net.rng.choice((2, 4)), shape[1], shape[2]
    inputs = [blob, net.memory([18, height, width])]
    if net.rng.random() < 0.5:
        inputs.append(net.memory([9, height, width]))
    net.add("DeformableConv2D", inputs, {0: out, 1: 3, 4: 1, 5: net.rng.randint(0, 1), 6: out * shape[0] * 9})
    return True


def region(net: Net, blob: str, shape: Shape) -> bool:
    if len(shape) != 3:
        return False
    box = net.memory([4])
    size = {0: net.rng.choice((1, 2, 3)), 1: net.rng.choice((1, 2, 3)), 2: 1.0}
    kind = net.rng.choice(("ROIPooling", "ROIAlign", "PSROIPooling"))
    if kind == "ROIAlign":
        size |= {3: net.rng.choice((0, 2)), 4: net.rng.randint(0, 1), 5: net.rng.randint(0, 1)}
    if kind == "PSROIPooling":
        if shape[0] % 4:
            return False
        size |= {0: 2, 1: 2, 3: shape[0] // 4}
    net.add(kind, [blob, box], size)
    return True


def attention(net: Net, blob: str, shape: Shape) -> bool:
    """Queries from the blob, keys and values from elsewhere."""
    if len(shape) == 3:
        heads, rows, size = shape
        other, width = net.rng.randint(1, 5), net.rng.randint(1, 5)
        inputs = [blob, net.memory([heads, other, size]), net.memory([heads, other, width])]
        mask = net.rng.randint(0, 1)
        net.add(
            "SDPA",
            [*inputs, *([net.memory([rows, other])] if mask else [])],
            {5: mask, **({6: 0.5} if net.rng.randint(0, 1) else {})},
        )
        return True
    if len(shape) != 2:
        return False
    size, heads = shape[1], net.rng.choice([h for h in (1, 2, 4) if shape[1] % h == 0])
    keys, values, other = net.rng.randint(2, 5), net.rng.randint(2, 5), net.rng.randint(1, 5)
    inputs = [blob, net.memory([other, keys]), net.memory([other, values])]
    net.add("MultiHeadAttention", inputs, {0: size, 1: heads, 2: size * size, 3: keys, 4: values})
    return True


def rotary(net: Net, blob: str, shape: Shape) -> bool:
    if len(shape) != 3 or shape[2] % 2:
        return False
    net.add(
        "RotaryEmbed",
        [blob, net.memory([shape[1], shape[2] // 2]), net.memory([shape[1], shape[2] // 2])],
        {0: net.rng.randint(0, 1)},
    )
    return True


def recurrent(net: Net, blob: str, shape: Shape) -> bool:
    """With the states given and returned."""
    if len(shape) != 2:
        return False
    kind, gates = net.rng.choice((("LSTM", 4), ("GRU", 3), ("RNN", 1)))
    out, direction = net.rng.choice((2, 4)), net.rng.choice((0, 1, 2))
    directions = 2 if direction == 2 else 1
    states = [net.memory([directions, out]) for _ in range(2 if kind == "LSTM" else 1)]
    net.add(kind, [blob, *states], {0: out, 1: out * shape[1] * gates * directions, 2: direction}, 1 + len(states))
    return True


def detections(net: Net, blob: str, shape: Shape) -> bool:
    """The end of SSD: places, classes, boxes."""
    count, classes = net.rng.randint(2, 6), net.rng.randint(2, 4)
    inputs = [net.memory([4 * count]), net.memory([count * classes]), net.memory([2, 4 * count])]
    net.end("DetectionOutput", inputs, {0: classes, 1: 0.45, 2: 100, 3: 50, 4: -0.5})
    return True


def yolo(net: Net, blob: str, shape: Shape) -> bool:
    if len(shape) != 3:
        return False
    channels = 3 * (5 + 2)
    head = net.add("Convolution", [blob], {0: channels, 1: 1, 6: channels * shape[0]})
    if net.rng.random() < 0.3:
        net.end("YoloDetectionOutput", head, {0: 2, 1: 3, 2: 0.1, 3: 0.45, 4: [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]})
        return True
    boxes = {4: [1.0, 1.0, 2.0, 2.0, 3.0, 3.0], 5: [0.0, 1.0, 2.0], 6: [32.0]}
    net.end("Yolov3DetectionOutput", head, {0: 2, 1: 3, 2: 0.1, 3: 0.45, **boxes})
    return True


def proposal(net: Net, blob: str, shape: Shape) -> bool:
    inputs = [net.memory([18, 3, 3]), net.memory([36, 3, 3]), net.memory([3])]
    net.end("Proposal", inputs, {0: 16, 1: 16, 2: 50, 3: 10, 4: 0.7, 5: 0})
    return True


def cast(net: Net, blob: str, shape: Shape) -> bool:
    kind = net.rng.choice((2, 4))
    net.add("Cast", net.add("Cast", [blob], {0: 1, 1: kind}), {0: kind, 1: 1})
    return True


def scale(net: Net, blob: str, shape: Shape) -> bool:
    net.add("Scale", [blob, net.memory([shape[0]])], {0: -233})
    return True


def reference(net: Net, blob: str, shape: Shape) -> bool:
    """Cropped or resized to the shape of another blob."""
    if net.rng.random() < 0.5 and len(shape) == 3:
        net.add(
            "Interp",
            [blob, net.memory([1, net.rng.randint(1, 8), net.rng.randint(1, 8)])],
            {0: net.rng.choice((1, 2)), 5: 1},
        )
    else:
        net.add("Crop", [blob, net.memory([net.rng.randint(1, n) for n in shape])], {})
    return True


def spectrum(net: Net, blob: str, shape: Shape) -> bool:
    """Frequencies, frames, and the two parts of a complex number."""
    n = net.rng.choice((4, 8))
    rows = n // 2 + 1 if net.rng.random() < 0.7 else n
    net.add(
        "InverseSpectrogram",
        [net.memory([rows, net.rng.randint(2, 6), 2])],
        {0: n, 1: net.rng.choice((0, 1)), 2: n // 2, 4: 1, 5: 1},
    )
    return True


def words(net: Net, blob: str, shape: Shape) -> bool:
    size = net.rng.choice((4, 6))
    net.add("Embed", [net.indices(net.rng.randint(2, 8))], {0: size, 1: 10, 2: net.rng.choice((0, 1)), 3: 10 * size})
    return True


def quantized(net: Net, blob: str, shape: Shape) -> bool:
    net.end("Quantize", [blob], {0: net.rng.choice((1, shape[0]))})
    return True


def expression(net: Net, blob: str, shape: Shape) -> bool:
    """A shape computed from that of the input: w and h times something."""
    if len(shape) not in (2, 3) or prod(shape) > 4000:
        return False
    sizes = {2: ("*(0w,0h)", "0h,0w"), 3: ("*(0w,0h),0c", "0w,*(0h,0c)", "0h,0w,0c")}[len(shape)]
    net.add("Reshape", [blob], {6: f'"{net.rng.choice(sizes)}"'})
    return True


JOINS: list[Join] = [
    split, split, split, binary, binary, binary, concat, concat, eltwise, eltwise, matmul, gemm, copy, sample, deformable, region, attention, rotary,
    recurrent, detections, yolo, proposal, cast, scale, reference, spectrum, words, quantized, expression,
]  # fmt: skip
