"""Graphs that stay right: which dialect they are in, that nothing is wrong with them, and what they compute."""

from __future__ import annotations

import json
import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import irlint
from irlint import engine
from irlint.formats.nnvm.reading.dialect import CLASSIC, TVM, dialect_of
from irlint.operators import table

from . import conformance as classic
from . import conformance_mxnet as symbols
from .conformance import FACTS, Case, Graph

CASES = list(classic.cases())
EVERY = [keys for size in range(len(FACTS) + 1) for keys in combinations(FACTS, size)]
MEASURED: dict[str, Any] = json.loads(symbols.MEASURED.read_text())


def dialect(graph: Any) -> str | None:
    found = dialect_of(graph)
    return found and found.dialect


def findings(graph: Graph) -> list[str]:
    return [f"{f.severity} {f.code} {f.message}" for f in engine.lint(json.dumps(graph), "graph.json").findings]


def encoded(graph: Graph) -> bytes:
    return json.dumps(graph).encode()


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{k}-{case.op}" for k, case in enumerate(CASES)])
def test_classic_graph(number: int) -> None:
    case, rng = CASES[number], random.Random(number)
    for keys in ((), FACTS, ("shape", "dltype"), EVERY[number * 37 % len(EVERY)]):
        graph = classic.graph_of(case, classic.facts_of(case, rng, keys))
        assert dialect(graph) == CLASSIC
        assert findings(graph) == []
    if case.reference is None:
        return
    text, given = encoded(graph), {f"x{k}": array for k, array in enumerate(case.arrays)}
    types = irlint.infer(irlint.load(text), given)["call"]
    outputs = list(irlint.run(text, given).values())
    assert len(outputs) == len(case.expected) + 1
    for kind, output, expected in zip(types, outputs, case.expected, strict=False):
        assert kind.shape == output.shape == np.shape(expected)
        assert kind.dtype == output.dtype.name
        np.testing.assert_allclose(output.astype("float64"), expected, 1e-4, 1e-5)


def test_every_operator_of_nnvm_has_a_graph() -> None:
    rare = {name for name in table("nnvm").raw["operators"] if name.startswith("_") and not name.endswith("_scalar__")}
    missing = set(table("nnvm").raw["operators"]) - rare - {case.op for case in CASES}
    # post-processing of detections has no kernel, and is checked with the operators of other formats
    assert missing == {"multibox_transform_loc", "nms", "non_max_suppression", "yolo2_region", "yolo_region"}


def test_every_combination_of_graph_attributes() -> None:
    rng = random.Random(0)
    for keys in EVERY:
        case = rng.choice(CASES)
        assert dialect(classic.graph_of(case, classic.facts_of(case, rng, keys))) == CLASSIC, (case.op, keys)


def random_graph(rng: random.Random) -> Graph:
    """Return a chain of operators, at least one of which only NNVM has, with attributes of any kind on the graph."""
    graph = classic.graph_of(rng.choice(CASES))
    chain = [case for case in CASES if len(case.inputs) == 1 and not case.hidden]
    for _ in range(rng.randrange(6)):
        case, index = rng.choice(chain), len(graph["nodes"])
        graph["nodes"].append({"op": case.op, "name": f"n{index}", "attrs": case.attrs, "inputs": [[index - 1, 0, 0]]})
        graph["node_row_ptr"].append(graph["node_row_ptr"][-1] + classic.widths(case))
        graph["heads"] = [[index, 0, 0]]
    loose = {
        "version": "1.0",
        "made_by": {"who": "me"},
        "shape": [[1, 2]],
        "opset": 3,
        "storage_id": None,
        "dltype": [],
    }
    facts = classic.facts_of(rng.choice(CASES), rng, tuple(key for key in FACTS if rng.random() < 0.5))
    graph["attrs"] = {**facts, **{key: value for key, value in loose.items() if rng.random() < 0.2}}
    return graph


def test_random_graphs_are_not_taken_for_those_of_tvm() -> None:
    rng = random.Random(19)
    assert {dialect(random_graph(rng)) for _ in range(1000)} == {CLASSIC}
    for _ in range(20):
        assert not [line for line in findings(random_graph(rng)) if line.startswith("error T")]


def test_what_a_graph_says_about_itself_is_no_error() -> None:
    loose = {"version": "1.0", "opset": 3, "made_by": {"who": "me"}, "ratio": ["float", 1.5], "list": [1, 2], "n": None}
    graph = classic.graph_of(CASES[0], loose)
    assert {line.split()[0] for line in findings(graph)} == {"warning"}
    relu = {"op": "relu", "name": "call", "inputs": [[0, 0, 0]]}  # MXNet has it, too
    both = {**graph, "nodes": [graph["nodes"][0], relu], "node_row_ptr": [0, 1, 2], "heads": [[1, 0, 0]]}
    for key, value in loose.items():
        both["attrs"] = {key: value}
        assert dialect(both) == CLASSIC
        assert {line.split()[0] for line in findings(both)} == {"warning"}
    for attrs in ({}, {"is_np_shape": ["int", 1]}, {"mxnet_verson": ["int", 10901]}):  # what MXNet may write, misspelt
        assert dialect({**both, "attrs": attrs}) == "mxnet"
    symbol = json.loads(json.dumps(graph).replace("__add_scalar__", "_plus_scalar"))
    assert "error" in {line.split()[0] for line in findings(symbol)}  # MXNet refuses it


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.op for case in CASES])
def test_graph_of_tvm(number: int) -> None:
    graph = classic.compiled(CASES[number], random.Random(number))
    assert dialect(graph) == TVM
    assert findings(graph) == []


def broken(graph: Graph) -> dict[str, Graph]:
    """Return graphs of TVM with a mistake each."""
    found = {
        word: json.loads(json.dumps(graph)) for word in ("one", "all", "no name", "no op", "no attrs", "none", "extra")
    }
    calls = {word: [node for node in each["nodes"] if node["op"] == "tvm_op"] for word, each in found.items()}
    calls["one"][0]["op"] = "tvm_opp"
    for node in calls["all"]:
        node["op"] = "tvmop"
    for node in calls["no name"]:
        del node["attrs"]["func_name"]
    del calls["no op"][0]["op"]
    for node in calls["no attrs"]:
        del node["attrs"]
    for node in calls["none"]:
        node |= {"op": "null", "inputs": []}
    found["extra"]["attrs"]["mxnet_version"] = ["int", 10901]
    for key in ("dltype", "storage_id", "shape"):
        found[key] = json.loads(json.dumps(graph))
        del found[key]["attrs"][key]
    return found


@pytest.mark.parametrize("case", CASES[::16], ids=[case.op for case in CASES[::16]])
def test_broken_graphs_of_tvm(case: Case) -> None:
    for word, graph in broken(classic.compiled(case, random.Random(0))).items():
        assert dialect(graph) == TVM, word


def test_broken_classic_graphs() -> None:
    graph = classic.graph_of(CASES[0], classic.facts_of(CASES[0], random.Random(0), FACTS))
    for op in ("dens", "my_operator", "tvm_op"):
        assert dialect({**graph, "nodes": [*graph["nodes"], {"op": op, "name": "x", "inputs": [[1, 0, 0]]}]}) == CLASSIC
    lost = {"op": "tvm_op", "name": "x", "inputs": [[0, 0, 0]]}  # one operator of a symbol that became another one
    assert dialect({**graph, "nodes": [graph["nodes"][0], lost], "attrs": {"mxnet_version": ["int", 10901]}}) == "mxnet"
    plain = {"op": "relu", "name": "x", "inputs": [[0, 0, 0]]}  # MXNet has it, too
    assert dialect({**graph, "nodes": [graph["nodes"][0], plain]}) == CLASSIC
    assert (
        dialect({**graph, "nodes": [graph["nodes"][0], plain], "attrs": {"mxnet_version": ["int", 10901]}}) == "mxnet"
    )


@pytest.mark.parametrize("op", MEASURED)
def test_symbol(op: str) -> None:
    graph = symbols.symbol(op)
    assert dialect(graph) == "mxnet"
    assert [line for line in findings(graph) if line.startswith("error")] == []
    assert symbols.agree(symbols.computed(encoded(graph)), MEASURED[op])
