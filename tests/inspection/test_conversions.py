"""What converters write in another way, and no review calls different: numbers of 16 bits, an If that chooses a shape, joined joins."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from irlint.cli import main
from irlint.engine import lint_bytes
from irlint.inspection.coarseness import roundings
from irlint.inspection.rounding import EXACT, ROUNDING
from irlint.inspection.types import mapping_of, type_lookup
from irlint.jobs.versions import breaking, settings_for
from irlint.settings import Settings
from irlint.tools.same_bytes import same_bytes
from tests.lsp.binaries import binary
from tests.proving.models import CONV, tensor

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'


def said(old: str, new: str) -> list[str]:
    """Return the codes of numerics that `breaking` finds."""
    before, after = (lint_bytes(text.encode(), "a.onnxtxt", Settings()) for text in (old, new))
    found = breaking(before, after, settings_for(Settings(), "numerics"), "old").findings
    return [one.code for one in found if one.code in ("B020", "B021")]


def asked(command: str, old: str, new: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    for name, text in (("a.onnx", old), ("b.onnx", new)):
        (folder / name).write_bytes(binary(text))
    main([command, str(folder / "a.onnx"), str(folder / "b.onnx"), "--output-format", "json"])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def bits(number: float) -> int:
    return int(np.float16(number).view(np.uint16))


def scaled(factor: float) -> str:
    nodes = "[conv] c = Conv (x, w) [scale] s = Mul (c, k) [shift] y = Add (s, one)"
    held = f"{tensor('w', CONV)}, float k = {{{factor}}}, float one = {{1}}"
    return f"{HEAD}g (float[1,3,8,8] x) => (float[1,4,6,6] y) <{held}> {{ {nodes} }}\n"


def halved(factor: float) -> str:
    """Return the same as converters to float16 write it that leave the types of inputs and outputs."""
    nodes = "[in] h = Cast <to: int = 10> (x) [conv] c = Conv (h, w) [scale] s = Mul (c, k) [shift] t = Add (s, one) [out] y = Cast <to: int = 1> (t)"
    weights = f"float16[4,3,3,3] w = {{{','.join(str(bits(one)) for one in CONV.ravel())}}}"
    held = f"{weights}, float16 k = {{{bits(factor)}}}, float16 one = {{{bits(1)}}}"
    return f"{HEAD}g (float[1,3,8,8] x) => (float[1,4,6,6] y) <{held}> {{ {nodes} }}\n"


@pytest.mark.parametrize(("factor", "is_same"), [(0.01, True), (0.001, True), (0.012, False)])
def test_a_small_factor_next_to_an_offset_in_16_bits(
    factor: float, is_same: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = scaled(factor if is_same else 0.01), halved(factor)
    assert asked("prove", old, new, tmp_path, capsys)["same"] == is_same
    assert bool(said(old, new)) != is_same


CHOICE = """\
g (float[N,3,8,8] x) => (float[?,?,?] y) <int64[4] front = {1,1,1,1}, int64[1] four = {4}, int64[2] two = {2,4}, int64[1] one = {1}, float factor = {2}> {
   [mean] m = ReduceMean <axes: ints = [1], keepdims: int = 1> (x)
   [none] z = ConstantOfShape <value = int64[1] {0}> (four)
   [both] p = Concat <axis: int = 0> (front, z)
   [table] t = Reshape (p, two)
   [pairs] q = Transpose <perm: ints = [1, 0]> (t)
   [pads] r = Reshape (q, minus)
   [pad] a = Pad (m, r)
   [relu] h = Relu (a)
   [shape] s = Shape (h)
   [length] l = Gather <axis: int = 0> (s, one)
   [is_one] c = Equal (l, one)
   [squeezed] v = If (c) <then_branch = yes () => (float[?,?,?] o) { o = Squeeze (h, one) }, else_branch = no () => (float[?,?,?,?] e) { e = Identity (h) }>
   [twice] y = Mul (v, factor)
}
""".replace("int64[1] one", "int64[1] minus = {-1}, int64[1] one")
CHOSEN = """\
g (float[N,3,8,8] x) => (float[N,?,?] y) <int64[8] r = {%s}, int64[1] one = {1}, float factor = {2}> {
   [mean] m = ReduceMean <axes: ints = [1], keepdims: int = 1> (x)
   [pad] a = Pad (m, r)
   [relu] h = Relu (a)
   [squeeze] v = Squeeze (h, one)
   [twice] y = Mul (v, factor)
}
"""


@pytest.mark.parametrize(
    ("new", "is_same"),
    [
        (CHOSEN % "1,0,1,0,1,0,1,0", True),
        (CHOSEN.replace("Squeeze (h, one)", "ReduceSum <keepdims: int = 0> (h, last)") % "1,0,1,0,1,0,1,0", False),
    ],
)
def test_an_if_that_chooses_a_shape_is_what_it_chooses(new: str, is_same: bool) -> None:
    """As the exporter of PyTorch writes `squeeze` behind a pad."""
    assert bool(said(HEAD + CHOICE, HEAD + new.replace("int64[1] one", "int64[1] last = {3}, int64[1] one"))) != is_same


JOINED = "g (float[2,8,16] x) => (float[2,10,16] y) <{held}> {{ [product] p = MatMul (x, m) {nodes} }}\n"
TOKENS = (
    np.random.default_rng(1).standard_normal((2, 1, 1, 16)).astype(np.float32).repeat(2, 1)
)  # the same for each image
MATRIX = tensor("m", np.random.default_rng(2).standard_normal((16, 16)).astype(np.float32))


@pytest.mark.parametrize("is_same", [True, False])
def test_one_join_in_the_place_of_two(is_same: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = TOKENS[1] if is_same else TOKENS[1] * 1.5
    before, after = (f"{MATRIX}, {tensor('v', TOKENS[0])}, {tensor('w', each)}" for each in (TOKENS[1], other))
    two = "[inner] i = Concat <axis: int = 1> (w, p) [outer] y = Concat <axis: int = 1> (v, i)"
    one = "[outer] y = Concat <axis: int = 1> (v, w, p)"
    old, new = (JOINED.format(held=held, nodes=nodes) for held, nodes in ((before, two), (after, one)))
    assert asked("prove", HEAD + old, HEAD + new, tmp_path, capsys)["same"] == is_same


@pytest.mark.parametrize(("number", "is_rounded"), [(0.5, False), (100, False), (0.1, True), (32**-0.5, True)])
def test_single_numbers_of_16_bits_are_rounded_if_they_have_many_digits(number: float, is_rounded: bool) -> None:
    text = (
        f"{HEAD}g (float16[4] x) => (float16[4] y) <float16 k = {{{bits(number)}}}> {{ t = Mul (x, k) y = Relu (t) }}\n"
    )
    model = lint_bytes(text.encode(), "a.onnxtxt", Settings()).model
    assert model is not None
    mapping = mapping_of(model)
    assert mapping is not None
    type_of = type_lookup(model)
    found = roundings(model.graph, mapping, lambda graph, node, k: type_of(graph, node, k)._replace(dtype="float32"))
    assert (ROUNDING["float16"] in found, EXACT in found) == (is_rounded, True)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 64, 67])
def test_bytes_are_compared_in_words_and_to_the_last_one(size: int) -> None:
    data = bytes(range(size))
    assert same_bytes(data, memoryview(bytearray(data)))
    assert not same_bytes(data, data + b"x")
    for k in range(size):
        assert not same_bytes(memoryview(data), data[:k] + b"\xff" + data[k + 1 :])


QUANTIZED = """\
g (float[2,8] x) => (float[8,2] y) <float s = {0.1}, int8 z = {0}, float t = {0.15}> {
   [quantize] q = QuantizeLinear (x, s, z)
   [dequantize] d = DequantizeLinear (q, s, z)
   [turn] %s = Transpose <perm: ints = [1, 0]> (d)
%s}
"""
AGAIN = "   [again] r = QuantizeLinear (p, {0}, z)\n   [back] y = DequantizeLinear (r, {0}, z)\n"


@pytest.mark.parametrize(("scale", "is_same"), [("s", True), ("t", False)])
def test_numbers_that_were_quantized_stay_what_they_are_if_they_are_once_more(scale: str, is_same: bool) -> None:
    """As onnxruntime writes it around what only moves numbers."""
    old, new = QUANTIZED % ("y", ""), QUANTIZED % ("p", AGAIN.format(scale))
    assert bool(said(HEAD + old, HEAD + new)) != is_same
