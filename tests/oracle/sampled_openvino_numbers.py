"""Random OpenVINO operations that compute element by element or along axes, and those that move numbers."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from oracle.draw import Draw
from oracle.sampled_openvino import ELEMENT, FLOATS, INTS, NUMBERS, Const, sample
from oracle.sampling import Sample


def x(draw: Draw, *ranks: int, kinds: Any = NUMBERS) -> Any:
    return draw.array(draw.choice(kinds), draw.shape(*ranks))


def maybe(draw: Draw, array: Any) -> Any:
    return Const(array) if draw.chance(0.7) else array


def unary(draw: Draw, op: str) -> Sample:
    kinds = (
        ("bool",)
        if op.endswith("LogicalNot")
        else NUMBERS
        if op.split(".")[1] in ("Abs", "Negative", "Sign", "Relu", "Clamp")
        else FLOATS
    )
    attrs = {
        "Elu": {"alpha": 0.5},
        "Clamp": {"min": -1.5, "max": draw.choice((2, 2.5))},
        "Gelu": {"approximation_mode": draw.choice(("ERF", "TANH"))},
    }
    rounds = {"Round": {"mode": draw.choice(("half_to_even", "half_away_from_zero"))}}
    return sample(draw, op, x(draw, 0, 1, 2, 3, kinds=kinds), **(attrs | rounds).get(op.split(".")[1], {}))


def binary(draw: Draw, op: str) -> Sample:
    kind = "bool" if "Logical" in op else draw.choice(INTS if "Bitwise" in op else NUMBERS)
    shape = draw.shape(0, 1, 2, 3)
    one, other = draw.array(kind, shape), draw.array(kind, draw.like(shape))
    if kind in INTS and op.split(".")[1] in ("Divide", "Mod", "FloorMod"):
        other = np.where(other == 0, 2, other).astype(kind)
    if kind in INTS and "Power" in op:
        one, other = (np.abs(a.astype(np.int64)) % 4 for a in (one, other))
        one, other = one.astype(kind), other.astype(kind)
    if op.split(".")[1] not in ("PRelu",) and draw.chance(0.3):
        one, other = other, one
    return sample(draw, op, one, maybe(draw, other), auto_broadcast="numpy" if draw.chance(0.5) else None)


def reduce(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3, kinds=("bool",) if "Logical" in op else NUMBERS)
    axes = np.array(draw.axes(data.ndim), draw.choice(("int64", "int32")))
    if draw.chance(0.1):
        axes = np.array(draw.axis(data.ndim))
    return sample(draw, op, data, maybe(draw, axes), keep_dims=draw.choice((True, False)))


def convert(draw: Draw, op: str) -> Sample:
    kind, to = draw.choice((*NUMBERS, "bool")), draw.choice((*NUMBERS, "bool"))
    if op.endswith("ConvertLike"):
        return sample(draw, op, draw.array(kind, draw.shape(0, 1, 2)), draw.array(to, [1]))
    return sample(draw, op, draw.array(kind, draw.shape(0, 1, 2)), destination_type=ELEMENT[to])


def along(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3, kinds=FLOATS)
    axis = draw.axis(data.ndim)
    if op.endswith("CumSum"):
        return sample(
            draw,
            op,
            data,
            maybe(draw, np.array(axis)),
            exclusive=draw.choice((True, False)),
            reverse=draw.choice((True, False)),
        )
    if op.endswith("MVN"):
        axes = np.array(draw.axes(data.ndim, 1), np.int64)
        return sample(
            draw,
            op,
            data,
            Const(axes),
            eps="1e-5",
            eps_mode=draw.choice(("inside_sqrt", "outside_sqrt")),
            normalize_variance=draw.choice((True, False)),
        )
    if op.endswith("NormalizeL2"):
        return sample(
            draw,
            op,
            data,
            Const(np.array(draw.axes(data.ndim), np.int64)),
            eps="1e-5",
            eps_mode=draw.choice(("add", "max")),
        )
    return sample(draw, op, data, axis=axis % data.ndim if op == "opset1.Softmax" else axis)


def reshape(draw: Draw, op: str) -> Sample:
    data = x(draw, 0, 1, 2, 3)
    shape, left = list[int](), data.size
    for _ in range(draw.random.randrange(3)):
        shape.append(draw.choice([f for f in range(1, 9) if left and left % f == 0] or [0, 1, 2]))
        left //= max(shape[-1], 1)
    shape += [left] if prod(shape) != data.size else []
    if shape and draw.chance(0.5):
        shape[draw.random.randrange(len(shape))] = draw.choice((-1, -1, 0))
    return sample(draw, op, data, maybe(draw, np.array(shape, np.int64)), special_zero=draw.choice((True, False)))


def axes(draw: Draw, op: str) -> Sample:
    data = x(draw, 0, 1, 2, 3)
    if op.endswith("Unsqueeze"):
        return sample(draw, op, data, maybe(draw, np.array(draw.axes(data.ndim + 1, 1)[:1], np.int64)))
    if op.endswith("Transpose"):
        return sample(
            draw,
            op,
            data,
            maybe(draw, np.array(draw.choice(([], draw.random.sample(range(data.ndim), data.ndim))), np.int64)),
        )
    data = np.zeros([1 if draw.chance(0.5) else n for n in data.shape], data.dtype)
    ones = [k - draw.choice((0, data.ndim)) for k, n in enumerate(data.shape) if n == 1]
    return sample(draw, op, data, *draw.choice(((), (maybe(draw, np.array(ones, np.int64)),))))


def join(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3)
    axis, count = draw.axis(data.ndim), draw.choice((1, 2, 3))
    if op.endswith("Concat"):
        sizes = [
            [draw.choice((0, 1, 2)) if k == axis % data.ndim else n for k, n in enumerate(data.shape)]
            for _ in range(count)
        ]
        return sample(draw, op, data, *(draw.array(data.dtype.name, size) for size in sizes), axis=axis)
    if op.endswith("VariadicSplit"):
        cuts = sorted(draw.random.randint(0, data.shape[axis]) for _ in range(count - 1))
        sizes = np.diff([0, *cuts, data.shape[axis]])
        if draw.chance(0.3):
            sizes[draw.random.randrange(count)] = -1
        return sample(draw, op, data, Const(np.array(axis)), maybe(draw, sizes.astype(np.int64)), outputs=count)
    return sample(draw, op, data, Const(np.array(axis)), num_splits=count, outputs=count)


def cut(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3)
    along, far = draw.axes(data.ndim, 1), (0, 1, 2, -1, -2, 5, -9, 2**31 - 1, -(2**31))
    starts, ends, steps = ([draw.choice(v) for _ in along] for v in (far, far, (1, 1, 2, -1, -2, 3)))
    if op.endswith("StridedSlice"):
        masks = {
            f"{word}_mask": [draw.choice((0, 0, 0, 1)) for _ in along]
            for word in ("begin", "end", "new_axis", "shrink_axis")
        }
        return sample(
            draw,
            op,
            data,
            maybe(draw, np.array(starts)),
            maybe(draw, np.array(ends)),
            maybe(draw, np.array(steps)),
            **masks,
            ellipsis_mask=[0] * len(along),
        )
    return sample(draw, op, data, *(maybe(draw, np.array(v, np.int64)) for v in (starts, ends, steps, along)))


def pad(draw: Draw, op: str) -> Sample:
    data, mode = x(draw, 1, 2, 3), draw.choice(("constant", "reflect", "edge", "symmetric"))
    low = 0 if op.startswith("opset1.") else -1
    begins, ends = (np.array([draw.choice((0, 0, 1, 2, low)) for _ in data.shape], np.int64) for _ in range(2))
    value = (draw.array(data.dtype.name, []),) if mode == "constant" and draw.chance(0.5) else ()
    return sample(draw, op, data, maybe(draw, begins), maybe(draw, ends), *value, pad_mode=mode)


def grow(draw: Draw, op: str) -> Sample:
    data = x(draw, 0, 1, 2, 3)
    if op.endswith("Tile"):
        return sample(
            draw,
            op,
            data,
            maybe(draw, np.array([draw.choice((0, 1, 2)) for _ in range(draw.choice((data.ndim, 1, 3)))], np.int64)),
        )
    small = np.zeros(draw.like(list(data.shape)), data.dtype)
    return sample(
        draw, op, small, maybe(draw, np.array(data.shape, np.int64)), mode=draw.choice(("numpy", "bidirectional"))
    )


def gather(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3)
    axis, kind = draw.axis(data.ndim), draw.choice(("int64", "int32"))
    name = op.split(".")[1]
    if name == "Gather":
        return sample(
            draw,
            op,
            data,
            maybe(draw, draw.indices(data.shape[axis], draw.shape(0, 1, 2), kind)),
            Const(np.array(axis)),
            batch_dims=0,
        )
    size = [n if k != axis % data.ndim else draw.choice((1, 2, 3)) for k, n in enumerate(data.shape)]
    indices = np.abs(draw.indices(data.shape[axis], size, kind)) % max(data.shape[axis], 1)
    if name == "GatherElements":
        return sample(draw, op, data, indices.astype(kind), axis=axis)
    return sample(
        draw,
        op,
        data,
        indices.astype(kind),
        draw.array(data.dtype.name, size),
        Const(np.array(axis)),
        **(
            {
                "reduction": draw.choice(("none", "sum", "prod", "min", "max", "mean")),
                "use_init_val": draw.choice((True, False)),
            }
            if op.startswith("opset12")
            else {}
        ),
    )


def order(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3, kinds=("float32", "int32", "float16"))
    axis, name = draw.axis(data.ndim), op.split(".")[1]
    if name == "TopK":
        k = np.array(draw.random.randint(0, data.shape[axis]))
        return sample(
            draw,
            op,
            data,
            maybe(draw, k),
            axis=axis,
            mode=draw.choice(("max", "min")),
            sort=draw.choice(("value", "index")),
            outputs=2,
            **({"index_element_type": "i64"} if op != "opset1.TopK" else {}),
            **({"stable": draw.choice((True, False))} if op == "opset11.TopK" else {}),
        )
    if name == "NonZero":
        return sample(draw, op, data, output_type=draw.choice(("i64", "i32")))
    if name == "ShapeOf":
        return sample(draw, op, data, output_type=draw.choice(("i64", "i32")))
    if name == "OneHot":
        at = draw.indices(4, draw.shape(0, 1, 2), "int64")
        on, off = np.array(1.5, np.float32), np.array(-1, np.float32)
        return sample(
            draw, op, at, Const(np.array(draw.choice((1, 3)))), Const(on), Const(off), axis=draw.choice((-1, 0))
        )
    if name == "Select":
        return sample(
            draw,
            op,
            draw.array("bool", draw.like(list(data.shape))),
            data,
            draw.array(data.dtype.name, draw.like(list(data.shape))),
            auto_broadcast="numpy",
        )
    start, stop, step = (
        np.array(draw.choice(v), draw.choice(("int64",))) for v in ((0, 2, -3), (0, 5, -7), (1, 2, -1, 3))
    )
    return sample(
        draw,
        op,
        maybe(draw, start),
        maybe(draw, stop),
        maybe(draw, step),
        output_type=draw.choice(("i64", "f32", "i32")),
    )


UNARY = [
    "Abs",
    "Negative",
    "Exp",
    "Log",
    "Sqrt",
    "Ceiling",
    "Floor",
    "Sign",
    "Erf",
    "Sigmoid",
    "Tanh",
    "Relu",
    "Elu",
    "Clamp",
    "Sin",
    "Cos",
    "Tan",
    "Atan",
    "Sinh",
    "LogicalNot",
    "opset5.Round",
    "opset4.SoftPlus",
    "opset9.SoftSign",
    "opset4.Mish",
    "opset4.HSwish",
    "opset5.HSigmoid",
    "opset7.Gelu",
]
BINARY = [
    "Add",
    "Subtract",
    "Multiply",
    "Divide",
    "Power",
    "Mod",
    "FloorMod",
    "Maximum",
    "Minimum",
    "SquaredDifference",
    "Equal",
    "NotEqual",
    "Less",
    "Greater",
    "GreaterEqual",
    "LogicalAnd",
    "LogicalXor",
    "opset13.BitwiseAnd",
    "PRelu",
]
REDUCE = [
    "ReduceSum",
    "ReduceMean",
    "ReduceMax",
    "ReduceMin",
    "ReduceProd",
    "ReduceLogicalAnd",
    "ReduceLogicalOr",
    "opset4.ReduceL1",
    "opset4.ReduceL2",
]


def _all(names: list[str], make: Any) -> dict[str, Any]:
    return {name if "." in name else f"opset1.{name}": make for name in names}


OPERATORS: dict[str, Any] = {
    **_all(UNARY, unary), **_all(BINARY, binary), **_all(REDUCE, reduce), **_all(["Convert", "ConvertLike"], convert), "opset1.Reshape": reshape,
    **_all(["opset1.Softmax", "opset8.Softmax", "opset5.LogSoftmax", "opset3.CumSum", "opset6.MVN", "NormalizeL2"], along),
    **_all(["Squeeze", "opset15.Squeeze", "Unsqueeze", "Transpose"], axes), **_all(["Concat", "Split", "VariadicSplit"], join),
    **_all(["StridedSlice", "opset8.Slice"], cut), **_all(["Pad", "opset12.Pad"], pad), **_all(["Tile", "opset3.Broadcast"], grow),
    **_all(["opset8.Gather", "opset6.GatherElements", "opset3.ScatterElementsUpdate", "opset12.ScatterElementsUpdate"], gather),
    **_all(["opset1.TopK", "opset3.TopK", "opset11.TopK", "opset3.NonZero", "opset3.ShapeOf", "OneHot", "Select", "opset4.Range"], order),
}  # fmt: skip
