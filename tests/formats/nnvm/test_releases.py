"""`--target mxnet=`: what an earlier release refuses. The loaders of 1.0.0 to 1.9.1 were asked about each row."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rule_cases.texts import SYMBOL, TVM_GRAPH

from irlint import api, engine
from irlint.config.build import target_trouble
from irlint.settings import Settings

DATA: dict[str, Any] = {"op": "null", "name": "data", "inputs": []}


def said(text: str, *targets: tuple[str, str]) -> list[str]:
    findings = engine.lint(text, "model-symbol.json", Settings(targets=targets)).findings
    return [f"{f.severity} {f.code}" for f in findings]


def symbol(op: str, version: int = 10000, **attrs: str) -> str:
    node = {"op": op, "name": "it", "attrs": attrs, "inputs": [[0, 0, 0]]}
    attributes = {"mxnet_version": ["int", version]}
    return json.dumps({"nodes": [DATA, node], "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": attributes})


POOLING = {"kernel": "(2, 2)", "pool_type": "max"}


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        (symbol("_npi_absolute"), "1.6", []),
        (symbol("_npi_absolute"), "1.5.1", ["error C002"]),
        (symbol("Pooling", **POOLING, layout="NCHW"), "1.5", []),
        (symbol("Pooling", **POOLING, layout="NCHW"), "1.4.1", ["error C002"]),
        (symbol("Cast", dtype="bool"), "1.6", []),
        (symbol("Cast", dtype="bool"), "1.5", ["error C002"]),
        (symbol("Pooling", kernel="(2, 2)"), "1.2", []),
        (symbol("Pooling", kernel="(2, 2)"), "1.1", ["error C002"]),
        # is_int is new in 1.7; releases before it ignore what they do not know of these operators
        (symbol("_plus_scalar", scalar="1", is_int="True"), "1.6", []),
        # the loader moves such keys out of the way in files of earlier releases than its own
        (symbol("FullyConnected", 10400, num_hidden="4", no_bias="True", lr_mult="2"), "1.5.1", ["error O002"]),
        (
            symbol("FullyConnected", 10501, num_hidden="4", no_bias="True", lr_mult="2"),
            "1.5.1",
            ["error A001"],
        ),
        (symbol("relu", 10901), "1.5", ["info C201"]),
        (symbol("relu", 10501), "1.5", []),
        (symbol("relu", 10501), "1.5.0", ["info C201"]),
        # no longer in 1.9.1
        (symbol("_np_ones_like"), "1.6", []),
        (symbol("_np_ones_like"), "1.7", ["error O001"]),
        (symbol("_npi_concatenate", num_args="1", dim="0"), "1.8", []),
        (symbol("_npi_concatenate", num_args="1", dim="0"), "1.9", ["error A001"]),
    ],
)
def test_releases(text: str, target: str, expected: list[str]) -> None:
    assert said(text, ("mxnet", target)) == expected


@pytest.mark.parametrize("target", ["banana", "2.0", "0.12", "1", "1.x", "7"])
def test_targets_that_are_no_release(target: str) -> None:
    assert target_trouble("mxnet", target) == f"expected a release of MXNet from 1.0 to 1.9, got {target!r}"
    for name in ("nnvm", "classic", "mxnet-legacy"):
        assert target_trouble(name, target) == f"{name} has no releases; use mxnet= or tvm="
    assert said(SYMBOL, ("mxnet", target)) == []


def test_targets_that_are_releases() -> None:
    assert [target_trouble("mxnet", text) for text in ("1.0", "1.9", "1.9.1", "v1.5.0")] == [None] * 4
    assert [target_trouble("tvm", text) for text in ("0.6", "0.10", "0.19.0")] == [None] * 3
    assert target_trouble("tvm", "banana") == "expected a release of TVM such as 0.10, got 'banana'"


def test_targets_of_other_dialects_have_no_effect() -> None:
    assert said(TVM_GRAPH, ("mxnet", "1.0"), ("tvm", "0.8")) == []
    assert said(SYMBOL, ("tvm", "0.8")) == []


def test_a_part_that_is_lost_may_say_which_mxnet_wrote_the_file() -> None:
    text = symbol("relu")
    whole = text.replace(', "attrs": {"mxnet_version": ["int", 10000]}', "")
    assert whole != text
    assert said(whole) == ["info C201"]
    for size in range(text.index('"inputs": [[0'), len(text)):
        assert "info C201" not in said(text[:size])
    early = text.replace(', "attrs": {"mxnet', '}, "attrs": {"mxnet')
    assert "info C201" not in said(early)


@pytest.mark.parametrize(("version", "shape"), [(800, (1,)), (904, (1,)), (905, (2,)), (10901, (2,))])
@pytest.mark.parametrize("op", ["argmax", "argmin"])
def test_an_axis_that_the_loader_drops(op: str, version: int, shape: tuple[int, ...]) -> None:
    """Before 0.9.5 -1 meant all axes, so that MXNet 1.9.1 removes it from files of that age."""
    graph = json.loads(symbol(op, version, axis="-1"))
    graph["nodes"][0]["attrs"] = {"__shape__": "(2, 3)"}
    assert api.infer(api.load(json.dumps(graph)))["it"][0].shape == shape
