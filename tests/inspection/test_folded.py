"""What an optimizer does to a model is no other computation; the same changes with other numbers are."""

from __future__ import annotations

from time import perf_counter, process_time

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
    for rows, expected in (("2", [False, False]), ("N", [True, False])):  # but any length holds that one
        old, new = model(PLAIN, HELD, rows), model(SHORT, NUMBERS % ("2,4,9,12", "2,8"), rows)
        assert [bool(said(*pair)) for pair in ((old, new), (new, old))] == expected


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


def test_nodes_of_other_names_that_are_taken_for_one_another_are_told_apart() -> None:
    """What they read is computed in another way, and their numbers are those of no node."""
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[N,4] x) => (int64[N,1] z) <float[4,4] w = {1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7}, float[4] v = {1,2,3,4}, int64[1] axis = {1}'
    plain = """> {
   p = MatMul (x, w)
   h = Add (p, v)
   q = Cast <to: int = 7> (h)
   zero_1 = Constant <value_ints: ints = [0]> ()
   one_1 = Constant <value_ints: ints = [1]> ()
   two_1 = Constant <value_ints: ints = [2]> ()
   ["slice_101"] a = Slice (q, zero_1, one_1, axis)
   ["slice_102"] b = Slice (q, one_1, two_1, axis)
   ["sub_103"] z = Sub (a, b)
}
"""
    moved = """, int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}> {
   h = Gemm (x, w, v)
   q = Cast <to: int = 7> (h)
   ["slice_202"] b = Slice (q, one, two, axis)
   ["slice_203"] a = Slice (q, zero, one, axis)
   ["neg_204"] c = Neg (a)
   ["add_205"] d = Add (b, c)
   ["neg_206"] z = Neg (d)
}
"""
    old, same, other = (
        lint_bytes((head + nodes).encode(), "a.onnxtxt", Settings())
        for nodes in (plain, moved, moved.replace("Neg (a)", "Neg (b)"))
    )
    assert not said(old, same)
    assert said(old, other)


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


ROWS = np.arange(1, 65, dtype=np.float32).reshape(8, 8) ** 0.5
PRODUCT = "   h = MatMul (x, c)\n   y = Add (h, b)\n"


@pytest.mark.parametrize(
    ("nodes", "weights", "is_same"),
    [
        ("   y = Gemm (x, c, b)\n", ROWS, True),
        ("   y = Gemm <transB: int = 1> (x, c, b)\n", ROWS.T, True),
        ("   y = Gemm <transB: int = 1> (x, c, b)\n", ROWS, False),
        ("   y = Gemm (x, c, b)\n", ROWS.T, False),
        ("   y = Gemm <beta: float = 0.5> (x, c, b)\n", ROWS, False),
        ("   y = Gemm <transA: int = 1> (x, c, b)\n", ROWS, False),
    ],
)
def test_a_product_and_a_sum_are_one_operator_of_others(nodes: str, weights: np.ndarray, is_same: bool) -> None:
    def square(nodes: str, weights: np.ndarray) -> Result:
        held = f"float[8,8] c = {{{','.join(map(str, weights.ravel()))}}}, float[8] b = {{1,2,3,4,5,6,7,8}}"
        text = f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[8,8] x) => (float[8,8] y) <{held}> {{\n{nodes}}}\n'
        return lint_bytes(text.encode(), "a.onnxtxt", Settings())

    found = breaking(square(PRODUCT, ROWS), square(nodes, weights), settings_for(Settings(), "numerics"), "old")
    assert is_same == (not found.findings)


@pytest.mark.parametrize(("rows", "number", "is_same"), [("2", 2, True), ("2", 3, False), ("N", 2, False)])
def test_what_is_computed_from_a_fixed_shape_is_a_constant(rows: str, number: int, is_same: bool) -> None:
    nodes = "   s = Shape (x)\n   r = Slice (s, zero, one)\n   c = Cast <to: int = 1> (r)\n   m = Mul (c, table)\n   y = Add (f, m)\n"
    held = "float[2,8] table = {1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2}, int64[1] zero = {0}, int64[1] one = {1}"
    flat = "   f = Flatten (x)\n"
    product = ",".join([*[f"{number}"] * 8, *[f"{2 * number}"] * 8])
    found = said(
        model(flat + nodes, held, rows), model(f"{flat}   y = Add (f, m)\n", f"float[2,8] m = {{{product}}}", rows)
    )
    assert is_same == (not found)


@pytest.mark.parametrize(
    ("back", "weights", "is_same"), [("2,3,4", "c", True), ("2,3,4", "d", False), ("3,2,4", "c", False)]
)
def test_a_product_row_by_row_is_one_of_a_matrix(back: str, weights: str, is_same: bool) -> None:
    numbers = ",".join(map(str, np.arange(1, 17) ** 0.5)), ",".join(map(str, np.arange(2, 18) ** 0.5))
    held = f"float[4,4] c = {{{numbers[0]}}}, float[4,4] d = {{{numbers[1]}}}, float[4] b = {{1,2,3,4}}"
    held = f"{held}, int64[2] flat = {{-1,4}}, int64[3] back = {{{back}}}, int64[2] end = {{2,-1}}"

    def net(nodes: str) -> Result:
        nodes += "   r = Softmax <axis: int = 1> (a)\n   y = Reshape (r, end)\n"
        text = (
            f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[2,3,4] x) => (float[2,12] y) <{held}> {{\n{nodes}}}\n'
        )
        return lint_bytes(text.encode(), "a.onnxtxt", Settings())

    new = net(f"   f = Reshape (x, flat)\n   g = Gemm (f, {weights}, b)\n   a = Reshape (g, back)\n")
    assert is_same == (not said(net("   m = MatMul (x, c)\n   a = Add (m, b)\n"), new))


@pytest.mark.parametrize(
    ("before", "after", "shape", "is_same"),
    [
        ("k = Add (h, b)", "", "8", True),
        ("k = Mul (h, b)", "", "8", True),
        ("k = Mul (h, b)", "", "8,1", False),
        ("k = Add (h, b)", "k = Add (h, b)", "8,1", False),
    ],
)
def test_what_scales_rows_does_not_scale_columns(before: str, after: str, shape: str, is_same: bool) -> None:
    vector = np.arange(1, 9, dtype=np.float32)
    weights = ROWS * vector if "Mul" in before else ROWS
    offset = vector if "Add" in before else vector * 0

    def square(nodes: str, c: np.ndarray, shape: str) -> Result:
        held = f"float[8,8] c = {{{','.join(map(str, c.ravel()))}}}, float[{shape}] b = {{1,2,3,4,5,6,7,8}}"
        held = f"{held}, float[8] o = {{{','.join(map(str, offset))}}}"
        text = f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[8,8] x) => (float[8,8] y) <{held}> {{\n{nodes}   y = Relu (k)\n}}\n'
        return lint_bytes(text.encode(), "a.onnxtxt", Settings())

    product = "   h = MatMul (x, c)\n   "
    old = square(f"{product}{before}\n", ROWS, shape)
    new = square(f"{product}{after}\n", ROWS, "8") if after else square("   k = Gemm (x, c, o)\n", weights, shape)
    settings = settings_for(Settings(pedantic=True), "numerics")
    codes = {one.code for one in breaking(old, new, settings, "old").findings} - {
        "B021" if before[4:7] == "Mul" else ""
    }
    assert is_same == (not codes)


IDLE = {
    "Add": "h = Add (n, zero)",
    "Sub": "h = Sub (n, zero)",
    "Mul": "h = Mul (n, one)",
    "Div": "h = Div (n, one)",
    "Pow": "h = Pow (n, one)",
    "Transpose": "h = Transpose <perm: ints = [0, 1, 2]> (n)",
    "two Transposes": "g1 = Transpose <perm: ints = [1, 0, 2]> (n)\n   h = Transpose <perm: ints = [1, 0, 2]> (g1)",
    "Slice": "h = Slice (n, zeros, sizes)",
    "Concat": "h = Concat <axis: int = 0> (n)",
    "Sum": "h = Sum (n)",
    "Tile": "h = Tile (n, ones)",
    "Pad": "h = Pad (n, none)",
    "Reshape": "h = Reshape (n, sizes)",
    "Expand": "h = Expand (n, sizes)",
    "Unsqueeze and Squeeze": "g1 = Unsqueeze (n, first)\n   h = Squeeze (g1, first)",
    "Casts": "g1 = Cast <to: int = 11> (n)\n   h = Cast <to: int = 1> (g1)",
    "Where": "h = Where (yes, n, zero)",
}
BUSY = {
    "Add": "h = Add (n, tiny)",
    "Mul": "h = Mul (n, nearly)",
    "Transpose": "h = Transpose <perm: ints = [1, 0, 2]> (n)",  # of a square
    "Casts": "g1 = Cast <to: int = 10> (n)\n   h = Cast <to: int = 1> (g1)",
    "Clip": "h = Clip (n, minus, one)",
    "Relu": "h = Relu (n)",
}
OPERANDS = """\
float zero = {0}, float one = {1}, float minus = {-1}, float tiny = {0.0001}, float nearly = {1.0001}, int64[3] zeros = {0,0,0}, bool yes = {1},
int64[3] sizes = {2,2,4}, int64[3] ones = {1,1,1}, int64[6] none = {0,0,0,0,0,0}, int64[1] first = {0}, int64[2] to = {0,8}"""


def around(nodes: str, end: str = "h") -> Result:
    return model(f"   n = Neg (x)\n   {nodes}\n   e = Sigmoid ({end})\n   y = Reshape (e, to)\n", OPERANDS)


@pytest.mark.parametrize("kind", IDLE)
def test_calls_that_output_what_they_read_are_known_by_running_them(kind: str) -> None:
    assert not said(around(IDLE[kind]), around("", "n"))
    assert not said(around("", "n"), around(IDLE[kind]))


@pytest.mark.parametrize("kind", BUSY)
def test_calls_that_change_little_are_not_idle(kind: str) -> None:
    for messages in (said(around(BUSY[kind]), around("", "n")), said(around("", "n"), around(BUSY[kind]))):
        assert [one.split()[0] for one in messages] == ["2" if "g1" in BUSY[kind] else "1"]


BRANCHES = """\
<ir_version: 8, opset_import: ["" : 17]>
g (float[2,8] x, bool c) => (float[2,8] y) {{
   {before}
   y = If (c) <then_branch = yes () => (float[2,8] o) {{ {inside} o = Relu ({end}) }}, else_branch = no () => (float[2,8] p) {{ p = Sigmoid (x) }}>
}}
"""


@pytest.mark.parametrize(
    ("before", "inside", "end", "is_same"),
    [
        ("", "k = Identity (x)", "k", True),
        ("k = Identity (x)", "", "k", True),
        ("", "q = Constant <value = float[1] {1.0}> () k = Mul (x, q)", "k", True),
        ("q = Constant <value = float[1] {1.0}> () k = Mul (x, q)", "", "k", True),
        ("", "k = Neg (x)", "k", False),
        ("k = Neg (x)", "", "k", False),
        ("", "q = Constant <value = float[1] {1.5}> () k = Mul (x, q)", "k", False),
    ],
)
def test_bodies_of_a_branch_are_graphs_as_others(before: str, inside: str, end: str, is_same: bool) -> None:
    plain, other = (
        lint_bytes(BRANCHES.format(before=a, inside=b, end=c).encode(), "a.onnxtxt", Settings())
        for a, b, c in (("", "", "x"), (before, inside, end))
    )
    assert [bool(said(*pair)) for pair in ((plain, other), (other, plain))] == [not is_same] * 2


REWRITTEN = {
    "product": ("p = MatMul (x, w)\n   s = Add (p, b)", "r = Reshape (x, rows)\n   q = Gemm (r, {w}, b)\n   s = Reshape (q, back)"),
    "layout": (
        "t = Transpose <perm: ints = [0, 2, 1]> (x)\n   u = Relu (t)\n   s = Transpose <perm: ints = [0, 2, 1]> (u)",
        "s = Relu (x)",
    ),
    "gelu": (
        "a = Div (x, root)\n   e = Erf (a)\n   f = Add (e, one)\n   m = Mul (x, f)\n   s = Mul (m, half)",
        "a = Mul (x, {inverse})\n   e = Erf (a)\n   f = Mul (e, half)\n   m = Add (f, half)\n   s = Mul (x, m)",
    ),
}  # fmt: skip


def rewritten(nodes: str, w: str = "w", inverse: str = "inverse") -> Result:
    held = """\
float[4,4] w = {1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7}, float[4,4] v = {1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,8}, float[4] b = {1,2,3,4},
int64[2] rows = {-1,4}, int64[3] back = {-1,2,4}, float root = {1.41421356}, float inverse = {0.70710678}, float near = {0.7072},
float one = {1}, float half = {0.5}, int64[2] to = {0,8}"""
    text = nodes.format(w=w, inverse=inverse)
    return model(f"   {text}\n   z = Tanh (s)\n   y = Reshape (z, to)\n", held)


@pytest.mark.parametrize("kind", REWRITTEN)
def test_other_operators_that_output_the_same_are_no_other_computation(kind: str) -> None:
    old, new = (rewritten(nodes) for nodes in REWRITTEN[kind])
    assert not said(old, new)
    assert not said(new, old)


def test_other_operators_that_output_nearly_the_same_are_another_computation() -> None:
    assert said(rewritten(REWRITTEN["product"][0]), rewritten(REWRITTEN["product"][1], w="v"))
    assert said(rewritten(REWRITTEN["gelu"][0]), rewritten(REWRITTEN["gelu"][1], inverse="near"))


def test_constants_that_a_file_makes_huge_are_not_computed() -> None:
    nodes = "   c = ConstantOfShape (many)\n   d = {} (c)\n   s = ReduceSum (d)\n   m = Mul (x, s)\n   y = Reshape (m, to)\n"
    old, new = (model(nodes.format(op), "int64[2] many = {20000,20000}, int64[2] to = {0,8}") for op in ("Exp", "Sqrt"))
    begin = process_time()
    assert said(old, new) == ["1 node computed in another way"]
    assert process_time() - begin < 2


def fused(ends: str, held: str, *nodes: str) -> list[Result]:
    head = f'<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>\ng {ends}{held} {{\n'
    return [lint_bytes(f"{head}{each}}}\n".encode(), "a.onnxtxt", Settings()) for each in nodes]


def test_products_of_many_rows_are_computed() -> None:
    begin = "   t = Transpose <perm: ints = [0,2,1]> (x)\n   s = MatMul (t, x)\n   p = Softmax (s)\n"
    plain = begin + "   u = Transpose <perm: ints = [0,2,1]> (p)\n   m = MatMul (x, u)\n   y = Relu (m)\n"
    short = begin + "   m = com.microsoft.FusedMatMul <transB: int = {}> (x, p)\n   y = Relu (m)\n"
    old, same, other = fused("(float[N,4,800] x) => (float[N,4,800] y)", "", plain, short.format(1), short.format(0))
    assert not said(old, same)
    assert said(old, other)


def test_rounding_that_a_function_amplifies_is_no_other_computation() -> None:
    plain = "   a = Mul (x, c)\n   b = Mul (a, d)\n   y = Softmax (b)\n"
    short = "   q = Mul (x, {})\n   y = Softmax (q)\n"
    held = " <float c = {13.1}, float d = {7.3}, float cd = {95.63}, float near = {95.64}>"
    ends = "(float[N,90,90] x) => (float[N,90,90] y)"
    old, same, other = fused(ends, held, plain, short.format("cd"), short.format("near"))
    assert not said(old, same)
    assert said(old, other)


def test_lengths_that_are_computed_from_unknown_ones_are_not_drawn() -> None:
    held = " <float[4,4,1,1] k = {1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7}, int64 zero = {0}, int64 two = {2}, int64 three = {3}, int64[1] axis = {0}, int64[1] four = {4}>"
    begin = """\
   c = Conv <strides: ints = [2, 2]> (x, k)
   s = Shape (c)
   n = Gather (s, zero)
   h = Gather (s, two)
   w = Gather (s, three)
   b = Unsqueeze (n, axis)
   l = Mul (h, w)
   e = Unsqueeze (l, axis)
   rows = Concat <axis: int = 0> (b, four, e)
   r = Reshape (c, rows)
   p = Softmax (r)
   t = Transpose <perm: ints = [0,2,1]> (r)
   u = MatMul (p, t)
"""
    end = """\
   f = Unsqueeze (h, axis)
   g = Unsqueeze (w, axis)
   back = Concat <axis: int = 0> (b, four, f, g)
   z = Reshape ({}, back)
   y = Relu (z)
"""
    plain = begin + "   v = Transpose <perm: ints = [0,2,1]> (u)\n   m = MatMul (v, p)\n" + end.format("m")
    short = begin + "   o = com.microsoft.FusedMatMul <transA: int = {}> (u, p)\n" + end.format("o")
    ends = "(float[N,4,h,w] x) => (float[N,4,i,j] y)"
    old, same, other = fused(ends, held, plain, short.format(1), short.format(0))
    assert not said(old, same)
    assert said(old, other)


def test_outputs_that_other_nodes_give_are_other_results() -> None:
    def net(outputs: str, text: str) -> Result:
        head = f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[4] x, bool c) => ({outputs}) '
        return lint_bytes(f"{head}{{ {text} }}\n".encode(), "a.onnxtxt", Settings())

    two = "float[4] p, float[4] q"
    plain = "[one] {} = Tanh (x) [two] {} = Sin (x)"
    assert said(net(two, plain.format("p", "q")), net(two, plain.format("q", "p")))
    body = "y, z = If (c) <then_branch: graph = t () => (float[4] {}, float[4] {}) {{ [one] a = Tanh (x) [two] b = Sin (x) }}, else_branch: graph = e () => (float[4] k, float[4] l) {{ k = Abs (x) l = Neg (x) }}>"
    outputs = "float[4] y, float[4] z"
    assert said(net(outputs, body.format("a", "b")), net(outputs, body.format("b", "a")))


# What tells more than the operators around a change: a layer whose weights took something in, a function that is never negative
ABOVE = {
    "an offset before a reshape": (
        "r = Reshape (x, rows)\n   g = Gemm (r, w, b)\n   s = Reshape (g, back)\n   e = Add (s, d)\n   z = Clip (e, low, high)",
        "r = Reshape (x, rows)\n   g = Gemm (r, w, bd)\n   s = Reshape (g, back)\n   z = Clip (s, low, high)",
        "r = Reshape (x, rows)\n   g = Gemm (r, w, d)\n   s = Reshape (g, back)\n   z = Clip (s, low, high)",
    ),
    "zeros around what is not negative": (
        "r = {0} (x)\n   p = Pad (r, around)\n   z = MaxPool <kernel_shape: ints = [3]> (p)",
        "r = {0} (x)\n   z = MaxPool <kernel_shape: ints = [3], pads: ints = [1, 1]> (r)",
        "r = Neg (x)\n   z = MaxPool <kernel_shape: ints = [3], pads: ints = [1, 1]> (r)",
    ),
    "a scale before two transpositions": (
        "g = MatMul (x, w)\n   t = Div (g, three)\n   u = Transpose <perm: ints = [2, 0, 1]> (t)\n   z = Transpose <perm: ints = [1, 2, 0]> (u)",
        "g = MatMul (x, w)\n   t = Div (g, three)\n   z = Transpose <perm: ints = [0, 1, 2]> (t)",
        "g = MatMul (x, w)\n   t = Div (g, three)\n   z = Transpose <perm: ints = [1, 0, 2]> (t)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ABOVE)
@pytest.mark.parametrize("function", ["Sigmoid", "Sin"])
def test_parts_begin_above_what_tells_more(kind: str, function: str) -> None:
    held = """\
float[4,4] w = {1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7}, float[4] b = {1,2,3,4}, float[4] d = {5,6,7,8}, float[4] bd = {6,8,10,12}, float three = {3},
int64[2] rows = {-1,4}, int64[3] back = {2,2,4}, int64[2] to = {2,8}, float low = {-1}, float high = {900}, int64[6] around = {0,0,1,0,0,1}"""
    plain, other, wrong = (
        model(f"   {nodes.format(function)}\n   y = Reshape (z, to)\n", held) for nodes in ABOVE[kind]
    )
    is_same = function == "Sigmoid" or "{0}" not in ABOVE[kind][0]
    found = [bool(said(*pair)) for pair in ((plain, other), (other, plain), (plain, wrong))]
    assert found == [not is_same, not is_same, True]


def test_what_fuses_operators_stands_where_the_last_of_them_stood() -> None:
    """It has the name of the first of them, and its value is that of the last: of several in a row, each is compared by itself."""
    names = ("c0", "c1", "c2")
    plain = "".join(
        f"   [{one}] p{k} = Conv ({'x' if not k else f'r{k - 1}'}, w)\n   r{k} = Relu (p{k})\n"
        for k, one in enumerate(names)
    )
    fused = "".join(
        f'   [{one}] r{k} = com.microsoft.FusedConv <activation: string = "Relu"> ({"x" if not k else f"r{k - 1}"}, w)\n'
        for k, one in enumerate(names)
    )
    head = '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>\ng (float[N,2,4,4] x) => (float[N,2,4,4] r2) <float[2,2,1,1] w = {1,-2,3,4}> {\n'
    old, new, other = (
        lint_bytes(f"{head}{text}}}\n".encode(), "a.onnxtxt", Settings())
        for text in (plain, fused, fused.replace("Relu", "Tanh", 1))
    )
    assert not said(old, new)
    assert not said(new, old)
    assert said(old, other)


def test_parts_begin_at_what_both_versions_read() -> None:
    """Beside a layer that was changed a node has a twin: it stands next to what the twin reads."""
    nodes = """\
   c = Conv (x, w, {bias})
   q = QuantizeLinear (c, scale)
   [one] d = DequantizeLinear (q, scale)
{twin}   s = Mul (d, {other})
   y = Sigmoid (s)
"""
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[N,2,4,4] x) => (float[N,2,4,4] y) <float[2,2,1,1] w = {1,-2,3,4}, float[2] b = {2,4}, '
    held = "float[2] rounded = {2.000001,4}, float scale = {0.125}> {\n"

    def version(bias: str, twin: str = "", other: str = "d") -> Result:
        text = f"{head}{held}{nodes.format(bias=bias, twin=twin, other=other)}}}\n"
        return lint_bytes(text.encode(), "a.onnxtxt", Settings())

    assert not said(version("b"), version("rounded", "   [one_more] e = DequantizeLinear (q, scale)\n", "e"))
    assert said(version("b"), version("rounded", "   [one_more] e = Neg (d)\n", "e"))


def test_lengths_of_the_whole_graph_stay_those_of_further_runs() -> None:
    """The windows of an image are as many as the batch says, which nothing in a part of the graph does."""
    windows = "int64[4] windows = {-1,16,2,2}, int64[3] rows = {-1,16,4}, int64[2] flat = {-1,4}, int64[6] all = {-1,3,3,4,4,4}"
    held = f"float[4,4] w = {{1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7}}, float[4] d = {{5,6,7,8}}, {windows}, int64 none = {{0}}, int64[1] axis = {{0}}, int64[5] rest = {{3,3,4,4,4}}"
    head = f"""\
<ir_version: 8, opset_import: ["" : 13]>
g (float[b,12,12,4] x) => (float[b,3,3,4,4,4] y) <{held}> {{
   n = Shape (x)
   k = Gather (n, none)
   u = Unsqueeze (k, axis)
   c = Concat <axis: int = 0> (u, rest)
   i = Reshape (x, windows)
   t = Transpose <perm: ints = [0, 1, 3, 2]> (i)
   e = Relu (t)
"""
    plain = "   r = Reshape (e, rows)\n   m = MatMul (r, w)\n   a = Add (d, m)\n   [back] z = Reshape (a, c)\n"
    other = "   r = Reshape (e, flat)\n   a = Gemm (r, w{})\n   [back] z = Reshape (a, all)\n"
    old, new, wrong = (
        lint_bytes(f"{head}{text}   y = Sigmoid (z)\n}}\n".encode(), "a.onnxtxt", Settings())
        for text in (plain, other.format(", d"), other.format(""))
    )
    assert not said(old, new)
    assert not said(new, old)
    assert said(old, wrong)
