"""Graphs that must stay right: an operator of NNVM each, with what its documentation says that it computes.

The references are written here in NumPy, from the descriptions of NNVM's operators, so that they share nothing with irlint's
kernels. Those that MXNet has under the same name were compared with MXNet 1.9.1 once.
"""

from __future__ import annotations

import itertools
import random
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

Array = Any
Graph = dict[str, Any]


class Case(NamedTuple):
    """`inputs` are shapes or arrays; `reference` computes the outputs, or is None where no kernel is promised."""

    op: str
    attrs: dict[str, str]
    inputs: tuple[Any, ...]
    reference: Callable[..., Any] | None
    hidden: int = 0  # outputs that other nodes cannot use

    @property
    def arrays(self) -> list[Array]:
        rng = np.random.RandomState(zlib.crc32(self.op.encode()) & 0x7FFFFFFF)
        found = [rng.uniform(0.3, 1.9, shape) if isinstance(shape, tuple) else shape for shape in self.inputs]
        return [
            a if isinstance(s, np.ndarray) else a.astype("float32") for s, a in zip(self.inputs, found, strict=True)
        ]

    @property
    def expected(self) -> list[Array]:
        assert self.reference is not None
        found = self.reference(*self.arrays)
        return list(found) if isinstance(found, tuple) else [found]


def signed(*shape: int) -> Array:
    return np.random.RandomState(7).uniform(-2, 2, shape).astype("float32")


def whole(*values: Any) -> Array:
    return np.array(values, "float32")


def integers(*values: Any) -> Array:
    return np.array(values, "int32")


def softmax(x: Array, axis: int) -> Array:
    found = np.exp(x - x.max(axis, keepdims=True))
    return found / found.sum(axis, keepdims=True)


def windows(x: Array, size: tuple[int, int], stride: tuple[int, int]) -> Iterator[tuple[int, int, Array]]:
    for i, j in itertools.product(
        range((x.shape[2] - size[0]) // stride[0] + 1), range((x.shape[3] - size[1]) // stride[1] + 1)
    ):
        top, left = i * stride[0], j * stride[1]
        yield i, j, x[:, :, top : top + size[0], left : left + size[1]]


def pooled(x: Array, size: int, stride: int, how: Callable[..., Array], pad: int = 0, value: float = 0.0) -> Array:
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=value)
    found = {(i, j): how(part, axis=(2, 3)) for i, j, part in windows(x, (size, size), (stride, stride))}
    high, wide = (1 + max(k) for k in zip(*found, strict=True))
    return np.stack([np.stack([found[i, j] for j in range(wide)], -1) for i in range(high)], -2)


def conv(
    x: Array, weight: Array, bias: Any = 0, stride: int = 1, pad: int = 0, groups: int = 1, dilation: int = 1
) -> Array:
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    spread = np.zeros((*weight.shape[:2], *[(n - 1) * dilation + 1 for n in weight.shape[2:]]))
    spread[:, :, ::dilation, ::dilation] = weight
    each, size = x.shape[1] // groups, weight.shape[0] // groups
    parts = []
    for g in range(groups):
        kernel = spread[g * size : (g + 1) * size]
        of = {
            (i, j): np.einsum("nchw,ochw->no", part, kernel)
            for i, j, part in windows(x[:, g * each : (g + 1) * each], spread.shape[2:], (stride, stride))
        }
        high, wide = (1 + max(k) for k in zip(*of, strict=True))
        parts.append(np.stack([np.stack([of[i, j] for j in range(wide)], -1) for i in range(high)], -2))
    return np.concatenate(parts, 1) + np.reshape(bias, (1, -1, 1, 1))


def transposed(x: Array, weight: Array, stride: int, pad: int, more: int = 0) -> Array:
    """The gradient of a convolution: every element spreads its kernel over the output, to which NNVM adds `more` zeros."""
    high, wide = ((n - 1) * stride + k for n, k in zip(x.shape[2:], weight.shape[2:], strict=True))
    out = np.zeros((x.shape[0], weight.shape[1], high, wide))
    for i, j in itertools.product(range(x.shape[2]), range(x.shape[3])):
        part = np.einsum("nc,cohw->nohw", x[:, :, i, j], weight)
        out[:, :, i * stride : i * stride + weight.shape[2], j * stride : j * stride + weight.shape[3]] += part
    return np.pad(out[:, :, pad : high - pad, pad : wide - pad], ((0, 0), (0, 0), (0, more), (0, more)))


def normalized(x: Array, gamma: Array, beta: Array, mean: Array, var: Array, epsilon: float = 1e-5) -> Array:
    gamma, beta, mean, var = (np.reshape(v, (1, -1, 1, 1)) for v in (gamma, beta, mean, var))
    return gamma * (x - mean) / np.sqrt(var + epsilon) + beta


def local_response(x: Array, size: int, alpha: float, beta: float, bias: float) -> Array:
    squares = np.pad(x**2, ((0, 0), (size // 2, size // 2), (0, 0), (0, 0)))
    total = sum(squares[:, k : k + x.shape[1]] for k in range(size))
    return x / (bias + alpha / size * total) ** beta


UNARY: dict[str, Callable[[Array], Array]] = {
    "abs": np.abs,
    "block_grad": lambda x: x,
    "ceil": np.ceil,
    "copy": lambda x: x,
    "exp": np.exp,
    "flatten": lambda x: x.reshape(len(x), -1),
    "floor": np.floor,
    "leaky_relu": lambda x: np.where(x > 0, x, 0.25 * x),
    "negative": np.negative,
    "ones_like": np.ones_like,
    "relu": lambda x: np.maximum(x, 0),
    "round": np.round,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softmax": lambda x: softmax(x, -1),
    "log_softmax": lambda x: np.log(softmax(x, -1)),
    "tanh": np.tanh,
    "trunc": np.trunc,
    "zeros_like": np.zeros_like,
}
SCALARS: dict[str, Callable[[Array], Array]] = {
    "__add_scalar__": lambda x: x + 2,
    "__div_scalar__": lambda x: x / 2,
    "__mul_scalar__": lambda x: x * 2,
    "__pow_scalar__": lambda x: x**2,
    "__rdiv_scalar__": lambda x: 2 / x,
    "__rpow_scalar__": lambda x: 2**x,
    "__rsub_scalar__": lambda x: 2 - x,
    "__sub_scalar__": lambda x: x - 2,
}
BROADCAST: dict[str, Callable[[Array, Array], Array]] = {
    "broadcast_add": np.add,
    "broadcast_div": np.divide,
    "broadcast_equal": np.equal,
    "broadcast_greater": np.greater,
    "broadcast_greater_equal": np.greater_equal,
    "broadcast_less": np.less,
    "broadcast_less_equal": np.less_equal,
    "broadcast_max": np.maximum,
    "broadcast_min": np.minimum,
    "broadcast_mod": np.fmod,
    "broadcast_mul": np.multiply,
    "broadcast_not_equal": np.not_equal,
    "broadcast_pow": np.power,
    "broadcast_sub": np.subtract,
}
ELEMENTWISE: dict[str, Callable[[Array, Array], Array]] = {
    "elemwise_add": np.add,
    "elemwise_div": np.divide,
    "elemwise_mod": np.fmod,
    "elemwise_mul": np.multiply,
    "elemwise_pow": np.power,
    "elemwise_sub": np.subtract,
    "greater": np.greater,
    "less": np.less,
}
REDUCTIONS: dict[str, Callable[..., Array]] = {
    "max": np.max,
    "mean": np.mean,
    "min": np.min,
    "prod": np.prod,
    "sum": np.sum,
}
IMAGE = (1, 2, 5, 5)


def cases() -> Iterator[Case]:
    for op, f in UNARY.items():
        yield Case(op, {}, (signed(2, 3, 4),), f)
    for op, f in (("sqrt", np.sqrt), ("log", np.log)):
        yield Case(op, {}, ((2, 3),), f)
    yield Case("logical_not", {}, (whole([0, 1], [1, 0]),), np.logical_not)
    for op, f in (("logical_and", np.logical_and), ("logical_or", np.logical_or)):
        yield Case(op, {}, (whole(0, 1, 1), whole(1, 1, 0)), f)
    for op, f in SCALARS.items():
        yield Case(op, {"scalar": "2"}, ((2, 3),), f)
    yield Case("__lshift_scalar__", {"scalar": "2"}, (integers(1, 5, 7),), lambda x: x << 2)
    yield Case("__rshift_scalar__", {"scalar": "1"}, (integers(1, 5, 7),), lambda x: x >> 1)
    for op, f in BROADCAST.items():
        yield Case(op, {}, ((2, 1, 3), (4, 1)), f)
    yield Case("broadcast_left_shift", {}, (integers(1, 5, 7), integers(2)), np.left_shift)
    yield Case("broadcast_right_shift", {}, (integers(1, 5, 7), integers(1)), np.right_shift)
    for op, f in ELEMENTWISE.items():
        yield Case(op, {}, ((2, 3), (2, 3)), f)
    for op, f in REDUCTIONS.items():
        yield Case(op, {}, ((2, 3, 4),), lambda x, f=f: np.reshape(f(x), (1,)))
        yield Case(op, {"axis": "(1,)"}, ((2, 3, 4),), lambda x, f=f: f(x, axis=1))
        yield Case(
            op, {"axis": "(0, 2)", "keepdims": "True"}, ((2, 3, 4),), lambda x, f=f: f(x, axis=(0, 2), keepdims=True)
        )
        yield Case(op, {"axis": "1", "exclude": "True"}, ((2, 3, 4),), lambda x, f=f: f(x, axis=(0, 2)))
        yield Case(op, {"axis": "-1"}, ((2, 3, 4),), lambda x, f=f: f(x, axis=-1))
    for op, f in (("argmax", np.argmax), ("argmin", np.argmin)):
        yield Case(op, {"axis": "1"}, ((2, 5),), lambda x, f=f: f(x, 1))
        yield Case(op, {"axis": "(1,)", "keepdims": "1"}, ((2, 5),), lambda x, f=f: f(x, 1)[:, None])
    yield from shapes()
    yield from images()
    yield from others()


def shapes() -> Iterator[Case]:
    yield Case("reshape", {"shape": "(3, 8)"}, ((2, 3, 4),), lambda x: x.reshape(3, 8))
    yield Case("reshape", {"shape": "(0, -1)"}, ((2, 3, 4),), lambda x: x.reshape(2, 12))
    yield Case("reshape", {"shape": "[-3, 4]"}, ((2, 3, 4),), lambda x: x.reshape(6, 4))
    yield Case("reshape", {"shape": "(-4, 1, 2, -2)"}, ((2, 3, 4),), lambda x: x.reshape(1, 2, 3, 4))
    yield Case("reshape_like", {}, ((2, 6), (3, 4)), lambda x, y: x.reshape(3, 4))
    yield Case("transpose", {}, ((2, 3, 4),), np.transpose)
    yield Case("transpose", {"axes": "(0, 2, 1)"}, ((2, 3, 4),), lambda x: x.transpose(0, 2, 1))
    yield Case("expand_dims", {"axis": "1"}, ((2, 3),), lambda x: x[:, None])
    yield Case("expand_dims", {"axis": "1", "num_newaxis": "2"}, ((2, 3),), lambda x: x[:, None, None])
    yield Case("expand_dims", {"axis": "-1"}, ((2, 3),), lambda x: x[..., None])
    yield Case("squeeze", {}, ((1, 3, 1),), np.squeeze)
    yield Case("squeeze", {"axis": "(0,)"}, ((1, 3, 1),), lambda x: x[0])
    yield Case("broadcast_to", {"shape": "(2, 3)"}, ((1, 3),), lambda x: np.broadcast_to(x, (2, 3)))
    yield Case(
        "expand_like", {"axis": "(1,)"}, ((2, 3), (2, 4, 3)), lambda x, y: np.broadcast_to(x[:, None], (2, 4, 3))
    )
    yield Case("collapse_sum", {}, ((2, 3, 4), (3, 1)), lambda x, y: x.sum((0, 2))[:, None])
    yield Case("flip", {"axis": "1"}, ((2, 3),), lambda x: x[:, ::-1])
    yield Case("flip", {}, ((2, 3),), lambda x: x[::-1])
    yield Case("concatenate", {"axis": "1"}, ((2, 3), (2, 1), (2, 2)), lambda *xs: np.concatenate(xs, 1))
    yield Case("concatenate", {"axis": "0"}, ((1, 3), (2, 3)), lambda *xs: np.concatenate(xs, 0))
    yield Case("split", {"indices_or_sections": "2"}, ((2, 4),), lambda x: (x[:, :2], x[:, 2:]))
    yield Case(
        "split", {"indices_or_sections": "(1,)"}, ((2, 4),), lambda x: (x[:, :1], x[:, 1:])
    )  # where, not how many
    yield Case("split", {"indices_or_sections": "[3]"}, ((2, 4),), lambda x: (x[:, :3], x[:, 3:]))
    yield Case("split", {"indices_or_sections": "1"}, ((2, 4),), lambda x: x)
    sections = {"indices_or_sections": "(1, 3)", "axis": "0"}
    yield Case("split", sections, ((5, 2),), lambda x: (x[:1], x[1:3], x[3:]))
    yield Case("strided_slice", {"begin": "(0, 1)", "end": "(2, 3)"}, ((3, 4),), lambda x: x[:2, 1:3])
    strided = {"begin": "(1, 0)", "end": "(4, 4)", "stride": "(2, 3)"}
    yield Case("strided_slice", strided, ((5, 4),), lambda x: x[1:4:2, 0:4:3])
    yield Case("slice_like", {}, ((4, 5), (2, 3)), lambda x, y: x[:2, :3])
    yield Case("slice_like", {"axis": "(1,)"}, ((4, 5), (2, 3)), lambda x, y: x[:, :3])
    yield Case(
        "pad",
        {"pad_width": "((0, 1), (2, 0))", "pad_value": "1"},
        ((2, 3),),
        lambda x: np.pad(x, ((0, 1), (2, 0)), constant_values=1),
    )
    yield Case("take", {}, ((4, 3), integers(5, 0)), lambda x, i: x.reshape(-1)[i])
    yield Case("take", {"axis": "0"}, ((4, 3), integers([3, 0])), lambda x, i: x[i])
    yield Case("gather_nd", {}, ((4, 3), integers([3, 0], [1, 2])), lambda x, i: x[i[0], i[1]])
    yield Case("where", {}, (whole([1, 0, 1]), (1, 3), (1, 3)), lambda c, x, y: np.where(c != 0, x, y))
    layouts = {"src_layout": "NCHW", "dst_layout": "NHWC"}
    yield Case("__layout_transform__", layouts, (IMAGE,), lambda x: x.transpose(0, 2, 3, 1))


def images() -> Iterator[Case]:
    three, one = {"channels": "4", "kernel_size": "(3, 3)"}, {"channels": "4", "kernel_size": "(1, 1)"}
    yield Case("conv2d", three, (IMAGE, (4, 2, 3, 3), (4,)), conv)
    yield Case("conv2d", {**one, "use_bias": "False"}, (IMAGE, (4, 2, 1, 1)), conv)
    strided = {**three, "strides": "(2, 2)", "padding": "(1, 1)"}
    yield Case("conv2d", strided, (IMAGE, (4, 2, 3, 3), (4,)), lambda x, w, b: conv(x, w, b, 2, 1))
    grouped = {**three, "groups": "2", "padding": "[1, 1]", "use_bias": "0"}
    yield Case("conv2d", grouped, (IMAGE, (4, 1, 3, 3)), lambda x, w: conv(x, w, 0, 1, 1, 2))
    dilated = {**three, "dilation": "(2, 2)", "use_bias": "False"}
    yield Case("conv2d", dilated, (IMAGE, (4, 2, 3, 3)), lambda x, w: conv(x, w, dilation=2))
    up = {"channels": "3", "kernel_size": "(3, 3)", "use_bias": "False"}
    yield Case("conv2d_transpose", up, ((1, 2, 3, 3), (2, 3, 3, 3)), lambda x, w: transposed(x, w, 1, 0))
    wide = {**up, "strides": "(2, 2)", "padding": "(1, 1)", "output_padding": "(1, 1)"}
    yield Case("conv2d_transpose", wide, ((1, 2, 3, 3), (2, 3, 3, 3)), lambda x, w: transposed(x, w, 2, 1, 1))
    pool = {"pool_size": "(2, 2)", "strides": "(2, 2)"}
    yield Case("max_pool2d", pool, ((1, 2, 4, 4),), lambda x: pooled(x, 2, 2, np.max))
    padded = {"pool_size": "(3, 3)", "padding": "(1, 1)"}
    yield Case("max_pool2d", padded, (IMAGE,), lambda x: pooled(x, 3, 1, np.max, 1, -np.inf))
    yield Case("avg_pool2d", pool, ((1, 2, 4, 4),), lambda x: pooled(x, 2, 2, np.mean))
    counted = {**padded, "count_include_pad": "True"}
    yield Case("avg_pool2d", counted, (IMAGE,), lambda x: pooled(x, 3, 1, np.mean, 1))
    yield Case("avg_pool2d", padded, (IMAGE,), lambda x: pooled(x, 3, 1, np.nanmean, 1, np.nan))
    yield Case("global_max_pool2d", {}, (IMAGE,), lambda x: x.max((2, 3), keepdims=True))
    yield Case("global_avg_pool2d", {}, (IMAGE,), lambda x: x.mean((2, 3), keepdims=True))
    yield Case("upsampling", {"scale": "2"}, (IMAGE,), lambda x: x.repeat(2, 2).repeat(2, 3))
    statistics = (IMAGE, (2,), (2,), (2,), (2,))
    yield Case("batch_norm", {}, statistics, normalized, 2)
    yield Case("batch_norm", {"epsilon": "0.1"}, statistics, lambda *xs: normalized(*xs, epsilon=0.1), 2)
    response = {"size": "3", "axis": "1", "alpha": "0.5", "beta": "0.75", "bias": "2"}
    yield Case("lrn", response, ((1, 5, 2, 2),), lambda x: local_response(x, 3, 0.5, 0.75, 2))
    yield Case(
        "l2_normalize",
        {"eps": "0.001", "axis": "(1,)"},
        (IMAGE,),
        lambda x: x / np.sqrt(np.maximum((x**2).sum(1, keepdims=True), 0.001)),
    )
    yield Case("prelu", {}, (signed(*IMAGE), (2,)), lambda x, a: np.where(x > 0, x, x * a.reshape(1, 2, 1, 1)))
    yield Case("yolo_reorg", {"stride": "1"}, (IMAGE,), None)
    yield Case("yolo2_reorg", {"stride": "1"}, (IMAGE,), None)
    yield Case("resize", {"size": "(10, 10)"}, (IMAGE,), None)
    yield Case("multibox_prior", {}, (IMAGE,), None)
    yield Case("_max_mask", {"axis": "1"}, ((2, 3),), None)
    yield Case("_min_mask", {"axis": "1"}, ((2, 3),), None)


def others() -> Iterator[Case]:
    yield Case("dense", {"units": "3"}, ((2, 4), (3, 4), (3,)), lambda x, w, b: x @ w.T + b)
    yield Case("dense", {"units": "3", "use_bias": "False"}, ((1, 4), (3, 4)), lambda x, w: x @ w.T)
    yield Case("matmul", {}, ((2, 3), (3, 4)), np.matmul)
    yield Case("matmul", {"transpose_a": "True", "transpose_b": "True"}, ((3, 2), (4, 3)), lambda x, y: x.T @ y.T)
    yield Case("elemwise_sum", {"num_args": "3"}, ((2, 3), (2, 3), (2, 3)), lambda *xs: sum(xs))
    yield Case("clip", {"a_min": "-0.5", "a_max": "0.5"}, (signed(2, 3),), lambda x: np.clip(x, -0.5, 0.5))
    yield Case("cast", {"dtype": "int32"}, (signed(2, 3),), lambda x: x.astype("int32"))
    yield Case("full_like", {"fill_value": "3"}, ((2, 3),), lambda x: np.full_like(x, 3))
    yield Case("full", {"shape": "(2, 3)", "fill_value": "1.5"}, (), lambda: np.full((2, 3), 1.5, "float32"))
    yield Case("ones", {"shape": "(2, 3)", "dtype": "int32"}, (), lambda: np.ones((2, 3), "int32"))
    yield Case("zeros", {"shape": "(4,)"}, (), lambda: np.zeros(4, "float32"))
    yield Case("dropout", {"rate": "0.3"}, ((2, 3),), lambda x: x, 1)
    yield Case("leaky_relu", {"alpha": "0.1"}, (signed(2, 3),), lambda x: np.where(x > 0, x, 0.1 * x))
    yield Case("softmax", {"axis": "1"}, ((2, 3, 4),), lambda x: softmax(x, 1))
    yield Case("log_softmax", {"axis": "0"}, ((2, 3),), lambda x: np.log(softmax(x, 0)))


def widths(case: Case) -> int:
    """Return how many outputs a node has, with those that are hidden."""
    return (1 if case.reference is None else len(case.expected)) + case.hidden


def graph_of(case: Case, attrs: dict[str, Any] | None = None) -> Graph:
    """Return the operator behind its variables and in front of one that only NNVM has, so that its dialect is certain."""
    count, outputs = len(case.inputs), 1 if case.reference is None else len(case.expected)
    nodes = [{"op": "null", "name": f"x{k}", "inputs": []} for k in range(count)]
    call: Graph = {"op": case.op, "name": "call", "inputs": [[k, 0, 0] for k in range(count)]}
    if case.attrs:
        call["attrs"] = case.attrs
    heads = [[count, k, 0] for k in range(outputs)]
    nodes += [call, {"op": "__add_scalar__", "name": "end", "attrs": {"scalar": "1"}, "inputs": [[count, 0, 0]]}]
    rows = [*range(count + 1), count + widths(case), count + widths(case) + 1]
    graph: Graph = {
        "nodes": nodes,
        "arg_nodes": list(range(count)),
        "node_row_ptr": rows,
        "heads": [*heads, [count + 1, 0, 0]],
    }
    if attrs is not None:
        graph["attrs"] = attrs
    return graph


def facts_of(case: Case, rng: random.Random, keys: tuple[str, ...]) -> dict[str, Any]:
    """Return what NNVM's passes say about a graph, and what else people write there."""
    count = len(case.inputs) + widths(case) + 1
    shapes = [[rng.randrange(1, 9) for _ in range(rng.randrange(1, 5))] for _ in range(count)]
    facts: dict[str, Any] = {
        "shape": ["list_shape", shapes],
        "dltype": ["list_str", ["float32"] * count],
        "dtype": ["list_int", [0] * count],
        "storage_id": ["list_int", [rng.randrange(count) for _ in range(count)]],
        "device_index": ["list_int", [1] * count],
        "nnvm_version": ["int", rng.randrange(1, 2000)],
        "layout": ["list_layout", ["NCHW"] * count],
        "author": ["str", "somebody"],
        "counts": ["dict_str_int", {"nodes": count}],
    }
    return {key: facts[key] for key in keys}


FACTS = ("shape", "dltype", "dtype", "storage_id", "device_index", "nnvm_version", "layout", "author", "counts")


def compiled(case: Case, rng: random.Random) -> Graph:
    """Return a graph that TVM may have compiled of this one: functions in the place of operators, and a plan of memory."""
    graph = graph_of(case)
    for node in graph["nodes"]:
        if node["op"] == "null":
            continue
        outputs = widths(case) if node["name"] == "call" else 1
        name = rng.choice((f"fused_{node['op']}", f"fused_{node['op']}_{rng.randrange(9)}", "tvmgen_default_fused"))
        counts = {"num_inputs": str(len(node["inputs"])), "num_outputs": str(outputs)}
        node |= {"op": "tvm_op", "attrs": {"func_name": name, **counts, "flatten_data": "0"}}
    count = graph["node_row_ptr"][-1]
    graph["attrs"] = {
        "dltype": ["list_str", ["float32"] * count],
        "storage_id": ["list_int", list(range(count))],
        "shape": ["list_shape", [[1, rng.randrange(1, 9)]] * count],
    }
    return graph
