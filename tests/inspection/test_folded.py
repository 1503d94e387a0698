"""What an optimizer does to a model is no other computation; the same changes with other numbers are."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from irlint.engine import Result, lint_bytes
from irlint.jobs.versions import breaking, settings_for
from irlint.settings import Settings
from tests.proving.models import BIAS, CONV, MEAN, NODES, SCALE, SHIFT, VARIANCE, onnx

PLAIN = """\
   h = Relu (x)
   c = Mul (two, three)
   m = Mul (h, c)
   i = Identity (m)
   t = Cast <to: int = 1> (i)
   e = Exp (t)
   size = Shape (x)
   rows = Slice (size, zero, one)
   to = Concat <axis: int = 0> (rows, rest)
   y = Reshape (e, to)
"""
HELD = "float[4] two = {1,2,3,4}, float[4] three = {2,2,3,3}, int64[1] zero = {0}, int64[1] one = {1}, int64[1] rest = {-1}"
# without what does nothing, and with constants in place of what they are computed from
SHORT = """\
   h = Relu (x)
   m = Mul (h, product)
   e = Exp (m)
   y = Reshape (e, to)
"""
NUMBERS = "float[4] product = {%s}, int64[2] to = {%s}"


def model(nodes: str, held: str, rows: str = "2") -> Result:
    text = f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[{rows},2,4] x) => (float[{rows},8] y) <{held}> {{\n{nodes}}}\n'
    return lint_bytes(text.encode(), "a.onnxtxt", Settings())


def said(old: Result, new: Result) -> list[str]:
    found = breaking(old, new, settings_for(Settings(), "numerics"), "old").findings
    return [one.message for one in found if one.code == "B020"]


@pytest.mark.parametrize("rows", ["2", "N"])
@pytest.mark.parametrize(
    ("short", "product", "to", "count"),
    [
        (SHORT, "2,4,9,12", "0,8", 0),
        (SHORT, "2,4,9,12", "-1,8", 0),
        (SHORT, "2,4,9,13", "0,8", 2),  # the product is another: it is gone, and its reader
        (SHORT.replace("Exp (m)", "Exp (h)"), "2,4,9,12", "0,8", 2),
        (SHORT.replace("Relu (x)", "Neg (x)"), "2,4,9,12", "0,8", 1),
        (SHORT.replace("e = Exp (m)", "f = Exp (m)\n   e = Neg (f)"), "2,4,9,12", "0,8", 2),
    ],
)
def test_constants_and_nodes_that_do_nothing(rows: str, short: str, product: str, to: str, count: int) -> None:
    old, new = model(PLAIN, HELD, rows), model(short, NUMBERS % (product, to), rows)
    for messages in (said(old, new), said(new, old)):
        assert [int(one.split()[0]) for one in messages] == ([] if not count else [pytest.approx(count, abs=2)])


def test_a_shape_of_one_length_is_not_one_of_any_length() -> None:
    for rows, is_same in (("2", True), ("N", False)):
        old, new = model(PLAIN, HELD, rows), model(SHORT, NUMBERS % ("2,4,9,12", "2,8"), rows)
        assert [bool(said(*pair)) for pair in ((old, new), (new, old))] == [not is_same] * 2


def test_a_constant_with_the_name_of_a_node_has_its_value() -> None:
    nodes, held = "   c = Mul (two, three)\n   m = Mul (x, c)\n   y = Reshape (m, to)\n", "int64[2] to = {0,8}"
    old = model(nodes, f"{held}, float[4] two = {{1,2,3,4}}, float[4] three = {{2,2,3,3}}")
    for values, is_same in (("2,4,9,12", True), ("2,4,9,13", False)):
        new = model(nodes.partition("\n")[2], f"{held}, float[4] c = {{{values}}}")
        assert [bool(said(*pair)) for pair in ((old, new), (new, old))] == [not is_same] * 2


def test_names_that_nodes_exchange_mean_nothing() -> None:
    nodes = "   [{}] a = Relu (x)\n   [{}] b = {} (a)\n   [{}] c = Tanh (b)\n   [out] y = Reshape (c, to)\n"
    held = "int64[2] to = {0,8}"
    old = model(nodes.format("n1", "n2", "Exp", "n3"), held)
    assert not said(old, model(nodes.format("n2", "n3", "Exp", "n1"), held))
    assert said(old, model(nodes.format("n2", "n3", "Neg", "n1"), held))
    assert said(old, model(nodes.format("n2", "n3", "Exp", "n1").replace("(c, to)", "(b, to)"), held))


def test_nodes_that_do_nothing_in_a_circle_or_in_a_long_row() -> None:
    held, tail = "int64[2] to = {0,8}", "   c = Add (a, x)\n   y = Reshape (c, to)\n"
    circle = "   a = Identity (b)\n   b = Identity (a)\n"
    assert said(model(circle + tail, held), model(circle + tail.replace("Add", "Mul"), held))
    row = "".join(f"   i{k} = Identity (i{k - 1})\n" for k in range(1, 3000))
    begin = perf_counter()
    old = model(f"   i0 = Relu (x)\n{row}{tail.replace('(a,', '(i2999,')}", held)
    assert not said(old, model(f"   i0 = Relu (x)\n{tail.replace('(a,', '(i0,')}", held))
    assert said(old, model(f"   i0 = Exp (x)\n{tail.replace('(a,', '(i0,')}", held))
    assert perf_counter() - begin < 60


def test_a_cast_to_another_type_does_something() -> None:
    old = model(
        "   h = Cast <to: int = 7> (x)\n   i = Cast <to: int = 1> (h)\n   y = Reshape (i, to)\n", "int64[2] to = {0,8}"
    )
    assert said(old, model("   y = Reshape (x, to)\n", "int64[2] to = {0,8}"))


def test_random_numbers_are_not_constants() -> None:
    nodes = "   r = RandomNormal <shape: ints = [4], seed: float = 1.0> ()\n   i = Identity (r)\n   m = Mul (x, i)\n   y = Reshape (m, to)\n"
    held = "int64[2] to = {0,8}"
    assert said(model(nodes, held), model(nodes.replace("i = Identity (r)", "i = Relu (r)"), held))


FACTOR = SCALE / np.sqrt(VARIANCE + np.float32(1e-5))
FUSED = "\n".join(line for line in NODES.splitlines() if "[norm]" not in line).replace("] c =", "] n =") + "\n"


@pytest.mark.parametrize(("scale", "shift", "is_same"), [(1, 0, True), (1.01, 0, False), (1, 0.1, False)])
def test_a_normalization_that_became_a_part_of_weights(scale: float, shift: float, is_same: bool) -> None:
    weights, offset = (
        CONV * FACTOR[:, None, None, None] * np.float32(scale),
        (BIAS - MEAN) * FACTOR + SHIFT + np.float32(shift),
    )
    old, new = (lint_bytes(data, "a.onnx", Settings()) for data in (onnx(), onnx(FUSED, w=weights, b=offset)))
    assert bool(said(old, new)) is not is_same
