"""What a graph lacks or spells wrong comes back where the rest of it tells what it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from rule_cases.texts import SYMBOL

from irlint import engine, fixes

Change = Callable[[dict[str, Any]], Any]


def changed(change: Change) -> str:
    graph = json.loads(SYMBOL)
    change(graph)
    return json.dumps(graph, indent=2)


def fixed(text: str, unsafe: bool) -> Any:
    return json.loads(fixes.fix(text, lambda text: engine.lint(text, "a-symbol.json").findings, unsafe).text)


def put(graph: Any, *path: Any) -> None:
    *way, last, value = path
    for step in way:
        graph = graph[step]
    graph[last] = value


SAFE: dict[str, Change] = {
    "no arg_nodes": lambda graph: graph.pop("arg_nodes"),
    "no inputs": lambda graph: graph["nodes"][0].pop("inputs"),
    "no op": lambda graph: graph["nodes"][0].pop("op"),
    "inputs null": lambda graph: put(graph, "nodes", 0, "inputs", None),
    "inputs {}": lambda graph: put(graph, "nodes", 0, "inputs", {}),
    "entry is a number": lambda graph: put(graph, "nodes", 3, "inputs", 1, 1),
    "node is a name": lambda graph: put(graph, "nodes", 3, "inputs", 1, 0, "fc0_weight"),
    "variable is a name": lambda graph: put(graph, "arg_nodes", 1, "fc0_weight"),
    "head is a number": lambda graph: put(graph, "heads", 0, 4),
}
UNSAFE: dict[str, Change] = {
    "no heads": lambda graph: graph.pop("heads"),
    "no brackets": lambda graph: put(graph, "nodes", 4, "inputs", [3, 0, 0]),
    "no name": lambda graph: graph["nodes"][1].pop("name"),
}


@pytest.mark.parametrize("name", SAFE)
def test_what_can_only_have_been_one_thing(name: str) -> None:
    assert fixed(changed(SAFE[name]), unsafe=False) == json.loads(SYMBOL)


@pytest.mark.parametrize("name", UNSAFE)
def test_what_was_probably_so(name: str) -> None:
    text = changed(UNSAFE[name])
    assert fixed(text, unsafe=False) == json.loads(text)
    assert fixed(text, unsafe=True) == json.loads(SYMBOL)


@pytest.mark.parametrize(
    ("op", "attrs", "expected"),
    [
        ("null", None, ["safe"]),
        ("relu", None, ["safe"]),  # takes no attributes
        ("relu", [], ["safe"]),
        ("_zeros", None, ["unsafe"]),  # MXNet 1.9.1 cannot bind it without a shape
        ("BatchNorm", None, ["unsafe"]),
        ("BatchNorm", [], ["safe"]),  # as languages write an empty object that have only lists
    ],
)
def test_attributes_that_are_null(op: str, attrs: Any, expected: list[str]) -> None:
    """A fix is safe only if nothing can be lost: what an operator with attributes had is unknown."""
    inputs = {"null": 0, "_zeros": 0, "BatchNorm": 5}.get(op, 1)
    nodes = [{"op": "null", "name": f"x{k}", "inputs": []} for k in range(inputs)]
    nodes.append({"op": op, "name": "node", "attrs": attrs, "inputs": [[k, 0, 0] for k in range(inputs)]})
    graph = {"nodes": nodes, "arg_nodes": [*range(inputs)], "heads": [[inputs, 0, 0]]}
    if op == "null":
        graph["arg_nodes"] = [0]
    text = json.dumps({**graph, "attrs": {"mxnet_version": ["int", 10901]}})
    findings = engine.lint(text, "a-symbol.json").findings
    assert [f.fix.safety for f in findings if f.code == "T001" and f.fix] == expected


def test_attributes_that_are_null_next_to_others() -> None:
    graph = json.loads(SYMBOL)
    node = next(node for node in graph["nodes"] if node.get("attrs"))
    node["attr"], node["attrs"] = node["attrs"], None
    found = fixed(json.dumps(graph), unsafe=True)
    assert [n for n in found["nodes"] if "attr" in n] == [{key: value for key, value in node.items() if key != "attrs"}]


@pytest.mark.parametrize(
    ("op", "key", "value", "expected"),
    [
        ("BatchNorm", "eps", 1, ["safe"]),
        ("Pooling", "kernel", None, ["unsafe"]),  # `None` is a tuple that the operator may refuse
        ("softmax", "temperature", None, ["safe"]),  # which may be `None`
        ("relu", "__init__", None, ["unsafe"]),
        ("tvm_op", "num_outputs", 1, ["safe"]),
        ("tvm_op", "num_outputs", [1], ["safe"]),
        ("tvm_op", "num_outputs", None, []),  # TVM would read 0
        ("tvm_op", "flatten_data", True, []),
        ("tvm_op", "flatten_data", 2.5, []),
        ("tvm_op", "func_name", None, []),
        ("tvm_op", "func_name", 3, []),
        ("tvm_op", "hash", 3, ["safe"]),
    ],
)
def test_attributes_that_are_no_strings(op: str, key: str, value: Any, expected: list[str]) -> None:
    """A fix is safe only if the reader takes what is written for what was meant."""
    call = {"func_name": "f", "num_inputs": "1", "num_outputs": "1", "flatten_data": "0"} if op == "tvm_op" else {}
    nodes = [
        {"op": "null", "name": "x", "inputs": []},
        {"op": op, "name": "node", "attrs": {**call, key: value}, "inputs": [[0, 0, 0]]},
    ]
    attrs: Any = {"mxnet_version": ["int", 10901]}
    if call:
        lists = {"dltype": ["list_str", ["float32"] * 2], "shape": ["list_shape", [[1], [1]]]}
        attrs = {**lists, "storage_id": ["list_int", [0, 1]]}
    graph = {"nodes": nodes, "arg_nodes": [0], "node_row_ptr": [0, 1, 2], "heads": [[1, 0, 0]], "attrs": attrs}
    findings = engine.lint(json.dumps(graph), "graph.json").findings
    assert [f.fix.safety for f in findings if f.code == "T001" and f.fix] == expected
    assert [f.code for f in findings if f.code == "T001"] == ["T001"]
