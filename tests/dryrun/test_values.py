"""What is known of elements on which shapes depend: `y` has the shape that nodes compute."""

from __future__ import annotations

from typing import Any

import pytest

from irlint.api import infer, load

HEAD = '<ir_version: 10, opset_import: ["" : 21]> g (float[N,3] x, float[2,3,4] w) => (float y)'


@pytest.mark.parametrize(
    ("nodes", "shape"),
    [
        *(
            (f"z = Constant <value_ints = [{same},{same}]> () a = {op} (s, z)", ("N", 3))
            for op, same in (("Add", 0), ("Sub", 0), ("Mul", 1), ("Div", 1))
        ),
        ("z = Constant <value_ints = [0,0]> () a = Add (z, s)", ("N", 3)),
        ("h = Constant <value_int = 2> () a = Clip (t, , h)", (2, 2, 2)),
        ("l = Constant <value_int = 3> () a = Clip (t, l)", (3, 3, 4)),
        ("z = Constant <value_ints = [2]> () a = Tile (s, z)", ("N", 3, "N", 3)),
        ("z = Constant <value_ints = [1,2]> () r = Reshape (s, z) q = Transpose (r) u = Constant <value_ints = [-1]> () a = Reshape (q, u)", ("N", 3)),
        ("z = Constant <value_ints = [0]> () r = Unsqueeze (s, z) a = Squeeze (r, z)", ("N", 3)),
        ("z = Constant <value_ints = [1]> () a, r = Split <num_outputs = 2> (s)", ("N",)),
        ("z = Constant <value_ints = [2,1]> () a, r = Split (t, z)", (2, 3)),
        ("z = Constant <value_ints = [3,3]> () a = Min (t2, z)", (2, 3)),
        ("z = Constant <value_ints = [7,7]> () e = Equal (t2, z) f = Not (e) g = And (e, f) h = Or (e, f) a = Where (h, t2, z)", (2, 3)),
        ("z = Constant <value_ints = [2,2]> () a = Mod (t2, z)", (0, 1)),
        ("z = Constant <value_ints = [2,2]> () a = Pow (t2, z)", (4, 9)),
        ("f = Cast <to = 1> (t) h = Constant <value_float = 0.5> () m = Mul (f, h) c = Ceil (m) a = Cast <to = 7> (c)", (1, 2, 2)),
        ("f = Cast <to = 1> (t) h = Constant <value_float = 0.5> () m = Mul (f, h) c = Round (m) a = Cast <to = 7> (c)", (1, 2, 2)),
        ("z = Constant <value_ints = [1]> () e = Expand (t2, z) a = CastLike (e, t2)", (2, 3)),
        ("z = Constant <value_ints = [0]> () p = ReduceProd <keepdims = 1> (t, z) a = Identity (p)", (24,)),
        ("z = Constant <value_ints = [1,0]> () a = Gather (s, z)", (3, "N")),
        ("z = Constant <value_ints = [-1]> () b = Constant <value_ints = [-3]> () a = Slice (s, z, b, , z)", (3, "N")),
        ("a = Concat <axis = 0> (s, t2)", ("N", 3, 2, 3)),
    ],
)  # fmt: skip
def test_shapes_that_nodes_compute(nodes: str, shape: tuple[Any, ...]) -> None:
    before = "s = Shape (x) t = Shape (w) t2 = Shape <end = 2> (w)"
    model = load(f"{HEAD} {{ {before} {nodes} y = ConstantOfShape (a) }}")
    name = next(node.name for node in model.graph.nodes if node.op == "ConstantOfShape")
    assert infer(model)[name][0][1] == shape
