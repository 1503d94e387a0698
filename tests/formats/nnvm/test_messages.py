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
    ("op", "key", "text", "words"),
    [
        ("Dropout", "p", "float32", "is 'float32' where a number belongs"),
        ("Dropout", "p", "0,5", "is '0,5' where a number belongs: ',5' stands behind 0"),
        ("Dropout", "p", "0.5 ", "is '0.5 ' where a number belongs: a blank stands behind 0.5"),
        ("Concat", "dim", "1.5", "is '1.5' where an integer belongs: '.5' stands behind 1"),
        ("Concat", "dim", "one", "is 'one' where an integer belongs"),
        ("Concat", "dim", "2147483648", "is '2147483648' where an integer belongs: it does not fit into 32 bits"),
        (
            "transpose",
            "axes",
            "(1.0, 0)",
            "is '(1.0, 0)' where a tuple such as (1, 1) belongs: '1.0' in it is no integer",
        ),
        (
            "transpose",
            "axes",
            "(1 0)",
            "is '(1 0)' where a tuple such as (1, 1) belongs: '0' stands where a comma should",
        ),
        ("transpose", "axes", "(1, 0", "is '(1, 0' where a tuple such as (1, 1) belongs: its end is missing"),
    ],
)
def test_values_of_the_wrong_kind(op: str, key: str, text: str, words: str) -> None:
    attrs = {"num_args": "1", key: text} if op == "Concat" else {key: text}
    node = {"op": op, "name": "it", "attrs": attrs, "inputs": [[0, 0, 0]]}
    assert _said([_variable("data"), node]) == [f"{op} 'it': attribute {key!r} {words}"]


def _branch(outputs: int) -> dict[str, Any]:
    nodes = [_variable("a"), {"op": "exp", "name": "e", "inputs": [[0, 0, 0]]}]
    return {"nodes": nodes, "arg_nodes": [0], "node_row_ptr": [0, 1, 2], "heads": [[1, 0, 0]] * outputs}


@pytest.mark.parametrize(
    ("branches", "words"),
    [
        ((1, 1), "num_outputs is 2, but the then branch hands out 1 value"),
        ((1, 2), "the then branch hands out 1 value, not 2"),
        ((2, 1), "the else branch hands out 1 value, not 2"),
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
    expected = [f"_sg_mkldnn_conv 'it': needs the graph that was fused into it, but has {count} subgraphs"]
    said = _said([_variable("data"), node if graphs is None else {**node, "subgraphs": graphs}])
    assert said == ([] if count == 1 else expected)
