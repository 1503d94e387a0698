"""Small networks with one defect each that MXNet notices only after it has loaded them: at inference, binding or running."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from . import models
from .changes import Graph

Change = Callable[[Graph], Any]
Make = Callable[[], Graph]


def node(g: Graph, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(n for n in g["nodes"] if n["name"] == name)
    return found


def place(g: Graph, name: str) -> int:
    return next(i for i, n in enumerate(g["nodes"]) if n["name"] == name)


def mlp() -> Graph:
    b = models.Builder()
    data = b.var("data", (2, 5))
    first = b.add("FullyConnected", "fc0", [data, b.var("fc0_weight"), b.var("fc0_bias")], {"num_hidden": "4"})
    act = b.add("Activation", "relu0", [first], {"act_type": "relu"})
    attrs = {"no_bias": "False", "num_hidden": "3"}
    second = b.add("FullyConnected", "fc1", [act, b.var("fc1_weight"), b.var("fc1_bias")], attrs)
    return b.graph(b.add("SoftmaxOutput", "softmax", [second, b.var("softmax_label")], {"grad_scale": "1.0"}))


def conv() -> Graph:
    b = models.Builder()
    data = b.var("data", (2, 3, 8, 8))
    attrs = {"kernel": "(3, 3)", "num_filter": "4", "pad": "(1, 1)", "stride": "(1, 1)"}
    at = b.add("Convolution", "conv0", [data, b.var("conv0_weight"), b.var("conv0_bias")], attrs)
    own = [b.var(f"bn0_{name}") for name in ("gamma", "beta", "moving_mean", "moving_var")]
    entries = [(at, 0, 0), (own[0], 0, 0), (own[1], 0, 0), (own[2], 0, 1), (own[3], 0, 1)]
    at = b.add("BatchNorm", "bn0", entries, {"eps": "0.001"}, 3)
    at = b.add("Activation", "relu0", [at], {"act_type": "relu"})
    at = b.add("Pooling", "pool0", [at], {"kernel": "(2, 2)", "pool_type": "max", "stride": "(2, 2)"}, 2)
    parts = b.add("SliceChannel", "split0", [at], {"num_outputs": "2", "axis": "1"}, 2)
    at = b.add("Concat", "cat0", [(parts, 0, 0), (parts, 1, 0)], {"dim": "1", "num_args": "2"})
    at = b.add("Flatten", "flat0", [at])
    return b.graph(b.add("FullyConnected", "fc0", [at, b.var("fc0_weight"), b.var("fc0_bias")], {"num_hidden": "5"}))


def several() -> Graph:
    b = models.Builder()
    added = b.add("elemwise_add", "add0", [b.var("a", (2, 3)), b.var("b", (2, 3))])
    total = b.add("sum", "sum0", [added], {"axis": "1"})
    return b.graph(total, b.add("Reshape", "reshape0", [added], {"shape": "(3, 2)"}))


def loop() -> Graph:
    return models.loop(random.Random(0), models.Builder())


def attr(name: str, key: str, value: str) -> Change:
    return lambda g: node(g, name).setdefault("attrs", {}).__setitem__(key, value)


def entry(name: str, k: int, part: int, value: int | str) -> Change:
    """A part of an input: a number, or the place of a node."""
    return lambda g: node(g, name)["inputs"][k].__setitem__(part, place(g, value) if isinstance(value, str) else value)


def without(name: str, k: int | slice) -> Change:
    return lambda g: node(g, name)["inputs"].__delitem__(k)


def one_more(name: str, other: str) -> Change:
    return lambda g: node(g, name)["inputs"].append([place(g, other), 0, 0])


def swapped(name: str) -> Change:
    return lambda g: node(g, name)["inputs"].__setitem__(slice(0, 2), node(g, name)["inputs"][1::-1])


def key(name: str, word: str, value: Any) -> Change:
    return lambda g: node(g, name).__setitem__(word, value)


def _joined_across(g: Graph) -> None:
    node(g, "cat0")["attrs"]["dim"] = "0"
    node(g, "cat0")["inputs"][1] = [place(g, "pool0"), 0, 0]


def _inner_cycle(g: Graph) -> None:
    inner = node(g, "foreach0")["subgraphs"][0]
    node(inner, "plus0")["inputs"][0][0] = place(inner, "plus0")


ROWS: dict[str, tuple[Make, Change]] = {
    "cycle": (mlp, entry("fc0", 0, 0, "fc1")),
    "self cycle": (mlp, entry("relu0", 0, 0, "relu0")),
    "output 1 of one": (mlp, entry("relu0", 0, 1, 1)),
    "output 1 of a variable": (mlp, entry("fc0", 0, 1, 1)),
    "output 2 of two": (conv, entry("cat0", 1, 1, 2)),
    "output far": (conv, entry("cat0", 1, 1, 1000000)),
    "output -1": (conv, entry("cat0", 1, 1, -1)),
    "hidden output": (conv, entry("relu0", 0, 1, 1)),
    "no bias input": (mlp, without("fc0", 2)),
    "an input more": (mlp, one_more("fc0", "fc0_bias")),
    "no input": (mlp, without("relu0", 0)),
    "two inputs for one": (mlp, one_more("relu0", "fc0")),
    "no_bias and a bias": (mlp, attr("fc1", "no_bias", "True")),
    "no label": (mlp, without("softmax", 1)),
    "num_args 3": (conv, attr("cat0", "num_args", "3")),
    "num_args 1": (conv, attr("cat0", "num_args", "1")),
    "no auxiliary inputs": (conv, without("bn0", slice(3, None))),
    "one addend": (several, without("add0", 1)),
    "inputs swapped": (mlp, swapped("fc0")),
    "one part, two read": (conv, attr("split0", "num_outputs", "1")),
    "head beyond the outputs": (mlp, lambda g: g["heads"][0].__setitem__(1, 1)),
    "variable twice": (mlp, key("fc1_bias", "name", "fc0_bias")),
    "operator as null": (mlp, key("relu0", "op", "null")),
    "no_bias 1": (mlp, attr("fc1", "no_bias", "1")),
    "no_bias tRuE": (mlp, attr("fc1", "no_bias", "tRuE")),
    "filters negative": (conv, attr("conv0", "num_filter", "-4")),
    "kernel negative": (conv, attr("conv0", "kernel", "(-3, 3)")),
    "kernel 0": (conv, attr("conv0", "kernel", "(0, 3)")),
    "axis of a sum": (several, attr("sum0", "axis", "5")),
    "axis of a split": (conv, attr("split0", "axis", "7")),
    "axis of a concat": (conv, attr("cat0", "dim", "9")),
    "shape of a weight": (mlp, attr("fc0_weight", "__shape__", "(4, 6)")),
    "shape of a bias": (mlp, attr("fc0_bias", "__shape__", "(5,)")),
    "kernel too large": (conv, attr("conv0", "kernel", "(30, 30)")),
    "kernel of three": (conv, attr("pool0", "kernel", "(2, 2, 2)")),
    "stride 0": (conv, attr("conv0", "stride", "(0, 0)")),
    "stride negative": (conv, attr("conv0", "stride", "(-1, 1)")),
    "groups": (conv, attr("conv0", "num_group", "2")),
    "no groups": (conv, attr("conv0", "num_group", "0")),
    "uneven parts": (conv, attr("split0", "num_outputs", "3")),
    "joined along another axis": (conv, _joined_across),
    "addends differ": (several, attr("b", "__shape__", "(3, 2)")),
    "shape unclosed": (mlp, attr("fc1_weight", "__shape__", "(3, 4")),
    "shape in words": (mlp, attr("fc1_weight", "__shape__", "two")),
    "shapes differ": (several, attr("a", "__shape__", "(2, 4)")),
    "dtype by name": (several, attr("b", "__dtype__", "float32")),
    "dtype unknown": (several, attr("b", "__dtype__", "99")),
    "storage type unknown": (several, attr("a", "__storage_type__", "7")),
    "version beyond": (mlp, lambda g: g["attrs"].__setitem__("mxnet_version", ["int", 1000000])),
    "control dependency": (mlp, key("relu0", "control_deps", [0])),
    "control dependency on itself": (mlp, lambda g: key("relu0", "control_deps", [place(g, "relu0")])(g)),
    "control dependency forwards": (mlp, lambda g: key("fc0", "control_deps", [place(g, "softmax")])(g)),
    "an operator as weight": (mlp, entry("fc1", 1, 0, "relu0")),
    "no subgraphs": (loop, lambda g: node(g, "foreach0").__delitem__("subgraphs")),
    "subgraphs empty": (loop, key("foreach0", "subgraphs", [])),
    "one head of two inside": (loop, lambda g: node(g, "foreach0")["subgraphs"][0]["heads"].pop()),
    "place beyond the inputs": (loop, attr("foreach0", "in_data_locs", "[5]")),
    "cycle inside": (loop, _inner_cycle),
}
