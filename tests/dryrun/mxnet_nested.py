"""Symbols with graphs inside: loops, conditions; small enough to be read."""

from __future__ import annotations

import json
from typing import Any

Node = dict[str, Any]


def variable(name: str) -> Node:
    return {"op": "null", "name": name, "inputs": []}


def call(op: str, name: str, *inputs: tuple[int, int] | int, **attrs: Any) -> Node:
    entries = [[k, 0, 0] if isinstance(k, int) else [*k, 0] for k in inputs]
    return {"op": op, "name": name, "attrs": {k: str(v) for k, v in attrs.items()}, "inputs": entries}


def graph(nodes: list[Node], heads: list[list[int]]) -> dict[str, Any]:
    found: dict[str, Any] = {"nodes": nodes, "arg_nodes": [k for k, n in enumerate(nodes) if n["op"] == "null"]}
    return {**found, "heads": heads}


def symbol(nodes: list[Node], heads: list[list[int]]) -> str:
    return json.dumps({**graph(nodes, heads), "attrs": {"mxnet_version": ["int", 10901]}})


def _foreach() -> str:
    """A recurrent cell over slices; the weights' shapes follow from what happens inside."""
    body = graph(
        [
            variable("w"),
            variable("x"),
            call("FullyConnected", "fc", 1, 0, num_hidden=4, no_bias=True),
            variable("s"),
            call("elemwise_add", "add", 2, 3),
            call("Activation", "tanh", 4, act_type="tanh"),
        ],
        [[5, 0, 0], [5, 0, 0]],
    )
    loop = call(
        "_foreach", "loop", 0, 1, 2, num_args=4, num_outputs=2, num_out_data=1, in_data_locs="(0,)",
        in_state_locs="(2,)", remain_locs="(1,)",
    )  # fmt: skip
    return symbol(
        [variable("in0"), variable("in1"), variable("in2"), {**loop, "subgraphs": [body]}], [[3, 0, 0], [3, 1, 0]]
    )


def _while() -> str:
    condition = graph([variable("i"), call("_lesser_equal_scalar", "le", 0, scalar=5)], [[1, 0, 0]])
    body = graph(
        [
            variable("i"),
            variable("s"),
            call("broadcast_add", "sum", 0, 1),
            call("_plus_scalar", "next", 0, scalar=1),
        ],
        [[2, 0, 0], [3, 0, 0], [2, 0, 0]],
    )
    loop = call(
        "_while_loop", "loop", 0, 1, num_args=4, num_outputs=3, num_out_data=1, max_iterations=8,
        cond_input_locs="(0,)", func_input_locs="(0, 1)", func_var_locs="(0, 1)",
    )  # fmt: skip
    return symbol([variable("in0"), variable("in1"), {**loop, "subgraphs": [condition, body]}], [[2, 1, 0], [2, 2, 0]])


def _cond() -> str:
    condition = graph([variable("p"), call("_copy", "copy", 0)], [[1, 0, 0]])
    first = graph([variable("a"), call("_plus_scalar", "more", 0, scalar=5)], [[1, 0, 0]])
    second = graph([variable("a"), call("_mul_scalar", "times", 0, scalar=2)], [[1, 0, 0]])
    branch = call(
        "_cond", "branch", 2, 1, num_args=5, num_outputs=1, cond_input_locs="(0,)", then_input_locs="(1,)",
        else_input_locs="(1,)",
    )  # fmt: skip
    return symbol(
        [
            variable("in0"),
            variable("in1"),
            call("_greater_scalar", "gt", 0, scalar=0.5),
            {**branch, "subgraphs": [condition, first, second]},
        ],
        [[3, 0, 0]],
    )


SYMBOLS: dict[str, tuple[str, dict[str, list[int]]]] = {
    "foreach": (_foreach(), {"in0": [3, 2, 5], "in1": [2, 4]}),
    "while": (_while(), {"in0": [1], "in1": [1]}),
    "cond": (_cond(), {"in0": [1], "in1": [2, 3]}),
}
