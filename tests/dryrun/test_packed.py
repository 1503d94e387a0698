"""Constants that are unpacked where they are used: the numbers of unpacking them at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint.api import run
from irlint.dryrun.dtypes import BITS
from irlint.dryrun.running.arrays import cast, from_bytes, from_halves
from irlint.dryrun.running.packed import SHORT, multiply, packed

RNG = np.random.default_rng(0)


def random_bytes(kind: str, shape: tuple[int, ...]) -> bytes:
    if kind in ("float16", "bfloat16", "float8_e5m2", "float8_e4m3fn"):
        bits = RNG.standard_normal(shape).astype(np.float16).view(np.uint16)
        return (bits if BITS[kind] == 16 else bits & 0x3F).astype(f"u{BITS[kind] // 8}").tobytes()
    return RNG.integers(0, 256, int(np.prod(shape)) * BITS[kind] // 8).astype(np.uint8).tobytes()


@pytest.mark.parametrize("kind", sorted(SHORT))
def test_rows_are_those_of_the_array(kind: str) -> None:
    shape = (130, 4, 64)
    data = random_bytes(kind, shape)
    plain = from_bytes(data, kind, shape)
    scale, zero = RNG.random((130, 4, 1)).astype(np.float16), RNG.random((1, 4, 1)).astype(np.float32)
    constant = packed(data, kind, shape)
    assert constant is not None
    assert np.array_equal(constant.array(), plain)
    found: Any = constant.converted("float16").stepped("subtract", zero).stepped("multiply", scale)  # type: ignore[union-attr]
    found = found.reshaped((130, 256)).converted("float32")
    wanted = ((plain.astype(np.float32) - zero) * scale.astype(np.float32)).reshape(130, 256)
    np.testing.assert_array_equal(found.array(), wanted)
    np.testing.assert_array_equal(found.rows(7, 101), wanted[7:101])
    numbers = np.array([[3, 3], [129, 0]])
    np.testing.assert_array_equal(found.take(numbers), wanted[numbers])


def test_products_are_those_of_the_array() -> None:
    for shape in ((700, 512), (5, 96, 128)):
        constant = packed(random_bytes("int8", shape), "int8", shape)
        assert constant is not None
        weights: Any = constant.converted("float32")
        plain = weights.array()
        for transposed in (True, False):
            matrix = np.swapaxes(plain, -1, -2) if transposed else plain
            for lead in ((3, 2), (1, 7)):
                data = RNG.standard_normal(
                    (*lead[: 4 - len(shape)], *((lead[1],) if len(shape) == 3 else ()), matrix.shape[-2])
                )
                data = data.astype(np.float32)
                if len(shape) == 3:
                    data = RNG.standard_normal((5, 4, matrix.shape[-2])).astype(np.float32)
                np.testing.assert_allclose(multiply(data, weights, transposed), data @ matrix, rtol=1e-4, atol=1e-2)


@pytest.mark.parametrize("kind", ["int4", "uint4", "uint2", "int8"])
@pytest.mark.parametrize("zero", [None, (1, 4, 1), (130, 4, 1), 0.5])
def test_few_rows_are_multiplied_by_codes_of_groups(kind: str, zero: Any) -> None:
    shape = (130, 4, 64)
    weights: Any = packed(random_bytes(kind, shape), kind, shape)
    weights = weights.converted("float32")
    if zero is not None:
        few = np.full((130, 4, 1), 0.5) if zero == 0.5 else RNG.integers(0, 8, zero)
        weights = weights.stepped("subtract", few.astype(np.float32))
    weights = weights.stepped("multiply", RNG.random((130, 4, 1)).astype(np.float32)).reshaped((130, 256))
    plain, wide = weights.array(), weights.in_bytes()
    assert (wide is None) == (kind == "int8")
    assert wide is None or np.array_equal(wide.array(), plain)
    for lead in ((1,), (2, 3)):
        data = RNG.standard_normal((*lead, 256)).astype(np.float32)
        for each in (weights, wide or weights):
            np.testing.assert_allclose(multiply(data, each, True), data @ plain.T, rtol=1e-5, atol=1e-3)


def test_all_halves_become_the_floats_of_astype() -> None:
    halves = np.arange(1 << 16, dtype=np.uint16)
    finite = halves[(halves & 0x7C00) != 0x7C00]
    for codes in (halves, finite):
        out = np.empty(codes.size, np.float32)
        from_halves(codes, out)
        assert np.array_equal(out.view(np.uint32), codes.view(np.float16).astype(np.float32).view(np.uint32))
    assert np.array_equal(cast(finite.view(np.float16), "float32"), finite.view(np.float16).astype(np.float32))


IR = """<?xml version="1.0"?>
<net name="net" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="3,256" element_type="f32"/><output><port id="0" precision="FP32"><dim>3</dim><dim>256</dim></port></output></layer>
<layer id="1" name="w" type="Const" version="opset1"><data element_type="u4" shape="96,4,64" offset="0" size="12288"/><output><port id="0" precision="U4"><dim>96</dim><dim>4</dim><dim>64</dim></port></output></layer>
<layer id="2" name="c" type="Convert" version="opset1"><data destination_type="f16"/><input><port id="0"><dim>96</dim><dim>4</dim><dim>64</dim></port></input><output><port id="1" precision="FP16"><dim>96</dim><dim>4</dim><dim>64</dim></port></output></layer>
<layer id="3" name="s" type="Const" version="opset1"><data element_type="f16" shape="96,4,1" offset="12288" size="768"/><output><port id="0" precision="FP16"><dim>96</dim><dim>4</dim><dim>1</dim></port></output></layer>
<layer id="4" name="m" type="Multiply" version="opset1"><data auto_broadcast="numpy"/><input><port id="0"><dim>96</dim><dim>4</dim><dim>64</dim></port><port id="1"><dim>96</dim><dim>4</dim><dim>1</dim></port></input><output><port id="2" precision="FP16"><dim>96</dim><dim>4</dim><dim>64</dim></port></output></layer>
<layer id="5" name="p" type="Const" version="opset1"><data element_type="i64" shape="2" offset="13056" size="16"/><output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
<layer id="6" name="r" type="Reshape" version="opset1"><data special_zero="false"/><input><port id="0"><dim>96</dim><dim>4</dim><dim>64</dim></port><port id="1"><dim>2</dim></port></input><output><port id="2" precision="FP16"><dim>96</dim><dim>256</dim></port></output></layer>
<layer id="7" name="f" type="Convert" version="opset1"><data destination_type="f32"/><input><port id="0"><dim>96</dim><dim>256</dim></port></input><output><port id="1" precision="FP32"><dim>96</dim><dim>256</dim></port></output></layer>
<layer id="8" name="y" type="MatMul" version="opset1"><data transpose_a="false" transpose_b="true"/><input><port id="0"><dim>3</dim><dim>256</dim></port><port id="1"><dim>96</dim><dim>256</dim></port></input><output><port id="2" precision="FP32"><dim>3</dim><dim>96</dim></port></output></layer>
<layer id="9" name="out" type="Result" version="opset1"><input><port id="0"><dim>3</dim><dim>96</dim></port></input></layer>
<layer id="10" name="weights" type="Result" version="opset1"><input><port id="0"><dim>96</dim><dim>256</dim></port></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="8" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="2" from-port="1" to-layer="4" to-port="0"/><edge from-layer="3" from-port="0" to-layer="4" to-port="1"/>
<edge from-layer="4" from-port="2" to-layer="6" to-port="0"/><edge from-layer="5" from-port="0" to-layer="6" to-port="1"/>
<edge from-layer="6" from-port="2" to-layer="7" to-port="0"/><edge from-layer="7" from-port="1" to-layer="8" to-port="1"/>
<edge from-layer="8" from-port="2" to-layer="9" to-port="0"/><edge from-layer="7" from-port="1" to-layer="10" to-port="0"/>
</edges></net>
"""


def test_a_model_computes_with_packed_weights_and_returns_them_unpacked(tmp_path: Path) -> None:
    codes = random_bytes("uint4", (96, 4, 64))
    scale = RNG.random((96, 4, 1)).astype(np.float16)
    (tmp_path / "net.xml").write_text(IR, encoding="utf-8")
    (tmp_path / "net.bin").write_bytes(codes + scale.tobytes() + np.array([96, 256]).tobytes())
    x = RNG.standard_normal((3, 256)).astype(np.float32)
    product, weights = run(tmp_path / "net.xml", {"x": x}).values()
    wanted = (from_bytes(codes, "uint4", (96, 4, 64)).astype(np.float32) * scale.astype(np.float32)).reshape(96, 256)
    np.testing.assert_array_equal(weights, wanted)
    np.testing.assert_allclose(product, x @ wanted.T, rtol=1e-5, atol=1e-4)
