"""Layers of random parameters for a blob of a given shape, outermost first: what ncnn_networks.py puts together.

Parameters are a dict of id to int, float or list; `text` writes them as ncnn's tools do. What ncnn does not take is left to the judge to refuse.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

Shape = list[int]
Parameters = dict[int, Any]


class Made(NamedTuple):
    type: str
    parameters: Parameters
    inputs: int = 1
    outputs: int = 1


Maker = Callable[[random.Random, Shape], "Made | None"]
ANY = (1, 2, 3, 4)


def text(parameters: Parameters, rng: random.Random) -> str:
    """` 0=1 1=1.000000e-01 -23302=2,3,4`, with arrays in the old way or in the new one."""
    return "".join(f" {_one(key, value, rng)}" for key, value in parameters.items())


def _one(key: int, value: Any, rng: random.Random) -> str:
    if not isinstance(value, list):
        return f"{key}={_number(value)}"
    items = ",".join(map(_number, value))
    if len(value) > 1 and rng.random() < 0.2:  # one item would be read as a scalar
        return f"{key}={items}"
    return f"{-23300 - key}={len(value)},{items}"


def _number(value: Any) -> str:
    return f"{value:e}" if isinstance(value, float) else str(value)


def simple(type_: str, **choices: Sequence[Any]) -> Maker:
    """A layer whose parameters do not depend on the shape: `_0=(1, 2)` are the choices of parameter 0."""

    def make(rng: random.Random, shape: Shape) -> Made:
        return Made(type_, {int(key[1:]): rng.choice(values) for key, values in choices.items() if rng.random() < 0.8})

    return make


def sized(type_: str, of: Callable[[random.Random, Shape], Parameters | None]) -> Maker:
    def make(rng: random.Random, shape: Shape) -> Made | None:
        parameters = of(rng, shape)
        return None if parameters is None else Made(type_, parameters)

    return make


def _activation(r: random.Random) -> Parameters:
    kind = r.choice((0, 0, 1, 2, 3, 4, 5, 6))
    values = {2: [0.1], 3: [-1.0, 1.5], 6: [0.2, 0.5]}.get(kind)
    return {9: kind, **({10: values} if values else {})} if kind else {}


def _window(r: random.Random, size: int) -> dict[str, int]:
    kernel = r.choice([k for k in (1, 2, 3, 3, 5) if k <= size])
    dilation = r.choice((1, 1, 1, 2)) if 2 * (kernel - 1) < size else 1
    return {"kernel": kernel, "dilation": dilation, "stride": r.choice((1, 1, 2)), "pad": r.choice((0, 1, kernel // 2))}


def _convolution(depthwise: bool = False, transposed: bool = False, axes: int = 2, quantized: bool = False) -> Any:
    def parameters(r: random.Random, s: Shape) -> Parameters:
        channels = s[0]
        w = _window(r, min(s[1:]))
        out = r.choice((1, 2, 4, 6, 8, 12, 16))
        group = 1
        if depthwise:
            group = r.choice([g for g in range(1, channels + 1) if channels % g == 0])
            out = group * r.choice((1, 2))
        kernel = w["kernel"] ** axes
        made: Parameters = {0: out, 1: w["kernel"]}
        if axes == 2 and r.random() < 0.3 and not transposed:
            other = r.choice([k for k in (1, 2, 3) if k <= s[-2]])
            made[11], kernel = other, w["kernel"] * other
            w["dilation"] = 1
        if w["dilation"] > 1:
            made[2] = w["dilation"]
        if w["stride"] > 1:
            made[3] = w["stride"]
        if w["pad"]:
            made[4] = r.choice((w["pad"], w["pad"], w["pad"], -233, -234))
        if transposed and r.random() < 0.3 and w["stride"] > 1:
            made[18] = 1
        bias = r.random() < 0.6
        if bias:
            made[5] = 1
        made[6] = out * channels * kernel // group
        if depthwise:
            made[7] = group
        if quantized:
            made[8] = (1 if group > 1 else r.choice((1, 2))) if depthwise else 2
        return {**made, **(_activation(r) if not quantized else {9: 1} if r.random() < 0.5 else {})}

    return parameters


def _pooling(axes: int) -> Any:
    def parameters(r: random.Random, s: Shape) -> Parameters:
        made: Parameters = {0: r.choice((0, 1))}
        way = r.random()
        if way < 0.2:
            return {**made, 4: 1}
        if way < 0.35:
            return {**made, 7: 1, 8: r.randint(1, min(s[1:]))}
        kernel = r.choice([k for k in (2, 3) if k <= min(s[1:])] or [1])
        made |= {1: kernel, 2: r.choice((1, 2)), 5: r.choice((0, 1, 2, 3))}
        if kernel > 1 and r.random() < 0.5 and made[5] in (0, 1):
            made |= {3: 1, 6: r.choice((0, 1))}
        return made

    return parameters


def _inner_product(quantized: bool = False) -> Any:
    def parameters(r: random.Random, s: Shape) -> Parameters:
        width = s[-1] if len(s) == 2 else prod(s)
        out = r.choice((1, 3, 4, 8, 10))
        made: Parameters = {0: out, 1: r.choice((0, 1)), 2: out * width}
        return {**made, **({8: 2} if quantized else _activation(r))}

    return parameters


def _norm(r: random.Random, s: Shape) -> Parameters:
    axes = r.choice((1, min(2, len(s)))) if len(s) < 4 else 1
    return {0: prod(s[-axes:]), 1: r.choice((1e-5, 1e-3)), 2: r.choice((0, 1))}


def _group_norm(r: random.Random, s: Shape) -> Parameters:
    group = r.choice([g for g in range(1, s[0] + 1) if s[0] % g == 0])
    return {0: group, 1: s[0], 2: 1e-5, 3: r.choice((0, 1))}


SIZES = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}  # ids of the sizes of each rank, outermost first


def _factors(r: random.Random, total: int, count: int) -> list[int]:
    found = []
    for _ in range(count - 1):
        one = r.choice([f for f in range(1, min(total, 16) + 1) if total % f == 0])
        found.append(one)
        total //= one
    return [*found, total]


def _reshape(r: random.Random, s: Shape) -> Parameters:
    rank = r.choice(ANY)
    sizes = _factors(r, prod(s), rank)
    if r.random() < 0.5:
        sizes[r.randrange(rank)] = -1
    elif rank == len(s) and sizes[0] == s[0]:
        sizes[0] = 0  # as it is
    return dict(zip(SIZES[rank], sizes, strict=True))


def _permute(r: random.Random, s: Shape) -> Parameters:
    return {0: r.randrange({1: 1, 2: 2, 3: 6, 4: 24}[len(s)])}


def _crop(r: random.Random, s: Shape) -> Parameters | None:
    """The three ways: offset and size, offsets at both ends, starts and ends of axes."""
    way = r.randrange(3)
    rank = len(s)
    if way == 2:
        axis = r.randrange(rank)
        start = r.randint(0, s[axis] - 1)
        end = r.choice((r.randint(start + 1, s[axis]), 2147483647))
        return {9: [start], 10: [end], 11: [r.choice((axis, axis - rank))]}
    offsets = dict(zip(SIZES[rank], (r.randint(0, (n - 1) // 2) for n in s), strict=True))
    if way == 0:
        left = dict(zip(SIZES[rank], s, strict=True))
        sizes = {0: 3, 1: 4, 11: 14, 2: 5}
        return {
            **{13 if key == 11 else key: value for key, value in offsets.items()},
            **{sizes[key]: r.randint(1, left[key] - value) for key, value in offsets.items()},
        }
    ends = {0: 6, 1: 7, 11: 15, 2: 8}
    made = {13 if key == 11 else key: value for key, value in offsets.items()}
    return {**made, **{ends[key]: r.randint(0, (s[place] - 1) // 2) for place, key in enumerate(SIZES[rank])}}


def _padding(r: random.Random, s: Shape) -> Parameters:
    kind = r.choice((0, 1, 2))
    high = [min(2, n - 1) for n in s[-2:]]
    made: Parameters = {2: r.randint(0, high[-1]), 3: r.randint(0, high[-1]), 4: kind}
    if len(s) > 1:
        made |= {0: r.randint(0, high[0]), 1: r.randint(0, high[0])}
    if kind == 0:
        made[5] = r.choice((0.0, 0.5))
        if len(s) > 2 and r.random() < 0.5:
            made |= {7: r.randint(0, 2), 8: r.randint(0, 2)}
    return made


def _slice(r: random.Random, s: Shape) -> Made | None:
    axis = r.randrange(len(s))
    if s[axis] < 2:
        return None
    count = r.choice([n for n in (2, 3) if s[axis] >= n])
    way = r.randrange(3)
    if way == 0:
        return Made("Slice", {0: [-233] * count, 1: axis}, 1, count)
    cuts = sorted(r.sample(range(1, s[axis]), count - 1))
    if way == 1:
        return Made("Slice", {2: cuts, 1: r.choice((axis, axis - len(s)))}, 1, count)
    sizes = [b - a for a, b in zip([0, *cuts], cuts, strict=False)]
    return Made("Slice", {0: [*sizes, -233], 1: axis}, 1, count)


def _interp(r: random.Random, s: Shape) -> Parameters:
    kind = r.choice((1, 2, 2, 3))
    if len(s) == 1:
        return {0: kind, 3: r.randint(1, 4), 4: r.randint(1, 4)}
    if r.random() < 0.5:
        height = 1.0 if len(s) == 2 else r.choice((0.5, 1.0, 2.0))
        made: Parameters = {0: kind, 1: height, 2: r.choice((0.5, 2.0, 1.5))}
    else:
        made = {0: kind, 3: s[0] if len(s) == 2 else r.randint(1, 9), 4: r.randint(1, 9)}
    if kind == 2 and r.random() < 0.4:
        made[6] = 1
    return made


def _axes(r: random.Random, rank: int, count: int) -> list[int]:
    return [r.choice((axis, axis - rank)) for axis in sorted(r.sample(range(rank), count))]


def _reduction(r: random.Random, s: Shape) -> Parameters:
    operation = r.choice((0, 1, 2, 3, 4, 5, 7, 8, 10))
    if r.random() < 0.2:
        return {0: operation, 1: 1, 4: r.choice((0, 1)), 5: 1}
    axes = _axes(r, len(s), r.randint(1, len(s)))
    return {0: operation, 1: 0, 3: axes, 4: r.choice((0, 1)), 5: 1}


def _squeeze(r: random.Random, s: Shape) -> Parameters | None:
    ones = [axis for axis, n in enumerate(s) if n == 1]
    if not ones or len(s) == 1:
        return None
    if r.random() < 0.5:
        return {SIZES[len(s)][axis]: 1 for axis in ones}
    return {3: [r.choice(ones)]}


def _expand(r: random.Random, s: Shape) -> Parameters | None:
    return None if len(s) == 4 else {3: [r.randint(0, len(s))]}


def _tile(r: random.Random, s: Shape) -> Parameters:
    if r.random() < 0.5:
        return {0: r.randrange(len(s)), 1: r.choice((1, 2, 3))}
    return {2: [r.choice((1, 2)) for _ in s]}


def _recurrent(gates: int) -> Callable[[str], Maker]:
    def of(type_: str) -> Maker:
        def make(r: random.Random, s: Shape) -> Made:
            out, direction = r.choice((2, 4, 6)), r.choice((0, 1, 2))
            directions = 2 if direction == 2 else 1
            hidden = out
            made: Parameters = {0: out, 1: hidden * s[1] * gates * directions, 2: direction}
            if type_ == "LSTM" and r.random() < 0.3:
                hidden = out + 1
                made |= {1: hidden * s[1] * gates * directions, 3: hidden}
            return Made(type_, made)

        return make

    return of


def _attention(r: random.Random, s: Shape) -> Made | None:
    """Self-attention: one input for queries, keys and values."""
    heads = r.choice([h for h in (1, 2, 4) if s[1] % h == 0])
    return Made("MultiHeadAttention", {0: s[1], 1: heads, 2: s[1] * s[1], 3: s[1], 4: s[1]})


def _gemm(r: random.Random, s: Shape) -> Made:
    """A linear layer, as pnnx writes it."""
    n = r.choice((2, 4, 7))
    made: Parameters = {0: 1.0, 1: 1.0, 2: 0, 3: 1, 4: 0, 5: 1, 6: 1, 7: 0, 8: n, 9: s[1], 10: r.choice((-1, 4))}
    return Made("Gemm", made)


def _memory(r: random.Random, shape: Shape) -> Made:
    return Made("MemoryData", dict(zip(SIZES[len(shape)], shape, strict=True)), 0)


def _prior(r: random.Random, s: Shape) -> Made:
    made: Parameters = {0: [16.0, 24.0][: r.randint(1, 2)], 2: [2.0][: r.randint(0, 1)], 3: 0.1, 4: 0.1, 5: 0.2, 6: 0.2}
    made |= {7: r.choice((0, 1)), 8: r.choice((0, 1)), 9: 32, 10: 32, 11: -233.0, 12: -233.0, 13: 0.5}
    return Made("PriorBox", {key: value for key, value in made.items() if value != []}, 1)


def _fold(r: random.Random, s: Shape) -> Parameters | None:
    """A row for each element of a window of 2 x 2, a column for each place of it."""
    sides = [(h, w) for h in range(1, s[1] + 1) for w in range(1, s[1] + 1) if h * w == s[1]]
    height, width = r.choice(sides)
    return {1: 2, 20: width + 1, 21: height + 1} if s[0] % 4 == 0 else None


def _unfold(r: random.Random, s: Shape) -> Parameters:
    return {1: r.choice([k for k in (1, 2, 3) if k <= min(s[1:])]), 4: r.choice((0, 1)), 3: r.choice((1, 2))}


def _spectrogram(r: random.Random, s: Shape) -> Parameters | None:
    n = r.choice((4, 8))
    return (
        {0: n, 1: r.choice((0, 1, 2)), 2: n // 2, 4: r.choice((0, 1, 2)), 5: 1, 6: 2, 8: r.choice((0, 1))}
        if s[0] > n
        else None
    )


def _einsum(r: random.Random, s: Shape) -> Parameters:
    equation = r.choice(("ij->ji", "ij->i", "ij->j")) if len(s) == 2 else r.choice(("ijk->kji", "ijk->ik", "ijk->j"))
    return {0: [ord(letter) for letter in equation]}


def _shuffled(type_: str, key: int, of: Callable[[Shape], int], **more: Sequence[Any]) -> Maker:
    """A layer with a parameter that divides a size."""

    def make(r: random.Random, s: Shape) -> Made:
        value = r.choice([g for g in range(1, of(s) + 1) if of(s) % g == 0][:4])
        return Made(type_, {key: value, **simple(type_, **more)(r, s).parameters})

    return make


UNARY = [
    op for op in range(20) if op not in (5, 6, 8, 11, 12, 13, 15, 17)
]  # without those that are undefined somewhere in [-1, 1]
BINARY = (0, 1, 2, 4, 5, 7, 10, 11)

ONE: list[tuple[tuple[int, ...], Maker]] = [
    *((ANY, simple(name)) for name in ("AbsVal", "BNLL", "Erf", "HardSigmoid", "HardSwish", "Mish", "Sigmoid", "Softplus", "Swish", "TanH", "Noop", "DeepCopy", "Flatten")),
    (ANY, simple("CELU", _0=(0.5, 1.0))), (ANY, simple("Clip", _0=(-0.5, -1.0), _1=(0.5, 6.0))), (ANY, simple("Dropout", _0=(0.5, 1.0))),
    (ANY, simple("ELU", _0=(0.1, 1.0))), (ANY, simple("Log", _0=(-1.0, 2.0), _1=(0.1,), _2=(3.0,))),
    (ANY, simple("Exp", _0=(-1.0, 2.0), _1=(0.5,), _2=(0.1,))), (ANY, simple("GELU", _0=(0, 1))),
    (ANY, simple("HardSigmoid", _0=(0.2,), _1=(0.5, 0.4))), (ANY, simple("HardSwish", _0=(0.2,), _1=(0.5, 0.4))),
    (ANY, simple("Power", _0=(1.0, 2.0), _1=(0.5, 1.0), _2=(0.0, 1.0))), (ANY, simple("ReLU", _0=(0.0, 0.1))),
    (ANY, simple("SELU", _0=(1.5,), _1=(1.1,))), (ANY, simple("Shrink", _0=(0.1,), _1=(0.3,))), (ANY, simple("Threshold", _0=(0.1,))),
    (ANY, lambda r, s: Made("UnaryOp", {0: r.choice(UNARY)})),
    (ANY, lambda r, s: Made("BinaryOp", {0: r.choice(BINARY), 1: 1, 2: r.choice((0.5, 2.0))})),
    (ANY, sized("BatchNorm", lambda r, s: {0: s[0], 1: r.choice((0.0, 1e-5))})), (ANY, sized("Bias", lambda r, s: {0: s[0]})),
    (ANY, sized("Scale", lambda r, s: {0: s[0], 1: r.choice((0, 1))})), (ANY, sized("PReLU", lambda r, s: {0: r.choice((1, s[0]))})),
    ((3,), simple("LRN", _0=(0, 1), _1=(3, 5), _2=(0.5,), _3=(0.75,), _4=(1.0,))), ((3,), simple("MVN", _0=(0, 1), _1=(0, 1), _2=(1e-4,))),
    ((3,), sized("Normalize", lambda r, s: {0: r.choice((0, 1)), 4: 1, 1: 0, 2: 1e-4, 3: s[0], 9: r.choice((0, 1, 2))})),
    ((3,), sized("InstanceNorm", lambda r, s: {0: s[0], 1: 1e-3, 2: r.choice((0, 1))})),
    ((2, 3), sized("LayerNorm", _norm)), ((2, 3), sized("RMSNorm", _norm)), ((1, 2, 3), sized("GroupNorm", _group_norm)),
    (ANY, sized("Softmax", lambda r, s: {0: r.randrange(-len(s), len(s)), 1: 1})),
    ((3,), sized("Convolution", _convolution())), ((3,), sized("Convolution", _convolution())),
    ((3,), sized("ConvolutionDepthWise", _convolution(depthwise=True))), ((3,), sized("Deconvolution", _convolution(transposed=True))),
    ((3,), sized("DeconvolutionDepthWise", _convolution(depthwise=True, transposed=True))),
    ((2,), sized("Convolution1D", _convolution(axes=1))), ((2,), sized("ConvolutionDepthWise1D", _convolution(depthwise=True, axes=1))),
    ((2,), sized("Deconvolution1D", _convolution(transposed=True, axes=1))), ((2,), sized("DeconvolutionDepthWise1D", _convolution(depthwise=True, transposed=True, axes=1))),
    ((4,), sized("Convolution3D", _convolution(axes=3))), ((4,), sized("ConvolutionDepthWise3D", _convolution(depthwise=True, axes=3))),
    ((4,), sized("Deconvolution3D", _convolution(transposed=True, axes=3))), ((4,), sized("DeconvolutionDepthWise3D", _convolution(depthwise=True, transposed=True, axes=3))),
    ((3,), sized("Pooling", _pooling(2))), ((2,), sized("Pooling1D", _pooling(1))), ((4,), sized("Pooling3D", _pooling(3))),
    ((1, 2, 3), sized("InnerProduct", _inner_product())), ((2,), _gemm), ((2,), _attention),
    ((2,), _recurrent(4)("LSTM")), ((2,), _recurrent(3)("GRU")), ((2,), _recurrent(1)("RNN")),
    (ANY, sized("Reshape", _reshape)), (ANY, sized("Permute", _permute)), (ANY, sized("Squeeze", _squeeze)), (ANY, sized("ExpandDims", _expand)),
    (ANY, sized("Crop", _crop)), (ANY, sized("Padding", _padding)), (ANY, _slice), (ANY, sized("Interp", _interp)), (ANY, sized("Tile", _tile)),
    (ANY, sized("Reduction", _reduction)), (ANY, sized("CumulativeSum", lambda r, s: {0: r.randrange(-len(s), len(s))})),
    ((1, 2), simple("Diag", _0=(-1, 0, 1))), (ANY, sized("Flip", lambda r, s: {0: _axes(r, len(s), 1)})),
    ((3, 4), _shuffled("ShuffleChannel", 0, lambda s: s[0], _1=(0, 1))), ((3,), lambda r, s: Made("PixelShuffle", {0: 2, 1: r.choice((0, 1))}) if s[0] % 4 == 0 else None),
    ((3,), lambda r, s: Made("Reorg", {0: 2, 1: r.choice((0, 1))}) if not (s[1] % 2 or s[2] % 2) else None),
    ((3, 4), simple("StatisticsPooling", _0=(0, 1))), ((3,), sized("Unfold", _unfold)), ((2,), sized("Fold", _fold)),
    (ANY, sized("GLU", lambda r, s: next(({0: k} for k in r.sample(range(len(s)), len(s)) if s[k] % 2 == 0), None))),
    ((1,), sized("Spectrogram", _spectrogram)), ((2, 3), sized("Einsum", _einsum)), ((3,), _prior),
]  # fmt: skip

QUANTIZED: list[tuple[tuple[int, ...], Maker]] = [
    ((3,), sized("Convolution", _convolution(quantized=True))), ((3,), sized("ConvolutionDepthWise", _convolution(depthwise=True, quantized=True))),
    ((1,), sized("InnerProduct", _inner_product(quantized=True))), ((3,), sized("Pooling", _pooling(2))), (ANY, simple("ReLU")), ((3,), simple("Flatten")),
]  # fmt: skip
