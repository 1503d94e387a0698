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
