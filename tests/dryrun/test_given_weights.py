"""Runs take values for weights and constants as for inputs, in every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irlint
from irlint.cli import main
from irlint.dryrun.running import feeds

EXAMPLES = Path(__file__).parents[2] / "examples"
MODELS = (
    "onnx/digits.onnx",
    "openvino/digits.xml",
    "lightnet/digits.json",
    "nnvm/lenet-symbol.json",
    "onnx/steps.onnxtxt",
)
NCNN = """7767517
3 3
Input       in    0 1 in 0=3
MemoryData  held  0 1 held 0=3
BinaryOp    sum   2 1 in held out 0=0
"""
SYMBOL = {
    "nodes": [
        {"op": "null", "name": "data", "inputs": []},
        {"op": "null", "name": "x1", "inputs": []},
        {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "3", "no_bias": "True"}, "inputs": [[0, 0, 0], [1, 0, 0]]},
    ],
    "arg_nodes": [0, 1],
    "heads": [[2, 0, 0]],
    "attrs": {"mxnet_version": ["int", 10901]},
}  # fmt: skip


def of(path: Path) -> tuple[feeds.Settable, dict[str, Any], dict[str, Any]]:
    """Return what may be given, the inputs, and values for all weights: the model's own, or ones."""
    model = irlint.load(path)
    mapping, graph = model.graph.mapping, model.graph
    known = feeds.settable(mapping, graph)
    rng = np.random.RandomState(3)
    given = feeds.resolve(
        known.feeds, {f.node: feeds.GivenInput(None, (1, 1, 28, 28)) for f in known.feeds if f.type.shape is None}
    )
    inputs = {f.names[0]: rng.uniform(0, 1, given.types[f.node][1]).astype(given.types[f.node][0]) for f in known.feeds}
    types = irlint.infer(model, inputs)
    weights = {}
    for weight in known.weights:
        node = graph.nodes[weight.node]
        try:
            weights[weight.names[0]] = mapping.array(node)
        except LookupError:
            dtype, shape = types[node.name][0]
            weights[weight.names[0]] = np.ones(shape, dtype or "float32")  # type: ignore[arg-type]
    return known, inputs, weights


@pytest.mark.parametrize("name", MODELS)
def test_every_weight_may_be_given(name: str) -> None:
    path = EXAMPLES / name
    _, inputs, weights = of(path)
    assert weights
    before = irlint.run(path, {**inputs, **weights})
    if name not in ("nnvm/lenet-symbol.json", "lightnet/digits.json"):  # whose values are drawn
        own = irlint.run(path, inputs)
        assert all(np.array_equal(own[key], before[key]) for key in before)
    word = next(w for w, a in weights.items() if a.dtype == "float32")
    other = irlint.run(path, {**inputs, **weights, word: weights[word] * 2 + 1})
    assert not all(np.array_equal(other[key], before[key]) for key in before)


def test_a_constant_of_ncnn(tmp_path: Path) -> None:
    path = tmp_path / "net.ncnn.param"
    path.write_text(NCNN)
    inputs = {"in": np.ones(3, "float32"), "held": np.array([1, 2, 3], "float32")}
    assert irlint.run(path, inputs)["out"].tolist() == [2, 3, 4]


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "net-symbol.json"
    path.write_text(json.dumps(SYMBOL))
    arrays = {"data": np.ones((1, 4), "float32"), "x1": np.full((3, 4), 2, "float32")}
    np.savez(tmp_path / "in.npz", **arrays)
    command = ["run", str(path), "--output-format", "json", "--input"]
    assert main([*command, str(tmp_path / "in.npz")]) == 0
    assert json.loads(capsys.readouterr().out)["outputs"][0]["value"] == [[8, 8, 8]]
    assert main([*command, "data=1,4", "--input", "x1=3,4"]) == 0
    shown = json.loads(capsys.readouterr().out)["inputs"]
    assert [(i["name"], i["shape"]) for i in shown] == [("data", [1, 4]), ("x1", [3, 4])]
    assert main([*command, "data=1,4", "--input", "x1=3,5"]) == 1
    assert "row lengths" in capsys.readouterr().err
    assert main([*command, "x2=3,4"]) == 2
    assert "the inputs are 'data'; weights can be set, too: 'x1'" in capsys.readouterr().err
    assert main(["summary", str(path), "--input", "data=2,4", "--input", "x1=3,4"]) == 0


def test_from_python() -> None:
    text = json.dumps(SYMBOL).encode()
    model = irlint.load(text)
    assert irlint.infer(model, {"data": (2, 4), "x1": (3, 4)})["fc"][0].shape == (2, 3)
    with pytest.raises(ValueError, match="unknown input 'x2'; the inputs are 'data'; weights can be set, too: 'x1'"):
        irlint.infer(model, {"x2": (3, 4)})
    with pytest.raises(ValueError, match="FullyConnected 'fc'"):
        irlint.infer(model, {"data": (2, 4), "x1": (3, 5)})
