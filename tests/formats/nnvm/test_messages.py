"""What is said of values and of nested graphs, in words for somebody who never read the specification."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irlint import engine
from irlint.findings import Severity


def _said(nodes: list[dict[str, Any]], outputs: int = 1) -> list[str]:
    count = len(nodes)
    variables = [k for k, node in enumerate(nodes) if node["op"] == "null"]
    heads = [[count - 1, k, 0] for k in range(outputs)]
    graph = {"nodes": nodes, "arg_nodes": variables, "heads": heads, "attrs": {"mxnet_version": ["int", 10901]}}
    found = engine.lint(json.dumps(graph), "model-symbol.json").findings
    return [f.message for f in found if f.severity == Severity.ERROR]


def _variable(name: str) -> dict[str, Any]:
    return {"op": "null", "name": name, "inputs": []}


@pytest.mark.parametrize(
    ("op", "key", "text", "kind", "why"),
    [
        ("Dropout", "p", "float32", "a number", ""),
        ("Dropout", "p", "0,5", "a number", "; unexpected `,5` after `0`"),
        ("Dropout", "p", "0.5 ", "a number", "; unexpected whitespace after `0.5`"),
        ("Concat", "dim", "1.5", "an integer", "; unexpected `.5` after `1`"),
        ("Concat", "dim", "one", "an integer", ""),
        ("Concat", "dim", "2147483648", "an integer", "; it does not fit into 32 bits"),
        ("transpose", "axes", "(1.0, 0)", "a tuple such as `(1, 1)`", "; `1.0` is not an integer"),
        ("transpose", "axes", "(1 0)", "a tuple such as `(1, 1)`", "; expected `,`, got `0`"),
        ("transpose", "axes", "(1, 0", "a tuple such as `(1, 1)`", "; missing closing bracket"),
    ],
)
def test_values_of_the_wrong_kind(op: str, key: str, text: str, kind: str, why: str) -> None:
    attrs = {"num_args": "1", key: text} if op == "Concat" else {key: text}
    node = {"op": op, "name": "it", "attrs": attrs, "inputs": [[0, 0, 0]]}
    assert _said([_variable("data"), node]) == [f"expected {kind} for `{key}` of {op} 'it', got `{text}`{why}"]


def _branch(outputs: int) -> dict[str, Any]:
    nodes = [_variable("a"), {"op": "exp", "name": "e", "inputs": [[0, 0, 0]]}]
    return {"nodes": nodes, "arg_nodes": [0], "node_row_ptr": [0, 1, 2], "heads": [[1, 0, 0]] * outputs}


@pytest.mark.parametrize(
    ("branches", "words"),
    [
        ((1, 1), "expected 1 for `num_outputs` (outputs of the then branch), got 2"),
        ((1, 2), "expected 2 outputs of the then branch, got 1"),
        ((2, 1), "expected 2 outputs of the else branch, got 1"),
    ],
)
def test_one_count_is_to_blame(branches: tuple[int, int], words: str) -> None:
    places = {f"{name}_input_locs": "(0,)" for name in ("cond", "then", "else")}
    attrs = {"num_args": "4", "num_outputs": "2", **places}
    graphs = [_branch(1), *map(_branch, branches)]
    node = {"op": "_cond", "name": "it", "attrs": attrs, "inputs": [[0, 0, 0]], "subgraphs": graphs}
    assert _said([_variable("data"), node], 2) == [f"_cond 'it': {words}"]


@pytest.mark.parametrize("graphs", [None, [], [_branch(1)], [_branch(1), _branch(1)]])
def test_operators_that_others_were_fused_into(graphs: list[dict[str, Any]] | None) -> None:
    node = {"op": "_sg_mkldnn_conv", "name": "it", "inputs": [[0, 0, 0]]}
    count = len(graphs or ())
    expected = [f"_sg_mkldnn_conv 'it': expected 1 subgraph (the fused graph), got {count}"]
    said = _said([_variable("data"), node if graphs is None else {**node, "subgraphs": graphs}])
    assert said == ([] if count == 1 else expected)


def test_equal_operators_in_several_subgraphs_are_all_looked_at() -> None:
    places = {f"{name}_input_locs": "(0,)" for name in ("cond", "then", "else")}
    attrs = {"num_args": "4", "num_outputs": "1", **places}
    wrong = {
        "op": "_cond",
        "name": "in",
        "attrs": attrs,
        "inputs": [[0, 0, 0]],
        "subgraphs": [_branch(1), _branch(2), _branch(1)],
    }
    graph = {"nodes": [_variable("a"), wrong], "arg_nodes": [0], "node_row_ptr": [0, 1, 2], "heads": [[1, 0, 0]]}
    node = {"op": "_cond", "name": "it", "attrs": attrs, "inputs": [[0, 0, 0]], "subgraphs": [_branch(1), graph, graph]}
    assert _said([_variable("data"), node]) == ["_cond 'in': expected 1 output of the then branch, got 2"] * 2
