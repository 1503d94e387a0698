"""Inlay hints and lenses: what they add to the text, how long they are, where they are."""

from __future__ import annotations

import json
from typing import Any

from lsp.client import Client
from lsp.requests import ALL
from lsp.samples import Sample, glacier, nnvm, openvino

LONG = "stage_4/unit_12/convolution_of_the_residual/weight"


def hints(client: Client, uri: str, text: str) -> list[dict[str, Any]]:
    client.open(uri, text)
    found: list[dict[str, Any]] = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": ALL})
    client.close(uri)
    return found


def lenses(client: Client, uri: str, text: str) -> list[dict[str, Any]]:
    client.open(uri, text)
    found: list[dict[str, Any]] = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
    client.close(uri)
    return found


def test_ids_of_a_listing_show_operators_and_names_nothing(shared: Client, uri: str) -> None:
    found = hints(shared, uri, "0 nn.pad ['data']\n1 nn.conv2d [0, 'weight']\n2 nn.relu [1]\n")
    assert [(h["position"]["line"], h["label"]) for h in found] == [(1, "nn.pad"), (2, "nn.conv2d")]


def test_an_edge_between_layers_that_are_named_by_their_ids_shows_operators(shared: Client, uri: str) -> None:
    text = openvino().replace('name="relu1"', 'name="1"')
    edge = text.split("\n").index('\t\t<edge from-layer="1" from-port="1" to-layer="2" to-port="0" />')
    found = hints(shared, uri, text)
    assert [h["label"] for h in found if h["position"]["line"] == edge] == ["ReLU", "relu2"]


def test_mxnet_inputs_without_a_type_are_float32(shared: Client, uri: str) -> None:
    shaped = nnvm().replace('"name": "data",', '"name": "data", "attrs": {"__shape__": "(1, 8)"},')
    assert [h["label"] for h in hints(shared, uri, shaped)][:2] == ["data : f32[1,8]", "act1 : f32[1,8]"]
    half = shaped.replace('"(1, 8)"', '"(1, 8)", "__dtype__": "2"')
    assert [h["label"] for h in hints(shared, uri, half)][:2] == ["data : f16[1,8]", "act1 : f16[1,8]"]


def test_a_long_hint_is_cut_and_whole_in_its_tooltip(shared: Client, uri: str) -> None:
    text = nnvm().replace('"data"', json.dumps(LONG)).replace('"act1"', '"act\\u202e1"')
    first, second, *_ = hints(shared, uri, text.replace('"act2"', json.dumps("x" * 40)))
    assert first["label"].startswith("…")
    assert len(first["label"]) == 40
    assert first["label"].endswith("residual/weight : f32[...]")
    assert first["tooltip"] == f"{LONG} : f32[...]"
    assert "\u202e" not in second["label"]
    assert "tooltip" not in second


def test_hints_are_short(shared: Client, uri: str, sample: Sample) -> None:
    assert all(len(hint["label"]) <= 40 and hint["label"].strip() for hint in hints(shared, uri, sample.text))


def test_lenses_are_at_the_first_line_of_a_node(shared: Client, uri: str) -> None:
    for text, first in ((nnvm(), "    {"), (openvino(), "\t\t<layer "), (glacier(), "0 nn.relu")):
        found = lenses(shared, uri, text)
        assert len(found) >= 6
        lines = text.split("\n")
        assert lines[found[0]["range"]["start"]["line"]].startswith(first)
    lines = nnvm().split("\n")
    for lens in lenses(shared, uri, nnvm()):
        assert lines[lens["range"]["start"]["line"]].strip() == "{"
        if lens["command"]["command"] == "irlint.showConsumers":
            assert '"name": "act' in lines[lens["command"]["arguments"][1]]


def test_nodes_that_share_a_line_have_no_lenses(shared: Client, uri: str) -> None:
    assert lenses(shared, uri, json.dumps(json.loads(nnvm()))) == []
