"""Runs of small IRs at the edges of operators: what OpenVINO 2026.4.1 computes on the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint.api import run
from tests.formats.openvino import tiny
from tests.formats.openvino.tiny import Layer, call, const, parameter


def result(path: Path, layers: list[Layer], **inputs: Any) -> Any:
    (found,) = run(tiny.write(path / "model.xml", *layers), inputs).values()
    return found


def test_squeeze_keeps_a_dimension_that_is_not_one(tmp_path: Path) -> None:
    layers = [parameter("x", "2,1,3"), const("axes", 0, 1), call("y", "opset1.Squeeze", "x", "axes")]
    assert result(tmp_path, layers).shape == (2, 3)
    assert not tiny.findings(tmp_path / "model.xml")


@pytest.mark.parametrize(("shape", "count", "expected"), [((0,), 0, (0,)), ((0, 7), 5, (0, 5)), ((3, 0), 2, (3, 2))])
def test_top_k_of_no_elements(tmp_path: Path, shape: tuple[int, ...], count: int, expected: tuple[int, ...]) -> None:
    top = call("y", "opset11.TopK", "x", "k", axis=-1, mode="max", sort="value", index_element_type="i32")
    layers = [parameter("x", ",".join("?" * len(shape))), parameter("k", "", "i64"), top]
    assert result(tmp_path, layers, x=np.zeros(shape, np.float32), k=np.int64(count)).shape == expected


def test_no_top_k_of_some_elements_is_refused(tmp_path: Path) -> None:
    top = call("y", "opset11.TopK", "x", "k", axis=-1, mode="max", sort="value", index_element_type="i32")
    layers = [parameter("x", "?"), parameter("k", "", "i64"), top]
    with pytest.raises(ValueError, match="expected at least 1 for `k`"):
        result(tmp_path, layers, x=np.zeros(3, np.float32), k=np.int64(0))


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
