"""Operators on windows, grids and matrices: shapes for known and symbolic lengths, errors, and values by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irlint.codes import R
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor, constant

EXPLICIT = {"strides": (), "dilations": (), "pads_begin": (), "pads_end": (), "auto_pad": "explicit"}


def f32(*shape: Any) -> Tensor:
    return Tensor("float32", shape)


def shape_of(word: str, *operands: Any, **attrs: Any) -> Any:
    found: Any = operator(word).shape(*operands, **attrs)
    return found[0].shape if isinstance(found, list) else found.shape


def error_of(word: str, *operands: Any, **attrs: Any) -> ShapeError:
    with pytest.raises(ShapeError) as caught:
        operator(word).shape(*operands, **attrs)
    return caught.value


def test_a_filter_keeps_the_symbol_of_the_batch() -> None:
    found = shape_of("onnx/filters.FilterBias", f32("batch", 3, 8, 8), f32(4, 3, 3, 3), f32(4), groups=1, **EXPLICIT)
    assert found == ("batch", 4, 6, 6)


@pytest.mark.parametrize(
    ("weight", "attrs", "rule", "part"),
    [
        ((4, 3, 3, 3), {"kernel": (3, 2)}, R.shape_mismatch, "attr:kernel"),
        ((4, 3, 3, 3), {"kernel": (3,)}, R.wrong_value_length, "attr:kernel"),
        ((4, 2, 3, 3), {}, R.shape_mismatch, "input:1"),
        ((4, 3, 3), {}, R.wrong_rank, "input:1"),
        ((4, 3, 9, 9), {}, R.shape_mismatch, "input:1"),
        ((4, 3, 3, 3), {"groups": 0}, R.value_out_of_range, "attr:groups"),
    ],
)
def test_a_filter_that_does_not_fit(weight: Any, attrs: Any, rule: Any, part: str) -> None:
    error = error_of("onnx/filters.FilterBias", f32(1, 3, 8, 8), f32(*weight), **{"groups": 1, **EXPLICIT, **attrs})
    assert (error.rule, error.part) == (rule, part)


def test_a_bias_of_other_channels() -> None:
    error = error_of("onnx/filters.FilterBias", f32(1, 3, 8, 8), f32(4, 3, 3, 3), f32(5), groups=1, **EXPLICIT)
    assert error.part == "input:2"
    assert "expected 4" in error.message


def test_a_transposed_filter_with_a_wanted_length() -> None:
    attrs = {**EXPLICIT, "strides": (3, 2), "output_shape": (10, 8), "groups": 1}
    assert shape_of("onnx/filters.TransposedFilter", f32(1, 1, 3, 3), f32(1, 2, 3, 3), **attrs) == (1, 2, 10, 8)
    x, w = np.ones((1, 1, 3, 3), np.float32), np.ones((1, 2, 3, 3), np.float32)
    assert operator("onnx/filters.TransposedFilter").run(x, w, **attrs).shape == (1, 2, 10, 8)


def test_padding_as_wide_as_the_window() -> None:
    error = error_of(
        "onnx/pools.MaxPoolPlaces",
        f32(1, 1, 8, 8),
        **{**EXPLICIT, "kernel": (2, 2), "strides": (1, 1), "pads_begin": (2, 0), "pads_end": (0, 0)},
    )
    assert (error.rule, error.part) == (R.value_out_of_range, "attr:pads_begin")


@pytest.mark.parametrize(
    ("a", "b", "c", "rule"),
    [
        ((2, 3), (4, 5), None, R.shape_mismatch),
        ((2, 3), (3, 5), (4,), R.shape_mismatch),
        ((2,), (3, 5), None, R.wrong_rank),
    ],
)
def test_products_that_do_not_fit(a: Any, b: Any, c: Any, rule: Any) -> None:
    more = () if c is None else (f32(*c),)
    assert error_of("shared/dense.ProductPlus", f32(*a), f32(*b), *more).rule == rule


def test_a_product_plus_a_row() -> None:
    a, b, c = np.ones((2, 3), np.float32), np.ones((3, 4), np.float32), np.arange(4, dtype=np.float32)
    found = operator("shared/dense.ProductPlus").run(a, b, c, alpha=2.0, beta=1.0)
    np.testing.assert_array_equal(found, np.broadcast_to(6 + c, (2, 4)))


def test_resizing_by_a_scale_that_32_bits_round() -> None:
    scales = constant((1.0, 1.0, 0.699999988079071, 2.0), dtype="float32")
    assert shape_of("onnx/resampling.ResizeAxes", f32("n", 3, 10, "w"), None, scales) == ("n", 3, 7, None)


def test_resizing_needs_one_of_scales_and_sizes() -> None:
    assert error_of("onnx/resampling.ResizeAxes", f32(1, 3, 4, 4)).rule == R.wrong_input_count


def test_linear_resizing_keeps_a_ramp() -> None:
    ramp = np.arange(4, dtype=np.float32)[None, None, None]
    found = operator("onnx/resampling.ResizeAxes").run(
        ramp, None, None, np.array([1, 1, 1, 7]), mode="linear", way="align_corners", nearest="floor", coefficient=-0.75,
        exclude_outside=False, extrapolation=0.0, antialias=False,
    )  # fmt: skip
    np.testing.assert_allclose(found[0, 0, 0], np.arange(7) / 2)


def test_a_grid_at_the_pixels_gives_them_back() -> None:
    image = np.random.default_rng(0).random((1, 2, 3, 4)).astype(np.float32)
    theta = np.array([[[1, 0, 0], [0, 1, 0]]], np.float32)
    grid = operator("onnx/resampling.AffineGrid").run(theta, np.array([1, 2, 3, 4]), corners=True)
    for mode in ("nearest", "linear", "cubic"):
        found = operator("onnx/resampling.SampleGrid").run(image, grid, mode=mode, padding="zeros", corners=True)
        np.testing.assert_allclose(found, image, atol=1e-5)


def test_folded_columns_of_one_window_each() -> None:
    columns = np.arange(4, dtype=np.float32)[None, :, None]
    found = operator("moving/patches.FoldColumns").run(columns, np.array([2, 2]), np.array([2, 2]))
    np.testing.assert_array_equal(found[0, 0], [[0, 1], [2, 3]])


def test_a_transform_and_back() -> None:
    signal = np.random.default_rng(0).random((1, 8, 1)).astype(np.float32)
    half = operator("onnx/spectra.SpectrumTransform").run(signal, onesided=True)
    assert half.shape == (1, 5, 2)
    np.testing.assert_allclose(
        operator("onnx/spectra.SpectrumTransform").run(half, inverse=True, onesided=True), signal, atol=1e-5
    )
