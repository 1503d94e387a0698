"""Operators that compute: each with operands drawn, and what comes out by the definition, number by number."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .naive_places import CASES, Drawn, Random, case, choice, floats, ints, one, shape


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


# word: the function, and the interval that numbers are drawn from
UNARY: dict[str, tuple[Callable[[float], float], float, float]] = {
    "Abs": (abs, -3, 3), "Negative": (lambda x: -x, -3, 3), "Sign": (lambda x: math.copysign(1, x), -3, 3),
    "Ceiling": (math.ceil, -3, 3), "Floor": (math.floor, -3, 3), "Sqrt": (math.sqrt, 0, 9), "Exp": (math.exp, -3, 3),
    "Log": (math.log, 0.1, 9), "Sin": (math.sin, -3, 3), "Cos": (math.cos, -3, 3), "Tan": (math.tan, -1, 1),
    "Asin": (math.asin, -1, 1), "Acos": (math.acos, -1, 1), "Atan": (math.atan, -9, 9), "Sinh": (math.sinh, -3, 3),
    "Cosh": (math.cosh, -3, 3), "Tanh": (math.tanh, -3, 3), "Asinh": (math.asinh, -9, 9), "Acosh": (math.acosh, 1, 9),
    "Atanh": (math.atanh, -0.9, 0.9), "Erf": (math.erf, -3, 3), "Relu": (lambda x: max(x, 0), -3, 3), "Sigmoid": (sigmoid, -9, 9),
    "HSigmoid": (lambda x: min(max(x + 3, 0), 6) / 6, -5, 5), "HSwish": (lambda x: x * min(max(x + 3, 0), 6) / 6, -5, 5),
    "Mish": (lambda x: x * math.tanh(math.log1p(math.exp(x))), -5, 5), "SoftPlus": (lambda x: math.log1p(math.exp(x)), -9, 9),
    "SoftSign": (lambda x: x / (1 + abs(x)), -5, 5),
}  # fmt: skip


def _unary(function: Callable[[float], float], low: float, high: float) -> Callable[[Random], Drawn]:
    def draw(random: Random) -> Drawn:
        data = random.uniform(low, high, shape(random, 0)).astype(np.float32)
        return one(np.vectorize(lambda x: function(float(x)), otypes=[np.float32])(data), data)

    return draw


ACTIVATIONS = ("Erf", "Relu", "Sigmoid", "HSigmoid", "HSwish", "Mish", "SoftPlus", "SoftSign")
for _name, _entry in UNARY.items():
    CASES[f"shared/{'activation' if _name in ACTIVATIONS else 'unary'}.{_name}"] = _unary(*_entry)

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "Add": lambda a, b: a + b, "Subtract": lambda a, b: a - b, "Multiply": lambda a, b: a * b, "Maximum": max, "Minimum": min,
    "SquaredDifference": lambda a, b: (a - b) ** 2, "FloorMod": lambda a, b: a % b, "Equal": lambda a, b: a == b,
    "NotEqual": lambda a, b: a != b, "Less": lambda a, b: a < b, "LessEqual": lambda a, b: a <= b,
    "Greater": lambda a, b: a > b, "GreaterEqual": lambda a, b: a >= b,
}  # fmt: skip


def _binary(name: str) -> Callable[[Random], Drawn]:
    """Of integers that are small enough to be followed beforehand."""

    def draw(random: Random) -> Drawn:
        one_of_each = bool(random.integers(2))
        a, b = random.integers(-9, 9, () if one_of_each else (3, 1)), random.integers(1, 9, () if one_of_each else (2,))
        kind = np.bool_ if name in ("Equal", "NotEqual") or name.startswith(("Less", "Greater")) else np.int64
        expected = [[BINARY[name](int(x), int(y)) for y in np.ravel(b)] for x in np.ravel(a)]
        return one(np.array(expected, kind).reshape(np.broadcast_shapes(np.shape(a), np.shape(b))), ints(a), ints(b))

    return draw


CASES.update({f"shared/elementwise.{name}": _binary(name) for name in BINARY})

REDUCE: dict[str, Callable[[list[float]], float]] = {
    "ReduceSum": sum, "ReduceProd": math.prod, "ReduceMax": max, "ReduceMin": min, "ReduceMean": lambda x: sum(x) / len(x),
    "ReduceL1": lambda x: sum(map(abs, x)), "ReduceL2": lambda x: math.sqrt(sum(v * v for v in x)),
}  # fmt: skip


def _reduce(name: str) -> Callable[[Random], Drawn]:
    def draw(random: Random) -> Drawn:
        dims = shape(random)
        axes = sorted(random.permutation(len(dims))[: int(random.integers(1, len(dims) + 1))].tolist())
        data, keep = floats(random, *dims), bool(random.integers(2))
        met: dict[tuple[int, ...], list[float]] = {}
        for at in np.ndindex(*dims):
            met.setdefault(tuple(0 if k in axes else p for k, p in enumerate(at)), []).append(float(data[at]))
        expected = np.empty([1 if k in axes else n for k, n in enumerate(dims)], np.float32)
        for at, numbers in met.items():
            expected[at] = REDUCE[name](numbers)
        kept = expected if keep else expected.reshape([n for k, n in enumerate(dims) if k not in axes])
        return one(kept, data, ints(axes), keep_dims=keep)

    return draw


CASES.update({f"shared/reduction.{name}": _reduce(name) for name in REDUCE})


@case("shared/reduction.CumSum")
def cumulative(random: Random) -> Drawn:
    dims = shape(random)
    axis, own, back = int(random.integers(len(dims))), bool(random.integers(2)), bool(random.integers(2))
    data = floats(random, *dims)
    expected = np.zeros_like(data)
    for at in np.ndindex(*dims):
        k = at[axis]
        span = range(k + own, dims[axis]) if back else range(k + 1 - own)
        expected[at] = sum(float(data[(*at[:axis], other, *at[axis + 1 :])]) for other in span)
    return one(expected, data, ints(axis), exclusive=own, reverse=back)


@case("shared/reduction.Softmax")
def softmax(random: Random) -> Drawn:
    dims = shape(random)
    axis, data = int(random.integers(-len(dims), len(dims))), floats(random, *dims)
    powers = np.exp(data.astype(np.float64))
    return one((powers / powers.sum(axis, keepdims=True)).astype(np.float32), data, axis=axis)


@case("shared/reduction.LogSoftmax")
def log_softmax(random: Random) -> Drawn:
    (data,), attrs, (share,) = softmax(random)
    return one(np.log(share), data, **attrs)


def _windows(
    random: Random,
) -> tuple[Any, dict[str, Any], dict[tuple[int, ...], tuple[tuple[int, int], list[float], int]]]:
    """An image, how it is pooled, and by place in the result: what the window holds, and how many places it has."""
    high, wide = map(int, random.integers(3, 7, 2))
    kernel, strides = random.integers(1, 4, 2).tolist(), random.integers(1, 3, 2).tolist()
    begin, end = ([int(random.integers(k)) for k in kernel] for _ in range(2))
    data = floats(random, 2, 1, high, wide)
    counts = [(n + a + b - k) // s + 1 for n, a, b, k, s in zip((high, wide), begin, end, kernel, strides, strict=True)]
    attrs = {"kernel": kernel, "strides": strides, "pads_begin": begin, "pads_end": end, "rounding_type": "floor"}
    met = {}
    for n, y, x in np.ndindex(2, *counts):
        rows = [y * strides[0] - begin[0] + k for k in range(kernel[0])]
        columns = [x * strides[1] - begin[1] + k for k in range(kernel[1])]
        inside = [(r, c) for r in rows for c in columns if 0 <= r < high and 0 <= c < wide]
        met[n, 0, y, x] = inside, [float(data[n, 0, r, c]) for r, c in inside], len(rows) * len(columns)
    return data, {**attrs, "counts": counts}, met  # type: ignore[return-value]


@case("shared/pooling.MaxPool")
def max_pool(random: Random) -> Drawn:
    data, attrs, met = _windows(random)
    expected = np.empty((2, 1, *attrs.pop("counts")), np.float32)
    for at, (_, numbers, _) in met.items():
        expected[at] = max(numbers)
    return one(expected, data, **attrs)


@case("shared/pooling.MaxPoolIndices")
def max_pool_indices(random: Random) -> Drawn:
    data, attrs, met = _windows(random)
    counts = attrs.pop("counts")
    expected, places = np.empty((2, 1, *counts), np.float32), np.empty((2, 1, *counts), np.int64)
    for at, (inside, numbers, _) in met.items():
        best = numbers.index(max(numbers))
        row, column = inside[best]  # type: ignore[misc]
        expected[at], places[at] = numbers[best], row * data.shape[3] + column
    return Drawn([data], {**attrs, "axis": 2}, [expected, places])


@case("shared/pooling.AvgPool")
def average_pool(random: Random) -> Drawn:
    data, attrs, met = _windows(random)
    expected, alone = np.empty((2, 1, *attrs.pop("counts")), np.float32), bool(random.integers(2))
    for at, (_, numbers, count) in met.items():
        expected[at] = sum(numbers) / (len(numbers) if alone else count)
    return one(expected, data, **attrs, exclude_pad=alone)


@case("shared/pooling.AdaptiveAvgPool")
def adaptive_average(random: Random) -> Drawn:
    data, goal = floats(random, 1, 2, *random.integers(3, 8, 2)), random.integers(1, 4, 2)
    expected = np.empty((1, 2, *goal), np.float32)
    for at in np.ndindex(*expected.shape):
        cut = [slice(k * n // g, -(-(k + 1) * n // g)) for k, n, g in zip(at[2:], data.shape[2:], goal, strict=True)]
        expected[at] = data[(*at[:2], *cut)].mean()
    return one(expected, data, goal)


@case("shared/resize.Interpolate")
def interpolate(random: Random) -> Drawn:
    """Nearest and linear, from where a place of the result lies in the data."""
    sizes, goal = random.integers(2, 6, 2), random.integers(1, 9, 2)
    mode, way = choice(random, "nearest", "linear_onnx"), choice(random, "half_pixel", "asymmetric", "align_corners")
    data = floats(random, *sizes)
    weights = []
    for n, g in zip(sizes, goal, strict=True):
        rows = np.zeros((g, n))
        for k in range(g):
            at = {"half_pixel": (k + 0.5) * n / g - 0.5, "asymmetric": k * n / g}.get(way, k * (n - 1) / max(g - 1, 1))
            if mode == "nearest":
                rows[k, min(max(math.floor(at), 0), n - 1)] = 1
                continue
            at = min(max(at, 0), n - 1)
            low = int(at)
            rows[k, low] += 1 - (at - low)
            rows[k, min(low + 1, n - 1)] += at - low
        weights.append(rows)
    expected = (weights[0] @ data @ weights[1].T).astype(np.float32)
    attrs = {
        "mode": mode,
        "coordinate_transformation_mode": way,
        "nearest_mode": "floor",
        "shape_calculation_mode": "sizes",
    }
    return one(expected, data, goal, ints([0, 1]), **attrs)


@case("openvino/sequence.GridSampleBy")
def grid_sample(random: Random) -> Drawn:
    data, grid = floats(random, 1, 2, 4, 5), random.uniform(-1.2, 1.2, (1, 3, 3, 2)).astype(np.float32)
    corners = bool(random.integers(2))
    expected = np.zeros((1, 2, 3, 3), np.float32)
    for y, x in np.ndindex(3, 3):
        place = [
            (float(g) + 1) / 2 * (n - 1) if corners else ((float(g) + 1) * n - 1) / 2
            for g, n in zip(grid[0, y, x], (5, 4), strict=True)
        ]
        for down, right in np.ndindex(2, 2):
            column, row = math.floor(place[0]) + right, math.floor(place[1]) + down
            share = (1 - abs(place[0] - column)) * (1 - abs(place[1] - row))
            if 0 <= row < 4 and 0 <= column < 5:
                expected[0, :, y, x] += data[0, :, row, column] * share
    return one(expected, data, grid, mode="bilinear", padding_mode="zeros", align_corners=corners)


def _step(kind: str, x: Any, h: Any, c: Any, w: Any, r: Any, b: Any) -> tuple[Any, Any]:
    """One step of a recurrent cell in the gates' order of the IR: f i c o for LSTM, z r h for GRU."""
    size = len(h)
    part = [slice(k * size, (k + 1) * size) for k in range(4)]

    def gate(k: int, kept: Any = h) -> Any:
        return w[part[k]] @ x + r[part[k]] @ kept + b[part[k]]

    level = np.vectorize(sigmoid)
    if kind == "RNN":
        return np.tanh(gate(0)), None
    if kind == "GRU":
        update, reset = level(gate(0)), level(gate(1))
        return (1 - update) * np.tanh(gate(2, reset * h)) + update * h, None
    cell = level(gate(0)) * c + level(gate(1)) * np.tanh(gate(2))
    return level(gate(3)) * np.tanh(cell), cell


GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def _cell(kind: str) -> Callable[[Random], Drawn]:
    def draw(random: Random) -> Drawn:
        batch, inner, size = map(int, random.integers(1, 4, 3))
        states = [floats(random, batch, size) for _ in range(1 + (kind == "LSTM"))]
        x, wide = floats(random, batch, inner), GATES[kind] * size
        w, r, b = floats(random, wide, inner), floats(random, wide, size), floats(random, wide)
        rows = [_step(kind, x[k], states[0][k], states[-1][k], w, r, b) for k in range(batch)]
        expected = [np.array([row[k] for row in rows], np.float32) for k in range(len(states))]
        return Drawn([x, *states, w, r, b], {"hidden_size": size}, expected)

    return draw


def _sequence(kind: str) -> Callable[[Random], Drawn]:
    def draw(random: Random) -> Drawn:
        batch, steps, inner, size = map(int, random.integers(1, 4, 4))
        way = choice(random, "forward", "reverse", "bidirectional")
        both, wide = 1 + (way == "bidirectional"), GATES[kind] * size
        states = [floats(random, batch, both, size) for _ in range(1 + (kind == "LSTM"))]
        x, lengths = floats(random, batch, steps, inner), random.integers(1, steps + 1, batch)
        w, r, b = (floats(random, both, *dims) for dims in ((wide, inner), (wide, size), (wide,)))
        outputs, last = np.zeros((batch, both, steps, size), np.float32), [np.empty_like(state) for state in states]
        for row, d in np.ndindex(batch, both):
            order = list(range(lengths[row]))
            h, c = states[0][row, d], states[-1][row, d]
            for step in reversed(order) if way == "reverse" or d else order:
                h, c = _step(kind, x[row, step], h, c, w[d], r[d], b[d])
                outputs[row, d, step] = h
            last[0][row, d] = h
            last[-1][row, d] = h if kind != "LSTM" else c
        return Drawn([x, *states, lengths, w, r, b], {"hidden_size": size, "direction": way}, [outputs, *last])

    return draw


for kind in GATES:
    CASES[f"openvino/recurrent.{kind}Cell"] = _cell(kind)
    CASES[f"openvino/recurrent.{kind}Sequence"] = _sequence(kind)


@case("openvino/normalisation.BatchNorm")
def batch_norm(random: Random) -> Drawn:
    data, (gamma, beta, mean) = floats(random, 2, 3, 4), floats(random, 3, 3)
    variance = random.uniform(0.5, 2, 3).astype(np.float32)
    expected = np.empty_like(data)
    for n, c, x in np.ndindex(*data.shape):
        expected[n, c, x] = (data[n, c, x] - mean[c]) / math.sqrt(variance[c] + 0.1) * gamma[c] + beta[c]
    return one(expected, data, gamma, beta, mean, variance, epsilon=0.1)


@case("openvino/normalisation.MVN")
def mvn(random: Random) -> Drawn:
    data, how = floats(random, 2, 3, 4), choice(random, "inside_sqrt", "outside_sqrt")
    expected = np.empty_like(data)
    for n in range(2):
        numbers = [float(x) for x in data[n].reshape(-1)]
        mean = sum(numbers) / len(numbers)
        variance = sum((x - mean) ** 2 for x in numbers) / len(numbers)
        root = math.sqrt(variance + 0.1) if how == "inside_sqrt" else math.sqrt(variance) + 0.1
        expected[n] = (data[n] - mean) / root
    return one(expected, data, ints([1, 2]), eps=0.1, normalize_variance=True, eps_mode=how)


@case("openvino/normalisation.GroupNormalization")
def group_norm(random: Random) -> Drawn:
    data, scale, bias = floats(random, 2, 4, 3), floats(random, 4), floats(random, 4)
    expected = np.empty_like(data)
    for n, c in np.ndindex(2, 4):
        group = data[n, c // 2 * 2 : c // 2 * 2 + 2].astype(np.float64)
        expected[n, c] = (data[n, c] - group.mean()) / math.sqrt(group.var() + 0.1) * scale[c] + bias[c]
    return one(expected, data, scale, bias, num_groups=2, epsilon=0.1)


@case("openvino/normalisation.LRN")
def lrn(random: Random) -> Drawn:
    data, size = floats(random, 2, 5, 3), choice(random, 1, 3, 5)
    expected = np.empty_like(data)
    for n, c, x in np.ndindex(*data.shape):
        near = data[n, max(c - size // 2, 0) : c + size // 2 + 1, x]
        expected[n, c, x] = data[n, c, x] / (1 + 0.5 / size * float((near**2).sum())) ** 0.75
    return one(expected, data, ints([1]), alpha=0.5, beta=0.75, bias=1.0, size=size)


@case("shared/fourier.DFT")
def dft(random: Random) -> Drawn:
    count = int(random.integers(1, 7))
    data = floats(random, 2, count, 2)
    expected = np.empty_like(data)
    for row, k in np.ndindex(2, count):
        terms = [complex(*data[row, n]) * cmath.exp(-2j * cmath.pi * k * n / count) for n in range(count)]
        expected[row, k] = sum(terms).real, sum(terms).imag
    return one(expected, data, ints([1]))


@case("shared/fourier.IDFT")
def idft(random: Random) -> Drawn:
    """The way back."""
    (data, axes), _, (there,) = dft(random)
    return one(data, there, axes)


@case("shared/attention.ScaledDotProductAttention")
def attention(random: Random) -> Drawn:
    asked, kept, wide, deep = map(int, random.integers(1, 5, 4))
    query, key, value = floats(random, 2, asked, wide), floats(random, 2, kept, wide), floats(random, 2, kept, deep)
    causal = bool(random.integers(2))
    expected = np.zeros((2, asked, deep), np.float32)
    for n, q in np.ndindex(2, asked):
        seen = range(min(q + 1, kept)) if causal else range(kept)
        powers = [math.exp(float(query[n, q] @ key[n, k]) / math.sqrt(wide)) for k in seen]
        for k, power in zip(seen, powers, strict=True):
            expected[n, q] += power / sum(powers) * value[n, k]
    return one(expected, query, key, value, causal=causal)


@case("openvino/quantisation.FakeQuantize")
def fake_quantize(random: Random) -> Drawn:
    data, levels = floats(random, 3, 4) * 2, int(random.integers(2, 20))
    low, high, out_low, out_high = (np.full((1,), x, np.float32) for x in (-1.5, 2.0, -3.0, 4.0))
    expected = np.empty_like(data)
    for at in np.ndindex(*data.shape):
        share = (min(max(float(data[at]), -1.5), 2.0) + 1.5) / 3.5
        expected[at] = round(share * (levels - 1)) / (levels - 1) * 7 - 3
    return one(expected, data, low, high, out_low, out_high, levels=levels)


@case("openvino/convolution.ConvolutionBackpropData")
def convolution_back(random: Random) -> Drawn:
    strides, begin = random.integers(1, 3, 2), random.integers(0, 2, 2)
    data, filters = floats(random, 2, 3, *random.integers(2, 5, 2)), floats(random, 3, 2, *random.integers(2, 4, 2))
    sizes = [(n - 1) * s + k for n, s, k in zip(data.shape[2:], strides, filters.shape[2:], strict=True)]
    full = np.zeros((2, 2, *sizes))
    for n, c, y, x in np.ndindex(*data.shape):
        top, left = y * strides[0], x * strides[1]
        full[n, :, top : top + filters.shape[2], left : left + filters.shape[3]] += data[n, c, y, x] * filters[c]
    expected = full[:, :, begin[0] :, begin[1] :].astype(np.float32)
    attrs = {"strides": strides.tolist(), "pads_begin": begin.tolist(), "pads_end": [0, 0], "dilations": [1, 1]}
    return one(expected, data, filters, **attrs)


@case("shared/nms.NonMaxSuppression")
def nms(random: Random) -> Drawn:
    count = 6
    start, size = random.uniform(0, 1, (count, 2)), random.uniform(0.2, 1, (count, 2))
    boxes = np.concatenate([start, start + size], 1).astype(np.float32)
    scores = random.permutation(2 * count).reshape(2, count).astype(np.float32)

    def overlap(a: Any, b: Any) -> float:
        inner = math.prod(max(min(a[k + 2], b[k + 2]) - max(a[k], b[k]), 0) for k in (0, 1))
        areas = [float((box[2] - box[0]) * (box[3] - box[1])) for box in (a, b)]
        return inner / (sum(areas) - inner)

    rows = []
    for kind in range(2):
        kept: list[int] = []
        for k in sorted(range(count), key=lambda k: -scores[kind, k]):
            if len(kept) < 3 and all(overlap(boxes[k], boxes[other]) <= 0.4 for other in kept):
                kept.append(k)
        rows += [[0, kind, k] for k in kept]
    attrs = {"box_encoding": "corner", "sort_result_descending": False, "output_type": "int64"}
    operands = [boxes[None], scores[None], ints(3), np.float32(0.4), np.float32(-1)]
    return Drawn(operands, attrs, [ints(rows)])
