"""Builds IRs of many operations with the openvino wheel: python build.py FOLDER COUNT SEED. Prints each file that was saved.

Single operations (models.py) are joined by chains of random operations, some of them inside bodies, then saved by the wheel.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
from openvino import opset1, opset8, opset13, opset15

sys.path.insert(0, str(Path(__file__).parent))
from models import model, operations

CORE = ov.Core()
Output = Any
FLOAT = ov.Type.f32
UNARY = ["abs", "acos", "asin", "asinh", "atan", "atanh", "ceiling", "cos", "cosh", "elu", "erf", "exp", "floor", "gelu", "hsigmoid", "hswish", "log", "mish", "negative", "relu", "round", "sigmoid", "sign", "sin", "sinh", "softplus", "softsign", "sqrt", "tan", "tanh", "swish", "selu", "hard_sigmoid", "clamp", "softmax", "log_softmax", "is_finite", "is_nan"]  # fmt: skip
BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "power",
    "maximum",
    "minimum",
    "mod",
    "floor_mod",
    "squared_difference",
    "less",
    "greater",
    "equal",
    "not_equal",
]
REDUCE = ["reduce_mean", "reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "reduce_l1", "reduce_l2"]


def opset(rng: random.Random, name: str) -> Any:
    """One of the opsets that have a function."""
    from importlib import import_module

    modules = [import_module(f"openvino.opset{k}") for k in range(1, 17)]
    return rng.choice([m for m in modules if hasattr(m, name)])


def numbers(rng: random.Random, *shape: int) -> Output:
    values = np.random.default_rng(rng.randrange(1 << 30)).random(shape, dtype=np.float32)
    return opset1.constant(values.astype(np.float16) if rng.random() < 0.1 else values)


def floats(x: Output) -> Output:
    return x if x.get_element_type() == FLOAT else opset1.convert(x, "f32").output(0)


def ints(*values: int, kind: Any = np.int64) -> Output:
    return opset1.constant(np.array(values, kind))


def dims(x: Output) -> list[int]:
    return [int(d) for d in x.get_shape()]


def unary(x: Output, rng: random.Random) -> Output:
    name = rng.choice(UNARY)
    ops, rank = opset(rng, name), len(dims(x))
    call = getattr(ops, name)
    if name == "elu":
        return call(x, rng.choice((0.1, 1.0)))
    if name == "clamp":
        return call(x, -1.5, rng.choice((1.0, 6.0)))
    if name in ("softmax", "log_softmax"):
        return call(x, rng.randrange(rank))
    if name in ("selu", "hard_sigmoid"):
        return call(x, np.float32(0.2), np.float32(0.5))
    if (
        name == "gelu"
        and "approximation_mode" in call.__code__.co_varnames + getattr(call, "__wrapped__", call).__code__.co_varnames
    ):
        return call(x, rng.choice(("tanh", "erf")))
    return call(x)


def binary(x: Output, rng: random.Random) -> Output:
    name, shape = rng.choice(BINARY), dims(x)
    other = [d if rng.random() < 0.5 else 1 for d in shape][rng.randrange(len(shape) + 1) :] if shape else []
    pair = [x, floats(numbers(rng, *other).output(0))]
    rng.shuffle(pair)
    return getattr(opset(rng, name), name)(*pair)


def reduce(x: Output, rng: random.Random) -> Output:
    name, rank = rng.choice(REDUCE), len(dims(x))
    axes = rng.sample(range(-rank, 0) if rng.random() < 0.5 else range(rank), rng.randint(1, rank))
    return getattr(opset(rng, name), name)(x, ints(*axes), rng.random() < 0.7)


def reshape(x: Output, rng: random.Random) -> Output:
    size, shape = prod(dims(x)), []
    for _ in range(rng.randint(0, 3)):
        d = rng.choice([k for k in (1, 2, 3, 4, 6, 8) if size % k == 0])
        shape.append(d)
        size //= d
    pattern = [*shape, size]
    if rng.random() < 0.5:
        pattern[rng.randrange(len(pattern))] = -1
    return opset(rng, "reshape").reshape(
        x, ints(*pattern, kind=rng.choice((np.int64, np.int32))), rng.random() < 0.5 and 0 not in pattern
    )


def transpose(x: Output, rng: random.Random) -> Output:
    order = list(range(len(dims(x))))
    rng.shuffle(order)
    return opset(rng, "transpose").transpose(x, ints(*order))


def shuffle_rank(x: Output, rng: random.Random) -> Output:
    shape, rank = dims(x), len(dims(x))
    single = [k for k, d in enumerate(shape) if d == 1]
    if single and rng.random() < 0.5:
        return opset(rng, "squeeze").squeeze(x, ints(rng.choice(single)))
    return opset(rng, "unsqueeze").unsqueeze(x, ints(rng.randrange(-rank - 1, rank + 1)))


def cut(x: Output, rng: random.Random) -> Output:
    shape = dims(x)
    axis = rng.randrange(len(shape))
    size = shape[axis]
    how = rng.randrange(6)
    if how == 0 and size % 2 == 0:
        return (
            opset(rng, "split")
            .split(x, ints(axis).output(0) and opset1.constant(np.int64(axis)), 2)
            .output(rng.randrange(2))
        )
    if how == 1 and size > 1:
        return (
            opset(rng, "variadic_split")
            .variadic_split(x, opset1.constant(np.int64(axis)), ints(1, rng.choice((-1, size - 1))))
            .output(1)
        )
    if how == 2:
        return opset8.slice(x, ints(0), ints(max(1, size - 1)), ints(1), ints(axis))
    if how == 3:
        return opset(rng, "gather").gather(
            x, ints(*[rng.randrange(size) for _ in range(rng.randint(1, 3))]), opset1.constant(np.int64(axis))
        )
    if how == 4:
        zeros = [0] * len(shape)
        mask = [rng.randrange(2) for _ in shape]
        shrink = [int(k == axis and rng.random() < 0.5) for k in range(len(shape))]
        return opset1.strided_slice(
            x, ints(*zeros), ints(*shape), ints(*[1] * len(shape)), mask, mask, zeros, shrink, zeros
        )
    indices = rng.sample(range(size), min(2, size))
    return opset8.gather(x, opset1.constant(np.array([indices], np.int32)), opset1.constant(np.int32(axis)), 0)


def grow(x: Output, rng: random.Random) -> Output:
    shape = dims(x)
    how, axis = rng.randrange(6), rng.randrange(len(shape))
    if how == 0:
        return opset1.tile(x, ints(*[rng.randint(1, 2) for _ in shape]))
    if how == 1:
        pads = [rng.randint(0, 1) for _ in shape]
        mode = rng.choice(("constant", "edge", "constant"))
        return opset(rng, "pad").pad(
            x,
            ints(*pads),
            ints(*reversed(pads)),
            mode,
            opset1.constant(np.float32(0.5)) if mode == "constant" else None,
        )
    if how == 2:
        return opset(rng, "concat").concat(
            [x, rng.choice((x, floats(numbers(rng, *shape).output(0))))], rng.choice((axis, axis - len(shape)))
        )
    if how == 3:
        return opset(rng, "broadcast").broadcast(x, ints(2, *shape))
    if how == 4:
        return opset(rng, "select").select(opset1.greater(x, np.float32(0.3)), x, opset1.constant(np.float32(0)))
    return opset(rng, "cum_sum").cum_sum(x, opset1.constant(np.int64(axis)), rng.random() < 0.5, rng.random() < 0.5)


def matmul(x: Output, rng: random.Random) -> Output:
    inner, outer, turned = dims(x)[-1], rng.randint(1, 5), rng.random() < 0.5
    weights = floats(numbers(rng, *((outer, inner) if turned else (inner, outer))).output(0))
    return opset(rng, "matmul").matmul(x, weights, False, turned)


def spatial(x: Output, rng: random.Random) -> Output:
    """Makes an image of it and works on that."""
    size = prod(dims(x))
    side = next(k for k in (4, 3, 2, 1) if size % (k * k) == 0)
    image = opset1.reshape(x, ints(1, -1, side, side), False)
    channels = size // (side * side)
    how = rng.randrange(8)
    if how == 0:
        filters = floats(numbers(rng, rng.randint(1, 4), channels, 1, 1).output(0))
        return opset(rng, "convolution").convolution(
            image,
            filters,
            [1, 1],
            [rng.randint(0, 1), 0],
            [0, 0],
            [1, 1],
            rng.choice(("explicit", "valid", "same_upper")),
        )
    if how == 1:
        filters = floats(numbers(rng, channels, 1, 1, 1, 1).output(0))
        return opset(rng, "group_convolution").group_convolution(image, filters, [1, 1], [0, 0], [0, 0], [1, 1])
    if how == 2:
        return opset(rng, "avg_pool").avg_pool(image, [1, 1], [0, 0], [0, 0], [1, 1], rng.random() < 0.5, "floor")
    if how == 3:
        return opset8.max_pool(
            image, [1, 1], [1, 1], [0, 0], [0, 0], [min(2, side)] * 2, rng.choice(("floor", "ceil"))
        ).output(0)
    if how == 4:
        return opset13.interpolate(
            image,
            ints(side * 2, side),
            rng.choice(("nearest", "linear", "linear_onnx", "cubic")),
            "sizes",
            axes=ints(2, 3),
        )
    if how == 5:
        return opset13.mvn(image, ints(2, 3), True, 1e-5, rng.choice(("inside_sqrt", "outside_sqrt")))
    if how == 6:
        return opset1.convolution_backprop_data(
            image,
            floats(numbers(rng, channels, 2, 2, 2).output(0)),
            [2, 2],
            auto_pad="explicit",
            pads_begin=[0, 0],
            pads_end=[0, 0],
            dilations=[1, 1],
            output_padding=[0, 0],
        )
    return opset13.group_normalization(
        image, floats(numbers(rng, channels).output(0)), floats(numbers(rng, channels).output(0)), 1, 1e-5
    )


def top(x: Output, rng: random.Random) -> Output:
    axis = rng.randrange(len(dims(x)))
    k = opset1.constant(np.int64(rng.randint(1, dims(x)[axis])))
    kinds = {"index_element_type": rng.choice(("i32", "i64"))}
    return opset13.topk(x, k, axis, rng.choice(("max", "min")), rng.choice(("value", "index", "none")), **kinds).output(
        rng.randrange(2)
    )


def shape_of(x: Output, rng: random.Random) -> Output:
    shape = opset(rng, "shape_of").shape_of(x)
    return opset1.reshape(x, opset1.concat([shape, ints(1)], 0), False)


def quantize(x: Output, rng: random.Random) -> Output:
    low, high = np.float32(0), np.float32(1)
    return opset(rng, "fake_quantize").fake_quantize(x, low, high, low, high, rng.choice((2, 16, 256)))


def branch(x: Output, rng: random.Random) -> Output:
    node = opset8.if_op(
        opset1.constant(np.array(rng.random() < 0.5))
        if rng.random() < 0.5
        else opset1.greater(opset1.reduce_max(x, ints(*range(len(dims(x)))), False), np.float32(0.1))
    )
    inside = []
    for _ in range(2):
        parameter = opset1.parameter(dims(x), np.float32)
        inside.append(
            ov.Model([opset1.result(floats(unary(parameter.output(0), rng).output(0)))], [parameter], "branch")
        )
    node.set_then_body(inside[0])
    node.set_else_body(inside[1])
    node.set_input(x, inside[0].get_parameters()[0], inside[1].get_parameters()[0])
    return node.set_output(inside[0].get_results()[0], inside[1].get_results()[0])


def loop(x: Output, rng: random.Random) -> Output:
    state, turn = opset1.parameter(dims(x), np.float32), opset1.parameter([], np.int64)
    go = opset1.constant(np.array(True))
    body = ov.Model(
        [opset1.result(go), opset1.result(opset1.add(state, opset1.convert(turn, "f32")))], [state, turn], "body"
    )
    node = opset8.loop(opset1.constant(np.int64(rng.randint(1, 3))), opset1.constant(np.array(True)))
    node.set_function(body)
    node.set_special_body_ports([1, 0])
    node.set_merged_input(state, x, body.get_results()[1].output(0))
    if dims(x)[0] == 1 and rng.random() < 0.5:
        return node.get_concatenated_slices(body.get_results()[1].output(0), 0, 1, 1, -1, 0)
    return node.get_iter_value(body.get_results()[1].output(0), -1)


def iterate(x: Output, rng: random.Random) -> Output:
    shape = dims(x)
    part = opset1.parameter([1, *shape[1:]], np.float32)
    body = ov.Model([opset1.result(floats(unary(part.output(0), rng).output(0)))], [part], "body")
    node = opset8.tensor_iterator()
    node.set_body(body)
    node.set_sliced_input(part, x, 0, 1, 1, -1, 0)
    return node.get_concatenated_slices(body.get_results()[0].output(0), 0, 1, 1, -1, 0)


def recurrent(x: Output, rng: random.Random) -> Output:
    size, hidden = prod(dims(x)), rng.randint(1, 3)
    data = opset1.reshape(x, ints(1, 1, -1), False)
    h, lengths = floats(numbers(rng, 1, 1, hidden).output(0)), ints(1, kind=np.int32)

    def weights(gates: int, extra: int = 0) -> list[Output]:
        rows = gates * hidden
        return [
            floats(numbers(rng, *s).output(0)) for s in ((1, rows, size), (1, rows, hidden), (1, rows + extra * hidden))
        ]

    way = rng.choice(("forward", "reverse"))
    how = rng.randrange(3)
    if how == 0:
        return opset8.gru_sequence(data, h, lengths, *weights(3), hidden, way).output(rng.randrange(2))
    if how == 1:
        return opset8.rnn_sequence(data, h, lengths, *weights(1), hidden, way).output(rng.randrange(2))
    return opset8.lstm_sequence(data, h, h, lengths, *weights(4), hidden, way).output(rng.randrange(3))


def scatter(x: Output, rng: random.Random) -> Output:
    shape = dims(x)
    how, axis = rng.randrange(4), rng.randrange(len(shape))
    if how == 0:
        return opset8.scatter_nd_update(
            x, opset1.constant(np.zeros((1, len(shape)), np.int64)), opset1.constant(np.ones(1, np.float32))
        )
    if how == 1:
        return opset13.scatter_elements_update(
            x,
            opset1.constant(np.zeros([1] * len(shape), np.int64)),
            opset1.constant(np.ones([1] * len(shape), np.float32)),
            opset1.constant(np.int64(axis)),
            "sum",
        )
    if how == 2:
        return opset8.roll(x, ints(1), ints(axis))
    return opset15.squeeze(opset1.unsqueeze(x, ints(0)), ints(0))


STEPS: list[Callable[[Output, random.Random], Output]] = [
    unary, unary, unary, binary, binary, binary, reduce, reshape, transpose, shuffle_rank, cut, cut, grow, grow, matmul, spatial, spatial, top,
    shape_of, quantize, branch, loop, iterate, recurrent, scatter,
]  # fmt: skip


def chain(x: Output, rng: random.Random, length: int) -> Output:
    for _ in range(length):
        try:
            y = rng.choice(STEPS)(x, rng)
            y = floats(y.output(0) if hasattr(y, "output") else y)
            if y.get_partial_shape().is_static and 0 < prod(dims(y)) <= 4096 and 0 < len(dims(y)) <= 5:
                x = y
        except (RuntimeError, ValueError, TypeError, StopIteration, IndexError, AttributeError):
            continue
    return x


def adapted(x: Output, shape: list[int], rng: random.Random) -> Output:
    """Any tensor made into one of another shape."""
    flat, wanted = opset1.reshape(x, ints(-1), False), prod(shape)
    have = prod(dims(x))
    if have < wanted:
        flat = opset1.tile(flat, ints(-(-wanted // have)))
    if have != wanted:
        flat = opset8.slice(flat, ints(0), ints(wanted), ints(1), ints(0))
    return opset(rng, "reshape").reshape(flat, ints(*shape), False).output(0)


def island(folder: Path, key: str) -> Any:
    one = model(key)
    path = folder / "one" / f"{key}.xml"
    if not path.exists():  # a file that was read stays mapped
        path.write_text(one.text)
        path.with_name(f"{key}.bin").write_bytes(one.weights)
    return CORE.read_model(path)


def build(folder: Path, rng: random.Random, keys: list[str]) -> Any:
    """A model with these operations in it."""
    image = opset1.parameter([1, 3, 4, 4], np.float32, name="image")
    current = image.output(0)
    parameters, results, sinks = [image], [], []
    for number, key in enumerate(keys):
        current = chain(current, rng, rng.randint(1, 4))
        part = island(folder, key)
        for node in part.get_ops():
            node.set_friendly_name(f"{number}/{node.get_friendly_name()}")
        free = [
            p
            for p in part.get_parameters()
            if p.get_element_type() == FLOAT
            and p.get_output_partial_shape(0).is_static
            and prod(dims(p.output(0))) > 0
            and dims(p.output(0))
        ]
        joined = rng.choice(free) if free and rng.random() < 0.8 else None
        if joined is not None:
            source = adapted(current, dims(joined.output(0)), rng)
            for target in joined.output(0).get_target_inputs():
                target.replace_source_output(source)
        parameters += [p for p in part.get_parameters() if p is not joined]
        sinks += part.get_sinks()
        ends = part.get_results()
        usable = [
            r
            for r in ends
            if r.get_element_type() == FLOAT
            and r.get_output_partial_shape(0).is_static
            and prod(dims(r.output(0)))
            and dims(r.output(0))
        ]
        if usable:
            current = rng.choice(usable).input_value(0)
        results += [r for r in ends if not usable or rng.random() < 0.5]
    results.append(opset1.result(chain(current, rng, 3)))
    return ov.Model(results, sinks, parameters, "many")


def save(built: Any, path: Path, rng: random.Random) -> None:
    how = rng.randrange(4)
    if how == 0:
        ov.save_model(built, path, compress_to_fp16=True)
    elif how == 1:
        ov.save_model(built, path, compress_to_fp16=False)
    else:
        ov.serialize(built, str(path), str(path.with_suffix(".bin")), "IR_V10" if how == 2 else "IR_V11")


def main() -> None:
    folder, count, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    (folder / "one").mkdir(parents=True, exist_ok=True)
    keys = [
        key
        for key in operations()
        if key.split(".")[1] not in ("Parameter", "Const", "Constant", "Result", "Assign", "ReadValue")
    ]
    for k in range(count):
        rng = random.Random(seed * 1000 + k)
        path = folder / f"many{seed}_{k}.xml"
        chosen = [keys[(5 * k + j * 37 + seed) % len(keys)] for j in range(rng.randint(2, 5))]
        for attempt in range(3):
            try:
                save(build(folder, rng, chosen[: len(chosen) - attempt] or chosen[:1]), path, rng)
            except RuntimeError as error:
                print(f"{path.name}: {str(error)[-200:]}", file=sys.stderr)
                continue
            print(path, flush=True)
            break


if __name__ == "__main__":
    main()
