"""Operators that MXNet's oneDNN backend fused: attributes under former names, which MXNet 1.9.1 renames as it reads them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irlint import engine, fixes

_DENSE = ("FullyConnected", {"num_hidden": "4"})
_CONVOLUTION = ("Convolution", {"kernel": "(3, 3)", "num_filter": "4"})
CONVOLUTION, DENSE = "_sg_mkldnn_conv", "_sg_mkldnn_fully_connected"


def _variables(*names: str) -> list[dict[str, Any]]:
    return [{"op": "null", "name": name, "inputs": []} for name in names]


def fused(op: str, attrs: dict[str, str], version: int = 10500) -> str:
    inner, given = _CONVOLUTION if op == CONVOLUTION else _DENSE
    entries = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    body = {
        "nodes": [
            *_variables("data0", "weight0", "bias0"),
            {"op": inner, "name": "inner", "attrs": given, "inputs": entries},
            {"op": "Activation", "name": "act", "attrs": {"act_type": "relu"}, "inputs": [[3, 0, 0]]},
        ],
        "arg_nodes": [0, 1, 2],
        "node_row_ptr": [0, 1, 2, 3, 4, 5],
        "heads": [[4, 0, 0]],
    }
    node = {"op": op, "name": "it", "attrs": attrs, "inputs": entries, "subgraphs": [body]}
    graph = {
        "nodes": [*_variables("data", "weight", "bias"), node],
        "arg_nodes": [0, 1, 2],
        "heads": [[3, 0, 0]],
        "attrs": {"mxnet_version": ["int", version]},
    }
    return json.dumps(graph, indent=1)


def said(text: str) -> list[str]:
    return [f"{f.severity} {f.code}: {f.message}" for f in engine.lint(text, "model-symbol.json").findings]


@pytest.mark.parametrize(
    ("op", "attrs"),
    [
        (CONVOLUTION, {"with_act": "true"}),
        (CONVOLUTION, {"with_relu": "true"}),
        (CONVOLUTION, {"with_relu": "true", "with_postsum_relu": "false"}),
        (CONVOLUTION, {"with_relu": "true", "with_act": "false"}),  # the former name wins
        (CONVOLUTION, {"with_postsum_relu": "True", "with_bn": "0", "quantized": "false"}),
        (DENSE, {"with_eltwise": "True"}),
        (DENSE, {"with_relu": "true", "min_calib_range": "None", "channel_wise_quantize": "None"}),
    ],
)
@pytest.mark.parametrize("version", [10500, 10901])  # whatever release wrote them
def test_former_names(op: str, attrs: dict[str, str], version: int) -> None:
    text = fused(op, attrs, version)
    assert said(text) == []
    assert fixes.fix(text, lambda t: engine.lint(t, "model-symbol.json").findings, unsafe=True).text == text


@pytest.mark.parametrize(
    ("op", "attrs", "words"),
    [
        (
            CONVOLUTION,
            {"with_relu": "maybe"},
            "error A004: expected `True` or `False` for `with_relu` of _sg_mkldnn_conv 'it', got `maybe`",
        ),
        (
            CONVOLUTION,
            {"with_relu": "true", "in_sum_at_begin": "0"},
            "error A001: unknown attribute `in_sum_at_begin` for _sg_mkldnn_conv 'it'",
        ),
        (
            DENSE,
            {"with_eltwise": "yes"},
            "error A004: expected `True` or `False` for `with_eltwise` of _sg_mkldnn_fully_connected 'it', got `yes`",
        ),
        (
            DENSE,
            {"with_relu": "1", "num_hidden": "4"},
            "error A001: unknown attribute `num_hidden` for _sg_mkldnn_fully_connected 'it'",
        ),
        # MXNet 1.9.1 then computes the graph without its activation
        (
            CONVOLUTION,
            {"with_relu": "false", "with_act": "true"},
            "Activation in its subgraph never runs; it needs `with_",
        ),
        (CONVOLUTION, {}, "Activation in its subgraph never runs; it needs `with_act=True` or `with_postsum_act=True`"),
        (DENSE, {}, "Activation in its subgraph never runs; it needs `with_eltwise=True`"),
    ],
)
def test_what_mxnet_refuses_or_leaves_out(op: str, attrs: dict[str, str], words: str) -> None:
    found = said(fused(op, attrs))
    assert len(found) == 1
    assert words in found[0]
