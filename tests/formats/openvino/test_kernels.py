"""What a release of OpenVINO does not compile: found for this target only, at what it is refused for, and only where layers run."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint import engine
from irlint.settings import Settings
from tests.formats.openvino import tiny
from tests.formats.openvino.tiny import Layer, call, const, parameter

SIX = call("y", "opset1.DepthToSpace", "x", mode="blocks_first", block_size=2)


def found(folder: Path, release: str | None, *layers: Layer) -> list[str]:
    path = tiny.write(folder / "model.xml", *layers)
    targets = (("openvino", release),) if release else ()
    result = engine.lint_bytes(path.read_bytes(), path.name, Settings(targets=targets, select=("C", "I")), path=path)
    return [one.message for one in result.findings]


def test_a_rank_without_a_kernel(tmp_path: Path) -> None:
    data = parameter("x", "1,16,2,2,2,2")
    message = "OpenVINO {} does not load DepthToSpace 'y' with 6 dimensions of input 0"
    assert found(tmp_path, "2026.4", data, SIX) == [message.format("2026.4")]
    assert found(tmp_path, "2027.1", data, SIX) == [message.format("2026.4")]
    assert found(tmp_path, None, data, SIX) == []
    assert found(tmp_path, "2026.4", parameter("x", "1,16,2,2,2"), SIX) == []


def test_constants_need_no_kernel(tmp_path: Path) -> None:
    data = const("x", *[1.0] * 16, shape="1,16,1,1,1,1", kind="f32")
    assert found(tmp_path, "2026.4", data, SIX) == []


def test_what_two_releases_do_not_both_refuse_is_not_said_of_those_between(tmp_path: Path) -> None:
    layers = (
        parameter("x", "1,3,4,4", "f64"),
        const("sizes", 8, 8),
        const("scales", 2, 2, kind="f32"),
        const("axes", 2, 3),
        call("y", "opset4.Interpolate", "x", "sizes", "scales", "axes", mode="nearest", shape_calculation_mode="sizes"),
    )
    message = "OpenVINO 2024.0 does not load Interpolate 'y' with float64; it does with float32"
    assert found(tmp_path, "2024.0", *layers) == [message]
    assert found(tmp_path, "2024.5", *layers) == []
    assert found(tmp_path, "2026.4", *layers) == []


def test_open_lengths(tmp_path: Path) -> None:
    sides = [const(name, 1, 1, 1, kind="f32") for name in ("gamma", "beta", "variance")]
    norm = call("y", "opset5.BatchNormInference", "x", "gamma", "beta", "mean", "variance", epsilon="1e-5")
    text = "OpenVINO 2024.0 does not load BatchNormInference 'y' with open lengths of input 3"
    said = found(tmp_path, "2024.0", parameter("x", "-1,3,4,4"), *sides, parameter("mean", "-1"), norm)
    assert said == [f"{text}; it does with fixed lengths of input 3"]
    assert found(tmp_path, "2024.0", parameter("x", "-1,3,4,4"), *sides, parameter("mean", "3"), norm) == []


@pytest.mark.parametrize("release", ["2022.3", "2019.4"])
def test_nothing_is_said_of_releases_that_were_not_asked(tmp_path: Path, release: str) -> None:
    assert not any("kernel" in one for one in found(tmp_path, release, parameter("x", "1,16,2,2,2,2"), SIX))
