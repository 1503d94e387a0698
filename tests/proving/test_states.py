"""States of an IR that are inputs and outputs of the ONNX model that it was made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint.cli import main
from tests.formats.openvino.notation import Net
from tests.lsp.binaries import binary

from .models import tensor

W = np.random.default_rng(2).standard_normal((16, 16)).astype(np.float32)
CELL = f"""<ir_version: 8, opset_import: ["" : 17]>
g (float[2,16] x, float[2,16] h) => (float[2,16] y, float[2,16] h_out) <{tensor("w", W)}> {{
   [add] s = Add (x, h) [dense] d = MatMul (s, w) [state] h_out = Tanh (d) [twice] y = Add (h_out, h_out)
}}
"""
CACHE = f"""<ir_version: 8, opset_import: ["" : 17]>
g (float[2,1,16] x, float[2,p,16] past) => (float[2,t,16] y, float[2,t,16] present) <{tensor("w", W)}> {{
   [new] d = MatMul (x, w) [cat] present = Concat <axis: int = 1> (past, d) [act] y = Tanh (present)
}}
"""


def cell(name: str = "hh_out", w: np.ndarray = W, result: str = "t") -> Net:
    return Net(f"""
x: f32[2,16]
w: f32[16,16] = {" ".join(map(repr, w.ravel().tolist()))}
zero: f32[2,16] = {" ".join(["0"] * 32)}
h: f32[2,16] = opset6.ReadValue(zero) variable_id={name} variable_type=f32 variable_shape=2,16
s: f32[2,16] = opset1.Add(x, h) auto_broadcast=numpy
d: f32[2,16] = opset1.MatMul(s, w) transpose_a=false transpose_b=false
t: f32[2,16] = opset1.Tanh(d)
out: f32[2,16] = opset6.Assign({result}) variable_id={name}
y: f32[2,16] = opset1.Add(t, t) auto_broadcast=numpy
""")


def cache(order: str = "") -> Net:
    """Return a model with a cache, whose rows an input may order, as a beam search does."""
    past = "past"
    if order:
        order, past = (
            "beam: i32[?]\naxis: i64[] = 0\nrows: f32[2,?,16] = opset8.Gather(past, beam, axis) batch_dims=0\n",
            "rows",
        )
    return Net(f"""
x: f32[2,1,16]
w: f32[16,16] = {" ".join(map(repr, W.ravel().tolist()))}
zero: f32[2,1,16] = {" ".join(["0"] * 32)}
past: f32[2,?,16] = opset6.ReadValue(zero) variable_id=pastpresent variable_type=f32 variable_shape=2,?,16
{order}d: f32[2,1,16] = opset1.MatMul(x, w) transpose_a=false transpose_b=false
c: f32[2,?,16] = opset1.Concat({past}, d) axis=1
out: f32[2,?,16] = opset6.Assign(c) variable_id=pastpresent
y: f32[2,?,16] = opset1.Tanh(c)
""")


@pytest.fixture
def proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def prove(text: str, net: Net, *, is_turned: bool = False, options: tuple[str, ...] = ()) -> tuple[int, str]:
        (tmp_path / "a.onnx").write_bytes(binary(text))
        (tmp_path / "b.xml").write_text(net.text)
        (tmp_path / "b.bin").write_bytes(net.data)
        names = [str(tmp_path / name) for name in ("a.onnx", "b.xml")]
        status = main(["prove", *(reversed(names) if is_turned else names), *options])
        return status, capsys.readouterr().out

    return prove


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_state_is_what_the_other_model_has_as_an_input_and_an_output(proved: Any, is_turned: bool) -> None:
    for text, net, output in (
        (CELL, cell(), "h_out"),
        (CELL, cell("memory"), "h_out"),  # the only one
        (CACHE, cache(), "present"),
        (CACHE, cache("beam"), "present"),
    ):
        status, said = proved(text, net, is_turned=is_turned)
        assert status == 0, said
        assert said.startswith("same: 1 of 1 layer ")
        assert f"output '{output}': agrees" in said


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_change_of_a_model_with_states_is_seen(proved: Any, is_turned: bool) -> None:
    other = W.copy()
    other[3, 4] += 1
    status, said = proved(CELL, cell(w=other), is_turned=is_turned)
    assert (status, said.startswith("different: 2 of 2 outputs differ ")) == (1, True), said
    assert "weights [16, 16]: 1 of 256 numbers differ" in said
    status, said = proved(CELL, cell(result="d"), is_turned=is_turned)  # the state has another value after the run
    assert (status, "output 'h_out': " in said, "output 'y': agrees" in said) == (1, True, True), said


@pytest.mark.parametrize("is_turned", [False, True])
def test_states_that_cannot_be_told_apart_are_no_difference(proved: Any, is_turned: bool) -> None:
    two = CELL.replace("h) =>", "h, float[2,16] more) =>").replace("Add (x, h)", "Sum (x, h, more)")
    status, said = proved(two, cell(), is_turned=is_turned)
    letters = "BA" if is_turned else "AB"
    assert status == 1
    assert (
        said == f"cannot tell: {letters[1]} has states, and none of them has the name of input 'more' of {letters[0]}\n"
    )
