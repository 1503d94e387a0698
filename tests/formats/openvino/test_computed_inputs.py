"""Axes that are computed, where OpenVINO 2026.4.1 on the CPU takes constants only."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.openvino.tiny import Layer, call, const, errors, parameter, write

GIVEN = [parameter("a", "1", "i64")]
ADDED = [parameter("p", "1", "i64"), const("one", 1), call("a", "opset1.Add", "p", "one", auto_broadcast="numpy")]
LENGTH = [parameter("p", "1", "i64"), call("a", "opset3.ShapeOf", "p", output_type="i64")]
CHOSEN = [parameter("p", "1", "i64"), const("z", 0), const("c", 1, shape="", kind="boolean"),
          call("a", "opset1.Select", "c", "z", "p", auto_broadcast="numpy")]  # fmt: skip


def unsqueeze(shape: str) -> list[Layer]:
    return [parameter("x", shape), call("o", "opset1.Unsqueeze", "x", "a")]


def any_of(shape: str) -> list[Layer]:
    return [parameter("x", shape, "boolean"), call("o", "opset1.ReduceLogicalOr", "x", "a", keep_dims="true")]


def gather(shape: str, opset: str = "opset8", indices: str = "1") -> list[Layer]:
    more = {} if opset == "opset1" else {"batch_dims": 0}
    return [parameter("x", shape), parameter("i", indices, "i64"), call("o", f"{opset}.Gather", "x", "i", "a", **more)]


def fourier(shape: str, *more: str) -> list[Layer]:
    return [parameter("x", shape), const("first", 0), call("o", "opset9.RDFT", "x", *(more or ("a",)))]


def cut(shape: str, start: Layer) -> list[Layer]:
    numbers = [start, const("stop", 1), const("step", 1)]
    return [parameter("x", shape), *numbers, call("o", "opset8.Slice", "x", "start", "stop", "step", "a")]


START = const("start", 0)

REFUSED = {
    "Unsqueeze": unsqueeze("2,4"),
    "Unsqueeze of any shape": unsqueeze("?,?"),
    "ReduceLogicalOr": any_of("?,4"),
    "Gather": gather("2,4"),
    "the first Gather": gather("2,4", "opset1"),
    "RDFT": fourier("2,4"),
    "RDFT's size": fourier("2,4", "first", "a"),
    "Slice": cut("2,4", START),
}
TAKEN = {
    "Gather of an open shape": gather("?,4"),
    "Gather by indices of an open shape": gather("2,4", indices="?"),
    "RDFT of an open shape": fourier("?,4"),
    "Slice of an open shape": cut("?,4", START),
    "Slice from a computed place": cut("2,4", parameter("start", "1", "i64")),
}


@pytest.mark.parametrize("name", REFUSED)
def test_computed_axes_are_errors(name: str, tmp_path: Path) -> None:
    for axes in (GIVEN, ADDED):
        assert errors(write(tmp_path / "m.xml", *axes, *REFUSED[name])) == {"R305"}
    folded = [LENGTH, [const("a", 0)]] + [CHOSEN] * ("Gather" not in name and "size" not in name)
    for axes in folded:
        assert not errors(write(tmp_path / "m.xml", *axes, *REFUSED[name]))


@pytest.mark.parametrize("name", TAKEN)
def test_computed_axes_run_where_shapes_are_open(name: str, tmp_path: Path) -> None:
    assert not errors(write(tmp_path / "m.xml", *GIVEN, *TAKEN[name]))


def test_an_axis_that_is_stored_elsewhere_is_constant(tmp_path: Path) -> None:
    """Unique takes a constant; whether its bytes can be read is another question."""
    types = {"sorted": "true", "index_element_type": "i64", "count_element_type": "i64"}
    unique = call("o", "opset10.Unique", "x", "a", **types)._replace(outputs=4)
    assert errors(write(tmp_path / "m.xml", parameter("x", "2,4"), parameter("a", "", "i64"), unique)) == {"D001"}
    path = write(tmp_path / "m.xml", parameter("x", "2,4"), const("a", 1, shape=""), unique)
    assert errors(path) == set()
    path.with_suffix(".bin").unlink()
    assert errors(path) == {"W001"}
