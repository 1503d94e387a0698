"""One slip in a graph's own keys is one finding, and no safe fix makes the rest of the file fit a slip."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from rule_cases.texts import SYMBOL, TVM_GRAPH

from irlint import engine, fixes
from irlint.findings import Finding

Members = list[tuple[str, Any]]

LEGACY = {
    "nodes": [
        {"op": "null", "param": {}, "name": "data", "inputs": [], "backward_source_id": -1},
        {"op": "null", "param": {}, "name": "w", "inputs": [], "backward_source_id": -1},
        {
            "op": "FullyConnected",
            "param": {"no_bias": "True", "num_hidden": "4"},
            "name": "fc",
            "inputs": [[0, 0], [1, 0]],
            "backward_source_id": -1,
        },
    ],
    "arg_nodes": [0, 1],
    "heads": [[2, 0]],
}
GRAPHS = {"symbol": json.loads(SYMBOL), "legacy": LEGACY, "tvm": json.loads(TVM_GRAPH)}


def rendered(members: Members) -> str:
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in members) + "\n}\n"


def lint(text: str) -> list[Finding]:
    return engine.lint(text, "model-symbol.json").findings


def _slips(graph: dict[str, Any], key: str) -> Iterator[tuple[str, Members]]:
    """What can happen to one key of a graph."""
    members = list(graph.items())
    at = list(graph).index(key)
    before, value, behind = members[:at], graph[key], members[at + 1 :]
    empty = type(value)()
    yield "removed", before + behind
    yield "emptied", [*before, (key, empty), *behind]
    for there in (at, at + 1, len(members)):
        yield f"twice, {there}", [*members[:there], (key, empty), *members[there:]]
    for name in (key[:-1], key.upper(), f"my_{key}", "other"):
        yield f"called {name}", [*before, (name, value), *behind]
    for wrong in (None, "x", 5, True, {"a": 1}, [[]]):
        if type(wrong) is not type(value) or wrong == [[]]:
            yield f"made {wrong!r}", [*before, (key, wrong), *behind]


@pytest.mark.parametrize(("kind", "key"), [(kind, key) for kind, graph in GRAPHS.items() for key in graph])
def test_one_slip_one_finding(kind: str, key: str) -> None:
    for what, members in _slips(GRAPHS[kind], key):
        found = lint(rendered(members))
        optional = what == "removed" and (kind, key) == ("symbol", "node_row_ptr")
        assert len(found) == (0 if optional else 1), (what, [f"{f.code} {f.message}" for f in found])


@pytest.mark.parametrize(
    ("kind", "code", "severity"), [("symbol", "S002", "error"), ("legacy", "S002", "error"), ("tvm", "S002", "error")]
)
def test_a_repeated_key_has_the_grade_of_what_it_breaks(kind: str, code: str, severity: str) -> None:
    (found,) = lint(rendered([*GRAPHS[kind].items(), ("nodes", [])]))
    assert (found.code, str(found.severity)) == (code, severity)


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("key", ["nodes", "heads"])
def test_safe_fixes_take_nothing_from_a_file_that_is_wrong_elsewhere(kind: str, key: str) -> None:
    for what, members in _slips(GRAPHS[kind], key):
        text = rendered(members)
        fixed = fixes.fix(text, lint).text
        assert fixed == text or "called" in what, what  # a key may get its name back


@pytest.mark.parametrize("kind", ["symbol", "tvm"])
@pytest.mark.parametrize("what", ["removed", "emptied", "in capitals", "null", "5"])
def test_one_slip_in_a_node_one_finding(kind: str, what: str) -> None:
    for index, node in enumerate(GRAPHS[kind]["nodes"]):
        for key in node:
            graph = json.loads(json.dumps(GRAPHS[kind]))
            value = graph["nodes"][index].pop(key)
            there = {"emptied": type(value)(), "in capitals": value, "null": None, "5": 5}
            if what in there:
                graph["nodes"][index][key.upper() if what == "in capitals" else key] = there[what]
            assert len(lint(json.dumps(graph))) <= 1, (index, key)


def test_lists_are_rewritten_only_where_the_nodes_are_sound() -> None:
    """Node 2 was a variable, as arg_nodes still says: the list is right and the node is wrong."""
    graph = json.loads(SYMBOL)
    graph["nodes"][2]["op"] = "relu"
    listed = [f for f in lint(json.dumps(graph)) if f.code == "R201"]
    assert [f.fix and f.fix.safety for f in listed] == ["unsafe"]
    graph = json.loads(SYMBOL)
    graph["arg_nodes"] = [0, 1]
    assert [f.fix and f.fix.safety for f in lint(json.dumps(graph))] == ["safe"]


@pytest.mark.parametrize(
    ("listed", "safety"), [([0], "safe"), ([1], "unsafe"), ([1, 0], "unsafe"), ([0, 0, 1], "unsafe")]
)
def test_inputs_of_a_compiled_graph_keep_their_numbers(listed: list[int], safety: str) -> None:
    graph = json.loads(TVM_GRAPH)
    graph["arg_nodes"] = listed
    assert [f.fix and f.fix.safety for f in lint(json.dumps(graph))] == [safety]


@pytest.mark.parametrize(
    ("attrs", "safety"), [({}, "safe"), ({"shape": "(1, 4)"}, "unsafe"), ({"func_name": "f"}, "unsafe")]
)
def test_attributes_of_inputs_are_not_thrown_away(attrs: dict[str, str], safety: str) -> None:
    graph = json.loads(TVM_GRAPH)
    graph["nodes"][0]["attrs"] = attrs
    assert [f.fix and f.fix.safety for f in lint(json.dumps(graph))] == [safety]
