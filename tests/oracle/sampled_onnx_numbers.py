"""Random ONNX operators that compute element by element or along axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from irlint.formats.onnx.wire import DTYPE_NUMBERS
from oracle.draw import Draw
from oracle.sampled_onnx import FLOATS, INTS, NUMBERS, Const, sample
from oracle.sampling import Sample


def unary(draw: Draw, op: str) -> Sample:
    kind = draw.choice(
        ("bool",)
        if op == "Not"
        else INTS
        if op == "BitwiseNot"
        else NUMBERS
        if op in ("Abs", "Neg", "Sign")
        else FLOATS
    )
    attrs = {
        "LeakyRelu": {"alpha": 0.3},
        "Elu": {"alpha": 2.0},
        "Selu": {},
        "HardSigmoid": {"alpha": 0.3, "beta": 0.4},
        "ThresholdedRelu": {"alpha": 0.5},
        "Celu": {"alpha": 1.5},
        "Gelu": {"approximate": draw.choice(("none", "tanh"))},
        "IsInf": {"detect_negative": draw.choice((0, 1)), "detect_positive": draw.choice((0, 1))},
    }.get(op, {})
    result = "bool" if op in ("IsNaN", "IsInf") else ""
    return sample(draw, op, draw.array(kind, draw.shape(0, 1, 2, 3)), result=result, **attrs)


def binary(draw: Draw, op: str) -> Sample:
    is_logic, is_bits = op in ("And", "Or", "Xor"), op.startswith("Bit")
    kind = draw.choice(("bool",) if is_logic else INTS if is_bits else FLOATS if op == "PRelu" else NUMBERS)
    shape = draw.shape(0, 1, 2, 3)
    one, other = draw.array(kind, shape), draw.array(kind, draw.like(shape))
    if op == "Div" or (op == "Mod" and kind in INTS):
        other = np.where(other == 0, 2, other).astype(kind) if kind in INTS else other
    if op == "BitShift":
        return sample(
            draw, op, one.astype("uint8"), (other % 8).astype("uint8"), direction=draw.choice(("LEFT", "RIGHT"))
        )
    if op == "Pow" and kind in INTS:
        one, other = (
            draw.array(draw.choice(("int32", "int64")), shape),
            draw.array(draw.choice(("int32", "int64", "float32")), draw.like(shape), 0, 4, 0),
        )
    if op not in ("PRelu", "Pow") and draw.chance(0.3):
        one, other = other, one
    fmod = {"fmod": 1} if op == "Mod" and (kind in FLOATS or draw.chance(0.3)) else {}
    is_question = is_logic or op in ("Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual")
    return sample(draw, op, one, other, result="bool" if is_question else "", **fmod)


def several(draw: Draw, op: str) -> Sample:
    kind = draw.choice(FLOATS)
    shape = draw.shape(0, 1, 2, 3)
    return sample(draw, op, *(draw.array(kind, draw.like(shape)) for _ in range(draw.choice((1, 2, 3)))))


def clip(draw: Draw, op: str) -> Sample:
    kind = draw.choice(NUMBERS)
    low, high = draw.array(kind, []), draw.array(kind, [])
    return sample(
        draw,
        op,
        draw.array(kind, draw.shape(0, 1, 2)),
        draw.choice((None, low, Const(low))),
        draw.choice((None, high, Const(high))),
    )


def cast(draw: Draw, op: str) -> Sample:
    kind, to = draw.choice((*NUMBERS, "bool")), draw.choice((*NUMBERS, "bool"))
    x = draw.array(kind, draw.shape(0, 1, 2), odd=0.5)
    if op == "CastLike":
        return sample(draw, op, x, draw.array(to, [1]), result=to)
    return sample(draw, op, draw.choice((x, Const(x), x)), result=to, to=DTYPE_NUMBERS[to])


def where(draw: Draw, op: str) -> Sample:
    kind, shape = draw.choice(NUMBERS), draw.shape(0, 1, 2, 3)
    return sample(
        draw,
        op,
        draw.array("bool", draw.like(shape)),
        draw.array(kind, shape),
        draw.array(kind, draw.like(shape)),
        result=kind,
    )


def reduce(draw: Draw, op: str) -> Sample:
    kind = draw.choice((*FLOATS, "int32", "int64", *(("int8", "uint8") if op in ("ReduceMax", "ReduceMin") else ())))
    shape = draw.shape(0, 1, 2, 3)
    axes = np.array(draw.axes(len(shape)), np.int64)
    inputs = draw.choice(((), (Const(axes),), (axes,)))
    return sample(
        draw,
        op,
        draw.array(kind, shape),
        *inputs,
        keepdims=draw.choice((None, 0, 1)),
        noop_with_empty_axes=draw.choice((None, 0, 1)),
    )


def best(draw: Draw, op: str) -> Sample:
    shape = draw.shape(1, 2, 3)
    attrs = {
        "axis": draw.choice((None, draw.axis(len(shape)))),
        "keepdims": draw.choice((None, 0)),
        "select_last_index": draw.choice((None, 1)),
    }
    x = draw.array(draw.choice(("float32", "float64", "float16", "int32", "int8", "uint8", "int64")), shape)
    return sample(draw, op, x, result="int64", **attrs)


def along(draw: Draw, op: str) -> Sample:
    shape = draw.shape(1, 2, 3)
    attrs = {"axis": draw.choice((None, draw.axis(len(shape))))}
    if op == "LpNormalization":
        attrs["p"] = draw.choice((1, 2))
    return sample(draw, op, draw.array(draw.choice(FLOATS), shape), **attrs)


UNARY = [
    "Abs",
    "Neg",
    "Exp",
    "Log",
    "Sqrt",
    "Ceil",
    "Floor",
    "Round",
    "Sign",
    "Erf",
    "Sigmoid",
    "Tanh",
    "Relu",
    "Elu",
    "Selu",
    "HardSigmoid",
    "Softplus",
    "Softsign",
    "Reciprocal",
    "LeakyRelu",
    "ThresholdedRelu",
    "Celu",
    "Gelu",
    "Mish",
    "HardSwish",
    "Sin",
    "Cos",
    "Atan",
    "Sinh",
    "Asinh",
    "Acosh",
    "IsNaN",
    "IsInf",
    "Not",
    "BitwiseNot",
]
BINARY = [
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Pow",
    "Mod",
    "PRelu",
    "BitShift",
    "And",
    "Or",
    "Xor",
    "BitwiseAnd",
    "BitwiseOr",
    "Equal",
    "Greater",
    "Less",
    "GreaterOrEqual",
    "LessOrEqual",
]
REDUCE = [
    f"Reduce{word}" for word in ["Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "LogSum", "LogSumExp", "SumSquare"]
]
OPERATORS: dict[str, Any] = {
    **dict.fromkeys(UNARY, unary),
    **dict.fromkeys(BINARY, binary),
    **dict.fromkeys(REDUCE, reduce),
    **dict.fromkeys(("Max", "Min", "Sum", "Mean"), several),
    "Clip": clip,
    "Cast": cast,
    "CastLike": cast,
    "Where": where,
    **dict.fromkeys(("ArgMax", "ArgMin"), best),
    **dict.fromkeys(("Softmax", "LogSoftmax", "Hardmax", "LpNormalization"), along),
}
