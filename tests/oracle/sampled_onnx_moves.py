"""Random ONNX operators that move numbers: shapes, indices, order."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from oracle.draw import Draw
from oracle.sampled_onnx import FLOATS, NUMBERS, Const, ints, sample
from oracle.sampling import Sample

KINDS = (*NUMBERS, "bool")


def x(draw: Draw, *ranks: int, kinds: Any = KINDS) -> Any:
    return draw.array(draw.choice(kinds), draw.shape(*ranks))


def maybe(draw: Draw, array: Any) -> Any:
    """The array as an input or, more often, as an initializer."""
    return Const(array) if draw.chance(0.65) else array


def reshape(draw: Draw, op: str) -> Sample:
    data = x(draw, 0, 1, 2, 3)
    shape, left = list[int](), data.size
    for _ in range(draw.random.randrange(4)):
        shape.append(draw.choice([f for f in range(1, 9) if left and left % f == 0] or [0, 1, 2]))
        left //= max(shape[-1], 1)
    shape += [left] if prod(shape) != data.size else []
    if shape and draw.chance(0.5):
        shape[draw.random.randrange(len(shape))] = draw.choice((-1, -1, 0))
    return sample(draw, op, data, maybe(draw, np.array(shape, np.int64)), allowzero=draw.choice((None, None, 0, 1)))


def flat(draw: Draw, op: str) -> Sample:
    data = x(draw, 0, 1, 2, 3)
    if op == "Flatten":
        return sample(draw, op, data, axis=draw.choice((None, draw.random.randint(-data.ndim, data.ndim))))
    if op == "Transpose":
        order = draw.random.sample(range(data.ndim), data.ndim)
        return sample(draw, op, data, perm=draw.choice((None, order)) if data.ndim else None)
    if op in ("Shape", "Size"):
        ends = {"start": draw.choice((None, -5, -1, 1)), "end": draw.choice((None, -1, 2, 9))} if op == "Shape" else {}
        return sample(draw, op, data, result="int64", **ends)
    return sample(draw, op, data, result="int64" if op == "NonZero" else "")


def squeeze(draw: Draw, op: str) -> Sample:
    data = x(draw, 0, 1, 2, 3)
    if op == "Squeeze":
        data = np.zeros([1 if draw.chance(0.5) else n for n in data.shape], data.dtype)
        ones = [k - draw.choice((0, data.ndim)) for k, n in enumerate(data.shape) if n == 1]
        return sample(draw, op, data, draw.choice((None, maybe(draw, np.array(ones, np.int64)))))
    axes = draw.axes(data.ndim + 2)[:2] if data.ndim else [draw.choice((0, -1))]
    return sample(draw, op, data, maybe(draw, np.array(axes, np.int64)))


def concat(draw: Draw, op: str) -> Sample:
    first = x(draw, 1, 2, 3)
    axis = draw.axis(first.ndim)
    sizes = [
        [draw.choice((0, 1, 2)) if k == axis % first.ndim else n for k, n in enumerate(first.shape)] for _ in range(2)
    ]
    return sample(
        draw, op, first, *(draw.array(first.dtype.name, size) for size in sizes[: draw.random.randrange(3)]), axis=axis
    )


def split(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3)
    axis, count = draw.axis(data.ndim), draw.choice((1, 2, 3))
    kinds = (data.dtype.name,) * count
    if draw.chance(0.5):
        return sample(draw, op, data, axis=axis, num_outputs=count, result=kinds)
    cuts = sorted(draw.random.randint(0, data.shape[axis]) for _ in range(count - 1))
    sizes = np.diff([0, *cuts, data.shape[axis]])
    return sample(draw, op, data, maybe(draw, sizes.astype(np.int64)), axis=axis, result=kinds)


def cut(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3)
    axes = draw.axes(data.ndim, 1)
    far = (0, 1, 2, -1, -2, 5, -9, 2**31 - 1, -(2**63), 2**63 - 1)
    starts, ends = ([draw.choice(far) for _ in axes] for _ in range(2))
    steps = [draw.choice((1, 1, 2, -1, -2, 3, 2**31)) for _ in axes]
    last = draw.choice(((axes, steps), (axes, None), (axes, steps)))
    return sample(
        draw, op, data, *(None if v is None else maybe(draw, np.array(v, np.int64)) for v in (starts, ends, *last))
    )


def pad(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3, kinds=("float32", "float64", "int32", "int64", "uint8", "int8", "bool"))
    mode = draw.choice(("constant", "reflect", "edge", "wrap"))
    axes = draw.axes(data.ndim, 1) if draw.chance(0.4) else None
    pads = [draw.choice((0, 0, 1, 2, -1)) for _ in range(2 * (len(axes) if axes else data.ndim))]
    value = draw.array(data.dtype.name, []) if draw.chance(0.5) else None
    return sample(
        draw,
        op,
        data,
        maybe(draw, np.array(pads, np.int64)),
        value if mode == "constant" else None,
        None if axes is None else ints(*axes),
        mode=mode,
        opset=draw.choice((19, 21, 23)),
    )


def grow(draw: Draw, op: str) -> Sample:
    data = x(draw, 0, 1, 2, 3)
    if op == "Tile":
        return sample(draw, op, data, maybe(draw, np.array([draw.choice((0, 1, 2, 3)) for _ in data.shape], np.int64)))
    small = np.zeros(draw.like(list(data.shape)), data.dtype)
    return sample(draw, op, small, maybe(draw, np.array(data.shape, np.int64)))


def gather(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3)
    axis = draw.axis(data.ndim)
    kind = draw.choice(("int64", "int64", "int32"))
    if op == "Gather":
        return sample(draw, op, data, maybe(draw, draw.indices(data.shape[axis], draw.shape(0, 1, 2), kind)), axis=axis)
    if op == "GatherND":
        batch = draw.random.randrange(min(data.ndim, 2))
        depth = draw.random.randint(1, data.ndim - batch)
        indices = [draw.indices(data.shape[batch + k], [*data.shape[:batch], 2], "int64") for k in range(depth)]
        return sample(draw, op, data, np.stack(indices, -1), batch_dims=batch)
    size = [n if k == axis % data.ndim else max(n - draw.choice((0, 0, 1)), 0) for k, n in enumerate(data.shape)]
    size[axis] = draw.choice((1, 2, 3))
    return sample(draw, op, data, draw.indices(data.shape[axis], size, kind), axis=axis)


def scatter(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3, kinds=("float32", "float64", "int32", "int64", "uint8"))
    reduction = draw.choice((None, None, "add", "mul", "max", "min"))
    if op == "ScatterND":
        depth = draw.random.randint(1, data.ndim)
        indices = np.stack([draw.indices(data.shape[k], [2], "int64") for k in range(depth)], -1)
        updates = draw.array(data.dtype.name, [2, *data.shape[depth:]])
        return sample(draw, op, data, indices, updates, reduction=reduction)
    axis = draw.axis(data.ndim)
    size = [max(n - draw.choice((0, 0, 1)), 0) for n in data.shape]
    updates = draw.array(data.dtype.name, size)
    return sample(draw, op, data, draw.indices(data.shape[axis], size), updates, axis=axis, reduction=reduction)


def order(draw: Draw, op: str) -> Sample:
    data = x(draw, 1, 2, 3, kinds=("float32", "float64", "int64", "int32"))
    axis, kind = draw.axis(data.ndim), data.dtype.name
    if op == "TopK":
        k = np.array([draw.random.randint(0, data.shape[axis])], np.int64)
        return sample(
            draw, op, data, maybe(draw, k), axis=axis, largest=draw.choice((0, 1)), sorted=1, result=(kind, "int64")
        )
    if op == "CumSum":
        at = np.array(axis, draw.choice(("int32", "int64")))
        return sample(draw, op, data, maybe(draw, at), exclusive=draw.choice((0, 1)), reverse=draw.choice((0, 1)))
    if op == "Unique":
        return sample(
            draw, op, data, axis=draw.choice((None, axis)), sorted=draw.choice((0, 1)), result=(kind, *["int64"] * 3)
        )
    chosen = draw.array("bool", [draw.random.randint(0, data.shape[axis])])
    return sample(draw, op, data, chosen, axis=axis)


def made(draw: Draw, op: str) -> Sample:
    if op == "Range":
        kind = draw.choice(("int32", "int64", "float32", "float64"))
        return sample(
            draw,
            op,
            *(maybe(draw, np.array(draw.choice(v), kind)) for v in ((0, 2, -3), (0, 5, -7, 2.5), (1, 2, -1, 3))),
        )
    if op == "ConstantOfShape":
        value = draw.array(draw.choice(NUMBERS), [1])
        return sample(
            draw, op, maybe(draw, np.array(draw.shape(0, 1, 2), np.int64)), value=value, result=value.dtype.name
        )
    if op == "EyeLike":
        return sample(
            draw,
            op,
            x(draw, 2, kinds=("float32", "int32")),
            k=draw.choice((-7, -1, 0, 1, 9)),
            dtype=draw.choice((None, 1)),
            result="float32",
        )
    if op == "OneHot":
        depth = draw.choice((1, 3, 5))
        at = draw.indices(depth + 1, draw.shape(0, 1, 2), draw.choice(("int64", "int32", "float32")))
        values = np.array([0, 1], draw.choice(("float32", "int64")))
        return sample(
            draw,
            op,
            at,
            maybe(draw, np.array(depth, np.int64)),
            values,
            axis=draw.random.randint(-at.ndim - 1, at.ndim),
            result=values.dtype.name,
        )
    data = x(draw, 2, 3, kinds=("float32", "int64", "float64", "bool"))
    return sample(
        draw,
        op,
        data,
        draw.choice((None, np.array(draw.choice((-9, -1, 0, 1, 4)), np.int64))),
        upper=draw.choice((0, 1)),
    )


def blocks(draw: Draw, op: str) -> Sample:
    if op == "ReverseSequence":
        size = draw.shape(2, 3, sizes=(1, 2, 3, 4))
        lens = np.array([draw.random.randint(1, max(size[0], 1)) for _ in range(size[1])], np.int64)
        return sample(draw, op, draw.array("float32", size), lens, batch_axis=1, time_axis=0)
    size, block = draw.shape(4, sizes=(1, 2, 3)), draw.choice((1, 2))
    if op == "DepthToSpace":
        size[1] *= block * block
        return sample(
            draw, op, draw.array(draw.choice(FLOATS), size), blocksize=block, mode=draw.choice(("DCR", "CRD"))
        )
    return sample(
        draw, op, draw.array(draw.choice(FLOATS), [*size[:2], size[2] * block, size[3] * block]), blocksize=block
    )


OPERATORS: dict[str, Any] = {
    "Reshape": reshape, **dict.fromkeys(("Flatten", "Transpose", "Shape", "Size", "NonZero", "Identity"), flat), "Squeeze": squeeze, "Unsqueeze": squeeze,
    "Concat": concat, "Split": split, "Slice": cut, "Pad": pad, "Tile": grow, "Expand": grow, **dict.fromkeys(("Gather", "GatherND", "GatherElements"), gather),
    "ScatterND": scatter, "ScatterElements": scatter, **dict.fromkeys(("TopK", "CumSum", "Unique", "Compress"), order),
    **dict.fromkeys(("Range", "ConstantOfShape", "EyeLike", "OneHot", "Trilu"), made), **dict.fromkeys(("DepthToSpace", "SpaceToDepth", "ReverseSequence"), blocks),
}  # fmt: skip
