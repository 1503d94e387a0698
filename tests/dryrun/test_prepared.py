"""What a runner makes of constants in its first run gives the same numbers in later ones."""

from __future__ import annotations

import numpy as np
import pytest

import irlint

ONE = "z = Constant <value = uint8 {3}> () s = Constant <value_float = 0.5> ()"


@pytest.mark.parametrize(
    ("given", "nodes"),
    [
        ("float16[2,3] x", "w = Constant <value = float16[3,2] {1,2,3,4,5,6}> () y = MatMul (x, w)"),
        ("float16[2,3] x", "w = Constant <value = float16[2,3] {1,2,3,4,5,6}> () y = Gemm <transB = 1> (x, w)"),
        ("float16[1,1,3,3] x", "w = Constant <value = float16[1,1,2,2] {1,2,3,4}> () y = Conv (x, w)"),
        ("float16[2,3] x", 'w = Constant <value = float16[3,2] {1,2,3,4,5,6}> () y = Einsum <equation = "ij,jk->ik"> (x, w)'),
        ("uint8[1,1,3,3] x", f"{ONE} w = Constant <value = uint8[1,1,2,2] {{1,2,3,4}}> () y = ConvInteger (x, w, z, z)"),
        ("uint8[2,3] x", f"{ONE} w = Constant <value = uint8[3,2] {{1,2,3,4,5,6}}> () y = MatMulInteger (x, w, z, z)"),
        ("uint8[2,3] x", f"{ONE} w = Constant <value = uint8[3,2] {{1,2,3,4,5,6}}> () y = QLinearMatMul (x, s, z, w, s, z, s, z)"),
        ("uint8[1,1,3,3] x", f"{ONE} w = Constant <value = uint8[1,1,2,2] {{1,2,3,4}}> () y = QLinearConv (x, s, z, w, s, z, s, z)"),
    ],
)  # fmt: skip
def test_later_runs(given: str, nodes: str) -> None:
    kind, _, rest = given.partition("[")
    made = "int32" if "Integer" in nodes else kind
    text = (
        f'<ir_version: 10, opset_import: ["" : 21]> g ({given}) => ({made}[{"?," * rest.count(",")}?] y) {{ {nodes} }}'
    )
    shape = [int(n) for n in rest.partition("]")[0].split(",")]
    x = np.arange(int(np.prod(shape))).reshape(shape).astype(kind)
    runner = irlint.run(irlint.load(text))
    first, *others = (next(iter(runner({"x": x}).values())) for _ in range(4))
    assert first.any()
    for other in others:
        np.testing.assert_array_equal(first, other)
