"""A node that was lost or doubled is one finding, at its place, whatever was counted on it."""

from __future__ import annotations

import copy
import json
from itertools import accumulate
from typing import Any

import pytest

from irlint import engine, fixes
from irlint.findings import Finding

from .writer import render

_OPS = [
    ("null", "data", [], {}), ("null", "conv0_weight", [], {}), ("null", "conv0_bias", [], {}),
    ("Convolution", "conv0", [0, 1, 2], {"kernel": "(3, 3)", "num_filter": "4"}),
    ("Activation", "relu0", [3], {"act_type": "relu"}),
    ("Pooling", "pool0", [4], {"kernel": "(2, 2)"}),
    ("null", "fc0_weight", [], {}), ("null", "fc0_bias", [], {}),
    ("FullyConnected", "fc0", [5, 6, 7], {"num_hidden": "5"}),
    ("Activation", "relu1", [8], {"act_type": "tanh"}),
    ("null", "label", [], {}),
    ("SoftmaxOutput", "softmax", [9, 10], {}),
]  # fmt: skip


def _net(rows: bool = True) -> dict[str, Any]:
    nodes = [
        {"op": op, "name": name, **({"attrs": attrs} if attrs else {}), "inputs": [[k, 0, 0] for k in inputs]}
        for op, name, inputs, attrs in _OPS
    ]
    return {
        "nodes": nodes,
        "arg_nodes": [k for k, node in enumerate(nodes) if node["op"] == "null"],
        **({"node_row_ptr": list(accumulate([1] * len(nodes), initial=0))} if rows else {}),
        "heads": [[len(nodes) - 1, 0, 0]],
        "attrs": {"mxnet_version": ["int", 10901]},
    }


def _found(text: str) -> list[Finding]:
    return [f for f in engine.lint(text, "model-symbol.json").findings if str(f.severity) == "error"]


@pytest.mark.parametrize("rows", [True, False])
@pytest.mark.parametrize("lost", range(len(_OPS)))
def test_a_lost_node_is_one_error_at_its_place(lost: int, rows: bool) -> None:
    graph = _net(rows)
    del graph["nodes"][lost]
    text = render(graph)
    (finding,) = _found(text)
    if finding.code == "R006" and not rows and lost == len(_OPS) - 1:
        return  # of the end only the output is out of range, which may be wrong itself
    assert finding.code == "R208"
    at = min(lost, len(graph["nodes"]) - 1)
    assert finding.node == graph["nodes"][at]["name"]


@pytest.mark.parametrize("doubled", [k for k, row in enumerate(_OPS) if k < len(_OPS) - 2])
def test_a_doubled_node_is_one_error_and_taken_out(doubled: int) -> None:
    graph = _net()
    whole = render(graph)
    graph["nodes"].insert(doubled, copy.deepcopy(graph["nodes"][doubled]))
    (finding,) = _found(render(graph))
    assert (finding.code, finding.node) == ("R208", graph["nodes"][doubled]["name"])
    fixed = fixes.fix(render(graph), lambda text: engine.lint(text, "model-symbol.json").findings, unsafe=True)
    assert json.loads(fixed.text) == json.loads(whole)


@pytest.mark.parametrize("name", ["conv0_weight", "conv0_bias", "fc0_weight", "fc0_bias"])
def test_a_lost_parameter_is_put_back(name: str) -> None:
    graph = _net()
    whole = json.dumps(graph)
    graph["nodes"] = [node for node in graph["nodes"] if node["name"] != name]
    fixed = fixes.fix(json.dumps(graph), lambda text: engine.lint(text, "model-symbol.json").findings, unsafe=True)
    assert json.loads(fixed.text) == json.loads(whole)


def test_several_nodes_in_a_row_are_lost() -> None:
    graph = _net()
    del graph["nodes"][3:6]
    (finding,) = _found(json.dumps(graph))
    assert finding.code == "R208"
    assert finding.message.startswith("3 missing nodes before variable 'fc0_weight'")


def test_one_wrong_entry_is_no_shift() -> None:
    for change in ("arg_nodes", "heads", "inputs"):
        graph = _net()
        if change == "inputs":
            graph["nodes"][8]["inputs"][0][0] = 99
        elif change == "heads":
            graph["heads"] = [[12, 0, 0]]
        else:
            graph["arg_nodes"][2] = 3
        assert "R208" not in {f.code for f in _found(json.dumps(graph))}
