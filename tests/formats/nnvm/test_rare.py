"""What few graphs have: odd spellings of numbers, entries that editors ask about, nested graphs that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dryrun.mxnet_nested import SYMBOLS

from irlint import api, engine
from irlint.formats.base import by_name
from irlint.settings import Settings
from irlint.text.base import Span, apply

from .models import Builder, Graph

FORMAT = by_name("nnvm")
assert FORMAT is not None


def one(op: str, **attrs: str) -> Graph:
    builder = Builder()
    return builder.graph(builder.add(op, "y", [builder.var("x", (2, 3))], attrs))


def linted(graph: Graph, **settings: Any) -> engine.Result:
    return engine.lint(json.dumps(graph), "net-symbol.json", Settings(**settings))


@pytest.mark.parametrize(
    ("graph", "code"),
    [
        (one("slice_axis", axis="1", begin="0", end="3L"), None),  # as Python 2 wrote it
        (one("slice_axis", axis="1", begin="0", end="3L x"), "A003"),
        (one("_contrib_MultiBoxPrior", sizes="(1e,2)"), "A003"),
        (one("_contrib_MultiBoxPrior", sizes="(1e999,2)"), "A006"),
        (one("transpose", axes="Nonex"), "A003"),
        (one("Reshape", target_shape="(2,0)"), None),
    ],
)
def test_spellings_of_numbers(graph: Graph, code: str | None) -> None:
    assert [finding.code for finding in linted(graph).findings] == ([] if code is None else [code])


def test_a_release_without_nested_graphs() -> None:
    graph = one("relu")
    graph["nodes"][1]["subgraphs"] = []
    found = {f.code: f.message for f in linted(graph, targets={"mxnet": "1.2"}).findings}
    assert found["C002"] == "key `subgraphs` requires MXNet 1.3; MXNet 1.2 refuses the file"


@pytest.mark.parametrize(
    ("attrs", "shape"),
    [({"target_shape": "(3,0)"}, (3, 2)), ({"target_shape": "(9,0)", "keep_highest": "True"}, (2, 3))],
)
def test_old_names_of_a_new_shape(tmp_path: Path, attrs: dict[str, str], shape: tuple[int, ...]) -> None:
    """An input that is an output has its own name."""
    builder = Builder()
    x = builder.var("x", (2, 3))
    path = tmp_path / "net-symbol.json"
    path.write_text(json.dumps(builder.graph(builder.add("Reshape", "y", [x], attrs), x)))
    found = api.run(path, inputs={"x": np.ones((2, 3), np.float32)})
    assert {name: array.shape for name, array in found.items()} == {"y_output": shape, "x": (2, 3)}


def test_what_editors_ask() -> None:
    graph = one("relu")
    graph["nodes"][0]["attrs"] = {"__shape__": "(2, 3)"}
    graph["heads"] = [[99, 0, 0]]
    text = json.dumps(graph)
    model = engine.lint(text, "net-symbol.json").model
    assert model is not None
    assert FORMAT is not None
    navigation = FORMAT.navigation()
    assert navigation.referent(model, text.index("99")) is None
    token = navigation.token_at(model, text.index("__shape__") + 1)
    assert token is not None
    assert "__dtype__" in [choice.text for choice in navigation.choices(model, token)]


def test_a_suppression_makes_the_attributes_that_hold_it() -> None:
    graph = one("relu")
    for holder in (graph, graph["nodes"][1]):
        holder.pop("attrs", None)
    text = json.dumps(graph)
    assert FORMAT is not None
    ignores, document = FORMAT.ignores("mxnet"), FORMAT.open(text, "net-symbol.json")
    assert ignores is not None
    for at, holder in ((1, graph), (text.index("relu"), graph["nodes"][1])):
        anchor = ignores.anchor(document, Span(at, at + 1))
        changed = json.loads(apply(text, ignores.edits(document, anchor, "ignore[A001]")))
        found = changed if holder is graph else changed["nodes"][1]
        assert list(found["attrs"]) == ["__irlint__"]
    wrapped = FORMAT.open(f"[{text}]", "net-symbol.json")
    assert ignores.anchor(wrapped, Span(1, 2)) is None


def nested(**attrs: str) -> Graph:
    body = one("Activation", act_type="relu", nonsense="1", __irlint__="ignore[A001]")
    given = {"num_args": "2", "num_outputs": "1", "num_out_data": "1", "in_data_locs": "(0,)", "in_state_locs": "()"}
    graph = one("_foreach", **given, remain_locs="()")
    graph["nodes"][1]["attrs"] |= attrs
    graph["nodes"][1]["subgraphs"] = [{key: body[key] for key in ("nodes", "arg_nodes", "node_row_ptr", "heads")}]
    return graph


def test_a_suppression_inside_a_nested_graph() -> None:
    assert "A001" not in [finding.code for finding in linted(nested()).findings]
    graph = nested()
    del graph["nodes"][1]["subgraphs"][0]["nodes"][1]["attrs"]["__irlint__"]
    assert "A001" in [finding.code for finding in linted(graph).findings]


def test_feeds_and_outputs_of_a_graph_that_cannot_run() -> None:
    assert FORMAT is not None
    for graph in (nested(in_data_locs="(7,)"), one("noSuchOperator")):
        model = linted(graph).model
        assert model is not None
        mapping = FORMAT.dryrun(model)
        assert mapping is not None
        assert [feed.names[0] for feed in mapping.feeds(model.graph)] == ["x"]
        assert mapping.output_names(model.graph) == ["y_output"]


def test_a_graph_of_another_runtime_far_down() -> None:
    nodes = [
        {"op": "input", "name": "x", "inputs": []},
        {"op": "kernel", "name": "k", "inputs": [[0, 0, 0]], "attrs": {}},
    ]
    graph = {"nodes": nodes, "arg_nodes": [0], "heads": [[1, 0, 0]], "node_row_ptr": [0, 1, 2]}
    text = f"{{{' ' * (1 << 16)}{json.dumps(graph)[1:]}"
    assert [finding.code for finding in engine.lint(text, "net.json").findings] == ["S012"]


@pytest.mark.parametrize(
    ("attrs", "words"),
    [
        ({}, None),
        (
            {"num_out_data": "2"},
            "expected 2 loop variables (`num_outputs` - `num_out_data`), as `func_var_locs` has, got 1",
        ),
        ({"func_var_locs": "(0, 5)"}, "undefined input 5 of the body in `func_var_locs`; it has 2 inputs"),
    ],
)
def test_states_of_a_loop(attrs: dict[str, str], words: str | None) -> None:
    graph = json.loads(SYMBOLS["while"][0])
    loop = next(node for node in graph["nodes"] if node["op"] == "_while_loop")
    loop["attrs"] |= attrs
    found = [finding.message for finding in linted(graph).findings if finding.code == "O201"]
    assert [message.partition(": ")[2] for message in found] == ([] if words is None else [words])


def test_a_fused_graph_without_operators() -> None:
    graph = one("_sg_mkldnn_conv", with_act="False")
    graph["nodes"][1]["subgraphs"] = [{"nodes": [{"name": "x"}]}]
    assert {"T001", "T002"} & {finding.code for finding in linted(graph).findings}
