"""Every way in which convolution is computed against the definition: each window's elements times the filters, summed."""

from __future__ import annotations

import numpy as np
import pytest

from irlint.dryrun.kernels.windows import convolution, depthwise, winograd
from irlint.dryrun.kernels.windows.convolution import convolve

GROUPS = {"plain": lambda channels: 1, "grouped": lambda channels: 2, "depthwise": lambda channels: channels}


def naive(data, filters, strides, dilations, begin, end, groups, pad_value=0.0):
    space, out = data.ndim - 2, filters.shape[0] // groups
    wide = [(0, 0), (0, 0), *zip(begin, end, strict=True)]
    data = np.pad(data.astype(np.float64), wide, constant_values=pad_value)
    reach = [(k - 1) * d + 1 for k, d in zip(filters.shape[2:], dilations, strict=True)]
    counts = [(n - r) // s + 1 for n, r, s in zip(data.shape[2:], reach, strides, strict=True)]
    result = np.zeros((data.shape[0], filters.shape[0], *counts))
    for place in np.ndindex(*counts):
        cut = [slice(p * s, p * s + r, d) for p, s, r, d in zip(place, strides, reach, dilations, strict=True)]
        for channel in range(filters.shape[0]):
            first = channel // out * filters.shape[1]
            window = data[(slice(None), slice(first, first + filters.shape[1]), *cut)]
            total = (window * filters[channel]).sum(axis=tuple(range(1, space + 2)))
            result[(slice(None), channel, *place)] = total
    return result


def draw(random, kind):
    """A convolution of any rank, with windows that fit."""
    while True:
        space = int(random.integers(1, 4))
        lengths, kernel = random.integers(1, 8, space), random.integers(1, 5, space)
        strides, dilations = random.integers(1, 4, space), random.integers(1, 3, space)
        begin, end = random.integers(0, 4, (2, space))
        if (lengths + begin + end > (kernel - 1) * dilations).all():
            break
    channels = int(random.integers(1, 4)) * 2
    groups = GROUPS[kind](channels)
    out = groups * int(random.integers(1, 3))
    data = random.standard_normal((int(random.integers(1, 3)), channels, *lengths), np.float32)
    filters = random.standard_normal((out, channels // groups, *kernel), np.float32)
    attrs = {"strides": strides, "dilations": dilations, "pads_begin": begin, "pads_end": end}
    return data, filters, {name: tuple(map(int, numbers)) for name, numbers in attrs.items()}, groups


@pytest.mark.parametrize("kind", GROUPS)
@pytest.mark.parametrize("cache", [1 << 20, 256])
def test_a_convolution_is_the_sum_over_its_windows(monkeypatch, kind, cache):
    """Whether all is worked on at once, or (with a small cache) a little at a time."""
    monkeypatch.setattr(convolution, "BLOCK", cache)
    monkeypatch.setattr(depthwise, "CACHE", cache)
    random = np.random.default_rng(0)
    for _ in range(60):
        data, filters, attrs, groups = draw(random, kind)
        pad_value = float(random.integers(0, 2))
        expected = naive(data, filters, *attrs.values(), groups, pad_value)
        found = convolve(data, filters, groups=groups, pad_value=pad_value, **attrs)
        assert found.dtype == np.float32
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, 1e-4, 1e-4, err_msg=f"{data.shape} {filters.shape} {attrs}")


@pytest.mark.parametrize("cache", [1 << 20, 2000, 1])
def test_tiles_give_what_windows_give(monkeypatch, cache):
    monkeypatch.setattr(winograd, "CACHE", cache)
    random = np.random.default_rng(1)
    for _ in range(30):
        channels, out, batch = map(int, random.integers(1, 4, 3))
        begin, end = random.integers(0, 4, (2, 2)).tolist()
        lengths = [max(3 - a - b, 1) + int(random.integers(9)) for a, b in zip(begin, end, strict=True)]
        data = random.standard_normal((batch, channels, *lengths), np.float32)
        filters = random.standard_normal((out, channels, 3, 3), np.float32)
        expected = naive(data, filters, (1, 1), (1, 1), begin, end, 1, 0.5)
        found = winograd.convolve_tiles(data, filters, begin, expected.shape[2:], 0.5)
        np.testing.assert_allclose(found, expected, 1e-4, 1e-4, err_msg=f"{data.shape} {begin} {end}")


def test_many_channels_are_as_exact_in_tiles_as_in_windows():
    random = np.random.default_rng(2)
    data = random.standard_normal((1, 48, 24, 24), np.float32)
    filters = random.standard_normal((40, 48, 3, 3), np.float32)
    padded = np.pad(data.astype(np.float64), ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    expected = np.einsum("bcyxij,ocij->boyx", windows, filters.astype(np.float64))
    found = convolve(data, filters, pads_begin=(1, 1), pads_end=(1, 1))
    assert np.abs(found - expected).max() < 2e-6 * np.abs(expected).max()


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_what_is_no_number_stays_where_it_is_met(odd):
    """In tiles it would come up in pixels beside it."""
    random = np.random.default_rng(3)
    data = random.standard_normal((1, 32, 24, 24), np.float32)
    data[0, 5, 10, 10] = odd
    filters = random.standard_normal((32, 32, 3, 3), np.float32)
    with np.errstate(invalid="ignore"):
        found = convolve(data, filters, pads_begin=(1, 1), pads_end=(1, 1))
    met = ~np.isfinite(found).all(axis=(0, 1))
    assert met[9:12, 9:12].all()
    assert met.sum() == 9


@pytest.mark.parametrize("shape", [(0, 2, 4, 5), (1, 2, 0, 5), (1, 2, 4, 2)])
@pytest.mark.parametrize("groups", [1, 2])
def test_nothing_gives_nothing(shape, groups):
    """No image, no row, no window that fits."""
    found = convolve(np.zeros(shape, np.float32), np.zeros((4, 2 // groups, 1, 3), np.float32), groups=groups)
    assert found.shape == (shape[0], 4, shape[2], shape[3] - 2)


@pytest.mark.parametrize(
    ("kernel", "stride", "length", "upper", "lower"),
    [(3, 2, 8, 1, 0), (4, 2, 8, 1, 1), (3, 1, 4, 1, 1), (2, 1, 4, 1, 0), (5, 2, 8, 2, 1), (3, 2, 7, 1, 1)],
)
def test_automatic_pads_of_a_transposed_convolution(kernel, stride, length, upper, lower):
    """OpenVINO 2026.4.1 removes the odd element at the beginning for `same_upper`, at the end for `same_lower`."""
    filters = np.arange(1, kernel + 1, dtype=np.float32)[None, None]
    impulse = np.array([[[1, 0, 0, 0]]], np.float32)
    for auto_pad, begin in (("same_upper", upper), ("same_lower", lower)):
        found = convolution.convolve_back(impulse, filters, [length], strides=[stride], auto_pad=auto_pad)
        expected = np.zeros(length)
        expected[: kernel - begin] = filters[0, 0, begin:]
        assert found[0, 0].tolist() == expected.tolist()
