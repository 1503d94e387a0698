"""The first release that reads a model: by its operators and element types, as tests/formats/openvino/releases.py measured it."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint import engine
from irlint.formats import by_name
from irlint.formats.openvino.reading.opsets import release_of
from irlint.settings import Settings
from tests.formats.openvino import tiny
from tests.formats.openvino.tiny import call, parameter


@pytest.mark.parametrize(
    ("type_", "opset", "release"),
    [
        ("ScaledDotProductAttention", "opset13", (2023, 3)),
        ("BitwiseAnd", "opset13", (2023, 2)),
        ("Col2Im", "opset15", (2024, 2)),
        ("StringTensorPack", "opset15", (2024, 4)),
    ],
)
def test_operators(type_: str, opset: str, release: tuple[int, int]) -> None:
    assert release_of(type_, opset) == release


@pytest.mark.parametrize(("kind", "release"), [("f4e2m1", "2024.3"), ("nf4", "2023.2"), ("U2", "2024.1")])
def test_element_types(tmp_path: Path, kind: str, release: str) -> None:
    convert = call("y", "opset1.Convert", "x", destination_type="f32")
    path = tiny.write(tmp_path / "model.xml", parameter("x", "2", kind), convert)
    model = engine.lint_bytes(path.read_bytes(), path.name, path=path).model
    format_ = by_name("openvino")
    assert format_ is not None
    assert model is not None
    assert format_.facts(model) == [
        ("readable by", f"OpenVINO {release} and later (required by element type {kind})"),
    ]
    settings = Settings(targets=(("openvino", "2023.1"),))
    found = engine.lint_bytes(path.read_bytes(), path.name, settings, path=path).findings
    assert [f.message for f in found if f.code == "C001"] == [
        f"element type {kind} of Parameter 'x' requires OpenVINO {release} or later; the target is 2023.1"
    ]
