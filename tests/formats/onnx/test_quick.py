"""What a lint of a sound binary leaves undone, and what makes it look closer."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Any

import pytest

from irlint import engine
from irlint.formats.onnx.tensors import TensorData
from irlint.report.base import locate
from tests.formats.onnx.build import TINY, binary, lint


def test_the_text_of_a_sound_binary_is_not_made(tmp_path: Path) -> None:
    """Showing a model takes longer than linting it."""
    path = tmp_path / "model.onnx"
    path.write_bytes(binary(TINY))
    result = engine.lint_bytes(path.read_bytes(), str(path), path=path)
    assert locate(result).entries == ()
    assert result.document is not None
    assert "text" not in vars(result.document)


@pytest.mark.parametrize(("number", "code"), [(1, "f"), (10, "e"), (11, "d")])
@pytest.mark.parametrize("value", [0.0, -1.5, 6.0e4, -6.0e-5, math.inf, -math.inf, math.nan])
def test_finite_by_the_highest_bytes(number: int, code: str, value: float) -> None:
    tree: dict[str, Any] = {
        "data_type": number,
        "dims": [3],
        "raw_data": memoryview(struct.pack(f"<3{code}", 1, value, 2)),
    }
    assert TensorData(tree).is_finite() == math.isfinite(value)


@pytest.mark.parametrize(
    ("bits", "finite"), [(0x7F7F, False), (0x7F80, False), (0x7EFF, True), (0xFF80, False), (0xC000, True)]
)
def test_a_bfloat16_of_the_largest_exponents_is_looked_at(bits: int, finite: bool) -> None:
    tree: dict[str, Any] = {"data_type": 16, "dims": [1], "raw_data": memoryview(struct.pack("<H", bits))}
    assert TensorData(tree).is_finite() == finite


def test_the_largest_float_is_no_finding() -> None:
    text = TINY.replace("{1.0,2.0,", "{1.0,3.4028234663852886e+38,")
    assert lint(binary(text)).findings == []
