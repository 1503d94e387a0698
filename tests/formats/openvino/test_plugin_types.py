"""Element types that OpenVINO 2026.4.1 reads, but does not compile or run on the CPU, and those that it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.openvino.tiny import Layer, call, const, errors, parameter, write


def variable(opset: str, kind: str, *end: Layer, begins: bool = True) -> list[Layer]:
    more = {"variable_type": kind, "variable_shape": "2"} if opset == "opset6" else {}
    return [
        parameter("x", "2", kind),
        call("r", f"{opset}.ReadValue", *(["x"] if begins else []), variable_id="v", **more),
        call("s", "opset1.Add", "r", "x", auto_broadcast="numpy"),
        call("a", f"{opset}.Assign", "s", variable_id="v"),
        *end,
        call("e", "opset1.Add", "s", "x", auto_broadcast="numpy"),
    ]


def one_hot(indices: str, depth: Layer, on: Layer) -> list[Layer]:
    off = const("off", 0, shape="", kind="f32")
    hot = call("hot", "opset1.OneHot", "i", "depth", "on", "off", axis=1)
    return [parameter("i", "3", indices), depth, on, off, hot]


RESULT = call("o", "opset1.Result", "r")
DEPTH = const("depth", 4, shape="")
ONE = const("on", 1, shape="", kind="f32")


@pytest.mark.parametrize("kind", ["i64", "f64", "u32", "u64", "i16", "u16"])
def test_variables_of_types_that_the_plug_in_cannot_hold(kind: str, tmp_path: Path) -> None:
    def found(opset: str, *end: Layer, begins: bool = True) -> set[str]:
        return errors(write(tmp_path / "m.xml", *variable(opset, kind, *end, begins=begins)))

    assert found("opset6") == found("opset6", RESULT, begins=False) == found("opset3", RESULT) == {"D002"}
    assert not found("opset6", begins=False)
    assert not found("opset3")


@pytest.mark.parametrize("kind", ["f32", "f16", "bf16", "i32", "i8", "u8"])
@pytest.mark.parametrize("opset", ["opset3", "opset6"])
def test_variables_of_other_types(opset: str, kind: str, tmp_path: Path) -> None:
    assert not errors(write(tmp_path / "m.xml", *variable(opset, kind, RESULT)))


@pytest.mark.parametrize("kind", ["u8", "i8"])
def test_one_hot_takes_no_indices_of_8_bits(kind: str, tmp_path: Path) -> None:
    assert errors(write(tmp_path / "m.xml", *one_hot(kind, DEPTH, ONE))) == {"D002"}


@pytest.mark.parametrize("kind", ["i16", "u16", "i32", "u32", "i64", "u64"])
def test_one_hot_takes_other_indices(kind: str, tmp_path: Path) -> None:
    assert not errors(write(tmp_path / "m.xml", *one_hot(kind, DEPTH, ONE)))


def test_a_depth_of_an_open_shape_runs_with_constant_values(tmp_path: Path) -> None:
    wide = parameter("depth", "?", "i64")
    assert not errors(write(tmp_path / "m.xml", *one_hot("i64", wide, ONE)))
    assert errors(write(tmp_path / "m.xml", *one_hot("i64", wide, parameter("on", "", "f32")))) == {"D003"}
    assert errors(write(tmp_path / "m.xml", *one_hot("i64", parameter("depth", "1", "i64"), ONE))) == {"D003"}
