"""Numbers of 16 bits through floats of 32, and integers of 8 bits through floats that are exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irlint.dryrun.kernels.elementwise import clipped
from irlint.dryrun.kernels.products import (
    dequantized,
    product,
    quantized,
    requantized,
    whole_matrix,
    whole_product,
)
from irlint.dryrun.kernels.windows.convolution import convolve, convolve_whole, whole_filters
from irlint.dryrun.running.arrays import narrowed, widened

RNG = np.random.default_rng(0)


def test_all_halves_come_back() -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    again = narrowed(widened(halves))
    finite = ~np.isnan(halves)
    assert np.array_equal(again.view(np.uint16)[finite], halves.view(np.uint16)[finite])
    assert np.isnan(again[~finite]).all()


@pytest.mark.parametrize("scale", [1.0, 1e-5, 3e-8, 1e4])
def test_floats_are_rounded_as_numpy_does(scale: float) -> None:
    finite = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float32)
    middles = (finite[1:] + finite[:-1]) / 2
    for numbers in (RNG.standard_normal(100_000).astype(np.float32) * np.float32(scale), middles, -middles):
        with np.errstate(over="ignore"):
            wanted = numbers.astype(np.float16)
        assert np.array_equal(narrowed(numbers).view(np.uint16), wanted.view(np.uint16))


def test_products_of_halves_are_rounded_once() -> None:
    a, b = RNG.standard_normal((3, 4, 40)).astype(np.float16), RNG.standard_normal((40, 5)).astype(np.float16)
    wanted = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float16)
    found = product(a, b)
    assert found.dtype == np.float16
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)
    assert product(a[0, 0], widened(b)).dtype == np.float16


@pytest.mark.parametrize(("low", "high"), [(0, 6), (0, np.inf), (0.5, 2), (-1, 1)])
def test_halves_are_clipped_by_their_bits(low: float, high: float) -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    for data in (halves, halves[np.isfinite(halves)], halves[:0]):
        np.testing.assert_array_equal(clipped(data, np.float16(low), np.float16(high)), np.clip(data, low, high))


@pytest.mark.parametrize("depth", [1, 40, 700, 5000])
def test_products_of_integers_are_exact(depth: int) -> None:
    for extreme in (False, True):
        a = np.full((3, depth), 255.0) if extreme else RNG.integers(-255, 256, (3, depth))
        b = np.full((depth, 4), 127) if extreme else RNG.integers(-128, 128, (depth, 4))
        found = whole_product(a.astype(np.float32), **whole_matrix(b.astype(np.int8), np.int8(0)))
        assert np.array_equal(found, a.astype(np.int64) @ b.astype(np.int64))


@pytest.mark.parametrize(("channels", "groups"), [(3, 1), (96, 1), (600, 1), (8, 8), (1200, 2)])
def test_convolutions_of_integers_are_exact(channels: int, groups: int) -> None:
    x = RNG.integers(100, 256, (2, channels, 6, 7))
    w = RNG.integers(60, 128, (2 * groups, channels // groups, 3, 3)).astype(np.int8)
    attrs: dict[str, Any] = {"pads_begin": (1, 1), "pads_end": (1, 0), "groups": groups}
    found = convolve_whole(x.astype(np.float32), **whole_filters(w, None), **attrs)
    wanted = convolve(x.astype(np.int64), w.astype(np.int64), **attrs)
    assert np.array_equal(found, wanted)


@pytest.mark.parametrize("shape", [(), (5,), (70, 3000), (1, 40, 50, 60), (3, 40, 5, 6)])
def test_blocks_are_scaled_as_the_whole(shape: tuple[int, ...]) -> None:
    many = shape[1] if len(shape) == 4 else shape[-1] if shape else 1
    by = (-1, 1, 1) if len(shape) == 4 else (-1,) if shape else ()
    total = RNG.integers(-(1 << 20), 1 << 20, shape).astype(np.float32)
    factor = RNG.random(many).astype(np.float32).reshape(by) / np.float32(1 << 13)
    bias = RNG.integers(-9999, 9999, many).astype(np.int32).reshape(by)
    wanted = np.clip(np.rint((total + bias.astype(np.float32)) * factor) + 7, 0, 255).astype(np.uint8)
    assert np.array_equal(requantized(total.copy(), factor, np.uint8(7), "uint8", bias), wanted)
    data = RNG.standard_normal(shape).astype(np.float32)
    for scale, zero in ((np.float32(0.02), np.uint8(9)), (factor * 100, None)):
        offset = 0 if zero is None else int(zero)
        codes = np.clip(np.rint(data / scale) + offset, 0, 255).astype(np.uint8)
        assert np.array_equal(quantized(data, np.asarray(scale), zero, "uint8"), codes)
        plain = (codes.astype(np.float32) - offset) * scale
        assert np.array_equal(dequantized(codes, np.asarray(scale), zero), plain)
