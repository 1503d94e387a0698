"""Metadata in a model is compared with its inputs and outputs."""

from __future__ import annotations

import pytest

from companions.ultralytics import net
from irlint import engine

PROPS = '[names: "{0: \'cat\', 1: \'dog\', 2: None}", task: "detect", stride: "32", batch: "1", imgsz: "[160, 160]", args: "{\'nms\': False}"]'
MODEL = net("1,7,525").replace('opset_import: ["" : 17]>', f'opset_import: ["" : 17], metadata_props: {PROPS}>')


def quoted(model: str) -> str:
    for key in ("names", "task", "stride", "batch", "imgsz", "args"):
        model = model.replace(f"{key}: ", f'"{key}" : ', 1)
    return model


@pytest.mark.parametrize(
    ("old", "new", "code", "token"),
    [
        (", 2: None", "", "F005", "\"{0: 'cat', 1: 'dog'}\""),
        ("2: None", "2: None, 3: 'cow'", "F005", "\"{0: 'cat', 1: 'dog', 2: None, 3: 'cow'}\""),
        ("[160, 160]", "[160, 640]", "F004", '"[160, 640]"'),
        ('batch: "1"', 'batch: "8"', "F004", '"8"'),
        ("float[1,7,525]", "float[1,9,525]", "F005", "\"{0: 'cat', 1: 'dog', 2: None}\""),
    ],
)
def test_what_is_planted_is_found(old: str, new: str, code: str, token: str) -> None:
    text = quoted(MODEL.replace(old, new, 1))
    found = {f.code: text[f.span.start : f.span.end] for f in engine.lint(text, "yolo.onnx").findings}
    assert found.get(code) == token


@pytest.mark.parametrize("more", ["", "'nms': True", "'dynamic': True"])
def test_a_model_that_is_right_is_silent(more: str) -> None:
    text = quoted(MODEL.replace("'nms': False", more or "'nms': False"))
    assert engine.lint(text, "yolo.onnx").findings == []
