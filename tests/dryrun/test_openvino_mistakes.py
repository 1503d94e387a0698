"""What is wrong with the operands of operations of an IR: one finding each, where OpenVINO 2026.4.1 fails, too."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from irlint import engine
from irlint.findings import Severity
from tests.formats.openvino.models import model, operations

# The operation, and how its sample changes: shapes of inputs, or types and shapes, or None where they end; numbers of constants; attributes
MISTAKES: list[tuple[str, dict[int, Any], dict[int, list[int]], dict[str, str], str, str]] = [
    (
        "opset8.NV12toRGB",
        {0: [1, 481, 640, 1]},
        {},
        {},
        "D001",
        "expected 2 values per pixel, and the size of the other planes, for `uv`, got [1, 240, 320, 2] (half the height and width of the first plane)",
    ),
    (
        "opset13.ScaledDotProductAttention",
        {3: ("I64", [])},
        {},
        {},
        "D002",
        "expected a floating-point type or bool for `attention_mask`, got int64",
    ),
    ("opset8.I420toRGB", {2: None}, {}, {}, "O002", "expected 1 or 3 inputs (one plane, or one per component), got 2"),
    (
        "opset14.ConvertPromoteTypes",
        {0: ("STRING", [2, 3])},
        {},
        {},
        "D002",
        "expected a numeric type or bool for `in0`, got string",
    ),
    (
        "opset14.ConvertPromoteTypes",
        {0: ("U64", [2, 3]), 1: ("I32", [2])},
        {},
        {"promote_unsafe": "false"},
        "D002",
        "uint64 and int32 have no common type that keeps all their values; `promote_unsafe` allows a lossy one",
    ),
    (
        "opset14.ConvertPromoteTypes",
        {0: ("I32", [2, 3]), 1: ("FP32", [])},
        {},
        {"promote_unsafe": "false"},
        "D002",
        "int32 and float32 have no common type that keeps all their values; `promote_unsafe` allows a lossy one",
    ),
    (
        "opset14.ConvertPromoteTypes",
        {0: ("FP16", [2, 3]), 1: ("BF16", [2, 3])},
        {},
        {"promote_unsafe": "false"},
        "D002",
        "float16 and bfloat16 have no common type that keeps all their values; `promote_unsafe` allows a lossy one",
    ),
    (
        "opset14.ConvertPromoteTypes",
        {0: ("I32", [2, 3]), 1: ("I64", [])},
        {},
        {"promote_unsafe": "false"},
        "D002",
        "int32 and int64 have no common type that keeps all their values; `promote_unsafe` allows a lossy one",
    ),
    ("opset2.BatchToSpace", {}, {2: [0, 0, 9, 0]}, {}, "D005", "crops 9 and 0 exceed dimension 2 of length 4"),
    (
        "opset1.StridedSlice",
        {},
        {1: [2, 5, 1], 2: [0, 1, 1], 3: [-1, -1, -1]},
        {},
        "A007",
        "number of sliced axes in `begin` and `end` (3) is more than the rank of [4, 5]",
    ),
    ("opset1.VariadicSplit", {}, {2: [-2, 8]}, {}, "A006", "expected at least -1 in `split_lengths`, got -2"),
    ("opset1.VariadicSplit", {}, {2: [-1, -1]}, {}, "A006", "expected at most one -1 in `split_lengths`, got [-1, -1]"),
    (
        "opset8.Gather",
        {},
        {},
        {"batch_dims": "3"},
        "A006",
        "expected -2 to 2 for `batch_dims` (`indices` has rank 2), got 3",
    ),
    ("opset4.Range", {}, {2: [0]}, {}, "A006", "expected a `step` other than 0, got 0"),
    ("opset8.RandomUniform", {}, {1: [3], 2: [2]}, {}, "A006", "`minval` 3.0 is not smaller than `maxval` 2.0"),
    (
        "opset3.Broadcast",
        {0: [1, 2, 3]},
        {},
        {},
        "A007",
        "expected one axis per dimension of `data` [1, 2, 3] in `axes_mapping`, got 1",
    ),
    (
        "opset3.Broadcast",
        {0: [2, 3]},
        {1: [2, 3], 2: [1, 0]},
        {},
        "A006",
        "expected increasing axes in `axes_mapping`, got [1, 0]",
    ),
    ("opset9.RDFT", {}, {1: [0, 0]}, {}, "D001", "expected 2 as dimension 0 of `signal_size` (as in `axes`), got [1]"),
    ("opset9.IRDFT", {}, {1: [0, 0]}, {}, "D001", "expected 2 as dimension 0 of `signal_size` (as in `axes`), got [1]"),
    (
        "opset7.DFT",
        {},
        {1: [0, 1, 2, 3]},
        {},
        "D001",
        "expected 4 as dimension 0 of `signal_size` (as in `axes`), got [1]",
    ),
    (
        "opset7.Einsum",
        {0: [2, 3, 4]},
        {},
        {},
        "D003",
        "expected rank 2 for input 0 (`ij` in `equation`), got [2, 3, 4]",
    ),
    ("opset4.Interpolate", {}, {3: [2, 3, 1]}, {}, "A007", "expected 3 numbers in `scales` (one per axis), got 2"),
    ("opset13.FakeConvert", {1: [1, 1, 1]}, {}, {}, "D001", "shapes of `scale` [1, 1, 1] and `shift` [1] do not match"),
    (
        "opset1.PSROIPooling",
        {0: [1, 71, 38, 63]},
        {},
        {},
        "D001",
        "expected 72 channels (`output_dim` x `group_size`^2) for `data`, got [1, 71, 38, 63]",
    ),
    (
        "opset12.ScatterElementsUpdate",
        {0: ("BOOL", [4, 3]), 2: ("BOOL", [2, 3])},
        {},
        {"reduction": "mean"},
        "D002",
        "`reduction` `mean` is not supported for bool `data`",
    ),
    ("opset15.STFT", {1: [7]}, {2: [5]}, {}, "D001", "expected 1 to 5 numbers in `window` (`frame_size`), got [7]"),
    (
        "opset1.Reshape",
        {},
        {1: [0, 0, 0, 0, 0, 0]},
        {},
        "D004",
        "0 at position 2 of `shape` [0, 0, 0, 0, 0, 0] is out of range for [2, 3]",
    ),
    (
        "opset1.PriorBoxClustered",
        {},
        {},
        {"height": "1"},
        "A007",
        "lengths of `width` (2) and `height` (1) do not match",
    ),
    ("opset9.GenerateProposals", {}, {}, {"nms_eta": "0.5"}, "A006", "expected 1 for `nms_eta`, got 0.5"),
    (
        "opset8.DetectionOutput",
        {},
        {},
        {"keep_top_k": "0"},
        "A006",
        "expected -1 or more than 0 for `keep_top_k`, got 0",
    ),
    (
        "opset1.StridedSlice",
        {},
        {},
        {"end_mask": "0,0,1"},
        "A007",
        "lengths of `begin_mask` (2) and `end_mask` (3) do not match",
    ),
    ("opset1.StridedSlice", {}, {}, {"ellipsis_mask": "1,1"}, "A006", "expected at most one 1 in `ellipsis_mask`"),
]


@pytest.mark.parametrize(("key", "inputs", "constants", "attrs", "code", "message"), MISTAKES)
def test_mistakes(
    key: str,
    inputs: dict[int, Any],
    constants: dict[int, list[int]],
    attrs: dict[str, str],
    code: str,
    message: str,
    tmp_path: Path,
) -> None:
    made = changed(key, inputs, constants, attrs)
    path = tmp_path / "model.xml"
    path.write_text(made.text)
    path.with_suffix(".bin").write_bytes(made.weights)
    findings = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    wrong = [
        f for f in findings if f.severity == Severity.ERROR and f.code not in ("D006", "D007")
    ]  # the ports declare other types
    assert [(f.code, f.message.partition(": ")[2]) for f in wrong] == [(code, message)]


def changed(key: str, inputs: dict[int, Any], constants: dict[int, list[int]], attrs: dict[str, str]) -> Any:
    record = copy.deepcopy(operations()[key])
    record["data"].update(attrs)
    for place, now in inputs.items():
        if now is None:
            del record["inputs"][place:]
        elif isinstance(now, tuple):
            record["inputs"][place] = list(now)
        else:
            record["inputs"][place][1] = now
    for place, numbers in constants.items():
        record.setdefault("constants", {})[str(place)] = numbers
        if record["inputs"][place][1]:
            record["inputs"][place][1] = [len(numbers)]
    return model(key, record)
