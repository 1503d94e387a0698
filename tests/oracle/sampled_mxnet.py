"""Random MXNet symbols of one operator for sampling.py: the configurations of tests/dryrun/mxnet_cases.py with odd inputs, and operators at their edges."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from dryrun import mxnet_cases
from dryrun.mxnet_compare import filled, visible
from formats.nnvm.models import Builder

from irlint.operators import table
from oracle.draw import Draw
from oracle.sampling import Sample

UNDECIDED = (
    "natively supported",
    "not implemented",
    "is not supported",
    "Unsupported",
    "unsupported",
    "Check failed: type_flag_ == ",
    "Not support",
    "only supports",
    "only implements",
)
TYPES = {"float32": 0, "float64": 1, "float16": 2, "uint8": 3, "int32": 4, "int8": 5, "int64": 6}
FLOATS = ("float32", "float32", "float32", "float64", "float16")
KINDS = (*FLOATS, "int32", "int64", "int8", "uint8")
RANDOM = ("random", "sample", "shuffle", "Dropout", "multinomial")


def sample(draw: Draw, op: str, *arrays: Any, **attrs: Any) -> Sample:
    """A symbol whose variables declare their types and, most of them, their shapes."""
    builder = Builder()
    is_open = draw.odd("open", 0.2)
    ins = [
        builder.var(f"in{k}", None if is_open else a.shape, __dtype__=str(TYPES[a.dtype.name]))
        for k, a in enumerate(arrays)
    ]
    written = {key: str(value) for key, value in attrs.items() if value is not None}
    heads = visible(mxnet_cases.Case(op, [a.shape for a in arrays], written))
    at = builder.add(op, "op", ins, written, heads)
    text = json.dumps(builder.graph(*((at, k, 0) for k in range(heads))), indent=1)
    shown = ", ".join(f"{a.dtype}{list(a.shape)}" for a in arrays)
    return Sample(
        op, f"{op} ({shown}) {written}", {".json": text.encode()}, {f"in{k}": a for k, a in enumerate(arrays)}
    )


CASES = [
    case for case in mxnet_cases.CASES
    if case.values and case.shapes and None not in case.shapes and not case.graphs and not any(word in case.op for word in RANDOM)
]  # fmt: skip


def case(draw: Draw, op: str) -> Sample:
    """A configuration that is known to run, with other numbers and, where all its inputs are plain, another type."""
    chosen = draw.choice(CASES)
    kind = draw.choice(KINDS) if not chosen.fill else "float32"
    arrays = [
        filled(f"in{k}", s, chosen.fill[k]) if k in chosen.fill else draw.array(kind, s, odd=0.5)
        for k, s in enumerate(chosen.shapes)
        if s is not None
    ]
    return sample(draw, chosen.op, *arrays, **chosen.attrs)


def plain(draw: Draw, *ranks: int, kinds: Any = KINDS) -> Any:
    return draw.array(draw.choice(kinds), draw.shape(*ranks, empty=0))


def scalar(draw: Draw, op: str) -> Sample:
    return sample(draw, op, plain(draw, 1, 2, 3), scalar=draw.choice((0, 1, 2, -2, 3, 2.5, -2.5, 0.3, 1e10, -1)))


def pair(draw: Draw, op: str) -> Sample:
    one = plain(draw, 1, 2, 3)
    shape = list(one.shape)
    other = [1 if draw.chance(0.3) and op.startswith("broadcast") else n for n in shape]
    return sample(draw, op, one, draw.array(one.dtype.name, other))


def reduce(draw: Draw, op: str) -> Sample:
    data = plain(draw, 1, 2, 3)
    axes = draw.axes(data.ndim)
    axis = draw.choice(
        (None, f"({', '.join(map(str, axes))}{',' if len(axes) == 1 else ''})", axes[0] if axes else None)
    )
    if op == "norm":
        return sample(
            draw,
            op,
            data,
            axis=axes[0] if axes else None,
            ord=draw.choice((None, 1, 2)),
            keepdims=draw.choice((None, True)),
        )
    if op in ("argmax", "argmin"):
        return sample(draw, op, data, axis=axes[0] if axes else None, keepdims=draw.choice((None, True)))
    return sample(
        draw, op, data, axis=axis, keepdims=draw.choice((None, True)), exclude=draw.choice((None, None, True))
    )


def pool(draw: Draw, op: str) -> Sample:
    axes = draw.choice((1, 2, 2, 3))
    pick = lambda *values: tuple(draw.choice(values) for _ in range(axes))  # noqa: E731
    data = draw.array(draw.choice(FLOATS), [draw.choice((1, 2)), draw.choice((1, 2)), *pick(2, 3, 5, 7, 8)], odd=0.2)
    attrs = {
        "kernel": pick(1, 2, 3),
        "stride": draw.choice((None, pick(1, 2, 3))),
        "pad": draw.choice((None, pick(0, 1))),
    }
    attrs |= {
        "pool_type": draw.choice(("max", "avg", "sum", "lp")),
        "pooling_convention": draw.choice((None, "valid", "full", "same")),
    }
    attrs |= {"count_include_pad": draw.choice((None, False)), "global_pool": draw.choice((None, None, True))}
    draw.traits.update([str(attrs["pooling_convention"])])
    return sample(draw, op, data, **attrs, p_value=draw.choice((1, 2, 3)) if attrs["pool_type"] == "lp" else None)


def convolve(draw: Draw, op: str) -> Sample:
    axes, group = draw.choice((1, 2, 2, 3)), draw.choice((1, 1, 2))
    pick = lambda *values: tuple(draw.choice(values) for _ in range(axes))  # noqa: E731
    kernel, channels, out = pick(1, 2, 3), 2 * draw.choice((1, 2)), 2 * draw.choice((1, 2))
    data = draw.array(
        draw.choice(("float32", "float32", "float64")), [draw.choice((1, 2)), channels, *pick(3, 5, 7)], odd=0.1
    )
    size = [channels, out // group, *kernel] if op == "Deconvolution" else [out, channels // group, *kernel]
    weights = draw.array(data.dtype.name, size, odd=0)
    attrs: dict[str, Any] = {
        "kernel": kernel,
        "num_filter": out,
        "num_group": group,
        "stride": draw.choice((None, pick(1, 2, 3))),
        "pad": draw.choice((None, pick(0, 1))),
    }
    attrs["dilate"] = draw.choice((None, None, pick(1, 2)))
    if op == "Deconvolution" and attrs["stride"]:
        attrs["adj"] = draw.choice((None, tuple(draw.random.randrange(s) for s in attrs["stride"])))
    bias = (draw.array(data.dtype.name, [out], odd=0),) if draw.chance(0.5) else ()
    return sample(draw, op, data, weights, *bias, no_bias=not bias, **attrs)


def move(draw: Draw, op: str) -> Sample:
    data = plain(draw, 1, 2, 3)
    axis, rank = draw.axis(data.ndim), data.ndim
    pick = lambda *values: tuple(draw.choice(values) for _ in range(rank))  # noqa: E731
    attrs: dict[str, Any] = {
        "Reshape": {"shape": draw.choice(((-1,), (0, -1), (-2,), (-3, -2), (0, -4, 1, -1, -2), (1, -1, 1), (-1, 0), (-4, -1, 1, -2))), "reverse": draw.choice((None, True))},
        "slice": {"begin": pick(None, 0, 1, -2, -9), "end": pick(None, 1, 2, 9, -1), "step": draw.choice((None, pick(1, 2, -1)))},
        "slice_axis": {"axis": axis, "begin": draw.choice((0, 1, -1, -2)), "end": draw.choice((None, 1, 2, -1, 9))},
        "transpose": {"axes": draw.choice((None, tuple(draw.random.sample(range(rank), rank))))}, "expand_dims": {"axis": draw.random.randint(-rank - 1, rank)},
        "SwapAxis": {"dim1": axis, "dim2": draw.axis(rank)}, "tile": {"reps": draw.choice((pick(1, 2), (2,), (1, 2, 1, 2)))},
        "repeat": {"repeats": draw.choice((1, 2, 3)), "axis": draw.choice((None, axis))}, "reverse": {"axis": draw.choice((axis, (axis,)))},
        "clip": {"a_min": draw.choice((-1, 0, 2.5)), "a_max": draw.choice((3, 2.5, 1e10))}, "Cast": {"dtype": draw.choice(tuple(TYPES))},
        "diag": {"k": draw.choice((-5, -1, 0, 1, 2))}, "cumsum": {"axis": draw.choice((None, axis))}, "Flatten": {},
        "topk": {"axis": axis, "k": draw.choice((0, 1, 2)), "ret_typ": draw.choice(("value", "indices", "mask", "both")), "is_ascend": draw.choice((None, True))},
        "sort": {"axis": draw.choice((None, axis)), "is_ascend": draw.choice((None, False))}, "argsort": {"axis": axis, "is_ascend": draw.choice((None, False))},
        "softmax": {"axis": axis, "temperature": draw.choice((None, 2.0, 0.5))}, "log_softmax": {"axis": axis}, "smooth_l1": {"scalar": draw.choice((0, 1, 2.5))},
        "SliceChannel": {"axis": axis, "num_outputs": draw.choice((1, 2, 3)), "squeeze_axis": draw.choice((None, True))}, "shape_array": {}, "size_array": {},
    }[op]  # fmt: skip
    return sample(draw, op, data, **attrs)


def pick_at(draw: Draw, op: str) -> Sample:
    data = plain(draw, 1, 2, 3)
    axis, kind = draw.axis(data.ndim), draw.choice(("float32", "int32", "int64"))
    if op == "take":
        return sample(
            draw,
            op,
            data,
            draw.indices(data.shape[axis] + 1, draw.shape(1, 2, empty=0), kind),
            axis=axis,
            mode=draw.choice((None, "wrap", "clip")),
        )
    if op == "one_hot":
        return sample(
            draw,
            op,
            draw.indices(4, draw.shape(1, 2, empty=0), kind),
            depth=3,
            on_value=draw.choice((None, 2.5)),
            dtype=draw.choice((None, "int32", "uint8")),
        )
    if op == "pick":
        size = [n for k, n in enumerate(data.shape) if k != axis % data.ndim] or [1]
        return sample(
            draw, op, data, draw.indices(data.shape[axis] + 1, size, kind), axis=axis, mode=draw.choice((None, "wrap"))
        )
    if op == "Concat":
        return sample(draw, op, data, data, data, num_args=3, dim=axis)
    return sample(draw, op, np.abs(draw.array(kind, data.shape, odd=0)) % 2, data, data)


def norm(draw: Draw, op: str) -> Sample:
    data = plain(draw, 2, 3, 4, kinds=FLOATS)
    kind, axis = data.dtype.name, draw.axis(data.ndim) if op == "LayerNorm" else 1
    scale, shift = draw.array(kind, [data.shape[axis]], odd=0), draw.array(kind, [data.shape[axis]], odd=0)
    if op == "LeakyReLU":
        return sample(
            draw, op, data, act_type=draw.choice(("leaky", "elu", "selu", "gelu")), slope=draw.choice((None, 0.1))
        )
    if op == "L2Normalization":
        return sample(draw, op, data, mode=draw.choice(("instance", "channel", "spatial")))
    return sample(draw, op, data, scale, shift, **({"axis": axis} if op == "LayerNorm" else {}))


SCALAR = [
    f"_{word}_scalar"
    for word in [
        "plus",
        "minus",
        "rminus",
        "mul",
        "div",
        "rdiv",
        "mod",
        "rmod",
        "power",
        "rpower",
        "maximum",
        "minimum",
        "hypot",
        "equal",
        "not_equal",
        "greater",
        "greater_equal",
        "lesser",
        "lesser_equal",
    ]
]
SCALAR += [
    f"_npi_{word}_scalar"
    for word in [
        "add",
        "subtract",
        "rsubtract",
        "multiply",
        "true_divide",
        "rtrue_divide",
        "mod",
        "rmod",
        "power",
        "rpower",
    ]
]
PAIR = [
    f"broadcast_{word}"
    for word in [
        "add",
        "sub",
        "mul",
        "div",
        "mod",
        "power",
        "maximum",
        "minimum",
        "hypot",
        "equal",
        "not_equal",
        "greater",
        "lesser",
        "logical_and",
        "logical_xor",
    ]
]
PAIR += [
    "elemwise_add",
    "elemwise_sub",
    "elemwise_mul",
    "elemwise_div",
    "_mod",
    "_power",
    "_maximum",
    "_hypot",
    "_npi_true_divide",
    "_npi_mod",
    "_npi_power",
    "_npi_add",
]
REDUCE = ["sum", "mean", "prod", "max", "min", "nansum", "nanprod", "norm", "argmax", "argmin"]
MOVE = [
    "Reshape",
    "slice",
    "slice_axis",
    "transpose",
    "expand_dims",
    "SwapAxis",
    "tile",
    "repeat",
    "reverse",
    "clip",
    "Cast",
    "diag",
    "topk",
    "sort",
    "argsort",
    "softmax",
    "log_softmax",
    "smooth_l1",
    "SliceChannel",
    "Flatten",
    "shape_array",
    "size_array",
]
OPERATORS: dict[str, Any] = {
    **{name: scalar for name in SCALAR if table("mxnet").get(name)}, **{name: pair for name in PAIR if table("mxnet").get(name)},
    **dict.fromkeys(REDUCE, reduce), **dict.fromkeys(MOVE, move), "Pooling": pool, "Convolution": convolve, "Deconvolution": convolve,
    **dict.fromkeys(("take", "one_hot", "pick", "Concat", "where"), pick_at), **dict.fromkeys(("LayerNorm", "InstanceNorm", "LeakyReLU", "L2Normalization"), norm),
    **{f"case {k}": case for k in range(60)},
}  # fmt: skip
