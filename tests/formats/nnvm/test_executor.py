"""TVM graphs: what the graph executor takes, and what only some of its releases take."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rule_cases.texts import TVM_GRAPH

from irlint import engine
from irlint.settings import Settings

CALL = {"func_name": "fused_add", "num_inputs": "2", "num_outputs": "1", "flatten_data": "0"}


def said(model: dict[str, Any], *targets: tuple[str, str], pedantic: bool = False) -> list[str]:
    settings = Settings(targets=targets, pedantic=pedantic)
    return [f"{f.severity} {f.code}" for f in engine.lint(json.dumps(model), "graph.json", settings).findings]


def test_an_input_that_keeps_the_attributes_of_a_function() -> None:
    """The executor looks at neither its attributes nor its inputs: it is set like any other input."""
    model = json.loads(TVM_GRAPH)
    model["nodes"][1]["attrs"] = CALL
    assert said(model) == []
    assert said(model, pedantic=True) == ["pedantic T202"]
    model["nodes"][1]["inputs"] = [[0, 0, 0]]
    assert said(model) == ["warning T202"]


def test_a_function_that_became_an_input() -> None:
    """Nobody computes it, and as arg_nodes does not list it, nobody can set it."""
    model = json.loads(TVM_GRAPH)
    model["nodes"][2]["op"] = "null"
    assert said(model) == ["error T202"]


@pytest.mark.parametrize(
    ("slots", "target", "expected"),
    [
        ([0, 1, 2, 3], "", []),
        ([0, 1, 2, 5], "", ["warning R206"]),
        ([2, 3, 4, 5], "", ["warning R206"]),
        ([0, 1, 2, 5], "0.9.0", []),
        ([0, 1, 2, 5], "0.6", []),
        ([0, 1, 2, 5], "0.10", ["error R206"]),
        ([0, 1, 2, 5], "0.19.0", ["error R206"]),
        ([0, 1, 2, 2_000_000_000], "", ["error A006"]),  # said of the slot itself
    ],
)
def test_slots_that_no_value_uses(slots: list[int], target: str, expected: list[str]) -> None:
    model = json.loads(TVM_GRAPH)
    model["attrs"]["storage_id"][1] = slots
    assert said(model, *([("tvm", target)] if target else [])) == expected


def test_what_nobody_needs() -> None:
    model = json.loads(TVM_GRAPH)
    last = max(k for k, node in enumerate(model["nodes"]) if node["op"] == "tvm_op")
    assert [last, 0, 0] in model["heads"]
    before = next(k for k in range(last - 1, -1, -1) if model["nodes"][k]["op"] == "tvm_op")
    model["heads"] = [[before, 0, 0]]
    assert "warning G001" in said(model)
