"""Subgraphs of operators that take none: mxnet 1.9.1 loads them with the file, and nothing ever runs them."""

from __future__ import annotations

import json
from typing import Any

import pytest

import irlint
from irlint.findings import Severity


def variable(name: str) -> dict[str, Any]:
    return {"op": "null", "name": name, "inputs": []}


def call(op: str, *inputs: list[int], **attrs: str) -> dict[str, Any]:
    return {"op": op, "name": "inner", "inputs": list(inputs), **({"attrs": attrs} if attrs else {})}


def graph(*nodes: dict[str, Any], heads: list[list[int]] | None = None) -> dict[str, Any]:
    arguments = [k for k, node in enumerate(nodes) if node["op"] == "null"]
    heads = [[len(nodes) - 1, 0, 0]] if heads is None else heads
    return {"nodes": list(nodes), "arg_nodes": arguments, "heads": heads}


def found(op: str, inside: dict[str, Any]) -> list[tuple[str, bool]]:
    """Codes, and whether they are errors, for a subgraph of this operator."""
    outer = {"op": op, "name": "outer", "inputs": [[0, 0, 0]] if op != "null" else [], "subgraphs": [inside]}
    nodes = (
        [variable("x"), outer]
        if op != "null"
        else [{**outer, "name": "x"}, {**call("relu", [0, 0, 0]), "name": "outer"}]
    )
    text = json.dumps({**graph(*nodes), "node_row_ptr": [0, 1, 2], "attrs": {"mxnet_version": ["int", 10901]}})
    return [(f.code, f.severity == Severity.ERROR) for f in irlint.lint(text)]


@pytest.mark.parametrize("op", ["relu", "null"])
@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (graph(variable("a"), call("relu", [0, 0, 0])), []),
        (graph(variable("a"), call("relu", [0, 0, 0]), heads=[]), []),
        ({"nodes": [], "arg_nodes": [], "heads": []}, []),
        (graph(variable("a"), call("elemwise_add", [0, 0, 0])), [("O002", False)]),
        (graph(variable("a"), call("relu", [0, 0, 0]), heads=[[1, 3, 0]]), [("R007", False)]),
        (graph(variable("a"), {**call("relu", [0, 0, 0]), "control_deps": [0]}), [("R204", False)]),
        (graph(variable("a"), {**call("relu", [0, 0, 0]), "subgraphs": [graph(variable("b"), heads=[])]}), []),
        (graph(variable("a"), call("relux", [0, 0, 0])), [("O001", True)]),
        (graph(variable("a"), call("relu", [9, 0, 0])), [("R006", True)]),
        (graph(variable("a"), call("Activation", [0, 0, 0])), [("A002", True)]),
    ],
)
def test_only_what_loading_refuses_is_an_error(
    op: str, inside: dict[str, Any], expected: list[tuple[str, bool]]
) -> None:
    assert found(op, inside) == expected


def test_operators_that_take_subgraphs_run_them() -> None:
    assert ("T007", True) in found("_foreach", graph(variable("a"), call("relu", [0, 0, 0]), heads=[]))
