"""Conversions, quantisation, sequences, strings, attention and trees: shapes, errors, and values by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irlint.codes import R
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.kernels.casting import cast_to
from irlint.dryrun.operator import operator
from irlint.dryrun.running.arrays import cast, from_bytes
from irlint.dryrun.tensor import Tensor, constant


def f32(*shape: Any) -> Tensor:
    return Tensor("float32", shape)


@pytest.mark.parametrize(
    ("dtype", "saturated", "not_saturated"),
    [
        ("float8_e4m3fn", 448, np.nan),
        ("float8_e4m3fnuz", 240, np.nan),
        ("float8_e5m2", 57344, np.inf),
        ("float8_e5m2fnuz", 57344, np.nan),
    ],
)
def test_what_is_too_large_for_eight_bits(dtype: str, saturated: float, not_saturated: float) -> None:
    large = np.array([1e6], np.float32)
    np.testing.assert_array_equal(cast_to(large, dtype), [saturated])
    np.testing.assert_array_equal(cast_to(large, dtype, saturate=False), np.array([not_saturated], np.float32))


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"])
def test_every_code_of_eight_bits_stays_as_it_is(dtype: str) -> None:
    codes = from_bytes(bytes(range(256)), dtype, (256,))
    np.testing.assert_array_equal(cast(codes, dtype), codes)


def test_codes_of_two_bits_have_a_sign() -> None:
    np.testing.assert_array_equal(from_bytes(b"\xe4", "int2", (4,)), [0, 1, -2, -1])


def test_strings_and_numbers() -> None:
    words = cast_to(np.array([1.5, np.nan, -np.inf], np.float32), "string")
    assert list(words) == ["1.5", "NaN", "-INF"]
    np.testing.assert_array_equal(cast_to(np.array(["3", "4.5"], object), "int32"), [3, 4])


def test_quantisation_in_blocks() -> None:
    data, scale = np.array([[1.0, 2.0, 30.0, 40.0]], np.float32), np.array([[1.0, 10.0]], np.float32)
    found = operator("onnx/scales.QuantizeBy").run(data, scale, axis=1, block=2, dtypes=("int4",))
    np.testing.assert_array_equal(found, [[1, 2, 3, 4]])
    back = operator("onnx/scales.DequantizeBy").run(found, scale, axis=1, block=2)
    np.testing.assert_array_equal(back, data)


def test_a_scale_that_fits_no_axis() -> None:
    with pytest.raises(ShapeError) as caught:
        operator("onnx/scales.QuantizeBy").shape(f32(2, 3), f32(2), axis=1)
    assert (caught.value.rule, caught.value.part) == (R.shape_mismatch, "input:1")


def test_a_sequence_grows_and_is_joined() -> None:
    one, two = np.zeros((1, 2), np.float32), np.ones((3, 2), np.float32)
    box = operator("onnx/lists.ListInsert").run(operator("onnx/lists.Construct").run(one), two)
    assert int(operator("onnx/lists.Length").run(box)) == 2
    assert operator("onnx/lists.ListJoined").run(box, axis=0).shape == (4, 2)
    np.testing.assert_array_equal(operator("onnx/lists.At").run(box, np.array(-1)), two)
    assert not operator("onnx/lists.HasValue").run(operator("onnx/lists.Optional").run())


def test_words_are_split_and_counted() -> None:
    words, counts = operator("onnx/text.SplitWords").run(np.array(["a b", ""], object))
    assert words.tolist() == [["a", "b"], ["", ""]]
    assert counts.tolist() == [2, 0]


def test_parts_that_are_not_even() -> None:
    found: Any = operator("moving/splitting.SplitParts").shape(f32(7), axis=0, count=3)
    assert [part.shape for part in found] == [(3,), (3,), (1,)]
    with pytest.raises(ShapeError):
        operator("moving/splitting.SplitParts").shape(f32(7), axis=0, count=3, even=True)
    with pytest.raises(ShapeError) as caught:
        operator("moving/splitting.SplitParts").shape(f32(7), constant((3, 3)), axis=0, count=2)
    assert caught.value.part == "input:1"


def test_a_reduction_without_axes() -> None:
    reduce = operator("onnx/reducing.ReduceListed")
    assert reduce.shape(f32("n", 3), fold="ReduceSum", keep_dims=True).shape == (1, 1)  # type: ignore[union-attr]
    assert reduce.shape(f32("n", 3), None, fold="ReduceSum", noop=True).shape == ("n", 3)  # type: ignore[union-attr]
    count = reduce.value(constant((2, 3, "n")), fold="ReduceProd")
    assert count is not None
    assert len(count) == 1


def test_attention_over_a_cache() -> None:
    attention = operator("onnx/cached_attention.CachedAttention")
    found: Any = attention.shape(
        f32("b", 4, 8),
        f32("b", 6, 4),
        f32("b", 6, 4),
        None,
        f32("b", 1, 5, 4),
        f32("b", 1, 5, 4),
        q_heads=2,
        kv_heads=1,
    )
    assert [tensor.shape for tensor in found] == [("b", 4, 8), ("b", 1, 11, 4), ("b", 1, 11, 4), ("b", 2, 4, 11)]
    with pytest.raises(ShapeError) as caught:
        attention.shape(f32(2, 4, 8), f32(2, 6, 6), f32(2, 6, 4), q_heads=2, kv_heads=1)
    assert caught.value.part == "input:1"


def test_linear_attention_keeps_a_state() -> None:
    attention = operator("onnx/cached_attention.LinearAttention")
    found: Any = attention.shape(
        f32(2, 5, 32), f32(2, 5, 16), f32(2, 5, 18), f32(2, 2, 8, 9), q_heads=4, kv_heads=2, rule="linear"
    )
    assert [tensor.shape for tensor in found] == [(2, 5, 36), (2, 2, 8, 9)]
    with pytest.raises(ShapeError) as caught:
        attention.shape(f32(2, 5, 32), f32(2, 6, 16), f32(2, 5, 18), q_heads=4, kv_heads=2, rule="linear")
    assert caught.value.part == "input:1"


def test_rows_go_to_the_leaves_of_a_tree() -> None:
    from irlint.dryrun.kernels.classic import leaves, listed_trees

    trees, places = listed_trees(
        [0, 0, 0], [0, 1, 2], [1, 0, 0], ["BRANCH_LEQ", "LEAF", "LEAF"], np.array([0.5, 0, 0]), [1, 0, 0], [2, 0, 0], []
    )
    rows = np.array([[9.0, 0.0], [9.0, 1.0]], np.float32)
    assert leaves(rows, trees)[:, 0].tolist() == [places[0, 1], places[0, 2]]
