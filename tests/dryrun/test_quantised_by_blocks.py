"""FakeQuantize, ROIAlign and ScatterElementsUpdate in few passes: the numbers of their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irlint.dryrun.kernels.boxes.regions import roi_align, sampled
from irlint.dryrun.operator import operator

RNG = np.random.default_rng(0)


def defined(x: Any, low: Any, high: Any, out_low: Any, out_high: Any, levels: int) -> Any:
    inner = (
        np.round((x - low) / (high - low) * np.float32(levels - 1)) / np.float32(levels - 1) * (out_high - out_low)
        + out_low
    )
    return np.where(x <= np.minimum(low, high), out_low, np.where(x > np.maximum(low, high), out_high, inner))


@pytest.mark.parametrize("shape", [(1, 70, 33, 31), (5, 70, 3, 3), (300,), (40000, 2)])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_fake_quantize_is_what_its_definition_says(shape: tuple[int, ...], axis: int | None) -> None:
    x = RNG.standard_normal(shape).astype(np.float32)
    size = [n if k == axis else 1 for k, n in enumerate(shape)] if axis is not None and axis < len(shape) else []
    low, out_low = (-RNG.random(size).astype(np.float32) - 0.1 for _ in range(2))
    high, out_high = (RNG.random(size).astype(np.float32) + 0.1 for _ in range(2))
    limits = [np.asarray(limit) for limit in (low, high, out_low, out_high)]
    for levels in (2, 16, 256):
        found = operator("openvino/quantisation.FakeQuantize").run(x, *limits, levels=levels)
        off = np.abs(found - defined(x, *limits, levels))
        assert (off > 3e-7).mean() < 1e-4  # numbers in the middle between two levels
        assert (off <= 1.001 * (limits[3] - limits[2]) / (levels - 1)).all()
    turned = operator("openvino/quantisation.FakeQuantize").run(x, limits[1], limits[0], *limits[2:], levels=16)
    np.testing.assert_array_equal(turned, defined(x, limits[1], limits[0], *limits[2:], 16))


@pytest.mark.parametrize("ratio", [0, 2])
def test_regions_are_means_of_samples(ratio: int) -> None:
    data = RNG.standard_normal((2, 5, 20, 30)).astype(np.float32)
    corner = RNG.random((40, 2)) * 300 - 20
    rois = np.concatenate([corner, corner + RNG.random((40, 2)) * 150], 1).astype(np.float32)
    batch = RNG.integers(0, 2, 40)
    found = roi_align(data, rois, batch, pooled_h=3, pooled_w=4, spatial_scale=0.1, sampling_ratio=ratio)
    for k, box in enumerate(rois.astype(np.float64) * 0.1):
        wide, high = max(box[2] - box[0], 1), max(box[3] - box[1], 1)
        down, across = (ratio or int(np.ceil(high / 3))), (ratio or int(np.ceil(wide / 4)))
        y = box[1] + (np.arange(3 * down) + 0.5) * high / 3 / down
        x = box[0] + (np.arange(4 * across) + 0.5) * wide / 4 / across
        samples, weights = sampled(data[batch[k]].astype(np.float64), *np.ix_(y, x))
        wanted = (samples * weights).sum(0).reshape(5, 3, down, 4, across).mean((2, 4))
        np.testing.assert_allclose(found[k], wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_whole_slices_are_scattered(axis: int) -> None:
    data = RNG.standard_normal((6, 7, 8)).astype(np.float32)
    rows = np.array([4, 0, -1, 4])
    shape = [4 if k == axis else n for k, n in enumerate(data.shape)]
    indices = np.broadcast_to(rows.reshape([-1 if k == axis else 1 for k in range(3)]), shape).copy()
    updates = RNG.standard_normal(shape).astype(np.float32)
    wanted = data.copy()
    np.put_along_axis(wanted, indices % data.shape[axis], updates, axis)
    run = operator("moving/scattering.ScatterElementsUpdate").run
    np.testing.assert_array_equal(run(data, indices, updates, np.array(axis)), wanted)
    indices[0, 0, 0] = 1
    wanted = data.copy()
    np.put_along_axis(wanted, indices % data.shape[axis], updates, axis)
    np.testing.assert_array_equal(run(data, indices, updates, np.array(axis)), wanted)
