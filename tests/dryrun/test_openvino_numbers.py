"""What OpenVINO 2026.4.1 (CPU) computes at the edges of operators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint.api import run
from tests.formats.openvino import tiny
from tests.formats.openvino.tiny import call, const, parameter

IMAGE = np.arange(1, 50, dtype=np.float32).reshape(1, 1, 7, 7)
NAN, INF = float("nan"), float("inf")


def result(path: Path, *layers: tiny.Layer, **inputs: Any) -> Any:
    (found,) = run(tiny.write(path / "model.xml", *layers), inputs).values()
    return found


@pytest.mark.parametrize(
    ("pads", "ends", "window", "step", "expected"),
    [
        ("1,1", "0,0", 3, 3, [2.2222223, 5, 4.4444447, 15, 25, 18.333334, 17.777779, 28.333334, 20]),
        ("0,0", "0,0", 4, 4, [13, 16.5, 37.5, 41]),  # without padding only what is there counts
    ],
)
def test_means_of_windows_beyond_the_padding(
    tmp_path: Path, pads: str, ends: str, window: int, step: int, expected: list[float]
) -> None:
    attrs = {"strides": f"{step},{step}", "kernel": f"{window},{window}", "pads_begin": pads, "pads_end": ends}
    pool = call("y", "opset1.AvgPool", "x", rounding_type="ceil", **attrs, **{"exclude-pad": "false"})
    found = result(tmp_path, parameter("x", "1,1,7,7"), pool, x=IMAGE)
    np.testing.assert_allclose(found.ravel(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("mode", "aligned", "expected"),
    [
        ("avg", "half_pixel_for_nn", [[5.0, NAN]]),
        ("avg", "half_pixel", [[9.0, NAN]]),
        ("max", "half_pixel", [[9.0, 0.0]]),
        ("max", "asymmetric", [[9.0, 13.0]]),
    ],
)
def test_regions(tmp_path: Path, mode: str, aligned: str, expected: list[list[float]]) -> None:
    """One region of a pixel, one of none, which `asymmetric` makes one of a pixel; `half_pixel` moves both to the middle of a pixel and back."""
    align = call(
        "y", "opset9.ROIAlign", "x", "r", "b", pooled_h=1, pooled_w=1, sampling_ratio=0, spatial_scale="1.0", mode=mode,
        aligned_mode=aligned,
    )  # fmt: skip
    regions = np.array([[0.5, 0.5, 1.5, 1.5], [1, 1, 1, 1]], np.float32)
    layers = [parameter("x", "1,1,7,7"), parameter("r", "2,4"), const("b", 0, 0), align]
    found = result(tmp_path, *layers, x=IMAGE, r=regions)
    np.testing.assert_allclose(found.reshape(1, 2), expected)


@pytest.mark.parametrize(
    ("mode", "padding", "expected"),
    [
        ("nearest", "zeros", [0, 0]),
        ("nearest", "border", [7, 43]),
        ("nearest", "reflection", [1, 1]),
        ("bilinear", "border", [NAN, NAN]),
    ],
)
def test_grids_without_a_place(tmp_path: Path, mode: str, padding: str, expected: list[float]) -> None:
    grid = np.array([[NAN, -1], [-1, INF]], np.float32).reshape(1, 1, 2, 2)
    sample = call("y", "opset9.GridSample", "x", "g", align_corners="true", mode=mode, padding_mode=padding)
    layers = [parameter("x", "1,1,7,7"), parameter("g", "1,1,2,2"), sample]
    np.testing.assert_array_equal(result(tmp_path, *layers, x=IMAGE, g=grid).ravel(), expected)


@pytest.mark.parametrize(("axis", "expected"), [(0, [0, 1, 4, 5]), (2, [0, 1, 0, 1])])
def test_windows_of_padding_only(tmp_path: Path, axis: int, expected: list[int]) -> None:
    """They give the smallest number and the first place of their channel."""
    attrs = {
        "strides": "3",
        "dilations": "1",
        "kernel": "1",
        "pads_begin": "2",
        "pads_end": "0",
        "auto_pad": "explicit",
    }
    pool = call("y", "opset8.MaxPool", "x", rounding_type="floor", index_element_type="i64", axis=axis, **attrs)
    path = tiny.write(tmp_path / "model.xml", parameter("x", "1,2,4"), pool._replace(outputs=2))
    numbers, places = run(path, {"x": np.arange(1, 9, dtype=np.float32).reshape(1, 2, 4)}).values()
    lowest = float(np.finfo(np.float32).min)
    assert numbers.ravel().tolist() == [lowest, 2, lowest, 6]
    assert places.ravel().tolist() == expected


@pytest.mark.parametrize(("shape", "expected"), [("1,1,1,8", [0, 0.5, 0, 0]), ("1,1,1,1,8", [0, 0.375, 0.125, 0])])
def test_only_volumes_are_filtered(tmp_path: Path, shape: str, expected: list[float]) -> None:
    rank = shape.count(",")
    resize = call(
        "y", "opset11.Interpolate", "x", "s", "a", mode="linear", shape_calculation_mode="sizes", antialias="true",
        coordinate_transformation_mode="half_pixel", nearest_mode="floor", cube_coeff="-0.75",
    )  # fmt: skip
    x = np.zeros(8, np.float32)
    x[3] = 1
    layers = [parameter("x", shape), const("s", 4), const("a", rank), resize]
    assert result(tmp_path, *layers, x=x.reshape([1] * rank + [8])).ravel().tolist() == expected


def test_sums_before_an_infinity(tmp_path: Path) -> None:
    sums = call("y", "opset3.CumSum", "x", "a", exclusive="true", reverse="false")
    layers = [parameter("x", "3"), const("a", 0, shape=""), sums]
    assert result(tmp_path, *layers, x=np.array([1, INF, 2], np.float32)).tolist() == [0, 1, INF]


@pytest.mark.parametrize("key", ["opset3.ROIAlign", "opset9.ROIAlign"])
def test_regions_of_no_pixels(tmp_path: Path, key: str) -> None:
    attrs = {"pooled_h": 1, "pooled_w": 1, "sampling_ratio": 2, "spatial_scale": "1.0"}
    align = call("y", key, "x", "r", "b", **attrs, mode="max")
    layers = [parameter("x", "1,2,0,3"), parameter("r", "1,4"), const("b", 0), align]
    given = {"x": np.zeros((1, 2, 0, 3), np.float32), "r": np.ones((1, 4), np.float32)}
    assert result(tmp_path, *layers, **given).ravel().tolist() == [0, 0]


@pytest.mark.parametrize(("shape", "is_right"), [("2,3", False), ("?,3", True), ("2,?", True), ("0,3", True)])
def test_the_first_none_of_open_lengths(tmp_path: Path, shape: str, is_right: bool) -> None:
    """The plug-in asks for one at least where it knows all lengths."""
    first = call(
        "y", "opset11.TopK", "x", "k", axis=0, mode="max", sort="value", index_element_type="i64", stable="false"
    )
    path = tiny.write(tmp_path / "model.xml", parameter("x", shape), const("k", 0, shape=""), first)
    assert (tiny.errors(path) == set()) is is_right


def test_regions_that_a_mask_leaves_out(tmp_path: Path) -> None:
    """Without softmax, as many regions as `mask` has are left, the first ones."""
    attrs = {
        "axis": 1,
        "end_axis": 3,
        "coords": 4,
        "classes": 2,
        "num": 2,
        "do_softmax": "false",
        "mask": "1",
        "anchors": "1,1,2,2",
    }
    x = np.zeros((1, 14, 1, 1), np.float32)
    found = result(tmp_path, parameter("x", "1,14,1,1"), call("y", "opset1.RegionYolo", "x", **attrs), x=x)
    assert found.ravel().tolist() == [0.5, 0.5, 0, 0, 0.5, 0.5, 0.5]
