"""One wrong dimension that several nodes stumble over is one finding; a mistake where no output leads stops nothing."""

from __future__ import annotations

import json
from typing import Any

from irlint import engine
from irlint.findings import Severity

Node = dict[str, Any]


def _variable(name: str, shape: str) -> Node:
    return {"op": "null", "name": name, "attrs": {"__shape__": shape}, "inputs": []}


def _call(op: str, name: str, *inputs: int, **attrs: str) -> Node:
    return {"op": op, "name": name, "attrs": attrs, "inputs": [[k, 0, 0] for k in inputs]}


def _found(nodes: list[Node], *heads: int) -> list[tuple[str, str, int]]:
    """Severity, the node that a finding names first, and how many places it shows besides."""
    value = {"nodes": nodes, "arg_nodes": [k for k, n in enumerate(nodes) if n["op"] == "null"]}
    value |= {"heads": [[k, 0, 0] for k in heads], "attrs": {"mxnet_version": ["int", 10901]}}
    findings = engine.lint(json.dumps(value), "m-symbol.json").findings
    return [
        (f.severity.name, f.message.split("'")[1], len(f.related)) for f in findings if f.severity >= Severity.WARNING
    ]


def _branches(data: str, other: str = "(2, 6)") -> list[Node]:
    return [
        _variable("data", data),
        _variable("a", "(2, 6)"),
        _variable("b", other),
        _call("elemwise_add", "add0", 0, 1),
        _call("relu", "relu0", 0),
        _call("elemwise_mul", "mul0", 4, 2),
    ]


def test_one_wrong_dimension() -> None:
    assert _found(_branches("(2, 6)"), 3, 5) == []
    ((severity, node, related),) = _found(_branches("(2, 7)"), 3, 5)
    assert (severity, node) == ("ERROR", "add0")
    assert related >= 3
    assert len(_found(_branches("(2,)"), 3, 5)) == 1


def test_two_mistakes_stay_two() -> None:
    nodes = _branches("(2, 6)", "(3, 9)")
    nodes[1]["attrs"]["__shape__"] = "(4, 6)"
    assert [node for _, node, _ in _found(nodes, 3, 5)] == ["add0", "mul0"]


def test_where_no_output_leads() -> None:
    ((severity, node, _),) = [f for f in _found(_branches("(2, 6)", "(3, 6)"), 3) if f[1] == "mul0" and f[2]]
    assert (severity, node) == ("WARNING", "mul0")
