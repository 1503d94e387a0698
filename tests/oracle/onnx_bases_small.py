"""Networks of a few operators that a seed draws, in the ways that exporters write them: what optimizers fold, fuse and move is next to everything else. For the exporters' Python.

A network is a chain of steps. Each step is a function of this file that takes the last value and returns the next one, of the same shape.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from oracle.onnx_bases import Builder, draws

COUNT = 400
OPSETS = (13, 16, 17, 18, 20)
MOST = 12  # steps
WIDTH, CHANNELS, SIDE = 16, 8, 8
LENGTHS = {"b": 2, "s": 5, "n": 2}
BY_INPUT = 18  # the opset since which reductions have their axes as an input
HALF = [0, 0, 4, 4]  # a shape with heads
INT_MAX = 1 << 62


class Network:
    """A graph that grows."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.numbers = rng, np.random.default_rng(rng.randrange(1 << 30))
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: list[onnx.TensorProto] = []
        self.opset = rng.choice(OPSETS)
        self.values = ["x"]

    def op(self, kind: str, *inputs: Any, outputs: int = 1, **attributes: Any) -> Any:
        """Add a node; what is no name among its inputs becomes a constant. Return the names of its outputs."""
        names = [one if isinstance(one, str) else self._constant(one) for one in inputs]
        made = [f"{kind.lower()}_{len(self.nodes)}_{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(kind, names, made, name=f"/{kind}_{len(self.nodes)}", **attributes))
        return made[0] if outputs == 1 else made

    def _constant(self, value: Any) -> str:
        kind = np.int64 if isinstance(value, list) else np.float32
        self.tensors.append(numpy_helper.from_array(np.asarray(value, kind), f"c_{len(self.tensors)}"))
        return self.tensors[-1].name

    def weights(self, *shape: int) -> Any:
        return self.numbers.normal(size=shape) / np.sqrt(shape[0])

    def over(self, kind: str, value: str, *axes: int) -> str:
        """An operator whose axes are an attribute or an input."""
        if kind in ("Squeeze", "Unsqueeze") or self.opset >= BY_INPUT:
            return str(self.op(kind, value, [*axes]))
        return str(self.op(kind, value, axes=axes))

    def either(self, *of: Any) -> Any:
        return self.rng.choice(of)

    def before(self) -> str:
        return self.rng.choice(self.values)


Step = Callable[[Network, str], str]


def _pointwise(*kinds: str) -> Step:
    return lambda net, x: net.op(net.either(*kinds), x)


def _gelu(net: Network, x: str) -> str:
    erf = net.op("Add", net.op("Erf", net.op("Div", x, 2**0.5)), 1.0)
    return str(
        net.either(
            lambda: net.op("Mul", net.op("Mul", x, erf), 0.5), lambda: net.op("Mul", x, net.op("Mul", erf, 0.5))
        )()
    )


def _normalized(net: Network, x: str) -> str:
    gap = net.op("Sub", x, net.over("ReduceMean", x, -1))
    square = net.either(lambda: net.op("Pow", gap, 2.0), lambda: net.op("Mul", gap, gap))()
    found = net.op("Div", gap, net.op("Sqrt", net.op("Add", net.over("ReduceMean", square, -1), 1e-5)))
    return str(net.op("Add", net.op("Mul", found, 1 + net.weights(WIDTH)), net.weights(WIDTH)))


def _by_size(net: Network, x: str) -> str:
    size = net.op("Sqrt", net.op("Add", net.over("ReduceMean", net.op("Pow", x, 2.0), -1), 1e-6))
    return str(net.op("Mul", 1 + net.weights(WIDTH), net.op("Mul", x, net.op("Reciprocal", size))))


def _turned(net: Network, x: str) -> str:
    order = net.either([0, 2, 1], [2, 0, 1], [1, 0, 2])
    there = net.op("Transpose", x, perm=order)
    there = net.op("Relu", there) if net.either(True, False) else there
    return str(net.op("Transpose", there, perm=[order.index(k) for k in range(3)]))


def _attention(net: Network, x: str) -> str:
    parts = [net.op("Add", net.op("MatMul", x, net.weights(WIDTH, WIDTH)), 0.1 * net.weights(WIDTH)) for _ in range(3)]
    orders = ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
    q, k, v = (
        net.op("Transpose", net.op("Reshape", one, HALF), perm=order) for one, order in zip(parts, orders, strict=True)
    )
    scaled = net.op(*net.either(("Div", net.op("MatMul", q, k), 2.0), ("Mul", net.op("MatMul", q, k), 0.5)))
    found = net.op("Transpose", net.op("MatMul", net.op("Softmax", scaled, axis=-1), v), perm=[0, 2, 1, 3])
    return str(net.op("Reshape", found, [0, 0, WIDTH]))


def _cut(net: Network, x: str) -> str:
    low, high = (net.op("Slice", x, [k], [k + 8 if k == 0 else INT_MAX], [2]) for k in (0, 8))
    return str(net.op("Concat", net.op("Neg", high), low, axis=2))


def _split(net: Network, x: str) -> str:
    counted = {"num_outputs": 2} if net.opset >= BY_INPUT else {}
    one, other = net.op("Split", x, outputs=2, axis=2, **counted)
    return str(net.op("Concat", *net.either((one, other), (other, net.op("Tanh", one))), axis=-1))


def _through_rows(net: Network, x: str) -> str:
    rows = net.op("Reshape", x, [-1, WIDTH])
    made = net.op(
        "Gemm", rows, net.weights(WIDTH, WIDTH), net.weights(WIDTH), transB=net.either(0, 1), alpha=net.either(1.0, 0.5)
    )
    return str(net.op("Reshape", made, net.op("Shape", x)))


def _padded(net: Network, x: str) -> str:
    return str(net.op("Slice", net.op("Pad", x, [0, 0, 1, 0, 0, 1], 0.0), [1], [1 + WIDTH], [2]))


def _convolved(net: Network, x: str) -> str:
    size, groups = net.either(1, 3), net.either(1, 1, CHANNELS)
    held = [net.weights(CHANNELS, CHANNELS // groups, size, size), *net.either((), (net.weights(CHANNELS),))]
    if size > 1 and net.either(True, False, False):
        return str(net.op("Conv", net.op("Pad", x, [0, 0, 1, 1, 0, 0, 1, 1]), *held, group=groups))
    return str(net.op("Conv", x, *held, group=groups, pads=[size // 2] * 4))


def _batch(net: Network, x: str) -> str:
    held = (
        1 + net.weights(CHANNELS),
        net.weights(CHANNELS),
        net.weights(CHANNELS),
        np.abs(net.weights(CHANNELS)) + 0.5,
    )
    return str(net.op("BatchNormalization", x, *held))


def _squeezed(net: Network, x: str) -> str:
    mean = net.op("Conv", net.op("GlobalAveragePool", x), net.weights(CHANNELS, CHANNELS, 1, 1), net.weights(CHANNELS))
    return str(net.op("Mul", x, net.op("Sigmoid", mean)))


def _last(net: Network, x: str) -> str:
    made = net.op("MatMul", net.op("Transpose", x, perm=[0, 2, 3, 1]), net.weights(CHANNELS, CHANNELS))
    return str(net.op("Transpose", net.op("Add", made, net.weights(CHANNELS)), perm=[0, 3, 1, 2]))


def _shuffled(net: Network, x: str) -> str:
    there = net.op("Reshape", x, [0, 2, 4, SIDE, SIDE])
    return str(net.op("Reshape", net.op("Transpose", there, perm=[0, 2, 1, 3, 4]), [0, CHANNELS, SIDE, SIDE]))


def _resized(net: Network, x: str) -> str:
    small = net.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    asked = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    return str(net.op("Resize", small, "", np.array([1, 1, 2, 2]), **asked))


def _of_whole(net: Network, x: str) -> str:
    made = net.op(
        "Gemm",
        net.op("Flatten", net.op("GlobalAveragePool", x)),
        net.weights(CHANNELS, CHANNELS),
        net.weights(CHANNELS),
        transB=1,
    )
    return str(net.op("Add", x, net.over("Unsqueeze", net.over("Unsqueeze", made, 2), 3)))


ANY: list[Step] = [
    _pointwise("Relu", "Sigmoid", "Softplus", "Elu", "LeakyRelu", "HardSwish", "HardSigmoid", "Abs", "Neg", "Tanh", "Identity", "Dropout"),
    lambda net, x: net.op("Clip", x, net.either(-1.0, 0.0), net.either(1.0, 6.0, 0.5)),
    lambda net, x: net.op("Cast", net.op("Cast", x, to=net.either(TensorProto.DOUBLE, TensorProto.FLOAT, TensorProto.FLOAT16)), to=TensorProto.FLOAT),
    lambda net, x: net.op("Add", x, net.before()),
    lambda net, x: net.op("Where", net.op("Greater", x, net.either(0.0, 0.1)), x, net.either(0.0, -1.0)),
    lambda net, x: net.op("Pow", net.op("Abs", x), net.either(2.0, 1.0, 0.5, 3.0)),
    lambda net, x: net.op("Div", x, net.either(1.0, 2.0, 3.0)),
    lambda net, x: net.op("Mul", x, net.op("Sigmoid", x)),
    lambda net, x: net.op("Sub", 1.0, x),
]  # fmt: skip
ROWS: list[Step] = [
    _gelu, _normalized, _by_size, _turned, _attention, _cut, _split, _through_rows, _padded,
    lambda net, x: net.op("MatMul", x, net.weights(WIDTH, WIDTH)),
    lambda net, x: net.op("Add", x, net.weights(WIDTH)),
    lambda net, x: net.op("Softmax", x, axis=net.either(-1, 2, 1)),
    lambda net, x: net.over("Squeeze", net.op("Tanh", net.over("Unsqueeze", x, 1)), 1),
    lambda net, x: net.op("Mul", x, net.op("Add", net.op("Mul", net.weights(WIDTH), 2.0), 1.0)),
    lambda net, x: net.op("Gather", x, net.rng.sample(range(WIDTH), WIDTH), axis=2),
    lambda net, x: net.op("Add", x, net.op("Expand", net.weights(1, 1, WIDTH), net.op("Shape", x))),
    lambda net, x: net.op("Add", net.op("Mul", x, net.weights(WIDTH)), net.weights(WIDTH)),
    lambda net, x: net.op("MatMul", net.op("Concat", x, net.before(), axis=2), net.weights(2 * WIDTH, WIDTH)),
    lambda net, x: net.op("Einsum", x, net.weights(WIDTH, WIDTH), equation=net.either("bsd,de->bse", "bsd,ed->bse")),
]  # fmt: skip
IMAGES: list[Step] = [
    _convolved, _convolved, _convolved, _batch, _batch, _squeezed, _last, _shuffled, _resized, _of_whole,
    lambda net, x: net.op(net.either("MaxPool", "AveragePool"), x, kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    lambda net, x: net.op("Add", net.op("Mul", x, net.weights(CHANNELS, 1, 1)), net.weights(1, CHANNELS, 1, 1)),
]  # fmt: skip


def _builder(name: str) -> Builder:
    def write(path: Path) -> None:
        rng = draws(f"small/{name}")
        net, is_image = Network(rng), rng.random() < 0.35
        shape: Any = rng.choice(
            (["n", CHANNELS, SIDE, SIDE], [1, CHANNELS, SIDE, SIDE])
            if is_image
            else (["b", "s", WIDTH], [1, "s", WIDTH], [2, 5, WIDTH])
        )
        for _ in range(rng.randint(3, MOST)):
            net.values.append(rng.choice(rng.choice((ANY, IMAGES if is_image else ROWS)))(net, net.values[-1]))
        net.nodes[-1].output[0] = "y"
        ends = (
            helper.make_tensor_value_info(end, TensorProto.FLOAT, of)
            for end, of in (("x", shape), ("y", [None] * len(shape)))
        )
        graph = helper.make_graph(net.nodes, "g", [next(ends)], [next(ends)], net.tensors)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", net.opset)], ir_version=9)
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, path)

    return write


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    yield from ((f"{number:03}", _builder(str(number))) for number in range(COUNT))
