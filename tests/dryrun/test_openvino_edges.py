"""Runs of small IRs at the edges of operators: what OpenVINO 2026.4.1 computes on the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint.api import infer, load, run
from tests.formats.openvino import tiny
from tests.formats.openvino.tiny import Layer, call, const, parameter


def result(path: Path, layers: list[Layer], **inputs: Any) -> Any:
    (found,) = run(tiny.write(path / "model.xml", *layers), inputs).values()
    return found


def test_squeeze_keeps_a_dimension_that_is_not_one(tmp_path: Path) -> None:
    layers = [parameter("x", "2,1,3"), const("axes", 0, 1), call("y", "opset1.Squeeze", "x", "axes")]
    assert result(tmp_path, layers).shape == (2, 3)
    assert not tiny.findings(tmp_path / "model.xml")


@pytest.mark.parametrize(
    ("shape", "count", "expected"), [((0,), 0, (0,)), ((0, 7), 5, (0, 5)), ((3, 0), 2, (3, 2)), ((2, 3), 0, (2, 0))]
)
def test_top_k_of_no_elements(tmp_path: Path, shape: tuple[int, ...], count: int, expected: tuple[int, ...]) -> None:
    top = call("y", "opset11.TopK", "x", "k", axis=-1, mode="max", sort="value", index_element_type="i32")
    layers = [parameter("x", ",".join("?" * len(shape))), parameter("k", "", "i64"), top]
    assert result(tmp_path, layers, x=np.zeros(shape, np.float32), k=np.int64(count)).shape == expected


@pytest.mark.parametrize(
    ("layers", "shape"),
    [
        (
            [
                parameter("x", "3,4"),
                const("n", 2),
                call("y", "opset13.Multinomial", "x", "n", convert_type="i64", with_replacement="true",
                     log_probs="false", global_seed=0, op_seed=0),
            ],
            (3, 2),
        ),
        (
            [
                parameter("x", "3,4"),
                const("axis", 1),
                const("lengths", -1),
                call("y", "opset1.VariadicSplit", "x", "axis", "lengths"),
            ],
            (3, 4),
        ),
    ],
)  # fmt: skip
def test_operands_of_one_element_are_numbers(tmp_path: Path, layers: list[Layer], shape: tuple[int, ...]) -> None:
    assert result(tmp_path, layers).shape == shape


def test_a_clamp_without_an_upper_bound(tmp_path: Path) -> None:
    layers = [parameter("x", "3"), call("y", "opset1.Clamp", "x", min=0, max="inf")]
    assert result(tmp_path, layers, x=np.array([-1, 0, 9], np.float32)).tolist() == [0, 0, 9]
    assert not tiny.findings(tmp_path / "model.xml")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("i32", [-(2**31), -(2**31), -(2**31), -(2**31), 2, -2]),
        ("i64", [-(2**31), -(2**31), -(2**31), -(2**31), 2, -2]),
        ("u8", [0, 0, 0, 0, 2, 254]),
    ],
)
def test_conversions_to_integers(tmp_path: Path, kind: str, expected: list[int]) -> None:
    layers = [parameter("x", "6"), call("y", "opset1.Convert", "x", destination_type=kind)]
    x = np.array([1e20, -1e20, np.nan, 3e9, 2.7, -2.7], np.float32)
    assert result(tmp_path, layers, x=x).tolist() == expected


def test_division_of_integers(tmp_path: Path) -> None:
    layers = [parameter("x", "5", "i32"), parameter("by", "5", "i32"), call("y", "opset1.Divide", "x", "by")]
    x, by = np.array([-7, 7, -7, 7, -6], np.int32), np.array([2, -2, -2, 2, 3], np.int32)
    assert result(tmp_path, layers, x=x, by=by).tolist() == [-3, -3, 3, 3, -2]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Mean", 0), ("Max", np.finfo(np.float32).min), ("Min", np.finfo(np.float32).max), ("Sum", 0), ("Prod", 1)],
)
def test_reductions_of_nothing(tmp_path: Path, name: str, expected: float) -> None:
    reduce = call("y", f"opset1.Reduce{name}", "x", "axes", keep_dims="false")
    found = result(tmp_path, [parameter("x", "2,?"), const("axes", 1), reduce], x=np.zeros((2, 0), np.float32))
    assert found.tolist() == [expected, expected]


@pytest.mark.parametrize(
    ("boxes", "scores", "most", "expected"),
    [
        ("1,0..2100,4", "1,1,0..2100", 3000, (0, 2100)),
        ("1,0..2100,4", "1,2,0..2100", 100, (0, 200)),
        ("1..2,0..2100,4", "1..2,2,0..2100", 100, (0, 400)),
        ("1,?,4", "1,2,?", 100, None),
    ],
)
def test_the_most_boxes_that_are_left(
    tmp_path: Path, boxes: str, scores: str, most: int, expected: tuple[int, int] | None
) -> None:
    nms = call("y", "opset9.NonMaxSuppression", "boxes", "scores", "most", box_encoding="corner",
               sort_result_descending="true", output_type="i64")  # fmt: skip
    layers = [parameter("boxes", boxes), parameter("scores", scores), const("most", most, shape=""), nms]
    assert infer(load(tiny.write(tmp_path / "model.xml", *layers)))["y"][0].shape == (expected, 3)


def test_not_a_number_is_false(tmp_path: Path) -> None:
    layers = [parameter("x", "?"), call("y", "opset1.Convert", "x", destination_type="boolean")]
    x = np.array([0, -0.0, -1, 0.3, np.nan, -np.inf], np.float32)
    assert result(tmp_path, layers, x=x).tolist() == [False, False, True, True, False, True]
    like = [parameter("x", "?"), const("c", 1, kind="boolean"), call("y", "opset1.ConvertLike", "x", "c")]
    assert result(tmp_path, like, x=x).tolist() == [False, False, True, True, False, True]


@pytest.mark.parametrize(("kind", "largest"), [(np.float16, np.inf), (np.float32, np.finfo(np.float32).max)])
def test_the_smallest_of_nothing(tmp_path: Path, kind: Any, largest: float) -> None:
    word = {np.float16: "f16", np.float32: "f32"}[kind]
    layers = [parameter("x", "0", word), const("axis", 0), call("y", "opset1.ReduceMin", "x", "axis", keep_dims="true")]
    assert result(tmp_path, layers, x=np.zeros(0, kind)).tolist() == [largest]


@pytest.mark.parametrize(
    ("shape", "kind", "expected"),
    [
        ("1..", "FloorMod", (1, None)),
        ("3..5", "FloorMod", (6, 10)),
        ("1..", "Mod", (1, None)),
        ("9..12", "Mod", (11, 17)),
        ("9..15", "Mod", (9, 21)),
    ],
)
def test_padding_to_a_multiple(tmp_path: Path, shape: str, kind: str, expected: tuple[int, int | None]) -> None:
    """A computed remainder is bounded, and so is a length that it pads, as in windows of an image of open size."""
    layers = [
        parameter("x", shape),
        call("s", "opset3.ShapeOf", "x", output_type="i64"),
        const("seven", 7),
        call("rest", f"opset1.{kind}", "s", "seven", auto_broadcast="numpy"),
        const("none", 0),
        call("y", "opset12.Pad", "x", "none", "rest", pad_mode="constant"),
    ]
    graph = load(tiny.write(tmp_path / "m.xml", *layers))
    assert infer(graph)["y"][0].shape == (expected,)


@pytest.mark.parametrize(
    ("pattern", "expected"), [((0, -1), (0, 3)), ((0, 3, -1), (0, 3, 1)), ((-1, 3), (0, 3)), ((0, 0, -1), (0, 3, 1))]
)
def test_reshape_of_no_elements(tmp_path: Path, pattern: tuple[int, ...], expected: tuple[int, ...]) -> None:
    reshape = call("y", "opset1.Reshape", "x", "p", special_zero="true")
    layers = [parameter("x", "?,3"), const("p", *pattern), reshape]
    assert result(tmp_path, layers, x=np.zeros((0, 3), np.float32)).shape == expected


@pytest.mark.parametrize(
    ("special_zero", "pattern", "expected"),
    [
        ("false", (0, -1), (0, 1)),
        ("false", (-1, 0), (1, 0)),
        ("false", (0, -1, 5), (0, 1, 5)),
        ("true", (1, 0), (1, 0)),
    ],
)
def test_reshape_next_to_a_zero(
    tmp_path: Path, special_zero: str, pattern: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    reshape = call("y", "opset1.Reshape", "x", "p", special_zero=special_zero)
    layers = [parameter("x", "3,0,2"), const("p", *pattern), reshape]
    assert result(tmp_path, layers).shape == expected
    path = tmp_path / "model.xml"
    assert infer(load(path))["y"][0].shape == expected
    assert not tiny.findings(path)


def test_the_smallest_of_a_range(tmp_path: Path) -> None:
    """A detector keeps at most 5 boxes of those that it finds."""
    layers = [
        parameter("x", "9"),
        call("found", "opset3.NonZero", "x", output_type="i64"),
        call("shape", "opset3.ShapeOf", "found", output_type="i64"),
        const("one", 1),
        const("zero", 0, shape=""),
        call("count", "opset8.Gather", "shape", "one", "zero", batch_dims=0),
        const("most", 5),
        call("both", "opset1.Concat", "most", "count", axis=0),
        call("k", "opset1.ReduceMin", "both", "zero", keep_dims="false"),
        call("y", "opset11.TopK", "x", "k", axis=0, mode="max", sort="value", index_element_type="i32"),
    ]
    assert infer(load(tiny.write(tmp_path / "m.xml", *layers)))["y"][0].shape == ((0, 5),)


@pytest.mark.parametrize(("overlap", "expected"), [(0, [0]), (0.5, [0, 2]), (0.75, [0, 1, 2])])
def test_boxes_that_share_as_much_as_the_threshold(tmp_path: Path, overlap: float, expected: list[int]) -> None:
    layers = [
        parameter("b", "1,3,4"),
        parameter("s", "1,1,3"),
        const("most", 9, shape=""),
        const("overlap", overlap, shape="", kind="f32"),
        call("y", "opset3.NonMaxSuppression", "b", "s", "most", "overlap", output_type="i64"),
    ]
    boxes = np.array([[[0, 0, 1, 1], [0, 0, 1, 0.5], [9, 9, 10, 10]]], np.float32)
    found = result(tmp_path, layers, b=boxes, s=np.array([[[0.3, 0.2, 0.1]]], np.float32))
    assert found[:, 2].tolist() == expected


@pytest.mark.parametrize("adjoint", ["true", "false"])
def test_the_inverse_of_a_singular_matrix(tmp_path: Path, adjoint: str) -> None:
    layers = [parameter("x", "2,2"), call("y", "opset14.Inverse", "x", adjoint=adjoint)]
    inf = float("inf")
    assert result(tmp_path, layers, x=np.array([[1, 2], [2, 4]], np.float32)).tolist() == [[-inf, inf], [inf, -inf]]
