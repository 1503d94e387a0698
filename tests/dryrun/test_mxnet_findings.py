"""Mistakes that MXNet sees only when it infers shapes, found in the file alone: where, once, with both shapes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irlint import engine

from .mxnet_nested import Node, call, graph, variable


def _shaped(name: str, shape: str) -> Node:
    return {**variable(name), "attrs": {"__shape__": shape}}


def network(data: str | None) -> dict[str, Any]:
    """Convolution, normalisation, pooling, split in two and joined, a dense layer; the shape of the data known or not."""
    nodes = [
        variable("data") if data is None else _shaped("data", data),
        variable("conv0_weight"),
        variable("conv0_bias"),
        call("Convolution", "conv0", 0, 1, 2, kernel="(3, 3)", num_filter=4, pad="(1, 1)", num_group=1),
        *(variable(f"bn0_{name}") for name in ("gamma", "beta", "moving_mean", "moving_var")),
        call("BatchNorm", "bn0", 3, 4, 5, 6, 7),
        call("Activation", "relu0", 8, act_type="relu"),
        call("Pooling", "pool0", 9, kernel="(2, 2)", pool_type="max"),
        call("SliceChannel", "split0", 10, num_outputs=2),
        call("Concat", "cat0", (11, 0), (11, 1), num_args=2, dim=1),
        variable("fc0_weight"),
        variable("fc0_bias"),
        call("FullyConnected", "fc0", 12, 13, 14, num_hidden=3),
        call("sum", "sum0", 15, axis="1"),
    ]
    return {**graph(nodes, [[16, 0, 0]]), "attrs": {"mxnet_version": ["int", 10901]}}


KNOWN = "(2, 3, 8, 8)"
MISTAKES = [
    (None, "sum0", "axis", "5", "D004", '"5"'),
    (None, "split0", "axis", "7", "D004", '"7"'),
    (None, "cat0", "dim", "9", "D004", '"9"'),
    (None, "pool0", "kernel", "(2, 2, 2)", "A007", '"(2, 2, 2)"'),
    (None, "split0", "num_outputs", "3", "D001", '"3"'),
    (None, "conv0", "num_group", "3", "D001", '"3"'),
    (None, "fc0_bias", "__shape__", "(5,)", "D001", '"(5,)"'),
    (None, "conv0_bias", "__shape__", "(5,)", "D001", '"(5,)"'),
    (None, "conv0_weight", "__shape__", "(4, 3, 5, 5)", "D001", '"(4, 3, 5, 5)"'),
    (None, "bn0_gamma", "__shape__", "(5,)", "D001", '"(5,)"'),
    (KNOWN, "fc0_weight", "__shape__", "(3, 6)", "D001", '"(3, 6)"'),
    (KNOWN, "conv0_weight", "__shape__", "(4, 2, 3, 3)", "D001", '"(4, 2, 3, 3)"'),
    (KNOWN, "conv0", "kernel", "(30, 30)", "D001", '"(30, 30)"'),
    (KNOWN, "conv0", "num_group", "2", "D001", '"2"'),
    (KNOWN, "pool0", "kernel", "(9, 9)", "D001", '"(9, 9)"'),
    ("(2, 3, 8)", "conv0", "num_filter", "4", "D003", '"(2, 3, 8)"'),
]


@pytest.mark.parametrize(("data", "node", "key", "value", "code", "token"), MISTAKES)
def test_one_mistake_one_finding(data: str | None, node: str, key: str, value: str, code: str, token: str) -> None:
    value_of = network(data)
    found = next(n for n in value_of["nodes"] if n["name"] == node)
    found.setdefault("attrs", {})[key] = value
    text = json.dumps(value_of)
    findings = engine.lint(text, "m.json").findings
    assert [(f.code, text[f.span.start : f.span.end]) for f in findings] == [(code, token)]


@pytest.mark.parametrize("data", [None, KNOWN, "(0, 3, 8, 8)", "(0, 0, 0, 0)"])
def test_a_sound_network_has_none(data: str | None) -> None:
    assert engine.lint(json.dumps(network(data)), "m.json").findings == []


def test_operands_that_differ() -> None:
    nodes = [_shaped("a", "(2, 3)"), _shaped("b", "(3, 2)"), call("elemwise_add", "add0", 0, 1)]
    text = json.dumps({**graph(nodes, [[2, 0, 0]]), "attrs": {"mxnet_version": ["int", 10901]}})
    (finding,) = engine.lint(text, "m.json").findings
    assert "[2, 3]" in finding.message
    assert "[3, 2]" in finding.message
    assert [text[r.span.start : r.span.end] for r in finding.related[-2:]] == [json.dumps(n) for n in nodes[:2]]


def test_joined_parts_that_differ() -> None:
    value = network(None)
    value["nodes"][12]["inputs"] = [[11, 0, 0], [10, 0, 0]]
    value["nodes"][12]["attrs"]["dim"] = "0"
    text = json.dumps(value)
    (finding,) = [f for f in engine.lint(text, "m.json").findings if f.code == "D001"]
    assert text[finding.span.start : finding.span.end] == "[10, 0, 0]"
