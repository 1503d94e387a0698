"""Shapes that OpenVINO 2026.4.1 has to know when it reads or compiles a model for the CPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.openvino.tiny import Layer, call, const, errors, parameter, write

PADS = {"strides": "1,1", "dilations": "1,1", "pads_begin": "0,0", "pads_end": "0,0", "auto_pad": "explicit"}
SIZES = {"mode": "nearest", "shape_calculation_mode": "sizes", "coordinate_transformation_mode": "half_pixel",
         "nearest_mode": "floor", "antialias": "false"}  # fmt: skip
NUMBERS = parameter("n", "?", "i64")  # nobody knows how many
SHAPE = [parameter("x", "?,3,4,2..9"), call("s", "opset3.ShapeOf", "x", output_type="i64"), const("zero", 0, shape="")]


def length(axis: int, operation: str, number: int) -> list[Layer]:
    """A dimension of x and a number, multiplied or so."""
    places = [const("at", axis), call("d", "opset8.Gather", "s", "at", "zero", batch_dims=0), const("c", number)]
    return [*SHAPE, *places, call("a", f"opset1.{operation}", "d", "c", auto_broadcast="numpy")]


NEGATIVE = {
    "a known length": length(1, "Multiply", -1),
    "a difference": length(1, "Subtract", 5),
    "a range": length(3, "Multiply", -1),
    "a quotient of a range": length(3, "Divide", -1),
    "constants": [*SHAPE, const("c", -2), const("one", 1), call("a", "opset1.Add", "c", "one", auto_broadcast="numpy")],
}
TAKEN = {
    "a length that may be negative": length(3, "Subtract", 4),
    "a constant": [*SHAPE, const("a", -2)],
    "an unknown length": length(0, "Multiply", -1),
}
USERS = {
    "Tile": [call("o", "opset1.Tile", "x", "a")],
    "Interpolate": [const("axis", 2), call("o", "opset11.Interpolate", "x", "a", "axis", **SIZES)],
}
REFUSING = {
    "TopK": [call("k", "opset1.Squeeze", "a"), call("o", "opset11.TopK", "x", "k", axis=1, mode="max", sort="value")],
    "AdaptiveAvgPool": [
        call("two", "opset1.Concat", "a", "a", axis=0),
        call("o", "opset8.AdaptiveAvgPool", "x", "two"),
    ],
}


@pytest.mark.parametrize("user", {**USERS, **REFUSING})
@pytest.mark.parametrize("name", NEGATIVE)
def test_negative_computed_lengths_are_errors(name: str, user: str, tmp_path: Path) -> None:
    assert errors(write(tmp_path / "m.xml", *NEGATIVE[name], *{**USERS, **REFUSING}[user])) == {"A006"}


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("name", TAKEN)
def test_other_lengths_are_not(name: str, user: str, tmp_path: Path) -> None:
    assert not errors(write(tmp_path / "m.xml", *TAKEN[name], *USERS[user]))


def convolution(filters: str) -> list[Layer]:
    return [parameter("x", "?,3,?,?"), parameter("f", filters), call("o", "opset1.Convolution", "x", "f", **PADS)]


@pytest.mark.parametrize("filters", ["?,3,3,3", "4,3,1..3,3", "?,?,?,?"])
def test_filters_of_an_open_shape(filters: str, tmp_path: Path) -> None:
    assert errors(write(tmp_path / "m.xml", *convolution(filters))) == {"R305"}


def test_filters_of_a_fixed_shape(tmp_path: Path) -> None:
    assert not errors(write(tmp_path / "m.xml", *convolution("4,3,3,3")))


def test_swapped_data_and_filters(tmp_path: Path) -> None:
    filters = const("f", *[1.0] * 108, shape="4,3,3,3", kind="f32")
    layers = [parameter("x", "?,3,?,?"), filters, call("o", "opset1.Convolution", "f", "x", **PADS)]
    assert errors(write(tmp_path / "m.xml", *layers)) == {"R305"}


X = parameter("x", "?,3,4")
PAIR = [parameter("p", "?,?"), call("pair", "opset3.ShapeOf", "p", output_type="i64")]
ENDS = [const("low", 0.0, shape="", kind="f32"), const("high", 1.0, shape="", kind="f32")]
UNKNOWN = {
    "Squeeze without axes": [X, call("o", "opset1.Squeeze", "x")],
    "Squeeze by a Parameter": [X, parameter("a", "2", "i64"), call("o", "opset1.Squeeze", "x", "a")],
    "Unsqueeze by lengths": [X, *PAIR, call("o", "opset1.Unsqueeze", "x", "pair")],
    "Reshape": [X, NUMBERS, call("o", "opset1.Reshape", "x", "n", special_zero="false")],
    "Tile": [X, NUMBERS, call("o", "opset1.Tile", "x", "n")],
    "Broadcast": [X, NUMBERS, call("o", "opset3.Broadcast", "x", "n", mode="numpy")],
    "RandomUniform": [
        NUMBERS,
        *ENDS,
        call("o", "opset8.RandomUniform", "n", "low", "high", output_type="f32", global_seed=1, op_seed=1),
    ],
}
KNOWN = {
    "Squeeze without axes": [parameter("x", "1,3,4"), call("o", "opset1.Squeeze", "x")],
    "Squeeze": [X, const("a", 0), call("o", "opset1.Squeeze", "x", "a")],
    "Reshape": [X, parameter("n", "2", "i64"), call("o", "opset1.Reshape", "x", "n", special_zero="false")],
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_ranks_are_errors(name: str, tmp_path: Path) -> None:
    after = [call("end", "opset1.Relu", "o")]
    for layers in (UNKNOWN[name], [*UNKNOWN[name], *after]):
        assert errors(write(tmp_path / "m.xml", *layers)) == {"R305"}


@pytest.mark.parametrize("name", KNOWN)
def test_known_ranks_are_not(name: str, tmp_path: Path) -> None:
    assert not errors(write(tmp_path / "m.xml", *KNOWN[name]))


def test_nothing_is_known_without_the_constants(tmp_path: Path) -> None:
    shift = [const("a", 1), call("b", "opset1.Range", "zero", "a", "one"), const("one", 1, shape="")]
    layers = [X, const("zero", 0, shape=""), *shift[::2], shift[1], call("o", "opset1.Reshape", "x", "b")]
    path = write(tmp_path / "m.xml", *layers)
    path.with_suffix(".bin").unlink()
    assert "R305" not in errors(path)
