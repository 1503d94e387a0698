"""Numbers of a file that become loops, lists, counts of outputs or shapes: each attribute of each operator table with odd ones.

A sample of the models of one_operator.py, in processes with little memory and time; IRLINT_NUMBERS=1 takes all of them, in half an hour.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import one_operator
import pytest
from formats.nnvm.models import Builder

from irlint import api, engine, offers
from irlint.dryrun.errors import Undecided, counted
from irlint.dryrun.operator import operator
from irlint.dryrun.ops.mxnet.fused_rnn import FusedRNN
from irlint.dryrun.prefix import sizes
from irlint.dryrun.running import run as dryrun
from irlint.dryrun.tensor import small
from irlint.formats.base import all_formats
from irlint.text.numbers import MANY, decimal

STEPS = {"check": 97, "repairs": 997, "shapes": 197, "run": 197}
SCRIPT = Path(one_operator.__file__)


def test_every_format_takes_part() -> None:
    assert {form.partition(":")[0] for form in one_operator.MODELS} | one_operator.WITHOUT == set(all_formats())


@pytest.mark.timeout(3600 if os.environ.get("IRLINT_NUMBERS") else 170)
@pytest.mark.parametrize("stage", STEPS)
@pytest.mark.parametrize("form", one_operator.MODELS)
def test_no_number_runs_away(form: str, stage: str) -> None:
    step = 1 if os.environ.get("IRLINT_NUMBERS") else STEPS[stage]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), form, stage, str(step)],
        env={**os.environ, "PYTHONPATH": str(SCRIPT.parents[1])}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-1000:]
    assert re.fullmatch(r"tried [1-9]\d*\n", done.stdout), done.stdout


def _recurrent(layers: int) -> str:
    b = Builder()
    ins = [b.var("data", (3, 2, 4)), b.var("parameters", (200,)), b.var("state", (1, 2, 5))]
    attrs = {"state_size": "5", "num_layers": str(layers), "mode": "rnn_tanh"}
    return str(b.graph(b.add("RNN", "rnn", ins, attrs))).replace("'", '"')


@pytest.mark.parametrize("layers", [0, 1, 3, 2**31 - 1])
def test_layers_of_a_recurrent_network(layers: int) -> None:
    """The search for repairs proposes the number of layers that the shape of the weights needs."""
    result = engine.lint(_recurrent(layers), "a-symbol.json")
    offers.confirm(result)
    assert [f.code for f in result.findings] == ["D001"]


@pytest.mark.parametrize("projection", [None, 2])
@pytest.mark.parametrize("layers", range(4))
def test_parameters_are_counted_as_in_a_loop(layers: int, projection: int | None) -> None:
    for ways in (1, 2):
        out, wanted = projection or 5, 0
        for layer in range(layers):
            wanted += ways * 4 * 5 * ((7 if layer == 0 else ways * out) + out + 2) + ways * (projection or 0) * 5
        assert FusedRNN.parameter_count("lstm", layers, ways, 5, 7, projection) == wanted


@pytest.mark.parametrize(
    ("op", "attrs"),
    [
        ("SliceChannel", {"num_outputs": "2000000000"}),
        ("Crop", {"num_args": "2000000000"}),
        ("_cond", {"num_args": "2000000000", "num_outputs": "2000000000"}),
        ("_while_loop", {"num_args": "2000000000", "num_outputs": "2000000000", "num_out_data": "2000000000"}),
        ("_contrib_quantized_batch_norm", {"axis": "2000000000"}),
    ],
)
def test_counts_of_outputs_and_inputs(op: str, attrs: dict[str, str]) -> None:
    b = Builder()
    text = str(b.graph(b.add(op, "node", [b.var("data", (1, 4))], attrs))).replace("'", '"')
    result = engine.lint(text, "a-symbol.json")
    offers.confirm(result)
    assert result.model is not None
    assert all(len(node.outputs) <= MANY for node in result.model.graph.nodes)


def test_a_count_that_no_model_has() -> None:
    assert counted(MANY) == MANY
    with pytest.raises(Undecided):
        counted(MANY + 1)


@pytest.mark.parametrize(
    "text", ["lshift(1,2000000000)", "square(" * 60 + "9" + ")" * 60, "*(" * 99 + "9" + ",9)" * 99]
)
def test_expressions_over_sizes(text: str) -> None:
    with pytest.raises(ValueError, match="cannot compute"):
        sizes(text, [])
    assert sizes("lshift(1,4),*(3,5)", []) == [16, 15]


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), ("007", 7), ("٣", None), ("²", None), ("", None), ("-1", None), ("9" * 5000, None)]
)
def test_digits(text: str, number: int | None) -> None:
    assert decimal(text) == number


def test_an_empty_tensor_with_long_axes_has_no_elements_to_follow() -> None:
    assert small((0, 3))
    assert small(())
    assert not small((1 << 40, 0))
    text = (
        '<ir_version: 9, opset_import: ["" : 17]>\ng (float[2] x) => (float[n] y) <int64[1099511627776,0] a = {}> {\n'
        "   b = Concat <axis = 0> (a, a)\n   c = Transpose (b)\n   d = Flatten (c)\n   e = Reshape (x, d)\n   y = Identity (e)\n}\n"
    )
    engine.lint(text, "a.onnxtxt")


def test_n_grams_are_not_longer_than_their_rows() -> None:
    found = [
        operator("onnx/text.CountNgrams").run(
            np.array([1, 2, 3]), mode="TF", shortest=1, longest=most, most_skips=most, starts=[0, 1], places=[0, 1], pool=[2, 1, 3], weights=None
        ).tolist()
        for most in (3, 2**31 - 1, 2**63 - 1)
    ]  # fmt: skip
    assert found[0] == found[1] == found[2]


def _loop(turns: str) -> bytes:
    return (
        '<ir_version: 9, opset_import: ["" : 17]>\ng (int64 m, float[1] x) => (float[1] y) <bool go = {1}> {\n'
        "   y = Loop <body: graph = b (int64 i, bool c, float[1] a) => (bool d, float[1] s) {\n"
        f"      d = Identity (c)\n      s = Relu (a)\n   }}> ({turns}, go, x)\n}}\n"
    ).encode()


def test_a_loop_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dryrun, "MOST_REPEATED", 3000)
    inputs: dict[str, Any] = {"x": np.ones(1, np.float32)}
    with pytest.raises(ValueError, match=r"Loop 'y': stopped after [\d,]+ operators in nested graphs"):
        api.run(_loop("m"), {**inputs, "m": np.array(2**50)})
    assert api.run(_loop("m"), {**inputs, "m": np.array(400)})["y"].tolist() == [1]


def test_kernels_do_not_follow_the_long_axes_of_empty_tensors(tmp_path: Path) -> None:
    text = (
        '<ir_version: 9, opset_import: ["" : 17]>\n'
        "g (float[0,1,1,1] x, float[1,0,60000,60000] w) => (float[a,b,c,d] y, float[a,b,c,d] z) {\n"
        "   y = ConvTranspose (x, w)\n   z = LRN <size = 2147483647> (x)\n}\n"
    )
    (tmp_path / "a.onnxtxt").write_text(text)
    found = api.run(tmp_path / "a.onnxtxt")
    assert [array.shape for array in found.values()] == [(0, 0, 60000, 60000), (0, 1, 1, 1)]


def test_samples_of_a_grid_with_many_axes_are_not_computed(tmp_path: Path) -> None:
    ones = ",".join(["1"] * 24)
    text = (
        f'<ir_version: 9, opset_import: ["" : 20]>\ng (float[1,1,{ones}] x, float[1,{ones},24] at) => (float[1,1,{ones}] y) {{\n'
        "   y = GridSample (x, at)\n}\n"
    )
    (tmp_path / "a.onnxtxt").write_text(text)
    with pytest.raises(NotImplementedError, match="GridSample"):
        api.run(tmp_path / "a.onnxtxt")


def test_many_axes_and_inputs_have_few_candidates() -> None:
    names = ", ".join(["x"] * 4000)
    text = (
        f'<ir_version: 9, opset_import: ["" : 17]>\ng (float[2] x) => (float[n] y) <float[{"1," * 3000}2] w = {{1, 2}}> {{\n'
        f"   a = Concat <axis = 5> ({names})\n   y = Mul <b = 1> (a, w)\n}}\n"
    )
    result = engine.lint(text, "a.onnxtxt")
    tracemalloc.start()
    offers.confirm(result)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 50_000_000
