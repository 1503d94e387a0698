"""Where a difference begins that shows elsewhere, and models whose converter made an axis of the batch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irlint.cli import main
from irlint.proving.prove import Proof, prove
from tests.lsp.binaries import binary
from tests.proving.models import CONV, side, tensor

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2,8] x, float[2,8] z) => (float[2,16] y) <float[8] w = {1,2,3,4,5,6,7,8}, float[8] minus = {-1,-2,-3,-4,-5,-6,-7,-8}, float two = {2}, float half = {0.5}> {\n'


def proof(a: bytes, b: bytes) -> Proof:
    return prove(side(a, "a.onnx"), side(b, "b.onnx"))


def _boxes(low: str) -> str:
    """Corners of boxes as a detector computes them: their middle is another one's size if operands are swapped."""
    return f"""\
   [low] l = {low}
   [high] h = Add (w, z)
   [size] s = Sub (h, l)
   [both] b = Add (h, l)
   [middle] m = Mul (b, half)
   [all] y = Concat <axis: int = 1> (m, s)
}}
"""


def _gated(gate: str) -> str:
    """What a gate scales is halved, and half of twice as much is what it was."""
    return f"""\
   [gate] g = Tanh (x)
   [more] t = Mul (g, two)
   [scaled] s = Mul (z, {gate})
   [halved] h = Mul (s, half)
   [rest] r = Sub (w, h)
   [all] y = Concat <axis: int = 1> (r, s)
}}
"""


@pytest.mark.parametrize(
    ("plain", "changed", "name"),
    [(_boxes("Sub (w, u)"), _boxes("Add (x, minus)"), "low"), (_gated("g"), _gated("t"), "scaled")],
    ids=["swapped operands", "another residual"],
)
def test_results_that_another_operator_has_do_not_hide_the_first(plain: str, changed: str, name: str) -> None:
    kept = "   [same] u = Max (x, x)\n"  # an optimizer removes it, so that operators are not compared one by one
    found = proof(binary(HEAD + kept + plain.replace("(x)", "(u)")), binary(HEAD + changed)).suspect
    assert found is not None
    assert {node.name for node in (found.a, found.b) if node} == {name}


def _rows(row: str, joined: str) -> str:
    """Rows of a table, of which one is computed of the index of the other."""
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2,16] x) => (float[32] y) <int64 i = {0}, int64 k = {1}> {\n'
    return f"{head}{row}   [raised] a = Exp (f)\n   [turned] b = Neg ({joined})\n   [all] y = Concat <axis: int = 0> (a, b)\n}}\n"


def test_a_result_with_the_name_of_its_counterpart_is_not_right_in_another_place() -> None:
    """As a converter joins two operators that a change made the same, and gives the result both names."""
    plain = "   [same] u = Max (x, x)\n   [first] f = Gather <axis: int = 0> (u, i)\n   [second] g = Gather <axis: int = 0> (u, k)\n"
    changed = "   [joined] g = Gather <axis: int = 0> (x, i)\n   [copy] f = Identity (g)\n"
    found = proof(binary(_rows(plain, "g")), binary(_rows(changed, "g"))).suspect
    assert found is not None
    assert [node.name for node in (found.a, found.b) if node] == ["second", "joined"]


CHANNELS = """\
7767517
4 4
Input in0 0 1 in0
MemoryData c 0 1 c 0=1 1=1 11=3 2=1
BinaryOp scaled 2 1 in0 c s 0=2
ReLU act 1 1 s out0
"""
SCALES = np.array([0.5, 2, 3], np.float32)


@pytest.mark.parametrize(("scales", "verdict"), [(SCALES, "same"), (SCALES[::-1], "different")])
def test_converters_make_an_axis_of_the_batch(
    scales: np.ndarray, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As pnnx does it where a constant has four axes."""
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[1,3,8,8] x) => (float[1,3,8,8] y) '
    nodes = f"<{tensor('c', SCALES.reshape(1, 3, 1, 1))}> {{ [scaled] s = Mul (x, c) [act] y = Relu (s) }}\n"
    a, b = tmp_path / "a.onnx", tmp_path / "b.param"
    a.write_bytes(binary(head + nodes))
    b.write_text(CHANNELS)
    b.with_suffix(".bin").write_bytes(scales.tobytes())
    main(["prove", str(a), str(b)])
    text = capsys.readouterr().out
    assert text.startswith(f"{verdict}:")
    assert ("B: BinaryOp 'scaled'" in text) == (verdict == "different")


def test_a_kernel_that_a_convolution_takes_from_its_weights_is_no_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[1,3,8,8] x) => (float[1,4,6,6] y) '
    (tmp_path / "a.onnx").write_bytes(binary(f"{head}<{tensor('w', CONV)}> {{ [conv] y = Conv (x, w) }}\n"))
    lines = f"Input in0 0 1 in0\nConvolution conv 1 1 in0 out0 0=4 1=3 5=0 6={CONV.size}\n"
    (tmp_path / "b.param").write_text(f"7767517\n2 2\n{lines}")
    (tmp_path / "b.bin").write_bytes(bytes(4) + CONV.tobytes())
    assert main(["diff", str(tmp_path / "a.onnx"), str(tmp_path / "b.param")]) == 0
    assert capsys.readouterr().out.startswith("same layers: 1 of 1 convolution; weights equal")
