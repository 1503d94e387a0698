"""What changed between two models, found by name and by structure."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mobilenet import mobilenet_v2

from irlint import engine
from irlint.cli import main
from irlint.inspection.review.changes import differences
from irlint.inspection.review.changes_report import lines, markdown, record, shown
from irlint.inspection.review.difference import ChangedNode, Difference, NodeChange, NodePair
from irlint.inspection.weights import _apart
from irlint.rules.base import Model

BINARY = ("elemwise_add", "elemwise_mul", "broadcast_max", "broadcast_min")
Calls = list[tuple[str, str, list[str]]]  # name, operator, names read


def model(text: str, as_format: str | None = None) -> Model:
    found = engine.lint(text, "model", as_format=as_format).model
    assert found is not None
    return found


def symbol(calls: Calls, attrs: dict[str, dict[str, str]] | None = None) -> str:
    names = ["x", "y", *(name for name, _, _ in calls)]
    nodes: list[dict[str, object]] = [{"op": "null", "name": name, "inputs": []} for name in ("x", "y")]
    for name, op, inputs in calls:
        node: dict[str, object] = {"op": op, "name": name, "inputs": [[names.index(i), 0, 0] for i in inputs]}
        nodes.append({**node, **({"attrs": attrs[name]} if attrs and name in attrs else {})})
    return json.dumps(
        {
            "nodes": nodes,
            "arg_nodes": [0, 1],
            "node_row_ptr": list(range(len(nodes) + 1)),
            "heads": [[len(nodes) - 1, 0, 0]],
        }
    )


@st.composite
def chains(draw: st.DrawFn) -> Calls:
    """Models every call of which the next one reads."""
    calls: Calls = []
    names = ["x", "y"]
    for k in range(draw(st.integers(2, 12))):
        calls.append((f"n{k}", draw(st.sampled_from(BINARY)), [names[-1], draw(st.sampled_from(names))]))
        names.append(f"n{k}")
    return calls


def compare(old: Calls, new: Calls) -> Difference:
    return differences(model(symbol(old), "nnvm:mxnet"), model(symbol(new), "nnvm:mxnet"))


@given(chains())
def test_a_model_does_not_differ_from_itself(calls: Calls) -> None:
    found = compare(calls, calls)
    assert found.is_empty
    assert found.same == len(calls) + 2


@given(chains(), st.data())
def test_a_call_put_in_is_found(calls: Calls, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(calls) - 2))
    name, op, inputs = calls[at + 1]
    put = ("put", "tanh", [calls[at][0]])
    new = [*calls[: at + 1], put, (name, op, ["put", inputs[1]]), *calls[at + 2 :]]
    found = compare(calls, new)
    assert [entry.name for entry in found.added] == ["put"]
    assert found.removed == []
    assert [(e.name, [(c.what, c.key, c.old, c.new) for c in e.changes]) for e in found.changed] == [
        (name, [("input", "0", calls[at][0], "put")])
    ]
    back = compare(new, calls)
    assert [entry.name for entry in back.removed] == ["put"]
    assert [entry.name for entry in back.changed] == [name]


@given(chains(), st.data())
def test_another_operator_is_found(calls: Calls, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(calls) - 1))
    name, op, inputs = calls[at]
    other = data.draw(st.sampled_from([word for word in BINARY if word != op]))
    found = compare(calls, [*calls[:at], (name, other, inputs), *calls[at + 1 :]])
    assert (found.added, found.removed, found.outputs) == ([], [], [])
    assert [(e.name, [c[:4] for c in e.changes]) for e in found.changed] == [(name, [("operator", "", op, other)])]


@given(chains())
def test_other_names_are_no_other_model(calls: Calls) -> None:
    names = {"x": "x", "y": "y", **{name: f"other_{name}" for name, _, _ in calls}}
    found = compare(calls, [(names[name], op, [names[i] for i in inputs]) for name, op, inputs in calls])
    assert (found.added, found.removed, found.outputs) == ([], [], [])
    assert {change.what for entry in found.changed for change in entry.changes} <= {"name"}
    counted = found.counted.get("renamed", [])
    assert len(found.changed) + len(counted) == len(calls)
    assert bool(counted) == (len(calls) > 2)


def test_attributes_and_types() -> None:
    calls: Calls = [("c", "clip", ["x"]), ("d", "elemwise_add", ["c", "y"])]
    old = symbol(calls, {"c": {"a_min": "0", "a_max": "6"}})
    new = symbol(calls, {"c": {"a_min": "0", "a_max": "7"}})
    (entry,) = differences(model(old, "nnvm:mxnet"), model(new, "nnvm:mxnet")).changed
    assert [change[:4] for change in entry.changes] == [("attribute", "a_max", "6", "7")]


def test_another_constant_that_is_read_is_shown_with_its_value() -> None:
    text = """<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) <float low = {0.0}, float high = {6.0}> { h = Clip (x, low, high) y = Clip (h, low, high) }
"""
    other = text.replace("{6.0}", "{6.0}, float most = {5.5}").replace("(h, low, high", "(h, low, most")
    found = differences(model(text, "onnx"), model(other, "onnx"))
    (change,) = [one for entry in found.changed for one in entry.changes if one.what == "input"]
    assert change[:4] == ("input", "2", "high (6.0)", "most (5.5)")


def test_a_listing_s_ids_are_no_names(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("0 abs ['x']\n1 exp [0]\n2 tanh [1]\n3 exp [2]\n")
    new.write_text("0 abs ['x']\n1 nn.relu [0]\n2 exp [1]\n3 tanh [2]\n4 exp [3]\n")
    assert main(["diff", str(old), str(new)]) == 1
    assert capfd.readouterr().out == (
        "1 added, 0 removed, 1 changed, 4 unchanged\n+ 1 (nn.relu)\n~ 2 (exp)\n    input 0: 0 -> 1\n"
    )
    assert main(["diff", str(old), str(new), "--output-format", "json"]) == 1
    record = json.loads(capfd.readouterr().out)
    assert [entry["operator"] for entry in record["added"]] == ["nn.relu"]
    assert main(["diff", str(old), str(new), "--output-format", "markdown"]) == 1
    assert "- 1 (nn.relu)\n" in capfd.readouterr().out
    assert main(["diff", str(old), str(old)]) == 0
    assert main(["diff", "-", "-"]) == 2
    assert main(["diff", str(old), str(tmp_path / "none")]) == 2
    (tmp_path / "plain.json").write_text("no model", encoding="utf-8")
    assert main(["diff", str(old), str(tmp_path / "plain.json")]) == 2  # not compared


def test_a_long_model_against_a_longer_one() -> None:
    text = mobilenet_v2()
    assert differences(model(text), model(text)).is_empty
    chain = "".join(f"{n} nn.relu [{n - 1 if n else repr('x')}]\n" for n in range(20_000))
    longer = chain + "20000 nn.softmax [19999]\n"
    found = differences(model(chain), model(longer))
    assert [entry.op for entry in found.added] == ["nn.softmax"]
    assert found.removed == []


def test_types_that_only_follow_are_a_consequence() -> None:
    """A cause keeps its place among the changes; what it does to types downstream is listed apart."""

    def shaped(shape: str) -> Model:
        nodes = [
            {"op": "null", "name": "x", "inputs": [], "attrs": {"__shape__": shape}},
            {"op": "relu", "name": "a", "inputs": [[0, 0, 0]]},
            {"op": "tanh", "name": "b", "inputs": [[1, 0, 0]]},
        ]
        return model(json.dumps({"nodes": nodes, "arg_nodes": [0], "heads": [[2, 0, 0]]}), "nnvm:mxnet")

    found = differences(shaped("(2, 3)"), shaped("(2, 4)"))
    assert [entry.name for entry in found.changed] == ["x"]
    assert [entry.name for entry in found.follows] == ["a", "b"]
    assert [pair.status for pair in found.pairs] == ["changed", "follows", "follows"]
    record_ = record(found)
    assert [(entry["name"], entry["consequence"]) for entry in record_["changed"]] == [
        ("x", False),
        ("a", True),
        ("b", True),
    ]
    text = lines(found)
    assert text[text.index("as a consequence:") + 1] == "  a (relu): [2, 3] -> [2, 4]"
    assert text[0] == "0 added, 0 removed, 1 changed, 2 with other types as a consequence, 0 unchanged"
    assert "### Other types as a consequence" in markdown(found, "a", "b")


def test_other_values_of_weights_are_a_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, value in (("a", 1.0), ("b", 2.0)):
        data = struct.pack("<4f", value, 2, 3, 4)
        (tmp_path / f"{name}.bin").write_bytes(data)
        (tmp_path / f"{name}.xml").write_text(_CONSTANT, encoding="utf-8")
    old, new = (tmp_path / f"{name}.xml" for name in "ab")
    assert main(["diff", str(old), str(new)]) == 1
    assert "\n    weights: other values, at most 25 % apart\n" in capsys.readouterr().out
    assert main(["diff", str(old), str(new), "--output-format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["changed"][0]["changes"][0]["distance"] == 0.25
    assert main(["diff", str(old), str(new), "--no-weights"]) == 0
    assert main(["diff", str(old), str(old)]) == 0


def test_how_far_weights_are_apart_is_that_of_all_in_a_group() -> None:
    changes = [NodeChange("weights", "", None, None, distance=one) for one in (0.02, 2.5, 1e-7)]
    entries = [ChangedNode(f"w{k}", "Const", (changes[min(k, 1)],)) for k in range(11)]
    found = Difference([], [], entries, [], [], [], [], {}, 0, [NodePair(None, None, "changed")] * 11)
    assert lines(found)[-1] == "    weights: other values, at most 250 % apart"
    assert shown(changes[2:]) == [("weights", "other values, at most 0.001 % apart")]


@pytest.mark.parametrize(
    ("old", "new", "apart"),
    [
        (np.float32([1, -4]), np.float32([1, -3]), 0.25),
        (np.int64([2**62]), np.int64([2**62 + 1]), np.inf),  # not seen in floats
        (np.float32([1, np.nan]), np.float32([1, 2]), np.inf),
        (np.bool_([True]), np.bool_([False]), 1),
        (np.array([b"a"], object), np.array([b"b"], object), np.inf),
        (np.ones((1 << 20) + 1, np.float16), np.append(np.ones(1 << 20, np.float16), np.float16(4)), 0.75),
    ],
)
def test_how_far_values_are_apart(old: Any, new: Any, apart: float) -> None:
    assert _apart(old, new) == apart


_CONSTANT = """<net name="n" version="11"><layers>
<layer id="0" name="w" type="Const" version="opset1"><data element_type="f32" shape="4" offset="0" size="16"/>
<output><port id="0" precision="FP32"><dim>4</dim></port></output></layer>
<layer id="1" name="r" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>4</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
"""


def test_bodies_are_compared_node_by_node_and_not_as_attributes() -> None:
    text = """<ir_version: 8, opset_import: ["": 17]>
    g (bool c, float[2] x) => (float[2] y) { [if] y = If <then_branch: graph = t () => (float[2] a) { [in] a = %s (x) }, else_branch: graph = e () => (float[2] b) { b = Abs (x) }> (c) }"""
    old, new = (model(text % op, "onnx") for op in ("Neg", "Relu"))
    found = differences(old, new)
    assert [(entry.name, [change.what for change in entry.changes]) for entry in found.changed] == [
        ("in", ["operator"])
    ]


def test_branches_that_are_exchanged() -> None:
    """Each branch is what it was, but of the other attribute."""
    branches = [
        "then_branch: graph = t () => (float[2] a) { a = Exp (x) }",
        "else_branch: graph = e () => (float[2] b) { b = Sin (x) }",
    ]
    exchanged = [
        text.replace("then_", "_").replace("else_", "then_").replace(" _", " else_")
        for text in (f" {one}" for one in branches)
    ]
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (bool c, float[2] x) => (float[2] y)'
    old, new = (model(f"{head} {{ y = If <{', '.join(texts)}> (c) }}\n") for texts in (branches, exchanged))
    assert not differences(old, new).is_empty
    assert differences(old, old).is_empty
