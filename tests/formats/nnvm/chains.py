"""Random chains of operators whose shapes are kept account of here, and one wrong number planted in them."""

from __future__ import annotations

import copy
import random
import re
from math import prod
from typing import Any

from .changes import Graph

_KINDS = [
    "relu",
    "act",
    "fc",
    "conv",
    "bn",
    "pool",
    "flat",
    "reshape",
    "transpose",
    "add",
    "mul",
    "stretch",
    "cat",
    "split",
    "sum",
    "expand",
    "norm",
    "softmax",
    "cut",
    "tile",
    "dot",
    "squeeze",
    "batch",
]
_NUMBERS = ("axis", "dim", "axes", "num_outputs", "kernel", "num_hidden", "num_filter", "reps")


def _tuple(dims: list[int]) -> str:
    return str(tuple(dims))


class Chain:
    """Nodes, and the shape of what each call gives."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.nodes: list[dict[str, Any]] = []
        shape = rng.choice(([2, 4, 8, 8], [2, 6], [3, 4, 6], [2, 6, 4], [1, 3, 9, 9]))
        self.values = [(self.var(shape), shape)]
        count = rng.randrange(5, 16)
        while sum(node["op"] != "null" for node in self.nodes) < count:
            self.step()
        heads = [len(self.nodes) - 1]
        read = {entry[0] for node in self.nodes for entry in node["inputs"]}
        heads += [k for k, node in enumerate(self.nodes) if k not in read and k not in heads]
        self.graph: Graph = {
            "nodes": self.nodes,
            "arg_nodes": [k for k, node in enumerate(self.nodes) if node["op"] == "null"],
            "heads": [[k, 0, 0] for k in heads],
            "attrs": {"mxnet_version": ["int", 10901]},
        }

    def var(self, shape: list[int], declared: bool = True) -> int:
        attrs = {"attrs": {"__shape__": _tuple(shape)}} if declared else {}
        self.nodes.append({"op": "null", "name": f"v{len(self.nodes)}", **attrs, "inputs": []})
        return len(self.nodes) - 1

    def weight(self, *shape: int) -> int:
        return self.var(list(shape), self.rng.random() < 0.5)

    def call(self, op: str, shape: list[int], /, *inputs: int, **attrs: object) -> None:
        texts = {name: str(value) for name, value in attrs.items()}
        entries = [[k, 0, 0] for k in inputs]
        self.nodes.append({"op": op, "name": f"n{len(self.nodes)}", "attrs": texts, "inputs": entries})
        self.values.append((len(self.nodes) - 1, shape))

    def step(self) -> None:
        rng = self.rng
        x, s = rng.choice(self.values[-3:])
        axis, kind = rng.randrange(len(s)), rng.choice(_KINDS)
        image = len(s) == 4 and min(s[2:]) >= 3

        def along(length: int) -> list[int]:
            return [*s[:axis], length, *s[axis + 1 :]]

        if kind == "relu":
            self.call("relu", s, x)
        elif kind == "act":
            self.call("Activation", s, x, act_type="tanh")
        elif kind == "fc":
            units = rng.choice((3, 4, 6))
            self.call(
                "FullyConnected",
                [s[0], units],
                x,
                self.weight(units, prod(s[1:])),
                self.weight(units),
                num_hidden=units,
            )
        elif kind == "conv" and image:
            units = rng.choice((2, 4, 6))
            weights = self.weight(units, s[1], 3, 3), self.weight(units)
            self.call(
                "Convolution", [s[0], units, *s[2:]], x, *weights, kernel="(3, 3)", num_filter=units, pad="(1, 1)"
            )
        elif kind == "bn" and len(s) > 1:
            self.call("BatchNorm", s, x, *[self.weight(s[1]) for _ in range(4)])
        elif kind == "pool" and image:
            half = [(n - 2) // 2 + 1 for n in s[2:]]
            self.call("Pooling", [*s[:2], *half], x, kernel="(2, 2)", stride="(2, 2)", pool_type="max")
        elif kind == "flat":
            self.call("Flatten", [s[0], prod(s[1:])], x)
        elif kind == "reshape":
            rows = rng.choice([n for n in range(1, prod(s) + 1) if prod(s) % n == 0])
            self.call("Reshape", [rows, prod(s) // rows], x, shape=_tuple([rows, prod(s) // rows]))
        elif kind == "transpose":
            axes = rng.sample(range(len(s)), len(s))
            self.call("transpose", [s[k] for k in axes], x, axes=_tuple(axes))
        elif kind == "add":
            self.call("elemwise_add", s, x, rng.choice([k for k, other in self.values if other == s]))
        elif kind == "mul":
            self.call("elemwise_mul", s, x, self.var(s))
        elif kind == "stretch":
            self.call("broadcast_add", s, x, self.var([1 if rng.random() < 0.5 else n for n in s]))
        elif kind == "cat":
            self.call("Concat", along(2 * s[axis] + 1), x, self.var(along(s[axis] + 1)), dim=axis, num_args=2)
        elif kind == "split" and any(s[axis] % n == 0 for n in (2, 3)):
            parts = next(n for n in (2, 3) if s[axis] % n == 0)
            self.call("SliceChannel", along(s[axis] // parts), x, num_outputs=parts, axis=axis)
        elif kind == "sum" and len(s) > 1:
            self.call("sum", along(1), x, axis=axis, keepdims="True")
        elif kind == "expand" and len(s) < 5:
            self.call("expand_dims", [*s[:axis], 1, *s[axis:]], x, axis=axis)
        elif kind == "squeeze" and len(s) > 1 and s[axis] == 1:
            self.call("squeeze", [*s[:axis], *s[axis + 1 :]], x, axis=axis)
        elif kind == "norm":
            self.call("LayerNorm", s, x, self.weight(s[-1]), self.weight(s[-1]))
        elif kind == "softmax":
            self.call("softmax", s, x, axis=axis - rng.choice((0, len(s))))
        elif kind == "cut" and s[axis] > 1:
            self.call("slice_axis", along(s[axis] - 1), x, axis=axis, begin=0, end=s[axis] - 1)
        elif kind == "tile" and max(s) < 20:
            self.call("tile", [*s[:-1], 2 * s[-1]], x, reps=_tuple([1] * (len(s) - 1) + [2]))
        elif kind == "dot" and len(s) == 2:
            self.call("dot", [s[0], 5], x, self.var([s[1], 5]))
        elif kind == "batch" and len(s) == 3:
            self.call("batch_dot", [*s[:2], 3], x, self.var([s[0], s[2], 3]))


def planted(rng: random.Random, graph: Graph) -> Graph:
    """A copy with another number in one shape or attribute."""
    graph = copy.deepcopy(graph)
    places = [
        (node["attrs"], key)
        for node in graph["nodes"]
        for key in node.get("attrs", {})
        if key in _NUMBERS or key == "__shape__"
    ]
    attrs, key = rng.choice(places)
    numbers = [int(word) for word in re.findall(r"-?\d+", attrs[key])]
    at = rng.randrange(len(numbers))
    if key == "__shape__" and len(numbers) > 1 and rng.random() < 0.2:
        del numbers[at]
    else:
        numbers[at] += rng.choice((1, 2, 3, 7))
    attrs[key] = _tuple(numbers) if attrs[key].startswith("(") else str(numbers[0])
    return graph
