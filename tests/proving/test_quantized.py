"""Quantized networks: inputs are drawn in the range that they represent, and what differs is a layer and not an operator that quantizes."""

from __future__ import annotations

import numpy as np
import pytest

from irlint.proving.prove import Proof, prove
from irlint.proving.ranges import clamped
from irlint.proving.report import NamedSide, lines, record
from tests.lsp.binaries import binary

from .models import side, tensor

RANDOM = np.random.default_rng(7)
FIRST = RANDOM.standard_normal((16, 32)).astype(np.float32)
SECOND = RANDOM.standard_normal((32, 8)).astype(np.float32)
HEAD = '<\n   ir_version: 8,\n   opset_import: ["" : 13]\n>\nnet (float[4,16] x) => (float[4,8] y)'
LAYERS = " [one] h = MatMul (%s, w) [act] r = Relu (h) [two] y = MatMul (r, v) "


def plain() -> bytes:
    return binary(f"{HEAD} <{tensor('w', FIRST)}, {tensor('v', SECOND)}> {{{LAYERS % 'x'}}}\n")


def quantized(second: np.ndarray = SECOND, inner: str = "") -> bytes:
    """The network with its input between 0 and 1 in steps of 1/255, and weights of int8; `inner`: what changes the result of Relu."""
    held, nodes = [], ""
    for name, array in (("w", FIRST), ("v", second)):
        scale = float(np.abs(array).max()) / 127
        numbers = ",".join(map(str, np.round(array.ravel() / scale).astype(int)))
        held.append(f"int8[{','.join(map(str, array.shape))}] {name}q = {{{numbers}}}, float {name}s = {{{scale!r}}}")
        nodes += f"[{name}_real] {name} = DequantizeLinear ({name}q, {name}s) "
    nodes += f"[steps] q = QuantizeLinear (x, s, z) [real] x2 = DequantizeLinear (q, s, z) {LAYERS % 'x2'}"
    nodes = nodes.replace("MatMul (r, v)", "MatMul (i, v)").replace("[two]", f"{inner} [two]") if inner else nodes
    return binary(f"{HEAD} <{', '.join(held)}, float s = {{{1 / 255!r}}}, int8 z = {{-128}}> {{{nodes}}}\n")


def judged(a: bytes, b: bytes) -> tuple[Proof, list[str]]:
    first, second = NamedSide("A", "a.onnx", side(a)), NamedSide("B", "b.onnx", side(b))
    proof = prove(first.side, second.side)
    assert record(proof, first, second)["ranges"].keys() == {name for name, _ in proof.inputs.ranges}
    return proof, lines(proof, first, second)


@pytest.mark.parametrize("models", [(plain(), quantized()), (quantized(), plain())])
def test_numbers_that_a_quantized_model_clamps_are_not_drawn(models: tuple[bytes, bytes]) -> None:
    proof, text = judged(*models)
    assert proof.is_same, text
    assert "  'x' is drawn between 0 and 1, as one of the models clamps other numbers" in text


@pytest.mark.parametrize(
    "changed",
    [
        quantized(-SECOND),
        quantized(inner="[inner] j = QuantizeLinear (r, s, z) [inner_real] i = DequantizeLinear (j, s, z)"),  # clamps
    ],
)
def test_the_first_layer_that_differs_is_compared_with_the_same_layer(changed: bytes) -> None:
    proof, text = judged(plain(), changed)
    assert proof.is_same is False
    assert [line.split(" (")[0] for line in text if line.startswith(("  A: ", "  B: "))] == [
        "  A: MatMul 'two'",
        "  B: MatMul 'two'",
    ]


def test_ranges_are_those_of_results_that_are_the_input_but_for_its_ends() -> None:
    b = side(quantized())
    feed = b.feeds()[0].node
    real = next(node.index for node in b.graph.nodes if node.name == "real")
    x = RANDOM.standard_normal((4, 16)).astype(np.float32)
    assert clamped(b, {real: x.clip(-0.5, 1)}, {feed: x}) == {feed: (-0.5, 1.0)}
    assert clamped(b, {real: x.clip(-9, 9)}, {feed: x}) == {}
    assert clamped(b, {real: np.tanh(x)}, {feed: x}) == {}
    assert clamped(b, {real: np.zeros_like(x)}, {feed: x}) == {}
    assert clamped(b, {}, {feed: x}) == {}
