"""Random small programs: what shapes say beforehand is what comes out, and symbols stand for what they are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from irlint.dryrun import dims
from irlint.dryrun.infer import apply
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.running.run import abstract
from irlint.dryrun.tensor import Tensor

Draw = Callable[..., Any]


class Step(NamedTuple):
    """One call: operands are earlier results by number, or constants."""

    word: str
    operands: tuple[Any, ...]
    attrs: dict[str, Any]


class Program(NamedTuple):
    shapes: list[tuple[int, ...]]  # of the inputs
    steps: list[Step]


def ints(*numbers: int) -> Any:
    return np.array(numbers, np.int64)


def elementwise(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    other = np.ones(
        [length if draw(st.booleans()) else 1 for length in shape][draw(st.integers(0, len(shape))) :], np.float32
    )
    word = draw(st.sampled_from(("Add", "Multiply", "Maximum", "Subtract")))
    return Step(f"shared/elementwise.{word}", (at, other) if draw(st.booleans()) else (other, at), {})


def unary(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    return Step(
        draw(
            st.sampled_from(
                ("shared/activation.Relu", "shared/activation.Sigmoid", "shared/unary.Abs", "shared/unary.Floor")
            )
        ),
        (at,),
        {},
    )


def transpose(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    return Step("moving/reshaping.Transpose", (at, ints(*draw(st.permutations(range(len(shape)))))), {})


def flatten(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    keep = draw(st.integers(0, len(shape) - 1))
    return Step("moving/reshaping.Reshape", (at, ints(*[0] * keep, -1)), {"special_zero": True})


def unsqueeze(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    return Step("moving/reshaping.Unsqueeze", (at, ints(draw(st.integers(-len(shape) - 1, len(shape))))), {})


def concat(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    return Step(
        "moving/joining.Concat",
        (at,) * draw(st.integers(1, 3)),
        {"axis": draw(st.integers(-len(shape), len(shape) - 1))},
    )


def reduce(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    axes = draw(st.lists(st.integers(0, len(shape) - 1), unique=True, max_size=len(shape)))
    word = draw(st.sampled_from(("ReduceSum", "ReduceMean", "ReduceMax", "ReduceL2")))
    keep = not axes or draw(st.booleans())  # without axes nothing but keep_dims is taken
    return Step(f"shared/reduction.{word}", (at, ints(*axes)), {"keep_dims": keep})


def softmax(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    return Step("shared/reduction.Softmax", (at,), {"axis": draw(st.integers(-len(shape), len(shape) - 1))})


def gather(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    axis = draw(st.integers(0, len(shape) - 1))
    places = draw(st.lists(st.integers(0, shape[axis] - 1), min_size=1, max_size=3))
    return Step("moving/gathering.Gather", (at, ints(*places), ints(axis)), {"batch_dims": 0})


def matmul(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    return Step("shared/matrix.MatMul", (at, at), {"transpose_b": True})


def tile(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    return Step(
        "moving/tiling.Tile", (at, ints(*draw(st.lists(st.integers(1, 2), min_size=1, max_size=len(shape))))), {}
    )


def convolution(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    kernel = [draw(st.integers(1, min(length, 3))) for length in shape[2:]]
    pads = [draw(st.integers(0, 1)) for _ in kernel]
    filters = np.ones((draw(st.integers(1, 3)), shape[1], *kernel), np.float32)
    attrs = {
        "strides": tuple(draw(st.integers(1, 2)) for _ in kernel),
        "pads_begin": tuple(pads),
        "pads_end": tuple(pads[::-1]),
    }
    return Step("openvino/convolution.Convolution", (at, filters), {**attrs, "dilations": (1,) * len(kernel)})


def pooling(draw: Draw, at: int, shape: tuple[int, ...]) -> Step:
    kernel = tuple(draw(st.integers(1, min(length, 3))) for length in shape[2:])
    strides = tuple(draw(st.integers(1, 2)) for _ in kernel)
    pads = tuple(0 for _ in kernel)
    rounding = draw(st.sampled_from(("floor", "ceil")))
    return Step(
        "shared/pooling.MaxPool",
        (at,),
        {"kernel": kernel, "strides": strides, "pads_begin": pads, "pads_end": pads, "rounding_type": rounding},
    )


ANY = (elementwise, unary, transpose, flatten, unsqueeze, concat, reduce, softmax, gather, tile)


@st.composite
def programs(draw: Draw) -> Program:
    shapes = [tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))) for _ in range(draw(st.integers(1, 2)))]
    values = [np.ones(shape, np.float32) for shape in shapes]
    steps: list[Step] = []
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(values) - 1))
        shape = values[at].shape
        if not shape or values[at].size > 4096 or values[at].dtype != np.float32:
            continue
        choices = [
            *ANY,
            *([matmul] if len(shape) > 1 else []),
            *([convolution, pooling] if len(shape) in (3, 4, 5) else []),
        ]
        step = draw(st.sampled_from(choices))(draw, at, shape)
        steps.append(step)
        values.append(concrete(step, values))
    # back to a shape that only the run knows: ShapeOf, a piece of it, and Reshape by that
    number = len(values)
    at = draw(st.integers(0, number - 1))
    steps += [
        Step("moving/reshaping.ShapeOf", (at,), {}),
        Step("moving/reshaping.Reshape", (at, ints(-1)), {"special_zero": False}),
    ]
    steps.append(Step("moving/reshaping.Reshape", (number + 1, number), {"special_zero": False}))
    return Program(shapes, steps)


def concrete(step: Step, values: list[Any]) -> Any:
    operands = [values[o] if isinstance(o, int) else o for o in step.operands]
    return np.asarray(operator(step.word).run(*operands, **step.attrs))


def types_of(program: Program, inputs: list[Tensor]) -> list[Tensor]:
    known = list(inputs)
    for step in program.steps:
        operands = [known[o] if isinstance(o, int) else abstract(o) for o in step.operands]
        known.append(apply(Call(operator(step.word), step.attrs), operands)[0])
    return known


def values_of(program: Program) -> list[Any]:
    values: list[Any] = [np.random.default_rng(0).standard_normal(shape, np.float32) for shape in program.shapes]
    for step in program.steps:
        values.append(concrete(step, values))
    return values


@settings(max_examples=150)
@given(programs())
def test_abstract_shapes_are_the_concrete_ones(program: Program) -> None:
    types = types_of(program, [Tensor("float32", shape) for shape in program.shapes])
    for kind, value in zip(types, values_of(program), strict=True):
        assert kind.shape == value.shape
        assert kind.dtype == value.dtype.name


@settings(max_examples=150)
@given(programs(), st.data())
def test_symbols_stand_for_what_they_are_given(program: Program, data: st.DataObject) -> None:
    meant: dict[str, int] = {}

    def veiled(length: int) -> Any:
        how = data.draw(st.sampled_from(("as it is", "symbol", "unknown", "range")))
        if how == "symbol":
            meant[f"n{len(meant)}"] = length
            return f"n{len(meant) - 1}"
        return {"as it is": length, "unknown": None, "range": (max(length - 1, 0), length + 2)}[how]

    types = types_of(program, [Tensor("float32", tuple(map(veiled, shape))) for shape in program.shapes])
    for kind, value in zip(types, values_of(program), strict=True):
        if kind.shape is None:
            continue
        assert len(kind.shape) == value.ndim
        for dim, length in zip(kind.shape, value.shape, strict=True):
            assert meant[dim] == length if isinstance(dim, str) else dims.can_be(dim, length)
