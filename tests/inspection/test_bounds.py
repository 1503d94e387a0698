"""What only shows beyond a bound, for some lengths or for small numbers, is no optimization; nor is what somebody wrote into a constant."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import numpy as np
import pytest

from irlint.engine import Result, lint_bytes
from irlint.jobs.versions import breaking, settings_for
from irlint.settings import Settings
from tests.formats.openvino import tiny
from tests.formats.openvino.test_port_maps import ITERATOR
from tests.formats.openvino.tiny import Layer, call, const, parameter
from tests.proving.test_states import cell

HELD = (
    "float[8,8] w = {%s}, int64[1] zero = {0}, int64[1] end = {16}, int64[1] more = {24}, int64[1] axis = {1}, int64 hundred = {100}, "
    "int64 sixteen = {16}, float two = {2}, float tiny = {1e-6}, int64[1] k = {2}, bool yes = {1}, int64 turns = {3}, "
    "int64[1] last = {2}, int64 none = {0}, int64 step = {1}, int64 far = {4096}"
)
WEIGHTS = HELD % ",".join(map(str, np.arange(64) ** 0.5))


def net(x: str, nodes: str, held: str = "", functions: str = "") -> Result:
    text = (
        '<ir_version: 10, opset_import: ["" : 17, "a" : 1, "b" : 1]>\n'
        f"g ({x} x) => (float[a,b,c] y) <{WEIGHTS}{held}> {{ {nodes} }}\n{functions}"
    )
    return lint_bytes(text.encode(), "a.onnxtxt", Settings())


def said(old: Result, new: Result) -> list[str]:
    found = breaking(old, new, settings_for(Settings(), "numerics"), "old").findings
    return [one.message for one in found if one.code == "B020"]


@pytest.mark.parametrize(
    ("x", "before", "after"),
    [
        ("float[1,S,8]", "a = Slice (x, zero, end, axis) y = Relu (a)", "y = Relu (x)"),
        ("float[1,S,8]", "a = Slice (x, zero, end, axis) y = Relu (a)", "a = Slice (x, zero, more, axis) y = Relu (a)"),
        (
            "int64[1,S,8]",
            "i = Min (x, hundred) c = Cast <to: int = 1> (i) y = Relu (c)",
            "c = Cast <to: int = 1> (x) y = Relu (c)",
        ),
        (
            "float[1,4,8]",
            "r = Relu (x) d = Mul (r, two) q = Sqrt (d) y = MatMul (q, w)",
            "r = Relu (x) q = Sqrt (r) y = MatMul (q, w)",
        ),
        ("float[1,4,8]", "n = IsNaN (x) z = Sub (x, x) y = Where (n, z, x)", "y = Identity (x)"),
        ("float[1,S,S]", "a = Trilu <upper: int = 0> (x, sixteen) y = Relu (a)", "y = Relu (x)"),
        ("float[1,?,8]", "a = Slice (x, zero, end, axis) y = Relu (a)", "y = Relu (x)"),
        (
            "float[1,4,8]",
            "s = Mul (x, x) m = ReduceMean <axes: ints = [-1]> (s) e = Add (m, tiny) r = Sqrt (e) y = Div (x, r)",
            "s = Mul (x, x) m = ReduceMean <axes: ints = [-1]> (s) r = Sqrt (m) y = Div (x, r)",
        ),
        (
            "float[S,T,8]",  # only one of two lengths may be long: both together are too many numbers
            "z = Shape (x) t = Gather (z, step) r = Range (none, t, step) i = Min (r, far) c = Cast <to: int = 1> (i) "
            "u = Unsqueeze (c, last) y = Mul (x, u)",
            "z = Shape (x) t = Gather (z, step) r = Range (none, t, step) c = Cast <to: int = 1> (r) "
            "u = Unsqueeze (c, last) y = Mul (x, u)",
        ),
        (
            "float[S,T,8]",  # whole numbers of 16 bits end at 2048
            "z = Shape (x) t = Gather (z, step) r = Range (none, t, step) c = Cast <to: int = 1> (r) "
            "u = Unsqueeze (c, axis) y = Mul (x, u)",
            "z = Shape (x) t = Gather (z, step) r = Range (none, t, step) h = Cast <to: int = 10> (r) "
            "c = Cast <to: int = 1> (h) u = Unsqueeze (c, axis) y = Mul (x, u)",
        ),
        ("float[1,8,8]", "y = MatMul (x, w)", "y = MatMul (w, x)"),
        ("float[1,4,8]", "y, i = TopK (x, k)", "y, i = TopK <sorted: int = 0> (x, k)"),
    ],
)
def test_what_is_only_seen_beyond_a_bound_is_no_optimization(x: str, before: str, after: str) -> None:
    """The numbers of a bound are in the part that changed; roots have no results for half of all numbers."""
    assert said(net(x, before), net(x, after))
    assert not said(net(x, before), net(x, before))


@pytest.mark.parametrize(
    ("nodes", "constant", "before", "after"),
    [
        (
            "b = Unsqueeze (x, axis) q = Slice (x, zero, axis, axis) n = NonMaxSuppression (boxes, q, many, least) "
            "c = Cast <to: int = 1> (n) y = Unsqueeze (c, zero)",
            "float[1,4,4] boxes = {0,0,1,1,5,5,6,6,9,9,10,10,20,20,21,21}, int64[1] many = {4}, float[1] least = {%s}",
            "0.5",
            "0.45",
        ),
        (
            "y = Loop (trips, yes, x) <body: graph = b (int64 i, bool c, float[1,4,8] v) => (bool d, float[1,4,8] n) "
            "{ d = Identity (c) n = Tanh (v) }>",
            "int64 trips = {%s}",
            "3",
            "4",
        ),
        ("y, m = Dropout (x, half, is_training)", "float half = {0.5}, bool is_training = {%s}", "0", "1"),
    ],
)
def test_a_constant_that_somebody_changed_is_no_optimization(
    nodes: str, constant: str, before: str, after: str
) -> None:
    """Whatever drawn numbers show: boxes of drawn numbers hardly overlap."""
    old, new = (net("float[1,4,8]", nodes, f", {constant % one}") for one in (before, after))
    assert said(old, new)


FUNCTION = '<domain: "{0}", opset_import: ["" : 17]>\n{1} (X) => (Y) {{ c = Constant <value_float: float = {2}> () Y = {3} (X, c) }}\n'


@pytest.mark.parametrize(
    ("call", "functions", "count"),
    [
        ("a.f", [("a", "f", "1.5", "Mul"), ("b", "f", "1.5", "Add")], 0),
        ("a.f", [("a", "f", "2.5", "Mul"), ("b", "f", "1.5", "Add")], 1),  # a constant in the body
        ("a.f", [("a", "f", "1.5", "Add"), ("b", "f", "1.5", "Mul")], 1),  # exchanged by the functions of two domains
        ("b.f", [("a", "f", "1.5", "Mul"), ("b", "f", "1.5", "Add")], 1),
        ("a.h", [("a", "h", "1.5", "Mul"), ("b", "f", "1.5", "Add")], 0),  # only the name is another
    ],
)
def test_a_function_is_what_its_body_computes(call: str, functions: list[tuple[str, ...]], count: int) -> None:
    plain = [("a", "f", "1.5", "Mul"), ("b", "f", "1.5", "Add")]
    old, new = (
        net("float[1,4,8]", f"r = Relu (x) y = {name} (r)", functions="".join(FUNCTION.format(*one) for one in bodies))
        for name, bodies in (("a.f", plain), (call, functions))
    )
    assert len(said(old, new)) == count


def test_strings_that_grow_without_end_are_not_joined() -> None:
    nodes = " ".join(f"s{k + 1} = StringConcat (s{k}, s{k})" for k in range(40))
    text = (
        '<ir_version: 9, opset_import: ["" : 20]>\n'
        'g (string[1] x) => (string[1] y) <string[1] s0 = {{"abcdefgh"}}> {{ {} y = StringConcat ({}) }}\n'
    )
    old, new = (lint_bytes(text.format(nodes, end).encode(), "a.onnxtxt", Settings()) for end in ("x, s40", "s40, x"))
    begin = process_time()
    assert said(old, new)
    assert process_time() - begin < 5


def of_ir(text: str, data: bytes = b"", path: Path | None = None) -> Result:
    if path is None:
        return lint_bytes(text.encode(), "a.xml", Settings())
    path.with_suffix(".bin").write_bytes(data)
    return lint_bytes(text.encode(), path.name, Settings(), path=path)


def test_what_a_state_keeps_is_a_result(tmp_path: Path) -> None:
    kept = [cell(result=name) for name in ("t", "d")]
    old, new = (of_ir(net.text, net.data, tmp_path / f"{k}.xml") for k, net in enumerate(kept))
    assert said(old, new)
    assert not said(old, old)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<input axis="1" external_port_id="0"', '<input axis="1" start="-1" end="0" stride="-1" external_port_id="0"'),
        ('<edge from-layer="4" to-layer="1"/>', ""),
    ],
)
def test_how_a_node_is_connected_with_its_graph_is_what_it_computes(before: str, after: str) -> None:
    assert before in ITERATOR
    assert said(of_ir(ITERATOR), of_ir(ITERATOR.replace(before, after)))
    assert not said(of_ir(ITERATOR), of_ir(ITERATOR.replace("add2", "sum")))


@pytest.mark.parametrize(("factor", "is_same"), [(1.0, True), (1.05, False)])
def test_constants_of_fewer_bits_are_rounded(tmp_path: Path, factor: float, is_same: bool) -> None:
    numbers = [0.0883883, 0.7071068, 1.4142136, 0.3333333]

    def write(name: str, *made: Layer) -> Result:
        layers = [parameter("x", "3,4"), *made, call("y", "opset1.Multiply", "x", "c", auto_broadcast="numpy")]
        path = tiny.write(tmp_path / name, *layers)
        return lint_bytes(path.read_bytes(), name, Settings(), path=path)

    half = const("h", *(factor * one for one in numbers), kind="f16")
    old = write("a.xml", const("c", *numbers, kind="f32"))
    found = said(old, write("b.xml", half, call("c", "opset1.Convert", "h", destination_type="f32")))
    assert (not found) == is_same
