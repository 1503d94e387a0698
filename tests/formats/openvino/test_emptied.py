"""A Gather without indices ends the process that compiles it for the CPU (OpenVINO 2026.4.1), unless nothing is left of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.openvino.tiny import Layer, call, const, errors, parameter, write

READERS = {
    "a layer": ([call("end", "opset1.Relu", "g")], {"D005"}),
    "its shape": ([call("end", "opset3.ShapeOf", "g", output_type="i64")], set()),
    "a Concat": ([call("end", "opset1.Concat", "g", "x", axis=0)], set()),
    "a Concat behind a layer": ([call("r", "opset1.Relu", "g"), call("end", "opset1.Concat", "r", "x", axis=0)], set()),
}


@pytest.mark.parametrize("data", ["x", "c"])
@pytest.mark.parametrize("reader", READERS)
def test_gather_without_indices(reader: str, data: str, tmp_path: Path) -> None:
    layers, codes = READERS[reader]
    model: list[Layer] = [
        parameter("x", "6,4"),
        const("c", *[0.0] * 24, shape="6,4", kind="f32"),
        const("i", shape="0"),
        const("axis", 0, shape=""),
        call("g", "opset8.Gather", data, "i", "axis", batch_dims=0),
        *layers,
    ]
    assert errors(write(tmp_path / "m.xml", *model)) == (codes if data == "x" else set())
